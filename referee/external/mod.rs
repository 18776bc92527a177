//! Games and referees in other processes.

pub mod batch;
pub mod step;
pub mod words;
