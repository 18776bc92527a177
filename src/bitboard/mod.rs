//! Sets of cells of a grid as bits; a step of a flood fill takes a few instructions.
//!
//! Algorithms on a grid are written once, for any [`Bitboard`]. A [`WideBitboard`] consists of
//! groups of rows; in `vector` a group is a vector register, on processors that have them. A
//! [`SmallBitboard`] is one machine integer, for small grids.

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
