//! The page of a player in Markdown.

use super::document::PlayerPage;
use super::folder::IndexRow;
use crate::report::columns::{optional, Columns};
use crate::report::markdown::{block, cell};
use crate::report::rounded;
use std::fmt::Write;

/// Returns the page of a player. `db` is the file of the games, for its owner.
pub fn page(page: &PlayerPage, db: &str) -> String {
    let mut text = format!("# {} in {}\n\n", cell(page.name), cell(page.title));
    if let Some(shown) = page.shown {
        let _ = writeln!(text, "In the standings: {shown}.\n");
    }
    let _ = writeln!(text, "{}", page.result);
    if !page.figures.is_empty() {
        let _ = writeln!(text, "\n{}.", page.figures.join("; "));
    }
    if let Some(absence) = &page.absence {
        let _ = write!(text, "\n## It {}\n\n{}", absence.what, block(&absence.lines));
    }
    if !page.steps.is_empty() {
        text += "\n## What to do next\n\nIn the folder of the program:\n";
    }
    for (number, step) in page.steps.iter().enumerate() {
        let _ = write!(text, "\n{}. {}\n", number + 1, cell(&step.text));
        if let Some(command) = &step.command {
            let _ = write!(text, "\n{}", block(command));
        }
    }
    if !page.opponents.is_empty() {
        text += "\n## Results\n\n| opponent | games | points | % |\n|---|--:|--:|--:|\n";
    }
    for of in &page.opponents {
        let name = cell(of.name);
        let _ = writeln!(text, "| {name} | {} | {} | {:.0} |", of.games, of.points, of.percent);
    }
    if !page.instances.is_empty() {
        text += "\n## Scores\n\n| game | score |\n|--:|--:|\n";
    }
    for (number, score) in page.instances {
        let _ = writeln!(text, "| {number} | {score} |");
    }
    if page.more_instances > 0 {
        let _ = writeln!(text, "\n{} games more are left out.", page.more_instances);
    }
    let db = shell_words::quote(db);
    let show = |game: u64| format!("`referee show {game} --db {db}`");
    if !page.games.is_empty() {
        text += "\n## Games to look at\n\nThe commands read the file of the tournament.\n\n";
    }
    for game in &page.games {
        let what = cell(&capitalised(&game.what));
        let _ = writeln!(text, "- {what}: {}", show(game.number));
    }
    if !page.data.is_empty() {
        text += "\n## Data of its games\n\n| key | games | mean | last |\n|---|--:|--:|---|\n";
    }
    for of in &page.data {
        let (key, last) = (cell(of.key), cell(of.last));
        let _ = writeln!(text, "| {key} | {} | {} | {last} |", of.games, of.mean);
    }
    if !page.fault_kinds.is_empty() {
        let _ = writeln!(text, "\n## Faults: {}", page.fault_kinds);
    }
    for fault in &page.faults {
        let (word, game, ply, lines) = (fault.word, fault.number, fault.ply, block(&fault.lines));
        let _ = write!(text, "\n{word} in game {game} at ply {ply} ({}):\n\n{lines}", show(game));
    }
    if page.more_faults > 0 {
        let more = page.more_faults;
        let _ = writeln!(text, "\n{more} faults more: `referee list --faults --db {db}`");
    }
    text
}

/// Returns the index of the pages.
pub fn index(title: &str, rows: &[IndexRow]) -> String {
    let results = || rows.iter().filter_map(|row| row.result.as_ref());
    let has_results = results().next().is_some();
    let mut columns = Columns::<IndexRow>::default();
    if has_results {
        columns.number("#", |row| optional(row.result.as_ref().and_then(|of| of.rank)));
    }
    columns.text("player", |row| {
        let name = match &row.file {
            Some(file) => format!("[{}]({})", cell(row.name), address(file)),
            None => cell(row.name),
        };
        let status = row.result.as_ref().and_then(|of| of.status);
        name + &status.map_or_else(String::new, |word| format!(" ({word})"))
    });
    if results().any(|of| of.mark.is_some()) {
        columns.number("mark of 20", |row| {
            optional(row.result.as_ref().and_then(|of| of.mark.as_ref()))
        });
    }
    if has_results {
        columns.number("points", |row| {
            optional(row.result.as_ref().and_then(|of| of.points).map(|points| rounded(points, 2)))
        });
        columns.number("%", |row| {
            let percent = row.result.as_ref().and_then(|of| of.percent);
            optional(percent.map(|percent| format!("{percent:.1}")))
        });
    }
    format!("# {}\n\n{}", cell(title), columns.markdown(rows))
}

/// Returns the name of a file as the address of a link.
fn address(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let byte = |byte: u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    file.bytes().map(byte).collect()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
