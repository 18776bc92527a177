//! What the program does besides playing.

pub mod bench;
pub mod contest;
mod games;
mod resources;
pub mod score;
pub mod solve_all;
