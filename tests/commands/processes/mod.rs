//! Processes: starting, timing and ending programs, and people at a terminal.

mod absences;
mod clocks;
mod diagnostics;
mod example;
mod human;
mod launcher;
mod processors;
mod spawn;
mod threads;
