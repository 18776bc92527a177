//! A player that follows a script, in simulated time.

use super::{Player, Seating};
use crate::player::fault::Fault;
use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::Limit;
use std::collections::VecDeque;
use std::time::Duration;

/// One scripted answer: the time it takes, and its text or a fault.
pub type Line = (Duration, Result<String, Fault>);

/// Scripted player. After its last line it closes its output.
pub struct Script {
    seating: Result<Seating, Fault>,
    lines: VecDeque<Line>,
    current: String,
    /// Every text sent to the player.
    pub heard: Vec<String>,
}

impl Script {
    /// Creates a script of `lines`.
    pub fn new(lines: impl IntoIterator<Item = Line>) -> Script {
        let lines = lines.into_iter().collect();
        Script { seating: Ok(Seating::Fresh), lines, current: String::new(), heard: Vec::new() }
    }

    /// Creates a player that fails to start, with the fault `why`.
    pub fn absent(why: Fault) -> Script {
        Script { seating: Err(why), ..Script::new([]) }
    }

    /// Sets the start state of the player.
    pub fn seated(self, seating: Seating) -> Script {
        Script { seating: Ok(seating), ..self }
    }

    /// Creates a script that answers each line after one millisecond.
    pub fn of(lines: &[&str]) -> Script {
        Script::new(lines.iter().map(|line| (Duration::from_millis(1), Ok((*line).into()))))
    }
}

impl Player for Script {
    fn sit(&mut self, _: &[String]) -> Result<Seating, Fault> {
        self.seating.clone()
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        _: Wanted,
        _: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        // A player that sends output before it is asked does not receive the question.
        if !matches!(self.lines.front(), Some((_, Err(Fault::Unasked { .. })))) {
            self.heard.push(prompt.into());
        }
        let (spent, said) = self.lines.pop_front().ok_or(Fault::Disconnect)?;
        match limit.time {
            Some(time) if !limit.allows(spent) => Err(Fault::timeout(time)),
            _ => {
                self.current = said?;
                // A recorded time counts as it was charged, whatever clock measured it.
                Ok(Answer::of_wall(&self.current, spent))
            }
        }
    }

    fn tell(&mut self, text: &str) {
        self.heard.push(text.into());
    }
}
