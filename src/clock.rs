//! The limits of a player, and the text of the `clock` and `go` lines that announce them.

use crate::game::ParseError;
use crate::text::word_of;
use std::fmt;
use std::time::Duration;

/// Kind of time that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClockKind {
    /// Wall time.
    #[default]
    Wall,
    /// CPU time of the player's processes.
    Cpu,
    /// Wall time in which the player did not wait for a processor, or its CPU time per thread if
    /// that is more.
    Fair,
}

impl ClockKind {
    /// Every kind with its word on the `clock` line.
    pub const WORDS: [(&'static str, ClockKind); 3] =
        [("fair", ClockKind::Fair), ("wall", ClockKind::Wall), ("cpu", ClockKind::Cpu)];
}

/// Limits of one player, as the `clock` line states them. An absent limit does not apply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Kind of time that is counted.
    pub kind: ClockKind,
    /// Initialisation time; [`Clock::DEFAULT_INIT`] if the line does not state it.
    pub init: Option<Duration>,
    /// Time limit of the first move of a game.
    pub first: Option<Duration>,
    /// Time limit of each later move; also of the first, if `first` is absent.
    pub per_move: Option<Duration>,
    /// Time for all moves of a game together.
    pub game: Option<Duration>,
    /// Time added to the game clock after each move.
    pub increment: Duration,
    /// Limit of nodes searched per move.
    pub nodes: Option<u64>,
    /// Limit of plies searched per move.
    pub depth: Option<u32>,
    /// Number of threads that the player may use at once; one if absent.
    pub threads: Option<u32>,
}

impl Clock {
    /// Initialisation time if the `clock` line does not state it.
    pub const DEFAULT_INIT: Duration = Duration::from_secs(10);

    /// Returns `true` if moves have a time limit.
    pub fn is_timed(&self) -> bool {
        self.first.or(self.per_move).or(self.game).is_some()
    }

    /// Parses the text after the word `clock`: the kind, then names with numbers. Unknown kinds and
    /// names are ignored, so that a bot of today understands a later referee.
    ///
    /// # Errors
    /// Returns an error if a number is missing.
    pub fn parse(text: &str) -> Result<Clock, ParseError> {
        let mut clock = Clock::default();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let is_number = |at: usize| words.get(at).is_some_and(|word| word.parse::<u64>().is_ok());
        // A line without a kind begins with a name and its number.
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
            "threads" => self.threads = Some(value.try_into().unwrap_or(u32::MAX)),
            _ => {}
        }
    }
}

/// Writes the text after the word `clock`.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |time: Duration| time.as_millis() as u64;
        // Without a game clock there is nothing to add an increment to.
        let increment = self.game.map(|_| millis(self.increment));
        let pairs = [
            ("init", self.init.map(millis)),
            ("first", self.first.map(millis)),
            ("move", self.per_move.map(millis)),
            ("game", self.game.map(millis)),
            ("increment", increment),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("threads", self.threads.map(u64::from)),
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

/// Time for one answer, as the `go` line states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// No time limit.
    Untimed,
    /// Time limit of this move.
    Move(Duration),
    /// Game clock before this move.
    Game {
        /// Remaining time.
        remaining: Duration,
        /// Time added after this move.
        increment: Duration,
    },
}

impl Go {
    /// Parses the text after the word `go`.
    ///
    /// # Errors
    /// Returns an error unless the text is empty, one number or two numbers.
    pub fn parse(text: &str) -> Result<Go, ParseError> {
        let expected =
            || ParseError::new(format!("expected milliseconds after 'go', got '{text}'"));
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

/// Writes the whole line, including the word `go`.
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

/// Remaining time of a player in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemainingTime {
    remaining: Option<Duration>,
    moves: u32,
}

impl RemainingTime {
    /// Returns the time of a player at the start of a game.
    pub fn new(clock: &Clock) -> RemainingTime {
        RemainingTime { remaining: clock.game, moves: 0 }
    }

    /// Returns the time that the next `go` line announces.
    pub fn go(&self, clock: &Clock) -> Go {
        match (self.remaining, self.move_limit(clock)) {
            (Some(remaining), _) => Go::Game { remaining, increment: clock.increment },
            (None, Some(limit)) => Go::Move(limit),
            (None, None) => Go::Untimed,
        }
    }

    /// Returns the time limit of the next answer, without the margin.
    pub fn limit(&self, clock: &Clock) -> Option<Duration> {
        [self.remaining, self.move_limit(clock)].into_iter().flatten().min()
    }

    /// Deducts the time of an answer. The clock stops at zero: time taken from the margin is not
    /// deducted later.
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
