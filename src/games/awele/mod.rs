//! Awélé (Oware): two rows of six pits, 48 seeds, and the variants of the rules as options.
//!
//! A move sows the seeds of one own pit counter-clockwise, one to a pit, and skips the origin. If
//! the last seed makes 2 or 3 in the opponent's row, these are captured. So are the 2s and 3s
//! directly before it in that row. A move must leave the opponent a seed if any move does. A player
//! with more than 24 captured seeds wins. [`Rules`] names the differences between implementations.
//!
//! Two types share these rules. [`Board`] is 16 bytes without history and end of the game, for
//! search. [`Position`] is a [`State`] on a [`Board`], with seats, plies, repetition and outcome.

mod board;
pub mod codingame;
mod perft;
pub mod reference;
mod rules;
mod rules_parser;
mod state;
mod tables;
mod text;

#[cfg(test)]
mod tests;

pub use board::{Board, Pit, PITS, ROW, SEEDS};
pub use rules::{GrandSlam, NoMove, PlyLimit, Repetition, Rules, Sharing, ABAPA, AWARI, CODINGAME};
pub use rules_parser::{GRAND_SLAMS, OPTIONS, PRESETS};
pub use state::{EndReason, Position, HALF, SHORTEST_CYCLE};

use crate::game::{Game, Meta, ParseError, Seat, State};
use crate::opening::{Openings, Walk};
use crate::rng::Rng;

/// The game under given rules.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::awele::{Awele, Opening, Pit};
/// let game = Awele::from_rules("abapa").unwrap();
/// let mut position = game.start(&Opening::default()).unwrap();
/// position.play(Seat::FIRST, Pit::new(2).unwrap()).unwrap();
/// assert_eq!(position.board().to_string(), "5 4 4 4 4 4 4 4 0 5 5 5 0 0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Awele {
    rules: Rules,
}

/// Setup of a game: moves from the initial board, the seats alternating from seat 0 on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Opening(pub Vec<Pit>);

impl Awele {
    /// Creates the game under `rules`.
    pub const fn new(rules: Rules) -> Awele {
        Awele { rules }
    }

    /// Returns the rules.
    pub const fn options(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Awele {
    type State = Position;
    type Move = Pit;
    type Setup = Opening;

    const META: Meta = Meta::duel(
        "awele",
        "Awélé",
        "sow seeds around the board, capture twos and threes in the opponent's row",
    );

    fn start(&self, setup: &Opening) -> Result<Position, ParseError> {
        let mut position = Position::new(self.rules, Board::START, Seat::FIRST);
        for (number, &pit) in (1..).zip(&setup.0) {
            let played = position.play(position.mover(), pit);
            played.map_err(|reason| refused_opening(number, pit, reason))?;
            if position.end().is_some() {
                return Err(ParseError::new(format!(
                    "expected an opening that leaves a game to play, but its move {number} ends it"
                )));
            }
        }
        Ok(position)
    }

    /// Openings without captures, each leading to a different board.
    fn setups(
        &self,
        _seats: usize,
        plies: usize,
        rng: Rng,
    ) -> impl Iterator<Item = Opening> + Send + use<> {
        let start = Position::new(self.rules, Board::START, Seat::FIRST);
        let quiet = |walk: &Walk<Position>| walk.after.board().captures() == [0; 2];
        let board = |position: &Position| (position.board(), position.mover());
        Openings::new(start, plies, rng, quiet, board).map(Opening)
    }

    fn perft(&self, state: &Position, depth: u32) -> u64 {
        perft::leaves(state, depth)
    }
}

fn refused_opening(number: usize, pit: Pit, reason: impl std::fmt::Display) -> ParseError {
    ParseError::new(format!("expected a legal opening, got {pit} as move {number}: {reason}"))
}
