//! A player that says what it was told to say, in time that nobody has to wait for.

use super::{Answer, Leave, Player, Seating};
use crate::referee::fault::Fault;
use crate::referee::stopwatch::Limit;
use std::collections::VecDeque;
use std::time::Duration;

/// What the script says once: after how long, and what.
pub type Line = (Duration, Result<String, Fault>);

/// A scripted player. When its lines are used up it closes its output.
#[derive(Default)]
pub struct Script {
    lines: VecDeque<Line>,
    current: String,
    /// Every text that it was given, for tests to look at.
    pub heard: Vec<String>,
}

impl Script {
    /// A script of these lines.
    pub fn new(lines: impl IntoIterator<Item = Line>) -> Script {
        Script { lines: lines.into_iter().collect(), ..Script::default() }
    }

    /// A script that says each line after a millisecond.
    pub fn of(lines: &[&str]) -> Script {
        Script::new(lines.iter().map(|line| (Duration::from_millis(1), Ok((*line).into()))))
    }
}

impl Player for Script {
    fn sit(&mut self, _: &[String]) -> Result<Seating, Fault> {
        Ok(Seating::Fresh)
    }

    fn ask(&mut self, prompt: &str, limit: &Limit) -> Result<Answer<'_>, Fault> {
        self.heard.push(prompt.into());
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

    fn leave(&mut self, _: Leave) {}
}
