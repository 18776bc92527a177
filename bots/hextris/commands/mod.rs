//! Commands of the program besides playing.

pub mod bench;
pub mod contest;
mod games;
mod resources;
pub mod score;
pub mod solve_all;
