//! Statistics: counts of games, and the strengths estimated from them.

pub mod durations;
pub mod health;
pub mod mark;
pub mod plackett_luce;
pub mod ranking;
pub mod rating;
pub mod solo;
pub mod sprt;
pub mod superiority;
pub mod tally;
