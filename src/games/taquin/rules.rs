//! The options of the rules: the size of the board, how it is scrambled, and when enough is tried.

use super::{LONGEST_SIDE, SHORTEST_SIDE};
use crate::game::ParseError;
use crate::games::options::{read, OptionInfo};
use std::fmt;

/// How boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scramble {
    /// Every board that can be solved, each equally likely.
    Uniform,
    /// By so many random moves from the goal, none of which takes the one before back.
    Walk(u32),
}

/// Every option of the rules.
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
    /// How boards are drawn.
    pub scramble: Scramble,
    /// After so many moves the board counts as unsolved.
    pub max_moves: u32,
}

/// The named presets and their sizes; the first is the default.
pub const PRESETS: [(&str, (u8, u8)); 3] =
    [("fifteen", (4, 4)), ("eight", (3, 3)), ("twenty-four", (5, 5))];

/// The options in the order in which resolved rules are written.
pub const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "size",
        values: &["RxC"],
        meaning: "how many rows and columns the board has, each from 2 to 10",
    },
    OptionInfo {
        name: "scramble",
        values: &["uniform", "N"],
        meaning: "whether all solvable boards are equally likely, or N random moves are made",
    },
    OptionInfo {
        name: "max-moves",
        values: &["N"],
        meaning: "after how many moves the board counts as unsolved; 5 n n n for a longer side n",
    },
];

/// As many moves as always suffice, but for a few: I. Parberry, "A real-time algorithm for the
/// (n²-1)-puzzle" (1995) needs at most 5 n³ and terms of lower order.
fn usual_max_moves((rows, columns): (u8, u8)) -> u32 {
    5 * u32::from(rows.max(columns)).pow(3)
}

impl Rules {
    /// Reads rules: a preset, which comes first, and options, separated by commas or blanks. No
    /// text at all is the default preset.
    ///
    /// # Errors
    /// If a preset or an option is unknown, or a value is not one of its values.
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        let written = read(text, &PRESETS.map(|(name, _)| name), &OPTIONS)?;
        let named = |name: &str| written.pairs.iter().find(|(n, _)| *n == name).map(|pair| pair.1);
        let size = written.preset_of(&PRESETS);
        let size = named("size").map_or(Ok(size), parse_size)?;
        let scramble = named("scramble").map_or(Ok(Scramble::Uniform), parse_scramble)?;
        let max_moves =
            named("max-moves").map(|text| parse_number("max-moves", text)).transpose()?;
        let max_moves = max_moves.unwrap_or_else(|| usual_max_moves(size));
        Ok(Rules { size, scramble, max_moves })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.size.0.into()
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.size.1.into()
    }
}

/// A size like `4x4`: rows and columns.
///
/// # Errors
/// If it is none, or a side is too short or too long.
pub fn parse_size(text: &str) -> Result<(u8, u8), ParseError> {
    let is_side = |side: &u8| (SHORTEST_SIDE..=LONGEST_SIDE).contains(&usize::from(*side));
    let side = |word: &str| word.parse().ok().filter(is_side);
    let sides =
        text.split_once('x').and_then(|(rows, columns)| Some((side(rows)?, side(columns)?)));
    sides.ok_or_else(|| {
        ParseError::new(format!(
            "expected a size like 4x4, rows and columns each from {SHORTEST_SIDE} to \
             {LONGEST_SIDE}, not '{text}'"
        ))
    })
}

fn parse_scramble(text: &str) -> Result<Scramble, ParseError> {
    match text {
        "uniform" => Ok(Scramble::Uniform),
        _ => parse_number("scramble", text).map(Scramble::Walk),
    }
}

fn parse_number(name: &str, text: &str) -> Result<u32, ParseError> {
    let number = text.parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.ok_or_else(|| {
        ParseError::new(format!("expected {name} to be a number from 1 to 1000000, not '{text}'"))
    })
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
