//! Tournaments as a user runs them: `referee tournament`.

mod class;
mod harness;
mod inputs;
mod interrupted;
mod panics;
