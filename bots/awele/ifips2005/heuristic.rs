//! Evaluation of a position at the horizon of a search.

use crate::options::Options;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, ROW};
use arbitre_games::text::value_of;
use std::fmt;

/// Evaluation at the horizon, in seeds, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heuristic {
    /// Own seeds on the board minus the opponent's: the first idea of the IFIPS report.
    #[default]
    Rows,
    /// Own captures minus the opponent's: the evaluation of the finalist of 1990.
    Captures,
    /// Weighted sum: the second idea of the report.
    Complex(HeuristicWeights),
}

/// Weights of [`Heuristic::Complex`]: own row minus the opponent's, own row, playable moves, and
/// the longest run of empty pits in the opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeuristicWeights([i32; 4]);

impl Heuristic {
    /// Names and defaults. The report does not give the weights of `complex`, so each is one.
    /// Weights tuned on 2026-11-22 were not made the default (`bots/awele/diary.md`).
    const NAMED: [(&'static str, Heuristic); 3] = [
        ("rows", Heuristic::Rows),
        ("captures", Heuristic::Captures),
        ("complex", Heuristic::Complex(HeuristicWeights([1; 4]))),
    ];

    /// Returns the evaluation of `board` for the side to move; `legal` returns its legal moves.
    #[inline]
    pub fn judge(self, board: Board, legal: impl FnOnce() -> u8) -> i32 {
        match self {
            Heuristic::Rows => difference(board.totals()),
            Heuristic::Captures => difference(board.captures()),
            Heuristic::Complex(HeuristicWeights(weights)) => {
                let context = [
                    difference(board.totals()),
                    i32::from(board.totals()[0]),
                    legal().count_ones() as i32,
                    i32::from(LONGEST_RUN[usize::from(board.opposing_mask())]),
                ];
                weights.iter().zip(context).map(|(weight, term)| weight * term).sum()
            }
        }
    }

    /// Returns the heuristic of the options, if they name one.
    ///
    /// # Errors
    /// Returns an error if the heuristic is unknown, or the weights are invalid or without
    /// `complex`.
    pub fn take(options: &mut Options) -> Result<Option<Heuristic>, ParseError> {
        let word = options.take_text("--heuristic")?;
        let weights = options.take_text("--weights")?;
        if weights.is_some() && word.as_deref() != Some("complex") {
            return Err(ParseError::new(
                "expected --heuristic complex beside --weights, got another",
            ));
        }
        word.map(|word| Heuristic::named(&word, weights.as_deref())).transpose()
    }

    fn named(word: &str, weights: Option<&str>) -> Result<Heuristic, ParseError> {
        let heuristic = value_of("heuristic", word, &Heuristic::NAMED)?;
        match weights {
            Some(weights) => HeuristicWeights::parse(weights).map(Heuristic::Complex),
            None => Ok(heuristic),
        }
    }

    /// Parses the text that [`Heuristic`] displays.
    ///
    /// # Errors
    /// Returns an error for any other text.
    pub fn parse(text: &str) -> Result<Heuristic, ParseError> {
        match text.split_once(' ') {
            Some(("complex", weights)) => Heuristic::named("complex", Some(weights)),
            _ => Heuristic::named(text, None),
        }
    }
}

impl fmt::Display for Heuristic {
    /// The word, and after `complex` the weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Heuristic::Rows => f.write_str("rows"),
            Heuristic::Captures => f.write_str("captures"),
            Heuristic::Complex(HeuristicWeights([rows, own, moves, run])) => {
                write!(f, "complex {rows},{own},{moves},{run}")
            }
        }
    }
}

impl HeuristicWeights {
    /// Largest weight, so that no evaluation comes near the value of a won game.
    const LARGEST: i32 = 50;

