//! Conventions for writing boards: the blank first or last in the goal, tiles from 0 or 1, and the
//! blank as `_`, `.` or `0`.
//!
//! A board whose goal has the blank first is ours turned by half a turn, with the tiles numbered
//! backwards. Solutions therefore have the same length and opposite directions.

use super::{Board, Direction, LONGEST_SIDE, SHORTEST_SIDE};
use crate::game::ParseError;
use crate::games::options::{resolve, OptionInfo};
use crate::text::unknown;
use std::fmt;

/// Rows and columns.
pub type Size = (usize, usize);

/// Convention for the tile numbers and the blank of a written board.
///
/// ```
/// use arbitre_games::games::taquin::{Convention, Layout};
/// let korf = Convention::named("korf").unwrap();
/// let (board, _) = korf.read("1 0 2 3 4 5 6 7 8", None).unwrap();
/// assert_eq!(Convention::SEED.write(&board, Layout::Slashes), "0 1 2 / 3 4 5 / 6 _ 7");
/// assert_eq!(korf.write(&board, Layout::Line), "1 0 2 3 4 5 6 7 8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Convention {
    /// Whether the goal has the blank on the first cell instead of the last.
    pub blank_first: bool,
    /// Number of the first tile, 0 or 1.
    pub first_tile: u8,
    /// Sign of the blank: `_`, `.` or `0`.
    pub blank: char,
}

/// Arrangement of the cells on lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// All cells on one line, without separators between the rows.
    Line,
    /// All cells on one line, with ` / ` between the rows.
    Slashes,
    /// One row per line, in aligned columns. The sheet leaves the blank's cell empty; this layout
    /// writes its sign.
    Grid,
    /// The side of a square board, then all cells, one number per line.
    Sides,
}

const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "goal",
        values: &["first", "last"],
        meaning: "place of the blank in the goal",
    },
    OptionInfo { name: "tiles", values: &["0", "1"], meaning: "number of the first tile" },
    OptionInfo { name: "blank", values: &["_", ".", "0"], meaning: "notation of the blank" },
];

