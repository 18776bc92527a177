//! The terms under which a player plays: its clock, and what the referee adds to it.

use crate::clock::{Clock, ClockKind, Go};
use crate::text::format_duration;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The defaults that `--help` and the README show.
pub mod defaults {
    use std::time::Duration;

    /// Games per pairing.
    pub const GAMES: u64 = 100;
    /// Games under a sequential test, which seldom needs so many.
    pub const GAMES_OF_A_TEST: u64 = 100_000;
    /// Time per move.
    pub const MOVE: Duration = Duration::from_millis(100);
    /// Time for the first move of a game.
    pub const FIRST_MOVE: Duration = Duration::from_secs(1);
    /// Time for the initialisation.
    pub const INIT: Duration = crate::clock::Clock::DEFAULT_INIT;
    /// What the referee allows on top of each limit, for its own delays.
    pub const MARGIN: Duration = Duration::from_millis(10);
}

/// The terms of one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// What the player is told.
    #[serde(with = "ClockForm")]
    pub clock: Clock,
    /// What it is allowed on top of every limit.
    pub margin: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        let clock = Clock {
            first: Some(defaults::FIRST_MOVE),
            per_move: Some(defaults::MOVE),
            ..Clock::default()
        };
        Terms { clock, margin: defaults::MARGIN }
    }
}

/// As people read it.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, margin {}", self.clock, format_duration(self.margin))
    }
}

/// How a clock is kept: exactly, unlike the line of a protocol, which rounds.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Clock")]
struct ClockForm {
    #[serde(with = "ClockKindForm")]
    kind: ClockKind,
    init: Option<Duration>,
    first: Option<Duration>,
    per_move: Option<Duration>,
    game: Option<Duration>,
    increment: Duration,
    nodes: Option<u64>,
    depth: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ClockKind", rename_all = "kebab-case")]
enum ClockKindForm {
    Wall,
    Cpu,
}

impl Terms {
    /// No limit on moves.
    pub fn untimed() -> Terms {
        Terms { clock: Clock::default(), ..Terms::default() }
    }

    /// The initialisation time.
    pub fn init(&self) -> Duration {
        self.clock.init.unwrap_or(defaults::INIT)
    }

    /// A player's time at the start of a game.
    pub fn stock(&self) -> Stock {
        Stock { remaining: self.clock.game, moves: 0 }
    }
}

/// What a player has left of its time in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stock {
    remaining: Option<Duration>,
    moves: u32,
}

impl Stock {
    /// What the next prompt says.
    pub fn go(&self, terms: &Terms) -> Go {
        match (self.remaining, self.move_limit(terms)) {
            (Some(remaining), _) => Go::Game { remaining, increment: terms.clock.increment },
            (None, Some(limit)) => Go::Move(limit),
            (None, None) => Go::Untimed,
        }
    }

    /// The limit of the next answer, margin not included.
    pub fn limit(&self, terms: &Terms) -> Option<Duration> {
        [self.remaining, self.move_limit(terms)].into_iter().flatten().min()
    }

    /// Charges an answer. The margin is not paid back: a clock stops at zero.
    pub fn charge(&mut self, spent: Duration, terms: &Terms) {
        self.moves += 1;
        if let Some(remaining) = &mut self.remaining {
            *remaining = remaining.saturating_sub(spent) + terms.clock.increment;
        }
    }

    fn move_limit(&self, terms: &Terms) -> Option<Duration> {
        let first = terms.clock.first.filter(|_| self.moves == 0);
        first.or(terms.clock.per_move)
    }
}