    fn parse(text: &str) -> Result<HeuristicWeights, ParseError> {
        let expected = || {
            let largest = HeuristicWeights::LARGEST;
            ParseError::new(format!(
                "--weights: expected four whole numbers from -{largest} to {largest}, as in 1,1,1,1, \
                 got '{text}'"
            ))
        };
        let numbers: Option<Vec<i32>> = text.split(',').map(|word| word.parse().ok()).collect();
        let weights: Option<[i32; 4]> = numbers.and_then(|numbers| numbers.try_into().ok());
        let range = -HeuristicWeights::LARGEST..=HeuristicWeights::LARGEST;
        let weights = weights.filter(|all| all.iter().all(|weight| range.contains(weight)));
        weights.map(HeuristicWeights).ok_or_else(expected)
    }
}

fn difference([own, other]: [u8; 2]) -> i32 {
    i32::from(own) - i32::from(other)
}

/// The longest run of bits that are not set, of each mask of a row.
static LONGEST_RUN: [u8; 1 << ROW] = longest_runs();

const fn longest_runs() -> [u8; 1 << ROW] {
    let mut runs = [0; 1 << ROW];
    let mut mask = 0;
    while mask < runs.len() {
        let (mut pit, mut run) = (0, 0);
        while pit < ROW {
            run = if mask >> pit & 1 == 0 { run + 1 } else { 0 };
            if run > runs[mask] {
                runs[mask] = run;
            }
            pit += 1;
        }
        mask += 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::awele::GrandSlam;

    fn judge(heuristic: &str, pits: [u8; 12], captures: [u8; 2]) -> i32 {
        let board = Board::new(pits, captures);
        Heuristic::parse(heuristic).unwrap().judge(board, || board.legal(GrandSlam::Nothing))
    }

    /// By hand: 9 seeds against 6, 3 moves, and the longest of the runs 1 and 2 is 2.
    const BOARD: [u8; 12] = [4, 0, 3, 0, 0, 2, 1, 0, 3, 0, 0, 2];

    #[test]
    fn boards_are_judged_as_by_hand() {
        assert_eq!(judge("rows", BOARD, [20, 13]), 3);
        assert_eq!(judge("captures", BOARD, [20, 13]), 7);
        let context = [("1,0,0,0", 3), ("0,1,0,0", 9), ("0,0,1,0", 3), ("0,0,0,1", 2)];
        for (weights, term) in context {
            assert_eq!(judge(&format!("complex {weights}"), BOARD, [20, 13]), term, "{weights}");
        }
        assert_eq!(judge("complex 1,1,1,1", BOARD, [20, 13]), 3 + 9 + 3 + 2);
        assert_eq!(judge("complex", BOARD, [20, 13]), 3 + 9 + 3 + 2);
        assert_eq!(judge("complex 2,-1,10,-50", BOARD, [20, 13]), 6 - 9 + 30 - 100);
    }

    /// Where the opponent has nothing, only a move that feeds is playable, and the run is the row.
    #[test]
    fn playable_is_what_is_legal() {
        let hungry = [0, 0, 1, 0, 3, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(judge("complex 0,0,1,0", hungry, [0; 2]), 2);
        assert_eq!(judge("complex 0,0,0,1", hungry, [0; 2]), 6);
        assert_eq!(judge("complex 0,0,0,1", [4; 12], [0; 2]), 0);
    }

    /// A run at either end of the row, and between.
    #[test]
    fn the_longest_run_is_found_anywhere() {
        let runs = [(0b111000, 3), (0b000111, 3), (0b100001, 4), (0b101101, 1), (0b111111, 0)];
        for (occupied, run) in runs {
            assert_eq!(LONGEST_RUN[occupied], run, "{occupied:b}");
        }
    }

    #[test]
    fn heuristics_come_back() {
        for text in ["rows", "captures", "complex 1,1,1,1", "complex 3,-2,0,50"] {
            assert_eq!(Heuristic::parse(text).unwrap().to_string(), text);
        }
        for text in ["row", "complex 1,1,1", "complex 1,1,1,51", "complex 1,,1,1", "rows 1,1,1,1"] {
            assert!(Heuristic::parse(text).is_err(), "{text}");
        }
    }
}
