//! Tournaments as a user runs them: `referee tournament`.

mod broken;
mod brackets;
mod class;
mod equal;
mod harness;
mod inputs;
mod interrupted;
mod panics;
