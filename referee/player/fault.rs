//! All faults of players, with one name for each.

use crate::escape::escape;
use arbitre_games::text::format_duration;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// Way in which a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// The process exited with this code.
    Code(i32),
    /// The process was ended by this signal.
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

/// Fault of a player. In turn-based play the first fault decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The process ended before it answered.
    Crash(Exit),
    /// The player closed its output, or the person left.
    Disconnect,
    /// The player did not answer in time.
    Timeout {
        /// Time limit, without the margin.
        limit: Duration,
        /// Start of a line that the player had not ended.
        partial: String,
    },
    /// The player answered with a move that the rules forbid.
    Illegal {
        /// The answer.
        answer: String,
        /// Reason given by the rules.
        why: String,
    },
    /// The player answered with text that is not a move.
    Invalid {
        /// The answer.
        answer: String,
        /// Reason why the answer is not a move.
        why: String,
    },
    /// The player sent output before it was asked, and was therefore not asked any more.
    Unasked {
        /// The output.
        answer: String,
    },
    /// The player sent a line that is too long.
    OutputLimit {
        /// Longest line allowed, in bytes.
        limit: usize,
    },
    /// The program cannot be executed, or never showed that it is ready. The game is void, because
    /// it shows nothing about strength.
    NotStarted {
        /// Reason, or the behaviour seen instead.
        why: String,
    },
}

impl Fault {
    /// Words of all faults.
    pub const WORDS: [&'static str; 7] =
        ["crash", "disconnect", "timeout", "illegal", "invalid", "output-limit", "not-started"];

    /// Creates a timeout without a partial line.
    pub fn timeout(limit: Duration) -> Fault {
        Fault::Timeout { limit, partial: String::new() }
    }

    /// Returns `true` if the answer may still be in the player's own output buffer.
    pub fn may_be_unflushed(&self) -> bool {
        matches!(self, Fault::Timeout { partial, .. } if partial.is_empty())
    }

    /// Returns the reason of a failure to start, or the fault as the end of a sentence.
    pub fn reason(&self) -> String {
        match self {
            Fault::NotStarted { why } => why.clone(),
            fault => format!("it {fault}"),
        }
    }

    /// Returns the word for this fault, the same in every table, record and protocol.
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

/// Writes the fault as the end of a sentence that begins with the player's name.
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
