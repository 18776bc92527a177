//! Text notation of characters, setups and positions.

use super::json::{Json, Located};
use super::{Character, Hextris, Position, Problem, Rules, Setup};
use crate::dialect::Notation;
use crate::game::{Game, ParseError, Seat, State};
use crate::text::write_json_string;
use std::sync::Arc;

/// Longest answer, in bytes. Not tuned.
pub const ANSWER_LIMIT: usize = 4 << 20;

impl Notation for Hextris {
    const LISTS_LEGAL_MOVES: bool = false;
    const IS_VERBATIM: bool = true;
    const ANSWER_LIMIT: usize = ANSWER_LIMIT;

    fn from_rules(text: &str) -> Result<Hextris, ParseError> {
        Rules::parse(text).map(Hextris::new)
    }

    fn rules(&self) -> String {
        self.options().to_string()
    }

    fn write_move(&self, character: Character, out: &mut String) {
        out.push(character.char());
    }

    fn parse_move(&self, word: &str) -> Result<Character, ParseError> {
        let mut characters = word.chars();
        match (characters.next().and_then(Character::new), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => {
                Err(ParseError::new(format!("expected one character of a solution, got '{word}'")))
            }
        }
    }

    /// Writes the characters themselves, blanks included.
    fn write_path(&self, path: &[Character], out: &mut String) {
        out.extend(path.iter().map(|character| character.char()));
    }

    /// Parses the characters of a path. An empty text stops the game.
    fn parse_path(&self, text: &str) -> Result<Vec<Character>, ParseError> {
        if text.is_empty() {
            return Ok(vec![Character::STOP]);
        }
        let read = |(number, c)| {
            Character::new(c).ok_or_else(|| {
                ParseError::new(format!(
                    "expected characters of a solution, but character {number} is {c:?}"
                ))
            })
        };
        text.chars().enumerate().map(read).collect()
    }

    fn setup_lines(&self, setup: &Setup, _: Seat) -> Vec<String> {
        vec![format!("problem {}", setup.problem.to_json()), format!("seed {}", setup.seed)]
    }

    /// Parses `problem JSON` and `seed N`; without a seed, the first one of the problem is used.
    fn parse_setup(&self, lines: &[&str], _: Seat) -> Result<Setup, ParseError> {
        let find = |word: &str| lines.iter().find_map(|line| line.trim().strip_prefix(word));
        let json = find("problem ").ok_or_else(|| {
            ParseError::new("expected 'problem JSON' and 'seed N', got no problem")
        })?;
        let problem = Arc::new(Problem::parse(json)?);
        let seed = match find("seed ") {
            Some(text) => parse_seed(text)?,
            None => problem.source_seeds[0],
        };
        Ok(Setup { problem, seed })
    }

    /// Writes an object with the seed, the characters played, and the problem.
    fn write_state(&self, game: &Position, _seat: Seat, out: &mut String) {
        *out += &format!("{{\"seed\":{},\"played\":", game.setup().seed);
        write_json_string(game.played(), out);
        *out += &format!(",\"problem\":{}}}", game.setup().problem.to_json());
    }

    fn parse_state(&self, text: &str, seat: Seat) -> Result<Position, ParseError> {
        if seat != Seat::FIRST {
            return Err(ParseError::new(format!("expected seat 0 to move, got {seat}")));
        }
        let json = Json::parse(text)?;
        let json = Located::root(&json, "the position");
        let seed = json.member("seed")?;
        let number = seed.json.integer().and_then(|seed| seed.try_into().ok());
        let seed = number.ok_or_else(|| seed.wrong("a whole number of 32 bits"))?;
        let problem = Arc::new(Problem::from_json(json.member("problem")?.json)?);
        let played = json.member("played")?.text()?;
        let mut game = self.start(&Setup { problem, seed })?;
        for (number, c) in played.chars().enumerate() {
            let bad = |why: &str| {
                ParseError::new(format!(
                    "played: expected a legal game, got character {number}, {c:?}: {why}"
                ))
            };
            let character = Character::new(c).ok_or_else(|| bad("it is no command"))?;
            game.play(seat, character).map_err(|why| bad(why.0))?;
        }
        match game.to_move().contains(seat) {
            true => Ok(game),
            false => Err(ParseError::new("expected a game under way: this one is over")),
        }
    }
}

fn parse_seed(text: &str) -> Result<u32, ParseError> {
    let expected =
        |_| ParseError::new(format!("expected a seed, a number of 32 bits, got '{text}'"));
    text.trim().parse().map_err(expected)
}
