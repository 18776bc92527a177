//! What a player is told of its time: the words of the `clock` and `go` lines.

use crate::game::ParseError;
use crate::text::word_of;
use std::fmt;
use std::time::Duration;

/// Which time counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClockKind {
    /// The time on the wall.
    #[default]
    Wall,
    /// The processor time of the player's processes.
    Cpu,
}

impl ClockKind {
    /// Every kind with its word.
    pub const WORDS: [(&'static str, ClockKind); 2] =
        [("wall", ClockKind::Wall), ("cpu", ClockKind::Cpu)];
}

/// The limits of one player, as the `clock` line tells them. Absent: not limited that way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Which time counts.
    pub kind: ClockKind,
    /// The initialisation; [`Clock::DEFAULT_INIT`] where the line does not say.
    pub init: Option<Duration>,
    /// The first move of a game.
    pub first: Option<Duration>,
    /// Each later move.
    pub per_move: Option<Duration>,
    /// All moves of a game together.
    pub game: Option<Duration>,
    /// What the game's clock gains with each move.
    pub increment: Duration,
    /// Nodes searched per move.
    pub nodes: Option<u64>,
    /// Plies searched per move.
    pub depth: Option<u32>,
}

impl Clock {
    /// The initialisation time that a `clock` line need not mention.
    pub const DEFAULT_INIT: Duration = Duration::from_secs(10);

    /// Is there any limit in time on moves?
    pub fn is_timed(&self) -> bool {
        self.first.or(self.per_move).or(self.game).is_some()
    }

    /// Reads what follows the word `clock`: the kind, then names with numbers. A kind or a name that
    /// is unknown is passed over, so that a bot of today understands a referee of tomorrow.
    ///
    /// # Errors
    /// If a number is missing.
    pub fn parse(text: &str) -> Result<Clock, ParseError> {
        let mut clock = Clock::default();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let is_number = |at: usize| words.get(at).is_some_and(|word| word.parse::<u64>().is_ok());
        let kind = words.first().filter(|_| !is_number(1));
        let known = ClockKind::WORDS.iter().find(|(word, _)| Some(word) == kind);
        clock.kind = known.map_or(ClockKind::default(), |(_, kind)| *kind);
        for pair in words[usize::from(kind.is_some())..].chunks(2) {
            let value = pair.get(1).and_then(|word| word.parse().ok()).ok_or_else(|| {
                ParseError::new(format!("expected a number after '{}' in 'clock {text}'", pair[0]))
            })?;
            clock.set(pair[0], value);
        }
        Ok(clock)
    }

    fn set(&mut self, name: &str, value: u64) {
        let time = Duration::from_millis(value);
        match name {
            "init" => self.init = Some(time),
            "first" => self.first = Some(time),
            "move" => self.per_move = Some(time),
            "game" => self.game = Some(time),
            "increment" => self.increment = time,
            "nodes" => self.nodes = Some(value),
            "depth" => self.depth = Some(value.try_into().unwrap_or(u32::MAX)),
            _ => {}
        }
    }
}

/// What follows the word `clock`.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |time: Duration| time.as_millis() as u64;
        let increment = self.game.map(|_| millis(self.increment));
        let pairs = [
            ("init", self.init.map(millis)),
            ("first", self.first.map(millis)),
            ("move", self.per_move.map(millis)),
            ("game", self.game.map(millis)),
            ("increment", increment),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
        ];
        let mut words: Vec<String> = Vec::new();
        if self.is_timed() {
            words.push(word_of(self.kind, &ClockKind::WORDS).into());
        } else if self.nodes.is_none() && self.depth.is_none() {
            words.push("none".into());
        }
        let given = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
        words.extend(given.map(|(name, value)| format!("{name} {value}")));
        f.write_str(&words.join(" "))
    }
}

/// The time for one answer, as the `go` line tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// No limit in time.
    Untimed,
    /// So long for this move.
    Move(Duration),
    /// A game's clock: what is left of it, and what it gains with this move.
    Game {
        /// What is left.
        remaining: Duration,
        /// What this move will add.
        increment: Duration,
    },
}

impl Go {
    /// Reads what follows the word `go`.
    ///
    /// # Errors
    /// If it is neither nothing, nor one number, nor two.
    pub fn parse(text: &str) -> Result<Go, ParseError> {
        let expected =
            || ParseError::new(format!("expected milliseconds after 'go', not '{text}'"));
        let millis = |word: &str| word.parse().map(Duration::from_millis).map_err(|_| expected());
        let mut words = text.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (None, ..) => Ok(Go::Untimed),
            (Some(time), None, _) => Ok(Go::Move(millis(time)?)),
            (Some(left), Some(gain), None) => {
                Ok(Go::Game { remaining: millis(left)?, increment: millis(gain)? })
            }
            _ => Err(expected()),
        }
    }
}

/// The whole line, `go` included.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Go::Untimed => f.write_str("go"),
            Go::Move(time) => write!(f, "go {}", time.as_millis()),
            Go::Game { remaining, increment } => {
                write!(f, "go {} {}", remaining.as_millis(), increment.as_millis())
            }
        }
    }
}

/// What a player has left of its time in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemainingTime {
    remaining: Option<Duration>,
    moves: u32,
}

impl RemainingTime {
    /// A player's time at the start of a game.
    pub fn new(clock: &Clock) -> RemainingTime {
        RemainingTime { remaining: clock.game, moves: 0 }
    }

    /// What the next prompt says.
    pub fn go(&self, clock: &Clock) -> Go {
        match (self.remaining, self.move_limit(clock)) {
            (Some(remaining), _) => Go::Game { remaining, increment: clock.increment },
            (None, Some(limit)) => Go::Move(limit),
            (None, None) => Go::Untimed,
        }
    }

    /// The limit of the next answer, margin not included.
    pub fn limit(&self, clock: &Clock) -> Option<Duration> {
        [self.remaining, self.move_limit(clock)].into_iter().flatten().min()
    }

    /// Charges an answer. The margin is not paid back: a clock stops at zero.
    pub fn charge(&mut self, spent: Duration, clock: &Clock) {
        self.moves += 1;
        if let Some(remaining) = &mut self.remaining {
            *remaining = remaining.saturating_sub(spent) + clock.increment;
        }
    }

    fn move_limit(&self, clock: &Clock) -> Option<Duration> {
        let first = clock.first.filter(|_| self.moves == 0);
        first.or(clock.per_move)
    }
}
