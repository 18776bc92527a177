//! Tuning: the genetic algorithm and its command.

mod command;
mod genetic;