impl Convention {
    /// Convention of the course sheet: tiles from 0, the blank last.
    pub const SEED: Convention = Convention { blank_first: false, first_tile: 0, blank: '_' };
    /// Convention of R. Korf's papers: tiles from 1, the blank first, as 0.
    pub const KORF: Convention = Convention { blank_first: true, first_tile: 1, blank: '0' };
    /// Convention of most programs on the web: tiles from 1, the blank last, as 0.
    pub const WEB: Convention = Convention { blank_first: false, first_tile: 1, blank: '0' };
    /// Names of the conventions.
    pub const NAMED: [(&'static str, Convention); 3] =
        [("seed", Convention::SEED), ("korf", Convention::KORF), ("web", Convention::WEB)];

    /// Parses a convention such as `korf` or `web,blank=.`. An empty text is the sheet's
    /// convention.
    ///
    /// # Errors
    /// Returns an error if a word is unknown, or if the sign of the blank is also a tile.
    pub fn named(text: &str) -> Result<Convention, ParseError> {
        let set = |convention: &mut Convention, name: &str, value: &str| {
            let option = OPTIONS.iter().find(|option| option.name == name);
            let values = option.expect("`resolve` accepts only known options").values;
            if !values.contains(&value) {
                return Err(unknown(name, value, values.iter().copied()));
            }
            match name {
                "goal" => convention.blank_first = value == "first",
                "tiles" => convention.first_tile = u8::from(value == "1"),
                _ => convention.blank = value.chars().next().expect("no value is empty"),
            }
            Ok(())
        };
        let convention = resolve(text, &Convention::NAMED, &OPTIONS, set)?;
        match (convention.first_tile, convention.blank) {
            (0, '0') => {
                Err(ParseError::new("expected tiles=1 or blank=_ where 0 is not the blank"))
            }
            _ => Ok(convention),
        }
    }

    /// Returns the place of the blank in the goal, as a word.
    pub fn goal(&self) -> &'static str {
        match self.blank_first {
            true => "first",
            false => "last",
        }
    }

    /// Converts a direction between this convention and ours, either way.
    pub fn direction(&self, way: Direction) -> Direction {
        if self.blank_first {
            way.opposite()
        } else {
            way
        }
    }

    /// Writes a board in this convention.
    pub fn write(&self, board: &Board, layout: Layout) -> String {
        let words = self.words(board);
        let rows = || words.chunks(board.columns());
        match layout {
            Layout::Line => words.join(" "),
            Layout::Slashes => rows().map(|row| row.join(" ")).collect::<Vec<_>>().join(" / "),
            Layout::Grid => {
                let width = words.iter().map(String::len).max().unwrap_or_default();
                let line = |row: &[String]| {
                    let cells: Vec<_> = row.iter().map(|word| format!("{word:>width$}")).collect();
                    cells.join(" ")
                };
                rows().map(line).collect::<Vec<_>>().join("\n")
            }
            Layout::Sides => format!("{}\n{}", board.rows(), words.join("\n")),
        }
    }

    /// Returns the cells as words, row by row.
    fn words(&self, board: &Board) -> Vec<String> {
        let blank = board.cells().len() - 1;
        let word = |tile: u8| match usize::from(tile) {
            tile if tile == blank => self.blank.to_string(),
            tile if self.blank_first => {
                (blank - 1 - tile + usize::from(self.first_tile)).to_string()
            }
            tile => (tile + usize::from(self.first_tile)).to_string(),
        };
        let words = board.cells().iter().map(|&tile| word(tile));
        match self.blank_first {
            true => words.rev().collect(),
            false => words.collect(),
        }
    }

    /// Reads a board in any layout. The blank's sign and the first tile number are detected from
    /// the text. Of this convention only the goal's blank is used. A board on one line is square
    /// unless `size` is given. Also returns the convention of the text.
    ///
    /// # Errors
    /// Returns an error that names the problem if the text is not such a board. An unsolvable board
    /// is no error.
    pub fn read(&self, text: &str, size: Option<Size>) -> Result<(Board, Convention), ParseError> {
        self.read_rows(&rows_of(text), size)
    }

    /// Reads a board whose convention is not given. Its goal has the blank last. One that begins
    /// with its side and has one number per line, as in an exercise on HackerRank, has it first.
    ///
    /// # Errors
    /// Returns the errors of [`Convention::read`].
    pub fn detect(text: &str, size: Option<Size>) -> Result<(Board, Convention), ParseError> {
        let rows = rows_of(text);
        let is_column = rows.iter().all(|row| row.len() == 1);
        let blank_first = is_column && side_and_cells(&rows.concat()).is_some();
        Convention { blank_first, ..Convention::SEED }.read_rows(&rows, size)
    }

    fn read_rows(
        &self,
        rows: &[Vec<&str>],
        size: Option<Size>,
    ) -> Result<(Board, Convention), ParseError> {
        let flat = rows.concat();
        let ((height, width), words) = match side_and_cells(&flat) {
            Some((side, cells)) => (checked((side, side))?, cells),
            None => (shape(rows, size)?, &flat[..]),
        };
        let blank_first = self.blank_first;
        let seen = Numbering::of(words)?;
        let convention = Convention { blank_first, ..seen.convention };
        let last = words.len() - 1;
        let cell = |tile: Option<usize>| match tile {
            None => last,
            Some(tile) if blank_first => last - 1 - tile,
            Some(tile) => tile,
        };
        let mut cells: Vec<u8> = seen.tiles.into_iter().map(|tile| cell(tile) as u8).collect();
        // Half a turn of the board is the cells in reverse order.
        if blank_first {
            cells.reverse();
        }
        Ok((Board::new(height, width, cells), convention))
    }
}

/// Writes the name of a convention, or its options.
impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Convention::NAMED.iter().find(|(_, known)| known == self) {
            Some((name, _)) => f.write_str(name),
            None => {
                let Convention { first_tile, blank, .. } = self;
                write!(f, "goal={},tiles={first_tile},blank={blank}", self.goal())
            }
        }
    }
}

fn rows_of(text: &str) -> Vec<Vec<&str>> {
    text.split(['\n', '/', ';']).map(cells_of).filter(|row| !row.is_empty()).collect()
}

fn cells_of(row: &str) -> Vec<&str> {
    let separates = |c: char| c.is_whitespace() || c == ',';
    row.split(separates).filter(|word| !word.is_empty()).collect()
}

