//! Every way in which a player can fail, named once.

use crate::text::format_duration;
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
                        write!(f, "; it had said '{}' without ending the line", printable(said))
                    }
                }
            }
            Fault::Illegal { answer, why } => {
                write!(f, "played '{}', which is illegal: {}", printable(answer), printable(why))
            }
            Fault::Invalid { answer, why } => {
                write!(f, "said '{}': {}", printable(answer), printable(why))
            }
            Fault::Unasked { answer } => {
                write!(f, "said '{}': this came before the player was asked", printable(answer))
            }
            Fault::OutputLimit { limit } => write!(f, "sent a line of more than {limit} bytes"),
            Fault::NotStarted { why } => write!(f, "could not be started: {why}"),
        }
    }
}

/// The longest piece of a player's text that a message shows, in characters.
const SHOWN: usize = 200;

/// A player's text, safe on a terminal: one line, no control characters, not too long.
pub fn printable(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).flat_map(escaped).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Is this a control character, or one that changes the direction of writing?
pub fn needs_escape(c: char) -> bool {
    let turns_text = matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns_text
}

/// Control characters and those that change the direction of writing are written as escapes.
fn escaped(c: char) -> Vec<char> {
    if needs_escape(c) {
        c.escape_default().collect()
    } else {
        vec![c]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_player_reaches_the_terminal_raw() {
        assert_eq!(printable("\x1b[2J\u{202e}é\r\n"), "\\u{1b}[2J\\u{202e}é\\r\\n");
        assert_eq!(printable(&"x".repeat(1000)).chars().count(), SHOWN + 1);
    }
}
