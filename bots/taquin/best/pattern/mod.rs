//! Additive pattern databases (R. Korf, A. Felner, "Disjoint pattern database heuristics", 2002).
//! The tiles are split into groups, and the slides that each group alone needs are added up. On a
//! square board the same tables serve its reflection at the diagonal, and the larger of the two
//! sums counts.
//!
//! Terms:
//!
//! - *Slot*: the index of a tile within its pattern.
//! - *Order*: the slots of a pattern's tiles by ascending cell (`TileOrder`).
//! - *Placement*: the set of cells that a pattern's tiles occupy, and their order.
//! - *Rank*: the index of a set, an order or a placement among all of its kind.
//! - *Zone*: free cells among which the blank moves without moving a tile of the pattern.
//! - *Block*: the entries of one set and zone. The entry of an order is at its rank within it.
//! - *Stride*: the number of entries reserved for a block.
//! - *Orientation*: 0 for the board, 1 for its reflection at the main diagonal.

mod build;
pub mod cache;
mod cell_indexed;
mod cell_sets;
mod databases;
mod descent;
mod group_view;
mod move_lookup;
pub mod partition;
mod parts;
mod placement;
mod symmetry;
mod table;

#[cfg(test)]
mod tests;

pub use cell_indexed::{CellIndexedTables, PairBits, MOST_TILES};
pub use databases::{PatternDatabases, PatternEstimate, TableOptions, MOST_GROUPS};
pub use move_lookup::MoveLookup;
pub use partition::Partition;
pub use placement::Placement;
