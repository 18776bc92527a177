//! Messages to the user, for every program of this project.

use crate::text::needs_escape;
use std::fmt::Display;
use std::io::{stderr, Write};

/// Prints `text` on standard error, in one write. Characters that act on a terminal are escaped. A
/// closed or full standard error is ignored: it must not change a result or an exit code, and the
/// `eprintln` macro panics on it.
pub fn print(text: impl Display) {
    let _ = stderr().lock().write_all(visible(&text.to_string()).as_bytes());
}

/// Returns lines in which no character acts on a terminal.
pub fn visible(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match needs_escape(c) && !matches!(c, '\n' | '\t') {
            true => safe.extend(c.escape_default()),
            false => safe.push(c),
        }
    }
    safe
}
