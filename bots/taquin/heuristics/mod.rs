//! Heuristics that need no large tables: estimates of the distance to the goal that never exceed
//! it.

mod heuristic;
pub mod linear_conflict;
pub mod walking_distance;

pub use heuristic::{Heuristic, Manhattan, Slide};
