//! Notation of moves, paths, boards and positions.

use super::rules::Rules;
use super::{Board, Convention, Direction, Layout, Position, Taquin};
use crate::dialect::Notation;
use crate::game::{ParseError, Seat};
use std::fmt::Write;

/// Separator between a board and the number of moves played.
const AFTER: &str = " after ";

/// Parses a path of names such as `Up` or letters such as `U`, separated or not.
///
/// # Errors
/// Returns an error if the text contains anything else.
///
/// ```
/// use arbitre_games::games::taquin::{parse_path, path_letters};
/// let path = parse_path("Down LEFT u R, rd").unwrap();
/// assert_eq!(path_letters(&path), "DLURRD");
/// ```
pub fn parse_path(text: &str) -> Result<Vec<Direction>, ParseError> {
    let mut path = Vec::new();
    let separates = |c: char| c.is_whitespace() || c == ',';
    for word in text.split(separates).filter(|word| !word.is_empty()) {
        let as_word = Direction::ALL.into_iter().find(|way| way.word().eq_ignore_ascii_case(word));
        match as_word {
            Some(way) => path.push(way),
            None => {
                let letters: Option<Vec<Direction>> = word.chars().map(of_letter).collect();
                path.extend(letters.ok_or_else(|| expected(word))?);
            }
        }
    }
    Ok(path)
}

fn of_letter(letter: char) -> Option<Direction> {
    let upper = letter.to_ascii_uppercase();
    Direction::ALL.into_iter().find(|way| way.letter() == upper)
}

fn expected(word: &str) -> ParseError {
    ParseError::new(format!("expected U, D, L or R, or Up, Down, Left or Right, got '{word}'"))
}

/// Returns a path as letters.
pub fn path_letters(path: &[Direction]) -> String {
    path.iter().map(|way| way.letter()).collect()
}

/// Returns a path as names separated by blanks.
pub fn path_words(path: &[Direction]) -> String {
    path.iter().map(|way| way.word()).collect::<Vec<_>>().join(" ")
}

impl Notation for Taquin {
    fn from_rules(text: &str) -> Result<Taquin, ParseError> {
        Rules::parse(text).map(|rules| Taquin { rules })
    }

    fn rules(&self) -> String {
        self.rules.to_string()
    }

    fn write_move(&self, way: Direction, out: &mut String) {
        out.push(way.letter());
    }

    fn parse_move(&self, word: &str) -> Result<Direction, ParseError> {
        match parse_path(word)?[..] {
            [way] => Ok(way),
            _ => Err(expected(word)),
        }
    }

    /// Writes the path as letters in one word.
    fn write_path(&self, path: &[Direction], out: &mut String) {
        path.iter().for_each(|&way| self.write_move(way, out));
    }

    fn parse_path(&self, text: &str) -> Result<Vec<Direction>, ParseError> {
        match parse_path(text)? {
            path if path.is_empty() => Err(expected(text)),
            path => Ok(path),
        }
    }

    /// Writes the board as on the sheet, with its rows separated by `/`.
    fn setup_lines(&self, setup: &Board, _: Seat) -> Vec<String> {
        vec![Convention::SEED.write(setup, Layout::Slashes)]
    }

    /// Parses a board whose goal has the blank last, on one line or one row per line.
    fn parse_setup(&self, lines: &[&str], _: Seat) -> Result<Board, ParseError> {
        self.parse_board(&lines.join("\n"))
    }

    /// Writes the board, and the number of moves played unless it is zero.
    fn write_state(&self, state: &Position, _seat: Seat, out: &mut String) {
        *out += &Convention::SEED.write(state.board(), Layout::Slashes);
        if state.made() > 0 {
            write!(out, "{AFTER}{}", state.made()).expect("writing to a string never fails");
        }
    }

    fn parse_state(&self, text: &str, seat: Seat) -> Result<Position, ParseError> {
        if seat != Seat::FIRST {
            return Err(ParseError::new(format!("expected seat 0 to move, got {seat}")));
        }
        let (board, made) = text.split_once(AFTER).unwrap_or((text, "0"));
        let number = || ParseError::new(format!("expected the number of moves made, got '{made}'"));
        let made = made.trim().parse().map_err(|_| number())?;
        Position::new(self.rules, self.parse_board(board)?, made)
    }
}

impl Taquin {
    fn parse_board(&self, text: &str) -> Result<Board, ParseError> {
        let size = (self.rules.rows(), self.rules.columns());
        Convention::SEED.read(text, Some(size)).map(|(board, _)| board)
    }
}
