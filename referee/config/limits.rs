//! The terms under which a player plays: its clock, and what the referee adds to it.

use arbitre_games::clock::{Clock, ClockKind};
use arbitre_games::text::format_duration;
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
    pub const INIT: Duration = arbitre_games::clock::Clock::DEFAULT_INIT;
    /// What the referee allows on top of each limit, for its own delays.
    pub const MARGIN: Duration = Duration::from_millis(10);
}

/// The terms of one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerLimits {
    /// What the player is told.
    #[serde(with = "ClockForm")]
    pub clock: Clock,
    /// What it is allowed on top of every limit.
    pub margin: Duration,
}

impl Default for PlayerLimits {
    fn default() -> Self {
        let clock = Clock {
            first: Some(defaults::FIRST_MOVE),
            per_move: Some(defaults::MOVE),
            ..Clock::default()
        };
        PlayerLimits { clock, margin: defaults::MARGIN }
    }
}

/// As people read it.
impl fmt::Display for PlayerLimits {
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

impl PlayerLimits {
    /// No limit on moves.
    pub fn untimed() -> PlayerLimits {
        PlayerLimits { clock: Clock::default(), ..PlayerLimits::default() }
    }

    /// The initialisation time.
    pub fn init(&self) -> Duration {
        self.clock.init.unwrap_or(defaults::INIT)
    }
}
