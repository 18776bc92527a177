//! A running program and the host's ends of its pipes.
//!
//! Nothing that the program does may block the host. All of our pipe ends are non-blocking, and
//! everything is drained while we wait. One absolute deadline ends the wait, however many bytes
//! trickle in.

use crate::attempts::Attempts;
use crate::error::ProgramError;
use crate::exit::Exit;
use crate::launcher::{LaunchRequest, LaunchedProgram, LauncherKind};
use crate::process_group::{ProcessGroups, RunningHandle};
use crate::program::Program;
use crate::stderr::Excerpt;
use crate::stopwatch::{AnswerForm, AnswerTime, Counting, Limit, Stopwatch, Wait};
use crate::sys;
use crate::usage::UsageMeter;
use arrayvec::ArrayVec;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::{ioctl_fionbio, ioctl_fionread, read, write, Errno};
use rustix::process::{pidfd_open, waitid, Pid, PidfdFlags, WaitId, WaitIdOptions};
use rustix::thread::{sched_setaffinity, CpuSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time that a program has to end after it closed its output. A program that ends later counts as
/// disconnected, not crashed. Not tuned.
const END_AFTER_CLOSING: Duration = Duration::from_millis(50);
/// Time between two checks whether a program that does not report its start has read its input. Not
/// tuned.
const FIRST_READ: Duration = Duration::from_millis(1);
/// Number of bytes of an unfinished line that are kept with a timeout. Not tuned.
const PARTIAL: usize = 200;
/// States of `/proc` in which a process cannot run: stopped, traced, waiting for a device.
const CANNOT_RUN: [char; 3] = ['T', 't', 'D'];
/// Number of bytes read at once. Not tuned.
pub const CHUNK: usize = 64 * 1024;

/// Running program and our ends of its pipes. An end is `None` once it is closed.
pub struct RunningProcess {
    process: ProcessHandle,
    /// Ticket in the list of running programs.
    ticket: u64,
    pid: Pid,
    pidfd: Arc<OwnedFd>,
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    /// Output that has not been used yet.
    inbox: Vec<u8>,
    /// Length of the start of the inbox that is known to contain no line end.
    scanned: usize,
    chunk: Box<[u8]>,
    /// Memory that the program may use, in bytes; 0 if it has no limit.
    memory: u64,
}

/// Process of a running program.
enum ProcessHandle {
    /// Child of this process.
    Child(Child),
    /// Program under a launcher.
    Launched(LaunchedProgram),
}

/// Result of a wait: the pipes that are ready, and whether the program has ended.
#[derive(Clone, Copy, Default)]
struct Ready {
    stdout: bool,
    stderr: bool,
    ended: bool,
}

impl Ready {
    /// Standard output alone, to read it without a wait. A read from an empty pipe returns at once.
    const STDOUT: Ready = Ready { stdout: true, stderr: false, ended: false };
    /// Standard error alone.
    const STDERR: Ready = Ready { stdout: false, stderr: true, ended: false };
}

impl RunningProcess {
    /// Starts a program on these processors, else on those of its launcher. Adds it to `processes`.
    ///
    /// # Errors
    /// Returns the error for which it cannot be started.
    pub fn start(
        program: &Program,
        arguments: &[String],
        processes: &ProcessGroups,
        processors: Option<&CpuSet>,
    ) -> io::Result<RunningProcess> {
        let _starting = processes.starting();
        // The start itself reports what a limit that stays too low leads to.
        let _ = processes.limits().restore();
        let (process, pid, pidfd, [stdin, stdout, stderr]) = match &program.launcher {
            Some(executable) => {
                let (kind, request) = match &program.sandbox {
                    None => (LauncherKind::Shared, request(program, arguments)?),
                    Some(sandbox) => {
                        let Program { path, arg0, .. } = program;
                        (sandbox.launcher(), sandbox.request(path, arg0, arguments)?)
                    }
                };
                let request = match processors {
                    Some(processors) => request.on(processors),
                    None => request,
                };
                let mut launched = processes.launcher().start(executable, kind, &request)?;
                let (pid, pidfd) = (launched.program, launched.pidfd.clone());
                let streams = launched.take_streams();
                (ProcessHandle::Launched(launched), pid, pidfd, streams)
            }
            None => {
                let mut child = spawn(program, arguments)?;
                match our_ends(&mut child) {
                    Ok((pidfd, streams)) => {
                        let pid = Pid::from_child(&child);
                        if let Some(processors) = processors {
                            let _ = sched_setaffinity(Some(pid), processors);
                        }
                        (ProcessHandle::Child(child), pid, pidfd.into(), streams)
                    }
                    Err(error) => {
                        child.kill()?;
                        child.wait()?;
                        return Err(error);
                    }
                }
            }
        };
        let handle = match &process {
            ProcessHandle::Child(_) => RunningHandle::Child(pid),
            ProcessHandle::Launched(launched) => {
                RunningHandle::Launched(pidfd.clone(), launched.pause_handle())
            }
        };
        Ok(RunningProcess {
            process,
            ticket: processes.add(handle),
            pid,
            pidfd,
            stdin,
            stdout,
            stderr,
            inbox: Vec::new(),
            scanned: 0,
            chunk: vec![0; CHUNK].into(),
            memory: program.sandbox.as_ref().map_or(0, |of| of.layers.limits.memory),
        })
    }

    /// Returns the program under its launcher, if it has one.
    fn launched(&mut self) -> Option<&mut LaunchedProgram> {
        match &mut self.process {
            ProcessHandle::Child(_) => None,
            ProcessHandle::Launched(launched) => Some(launched),
        }
    }

    /// Returns the meter of the usage of the program, which was given `processors`, once.
    pub fn meter(&mut self, processors: Option<&CpuSet>) -> UsageMeter {
        let number = |pid: Pid| pid.as_raw_nonzero().get().unsigned_abs();
        let mut meter = match &mut self.process {
            ProcessHandle::Child(_) => UsageMeter::new(number(self.pid), false, None),
            // It adopts the orphans of the program, which its own family would lack.
            ProcessHandle::Launched(launched) => {
                let clock = launched.take_clock();
                let meter = UsageMeter::new(number(launched.launcher), true, clock);
                meter.with_tasks(launched.take_task_counter())
            }
        };
        processors.into_iter().for_each(|given| meter.note_processors(given));
        meter
    }

    /// Stops the program and all of its descendants until it has to run again. A child of this
    /// process is trusted to do nothing while it rests.
    pub fn freeze(&mut self) {
        if let Some(launched) = self.launched() {
            launched.freeze();
        }
    }

    /// Lets a frozen program run again.
    pub fn thaw(&mut self) {
        if let Some(launched) = self.launched() {
            launched.thaw();
        }
    }

    /// Closes the program's standard input, so that it can end.
    pub fn close_input(&mut self) {
        self.thaw();
        self.stdin = None;
    }

    /// Returns a fault if output came before the prompt was written.
    pub fn refuse_unasked(&mut self, excerpt: &mut Excerpt) -> Result<(), ProgramError> {
        self.drain(Ready::STDOUT, excerpt);
        if self.inbox.is_empty() {
            return Ok(());
        }
        Err(ProgramError::Unasked(self.inbox.clone()))
    }

    /// Waits up to `patience` for output, until a line or the output ends. Returns the output and
    /// whether more can come.
    pub fn overhear(&mut self, patience: Duration, excerpt: &mut Excerpt) -> (String, bool) {
        self.thaw();
        let begun = Instant::now();
        while self.stdout.is_some() && !self.inbox.contains(&b'\n') && self.inbox.len() < CHUNK {
            let left = patience.saturating_sub(begun.elapsed());
            let ready = self.wait(false, Some(left));
            self.drain(ready, excerpt);
            // Other processes may hold the output of a program that has ended.
            if left.is_zero() || (ready.ended && !ready.stdout) {
                break;
            }
        }
        self.scanned = 0;
        let bytes = std::mem::take(&mut self.inbox);
        let can_go_on = self.stdout.is_some() && self.exit().is_none();
        (String::from_utf8_lossy(&bytes).into_owned(), can_go_on)
    }

    /// Drops output that remains from the last task.
    pub fn drop_leftovers(&mut self, excerpt: &mut Excerpt) {
        self.drain(Ready::STDOUT, excerpt);
        self.inbox.clear();
        self.scanned = 0;
    }

    /// Writes all of `prompt`, draining output meanwhile. The stopwatch starts just before the last
    /// write and not after it: on a shared processor the program may run, and even answer, before
    /// that call returns.
    ///
    /// A program that closed its input is no fault yet: it shows in its own way that it is gone.
    pub fn hand_over(
        &mut self,
        mut prompt: &[u8],
        watch: &mut Stopwatch,
        limit: &Limit,
        excerpt: &mut Excerpt,
    ) -> Result<(), ProgramError> {
        self.thaw();
        let mut begun = None;
        loop {
            watch.start();
            let Some(stdin) = &self.stdin else { return Ok(()) };
            match write(stdin, prompt) {
                Ok(written) if written == prompt.len() => return Ok(()),
                Ok(written) => prompt = &prompt[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let seen = begun.get_or_insert_with(Instant::now).elapsed();
                    let patience = self.patience(watch, limit, seen)?;
                    let ready = self.wait(true, patience);
                    self.drain(ready, excerpt);
                    // The program will not read on, or its line is too long already: the wait for
                    // its answer finds the fault.
                    if ready.ended || self.stdout.is_none() || self.inbox.len() > limit.line {
                        return Ok(());
                    }
                }
                // The program closed its input.
                Err(_) => self.stdin = None,
            }
        }
    }

    /// Returns the number of bytes in the program's input that it has not read.
    fn unread(&self) -> Option<u64> {
        self.stdin.as_ref().and_then(|stdin| ioctl_fionread(stdin).ok())
    }

    /// Returns `true` if the program has read everything that it was sent.
    pub fn has_read_all(&self) -> bool {
        self.unread() == Some(0)
    }

    /// Waits until the program reads from its input, writes, or ends. One that was told nothing is
    /// waited for until the deadline at most.
    pub fn await_first_read(
        &mut self,
        was_told: bool,
        watch: &mut Stopwatch,
        limit: &Limit,
        excerpt: &mut Excerpt,
    ) -> Result<(), ProgramError> {
        let Some(sent) = self.unread() else { return Ok(()) };
        if was_told && sent == 0 {
            // It has read faster than this was called.
            return Ok(());
        }
        loop {
            let seen = watch.look();
            if self.unread().is_none_or(|left| left < sent) || !self.inbox.is_empty() {
                return Ok(());
            }
            // No event tells that the other end of a pipe was read.
            let patience = match self.patience(watch, limit, seen) {
                Err(_) if sent == 0 => return Ok(()),
                patience => patience?.map_or(FIRST_READ, |time| time.min(FIRST_READ)),
            };
            let ready = self.wait(false, Some(patience));
            self.drain(ready, excerpt);
            if ready.ended || self.stdout.is_none() {
                return Ok(());
            }
        }
    }

    /// Waits for one line, or for all output where the limit says so, until the deadline, and
    /// returns the time that it took. Calls `on_thinking` once that is [`Stopwatch::thinking`].
    pub fn await_line(
        &mut self,
        watch: &mut Stopwatch,
        limit: &Limit,
        excerpt: &mut Excerpt,
        line: &mut String,
        on_thinking: &mut dyn FnMut(),
    ) -> Result<AnswerTime, ProgramError> {
        // A program on the same processor has often answered before the write returned. One read is
        // then enough, and costs less than a poll of all pipes.
        let mut seen = Duration::ZERO;
        // Lines that came before are answers too, and a program that floods is not read ahead.
        if !self.inbox.contains(&b'\n') {
            self.drain(Ready::STDOUT, excerpt);
        }
        if self.inbox.contains(&b'\n') {
            self.drain(Ready::STDERR, excerpt);
        }
        let mut is_thinking = false;
        loop {
            if self.take_line(limit, line)? {
                return self.in_time(watch, limit);
            }
            if self.stdout.is_none() {
                // After the end of the output an answer is as complete as it will be.
                return match self.take_rest(limit, line)? {
                    true => self.in_time(watch, limit),
                    false => Err(self.why_closed(excerpt)),
                };
            }
            let patience = self.patience(watch, limit, seen)?;
            let until_thinking = watch.thinking().saturating_sub(seen);
            if !is_thinking && until_thinking.is_zero() {
                is_thinking = true;
                on_thinking();
            }
            let patience = match is_thinking {
                true => patience,
                false => Some(patience.map_or(until_thinking, |time| time.min(until_thinking))),
            };
            let ready = self.wait(false, patience);
            seen = watch.look();
            self.drain(ready, excerpt);
            if ready.ended {
                // The pipe may still hold an answer that was written before the program ended.
                self.drain_all(limit, excerpt);
                if limit.form == AnswerForm::AllOutput {
                    self.stdout = None;
                } else if !self.inbox.contains(&b'\n') && self.inbox.len() <= limit.line {
                    return Err(self.why_closed(excerpt));
                }
            }
        }
    }

    /// Returns the time of an answer that has been received, or the timeout.
    fn in_time(&self, watch: &mut Stopwatch, limit: &Limit) -> Result<AnswerTime, ProgramError> {
        let time = watch.time();
        match limit.allows(time.charge(limit.counting)) {
            true => Ok(time),
            false => Err(self.timeout(limit, time, watch.worked())),
        }
    }

    /// Returns the time to wait for a program that had not answered at the wall time `seen`; none
    /// for any time.
    fn patience(
        &self,
        watch: &mut Stopwatch,
        limit: &Limit,
        seen: Duration,
    ) -> Result<Option<Duration>, ProgramError> {
        match watch.wait(seen) {
            Wait::For(time) => Ok(Some(time)),
            Wait::Forever => Ok(None),
            Wait::Over => Err(self.timeout(limit, watch.read(seen), watch.worked())),
            Wait::Endless => {
                let limit = limit.time.unwrap_or_default();
                Err(ProgramError::Unjudged { limit, used: watch.read(seen) })
            }
        }
    }

    /// Returns the timeout, with the start of the unfinished line.
    ///
    /// A trusted program only computes. Other time is the machine's, as that of a page from a disk.
    /// A late answer of one that `worked` for less than half of its limit cannot be judged.
    fn timeout(&self, limit: &Limit, used: AnswerTime, worked: Duration) -> ProgramError {
        let is_trusted = matches!(self.process, ProcessHandle::Child(_));
        let is_fair = matches!(limit.counting, Counting::Fair { .. });
        let limit = limit.time.unwrap_or_default();
        if is_trusted && is_fair && 2 * worked < limit {
            return ProgramError::Unjudged { limit, used };
        }
        let said = &self.inbox[..self.inbox.len().min(PARTIAL)];
        let partial = String::from_utf8_lossy(said).into_owned();
        let state = sys::process_state(self.pid.as_raw_nonzero().get().unsigned_abs());
        let state = state.filter(|state| CANNOT_RUN.contains(state));
        ProgramError::Late { limit, partial, state, used }
    }

    /// Moves a line from the inbox to `line`. Returns `false` if no line is complete.
    fn take_line(&mut self, limit: &Limit, line: &mut String) -> Result<bool, ProgramError> {
        let has_lines = limit.form != AnswerForm::AllOutput;
        let end = self.inbox[self.scanned..].iter().position(|&byte| byte == b'\n' && has_lines);
        let end = end.map(|at| at + self.scanned);
        if end.unwrap_or(self.inbox.len()) > limit.line {
            return Err(ProgramError::LineTooLong { limit: limit.line });
        }
        self.scanned = self.inbox.len();
        let Some(end) = end else { return Ok(false) };
        // A line may end with CRLF.
        let bytes = self.inbox[..end].strip_suffix(b"\r").unwrap_or(&self.inbox[..end]);
        take_text(bytes, line)?;
        self.inbox.drain(..=end);
        self.scanned = 0;
        Ok(true)
    }

    /// Moves all output to `line` where it is the answer. Returns `false` if it is not, or if there
    /// is none.
    fn take_rest(&mut self, limit: &Limit, line: &mut String) -> Result<bool, ProgramError> {
        if limit.form != AnswerForm::AllOutput || self.inbox.is_empty() {
            return Ok(false);
        }
        take_text(&self.inbox, line)?;
        self.inbox.clear();
        self.scanned = 0;
        Ok(true)
    }

    /// Waits up to `patience` until bytes come, an end is closed, the program ends, or, if
    /// `to_write`, the input has room.
    fn wait(&self, to_write: bool, patience: Option<Duration>) -> Ready {
        let timeout = patience.and_then(|time| Timespec::try_from(time).ok());
        let mut fds = ArrayVec::<PollFd, 4>::new();
        fds.push(PollFd::new(&*self.pidfd, PollFlags::IN));
        fds.extend(self.stdout.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(self.stderr.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(
            self.stdin.iter().filter(|_| to_write).map(|fd| PollFd::new(fd, PollFlags::OUT)),
        );
        if !matches!(poll(&mut fds, timeout.as_ref()), Ok(count) if count > 0) {
            return Ready::default();
        }
        // The results stand in the order in which the descriptors were added.
        let mut fds = fds.iter();
        let mut happened =
            |open: bool| open && fds.next().is_some_and(|fd| !fd.revents().is_empty());
        Ready {
            ended: happened(true),
            stdout: happened(self.stdout.is_some()),
            stderr: happened(self.stderr.is_some()),
        }
    }

    /// Reads once from each pipe that is ready.
    fn drain(&mut self, ready: Ready, excerpt: &mut Excerpt) {
        if ready.stdout {
            let inbox = &mut self.inbox;
            read_once(&mut self.stdout, &mut self.chunk, |bytes| inbox.extend_from_slice(bytes));
        }
        if ready.stderr {
            read_once(&mut self.stderr, &mut self.chunk, |bytes| excerpt.push(bytes));
        }
    }

    /// Reads the output left behind by a program that has ended, up to the longest line.
    fn drain_all(&mut self, limit: &Limit, excerpt: &mut Excerpt) {
        // Other processes may hold the pipes and write as fast as we read: standard error is read
        // once.
        let mut stderr = true;
        loop {
            let ready = self.wait(false, Some(Duration::ZERO));
            let more = ready.stdout && self.inbox.len() <= limit.line;
            self.drain(Ready { stdout: more, stderr: ready.stderr && stderr, ..ready }, excerpt);
            stderr = false;
            if !more {
                return;
            }
        }
    }

    /// Returns the fault of a program whose output has ended: a crash or an exceeded memory limit
    /// if the program ends soon after, else a disconnect.
    fn why_closed(&mut self, excerpt: &mut Excerpt) -> ProgramError {
        self.wait_for_end(END_AFTER_CLOSING, excerpt);
        match self.exit() {
            Some(Exit::MemoryLimit) => ProgramError::MemoryLimit { limit: self.memory },
            Some(exit) => ProgramError::Ended(exit),
            None => ProgramError::Closed,
        }
    }

    /// Waits up to `patience` until the program has ended. Drops its output and keeps its standard
    /// error.
    pub fn wait_for_end(&mut self, patience: Duration, excerpt: &mut Excerpt) {
        let begun = Instant::now();
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let ready = self.wait(false, Some(left));
            self.drain(ready, excerpt);
            self.inbox.clear();
            self.scanned = 0;
            if left.is_zero() || (ready.ended && !ready.stderr) {
                return;
            }
        }
    }

    /// Returns how the program ended, if it has. A child is not reaped, so no other process gets
    /// its number.
    pub fn exit(&mut self) -> Option<Exit> {
        if let Some(launched) = self.launched() {
            return launched.end();
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok()??;
        let signal = status.terminating_signal().map(Exit::Signal);
        signal.or(status.exit_status().map(Exit::Code))
    }

    /// Kills the program and what it left behind. Does not wait.
    pub fn kill(&mut self, processes: &ProcessGroups, excerpt: &mut Excerpt) {
        processes.end(self.ticket);
        if let Some(launched) = self.launched() {
            launched.kill();
        }
        self.drain(Ready::STDERR, excerpt);
    }

    /// Returns the attempts of the program to reach beyond its sandbox since the last call.
    pub fn take_attempts(&mut self) -> Attempts {
        self.launched().map(LaunchedProgram::take_attempts).unwrap_or_default()
    }

    /// Waits for a short time until a killed program is gone. Returns its last attempts.
    pub fn bury(self, processes: &ProcessGroups) -> Attempts {
        match self.process {
            ProcessHandle::Child(child) => {
                processes.reap(child, &self.pidfd);
                Attempts::default()
            }
            ProcessHandle::Launched(launched) => processes.launcher().bury(launched),
        }
    }
}

/// Starts a child in its own process group. Sets nothing between fork and exec, so that the
/// standard library uses `posix_spawn`.
fn spawn(program: &Program, arguments: &[String]) -> io::Result<Child> {
    let mut command = Command::new(&program.path);
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    command
        .arg0(&program.arg0)
        .args(&program.arguments)
        .args(arguments)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Returns the request to start a program in its own folder or that of this process, with the
/// environment of this process.
fn request(program: &Program, arguments: &[String]) -> io::Result<LaunchRequest> {
    let words = program.arguments.iter().chain(arguments).map(OsStr::new);
    let words = std::iter::once(program.arg0.as_os_str()).chain(words);
    // A folder that has no path, because it was removed, is inherited.
    let folder = program.folder.clone().or_else(|| env::current_dir().ok()).unwrap_or_default();
    let variables: Vec<OsString> = env::vars_os()
        .map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            name
        })
        .collect();
    let variables = variables.iter().map(OsString::as_os_str);
    LaunchRequest::new(&program.path, &folder, words, variables, None)
}

/// Copies `bytes` to `line`, or returns a fault if they are not UTF-8.
fn take_text(bytes: &[u8], line: &mut String) -> Result<(), ProgramError> {
    line.clear();
    let text = std::str::from_utf8(bytes).map_err(|_| ProgramError::NotText(bytes.into()))?;
    line.push_str(text);
    Ok(())
}

/// Returns our handles of a new program: the process, its input, its output and its standard error.
fn our_ends(child: &mut Child) -> io::Result<(OwnedFd, [Option<OwnedFd>; 3])> {
    let pidfd = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let stdin = child.stdin.take().map(OwnedFd::from);
    let stdout = child.stdout.take().map(OwnedFd::from);
    let streams = [stdin, stdout, child.stderr.take().map(OwnedFd::from)];
    streams.iter().flatten().try_for_each(|stream| ioctl_fionbio(stream, true))?;
    Ok((pidfd, streams))
}

/// Reads once. At the end of the stream our end is closed.
fn read_once(pipe: &mut Option<OwnedFd>, chunk: &mut [u8], mut take: impl FnMut(&[u8])) {
    let Some(fd) = pipe else { return };
    match read(&*fd, &mut *chunk) {
        Ok(0) => *pipe = None,
        Ok(count) => take(&chunk[..count]),
        Err(Errno::AGAIN | Errno::INTR) => {}
        Err(_) => *pipe = None,
    }
}
