//! Messages to the user on standard error, for every program of this project.

use std::fmt::Display;
use std::io::{stderr, Write};

/// Prints `text` on standard error as it is, in one write. A closed or full standard error is
/// ignored: it must not change a result or an exit code, and the `eprintln` macro panics on it.
pub fn print(text: impl Display) {
    let _ = stderr().lock().write_all(text.to_string().as_bytes());
}
