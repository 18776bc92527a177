//! CSV export of games for spreadsheets. No cell is a formula, whatever a player wrote.

use super::game::GameDocument;
use super::json_line;
use crate::escape::needs_escape;
use arbitre_games::text::join;
use csv::WriterBuilder;

/// Returns the header line for games with `seats` seats.
pub fn header(seats: usize, detailed: bool) -> String {
    let by_seat = |what: &str| (0..seats).map(move |seat| format!("{what}{seat}")).collect();
    let groups: [Vec<String>; 8] = [
        vec!["round".into(), "rotation".into(), "setup".into()],
        by_seat("player"),
        by_seat("version"),
        by_seat("dialect"),
        by_seat("limits"),
        by_seat("score"),
        by_seat("rank"),
        ["ending", "plies", "moves", "movers", "faults"].map(str::to_owned).to_vec(),
    ];
    let mut cells = groups.concat();
    if detailed {
        cells.extend(["seconds", "times_ms", "comments", "stderr", "sandbox"].map(str::to_owned));
    }
    line(cells)
}

/// Returns the line of a game.
pub fn row(game: &GameDocument) -> String {
    let seats = game.players.len();
    let mut cells = vec![game.round.to_string(), game.rotation.to_string(), game.setup.to_owned()];
    for texts in [&game.players, &game.versions, &game.dialects] {
        cells.extend(texts.iter().map(|&text| text.to_owned()));
    }
    cells.extend(game.limits.iter().cloned());
    cells.extend(by_seat(game.scores, seats));
    cells.extend(by_seat(game.ranks.as_deref(), seats));
    cells.push(game.ending.to_owned());
    cells.push(game.moves.len().to_string());
    cells.push(game.moves.join(" "));
    cells.push(join(&game.movers, " "));
    cells.push(game.faults_in_words());
    if let Some(details) = &game.details {
        cells.push(details.seconds.to_string());
        cells.push(join(&details.times_ms, " "));
        let documents = [&details.comments, &details.stderr].map(|said| match said.is_empty() {
            true => String::new(),
            false => json_line(said).trim_end().to_owned(),
        });
        cells.extend(documents);
        cells.push(details.sandbox.to_owned());
    }
    line(cells)
}

/// Returns one cell per seat, all of them empty for a void game.
fn by_seat<T: ToString>(values: Option<&[T]>, seats: usize) -> Vec<String> {
    values.map_or(vec![String::new(); seats], |values| values.iter().map(T::to_string).collect())
}

fn line(cells: Vec<String>) -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(cells.iter().map(|cell| harmless(cell))).expect("a Vec accepts any write");
    let bytes = writer.into_inner().expect("flushing to memory cannot fail");
    String::from_utf8(bytes).expect("cells are UTF-8")
}

/// Escapes a cell, so that a spreadsheet reads no formula in it and a terminal no command.
pub fn harmless(cell: &str) -> String {
    let is_number = cell.parse::<f64>().is_ok();
    // Negative numbers begin with a sign and are no formulas.
    let is_formula = cell.starts_with(['=', '+', '-', '@']) && !is_number;
    let shown = cell.chars().map(|c| if needs_escape(c) { '\u{fffd}' } else { c });
    // Spreadsheets read a cell with a leading apostrophe as text.
    let guard = if is_formula { "'" } else { "" };
    guard.chars().chain(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, shown) in [
            ("=1+1", "'=1+1"),
            ("-3", "-3"),
            ("-x", "'-x"),
            ("@a", "'@a"),
            ("a=b", "a=b"),
            ("\x1b[2J", "\u{fffd}[2J"),
        ] {
            assert_eq!(harmless(cell), shown);
        }
        assert_eq!(line(vec!["a,b".into(), "c\"d".into()]), "\"a,b\",\"c\"\"d\"\n");
    }
}
