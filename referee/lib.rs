//! The wing of the referee: it starts players, passes lines between them under time limits, and
//! says who is better, by how much, and how sure that is.

pub mod check;
pub mod cli;
pub mod config;
pub mod escape;
pub mod failure;
pub mod games;
pub mod pairing;
pub mod play;
pub mod player;
pub mod registry;
pub mod report;
pub mod statistics;
pub mod store;
pub mod sys;
pub mod templates;
pub mod tournament;
pub mod tune;
