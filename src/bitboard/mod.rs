//! Sets of cells of a grid as bits, on which a flood takes a few instructions per step.
//!
//! What is to be found on a grid is written once, for any [`Bitboard`]. A [`WideBitboard`] is made of groups of
//! rows; in `vector` a group is a vector register, for processors that have them. A [`SmallBitboard`] is
//! one machine integer, for small grids.

mod cells;
mod group;
mod loaded;
mod small;
#[cfg(target_arch = "x86_64")]
pub mod vector;
mod wide;

pub use cells::{Bitboard, Cell};
pub use group::Group;
pub use loaded::Loaded;
pub use small::SmallBitboard;
pub use wide::WideBitboard;

#[cfg(test)]
mod tests;
