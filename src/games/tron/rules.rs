//! Rules parsing: grid size, obstacles and fairness of starts.

use super::{Point, LONGEST_SIDE};
use crate::game::ParseError;
use crate::games::options::{parse_sides, read, OptionInfo};
use std::fmt;

/// Smallest number of rows or columns of a grid.
const SHORTEST_SIDE: usize = 3;

/// Named presets, each with its columns and rows; the first is the default.
pub const PRESETS: [(&str, (u8, u8)); 3] =
    [("codingame", (30, 20)), ("small", (15, 15)), ("large", (50, 50))];

/// Options of the rules, in the order of their written form.
pub const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "size",
        values: &["WxH"],
        meaning: "columns and rows of the grid, each from 3 to 50",
    },
    OptionInfo {
        name: "walls",
        values: &["none", "X:Y/X:Y/…", "FILE"],
        meaning: "blocked cells; a file draws the grid with # for blocked and . for free cells",
    },
    OptionInfo {
        name: "tolerance",
        values: &["N%"],
        meaning: "largest deviation of a share of cells at the start from an equal one",
    },
];

/// Values of all options of the rules.
///
/// ```
/// use arbitre_games::games::tron::Rules;
/// let rules = Rules::parse("small, walls=7:7/3:3").unwrap();
/// assert_eq!(rules.to_string(), "size=15x15 walls=3:3/7:7 tolerance=1%");
/// assert_eq!(Rules::parse(&rules.to_string()), Ok(rules));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    size: (u8, u8),
    /// Obstacles, row by row, without duplicates.
    walls: Vec<Point>,
    /// Fairness tolerance in hundredths of a percent.
    tolerance: u16,
}

impl Default for Rules {
    /// Returns the rules of the first preset.
    fn default() -> Rules {
        let (_, size) = PRESETS[0];
        Rules { size, walls: Vec::new(), tolerance: 100 }
    }
}

impl Rules {
    /// Parses rules: an optional preset first, then options, separated by commas or blanks. The
    /// empty text is the default preset.
    ///
    /// # Errors
    /// Returns an error if
    /// * a word is unknown, or a preset does not come first,
    /// * an option is repeated or has an invalid value,
    /// * the walls are in a file: see [`Rules::parse_with`].
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        Rules::parse_with(text, |value| {
            Err(ParseError::new(format!(
                "expected walls to be none or cells like 3:4/10:12, got '{value}'"
            )))
        })
    }

    /// Parses rules like [`Rules::parse`], and also reads walls from a file.
    ///
    /// Where the walls are neither `none` nor cells, `map` returns the text of the file of that
    /// name. Its rows have `#` for walls, and `.` or a blank for free cells. The grid takes the
    /// size of the file.
    ///
    /// # Errors
    /// Returns an error
    /// * in the cases of [`Rules::parse`], except that walls may be in a file,
    /// * if `map` does,
    /// * if the file has no valid grid, or one of another size than the option `size`.
    pub fn parse_with(
        text: &str,
        map: impl FnOnce(&str) -> Result<String, ParseError>,
    ) -> Result<Rules, ParseError> {
        let written = read(text, &PRESETS.map(|(name, _)| name), &OPTIONS)?;
        let value =
            |name: &str| written.pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1);
        let mut rules = Rules { size: written.preset_of(&PRESETS), ..Rules::default() };
        let asked = value("size").map(parse_size).transpose()?;
        rules.size = asked.unwrap_or(rules.size);
        rules.tolerance = value("tolerance").map_or(Ok(rules.tolerance), parse_tolerance)?;
        match value("walls").map(|text| (text, parse_cells(text))) {
            None => {}
            Some((_, Some(cells))) => rules.walls = cells,
            Some((name, None)) => {
                let refused = |why| ParseError::in_file(format!("walls of {name}: {why}"));
                (rules.size, rules.walls) = parse_map(&map(name)?).map_err(refused)?;
            }
        }
        rules.check(asked)
    }

    /// Sorts the walls and rejects those off the grid.
    fn check(mut self, asked: Option<(u8, u8)>) -> Result<Rules, ParseError> {
        let (width, height) = self.size;
        let size = |(width, height)| format!("{width}x{height}");
        if let Some(asked) = asked.filter(|&asked| asked != self.size) {
            let (drawn, asked) = (size(self.size), size(asked));
            return Err(ParseError::new(format!(
                "expected walls for a grid of {asked}, got {drawn}; help: leave the size out"
            )));
        }
        if let Some(Point { x, y }) = self.walls.iter().find(|p| p.x >= width || p.y >= height) {
            let grid = size(self.size);
            return Err(ParseError::new(format!(
                "expected walls on the grid of {grid}, got {x}:{y}"
            )));
        }
        self.walls.sort_by_key(|point| (point.y, point.x));
        self.walls.dedup();
        Ok(self)
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.size.0.into()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.size.1.into()
    }

    /// Returns the cells that no cycle can enter, row by row.
    pub fn walls(&self) -> &[Point] {
        &self.walls
    }

    /// Returns the largest difference of a seat's share of the owned cells from an equal share, in
    /// hundredths of a percent of all owned cells.
    pub fn tolerance(&self) -> u16 {
        self.tolerance
    }
}

