//! Tron: light cycles that leave walls behind.
//!
//! Two to four cycles start on free cells of a grid and move one cell per turn, seat by seat. All
//! cells that a cycle has been on are its ribbon. A cycle that leaves the grid or enters an occupied
//! cell is out, and so is one that has nowhere to go when its turn comes: it is not asked. Whoever
//! goes out takes the whole ribbon along, and the others play on until one is left. Places are in
//! the reverse order of going out.
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

use crate::game::{Game, Meta, ParseError};
use crate::rng::Rng;
use grid::Grid;

/// How many cycles there are at most.
pub const MOST_SEATS: usize = 4;

/// The game with its options chosen.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::tron::{Direction, Point, Tron};
/// let game = Tron::from_rules("size=5x4").unwrap();
/// let setup = game.parse_setup(&["start 0 0 0", "start 1 4 3"]).unwrap();
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
    /// The game with these rules.
    pub fn new(rules: Rules) -> Tron {
        let grid = Grid::new(rules.width(), rules.height(), rules.walls());
        Tron { rules, grid }
    }

    /// Its options.
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

    /// Starts from which every cycle owns about the same number of cells. There are no openings.
    fn setups(
        &self,
        seats: usize,
        _plies: usize,
        rng: Rng,
    ) -> impl Iterator<Item = Starts> + Send + use<> {
        generate::TronSetups::new(self.clone(), seats, rng)
    }
}
