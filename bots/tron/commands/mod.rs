//! Commands of the program `tron` besides playing.

pub mod bench;
pub mod endgame;
pub mod fit;
