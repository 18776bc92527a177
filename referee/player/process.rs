//! A player that is a program, started without a shell and connected through pipes.

use super::running::{RunningProcess, CHUNK};
use super::{Answer, Player, Seating, Shutdown, Uncharged, Wanted};
use crate::player::fault::{Exit, Fault};
use crate::player::program::Program;
use arbitre_process::attempts::Attempts;
use arbitre_process::process_group::ProcessGroups;
use arbitre_process::quota;
use arbitre_process::sandbox::environment::jvm_notice;
use arbitre_process::sandbox::refusal::refused;
use arbitre_process::stderr::Excerpt;
use arbitre_process::stopwatch::{Limit, Stopwatch};
use arbitre_process::sys;
use arbitre_process::usage::UsageMeter;
use rustix::thread::CpuSet;
use std::time::Duration;

/// Time that a program has to end by itself once its input has ended, or to read a text that needs
/// no answer. Not tuned.
const END_AFTER_LAST_GAME: Duration = Duration::from_millis(100);

/// Program as a player: not started, running, or kept from game to game.
pub struct Process {
    program: Program,
    processes: ProcessGroups,
    /// Processors of the program, if it does not run on those of the referee's thread.
    processors: Option<CpuSet>,
    live: Option<Live>,
    /// Killed program that may not be gone yet.
    killed: Option<RunningProcess>,
    stderr: Excerpt,
    line: String,
    /// CPU time that no move is charged, since it was last asked for.
    uncharged: Uncharged,
    /// Whether its last process, which has ended, was seen on processors that it was not given.
    has_left: bool,
    /// Attempts of a process that has ended, since they were last asked for.
    attempts: Attempts,
}

/// Running program with its meter.
struct Live {
    process: RunningProcess,
    meter: UsageMeter,
    /// Whether an opponent thinks.
    rests: bool,
    /// Whether it was sent something.
    was_told: bool,
    /// Whether it has answered, so that it is known to have been started.
    has_answered: bool,
}

impl Process {
    /// Creates a player that starts `program` when it sits down.
    pub fn new(program: Program, processes: ProcessGroups) -> Process {
        let (stderr, line, uncharged) = (Excerpt::default(), String::new(), Uncharged::default());
        let (processors, live, killed) = (None, None, None);
        Process {
            program,
            processes,
            processors,
            live,
            killed,
            stderr,
            line,
            uncharged,
            has_left: false,
            attempts: Attempts::default(),
        }
    }

    /// Has the program run on these processors from its next start on.
    pub fn set_processors(&mut self, processors: CpuSet) {
        self.processors = Some(processors);
    }

    /// Returns the output that comes within `patience`, up to the end of a line, and whether more
    /// can come. `referee check` uses it to diagnose a faulty player.
    pub fn overhear(&mut self, patience: Duration) -> (String, bool) {
        self.end_rest();
        let live = self.live.as_mut();
        let overheard = live.map(|live| live.process.overhear(patience, &mut self.stderr));
        overheard.unwrap_or_default()
    }

    /// Returns the meter of the program, if it runs. Turns begin anew after its use.
    pub fn meter(&mut self) -> Option<&mut UsageMeter> {
        self.live.as_mut().map(|live| &mut live.meter)
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.live.iter_mut().for_each(|live| live.process.close_input());
    }

    /// Waits up to `patience` for the program to end, and returns how it ended. Output that comes
    /// meanwhile is dropped.
    pub fn await_end(&mut self, patience: Duration) -> Option<Exit> {
        self.end_rest();
        let live = self.live.as_mut()?;
        live.process.wait_for_end(patience, &mut self.stderr);
        live.process.exit()
    }

    /// Sends text that is answered later. Output that came before is kept.
    ///
    /// # Errors
    /// Returns the fault of a program that does not read all of it within the limit.
    pub fn send(&mut self, text: &str, limit: &Limit) -> Result<(), Fault> {
        self.end_rest();
        let live = self.live.as_mut().ok_or(Fault::Disconnect)?;
        let mut watch = Stopwatch::new(*limit, &mut live.meter);
        live.process.hand_over(text.as_bytes(), &mut watch, limit, &mut self.stderr)
    }

    /// Stops the program until it is sent something.
    pub fn freeze(&mut self) {
        self.live.iter_mut().for_each(|live| live.process.freeze());
    }

    /// Lets a program run again that was stopped.
    pub fn thaw(&mut self) {
        self.live.iter_mut().for_each(|live| live.process.thaw());
    }

    /// Lets the program run again after an opponent's turn, and counts what it used meanwhile.
    fn end_rest(&mut self) {
        let Some(live) = self.live.as_mut().filter(|live| live.rests) else { return };
        live.rests = false;
        live.meter.read();
        live.meter.is_current = true;
        self.uncharged.stolen += live.meter.usage(false).cpu;
        live.process.thaw();
    }

    /// Returns a text of standard error without the line that a JVM prints about its options.
    fn without_notice(&self, text: String) -> String {
        match &self.program.confinement {
            Some(confinement) if !text.is_empty() => {
                text.replace(&jvm_notice(confinement.jail.limits.memory), "")
            }
            _ => text,
        }
    }

