//! Statistics: counts of games, and what they say about strength.

pub mod plackett_luce;
pub mod ranking;
pub mod rating;
pub mod solo;
pub mod sprt;
pub mod tally;
