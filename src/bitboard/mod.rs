//! Sets of cells of a grid as bits; a step of a flood fill takes a few instructions.
//!
//! Algorithms on a grid are written once, for any [`Bitboard`]. An [`InterleavedBitboard`] consists
//! of lanes of rows. In `vector` a lane is a vector register, on processors that have them. A
//! [`SmallBitboard`] is one machine integer, for small grids.

mod cells;
mod interleaved;
mod loaded;
mod row_lane;
mod small;
#[cfg(target_arch = "x86_64")]
pub mod vector;

pub use cells::{out_of_line, Bitboard, Cell};
pub use interleaved::InterleavedBitboard;
pub use loaded::Loaded;
pub use row_lane::RowLane;
pub use small::SmallBitboard;

#[cfg(test)]
mod tests;
