//! The functions called at every node, compiled once per instruction set: plain, AVX2, and
//! AVX-512VL on 256-bit registers.
//!
//! On usual boards a bitboard is a vector (`bitboard::vector`). The arrays of [`UsualCells`] are
//! the safe reference. All `unsafe` code of this bot is here.
#![allow(unsafe_code)]

use super::bitboard_position::{children, BitboardNode, BoardContext, ColourMove};
use super::race::outruns;
use super::regions::zones;
use arbitre_games::bitboard::{Bitboard, InterleavedBitboard, Loaded, SmallBitboard};

/// Bitboard for boards of up to 9x9.
pub type SmallCells = SmallBitboard;
/// Bitboard for boards of up to 30x30, the default size.
pub type UsualCells = InterleavedBitboard<[u32; 8], 4>;
/// Bitboard for boards of any size.
pub type LargeCells = InterleavedBitboard<[u64; 18], 4>;

#[cfg(target_arch = "x86_64")]
type UsualRegisters = InterleavedBitboard<arbitre_games::bitboard::vector::Vector, 4>;
#[cfg(not(target_arch = "x86_64"))]
type UsualRegisters = UsualCells;

/// Returns `true` if a board of this width and height fits on a grid of `columns` and `rows`.
pub fn fits((width, height): (usize, usize), (columns, rows): (usize, usize)) -> bool {
    width <= columns && height <= rows
}

/// Calls a function in the variant for this processor: on arrays or in registers.
macro_rules! dispatch {
    ($function:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if <Self::Registers as Bitboard>::IN_REGISTERS && vectors::avx512vl_available() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { vectors::avx512::$function::<Self::Registers>($($argument),*) };
        } else if <Self::Registers as Bitboard>::IN_REGISTERS && vectors::available() {
            // SAFETY: the processor has the features that the function is compiled for.
            return unsafe { vectors::avx2::$function::<Self::Registers>($($argument),*) };
        }
        $function::<Self>($($argument),*)
    }};
}

/// A bitboard with the functions of a node, each in the variant for this processor.
pub trait SimdBitboard: Bitboard + Loaded<Stored = Self> + std::hash::Hash + Send {
    /// Type of the same bitboard in registers.
    type Registers: Loaded<Stored = Self>;

    /// See [`children`].
    #[inline]
    fn children(
        context: &BoardContext<Self>,
        node: &BitboardNode<Self>,
        found: &mut Vec<ColourMove<Self>>,
    ) {
        dispatch!(children(context, node, found))
    }

    /// See [`zones`].
    #[inline]
    fn zones(context: &BoardContext<Self>, node: &BitboardNode<Self>) -> [u32; 2] {
        dispatch!(zones(context, node))
    }

    /// See [`outruns`].
    #[inline]
    fn outruns(
        context: &BoardContext<Self>,
        node: &BitboardNode<Self>,
        race: (usize, u32),
    ) -> bool {
        dispatch!(outruns(context, node, race))
    }
}

impl SimdBitboard for SmallCells {
    type Registers = SmallCells;
}

impl SimdBitboard for UsualCells {
    type Registers = UsualRegisters;
}

impl SimdBitboard for LargeCells {
    type Registers = LargeCells;
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::*;
    pub use arbitre_games::bitboard::vector::{available, avx512vl_available};

    /// Compiles the functions of a node for a processor with `$features`.
    macro_rules! compiled_for {
        ($name:ident: $features:literal) => {
            pub mod $name {
                use super::*;

                #[target_feature(enable = $features)]
                pub fn children<P: Loaded>(
                    context: &BoardContext<P::Stored>,
                    node: &BitboardNode<P::Stored>,
                    found: &mut Vec<ColourMove<P::Stored>>,
                ) {
                    super::children::<P>(context, node, found)
                }

                #[target_feature(enable = $features)]
                pub fn zones<P: Loaded>(
                    context: &BoardContext<P::Stored>,
                    node: &BitboardNode<P::Stored>,
                ) -> [u32; 2] {
                    super::zones::<P>(context, node)
                }

                #[target_feature(enable = $features)]
                pub fn outruns<P: Loaded>(
                    context: &BoardContext<P::Stored>,
                    node: &BitboardNode<P::Stored>,
                    race: (usize, u32),
                ) -> bool {
                    super::outruns::<P>(context, node, race)
                }
            }
        };
    }

    compiled_for!(avx2: "avx2,bmi1,popcnt");
    compiled_for!(avx512: "avx2,bmi1,popcnt,avx512f,avx512vl");

    /// Returns the results of every variant that this processor supports, the arrays first. They
    /// are the children, the zones, and for both sides whether it outruns the other to `goal`
    /// cells.
    #[cfg(test)]
    pub fn in_each_form(
        context: &BoardContext<UsualCells>,
        node: &BitboardNode<UsualCells>,
        goal: u32,
    ) -> Vec<Answers> {
        macro_rules! answers {
            ($form:ident, $bitboard:ty) => {{
                let mut found = Vec::new();
                $form::children::<$bitboard>(context, node, &mut found);
                let zones = $form::zones::<$bitboard>(context, node);
                let outruns = |side| $form::outruns::<$bitboard>(context, node, (side, goal));
                (found, zones, [outruns(0), outruns(1)])
            }};
        }
        let mut all = vec![answers!(super, UsualCells)];
        if available() {
            // SAFETY: the processor has the features that the functions are compiled for.
            all.push(unsafe { answers!(avx2, UsualRegisters) });
        }
        if avx512vl_available() {
            // SAFETY: the processor has the features that the functions are compiled for.
            all.push(unsafe { answers!(avx512, UsualRegisters) });
        }
        all
    }

    #[cfg(test)]
    type Answers = (Vec<ColourMove<UsualCells>>, [u32; 2], [bool; 2]);
}

#[cfg(all(test, target_arch = "x86_64"))]
pub use vectors::in_each_form;
