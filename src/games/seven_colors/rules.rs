//! Options of the rules: the size of the board, bans on colours, scoring, and the generation of
//! boards.

use super::{LONGEST_SIDE, MOST_COLOURS};
use crate::game::ParseError;
use crate::games::options::{parse_number, parse_sides, resolve, words, OptionInfo, SWITCHES};
use crate::text::{value_of, word_of};
use std::fmt;

/// Shortest side of a board, in cells.
const SHORTEST_SIDE: usize = 2;

/// Ban on colours. A player that has not moved yet holds no colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColourRule {
    /// No colour is banned.
    None,
    /// The colour that the opponent played last is banned.
    Opponent,
    /// The last colours of both players are banned.
    OwnAndOpponent,
}

/// All options of the rules.
///
/// ```
/// use arbitre_games::games::seven_colors::Rules;
/// let rules = Rules::parse("filler, stall=20").unwrap();
/// let text = "size=8x7 colours=6 ban=own-and-opponent capture-enclosed=no count-enclosed=no \
///             symmetric=no corner=random neighbours=distinct stall=20";
/// assert_eq!(rules.to_string(), text);
/// assert_eq!(Rules::parse(text), Ok(rules));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Number of columns and of rows.
    pub size: (u8, u8),
    /// Number of colours.
    pub colours: u8,
    /// Ban on colours.
    pub ban: ColourRule,
    /// Whether cells enclosed by one player are taken at once.
    pub capture_enclosed: bool,
    /// Whether cells enclosed by one player count as its own while they stay free.
    pub count_enclosed: bool,
    /// Whether random boards equal their transpose.
    pub symmetric: bool,
    /// Whether the corners of the seats are random; otherwise seat 0 has the upper right one.
    pub random_corner: bool,
    /// Whether neighbours differ in colour on random boards.
    pub distinct_neighbours: bool,
    /// Number of plies in a row without a gain after which the scores decide.
    pub stall: u16,
}

/// Rules of the report of 2016: R. Hutin, R. Sun, "Arcsys : le jeu des 7 couleurs".
pub const ARCSYS: Rules = Rules {
    size: (30, 30),
    colours: 7,
    ban: ColourRule::None,
    capture_enclosed: false,
    count_enclosed: false,
    symmetric: true,
    random_corner: true,
    distinct_neighbours: false,
    stall: 60,
};

/// Rules of "7 Colors" (Gamos, 1991): the last colour is banned to the opponent, enclosed cells are
/// taken, and boards are not symmetric.
pub const GAMOS: Rules =
    Rules { ban: ColourRule::Opponent, capture_enclosed: true, symmetric: false, ..ARCSYS };

/// Rules of GamePigeon's "Filler".
pub const FILLER: Rules = Rules {
    size: (8, 7),
    colours: 6,
    ban: ColourRule::OwnAndOpponent,
    symmetric: false,
    distinct_neighbours: true,
    ..ARCSYS
};

/// Named presets; the first is the default.
pub const PRESETS: [(&str, Rules); 3] = [("arcsys", ARCSYS), ("gamos", GAMOS), ("filler", FILLER)];

/// Options in the order of resolved rules.
pub const OPTIONS: [OptionInfo; 9] = [
    OptionInfo {
        name: "size",
        values: &["WxH"],
        meaning: "columns and rows of the board, each from 2 to 32",
    },
    OptionInfo { name: "colours", values: &["N"], meaning: "number of colours, from 2 to 16" },
    OptionInfo {
        name: "ban",
        values: &words(&BANS),
        meaning: "players whose last colour may not be played",
    },
    OptionInfo {
        name: "capture-enclosed",
        values: &words(&SWITCHES),
        meaning: "whether cells that one player alone encloses are taken at once",
    },
    OptionInfo {
        name: "count-enclosed",
        values: &words(&SWITCHES),
        meaning: "whether cells that one player alone encloses count as that player's",
    },
    OptionInfo {
        name: "symmetric",
        values: &words(&SWITCHES),
        meaning: "whether random boards equal their transposes",
    },
    OptionInfo {
        name: "corner",
        values: &words(&CORNERS),
        meaning: "corners of the seats; fixed: seat 0 in the upper right one",
    },
    OptionInfo {
        name: "neighbours",
        values: &words(&NEIGHBOURS),
        meaning: "whether neighbours on random boards may have the same colour",
    },
    OptionInfo {
        name: "stall",
        values: &["N"],
        meaning: "number of plies without a gain after which the scores decide",
    },
];

/// Words of the bans on colours.
const BANS: [(&str, ColourRule); 3] = [
    ("none", ColourRule::None),
    ("opponent", ColourRule::Opponent),
    ("own-and-opponent", ColourRule::OwnAndOpponent),
];
/// Words for random and fixed corners.
const CORNERS: [(&str, bool); 2] = [("random", true), ("fixed", false)];
/// Words for the colours of neighbours on random boards.
const NEIGHBOURS: [(&str, bool); 2] = [("any", false), ("distinct", true)];

