//! Options of the rules: the problems that are drawn, and the phrases of power.

use super::phrases::{Phrases, OFFICIAL};
use super::problem::{HIGHEST, LONGEST, WIDEST};
use crate::game::ParseError;
use crate::games::options::{parse_number, parse_sides, read, OptionInfo};
use std::fmt;

/// Values of all options of the rules.
///
/// ```
/// use arbitre_games::games::hextris::Rules;
/// let rules = Rules::parse("small, phrases=ei!+ia!_ia!").unwrap();
/// assert_eq!(rules.to_string(), "size=8x10 length=20 phrases=ei!+ia!_ia!");
/// assert_eq!(Rules::parse(&rules.to_string()), Ok(rules));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Columns and rows of drawn boards; `None` draws the size as well.
    pub size: Option<(usize, usize)>,
    /// Number of units of a drawn game.
    pub length: u32,
    /// The phrases, in lower case.
    pub phrases: Vec<String>,
}

/// Values of a preset: the size of boards and the length of games.
type Preset = (Option<(usize, usize)>, u32);

/// The named presets; the first is the default.
pub const PRESETS: [(&str, Preset); 2] = [("contest", (None, 100)), ("small", (Some((8, 10)), 20))];

/// The options in the order in which resolved rules are written.
pub const OPTIONS: [OptionInfo; 3] = [
    OptionInfo {
        name: "size",
        values: &["any", "WxH"],
        meaning: "columns and rows of random boards",
    },
    OptionInfo { name: "length", values: &["N"], meaning: "number of units of a random game" },
    OptionInfo {
        name: "phrases",
        values: &["official", "none", "LIST"],
        meaning: "phrases of power, joined by + and with _ for a blank",
    },
];

impl Rules {
    /// Parses rules: a preset, which comes first, and options, separated by commas or blanks. An
    /// empty text is the default preset.
    ///
    /// # Errors
    /// Returns an error if a preset or an option is unknown, or a value is invalid.
    pub fn parse(text: &str) -> Result<Rules, ParseError> {
        let written = read(text, &PRESETS.map(|(name, _)| name), &OPTIONS)?;
        let (size, length) = written.preset_of(&PRESETS);
        let phrases = OFFICIAL.map(str::to_owned).to_vec();
        let mut rules = Rules { size, length, phrases };
        for (name, value) in written.pairs {
            match name {
                "size" => rules.size = parse_size(value)?,
                "length" => rules.length = parse_number(name, value, 1..=LONGEST)?,
                _ => rules.phrases = parse_phrases(value)?,
            }
        }
        Ok(rules)
    }
}

/// Parses a size like `8x10`, or `any`.
fn parse_size(text: &str) -> Result<Option<(usize, usize)>, ParseError> {
    if text == "any" {
        return Ok(None);
    }
    let sides = format!("columns from 2 to {WIDEST} and rows from 2 to {HIGHEST}");
    let form = format!("any or a size like 8x10, {sides}");
    parse_sides(text, &form, [2..=WIDEST, 2..=HIGHEST]).map(Some)
}

fn parse_phrases(text: &str) -> Result<Vec<String>, ParseError> {
    let phrases = match text {
        "official" => OFFICIAL.map(str::to_owned).to_vec(),
        "none" => Vec::new(),
        list => list.split('+').map(|phrase| phrase.replace('_', " ")).collect(),
    };
    Phrases::new(&phrases).map(|phrases| phrases.texts().to_vec())
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::parse("").expect("an empty text is the default preset")
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size {
            Some((width, height)) => write!(f, "size={width}x{height}")?,
            None => f.write_str("size=any")?,
        }
        let phrases = match &self.phrases[..] {
            [] => "none".into(),
            phrases if phrases == OFFICIAL => "official".into(),
            phrases => phrases.join("+").replace(' ', "_"),
        };
        write!(f, " length={} phrases={phrases}", self.length)
    }
}
