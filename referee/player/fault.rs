//! Every way in which a player can fail, named once.

use crate::escape::escape;
use arbitre_games::text::format_duration;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(number) => match signal_hook::low_level::signal_name(*number) {
                Some(name) => write!(f, "signal {number}, {name}"),
                None => write!(f, "signal {number}"),
            },
        }
    }
}

/// What a player did wrong. In turn-based play the first fault decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Its process ended before it answered.
    Crash(Exit),
    /// It closed its output, or its person left.
    Disconnect,
    /// It did not answer in time.
    Timeout {
        /// The time it had, without the margin.
        limit: Duration,
        /// What it had said of a line that it did not end.
        partial: String,
    },
    /// It answered with a move that the rules forbid.
    Illegal {
        /// The answer.
        answer: String,
        /// What the rules say.
        why: String,
    },
    /// It answered with what is no move.
    Invalid {
        /// What it said.
        answer: String,
        /// What was expected.
        why: String,
    },
    /// It spoke before it was asked, and so was not asked any more.
    Unasked {
        /// What it said.
        answer: String,
    },
    /// It sent a line that is too long.
    OutputLimit {
        /// The longest line allowed, in bytes.
        limit: usize,
    },
    /// Its program cannot be executed, or has never said that it is ready in this run. The game is
    /// void: nobody's strength was seen.
    NotStarted {
        /// What happened instead.
        why: String,
    },
}

impl Fault {
    /// Nothing came in time.
    pub fn timeout(limit: Duration) -> Fault {
        Fault::Timeout { limit, partial: String::new() }
    }

    /// Could the answer be waiting in a buffer of the player's own?
    pub fn may_be_unflushed(&self) -> bool {
        matches!(self, Fault::Timeout { partial, .. } if partial.is_empty())
    }

    /// The word for it, the same in every table, record and protocol.
    pub fn word(&self) -> &'static str {
        match self {
            Fault::Crash(_) => "crash",
            Fault::Disconnect => "disconnect",
            Fault::Timeout { .. } => "timeout",
            Fault::Illegal { .. } => "illegal",
            Fault::Invalid { .. } | Fault::Unasked { .. } => "invalid",
            Fault::OutputLimit { .. } => "output-limit",
            Fault::NotStarted { .. } => "not-started",
        }
    }
}

/// What happened, as the end of a sentence that begins with the player's name.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crash(exit) => write!(f, "ended before it answered ({exit})"),
            Fault::Disconnect => f.write_str("closed its output"),
            Fault::Timeout { limit, partial } => {
                write!(f, "did not answer within {}", format_duration(*limit))?;
                match partial.as_str() {
                    "" => Ok(()),
                    said => {
                        write!(f, "; it had said '{}' without ending the line", escape(said))
                    }
                }
            }
            Fault::Illegal { answer, why } => {
                write!(f, "played '{}', which is illegal: {}", escape(answer), escape(why))
            }
            Fault::Invalid { answer, why } => {
                write!(f, "said '{}': {}", escape(answer), escape(why))
            }
            Fault::Unasked { answer } => {
                write!(f, "said '{}': this came before the player was asked", escape(answer))
            }
            Fault::OutputLimit { limit } => write!(f, "sent a line of more than {limit} bytes"),
            Fault::NotStarted { why } => write!(f, "could not be started: {why}"),
        }
    }
}
