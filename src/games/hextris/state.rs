//! A position in a game: what was played so far, and what it leads to.

use super::letters::{Command, Symbol};
use super::phrases::PhraseNode;
use super::play::{EndReason, IllegalCommand, Play};
use super::{Phrases, Setup, Terrain};
use crate::game::{IllegalMove, Outcome, ParseError, Seat, Seats, State};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A character of a solution: a letter that commands, an ignored one, or [`Character::STOP`], which
/// ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Character(u8);

impl Character {
    /// Ends the game where it is. The contest has no such character: there a solution just stops.
    pub const STOP: Character = Character(b'$');

    /// This character, if it belongs in a solution; upper case counts as lower case.
    pub fn new(c: char) -> Option<Character> {
        let byte = u8::try_from(c).ok().filter(u8::is_ascii)?.to_ascii_lowercase();
        let is_known = byte == Character::STOP.0 || Symbol::of(byte).is_valid();
        is_known.then_some(Character(byte))
    }

    /// It, in lower case.
    pub fn char(self) -> char {
        self.0.into()
    }

    /// Returns the command that it means; a character that is ignored, and the stop, mean none.
    fn command(self) -> Option<Command> {
        Symbol::of(self.0).command()
    }
}

/// A position.
#[derive(Clone, Debug)]
pub struct Position {
    setup: Setup,
    terrain: Arc<Terrain>,
    phrases: Arc<Phrases>,
    play: Play,
    /// What was played, the stop included.
    played: String,
    node: PhraseNode,
    counts: Vec<u32>,
    has_stopped: bool,
    gave_up: bool,
}

impl Position {
    /// The game of a setup at its start.
    ///
    /// # Errors
    /// If the problem has no such seed, or its first unit finds no room to appear.
    pub(super) fn new(setup: &Setup, phrases: &Arc<Phrases>) -> Result<Position, ParseError> {
        let (problem, seed) = (&setup.problem, setup.seed);
        if !problem.source_seeds.contains(&seed) {
            let message = format!("expected a seed of problem {}, not {seed}", problem.id);
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

    /// What it began with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Board, units and what was made of them.
    pub fn progress(&self) -> &Play {
        &self.play
    }

    /// The problem made ready.
    pub fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// The phrases of power.
    pub fn phrases(&self) -> &Arc<Phrases> {
        &self.phrases
    }

    /// The characters that were played.
    pub fn played(&self) -> &str {
        &self.played
    }

    /// The node of the automaton at which the text so far ends.
    pub fn node(&self) -> PhraseNode {
        self.node
    }

    /// How often each phrase was played.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The score so far.
    pub fn score(&self) -> u64 {
        self.play.points() + self.phrases.power(&self.counts)
    }

    fn is_over(&self) -> bool {
        self.gave_up || self.has_stopped || self.play.end().is_some()
    }

    /// Returns the reason why this character is illegal. Ignored characters never are.
    fn objection(&self, seat: Seat, character: Character) -> Option<IllegalMove> {
        if seat != Seat::FIRST {
            return Some(IllegalMove("there is but one seat"));
        }
        match character.command() {
            None if character != Character::STOP => None,
            _ if self.gave_up || self.has_stopped => Some(IllegalMove("the game is over")),
            Some(command) => self.play.check(&self.terrain, command).err().map(refusal),
            None => self.is_over().then_some(IllegalMove("the game is over")),
        }
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

    /// All letters of the commands that are allowed, and the stop.
    fn for_each_move(&self, seat: Seat, mut found: impl FnMut(Character) -> ControlFlow<()>) {
        if !self.to_move().contains(seat) {
            return;
        }
        let is_allowed = |command: &Command| self.play.check(&self.terrain, *command).is_ok();
        let commands = Command::ALL.into_iter().filter(is_allowed);
        let letters = commands.flat_map(|command| command.letters()).map(|&byte| Character(byte));
        // Whoever listens may break off; there is nothing left to do then.
        let _ = letters.chain([Character::STOP]).try_for_each(&mut found);
    }

    fn play(&mut self, seat: Seat, character: Character) -> Result<(), IllegalMove> {
        match self.objection(seat, character) {
            Some(reason) => Err(reason),
            None => {
                self.play_unchecked(seat, character);
                Ok(())
            }
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
            // An illegal one leaves a position without meaning, as it may.
            let _ = self.play.play(&self.terrain, command);
        }
    }

    fn forfeit(&mut self, seats: Seats) {
        self.gave_up |= !self.is_over() && seats.contains(Seat::FIRST);
    }

    /// Who gave up went out.
    fn outcome(&self) -> Option<Outcome> {
        let out = Some(Seats::one(Seat::FIRST)).filter(|_| self.gave_up);
        self.is_over().then(|| Outcome {
            scores: vec![self.score() as i64],
            out: out.into_iter().collect(),
            lower_is_better: false,
        })
    }
}
