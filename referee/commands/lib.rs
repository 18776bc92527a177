//! The commands of the program `referee`: the command line, and what only one command needs.
//!
//! A command runs once and prints. What plays, stores and counts games is compiled with
//! optimisation, in `arbitre-referee`; this is not, so that a build takes less time.

pub mod check;
pub mod cli;
pub mod doctor;
pub mod tune;
