//! Limits of a player: its clock, and the margin that the referee adds.

use arbitre_games::clock::{Clock, ClockKind};
use arbitre_games::text::format_duration;
use arbitre_process::stopwatch::Counting;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Defaults that `--help` and the README show.
pub mod defaults {
    use arbitre_games::clock::ClockKind;
    use std::time::Duration;

    /// Time that counts.
    pub const CLOCK: ClockKind = ClockKind::Fair;
    /// Number of games per pairing. Not tuned.
    pub const GAMES: u64 = 100;
    /// Maximum number of games under an SPRT, which seldom needs that many. Not tuned.
    pub const GAMES_OF_A_TEST: u64 = 100_000;
    /// Time per move. Not tuned.
    pub const MOVE: Duration = Duration::from_millis(100);
    /// Time for the first move of a game. Not tuned.
    pub const FIRST_MOVE: Duration = Duration::from_secs(1);
    /// Time for the initialisation.
    pub const INIT: Duration = arbitre_games::clock::Clock::DEFAULT_INIT;
    /// Margin on top of each limit, for the referee's own delays. Not tuned.
    pub const MARGIN: Duration = Duration::from_millis(10);
}

/// Number of answers per game that may use the overtime. A change that was proposed for CodinGame's
/// engine in March 2026 makes the third a timeout.
pub const LATE_ANSWERS: u32 = 2;

/// Limits of one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerLimits {
    /// Clock that the player is sent.
    #[serde(with = "ClockForm")]
    pub clock: Clock,
    /// Margin on top of every limit, which the player is not sent.
    pub margin: Duration,
    /// Time by which up to [`LATE_ANSWERS`] answers of a game may be late, beyond the margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overtime: Option<Duration>,
    /// Whether the player may think while its opponents do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether the rules set the time of each answer, and the clock only states what is usual.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_rules: bool,
}

/// Returns the time that counts, of this kind and for a player with this number of threads.
pub fn counting(kind: ClockKind, threads: Option<u32>) -> Counting {
    match kind {
        ClockKind::Wall => Counting::Wall,
        ClockKind::Cpu => Counting::Cpu,
        ClockKind::Fair => Counting::Fair { threads: threads.unwrap_or(1) },
    }
}

impl PlayerLimits {
    /// Returns the time that counts.
    pub fn counting(&self) -> Counting {
        counting(self.clock.kind, self.clock.threads)
    }
}

impl Default for PlayerLimits {
    fn default() -> Self {
        let clock = Clock {
            kind: defaults::CLOCK,
            first: Some(defaults::FIRST_MOVE),
            per_move: Some(defaults::MOVE),
            ..Clock::default()
        };
        PlayerLimits {
            clock,
            margin: defaults::MARGIN,
            overtime: None,
            ponder: false,
            by_rules: false,
        }
    }
}

/// Format for people.
impl fmt::Display for PlayerLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.by_rules {
            true => write!(f, "as the game sets them")?,
            false => write!(f, "{}", self.clock)?,
        }
        write!(f, ", margin {}", format_duration(self.margin))?;
        if let Some(time) = self.overtime {
            write!(f, ", overtime {}", format_duration(time))?;
        }
        f.write_str(if self.ponder { ", ponder" } else { "" })
    }
}

/// Serialised form of a clock. It is exact, unlike the line of a protocol, which rounds.
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    threads: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ClockKind", rename_all = "kebab-case")]
enum ClockKindForm {
    Wall,
    Cpu,
    Fair,
}

impl PlayerLimits {
    /// Returns limits without any limit on moves.
    pub fn untimed() -> PlayerLimits {
        PlayerLimits { clock: Clock::default(), ..PlayerLimits::default() }
    }

    /// Returns the initialisation time.
    pub fn init(&self) -> Duration {
        self.clock.init.unwrap_or(defaults::INIT)
    }
}
