//! The launcher: a small process between the host and one program.
//!
//! A [`Launcher`] starts the host's own executable once as a fork server. The
//! server forks a launcher for each program that runs at the same time. A launcher starts its
//! program in a new session and adopts all of the program's orphans. At the host's order it
//! kills the whole tree, reaps it, and waits for the next program. When the host closes the
//! launcher's socket, or ends for any reason, the launcher kills its tree likewise and ends.
//!
//! At another order a launcher stops the whole tree, and later lets it run again.
//!
//! A fork costs a fraction of another `exec` of the executable, and a launcher that waits costs
//! neither. `cargo bench --bench pipes` shows the rate of fresh processes.

pub mod attempts;
pub mod canary;
mod child_tree;
mod client;
mod filter;
mod freezer;
pub mod groups;
pub mod layers;
mod namespaces;
mod request;
mod rules;
mod server;
pub(crate) mod socket;
mod start;
mod tasks;
mod watchdog;
mod watched;

pub use client::{CpuClock, LaunchedProgram, Launcher, PauseHandle};
pub use request::{LaunchRequest, LauncherKind};
pub use server::serve_if_asked;
pub use tasks::TaskCounter;

/// Bit of an error number that marks an error of the sandbox, not of the program.
const SANDBOX_ERROR: i32 = 1 << 16;

/// Marks an error as one of the sandbox.
fn of_sandbox(error: std::io::Error) -> std::io::Error {
    let number = error.raw_os_error().unwrap_or(libc::EIO);
    std::io::Error::from_raw_os_error(number | SANDBOX_ERROR)
}

/// First argument of the executable as a fork server.
const WORD: &str = "--fork-server";
