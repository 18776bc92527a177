//! What a solution is worth.

use super::letters::{Meaning, Symbol};
use super::play::{EndReason, IllegalCommand, Play};
use super::{Phrases, Terrain};
use std::fmt;

/// Why a game is worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZeroReason {
    /// A valid move to a position that the unit had held.
    Repeat,
    /// A command after the last unit was placed.
    AfterSourceEmpty,
    /// A command after a unit found no room to appear.
    AfterBoardFull,
    /// A character that is no letter and not passed over.
    InvalidCharacter,
    /// The problem has no such seed.
    UnlistedSeed,
}

/// What makes a game worth nothing, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZeroScore {
    /// The reason.
    pub reason: ZeroReason,
    /// The character and its index, counted from 0; none where the seed is the reason.
    pub at: Option<(usize, char)>,
}

/// How a solution ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionEnd {
    /// All units were placed.
    SourceEmpty,
    /// A unit found no room to appear.
    BoardFull,
    /// It stops while a unit moves.
    MidGame,
    /// It is worth nothing.
    ZeroScore(ZeroScore),
}

impl SolutionEnd {
    /// Its word.
    pub fn word(&self) -> &'static str {
        match self {
            SolutionEnd::SourceEmpty => "source-empty",
            SolutionEnd::BoardFull => "board-full",
            SolutionEnd::MidGame => "mid-game",
            SolutionEnd::ZeroScore(zero) => match zero.reason {
                ZeroReason::Repeat => "repeat",
                ZeroReason::AfterSourceEmpty => "after-source-empty",
                ZeroReason::AfterBoardFull => "after-board-full",
                ZeroReason::InvalidCharacter => "invalid-character",
                ZeroReason::UnlistedSeed => "unlisted-seed",
            },
        }
    }
}

impl fmt::Display for ZeroScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((index, character)) = self.at {
            write!(f, "character {index}, {character:?}: ")?;
        }
        f.write_str(match self.reason {
            ZeroReason::Repeat => "the unit was there before",
            ZeroReason::AfterSourceEmpty => "a command after the last unit",
            ZeroReason::AfterBoardFull => "a command after the board was full",
            ZeroReason::InvalidCharacter => "no command, and nothing that is passed over",
            ZeroReason::UnlistedSeed => "the problem has no such seed",
        })
    }
}

/// The score of a game and what it is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// How the solution ends.
    pub ending: SolutionEnd,
    /// The points for units and rows.
    pub moves: u64,
    /// The points for phrases.
    pub power: u64,
    /// How often each phrase was found; empty for a game worth nothing.
    pub counts: Vec<u32>,
    /// How many units were locked.
    pub locked: u32,
    /// How many rows were removed.
    pub lines: u32,
    /// How many commands were carried out, the one that repeats a position included.
    pub commands: u64,
}

impl Score {
    /// The score.
    pub fn total(&self) -> u64 {
        self.moves + self.power
    }

    /// A solution for a seed that the problem has not.
    fn of_unlisted_seed() -> Score {
        let ending =
            SolutionEnd::ZeroScore(ZeroScore { reason: ZeroReason::UnlistedSeed, at: None });
        Score { ending, moves: 0, power: 0, counts: vec![], locked: 0, lines: 0, commands: 0 }
    }
}

/// Scores a solution for a seed, as the contest did.
pub fn score(terrain: &Terrain, seed: u32, solution: &str, phrases: &Phrases) -> Score {
    if !terrain.problem().source_seeds.contains(&seed) {
        return Score::of_unlisted_seed();
    }
    let mut play = Play::new(terrain, seed);
    let mut visits = vec![0u32; phrases.nodes()];
    let (mut node, mut commands) = (Phrases::ROOT, 0);
    let mut illegal = None;
    for (at, byte) in solution.bytes().enumerate() {
        let symbol = Symbol::of(byte);
        node = phrases.next(node, symbol);
        visits[usize::from(node)] += 1;
        match symbol.meaning() {
            Meaning::Command(command) => {
                if let Err(reason) = play.play(terrain, command) {
                    commands += u64::from(reason == IllegalCommand::Repeat);
                    illegal = Some((at, zero_reason(reason)));
                    break;
                }
                commands += 1;
            }
            Meaning::Ignored => {}
            Meaning::Invalid => {
                illegal = Some((at, ZeroReason::InvalidCharacter));
                break;
            }
        }
    }
    let (locked, lines) = (play.locked(), play.lines());
    let Some((at, reason)) = illegal else {
        let counts = phrases.counts(visits);
        let (moves, power) = (play.points(), phrases.power(&counts));
        return Score { ending: ending(&play), moves, power, counts, locked, lines, commands };
    };
    let character = solution[at..].chars().next().expect("a character begins there");
    let index = solution[..at].chars().count();
    let ending = SolutionEnd::ZeroScore(ZeroScore { reason, at: Some((index, character)) });
    Score { ending, moves: 0, power: 0, counts: Vec::new(), locked, lines, commands }
}

fn zero_reason(illegal: IllegalCommand) -> ZeroReason {
    match illegal {
        IllegalCommand::Repeat => ZeroReason::Repeat,
        IllegalCommand::Over(EndReason::SourceEmpty) => ZeroReason::AfterSourceEmpty,
        IllegalCommand::Over(EndReason::BoardFull) => ZeroReason::AfterBoardFull,
    }
}

fn ending(play: &Play) -> SolutionEnd {
    match play.end() {
        Some(EndReason::SourceEmpty) => SolutionEnd::SourceEmpty,
        Some(EndReason::BoardFull) => SolutionEnd::BoardFull,
        None => SolutionEnd::MidGame,
    }
}
