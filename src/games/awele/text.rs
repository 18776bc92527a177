//! Notation of moves, openings and positions.

use super::{Awele, Board, Opening, Pit, Position, Rules, PITS, ROW, SEEDS};
use crate::dialect::Notation;
use crate::game::{ParseError, Seat};
use std::fmt::Write;

/// Number of numbers in a position: twelve pits and two captures.
const NUMBERS: usize = PITS + 2;

impl Notation for Awele {
    fn from_rules(text: &str) -> Result<Awele, ParseError> {
        Rules::parse(text).map(Awele::new)
    }

    fn rules(&self) -> String {
        self.options().to_string()
    }

    fn write_move(&self, pit: Pit, out: &mut String) {
        write!(out, "{pit}").expect("writing to a string never fails");
    }

    fn parse_move(&self, word: &str) -> Result<Pit, ParseError> {
        let number = match word.as_bytes() {
            [digit @ b'0'..=b'5'] => usize::from(digit - b'0'),
            // Too large for a pit, so that `Pit::new` rejects it.
            _ => PITS,
        };
        let expected =
            || ParseError::new(format!("expected a pit from 0 to {}, got '{word}'", ROW - 1));
        Pit::new(number).ok_or_else(expected)
    }

    fn setup_lines(&self, setup: &Opening, _: Seat) -> Vec<String> {
        let mut line = String::from("opening");
        for pit in &setup.0 {
            write!(line, " {pit}").expect("writing to a string never fails");
        }
        vec![line]
    }

    /// Parses an opening. The word `opening` is optional, and so is the line if it has no move.
    fn parse_setup(&self, lines: &[&str], _: Seat) -> Result<Opening, ParseError> {
        let mut words = match lines {
            [] => "",
            [line] => line,
            [_, more, ..] => {
                return Err(ParseError::new(format!(
                    "expected one line of opening moves, got another: '{more}'"
                )))
            }
        }
        .split_whitespace()
        .peekable();
        words.next_if_eq(&"opening");
        words.map(|word| self.parse_move(word)).collect::<Result<_, _>>().map(Opening)
    }

    fn write_state(&self, state: &Position, seat: Seat, out: &mut String) {
        write!(out, "{}", state.board_of(seat)).expect("writing to a string never fails");
    }

    /// Parses a position without history: plies and repetitions count from here.
    fn parse_state(&self, text: &str, seat: Seat) -> Result<Position, ParseError> {
        let numbers = text.split_whitespace().map(parse_seeds).collect::<Result<Vec<u8>, _>>()?;
        let numbers: [u8; NUMBERS] = numbers.try_into().map_err(wrong_count)?;
        let sum: usize = numbers.iter().copied().map(usize::from).sum();
        if sum != usize::from(SEEDS) {
            return Err(ParseError::new(format!(
                "expected seeds and captures to sum to {SEEDS}, got {sum}"
            )));
        }
        if seat.index() > 1 {
            return Err(ParseError::new(format!("expected seat 0 or 1 to move, got {seat}")));
        }
        let pits = std::array::from_fn(|pit| numbers[pit]);
        let board = Board::new(pits, [numbers[PITS], numbers[PITS + 1]]);
        Ok(Position::new(*self.options(), board, seat))
    }
}

fn parse_seeds(word: &str) -> Result<u8, ParseError> {
    let expected =
        || ParseError::new(format!("expected a number of seeds from 0 to {SEEDS}, got '{word}'"));
    match word.parse() {
        Ok(seeds) if seeds <= SEEDS => Ok(seeds),
        _ => Err(expected()),
    }
}

fn wrong_count(numbers: Vec<u8>) -> ParseError {
    ParseError::new(format!(
        "expected {NUMBERS} numbers, the twelve pits from one's own first in sowing order and then \
         one's own and the other's captures, got {}",
        numbers.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    const GAME: Awele = Awele::new(super::super::CODINGAME);

    fn refusal<T: std::fmt::Debug>(result: Result<T, ParseError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn openings_have_three_spellings() {
        let opening = GAME.parse_setup(&["opening 2 5 0"], Seat::FIRST).unwrap();
        assert_eq!(GAME.setup_text(&opening), "opening 2 5 0");
        assert_eq!(GAME.parse_setup(&["2 5 0"], Seat::FIRST).unwrap(), opening);
        for none in [&[][..], &[""], &["opening"]] {
            assert_eq!(GAME.parse_setup(none, Seat::FIRST).unwrap(), Opening::default());
        }
        assert_eq!(GAME.parse_setup_text("").unwrap(), Opening::default());
    }

    #[test]
    fn opening_errors_say_what_is_wrong() {
        let start = |text| refusal(GAME.start(&GAME.parse_setup_text(text).unwrap()));
        assert_eq!(start("2 0 2"), "expected a legal opening, got 2 as move 3: that pit is empty");
        let one_ply = Awele::from_rules("max-plies=1").unwrap();
        assert_eq!(
            refusal(one_ply.start(&one_ply.parse_setup_text("4").unwrap())),
            "expected an opening that leaves a game to play, but its move 1 ends it"
        );
        assert_eq!(
            refusal(GAME.parse_setup(&["opening 6"], Seat::FIRST)),
            "expected a pit from 0 to 5, got '6'"
        );
        assert_eq!(
            refusal(GAME.parse_setup(&["opening", "2"], Seat::FIRST)),
            "expected one line of opening moves, got another: '2'"
        );
    }

    #[test]
    fn position_errors_say_what_is_wrong() {
        let parse = |text| refusal(GAME.parse_state(text, Seat::FIRST));
        assert!(parse("4 4 4").ends_with("got 3"));
        assert!(parse("5 4 4 4 4 4 4 4 4 4 4 4 0 0").ends_with("sum to 48, got 49"));
        assert!(parse("4 4 4 4 4 4 4 4 4 4 4 x 0 4").ends_with("got 'x'"));
        assert!(parse("49 0 0 0 0 0 0 0 0 0 0 0 0 0").ends_with("got '49'"));
        let text = "4 4 4 4 4 4 4 4 4 4 4 4 0 0";
        assert!(refusal(GAME.parse_state(text, Seat::new(2))).ends_with("got 2"));
    }
}
