//! Hextris, the task of the ICFP programming contest 2015: a solo game. Units of hexagonal cells
//! sink on a honeycomb, and full rows are removed. The letters of the commands spell phrases of
//! power, which score extra points.
//!
//! [`score`] scores a whole solution as the contest did. A search uses [`Terrain`] (a preprocessed
//! problem), [`Piece`] (positions and commands of a unit), [`Board`] (a bitboard), [`points`] and
//! [`Phrases`] (an Aho-Corasick automaton). [`Play`] combines them, one command at a time.

mod board;
mod generate;
mod hexes;
pub mod icfp2015;
pub mod json;
mod lcg;
mod letters;
mod phrases;
mod piece;
mod play;
mod problem;
pub mod reference;
mod rules;
mod score;
mod solution;
mod state;
mod terrain;
mod text;

#[cfg(test)]
mod tests;

pub use board::{Board, Row};
pub use generate::problem as draw_problem;
pub use hexes::{AxialCoord, Cell};
pub use lcg::Lcg;
pub use letters::{Command, Symbol};
pub use phrases::{LetterChoice, PhraseNode, Phrases, FIRST_USE, OFFICIAL, PHRASES_LIMIT};
pub use piece::{CommandShift, Piece, UnitPosition};
pub use play::{Effect, EndReason, IllegalCommand, Play};
pub use problem::{Problem, Unit, HIGHEST, LONGEST, WIDEST};
pub use rules::{Rules, OPTIONS, PRESETS};
pub use score::{score, Score, SolutionEnd, ZeroReason, ZeroScore};
pub use solution::Solution;
pub use state::{Character, Position};
pub use terrain::{points, Terrain};
pub use text::ANSWER_LIMIT;

use crate::game::{Game, Meta, ParseError, State};
use crate::rng::Rng;
use std::sync::Arc;

/// Initial state of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The problem.
    pub problem: Arc<Problem>,
    /// Seed of the game, one of the problem's.
    pub seed: u32,
}

/// The game with resolved rules.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::hextris::Hextris;
/// let game = Hextris::from_rules("phrases=ei!").unwrap();
/// let setup = game.parse_setup(&["problem {\"id\":0,\"width\":3,\"height\":3,\"filled\":[],
///     \"units\":[{\"members\":[{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],
///     \"sourceLength\":1,\"sourceSeeds\":[0]}", "seed 0"], Seat::FIRST).unwrap();
/// let mut position = game.start(&setup).unwrap();
/// for character in game.parse_path("ei!$").unwrap() {
///     position.play(Seat::FIRST, character).unwrap();
/// }
/// assert_eq!(position.outcome().unwrap().scores, [306]);
/// ```
#[derive(Clone, Debug)]
pub struct Hextris {
    rules: Rules,
    phrases: Arc<Phrases>,
}

impl Hextris {
    /// Creates the game with these rules.
    ///
    /// # Panics
    /// Panics if there are more phrases than [`Rules::parse`] accepts.
    pub fn new(rules: Rules) -> Hextris {
        let phrases = Phrases::new(&rules.phrases).expect("rules keep the limit of phrases");
        Hextris { rules, phrases: Arc::new(phrases) }
    }

    /// Returns the options of the rules.
    pub fn options(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Hextris {
    type State = Position;
    type Move = Character;
    type Setup = Setup;

    const META: Meta = Meta {
        name: "hextris",
        title: "Hextris",
        summary: "place units on a honeycomb, clear rows, and spell phrases of power on the way",
        seats: (1, 1),
        lower_is_better: false,
    };

    fn start(&self, setup: &Setup) -> Result<Position, ParseError> {
        Position::new(setup, &self.phrases)
    }

    /// Returns randomly drawn problems with one seed each. Both counts are ignored: the game is
    /// solo and has no openings.
    fn setups(
        &self,
        _seats: usize,
        _plies: usize,
        rng: Rng,
    ) -> impl Iterator<Item = Setup> + Send + use<> {
        generate::setups(self.rules.clone(), rng)
    }

    fn perft(&self, state: &Position, depth: u32) -> u64 {
        state.leaves(depth)
    }
}
