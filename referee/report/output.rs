//! Standard output.

use crate::failure::Failure;
use crate::report::json_line;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints text as it is.
///
/// # Errors
/// If nobody reads it, or it cannot be written.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.map(|()| ExitCode::SUCCESS).map_err(unwritten)
}

/// Why standard output does not take what we write.
pub fn unwritten(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => error.into(),
    }
}

/// Prints a value as one line of JSON.
///
/// # Errors
/// As [`print()`].
pub fn print_json(value: &impl serde::Serialize) -> Result<ExitCode, Failure> {
    print(&json_line(value))
}
