//! A player that says what it was told to say, in time that nobody has to wait for.

use super::{Answer, Player, Seating, Shutdown, Wanted};
use crate::player::fault::Fault;
use crate::player::stopwatch::Limit;
use std::collections::VecDeque;
use std::time::Duration;

/// What the script says once: after how long, and what.
pub type Line = (Duration, Result<String, Fault>);

/// A scripted player. When its lines are used up it closes its output.
pub struct Script {
    seating: Result<Seating, Fault>,
    lines: VecDeque<Line>,
    current: String,
    /// Every text that it was given, for tests to look at.
    pub heard: Vec<String>,
}

impl Script {
    /// A script of these lines.
    pub fn new(lines: impl IntoIterator<Item = Line>) -> Script {
        let lines = lines.into_iter().collect();
        Script { seating: Ok(Seating::Fresh), lines, current: String::new(), heard: Vec::new() }
    }

    /// A player that does not come to the table, and why.
    pub fn absent(why: Fault) -> Script {
        Script { seating: Err(why), ..Script::new([]) }
    }

    /// The same player, sitting down like this.
    pub fn seated(self, seating: Seating) -> Script {
        Script { seating: Ok(seating), ..self }
    }

    /// A script that says each line after a millisecond.
    pub fn of(lines: &[&str]) -> Script {
        Script::new(lines.iter().map(|line| (Duration::from_millis(1), Ok((*line).into()))))
    }
}

impl Player for Script {
    fn sit(&mut self, _: &[String]) -> Result<Seating, Fault> {
        self.seating.clone()
    }

    fn ask(&mut self, prompt: &str, limit: &Limit, _: Wanted) -> Result<Answer<'_>, Fault> {
        // Whoever speaks before it is asked does not hear the question.
        if !matches!(self.lines.front(), Some((_, Err(Fault::Unasked { .. })))) {
            self.heard.push(prompt.into());
        }
        let (spent, said) = self.lines.pop_front().ok_or(Fault::Disconnect)?;
        match limit.time {
            Some(time) if !limit.allows(spent) => Err(Fault::timeout(time)),
            _ => {
                self.current = said?;
                Ok(Answer { line: &self.current, spent })
            }
        }
    }

    fn tell(&mut self, text: &str) {
        self.heard.push(text.into());
    }

    fn leave(&mut self, _: Shutdown) {}
}
