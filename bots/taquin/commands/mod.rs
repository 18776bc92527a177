//! Commands of the program besides playing.

pub mod bench;
pub mod graph;
pub mod input;
pub mod scramble;
pub mod show;
pub mod solve;
pub mod tables;
pub mod verify;