/// Returns the side and the cells of a board that begins with its side. The number of cells must be
/// the side squared, and the side must occur again as a tile.
fn side_and_cells<'a, 'b>(words: &'b [&'a str]) -> Option<(usize, &'b [&'a str])> {
    let (first, cells) = words.split_first()?;
    let side: usize = first.parse().ok()?;
    let is_so = side.checked_mul(side) == Some(cells.len()) && cells.contains(first);
    is_so.then_some((side, cells))
}

/// Returns the rows and columns of a board written as one row per line, on one line, or as one cell
/// per line.
fn shape(rows: &[Vec<&str>], told: Option<Size>) -> Result<Size, ParseError> {
    let count: usize = rows.iter().map(Vec::len).sum();
    let is_flat = rows.len() <= 1 || rows.iter().all(|row| row.len() == 1);
    let (height, width) = match told {
        _ if !is_flat => (rows.len(), rows[0].len()),
        Some(size) => size,
        None if count.isqrt().pow(2) == count => (count.isqrt(), count.isqrt()),
        None => {
            return Err(ParseError::new(format!(
                "expected a square, or rows separated by /, or the size told, got {count} cells"
            )))
        }
    };
    if let Some(row) = rows.iter().position(|row| !is_flat && row.len() != width) {
        let (number, found) = (row + 1, rows[row].len());
        return Err(ParseError::new(format!(
            "expected a rectangle: row 1 has {width} cells, row {number} has {found}"
        )));
    }
    if let Some((rows, columns)) = told.filter(|&size| size != (height, width)) {
        return Err(ParseError::new(format!(
            "expected a board of {rows}x{columns}, got {height}x{width}"
        )));
    }
    checked((height, width))?;
    match height * width == count {
        true => Ok((height, width)),
        false => Err(ParseError::new(format!(
            "expected {} cells for {height}x{width}, got {count}",
            height * width
        ))),
    }
}

/// Returns the size if both sides are allowed.
fn checked((height, width): Size) -> Result<Size, ParseError> {
    let sides = SHORTEST_SIDE..=LONGEST_SIDE;
    match sides.contains(&height) && sides.contains(&width) {
        true => Ok((height, width)),
        false => Err(ParseError::new(format!(
            "expected {SHORTEST_SIDE} to {LONGEST_SIDE} rows and columns, got {height}x{width}"
        ))),
    }
}

/// Detected numbering of a board, and its tiles counted from 0; `None` is the blank.
struct Numbering {
    convention: Convention,
    tiles: Vec<Option<usize>>,
}

impl Numbering {
    fn of(words: &[&str]) -> Result<Numbering, ParseError> {
        let is_sign = |word: &&&str| matches!(**word, "_" | ".");
        // A 0 is the blank unless another sign of the blank is present.
        let has_zero = words.contains(&"0");
        let (blank, first_tile) = match words.iter().find(is_sign) {
            Some(&sign) => (sign, u8::from(!has_zero)),
            None if has_zero => ("0", 1),
            None => return Err(ParseError::new("expected a blank: _ or . or 0")),
        };
        let most = words.len() - 2 + usize::from(first_tile);
        let mut seen = vec![false; words.len()];
        let mut tiles = Vec::with_capacity(words.len());
        for &word in words {
            let tile = match word {
                _ if word == blank => None,
                _ => Some(tile(word, first_tile.into(), most)?),
            };
            let at = tile.unwrap_or(words.len() - 1);
            if std::mem::replace(&mut seen[at], true) {
                return Err(ParseError::new(format!(
                    "expected every tile once, but {word} comes twice"
                )));
            }
            tiles.push(tile);
        }
        // Whether the goal has the blank first cannot be seen; the caller sets it.
        let blank = blank.chars().next().expect("a sign is a character");
        Ok(Numbering { convention: Convention { blank_first: false, first_tile, blank }, tiles })
    }
}

fn tile(word: &str, first: usize, most: usize) -> Result<usize, ParseError> {
    let number = word.parse().ok().filter(|number| (first..=most).contains(number));
    let expected = || {
        ParseError::new(format!("expected tiles from {first} to {most} and a blank, got '{word}'"))
    };
    number.map(|number: usize| number - first).ok_or_else(expected)
}
