//! The evaluation in the widest registers that the processor has: a named corner in which `unsafe`
//! lives.
//!
//! Here the planes of small grids are made of vectors (`bitboard::vector`); their safe twin
//! are the arrays of [`SmallGrid`].

use super::bitboards::{Bitboard, Cell, LargeGrid, SmallGrid};
use super::chamber_tree::ChamberTree;
use super::evaluation::evaluate;
use super::multiplayer::evaluation::{evaluate_view, EnclosedPlayers, RegionView};
use super::multiplayer::lead::lead;
use super::multiplayer::reach::{meets, share};
use super::position::{MultiplayerPosition, TwoPlayerPosition};
use super::voronoi::regions;

/// A plane, and what is done on it in the widest registers.
pub trait SimdBitboard: Bitboard {
    /// See [`regions`].
    #[inline]
    fn regions(free: Self, from: [Cell; 2]) -> [Self; 2] {
        regions(free, from)
    }

    /// See [`evaluate`].
    #[inline]
    fn evaluate(
        two_player: &TwoPlayerPosition<Self>,
        window: (i32, i32),
        chambers: &mut ChamberTree,
    ) -> i32 {
        evaluate(two_player, window, chambers)
    }

    /// See [`evaluate_view`].
    #[inline]
    fn evaluate_view(view: &RegionView<Self>, alpha: i32, chambers: &mut ChamberTree) -> i32 {
        evaluate_view(view, alpha, chambers)
    }

    /// See [`lead`].
    #[inline]
    fn lead(
        view: &RegionView<Self>,
        enclosed: Option<&EnclosedPlayers<Self>>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        lead(view, enclosed, seat, target)
    }

    /// See [`share`].
    #[inline]
    fn share(free: &Self, others: &Self, from: Cell) -> u32 {
        share(*free, *others, from)
    }

    /// See [`meets`].
    #[inline]
    fn meets(free: &Self, others: &Self, from: Cell) -> bool {
        meets(*free, *others, from)
    }

    /// See [`Bitboard::reach`].
    #[inline]
    fn reach_from(free: &Self, from: Cell) -> Self {
        free.reach(from)
    }
}

impl<P: SimdBitboard> MultiplayerPosition<P> {
    /// How many cells somebody who goes there reaches from it before any of these others is there, who
    /// move first.
    #[inline]
    pub fn share(&self, others: &P, to: Cell) -> u32 {
        let mut free = self.free;
        free.remove(to);
        P::share(&free, others, to)
    }

    /// Can another come to where this seat can come?
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
    use arbitre_games::bitboard::{Loaded, WideBitboard};

    type Registers = WideBitboard<Vector, 3>;

    impl SimdBitboard for SmallGrid {
        #[inline]
        fn regions(free: SmallGrid, from: [Cell; 2]) -> [SmallGrid; 2] {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_zones(&free, from) },
                false => regions(free, from),
            }
        }

        #[inline]
        fn evaluate(
            two_player: &TwoPlayerPosition<SmallGrid>,
            window: (i32, i32),
            chambers: &mut ChamberTree,
        ) -> i32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_evaluate(two_player, window, chambers) },
                false => evaluate(two_player, window, chambers),
            }
        }

        #[inline]
        fn evaluate_view(
            view: &RegionView<SmallGrid>,
            alpha: i32,
            chambers: &mut ChamberTree,
        ) -> i32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_judge(view, alpha, chambers) },
                false => evaluate_view(view, alpha, chambers),
            }
        }

        #[inline]
        fn lead(
            view: &RegionView<SmallGrid>,
            enclosed: Option<&EnclosedPlayers<SmallGrid>>,
            seat: usize,
            target: Option<usize>,
        ) -> i32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_lead(view, enclosed, seat, target) },
                false => lead(view, enclosed, seat, target),
            }
        }

        #[inline]
        fn share(free: &SmallGrid, others: &SmallGrid, from: Cell) -> u32 {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_share(free, others, from) },
                false => share(*free, *others, from),
            }
        }

        #[inline]
        fn meets(free: &SmallGrid, others: &SmallGrid, from: Cell) -> bool {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_meets(free, others, from) },
                false => meets(*free, *others, from),
            }
        }

        #[inline]
        fn reach_from(free: &SmallGrid, from: Cell) -> SmallGrid {
            match available() {
                // SAFETY: the processor has what the function is compiled for.
                true => unsafe { vector_reach(free, from) },
                false => free.reach(from),
            }
        }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_zones(free: &SmallGrid, from: [Cell; 2]) -> [SmallGrid; 2] {
        let [one, two] = regions(Registers::load(free), from);
        [one.store(), two.store()]
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_evaluate(
        two_player: &TwoPlayerPosition<SmallGrid>,
        window: (i32, i32),
        chambers: &mut ChamberTree,
    ) -> i32 {
        evaluate(
            &TwoPlayerPosition { free: Registers::load(&two_player.free), heads: two_player.heads },
            window,
            chambers,
        )
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_judge(view: &RegionView<SmallGrid>, alpha: i32, chambers: &mut ChamberTree) -> i32 {
        evaluate_view(&in_registers(view), alpha, chambers)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_lead(
        view: &RegionView<SmallGrid>,
        enclosed: Option<&EnclosedPlayers<SmallGrid>>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        let view = in_registers(view);
        let Some(&EnclosedPlayers { seats, trails: [one, two, three, four], lives }) = enclosed
        else {
            return lead(&view, None, seat, target);
        };
        let trails = [
            Registers::load(one),
            Registers::load(two),
            Registers::load(three),
            Registers::load(four),
        ];
        lead(&view, Some(&EnclosedPlayers { seats, trails: &trails, lives }), seat, target)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    #[inline]
    fn in_registers(view: &RegionView<SmallGrid>) -> RegionView<Registers> {
        let &RegionView { free, heads, alive, mover } = view;
        RegionView { free: Registers::load(&free), heads, alive, mover }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_share(free: &SmallGrid, others: &SmallGrid, from: Cell) -> u32 {
        share(Registers::load(free), Registers::load(others), from)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_meets(free: &SmallGrid, others: &SmallGrid, from: Cell) -> bool {
        meets(Registers::load(free), Registers::load(others), from)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn vector_reach(free: &SmallGrid, from: Cell) -> SmallGrid {
        Registers::load(free).reach(from).store()
    }
}
