//! What the program does besides playing.

pub mod contest;
mod files;
mod pool;
mod resources;
pub mod score;
pub mod solve_all;
