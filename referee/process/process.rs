//! A program from one start to the next, connected through pipes and started without a shell.

use crate::attempts::Attempts;
use crate::error::ProgramError;
use crate::exit::Exit;
use crate::process_group::ProcessGroups;
use crate::program::Program;
use crate::quota;
use crate::running::{RunningProcess, CHUNK};
use crate::sandbox::environment::jvm_notice;
use crate::sandbox::refusal::{refused, Refusal};
use crate::stderr::Excerpt;
use crate::stopwatch::{in_micros, AnswerForm, AnswerTime, Limit, Stopwatch};
use crate::usage::UsageMeter;
use rustix::thread::CpuSet;
use std::io;
use std::time::Duration;

/// Time that a program has to end by itself once its input has ended, or to read a text that needs
/// no answer. Not tuned.
const BRIEFLY: Duration = Duration::from_millis(100);

/// Answer in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<'a> {
    /// One line without its line end.
    pub line: &'a str,
    /// Time of the answer.
    pub time: AnswerTime,
}

impl<'a> Answer<'a> {
    /// Creates an answer of which only the wall time is known.
    pub fn of_wall(line: &'a str, wall: Duration) -> Answer<'a> {
        Answer { line, time: AnswerTime::of_wall(wall) }
    }
}

/// Predicate that recognises the answer of a program that was kept, which may still print lines of
/// its last task. Without it, the first line is the answer.
pub type Wanted<'a> = Option<&'a mut dyn FnMut(&str) -> bool>;

/// CPU time of a program that no answer is charged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uncharged {
    /// Time from the start of its process until it was ready.
    pub init: Duration,
    /// Time used while it rested.
    pub stolen: Duration,
}

impl Uncharged {
    /// Returns the same times in whole microseconds, as they are stored.
    pub fn in_micros(self) -> Uncharged {
        let Uncharged { init, stolen } = self;
        Uncharged { init: in_micros(init), stolen: in_micros(stolen) }
    }
}

/// Program that is not started, running, or kept for its next task.
pub struct Process {
    program: Program,
    processes: ProcessGroups,
    /// Processors of the program, if it does not run on those of the calling thread.
    processors: Option<CpuSet>,
    live: Option<Live>,
    /// Killed program that may not be gone yet.
    killed: Option<RunningProcess>,
    stderr: Excerpt,
    line: String,
    /// CPU time that no answer is charged, since it was last asked for.
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
    /// Whether it rests, which its caller has said.
    rests: bool,
    /// Whether it was sent something.
    was_told: bool,
    /// Whether it has answered, so that it is known to have been started.
    has_answered: bool,
}

impl Process {
    /// Creates a process of `program`, which is not started yet.
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

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns `true` from a start on, until the program is ended by this process.
    pub fn is_running(&self) -> bool {
        self.live.is_some()
    }

    /// Has the program run on these processors from its next start on.
    pub fn set_processors(&mut self, processors: CpuSet) {
        self.processors = Some(processors);
    }

    /// Starts the program for its next task, unless it was kept: then what it has left behind is
    /// dropped. `arguments` are appended to its command.
    ///
    /// # Errors
    /// Returns the error for which it cannot be started.
    pub fn start(&mut self, arguments: &[String]) -> io::Result<()> {
        self.end_rest();
        if let Some(live) = &mut self.live {
            live.process.drop_leftovers(&mut self.stderr);
            return Ok(());
        }
        self.settle();
        self.has_left = false;
        let processors = self.processors.as_ref();
        let mut process =
            RunningProcess::start(&self.program, arguments, &self.processes, processors)?;
        let meter = process.meter(processors);
        self.live =
            Some(Live { process, meter, rests: false, was_told: false, has_answered: false });
        Ok(())
    }

