//! What the program does besides playing.

pub mod graph;
mod in_order;
mod input;
pub mod scramble;
pub mod show;
pub mod solve;
pub mod tables;
pub mod verify;
