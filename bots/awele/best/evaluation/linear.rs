//! Linear evaluation: the sum of one learned number for each feature.

use super::features::{features, CAPTURES, FEATURES, SEED_LEVELS};
use super::text::{line, numbers};
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{Board, PITS};

/// A number for each feature, in hundredths of a unit of log-odds.
#[derive(Clone)]
pub struct Linear {
    weights: Box<[i16; FEATURES]>,
    bias: i32,
}

impl Linear {
    /// Creates the evaluation; `bias` is the value of having the move.
    pub fn new(weights: Box<[i16; FEATURES]>, bias: i32) -> Linear {
        Linear { weights, bias }
    }

    /// Returns the estimate, from the view of the player to move.
    #[inline]
    pub fn evaluate(&self, board: Board) -> i32 {
        let sum: i32 = features(board).iter().map(|&at| i32::from(self.weights[at])).sum();
        sum + self.bias
    }
}

/// First line of the file of a linear evaluation.
pub const HEADER: &str = "awele-linear 1";

impl Linear {
    /// Parses a file: its first line, then the numbers of all features and the bias.
    ///
    /// # Errors
    /// Returns an error if a number is missing or invalid.
    pub fn parse(text: &str) -> Result<Linear, ParseError> {
        let numbers = numbers(text, FEATURES + 1)?;
        let weights = Box::new(std::array::from_fn(|at| numbers[at]));
        Ok(Linear { weights, bias: numbers[FEATURES].into() })
    }

    /// Returns the file, with a line for each pit and side.
    pub fn text(&self) -> String {
        let (pits, captures) = self.weights.split_at(PITS * SEED_LEVELS);
        let lines = pits.chunks(SEED_LEVELS).chain(captures.chunks(CAPTURES)).map(line);
        format!("{HEADER}\n{}{}\n", lines.collect::<String>(), self.bias)
    }
}
