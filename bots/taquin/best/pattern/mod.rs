//! Additive pattern databases (R. Korf, A. Felner, "Disjoint pattern database heuristics", 2002).
//! The tiles are split into groups, and the slides that each group alone needs are added up. On a
//! square board the same tables serve its reflection at the diagonal, and the larger of the two
//! sums counts.

mod build;
pub mod cache;
mod cell_indexed;
mod cell_sets;
mod databases;
mod descent;
mod group_view;
mod memory;
mod move_lookup;
pub mod partition;
mod parts;
mod placement;
mod symmetry;
mod table;

#[cfg(test)]
mod tests;

pub use cell_indexed::{pair, PairBits};
pub use databases::{PatternDatabases, TableOptions, MOST_GROUPS};
pub use group_view::GroupView;
pub use memory::prefetch;
pub use move_lookup::MoveLookup;
pub use partition::Partition;
pub use placement::Placement;
