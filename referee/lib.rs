//! The wing of the referee: it starts players, passes lines between them under time limits, and
//! says who is better, by how much, and how sure that is.

pub mod charter;
pub mod check;
pub mod cli;
pub mod collector;
pub mod command;
pub mod drawing;
pub mod experiment;
pub mod fault;
pub mod games;
pub mod interrupt;
pub mod openings;
pub mod plackett_luce;
pub mod play;
pub mod player;
pub mod printable;
pub mod ranking;
pub mod rating;
pub mod record;
pub mod registry;
pub mod replay;
pub mod report;
pub mod schedule;
pub mod solo;
pub mod sprt;
pub mod starters;
pub mod stopwatch;
pub mod store;
pub mod sys;
pub mod table;
pub mod tally;
pub mod terms;
pub mod tournament;
pub mod tune;
pub mod verify;