fn is_side(length: usize) -> bool {
    (SHORTEST_SIDE..=LONGEST_SIDE).contains(&length)
}

fn parse_size(text: &str) -> Result<(u8, u8), ParseError> {
    let range = SHORTEST_SIDE as u8..=LONGEST_SIDE as u8;
    let form = format!("a size like 30x20, each side from {SHORTEST_SIDE} to {LONGEST_SIDE}");
    parse_sides(text, &form, [range.clone(), range])
}

/// Parses `1%` or `0.25%` into hundredths of a percent.
fn parse_tolerance(text: &str) -> Result<u16, ParseError> {
    let hundredths = || {
        let (whole, part) = text.strip_suffix('%').map(|n| n.split_once('.').unwrap_or((n, "")))?;
        let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > 2 {
            return None;
        }
        let whole: u16 = whole.parse().ok().filter(|&whole| whole <= 100)?;
        // Padding with zeros on the right makes `.5` fifty hundredths.
        Some(whole * 100 + format!("{part:0<2}").parse::<u16>().ok()?)
    };
    hundredths().ok_or_else(|| {
        ParseError::new(format!(
            "expected a tolerance like 1% or 0.25%, at most 100%, got '{text}'"
        ))
    })
}

/// Parses `none` or cells like `3:4/10:12`; returns `None` for any other text.
fn parse_cells(text: &str) -> Option<Vec<Point>> {
    let cell = |word: &str| {
        let (x, y) = word.split_once(':')?;
        Some(Point { x: x.parse().ok()?, y: y.parse().ok()? })
    };
    match text {
        "none" => Some(Vec::new()),
        _ => text.split('/').map(cell).collect(),
    }
}

