//! Course of a game of CodinGame's SDK, as far as it decides how another process plays it.

use super::message::Message;
use crate::escape::escape;

/// Messages and replies of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// First message.
    pub init: Vec<String>,
    /// Replies to calls.
    pub replies: Vec<Reply>,
    /// Messages that came, without those for a viewer.
    pub messages: Vec<Message>,
}

/// Reply to a call of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Answer with its lines, and its time in milliseconds.
    Answer(u128, Vec<String>),
    /// None in time.
    Timeout,
}

impl Course {
    /// Returns the number of seats.
    pub fn seats(&self) -> usize {
        self.init.first().and_then(|seats| seats.parse().ok()).unwrap_or_default()
    }

    /// Returns the first difference of another course, if there is one.
    pub fn difference(&self, other: &Course) -> Option<String> {
        let none = Message { name: "nothing".into(), lines: Vec::new() };
        let more = || std::iter::repeat(&none);
        let mut pairs = self.messages.iter().chain(more()).zip(other.messages.iter().chain(more()));
        let longer = self.messages.len().max(other.messages.len());
        let (one, two) = pairs.by_ref().take(longer).find(|(one, two)| one != two)?;
        let shown = |of: &Message| {
            let line =
                of.lines.iter().find(|line| !one.lines.contains(line) || !two.lines.contains(line));
            escape(&line.map_or(of.name.clone(), |line| format!("{} {line}", of.name)))
        };
        Some(format!("'{}', then '{}'", shown(one), shown(two)))
    }
}
