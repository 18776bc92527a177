//! Standard output.

use super::failure::Failure;
use crate::referee::fault::needs_escape;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints text as it is.
///
/// # Errors
/// If nobody reads it, or it cannot be written.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::BrokenPipe),
        Err(error) => Err(error.into()),
    }
}

/// Prints a value as one line of JSON.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &impl serde::Serialize) -> Result<ExitCode, Failure> {
    let line = serde_json::to_string(value).expect("our documents have text keys only");
    let mut safe = String::with_capacity(line.len() + 1);
    for c in line.chars() {
        if needs_escape(c) {
            // Such a character only ever stands inside a string, and none is above U+FFFF.
            safe += &format!("\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    print(&(safe + "\n"))
}
