//! A player that is a program, started without a shell and connected through pipes.

use super::process_group::ProcessGroups;
use super::running::{RunningProcess, CHUNK};
use super::stderr::Tail;
use super::{Answer, Player, Seating, Shutdown, Wanted};
use crate::player::fault::{Exit, Fault};
use crate::player::program::Program;
use crate::player::stopwatch::Limit;
use arbitre_games::clock::ClockKind;
use std::time::Duration;

/// Time that a program has to end by itself once its input has ended, or to read a text that needs
/// no answer. Not tuned.
const END_AFTER_LAST_GAME: Duration = Duration::from_millis(100);

/// Program as a player: not started, running, or kept from game to game.
pub struct Process {
    program: Program,
    processes: ProcessGroups,
    live: Option<RunningProcess>,
    /// Killed program that may not be gone yet.
    killed: Option<RunningProcess>,
    stderr: Tail,
    line: String,
}

impl Process {
    /// Creates a player that starts `program` when it sits down.
    pub fn new(program: Program, processes: ProcessGroups) -> Process {
        let (stderr, line) = (Tail::default(), String::new());
        Process { program, processes, live: None, killed: None, stderr, line }
    }

    /// Returns the output that comes within `patience`, up to the end of a line, and whether more
    /// can come. `referee check` uses it to diagnose a faulty player.
    pub fn overhear(&mut self, patience: Duration) -> (String, bool) {
        let overheard = self.live.as_mut().map(|live| live.overhear(patience, &mut self.stderr));
        overheard.unwrap_or_default()
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.live.iter_mut().for_each(RunningProcess::close_input);
    }

    /// Waits up to `patience` for the program to end, and returns how it ended. Output that comes
    /// meanwhile is dropped.
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
            // Everything is killed: the program may have left children behind.
            live.kill(&self.processes, &mut self.stderr);
            self.killed = Some(live);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Shutdown::AtOnce);
        self.settle();
    }
}

impl Player for Process {
    fn sit(&mut self, arguments: &[String]) -> Result<Seating, Fault> {
        if let Some(live) = &mut self.live {
            live.drop_leftovers(&mut self.stderr);
            return Ok(Seating::Kept);
        }
        self.settle();
        let live = RunningProcess::start(&self.program, arguments, &self.processes)
            .map_err(|error| Fault::NotStarted { why: self.program.explain(&error) })?;
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
            // An empty prompt means that the player already knew that it was its turn, as at its
            // first move.
            live.refuse_unasked(&mut self.stderr)?;
        }
        let watch = live.hand_over(prompt.as_bytes(), limit, &mut self.stderr)?;
        if limit.until_eof {
            // No input follows where the answer is all output.
            live.close_input();
        }
        loop {
            let spent = live.await_line(&watch, limit, &mut self.stderr, &mut self.line)?;
            if wanted.as_mut().is_none_or(|is_wanted| is_wanted(&self.line)) {
                let (wall, cpu) = match limit.kind {
                    ClockKind::Wall | ClockKind::Fair => (spent, None),
                    ClockKind::Cpu => (watch.wall(), Some(spent)),
                };
                return Ok(Answer { line: &self.line, spent, wall, cpu });
            }
        }
    }

    fn tell(&mut self, text: &str) {
        if let Some(live) = &mut self.live {
            // A program that does not read must not block the referee for longer than this.
            let brief = Limit { time: Some(END_AFTER_LAST_GAME), ..Limit::untimed(CHUNK) };
            let _ = live.hand_over(text.as_bytes(), &brief, &mut self.stderr);
        }
    }

    fn leave(&mut self, how: Shutdown) {
        if how != Shutdown::Stay {
            self.end(how);
        }
    }

    fn settle(&mut self) {
        if let Some(killed) = self.killed.take() {
            killed.bury(&self.processes);
        }
    }

    fn take_stderr(&mut self) -> String {
        self.stderr.take()
    }
}
