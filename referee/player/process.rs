//! A player that is a program.

use super::{Player, Seating};
use crate::player::fault::Fault;
use crate::player::program::explain;
use arbitre_process::process::{Answer, Process, Wanted};
use arbitre_process::stopwatch::Limit;
use arbitre_process::sys;

impl Player for Process {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        let seating = if self.is_running() { Seating::Kept } else { Seating::Fresh };
        self.start(arguments).map_err(|error| Fault::NotStarted {
            why: explain(self.program(), &error),
            is_by_machine: sys::is_lack_of_resources(&error),
        })?;
        Ok(seating)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        Ok(self.request(prompt, limit, wanted, on_thinking)?)
    }

    fn tell(&mut self, text: &str) {
        Process::tell(self, text);
    }

    fn process(&self) -> Option<&Process> {
        Some(self)
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        Some(self)
    }
}
