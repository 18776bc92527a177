//! Runs untrusted programs under deadlines: processes, their launcher and its sandbox, clocks of
//! what they use, limits, and system calls.

pub mod attempts;
pub mod error;
pub mod exit;
pub mod handing;
pub mod launcher;
pub mod process;
pub mod process_group;
pub mod program;
pub mod quota;
pub mod resource_limits;
mod running;
pub mod sandbox;
pub mod stderr;
pub mod stopwatch;
pub mod sys;
pub mod usage;
