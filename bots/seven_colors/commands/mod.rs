//! Commands of the program `seven-colors` other than playing.

pub mod bench;
pub mod proofs;
pub mod solve;
