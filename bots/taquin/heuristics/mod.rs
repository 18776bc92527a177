//! Admissible heuristics that need no large tables.

mod heuristic;
pub mod linear_conflict;
pub mod walking_distance;

pub use heuristic::{Heuristic, Manhattan, Slide};
