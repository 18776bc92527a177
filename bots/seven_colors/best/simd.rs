//! What is asked at every node, in the widest registers that the processor has: a named corner in which
//! `unsafe` lives.
//!
//! Here the planes of usual boards are made of vectors (`bitboard::vector`); their safe twin
//! are the arrays of [`UsualCells`].

use super::bitboard_position::{children, BitboardNode, BoardContext, ColourMove};
use super::race::outruns;
use super::regions::zones;
use arbitre_games::bitboard::{Bitboard, Loaded, SmallBitboard, WideBitboard};

/// Boards of up to 9x9.
pub type SmallCells = SmallBitboard;
/// Boards of up to 30x30, the usual one among them.
pub type UsualCells = WideBitboard<[u32; 8], 4>;
/// Boards of any size.
pub type LargeCells = WideBitboard<[u64; 18], 4>;

/// Does a board of so many columns and rows fit on such a grid?
pub fn fits((width, height): (usize, usize), (columns, rows): (usize, usize)) -> bool {
    width <= columns && height <= rows
}

/// A plane, and what is done on it in the widest registers.
pub trait SimdBitboard: Bitboard + Loaded<Stored = Self> + std::hash::Hash + Send {
    /// See [`children`].
    #[inline]
    fn children(
        board_context: &BoardContext<Self>,
        node: &BitboardNode<Self>,
        found: &mut Vec<ColourMove<Self>>,
    ) {
        children::<Self>(board_context, node, found)
    }

    /// See [`zones`].
    #[inline]
    fn zones(board_context: &BoardContext<Self>, node: &BitboardNode<Self>) -> [u32; 2] {
        zones::<Self>(board_context, node)
    }

    /// See [`outruns`].
    #[inline]
    fn outruns(
        board_context: &BoardContext<Self>,
        node: &BitboardNode<Self>,
        seat: usize,
        goal: u32,
    ) -> bool {
        outruns::<Self>(board_context, node, seat, goal)
    }
}

impl SimdBitboard for LargeCells {}

#[cfg(not(target_arch = "x86_64"))]
impl SimdBitboard for SmallCells {}
#[cfg(not(target_arch = "x86_64"))]
impl SimdBitboard for UsualCells {}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vectors {
    use super::*;
    use arbitre_games::bitboard::vector::{available, more_available, Vector};

    /// What is asked at nodes, compiled for a processor that has these features.
    macro_rules! compiled_for {
        ($name:ident: $features:literal) => {
            mod $name {
                use super::*;

                #[target_feature(enable = $features)]
                pub fn children<P: Loaded>(
                    board_context: &BoardContext<P::Stored>,
                    node: &BitboardNode<P::Stored>,
                    found: &mut Vec<ColourMove<P::Stored>>,
                ) {
                    super::children::<P>(board_context, node, found)
                }

                #[target_feature(enable = $features)]
                pub fn zones<P: Loaded>(
                    board_context: &BoardContext<P::Stored>,
                    node: &BitboardNode<P::Stored>,
                ) -> [u32; 2] {
                    super::zones::<P>(board_context, node)
                }

                #[target_feature(enable = $features)]
                pub fn outruns<P: Loaded>(
                    board_context: &BoardContext<P::Stored>,
                    node: &BitboardNode<P::Stored>,
                    seat: usize,
                    goal: u32,
                ) -> bool {
                    super::outruns::<P>(board_context, node, seat, goal)
                }
            }
        };
    }

    compiled_for!(avx2: "avx2,bmi1,popcnt");
    compiled_for!(avx512: "avx2,bmi1,popcnt,avx512f,avx512vl");

    /// Calls a function in the form for this processor: planes in arrays, or in registers.
    macro_rules! widest {
        ($function:ident, $arrays:ty, $registers:ty, ($($argument:expr),*)) => {
            if more_available() {
                // SAFETY: the processor has what the function is compiled for.
                unsafe { avx512::$function::<$registers>($($argument),*) }
            } else if available() {
                // SAFETY: the processor has what the function is compiled for.
                unsafe { avx2::$function::<$registers>($($argument),*) }
            } else {
                $function::<$arrays>($($argument),*)
            }
        };
    }

    macro_rules! wide {
        ($arrays:ty: $registers:ty) => {
            impl SimdBitboard for $arrays {
                #[inline]
                fn children(
                    board_context: &BoardContext<Self>,
                    node: &BitboardNode<Self>,
                    found: &mut Vec<ColourMove<Self>>,
                ) {
                    widest!(children, $arrays, $registers, (board_context, node, found))
                }

                #[inline]
                fn zones(
                    board_context: &BoardContext<Self>,
                    node: &BitboardNode<Self>,
                ) -> [u32; 2] {
                    widest!(zones, $arrays, $registers, (board_context, node))
                }

                #[inline]
                fn outruns(
                    board_context: &BoardContext<Self>,
                    node: &BitboardNode<Self>,
                    seat: usize,
                    goal: u32,
                ) -> bool {
                    widest!(outruns, $arrays, $registers, (board_context, node, seat, goal))
                }
            }
        };
    }

    wide!(SmallCells: SmallCells);
    wide!(UsualCells: WideBitboard<Vector, 4>);

    /// What each form that the processor has says of a position of a usual board, the arrays first: the
    /// children, the zones, and for both seats whether it outruns the other to that many cells.
    #[cfg(test)]
    pub fn in_each_form(
        board_context: &BoardContext<UsualCells>,
        node: &BitboardNode<UsualCells>,
        goal: u32,
    ) -> Vec<Answers> {
        macro_rules! answers {
            ($form:ident, $bitboard:ty) => {{
                let mut found = Vec::new();
                $form::children::<$bitboard>(board_context, node, &mut found);
                let zones = $form::zones::<$bitboard>(board_context, node);
                let outruns = |seat| $form::outruns::<$bitboard>(board_context, node, seat, goal);
                (found, zones, [outruns(0), outruns(1)])
            }};
        }
        let mut all = vec![answers!(super, UsualCells)];
        if available() {
            // SAFETY: the processor has what the functions are compiled for.
            all.push(unsafe { answers!(avx2, WideBitboard<Vector, 4>) });
        }
        if more_available() {
            // SAFETY: the processor has what the functions are compiled for.
            all.push(unsafe { answers!(avx512, WideBitboard<Vector, 4>) });
        }
        all
    }

    #[cfg(test)]
    type Answers = (Vec<ColourMove<UsualCells>>, [u32; 2], [bool; 2]);
}

#[cfg(all(test, target_arch = "x86_64"))]
pub use vectors::in_each_form;
