//! Specialised IDA* on square boards of one size. Each cell of the blank has its own code for each
//! direction of arrival. Node counts equal those of [`ida_star`](crate::taquin::sheet::ida_star),
//! except for the duplicates that a heuristic prunes.

mod cell_indexed;
mod geometry;
mod heuristic;
mod manhattan;
mod search;
mod subtrees;

pub use cell_indexed::{CellIndexedPatterns, CellIndexedTables, MOST_TILES};
pub use manhattan::PackedManhattan;
pub use search::{specialised_ida_star, SpecialisedSearch};
