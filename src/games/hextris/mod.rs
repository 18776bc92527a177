//! Hextris, the task of the ICFP programming contest of 2015: units of hexagonal cells sink on a
//! honeycomb, full rows go, and phrases of power spelt by the commands are worth more than either.
//! A game of one seat.
//!
//! [`score`] judges a whole solution as the contest did. A search works with [`Terrain`] (a problem
//! made ready), [`Piece`] (positions of a unit, and where commands take it), [`Board`] (rows of
//! bits), [`points`] and [`Phrases`] (the automaton of the phrases); [`Play`] puts them together
//! command by command.

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

use crate::game::{Game, Meta, ParseError};
use crate::rng::Rng;
use std::sync::Arc;

/// What a game starts from.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The problem.
    pub problem: Arc<Problem>,
    /// One of its seeds.
    pub seed: u32,
}

/// The game with its options chosen.
///
/// ```
/// use arbitre_games::dialect::Notation;
/// use arbitre_games::game::{Game, Seat, State};
/// use arbitre_games::games::hextris::Hextris;
/// let game = Hextris::from_rules("phrases=ei!").unwrap();
/// let setup = game.parse_setup(&["problem {\"id\":0,\"width\":3,\"height\":3,\"filled\":[],
///     \"units\":[{\"members\":[{\"x\":0,\"y\":0}],\"pivot\":{\"x\":0,\"y\":0}}],
///     \"sourceLength\":1,\"sourceSeeds\":[0]}", "seed 0"]).unwrap();
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
    /// The game with these rules.
    ///
    /// # Panics
    /// If there are more phrases than [`Rules::parse`] takes.
    pub fn new(rules: Rules) -> Hextris {
        let phrases = Phrases::new(&rules.phrases).expect("rules have as many phrases as can be");
        Hextris { rules, phrases: Arc::new(phrases) }
    }

    /// Its options.
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

    /// Problems of our own making, a seed each. There are no openings.
    fn setups(
        &self,
        _seats: usize,
        _plies: usize,
        rng: Rng,
    ) -> impl Iterator<Item = Setup> + Send + use<> {
        generate::setups(self.rules.clone(), rng)
    }
}
