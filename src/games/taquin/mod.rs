//! Taquin, the sliding-tile puzzle: a grid of tiles and one blank, which a move slides up, down,
//! left or right. The goal has the tiles in order and the blank last. It is a solo game; fewer
//! moves are better.
//!
//! Tiles are numbered from 0, and boards have 2 to 10 rows and columns. Both follow a course sheet
//! ("Algorithme A* : jeu du Taquin"). Other [`Convention`]s can be read and written.

mod board;
pub mod codingame;
mod conventions;
mod generate;
pub mod reference;
mod rules;
mod state;
mod text;

#[cfg(test)]
mod tests;

pub use board::{Board, Direction, LONGEST_SIDE, SHORTEST_SIDE};
pub use conventions::{Convention, Layout, Size};
pub use generate::{uniform, walk};
pub use rules::{parse_size, Rules, Scramble, OPTIONS, PRESETS};
pub use state::Position;
pub use text::{parse_path, path_letters, path_words};

use crate::game::{Game, Meta, ParseError, State};
use crate::rng::Rng;

/// The game with its rules.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::taquin::{Direction, Taquin};
/// let game = Taquin::from_rules("size=2x3").unwrap();
/// let setup = game.parse_setup(&["0 1 2 / 3 _ 4"], Seat::FIRST).unwrap();
/// let mut position = game.start(&setup).unwrap();
/// position.play(Seat::FIRST, Direction::Right).unwrap();
/// assert_eq!(position.outcome().unwrap().scores, [1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taquin {
    /// Options of the rules.
    pub rules: Rules,
}

impl Game for Taquin {
    type State = Position;
    type Move = Direction;
    type Setup = Board;

    const META: Meta = Meta {
        name: "taquin",
        title: "Taquin",
        summary: "slide the tiles of a scrambled grid into order, in as few moves as possible",
        seats: (1, 1),
        lower_is_better: true,
    };

    fn start(&self, setup: &Board) -> Result<Position, ParseError> {
        Position::new(self.rules, setup.clone(), 0)
    }

    /// Returns boards that are solvable and not yet solved. There are no openings.
    fn setups(&self, _: usize, _: usize, rng: Rng) -> impl Iterator<Item = Board> + Send + use<> {
        generate::setups(self.rules, rng)
    }

    fn perft(&self, state: &Position, depth: u32) -> u64 {
        state.leaves(depth)
    }
}
