//! CSV for spreadsheets: the lines of every table, and the export of games. No cell is a formula,
//! whatever a player wrote.

use super::game::GameDocument;
use super::json_line;
use crate::config::csv_dialect::CsvDialect;
use crate::escape::needs_escape;
use arbitre_games::text::join;
use csv::WriterBuilder;

impl CsvDialect {
    /// Returns the beginning of a table: the line with the names of its columns.
    pub fn header<T: AsRef<str>>(self, names: &[T]) -> String {
        let mark = match self {
            CsvDialect::Plain => "",
            // Without it Excel does not read UTF-8.
            CsvDialect::ExcelFr => "\u{feff}",
        };
        mark.to_owned() + &self.line(names)
    }

    /// Returns a line of a table.
    pub fn line<T: AsRef<str>>(self, cells: &[T]) -> String {
        let delimiter = match self {
            CsvDialect::Plain => b',',
            CsvDialect::ExcelFr => b';',
        };
        let mut writer = WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let cells = cells.iter().map(|cell| self.harmless(cell.as_ref()));
        writer.write_record(cells).expect("a Vec accepts any write");
        let bytes = writer.into_inner().expect("flushing to memory cannot fail");
        String::from_utf8(bytes).expect("cells are UTF-8")
    }

    /// Returns a number as a cell.
    pub fn number(self, value: f64) -> String {
        let number = value.to_string();
        match self {
            CsvDialect::Plain => number,
            CsvDialect::ExcelFr => number.replace('.', ","),
        }
    }

    /// Returns `true` if a spreadsheet reads a number in a cell.
    fn is_number(self, cell: &str) -> bool {
        let number = match self {
            CsvDialect::Plain => cell.parse::<f64>(),
            // Any point is an error then.
            CsvDialect::ExcelFr => cell.replace('.', "x").replace(',', ".").parse(),
        };
        // Rust also reads `inf` and `nan`, which are names in a formula.
        number.is_ok_and(f64::is_finite)
    }

    /// Escapes a cell, so that a spreadsheet reads no formula in it and a terminal no command.
    fn harmless(self, cell: &str) -> String {
        // Negative numbers begin with a sign and are no formulas.
        let is_formula = cell.starts_with(['=', '+', '-', '@']) && !self.is_number(cell);
        let shown = cell.chars().map(|c| if needs_escape(c) { '\u{fffd}' } else { c });
        // Spreadsheets read a cell with a leading apostrophe as text.
        let guard = if is_formula { "'" } else { "" };
        guard.chars().chain(shown).collect()
    }
}

/// Returns the header line for games with `seats` seats.
pub fn header(csv: CsvDialect, seats: usize, detailed: bool) -> String {
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
    csv.header(&cells)
}

/// Returns the line of a game.
pub fn row(csv: CsvDialect, game: &GameDocument) -> String {
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
        cells.push(csv.number(details.seconds));
        cells.push(join(details.times_ms.iter().map(|&millis| csv.number(millis)), " "));
        let documents = [&details.comments, &details.stderr].map(|said| match said.is_empty() {
            true => String::new(),
            false => json_line(said).trim_end().to_owned(),
        });
        cells.extend(documents);
        cells.push(details.sandbox.to_owned());
    }
    csv.line(&cells)
}

/// Returns one cell per seat, all of them empty for a void game.
fn by_seat<T: ToString>(values: Option<&[T]>, seats: usize) -> Vec<String> {
    values.map_or(vec![String::new(); seats], |values| values.iter().map(T::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, plain, excel_fr) in [
            ("=1+1", "'=1+1", "'=1+1"),
            ("=SUM(A1)", "'=SUM(A1)", "'=SUM(A1)"),
            ("-3", "-3", "-3"),
            ("-3.5", "-3.5", "'-3.5"),
            ("-3,5", "'-3,5", "-3,5"),
            ("-inf", "'-inf", "'-inf"),
            ("-x", "'-x", "'-x"),
            ("@a", "'@a", "'@a"),
            ("a=b", "a=b", "a=b"),
            ("\x1b[2J", "\u{fffd}[2J", "\u{fffd}[2J"),
            ("\t=1", "\u{fffd}=1", "\u{fffd}=1"),
            ("\u{feff}=1", "\u{fffd}=1", "\u{fffd}=1"),
        ] {
            assert_eq!(CsvDialect::Plain.harmless(cell), plain);
            assert_eq!(CsvDialect::ExcelFr.harmless(cell), excel_fr);
        }
    }

    #[test]
    fn dialects_differ_in_separators_and_numbers() {
        let table = |csv: CsvDialect| {
            let cells = ["a,b".into(), "c\"d".into(), "e;f".into(), csv.number(-113.5)];
            csv.header(&["é"]) + &csv.line(&cells)
        };
        assert_eq!(table(CsvDialect::Plain), "é\n\"a,b\",\"c\"\"d\",e;f,-113.5\n");
        assert_eq!(table(CsvDialect::ExcelFr), "\u{feff}é\na,b;\"c\"\"d\";\"e;f\";-113,5\n");
    }
}
