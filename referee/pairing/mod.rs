//! Pairings: which game has which index, players, seeds and setup.

pub mod openings;
pub mod schedule;
