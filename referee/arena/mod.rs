//! Interfaces to other arenas, and to those who train programs.

pub mod batch;
pub mod brutaltester;
pub mod psyleague;
pub mod step;
