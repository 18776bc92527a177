//! A bundled bot inside this process: the console that its program would run, without pipes.

use super::{Player, Seating, Shutdown};
use crate::player::fault::Fault;
use arbitre_games::console::Console;
use arbitre_process::exit::Exit;
use arbitre_process::process::{Answer, Wanted};
use arbitre_process::stopwatch::Limit;
use std::sync::Arc;
use std::time::Instant;

/// Function that creates a new console, as a start of the program would.
pub type Factory = Arc<dyn Fn() -> Box<dyn Console> + Send + Sync>;

/// Bot in this process. It cannot be interrupted: a late answer is only detected afterwards.
pub struct InProcess {
    factory: Factory,
    console: Option<Box<dyn Console>>,
    said: String,
    /// Whether the text in `said` has been used and is cleared before the next lines.
    is_answered: bool,
}

impl InProcess {
    /// Creates a player whose console is made by `factory`.
    pub fn new(factory: Factory) -> InProcess {
        InProcess { factory, console: None, said: String::new(), is_answered: false }
    }

    fn hear(&mut self, text: &str) -> Result<(), Fault> {
        let console = self.console.as_mut().ok_or(Fault::Disconnect)?;
        if std::mem::take(&mut self.is_answered) {
            self.said.clear();
        }
        for line in text.lines() {
            // A program would report such an error and exit with this code.
            console.hear(line, &mut self.said).map_err(|error| {
                log::error!("in-process player: {error}");
                Fault::Crash(Exit::Code(2))
            })?;
        }
        Ok(())
    }
}

impl Player for InProcess {
    fn sit(&mut self, _: &[String]) -> Result<Seating, Fault> {
        if self.console.is_some() {
            return Ok(Seating::Kept);
        }
        self.said.clear();
        self.is_answered = false;
        self.console.insert((self.factory)()).start(&mut self.said);
        Ok(Seating::Fresh)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        _: Wanted,
        _: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let asked = Instant::now();
        self.hear(prompt)?;
        let spent = asked.elapsed();
        self.is_answered = true;
        match limit.time {
            Some(time) if !limit.allows(spent) => Err(Fault::timeout(time)),
            _ => Ok(Answer::of_wall(self.said.trim_end(), spent)),
        }
    }

    fn tell(&mut self, text: &str) {
        let _ = self.hear(text);
        // Output that follows no question is not an answer.
        self.is_answered = true;
    }

    fn leave(&mut self, how: Shutdown) {
        if how != Shutdown::Stay {
            self.console = None;
        }
    }
}
