//! Seven Colors: two players in opposite corners flood a board of letters.
//!
//! A move plays a colour and takes, repeatedly, every free cell of that colour beside the own
//! cells. Taken cells have no colour any more, so any colour may be played at any turn. A move that
//! gains nothing is a pass. A player with more than half of the cells wins. [`Rules`] names the
//! differences between implementations.
//!
//! Three implementations share these rules. [`Position`] is a [`State`]: a
//! plain board, clear and slow. [`graph`] reduces a board to its monochrome regions, for search.
//! [`mod@reference`] follows the first program of the report of 2016, for tests.

mod board;
mod generate;
pub mod graph;
pub mod reference;
pub mod regions;
mod rules;
mod state;
mod text;

#[cfg(test)]
mod tests;

pub use board::{Board, CellSet, CellState, Colour, LONGEST_SIDE, MOST_COLOURS};
pub use generate::corners;
pub use rules::{ColourRule, Rules, ARCSYS, FILLER, GAMOS, OPTIONS, PRESETS};
pub use state::{seats, Position, SEATS};

use crate::game::{Game, Meta, ParseError, Seat, State};
use crate::rng::Rng;

/// The game under given rules.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::seven_colors::{Colour, SevenColors};
/// let game = SevenColors::from_rules("size=3x3").unwrap();
/// let setup = game.parse_setup(&["AB.", "BCA", "*AB"], Seat::FIRST).unwrap();
/// let mut position = game.start(&setup).unwrap();
/// position.play(Seat::FIRST, Colour::new(1)).unwrap();
/// assert_eq!(position.scores(), [2, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SevenColors {
    rules: Rules,
}

impl SevenColors {
    /// Creates the game under `rules`.
    pub const fn new(rules: Rules) -> SevenColors {
        SevenColors { rules }
    }

    /// Returns the rules.
    pub const fn options(&self) -> &Rules {
        &self.rules
    }
}

impl Game for SevenColors {
    type State = Position;
    type Move = Colour;
    /// A board with seat 0 in one corner and seat 1 in the other.
    type Setup = Board;

    const META: Meta = Meta::duel(
        "seven-colors",
        "Seven Colors",
        "flood a board of colours from one's corner, and have more than half of it",
    );

    fn start(&self, setup: &Board) -> Result<Position, ParseError> {
        generate::check(&self.rules, setup)?;
        Position::new(self.rules, setup.clone(), Seat::FIRST, [None; SEATS])
    }

    /// Random boards. Seven Colors has no openings.
    fn setups(
        &self,
        _seats: usize,
        _plies: usize,
        rng: Rng,
    ) -> impl Iterator<Item = Self::Setup> + Send + use<> {
        generate::SevenColorsSetups::new(self.rules, rng)
    }

    fn perft(&self, state: &Position, depth: u32) -> u64 {
        state.leaves(depth)
    }
}