/// Returns the size of a drawn grid, and its walls.
fn parse_map(text: &str) -> Result<((u8, u8), Vec<Point>), ParseError> {
    let rows: Vec<&str> = text.lines().collect();
    let (width, height) = (rows.first().map_or(0, |row| row.len()), rows.len());
    if !is_side(width) || !is_side(height) {
        return Err(ParseError::new(format!(
            "expected {SHORTEST_SIDE} to {LONGEST_SIDE} rows and columns, got {height} rows of {width}"
        )));
    }
    let mut walls = Vec::new();
    for (y, row) in (0u8..).zip(&rows) {
        if row.len() != width || !row.bytes().all(|byte| b"#. ".contains(&byte)) {
            return Err(ParseError::new(format!(
                "expected {width} cells, each # or . or blank, in row {}, got '{row}'",
                y + 1
            )));
        }
        let blocked = (0u8..).zip(row.bytes()).filter(|&(_, byte)| byte == b'#');
        walls.extend(blocked.map(|(x, _)| Point { x, y }));
    }
    Ok(((width as u8, height as u8), walls))
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let walls: Vec<String> =
            self.walls.iter().map(|Point { x, y }| format!("{x}:{y}")).collect();
        let walls = if walls.is_empty() { "none".into() } else { walls.join("/") };
        let (whole, part) = (self.tolerance / 100, self.tolerance % 100);
        let part = if part > 0 { format!(".{part:02}") } else { String::new() };
        let (width, height) = self.size;
        write!(f, "size={width}x{height} walls={walls} tolerance={whole}{part}%")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Rules::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn resolves_presets_as_documented() {
        let resolved = [
            ("", "size=30x20 walls=none tolerance=1%"),
            ("codingame", "size=30x20 walls=none tolerance=1%"),
            ("small tolerance=0.5%", "size=15x15 walls=none tolerance=0.50%"),
            ("large walls=none", "size=50x50 walls=none tolerance=1%"),
        ];
        for (text, expected) in resolved {
            assert_eq!(Rules::parse(text).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn walls_are_sorted_without_duplicates() {
        let rules = Rules::parse("size=5x4 walls=4:0/0:3/1:0/4:0").unwrap();
        assert_eq!(rules.to_string(), "size=5x4 walls=1:0/4:0/0:3 tolerance=1%");
    }

    #[test]
    fn walls_file_sets_the_grid() {
        let read = |text: &str, file: &str| {
            let rules = Rules::parse_with(text, |name| match name {
                "map.txt" => Ok(file.into()),
                _ => Err(ParseError::new("no such file")),
            });
            rules.map_or_else(|error| error.to_string(), |rules| rules.to_string())
        };
        assert_eq!(
            read("walls=map.txt", "..#\r\n #.\n...\n"),
            "size=3x3 walls=2:0/1:1 tolerance=1%"
        );
        assert_eq!(read("size=3x3 walls=map.txt", "...\n.#.\n...")[..18], *"size=3x3 walls=1:1");
        assert_eq!(read("walls=other", ""), "no such file");
        let refusals = [
            (
                "walls=map.txt",
                "...\n..\n...",
                "walls of map.txt: expected 3 cells, each # or . or blank, in row 2, got '..'",
            ),
            (
                "walls=map.txt",
                "...\n.x.\n...",
                "walls of map.txt: expected 3 cells, each # or . or blank, in row 2, got '.x.'",
            ),
            (
                "walls=map.txt",
                "",
                "walls of map.txt: expected 3 to 50 rows and columns, got 0 rows of 0",
            ),
            (
                "size=4x3 walls=map.txt",
                "...\n...\n...",
                "expected walls for a grid of 4x3, got 3x3; help: leave the size out",
            ),
        ];
        for (text, file, message) in refusals {
            assert_eq!(read(text, file), message);
        }
    }

    #[test]
    fn rules_errors_name_the_fault() {
        let size = "expected a size like 30x20, each side from 3 to 50, got";
        let tolerance = "expected a tolerance like 1% or 0.25%, at most 100%, got";
        let cases = [
            ("size=30", format!("{size} '30'")),
            ("size=30x2", format!("{size} '30x2'")),
            ("size=51x20", format!("{size} '51x20'")),
            ("tolerance=1", format!("{tolerance} '1'")),
            ("tolerance=1.125%", format!("{tolerance} '1.125%'")),
            ("tolerance=-1%", format!("{tolerance} '-1%'")),
            ("tolerance=101%", format!("{tolerance} '101%'")),
            (
                "walls=map.txt",
                "expected walls to be none or cells like 3:4/10:12, got 'map.txt'".into(),
            ),
            ("small walls=15:0", "expected walls on the grid of 15x15, got 15:0".into()),
            (
                "smal",
                "preset: expected codingame, small or large, got 'smal'; help: did you mean small?"
                    .into(),
            ),
        ];
        for (text, message) in cases {
            assert_eq!(refusal(text), message);
        }
    }
}