    /// Asks for one answer: a line, unless `limit` takes all output. The time runs from the moment
    /// when all of `prompt` has been handed over. `on_thinking` is called once it has taken
    /// [`crate::stopwatch::THINKING`].
    ///
    /// # Errors
    /// Returns what came in place of an answer.
    pub fn request(
        &mut self,
        prompt: &str,
        limit: &Limit,
        mut wanted: Wanted,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<Answer<'_>, ProgramError> {
        let rested = self.live.as_ref().is_some_and(|live| live.rests);
        self.end_rest();
        let live = self.live.as_mut().ok_or(ProgramError::Closed)?;
        let (process, meter) = (&mut live.process, &mut live.meter);
        // A report that it is ready says nothing about the time that its answers take.
        let is_ready_asked = wanted.is_some() || !live.has_answered;
        let pace_of_answers = (meter.is_slow, meter.is_thinker);
        // Others that answer quickly leave it no time worth a reading.
        meter.has_rested = rested;
        if wanted.is_some() {
            process.drop_leftovers(&mut self.stderr);
        } else if !prompt.is_empty() && limit.form != AnswerForm::EarlyLine {
            // An empty prompt means that the program already knew that it was asked, as at its
            // first answer.
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
        if limit.form == AnswerForm::AllOutput {
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
            (meter.is_slow, meter.is_thinker) = pace_of_answers;
        }
        live.has_answered = true;
        Ok(Answer { line: &self.line, time })
    }

    /// Sends text that needs no answer. A program that does not read may lose it.
    pub fn tell(&mut self, text: &str) {
        self.end_rest();
        if let Some(live) = &mut self.live {
            live.was_told |= !text.is_empty();
            // A program that does not read must not block its caller for longer than this.
            let brief = Limit { time: Some(BRIEFLY), ..Limit::untimed(CHUNK) };
            let _ = self.send(text, &brief);
        }
    }

    /// Sends text that is answered later. Output that came before is kept.
    ///
    /// # Errors
    /// Returns an error if the program does not read all of it within the limit.
    pub fn send(&mut self, text: &str, limit: &Limit) -> Result<(), ProgramError> {
        self.end_rest();
        let live = self.live.as_mut().ok_or(ProgramError::Closed)?;
        let mut watch = Stopwatch::new(*limit, &mut live.meter);
        live.process.hand_over(text.as_bytes(), &mut watch, limit, &mut self.stderr)
    }

    /// Returns the output that comes within `patience`, up to the end of a line, and whether more
    /// can come.
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

    /// Takes note that the program has nothing to do until it is sent something. Unless it may run,
    /// it is stopped until then.
    pub fn rest(&mut self, may_run: bool) {
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
        if !may_run {
            live.process.freeze();
        }
    }

    /// Lets the program run again after a rest, and counts what it used meanwhile.
    fn end_rest(&mut self) {
        let Some(live) = self.live.as_mut().filter(|live| live.rests) else { return };
        live.rests = false;
        live.meter.read();
        live.meter.is_current = true;
        self.uncharged.stolen += live.meter.usage(false).cpu;
        live.process.thaw();
    }

    /// Stops the program until it is sent something.
    pub fn freeze(&mut self) {
        self.live.iter_mut().for_each(|live| live.process.freeze());
    }

    /// Lets a program run again that was stopped.
    pub fn thaw(&mut self) {
        self.live.iter_mut().for_each(|live| live.process.thaw());
    }

    /// Takes note that the program has been started, which it has reported.
    pub fn end_start(&mut self) {
        if let Some(live) = &mut self.live {
            self.uncharged.init = live.meter.since_start();
        }
    }

    /// Returns `true` if the program was seen to hold more of [`quota`] than a program needs.
    pub fn holds_quota(&self) -> bool {
        self.live.as_ref().is_some_and(|live| quota::is_held(&live.meter.processes()))
    }

    /// Returns `true` if the program was seen to run on processors that it was not given.
    pub fn has_left_processors(&self) -> bool {
        self.has_left || self.live.as_ref().is_some_and(|live| live.meter.has_left_processors())
    }

    /// Returns the attempts since the last call to reach beyond the sandbox.
    pub fn take_attempts(&mut self) -> Attempts {
        let mut attempts = std::mem::take(&mut self.attempts);
        if let Some(live) = &mut self.live {
            attempts.add(&live.process.take_attempts());
        }
        attempts
    }

    /// Returns the CPU time since the last call that no answer is charged.
    pub fn take_uncharged(&mut self) -> Uncharged {
        std::mem::take(&mut self.uncharged)
    }

    /// Returns the standard error written since the last call. Of a long text the beginning and the
    /// end are kept.
    pub fn take_stderr(&mut self) -> String {
        let text = self.stderr.take();
        self.without_notice(text)
    }

    /// Returns the standard error that [`Process::take_stderr`] will return, as far as it has come.
    pub fn stderr(&self) -> String {
        self.without_notice(self.stderr.text())
    }

    /// Returns a text of standard error without the line that a JVM prints about its options.
    fn without_notice(&self, text: String) -> String {
        match &self.program.sandbox {
            Some(sandbox) if !text.is_empty() => {
                text.replace(&jvm_notice(sandbox.layers.limits.memory), "")
            }
            _ => text,
        }
    }

    /// Returns the access that the sandbox refused, as the standard error names it.
    pub fn refusal(&self, stderr: &str) -> Option<Refusal> {
        refused(stderr, &self.program.path, self.program.sandbox.as_ref()?)
    }

    /// Lets the program end by itself within a short time, then kills it.
    pub fn finish(&mut self) {
        self.end_rest();
        if let Some(live) = &mut self.live {
            live.process.close_input();
            live.process.wait_for_end(BRIEFLY, &mut self.stderr);
        }
        self.kill();
    }

    /// Kills the program and all that it left behind. Does not wait.
    pub fn kill(&mut self) {
        self.has_left = self.has_left_processors();
        if let Some(Live { mut process, .. }) = self.live.take() {
            process.kill(&self.processes, &mut self.stderr);
            self.killed = Some(process);
        }
    }

    /// Waits for a short time until nothing is left of a program that was killed. Of several, all
    /// are killed before the first wait, because one of them may keep another from ending.
    pub fn settle(&mut self) {
        if let Some(killed) = self.killed.take() {
            self.attempts.add(&killed.bury(&self.processes));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        self.settle();
    }
}
