//! Games of a tournament before they are played: index, players, seeds and setup of each.

pub mod openings;
pub mod schedule;
pub mod shard;
