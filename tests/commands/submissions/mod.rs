//! Players from a folder of programs.

mod builds;
mod checks;
mod class;
mod entries;
mod harness;
mod languages;
mod matches;
mod scans;
