//! Tron: light cycles that leave walls behind.
//!
//! Two to four cycles start on free cells of a grid and move one cell per turn, in seat order. The
//! cells that a cycle has visited form its trail. A cycle that leaves the grid or enters an
//! occupied cell is eliminated. A cycle without a legal move on its turn is eliminated without
//! being asked for a move. Its whole trail is removed, and the others play on until one is left.
//! Places are in the reverse order of elimination.
//!
//! The origin is the top left corner; up is towards smaller `y`.

mod arena_game;
pub mod codingame;
mod generate;
pub mod google2010;
mod grid;
pub mod reference;
mod rules;
mod state;
mod text;

#[cfg(test)]
mod tests;

pub use generate::{owned_cells, Starts};
pub use grid::{CellContent, Direction, Point, LONGEST_SIDE};
pub use rules::{Rules, OPTIONS, PRESETS};
pub use state::Position;

use crate::game::{Game, Meta, ParseError, State};
use crate::rng::Rng;
use grid::Grid;

/// Largest number of cycles in a game.
pub const MOST_SEATS: usize = 4;

/// A game of Tron with its rules.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::tron::{Direction, Point, Tron};
/// let game = Tron::from_rules("size=5x4").unwrap();
/// let setup = game.parse_setup(&["start 0 0 0", "start 1 4 3"], Seat::FIRST).unwrap();
/// let mut position = game.start(&setup).unwrap();
/// position.play(Seat::FIRST, Direction::Right).unwrap();
/// assert_eq!(position.head(Seat::FIRST), Some(Point { x: 1, y: 0 }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tron {
    rules: Rules,
    grid: Grid,
}

impl Tron {
    /// Creates the game with these rules.
    pub fn new(rules: Rules) -> Tron {
        let grid = Grid::new(rules.width(), rules.height(), rules.walls());
        Tron { rules, grid }
    }

    /// Returns the rules.
    pub fn options(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Tron {
    type State = Position;
    type Move = Direction;
    type Setup = Starts;

    const META: Meta = Meta {
        name: "tron",
        title: "Tron",
        summary: "steer a cycle that leaves a wall behind, and outlast the others",
        seats: (2, MOST_SEATS),
        lower_is_better: false,
    };

    fn start(&self, setup: &Starts) -> Result<Position, ParseError> {
        Position::new(&self.grid, setup)
    }

    fn seats(&self, setup: &Starts) -> usize {
        setup.seats()
    }

    /// Returns starts from which every cycle owns about the same number of cells. `_plies` is
    /// ignored, as Tron has no openings.
    fn setups(
        &self,
        seats: usize,
        _plies: usize,
        rng: Rng,
    ) -> impl Iterator<Item = Starts> + Send + use<> {
        generate::TronSetups::new(self.clone(), seats, rng)
    }

    fn perft(&self, state: &Position, depth: u32) -> u64 {
        state.leaves(depth)
    }
}
