//! A position of a game: the characters played so far, and their effect.

use super::letters::{Command, Symbol};
use super::phrases::PhraseNode;
use super::play::{EndReason, IllegalCommand, Play};
use super::{Phrases, Setup, Terrain};
use crate::game::{IllegalMove, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A character of a solution: a letter for a command, an ignored one, or [`Character::STOP`], which
/// ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Character(u8);

impl Character {
    /// The character that ends the game. The contest has none: there a solution just ends.
    pub const STOP: Character = Character(b'$');

    /// Creates the character if a solution may contain it; upper case counts as lower case.
    pub fn new(c: char) -> Option<Character> {
        let byte = u8::try_from(c).ok().filter(u8::is_ascii)?.to_ascii_lowercase();
        let is_known = byte == Character::STOP.0 || Symbol::of(byte).is_valid();
        is_known.then_some(Character(byte))
    }

    /// Returns the character in lower case.
    pub fn char(self) -> char {
        self.0.into()
    }

    /// Returns the command of a letter, and `None` for an ignored character and the stop.
    fn command(self) -> Option<Command> {
        Symbol::of(self.0).command()
    }
}

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Position {
    setup: Setup,
    terrain: Arc<Terrain>,
    phrases: Arc<Phrases>,
    play: Play,
    /// Characters played, the stop included.
    played: String,
    node: PhraseNode,
    counts: Vec<u32>,
    has_stopped: bool,
    gave_up: bool,
}

impl Position {
    /// Starts the game of a setup.
    ///
    /// # Errors
    /// Returns an error if the problem does not list the seed, or its first unit cannot spawn.
    pub(super) fn new(setup: &Setup, phrases: &Arc<Phrases>) -> Result<Position, ParseError> {
        let (problem, seed) = (&setup.problem, setup.seed);
        if !problem.source_seeds.contains(&seed) {
            let message = format!("expected a seed of problem {}, got {seed}", problem.id);
            return Err(ParseError::new(message));
        }
        let terrain = Arc::new(Terrain::new((**problem).clone()));
        let play = Play::new(&terrain, seed);
        if play.end().is_some() {
            return Err(ParseError::new("expected a board on which the first unit finds room"));
        }
        Ok(Position {
            setup: setup.clone(),
            terrain,
            play,
            played: String::new(),
            node: Phrases::ROOT,
            counts: vec![0; phrases.texts().len()],
            phrases: phrases.clone(),
            has_stopped: false,
            gave_up: false,
        })
    }

    /// Returns the setup of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the board, the units, and the points for them.
    pub fn progress(&self) -> &Play {
        &self.play
    }

    /// Returns the preprocessed problem.
    pub fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// Returns the phrases of power.
    pub fn phrases(&self) -> &Arc<Phrases> {
        &self.phrases
    }

    /// Returns the characters played.
    pub fn played(&self) -> &str {
        &self.played
    }

    /// Returns the node of the automaton at the end of the text so far.
    pub fn node(&self) -> PhraseNode {
        self.node
    }

    /// Returns the number of occurrences of each phrase.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Returns the score so far.
    pub fn score(&self) -> u64 {
        self.play.points() + self.phrases.power(&self.counts)
    }

    fn is_over(&self) -> bool {
        self.gave_up || self.has_stopped || self.play.end().is_some()
    }
}

fn refusal(illegal: IllegalCommand) -> IllegalMove {
    IllegalMove(match illegal {
        IllegalCommand::Repeat => "the unit was there before",
        IllegalCommand::Over(EndReason::SourceEmpty) => "the last unit was placed",
        IllegalCommand::Over(EndReason::BoardFull) => "the board is full",
    })
}

impl State for Position {
    type Move = Character;

    fn to_move(&self) -> Seats {
        match self.is_over() {
            false => Seats::one(Seat::FIRST),
            true => Seats::NONE,
        }
    }

    /// Visits all letters of the legal commands, then the stop.
    fn for_each_move(&self, seat: Seat, mut found: impl FnMut(Character) -> ControlFlow<()>) {
        if !self.to_move().contains(seat) {
            return;
        }
        let is_allowed = |command: &Command| self.play.check(&self.terrain, *command).is_ok();
        let commands = Command::ALL.into_iter().filter(is_allowed);
        let letters = commands.flat_map(|command| command.letters()).map(|&byte| Character(byte));
        // A break by `found` needs no further action.
        let _ = letters.chain([Character::STOP]).try_for_each(&mut found);
    }

    /// For the only seat, ignored characters are never illegal.
    fn check(&self, seat: Seat, character: Character) -> Result<(), IllegalMove> {
        if seat != Seat::FIRST {
            return Err(IllegalMove("there is but one seat"));
        }
        match character.command() {
            None if character != Character::STOP => Ok(()),
            _ if self.gave_up || self.has_stopped => Err(IllegalMove("the game is over")),
            Some(command) => self.play.check(&self.terrain, command).map_err(refusal),
            None if self.is_over() => Err(IllegalMove("the game is over")),
            None => Ok(()),
        }
    }

    fn play_unchecked(&mut self, _seat: Seat, character: Character) {
        self.played.push(character.char());
        self.node = self.phrases.after(self.node, character.0);
        let ended = self.phrases.ended(self.node);
        let numbered = self.counts.iter_mut().enumerate();
        numbered.for_each(|(number, count)| *count += (ended >> number & 1) as u32);
        self.has_stopped |= character == Character::STOP;
        if let Some(command) = character.command() {
            // After an illegal command the position has no meaning; the trait allows that.
            let _ = self.play.play(&self.terrain, command);
        }
    }

    fn forfeit(&mut self, seats: Seats) {
        self.gave_up |= !self.is_over() && seats.contains(Seat::FIRST);
    }

    fn end_reason(&self) -> Option<&'static str> {
        match self.play.end() {
            _ if self.gave_up => None,
            Some(EndReason::SourceEmpty) => Some("the last unit was placed"),
            Some(EndReason::BoardFull) => Some("the next unit finds no room"),
            None => self.has_stopped.then_some("the player stopped the game"),
        }
    }

    /// Returns the score once the game is over. A player that forfeited is out.
    fn outcome(&self) -> Option<Outcome> {
        let out = Some(Seats::one(Seat::FIRST)).filter(|_| self.gave_up);
        self.is_over().then(|| Outcome {
            scores: vec![self.score() as i64],
            out: out.into_iter().collect(),
            lower_is_better: false,
        })
    }
}
