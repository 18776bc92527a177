//! The score of a solution.

use super::letters::Symbol;
use super::play::{EndReason, IllegalCommand, Play};
use super::{Phrases, Terrain};
use std::fmt;

/// Reason why a game scores zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZeroReason {
    /// An illegal command.
    Illegal(IllegalCommand),
    /// A character that is neither a letter nor ignored.
    InvalidCharacter,
    /// A seed that the problem does not list.
    UnlistedSeed,
}

impl ZeroReason {
    /// Returns the word for the reason, and a description.
    fn words(self) -> [&'static str; 2] {
        match self {
            ZeroReason::Illegal(IllegalCommand::Repeat) => ["repeat", "the unit was there before"],
            ZeroReason::Illegal(IllegalCommand::Over(EndReason::SourceEmpty)) => {
                ["after-source-empty", "a command after the last unit"]
            }
            ZeroReason::Illegal(IllegalCommand::Over(EndReason::BoardFull)) => {
                ["after-board-full", "a command after the board was full"]
            }
            ZeroReason::InvalidCharacter => {
                ["invalid-character", "no command, and nothing that is passed over"]
            }
            ZeroReason::UnlistedSeed => ["unlisted-seed", "the problem has no such seed"],
        }
    }
}

/// The reason why a game scores zero, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZeroScore {
    /// The reason.
    pub reason: ZeroReason,
    /// The index of the character, counted from 0, and the character; `None` for an unlisted seed.
    pub at: Option<(usize, char)>,
}

impl fmt::Display for ZeroScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((index, character)) = self.at {
            write!(f, "character {index}, {character:?}: ")?;
        }
        f.write_str(self.reason.words()[1])
    }
}

/// State of the game at the end of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionEnd {
    /// The game is over.
    Over(EndReason),
    /// The solution ends while a unit moves.
    MidGame,
    /// The game scores zero.
    ZeroScore(ZeroScore),
}

impl SolutionEnd {
    /// Returns the word for the state.
    pub fn word(&self) -> &'static str {
        match self {
            SolutionEnd::Over(EndReason::SourceEmpty) => "source-empty",
            SolutionEnd::Over(EndReason::BoardFull) => "board-full",
            SolutionEnd::MidGame => "mid-game",
            SolutionEnd::ZeroScore(zero) => zero.reason.words()[0],
        }
    }
}

/// Score of a game with its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// State of the game at the end of the solution.
    pub ending: SolutionEnd,
    /// Points for units and rows.
    pub moves: u64,
    /// Points for phrases.
    pub power: u64,
    /// Number of occurrences of each phrase; empty for a game that scores zero.
    pub counts: Vec<u32>,
    /// Number of units locked.
    pub locked: u32,
    /// Number of rows removed.
    pub lines: u32,
    /// Number of commands carried out, including one that repeats a position.
    pub commands: u64,
}

impl Score {
    /// Returns the sum of all points.
    pub fn total(&self) -> u64 {
        self.moves + self.power
    }

    fn zero(reason: ZeroReason, at: Option<(usize, char)>) -> Score {
        let ending = SolutionEnd::ZeroScore(ZeroScore { reason, at });
        Score { ending, moves: 0, power: 0, counts: vec![], locked: 0, lines: 0, commands: 0 }
    }
}

/// Scores a solution for a seed, as the contest did.
pub fn score(terrain: &Terrain, seed: u32, solution: &str, phrases: &Phrases) -> Score {
    if !terrain.problem().source_seeds.contains(&seed) {
        return Score::zero(ZeroReason::UnlistedSeed, None);
    }
    let mut play = Play::new(terrain, seed);
    let mut visits = vec![0u32; phrases.nodes()];
    let (mut node, mut commands) = (Phrases::ROOT, 0);
    let mut zero = None;
    for (at, byte) in solution.bytes().enumerate() {
        let symbol = Symbol::of(byte);
        node = phrases.next(node, symbol);
        visits[usize::from(node)] += 1;
        if let Some(command) = symbol.command() {
            if let Err(reason) = play.play(terrain, command) {
                // The contest counts a repeated position as carried out, unlike a command after the
                // end.
                commands += u64::from(reason == IllegalCommand::Repeat);
                zero = Some((at, ZeroReason::Illegal(reason)));
                break;
            }
            commands += 1;
        } else if !symbol.is_valid() {
            zero = Some((at, ZeroReason::InvalidCharacter));
            break;
        }
    }
    let (locked, lines) = (play.locked(), play.lines());
    if let Some((at, reason)) = zero {
        let character = solution[at..].chars().next().expect("a character begins there");
        let index = solution[..at].chars().count();
        let score = Score::zero(reason, Some((index, character)));
        return Score { locked, lines, commands, ..score };
    }
    let ending = play.end().map_or(SolutionEnd::MidGame, SolutionEnd::Over);
    let counts = phrases.counts(visits);
    let (moves, power) = (play.points(), phrases.power(&counts));
    Score { ending, moves, power, counts, locked, lines, commands }
}