    fn end(&mut self, how: Shutdown) {
        if how == Shutdown::Finish {
            self.end_rest();
        }
        self.has_left = self.has_left_processors();
        if let Some(Live { mut process, .. }) = self.live.take() {
            if how == Shutdown::Finish {
                process.close_input();
                process.wait_for_end(END_AFTER_LAST_GAME, &mut self.stderr);
            }
            // Everything is killed: the program may have left children behind.
            process.kill(&self.processes, &mut self.stderr);
            self.killed = Some(process);
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
        self.end_rest();
        if let Some(live) = &mut self.live {
            live.process.drop_leftovers(&mut self.stderr);
            return Ok(Seating::Kept);
        }
        self.settle();
        self.has_left = false;
        let processors = self.processors.as_ref();
        let started = RunningProcess::start(&self.program, arguments, &self.processes, processors);
        let mut process = started.map_err(|error| Fault::NotStarted {
            why: self.program.explain(&error),
            is_by_machine: sys::is_lack_of_resources(&error),
        })?;
        let meter = process.meter(processors);
        self.live =
            Some(Live { process, meter, rests: false, was_told: false, has_answered: false });
        Ok(Seating::Fresh)
    }

    fn ask(
        &mut self,
        prompt: &str,
        limit: &Limit,
        mut wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, Fault> {
        let rested = self.live.as_ref().is_some_and(|live| live.rests);
        self.end_rest();
        let live = self.live.as_mut().ok_or(Fault::Disconnect)?;
        let (process, meter) = (&mut live.process, &mut live.meter);
        // A report that it is ready says nothing about the time that its moves take.
        let is_ready_asked = wanted.is_some() || !live.has_answered;
        let pace_of_moves = (meter.is_slow, meter.is_thinker);
        // Opponents that answer quickly steal no time worth a reading.
        meter.has_thinking_opponents = rested;
        if wanted.is_some() {
            process.drop_leftovers(&mut self.stderr);
        } else if !prompt.is_empty() {
            // An empty prompt means that the player already knew that it was its turn, as at its
            // first move.
            process.refuse_unasked(&mut self.stderr)?;
        }
        let start = Limit { time: limit.start, ..*limit };
        // A program that has read what it was told before has been started.
        let starts = limit.start.is_some() && !(live.was_told && process.has_read_all());
        if starts {
            let mut watch = Stopwatch::new(start, meter);
            process.hand_over(prompt.as_bytes(), &mut watch, &start, &mut self.stderr)?;
            let was_told = live.was_told || !prompt.is_empty();
            process.await_first_read(was_told, &mut watch, &start, &mut self.stderr)?;
            self.uncharged.init = meter.since_start();
        }
        let mut watch = Stopwatch::new(*limit, meter);
        if !starts {
            process.hand_over(prompt.as_bytes(), &mut watch, limit, &mut self.stderr)?;
        }
        if limit.until_eof {
            // No input follows where the answer is all output.
            process.close_input();
        }
        let time = loop {
            let (excerpt, line) = (&mut self.stderr, &mut self.line);
            let time = process.await_line(&mut watch, limit, excerpt, line, on_thinking)?;
            if wanted.as_mut().is_none_or(|is_wanted| is_wanted(&self.line)) {
                break time;
            }
        };
        if is_ready_asked {
            (meter.is_slow, meter.is_thinker) = pace_of_moves;
        }
        live.has_answered = true;
        Ok(Answer { line: &self.line, time })
    }

    fn tell(&mut self, text: &str) {
        self.end_rest();
        if let Some(live) = &mut self.live {
            live.was_told |= !text.is_empty();
            // A program that does not read must not block the referee for longer than this.
            let brief = Limit { time: Some(END_AFTER_LAST_GAME), ..Limit::untimed(CHUNK) };
            let _ = self.send(text, &brief);
        }
    }

    fn rest(&mut self, may_think: bool) {
        let Some(live) = self.live.as_mut().filter(|live| !live.rests) else { return };
        if !live.has_answered {
            // It may still be starting, which takes none of its own time.
            return;
        }
        live.rests = true;
        match live.meter.is_read {
            true => live.meter.begin_at_last(),
            false => live.meter.begin(),
        }
        if !may_think {
            live.process.freeze();
        }
    }

    fn note_ready(&mut self) {
        if let Some(live) = &mut self.live {
            self.uncharged.init = live.meter.since_start();
        }
    }

    fn has_quota(&self) -> bool {
        quota::has_room()
    }

    fn freeze(&mut self) {
        Process::freeze(self);
    }

    fn holds_quota(&self) -> bool {
        self.live.as_ref().is_some_and(|live| quota::is_held(&live.meter.processes()))
    }

    fn has_left_processors(&self) -> bool {
        self.has_left || self.live.as_ref().is_some_and(|live| live.meter.has_left_processors())
    }

    fn take_attempts(&mut self) -> Attempts {
        let mut attempts = std::mem::take(&mut self.attempts);
        if let Some(live) = &mut self.live {
            attempts.add(&live.process.take_attempts());
        }
        attempts
    }

    fn take_uncharged(&mut self) -> Uncharged {
        std::mem::take(&mut self.uncharged)
    }

    fn leave(&mut self, how: Shutdown) {
        if how != Shutdown::Stay {
            self.end(how);
        }
    }

    fn settle(&mut self) {
        if let Some(killed) = self.killed.take() {
            self.attempts.add(&killed.bury(&self.processes));
        }
    }

    fn take_stderr(&mut self) -> String {
        let text = self.stderr.take();
        self.without_notice(text)
    }

    fn stderr(&self) -> String {
        self.without_notice(self.stderr.text())
    }

    fn refused(&self, stderr: &str) -> Option<String> {
        refused(stderr, &self.program.path, self.program.confinement.as_ref()?)
    }
}
