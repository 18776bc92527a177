//! A player that is a program: started without a shell, spoken to through pipes.

use super::process_group::ProcessGroups;
use super::running::{RunningProcess, CHUNK};
use super::stderr::Tail;
use super::{Answer, Player, Seating, Shutdown, Wanted};
use crate::player::fault::{Exit, Fault};
use crate::player::program::Program;
use crate::player::stopwatch::Limit;
use std::time::Duration;

/// How long a program may take to end by itself when its input has ended.
const END_AFTER_LAST_GAME: Duration = Duration::from_millis(100);

/// A program in the hands of the referee: not started, running, or kept from game to game.
pub struct Process {
    program: Program,
    processes: ProcessGroups,
    live: Option<RunningProcess>,
    stderr: Tail,
    line: String,
}

impl Process {
    /// A player that this program will be.
    pub fn new(program: Program, processes: ProcessGroups) -> Process {
        Process { program, processes, live: None, stderr: Tail::default(), line: String::new() }
    }

    /// What it says of itself within `patience`, up to the end of a line, and whether it can say
    /// more; for those who look closer at what went wrong.
    pub fn overhear(&mut self, patience: Duration) -> (String, bool) {
        let overheard = self.live.as_mut().map(|live| live.overhear(patience, &mut self.stderr));
        overheard.unwrap_or_default()
    }

    /// Ends its input.
    pub fn close_input(&mut self) {
        self.live.iter_mut().for_each(RunningProcess::close_input);
    }

    /// Waits until it has ended, and says how, if it does within `patience`. What it says meanwhile
    /// is dropped.
    pub fn await_end(&mut self, patience: Duration) -> Option<Exit> {
        let live = self.live.as_mut()?;
        live.wait_for_end(patience, &mut self.stderr);
        live.exit()
    }

    fn end(&mut self, how: Shutdown) {
        if let Some(mut live) = self.live.take() {
            if how == Shutdown::Finish {
                live.close_input();
                live.wait_for_end(END_AFTER_LAST_GAME, &mut self.stderr);
            }
            self.processes.end(live.group());
            live.reap(&mut self.stderr);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Shutdown::AtOnce);
    }
}

impl Player for Process {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        if let Some(live) = &mut self.live {
            live.drop_leftovers(&mut self.stderr);
            return Ok(Seating::Kept);
        }
        let live = RunningProcess::start(&self.program, arguments)
            .map_err(|error| Fault::NotStarted { why: self.program.explain(&error) })?;
        self.processes.add(live.group());
        self.live = Some(live);
        Ok(Seating::Fresh)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        mut wanted: Wanted,
    ) -> Result<Answer<'_>, Fault> {
        let live = self.live.as_mut().ok_or(Fault::Disconnect)?;
        if wanted.is_some() {
            live.drop_leftovers(&mut self.stderr);
        } else if !prompt.is_empty() {
            // A player that is told nothing already knew that it is its turn, as before move one.
            live.refuse_unasked(&mut self.stderr)?;
        }
        let watch = live.hand_over(prompt.as_bytes(), limit, &mut self.stderr)?;
        if limit.whole {
            live.close_input();
        }
        loop {
            let spent = live.await_line(&watch, limit, &mut self.stderr, &mut self.line)?;
            if wanted.as_mut().is_none_or(|is_wanted| is_wanted(&self.line)) {
                return Ok(Answer { line: &self.line, spent });
            }
        }
    }

    fn tell(&mut self, text: &str) {
        if let Some(live) = &mut self.live {
            let brief = Limit { time: Some(END_AFTER_LAST_GAME), ..Limit::untimed(CHUNK) };
            let _ = live.hand_over(text.as_bytes(), &brief, &mut self.stderr);
        }
    }

    fn leave(&mut self, how: Shutdown) {
        if how != Shutdown::Stay {
            self.end(how);
        }
    }

    fn take_stderr(&mut self) -> String {
        self.stderr.take()
    }
}
