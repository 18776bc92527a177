//! Specialised IDA* on square boards of one size: each cell of the blank has code of its own for
//! each direction from which it came. It counts what [`ida_star`](crate::taquin::sheet::ida_star)
//! counts, but for what a heuristic leaves out.

mod cell_indexed;
mod geometry;
mod heuristic;
mod manhattan;
mod search;
mod subtrees;

pub use cell_indexed::{CellIndexedPatterns, CellIndexedTables, MOST_TILES};
pub use manhattan::PackedManhattan;
pub use search::{specialised_ida_star, SpecialisedSearch};
