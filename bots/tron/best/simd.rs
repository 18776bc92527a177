//! Bitboard operations in the widest registers of the processor; the only module of the bot with
//! `unsafe`.
//!
//! Each operation is written once, for any [`Loaded`] bitboard. Those of small grids are also
//! compiled for vector registers (`bitboard::vector`). The same code on arrays is the portable
//! version.

use super::bitboards::{Cell, LargeGrid, Loaded, SmallGrid};
use super::chamber_tree::ChamberTree;
use super::evaluation::evaluate;
use super::multiplayer::evaluation::{evaluate_view, EnclosedPlayers, RegionView};
use super::multiplayer::lead::lead;
use super::multiplayer::reach::{meets, share};
use super::position::{MultiplayerPosition, TwoPlayerPosition};
use super::voronoi;

/// A bitboard with its operations in the widest registers.
pub trait SimdBitboard: Loaded<Stored = Self> {
    /// See [`voronoi::regions`].
    #[inline]
    fn regions(free: &Self, from: [Cell; 2]) -> [Self; 2] {
        regions::<Self>(free, from)
    }

    /// See [`evaluate`].
    #[inline]
    fn evaluate(
        position: &TwoPlayerPosition<Self>,
        window: (i32, i32),
        tree: &mut ChamberTree,
    ) -> i32 {
        evaluate::<Self>(position, window, tree)
    }

    /// See [`evaluate_view`].
    #[inline]
    fn evaluate_view(view: &RegionView<Self>, alpha: i32, tree: &mut ChamberTree) -> i32 {
        evaluate_view::<Self>(view, alpha, tree)
    }

    /// See [`lead`].
    #[inline]
    fn lead(
        view: &RegionView<Self>,
        enclosed: Option<&EnclosedPlayers<Self>>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        lead::<Self>(view, enclosed, seat, target)
    }

    /// See [`share`].
    #[inline]
    fn share(free: &Self, others: &Self, from: Cell) -> u32 {
        share::<Self>(free, others, from)
    }

    /// See [`meets`].
    #[inline]
    fn meets(free: &Self, others: &Self, from: Cell) -> bool {
        meets::<Self>(free, others, from)
    }

    /// See [`Bitboard::flood_fill_from`](super::bitboards::Bitboard::flood_fill_from).
    #[inline]
    fn reach_from(free: &Self, from: Cell) -> Self {
        reach_from::<Self>(free, from)
    }
}

#[inline(always)]
fn regions<P: Loaded>(free: &P::Stored, from: [Cell; 2]) -> [P::Stored; 2] {
    let [one, two] = voronoi::regions(P::load(free), from);
    [one.store(), two.store()]
}

#[inline(always)]
fn reach_from<P: Loaded>(free: &P::Stored, from: Cell) -> P::Stored {
    P::load(free).flood_fill_from(from).store()
}

impl<P: SimdBitboard> MultiplayerPosition<P> {
    /// Returns the number of cells that a player at `to` reaches before the others, which move
    /// first.
    #[inline]
    pub fn share(&self, others: &P, to: Cell) -> u32 {
        let mut free = self.free;
        free.remove(to);
        P::share(&free, others, to)
    }

    /// Returns `true` if another player can reach cells that this seat can reach.
    pub fn can_be_met(&self, seat: usize) -> bool {
        P::meets(&self.free, &self.rivals(seat), self.heads[seat])
    }
}

impl SimdBitboard for LargeGrid {}

#[cfg(not(target_arch = "x86_64"))]
impl SimdBitboard for SmallGrid {}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::*;
    use arbitre_games::bitboard::vector::{available, Vector};
    use arbitre_games::bitboard::InterleavedBitboard;

    type Registers = InterleavedBitboard<Vector, 3>;

    /// Defines an operation of [`SmallGrid`] that runs in registers where the processor has them.
    macro_rules! in_registers {
        ($operation:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
            #[inline]
            fn $operation($($argument: $type),*) -> $result {
                #[target_feature(enable = "avx2,bmi1,popcnt")]
                fn vectors($($argument: $type),*) -> $result {
                    $operation::<Registers>($($argument),*)
                }
                match available() {
                    // SAFETY: the processor has what the function is compiled for.
                    true => unsafe { vectors($($argument),*) },
                    false => $operation::<SmallGrid>($($argument),*),
                }
            }
        };
    }

    impl SimdBitboard for SmallGrid {
        in_registers!(regions(free: &SmallGrid, from: [Cell; 2]) -> [SmallGrid; 2]);
        in_registers!(
            evaluate(
                position: &TwoPlayerPosition<SmallGrid>,
                window: (i32, i32),
                tree: &mut ChamberTree
            ) -> i32
        );
        in_registers!(
            evaluate_view(view: &RegionView<SmallGrid>, alpha: i32, tree: &mut ChamberTree) -> i32
        );
        in_registers!(
            lead(
                view: &RegionView<SmallGrid>,
                enclosed: Option<&EnclosedPlayers<SmallGrid>>,
                seat: usize,
                target: Option<usize>
            ) -> i32
        );
        in_registers!(share(free: &SmallGrid, others: &SmallGrid, from: Cell) -> u32);
        in_registers!(meets(free: &SmallGrid, others: &SmallGrid, from: Cell) -> bool);
        in_registers!(reach_from(free: &SmallGrid, from: Cell) -> SmallGrid);
    }
}