impl Rules {
    /// Parses rules: an optional preset, then options, separated by commas or blanks. Empty text is
    /// the default preset.
    ///
    /// # Errors
    /// Returns an error if a word is unknown, a preset comes late, or an option comes twice or with
    /// an invalid value. Rules are refused as well if a symmetric board is not square, or the ban
    /// may leave no colour.
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        resolve(text, &PRESETS, &OPTIONS, Rules::set)?.check()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        match name {
            "size" => self.size = parse_size(value)?,
            "colours" => self.colours = parse_number(name, value, 2..=MOST_COLOURS as u8)?,
            "ban" => self.ban = value_of(name, value, &BANS)?,
            "capture-enclosed" => self.capture_enclosed = value_of(name, value, &SWITCHES)?,
            "count-enclosed" => self.count_enclosed = value_of(name, value, &SWITCHES)?,
            "symmetric" => self.symmetric = value_of(name, value, &SWITCHES)?,
            "corner" => self.random_corner = value_of(name, value, &CORNERS)?,
            "neighbours" => self.distinct_neighbours = value_of(name, value, &NEIGHBOURS)?,
            _ => self.stall = parse_number(name, value, 1..=u16::MAX)?,
        }
        Ok(())
    }

    /// Rejects rules under which no board can be drawn or no colour played.
    fn check(self) -> Result<Rules, ParseError> {
        let (width, height) = self.size;
        if self.symmetric && width != height {
            return Err(ParseError::new(format!(
                "expected a square board for symmetric=yes, got {width}x{height}; \
                 help: set symmetric=no"
            )));
        }
        // The players may hold two different colours, and one more must be left.
        if self.ban == ColourRule::OwnAndOpponent && self.colours < 3 {
            return Err(ParseError::new(
                "expected at least 3 colours for ban=own-and-opponent, got 2; help: set colours=3",
            ));
        }
        Ok(self)
    }

    /// Returns the number of columns of a board.
    pub fn width(&self) -> usize {
        self.size.0.into()
    }

    /// Returns the number of rows of a board.
    pub fn height(&self) -> usize {
        self.size.1.into()
    }

    /// Returns the number of cells of a board.
    pub fn cells(&self) -> usize {
        self.width() * self.height()
    }
}

fn parse_size(text: &str) -> Result<(u8, u8), ParseError> {
    let range = SHORTEST_SIDE as u8..=LONGEST_SIDE as u8;
    let form = format!("a size like 30x30, each side from {SHORTEST_SIDE} to {LONGEST_SIDE}");
    parse_sides(text, &form, [range.clone(), range])
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = self.size;
        write!(
            f,
            "size={width}x{height} colours={} ban={} capture-enclosed={} count-enclosed={} \
             symmetric={} corner={} neighbours={} stall={}",
            self.colours,
            word_of(self.ban, &BANS),
            word_of(self.capture_enclosed, &SWITCHES),
            word_of(self.count_enclosed, &SWITCHES),
            word_of(self.symmetric, &SWITCHES),
            word_of(self.random_corner, &CORNERS),
            word_of(self.distinct_neighbours, &NEIGHBOURS),
            self.stall,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_presets_as_documented() {
        let resolved = [
            (
                "",
                "size=30x30 colours=7 ban=none capture-enclosed=no count-enclosed=no \
                 symmetric=yes corner=random neighbours=any stall=60",
            ),
            (
                "gamos",
                "size=30x30 colours=7 ban=opponent capture-enclosed=yes count-enclosed=no \
                 symmetric=no corner=random neighbours=any stall=60",
            ),
            (
                "filler",
                "size=8x7 colours=6 ban=own-and-opponent capture-enclosed=no count-enclosed=no \
                 symmetric=no corner=random neighbours=distinct stall=60",
            ),
        ];
        for (text, expected) in resolved {
            assert_eq!(Rules::parse(text).unwrap().to_string(), expected);
        }
        assert_eq!(Rules::parse("arcsys"), Rules::parse(""));
    }

    /// The options listed by the help are those that are parsed. Each value changes only its
    /// option.
    #[test]
    fn listed_values_are_parsed() {
        for option in OPTIONS {
            for value in option.values {
                let value = value.replace("WxH", "9x9").replace('N', "5");
                let text = format!("{}={value}", option.name);
                let rules = Rules::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                let (rules, arcsys) = (rules.to_string(), ARCSYS.to_string());
                let differing: Vec<(&str, &str)> =
                    rules.split(' ').zip(arcsys.split(' ')).filter(|(a, b)| a != b).collect();
                assert!(rules.split(' ').any(|word| word == text), "{text} in {rules}");
                assert!(differing.iter().all(|(word, _)| *word == text), "{text}: {differing:?}");
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let cases = [
            ("size=33x4", "expected a size like 30x30, each side from 2 to 32, got '33x4'"),
            ("size=4", "each side from 2 to 32, got '4'"),
            ("colours=17", "expected colours to be a number from 2 to 16, got '17'"),
            ("stall=0", "expected stall to be a number from 1 to 65535, got '0'"),
            ("size=8x7", "board for symmetric=yes, got 8x7; help: set symmetric=no"),
            ("filler colours=2", "expected at least 3 colours"),
            ("ban=own", "ban: expected none, opponent or own-and-opponent, got 'own'"),
            ("filer", "did you mean filler?"),
        ];
        for (text, part) in cases {
            let message = Rules::parse(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
