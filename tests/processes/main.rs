//! Processes: how programs are started, timed and ended, and people seated.

mod clocks;
mod human;
mod spawn;
