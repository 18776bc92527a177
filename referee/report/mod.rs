//! Reports of a tournament: its summary as a table and as JSON, its games, lists and progress.

pub mod anonymity;
pub mod bracket;
pub mod charts;
pub mod columns;
pub mod commands;
pub mod csv;
pub mod ending;
pub mod game;
pub mod lead;
pub mod list;
pub mod machines;
pub mod markdown;
pub mod match_page;
pub mod output;
pub mod page;
pub mod pgn;
pub mod player_pages;
pub mod progress;
pub mod projector;
pub mod replay;
pub mod results;
pub mod selection;
pub mod standings;
pub mod summary;
pub mod table;
pub mod transcript;

use crate::escape::visible_json;

/// Returns a value as one line of JSON, without characters that a terminal would interpret.
pub fn json_line(value: &impl serde::Serialize) -> String {
    visible_json(&serde_json::to_string(value).expect("documents have string keys")) + "\n"
}

/// Rounds a value to `digits` decimals.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    // Adding zero turns -0 into 0.
    (value * unit).round() / unit + 0.0
}

/// Returns a count with its noun: `1 game`, `2 games`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Returns the beginning of a name of more than `widest` characters.
pub fn shortened(name: &str, widest: usize) -> String {
    match name.char_indices().nth(widest) {
        Some(_) => name.chars().take(widest - 1).chain(['…']).collect(),
        None => name.to_owned(),
    }
}
