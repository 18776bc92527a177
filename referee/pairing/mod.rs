//! Pairings: index, players, seeds and setup of every game.

pub mod openings;
pub mod schedule;
