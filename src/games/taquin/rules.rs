//! Rules parsing: the size of the board, the scramble, and the move limit.

use super::{LONGEST_SIDE, SHORTEST_SIDE};
use crate::game::ParseError;
use crate::games::options::{parse_number, parse_sides, read, OptionInfo};
use std::fmt;

/// Generation of the start boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scramble {
    /// Uniformly random over all solvable boards.
    Uniform,
    /// This number of random moves from the goal, none of which undoes the previous one.
    Walk(u32),
}

/// Options of the rules.
///
/// ```
/// use arbitre_games::games::taquin::Rules;
/// let rules = Rules::parse("eight, scramble=20").unwrap();
/// assert_eq!(rules.to_string(), "size=3x3 scramble=20 max-moves=135");
/// assert_eq!(Rules::parse(&rules.to_string()), Ok(rules));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Rows and columns.
    pub size: (u8, u8),
    /// Generation of the start boards.
    pub scramble: Scramble,
    /// Number of moves after which the board counts as unsolved.
    pub max_moves: u32,
}

/// Named presets and their sizes; the first is the default.
pub const PRESETS: [(&str, (u8, u8)); 3] =
    [("fifteen", (4, 4)), ("eight", (3, 3)), ("twenty-four", (5, 5))];

/// Options in the order in which resolved rules are written.
pub const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "size",
        values: &["RxC"],
        meaning: "rows and columns of the board, each from 2 to 10",
    },
    OptionInfo {
        name: "scramble",
        values: &["uniform", "N"],
        meaning: "uniform: all solvable boards equally likely; N: that number of random moves",
    },
    OptionInfo {
        name: "max-moves",
        values: &["N"],
        meaning: "moves after which a board counts as unsolved [default: 5 n³ for longer side n]",
    },
];

/// Largest numbers of moves that the options accept. Not tuned.
const NUMBERS: std::ops::RangeInclusive<u32> = 1..=1_000_000;

/// Returns the default of `max-moves`, which suffices except for terms of lower order. I. Parberry,
/// "A real-time algorithm for the (n²-1)-puzzle" (1995), needs at most 5 n³ moves plus such terms.
fn usual_max_moves((rows, columns): (u8, u8)) -> u32 {
    5 * u32::from(rows.max(columns)).pow(3)
}

impl Rules {
    /// Parses rules: an optional preset, then options separated by commas or blanks. An empty text
    /// is the default preset.
    ///
    /// # Errors
    /// Returns an error if a preset, an option or a value is unknown.
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        let written = read(text, &PRESETS.map(|(name, _)| name), &OPTIONS)?;
        let named = |name: &str| written.pairs.iter().find(|(n, _)| *n == name).map(|pair| pair.1);
        let size = written.preset_of(&PRESETS);
        let size = named("size").map_or(Ok(size), parse_size)?;
        let scramble = named("scramble").map_or(Ok(Scramble::Uniform), parse_scramble)?;
        let max_moves =
            named("max-moves").map(|text| parse_number("max-moves", text, NUMBERS)).transpose()?;
        let max_moves = max_moves.unwrap_or_else(|| usual_max_moves(size));
        Ok(Rules { size, scramble, max_moves })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.size.0.into()
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.size.1.into()
    }
}

/// Parses a size such as `4x4`: rows and columns.
///
/// # Errors
/// Returns an error if the text is not a size, or a side is too short or too long.
pub fn parse_size(text: &str) -> Result<(u8, u8), ParseError> {
    let range = SHORTEST_SIDE as u8..=LONGEST_SIDE as u8;
    let sides = format!("rows and columns each from {SHORTEST_SIDE} to {LONGEST_SIDE}");
    parse_sides(text, &format!("a size like 4x4, {sides}"), [range.clone(), range])
}

fn parse_scramble(text: &str) -> Result<Scramble, ParseError> {
    match text {
        "uniform" => Ok(Scramble::Uniform),
        _ => parse_number("scramble", text, NUMBERS).map(Scramble::Walk),
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::parse("").expect("no text is the default preset")
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.size;
        write!(f, "size={rows}x{columns} scramble=")?;
        match self.scramble {
            Scramble::Uniform => f.write_str("uniform")?,
            Scramble::Walk(moves) => moves.fmt(f)?,
        }
        write!(f, " max-moves={}", self.max_moves)
    }
}
