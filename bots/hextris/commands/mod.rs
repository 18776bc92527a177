//! What the program does besides playing.

mod files;
mod pool;
pub mod score;
pub mod solve_all;
