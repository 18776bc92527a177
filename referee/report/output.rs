//! Writing to standard output.

use crate::failure::Failure;
use crate::report::json_line;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints a text unchanged.
///
/// # Errors
/// Returns an error if the pipe is closed, or the text cannot be written.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.map(|()| ExitCode::SUCCESS).map_err(unwritten)
}

/// Returns the failure of a write to standard output.
pub fn unwritten(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => error.into(),
    }
}

/// Prints a value as one line of JSON.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_json(value: &impl serde::Serialize) -> Result<ExitCode, Failure> {
    print(&json_line(value))
}
