//! Commands of the program `seven-colors` besides playing.

pub mod bench;
pub mod proofs;
pub mod solve;
