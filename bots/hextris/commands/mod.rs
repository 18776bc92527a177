//! What the program does besides playing.

mod files;
pub mod score;
