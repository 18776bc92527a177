//! What is told of a tournament: the summary as a table and as JSON, its games one by one, progress.

pub mod csv;
pub mod game;
pub mod list;
pub mod output;
pub mod pgn;
pub mod progress;
pub mod summary;
pub mod table;
pub mod transcript;
pub mod tuning;

use crate::escape::needs_escape;

/// What a value is as JSON: one line, with nothing in it that a terminal would obey.
pub fn json_line(value: &impl serde::Serialize) -> String {
    safe_line(&serde_json::to_string(value).expect("our documents have text keys only"))
}

fn safe_line(line: &str) -> String {
    let mut safe = String::with_capacity(line.len() + 1);
    for c in line.chars() {
        if needs_escape(c) {
            // Such a character only ever stands inside a string, and none is above U+FFFF.
            safe += &format!("\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe + "\n"
}
