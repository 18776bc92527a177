//! A player that is a program.

use super::refusal::in_words;
use super::{Player, Seating, Shutdown};
use crate::player::fault::Fault;
use crate::player::program::explain;
use arbitre_process::attempts::Attempts;
use arbitre_process::process::{Answer, Process, Uncharged, Wanted};
use arbitre_process::quota;
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

    fn rest(&mut self, may_think: bool) {
        Process::rest(self, may_think);
    }

    fn note_ready(&mut self) {
        self.end_start();
    }

    fn has_quota(&self) -> bool {
        quota::has_room()
    }

    fn freeze(&mut self) {
        Process::freeze(self);
    }

    fn holds_quota(&self) -> bool {
        Process::holds_quota(self)
    }

    fn has_left_processors(&self) -> bool {
        Process::has_left_processors(self)
    }

    fn take_attempts(&mut self) -> Attempts {
        Process::take_attempts(self)
    }

    fn take_uncharged(&mut self) -> Uncharged {
        Process::take_uncharged(self)
    }

    fn leave(&mut self, how: Shutdown) {
        match how {
            Shutdown::Stay => {}
            Shutdown::Finish => self.finish(),
            Shutdown::AtOnce => self.kill(),
        }
    }

    fn settle(&mut self) {
        Process::settle(self);
    }

    fn take_stderr(&mut self) -> String {
        Process::take_stderr(self)
    }

    fn stderr(&self) -> String {
        Process::stderr(self)
    }

    fn refused(&self, stderr: &str) -> Option<String> {
        self.refusal(stderr).map(|refusal| in_words(&refusal))
    }
}
