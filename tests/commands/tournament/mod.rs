//! Tournaments as a user runs them: `referee tournament`.

mod anonymous;
mod attempts;
mod brackets;
mod broken;
mod class;
mod equal;
mod evening;
mod graded;
mod harness;
mod headers;
mod inputs;
mod interrupted;
mod leavers;
mod panics;
mod projector;
mod students;
mod weeks;
mod withdrawn;
mod zips;
