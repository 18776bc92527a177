//! A program that runs, in the referee's hands.
//!
//! Nothing that the program does may hold the referee up. All of our pipe ends are non-blocking,
//! everything is drained while we wait, and one absolute deadline ends the waiting, however many
//! bytes trickle in.

use super::stderr::Tail;
use crate::player::fault::{Exit, Fault};
use crate::player::program::Program;
use crate::player::stopwatch::{Limit, Stopwatch, Wait};
use arrayvec::ArrayVec;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::fs::{fcntl_getfl, fcntl_setfl, OFlags};
use rustix::io::{read, write, Errno};
use rustix::process::{
    pidfd_open, waitid, waitpgid, Pid, PidfdFlags, WaitId, WaitIdOptions, WaitOptions,
};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program that closed its output has to end, before it counts as living on without.
const END_AFTER_CLOSING: Duration = Duration::from_millis(50);
/// So much of a line that was not ended is kept with a timeout, in bytes.
const PARTIAL: usize = 200;
/// How much is read at once.
pub const CHUNK: usize = 64 * 1024;

/// A program that runs, and our ends of its pipes; an end is gone once it is closed.
pub struct RunningProcess {
    child: Child,
    group: Pid,
    pidfd: OwnedFd,
    stdin: Option<OwnedFd>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    /// What it said and nobody has taken yet.
    inbox: Vec<u8>,
    /// So much of the inbox is known to hold no end of a line.
    scanned: usize,
    chunk: Box<[u8]>,
}

/// What a wait found.
#[derive(Clone, Copy, Default)]
struct Ready {
    stdout: bool,
    stderr: bool,
    ended: bool,
}

impl Ready {
    /// To look into a pipe without a wait: reading an empty one is refused at once.
    const STDOUT: Ready = Ready { stdout: true, stderr: false, ended: false };
    /// The same for the other pipe.
    const STDERR: Ready = Ready { stdout: false, stderr: true, ended: false };
}

impl RunningProcess {
    /// Starts a program in a process group of its own. Nothing is set between fork and exec, so
    /// that the standard library uses `posix_spawn`.
    pub fn start(program: &Program, arguments: &[String]) -> io::Result<RunningProcess> {
        let mut child = Command::new(&program.path)
            .arg0(&program.arg0)
            .args(&program.arguments)
            .args(arguments)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let group = Pid::from_child(&child);
        match our_ends(&mut child) {
            Ok((pidfd, [stdin, stdout, stderr])) => {
                let chunk = vec![0; CHUNK].into();
                let (inbox, scanned) = (Vec::new(), 0);
                Ok(RunningProcess {
                    child,
                    group,
                    pidfd,
                    stdin,
                    stdout,
                    stderr,
                    inbox,
                    scanned,
                    chunk,
                })
            }
            Err(error) => {
                child.kill()?;
                child.wait()?;
                Err(error)
            }
        }
    }

    /// Its process group.
    pub fn group(&self) -> Pid {
        self.group
    }

    /// Ends its input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// What was said before the prompt was written was said without being asked.
    pub fn refuse_unasked(&mut self, tail: &mut Tail) -> Result<(), Fault> {
        self.drain(Ready::STDOUT, tail);
        if self.inbox.is_empty() {
            return Ok(());
        }
        Err(Fault::Unasked { answer: String::from_utf8_lossy(&self.inbox).into_owned() })
    }

    /// Waits for output, whoever asked for it: until a line or the output ends, for so long at the
    /// most. Returns what came, and whether more can come.
    pub fn overhear(&mut self, patience: Duration, tail: &mut Tail) -> (String, bool) {
        let begun = Instant::now();
        while self.stdout.is_some() && !self.inbox.contains(&b'\n') && self.inbox.len() < CHUNK {
            let left = patience.saturating_sub(begun.elapsed());
            let ready = self.wait(false, Some(left));
            self.drain(ready, tail);
            // Others may hold the output of a program that has ended.
            if left.is_zero() || (ready.ended && !ready.stdout) {
                break;
            }
        }
        self.scanned = 0;
        let bytes = std::mem::take(&mut self.inbox);
        let can_go_on = self.stdout.is_some() && self.exit().is_none();
        (String::from_utf8_lossy(&bytes).into_owned(), can_go_on)
    }

    /// Forgets what was said after the last game.
    pub fn drop_leftovers(&mut self, tail: &mut Tail) {
        self.drain(Ready::STDOUT, tail);
        self.inbox.clear();
        self.scanned = 0;
    }

    /// Writes all of the prompt, draining meanwhile, and returns the watch that started with the
    /// last write. It starts just before that call and not after it: on a shared processor the
    /// program may run, and even answer, before the call returns.
    ///
    /// A program that closed its input is left to show in its own way that it is gone.
    pub fn hand_over(
        &mut self,
        mut prompt: &[u8],
        limit: &Limit,
        tail: &mut Tail,
    ) -> Result<Stopwatch, Fault> {
        let begun = Instant::now();
        loop {
            let watch = Stopwatch::start(*limit, self.child.id());
            let Some(stdin) = &self.stdin else { return Ok(watch) };
            match write(stdin, prompt) {
                Ok(written) if written == prompt.len() => return Ok(watch),
                Ok(written) => prompt = &prompt[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    let deadline = limit.time.map(|time| time + limit.margin);
                    let left = deadline.map(|deadline| deadline.saturating_sub(begun.elapsed()));
                    if left == Some(Duration::ZERO) {
                        return Err(Fault::timeout(limit.time.unwrap_or_default()));
                    }
                    let ready = self.wait(true, left);
                    self.drain(ready, tail);
                    if ready.ended || self.stdout.is_none() || self.inbox.len() > limit.line {
                        return Ok(watch);
                    }
                }
                Err(_) => self.stdin = None,
            }
        }
    }

    /// Waits for one line, or for all that comes, until the deadline.
    pub fn await_line(
        &mut self,
        watch: &Stopwatch,
        limit: &Limit,
        tail: &mut Tail,
        line: &mut String,
    ) -> Result<Duration, Fault> {
        loop {
            if self.take_line(limit, line)? {
                let spent = watch.spent();
                return if limit.allows(spent) { Ok(spent) } else { Err(self.late(limit)) };
            }
            if self.stdout.is_none() {
                // Its output has ended, and then an answer is as complete as it will be.
                return match self.take_rest(limit, line)? {
                    true => Ok(watch.spent()),
                    false => Err(self.why_closed(tail)),
                };
            }
            let patience = match watch.wait() {
                Wait::Over => return Err(self.late(limit)),
                Wait::For(time) => Some(time),
                Wait::Forever => None,
            };
            let ready = self.wait(false, patience);
            self.drain(ready, tail);
            if ready.ended {
                self.drain_all(limit, tail);
                if limit.whole {
                    self.stdout = None;
                } else if !self.inbox.contains(&b'\n') && self.inbox.len() <= limit.line {
                    return Err(self.why_closed(tail));
                }
            }
        }
    }

    /// The time is up.
    fn late(&self, limit: &Limit) -> Fault {
        let said = &self.inbox[..self.inbox.len().min(PARTIAL)];
        let partial = String::from_utf8_lossy(said).into_owned();
        Fault::Timeout { limit: limit.time.unwrap_or_default(), partial }
    }

    /// Takes a line out of the inbox, if there is one.
    fn take_line(&mut self, limit: &Limit, line: &mut String) -> Result<bool, Fault> {
        let end = self.inbox[self.scanned..].iter().position(|&byte| byte == b'\n' && !limit.whole);
        let end = end.map(|at| at + self.scanned);
        if end.unwrap_or(self.inbox.len()) > limit.line {
            return Err(Fault::OutputLimit { limit: limit.line });
        }
        self.scanned = self.inbox.len();
        let Some(end) = end else { return Ok(false) };
        let bytes = self.inbox[..end].strip_suffix(b"\r").unwrap_or(&self.inbox[..end]);
        take_text(bytes, line)?;
        self.inbox.drain(..=end);
        self.scanned = 0;
        Ok(true)
    }

    /// Takes all that is there, where that is the answer and anything is.
    fn take_rest(&mut self, limit: &Limit, line: &mut String) -> Result<bool, Fault> {
        if !limit.whole || self.inbox.is_empty() {
            return Ok(false);
        }
        take_text(&self.inbox, line)?;
        self.inbox.clear();
        self.scanned = 0;
        Ok(true)
    }

    /// Waits until something can be done: bytes came, an end was closed, the program ended.
    fn wait(&self, to_write: bool, patience: Option<Duration>) -> Ready {
        let timeout = patience.map(|time| Timespec {
            tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: time.subsec_nanos().into(),
        });
        let mut fds = ArrayVec::<PollFd, 4>::new();
        fds.push(PollFd::new(&self.pidfd, PollFlags::IN));
        fds.extend(self.stdout.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(self.stderr.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(
            self.stdin.iter().filter(|_| to_write).map(|fd| PollFd::new(fd, PollFlags::OUT)),
        );
        if !matches!(poll(&mut fds, timeout.as_ref()), Ok(count) if count > 0) {
            return Ready::default();
        }
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
    fn drain(&mut self, ready: Ready, tail: &mut Tail) {
        if ready.stdout {
            let inbox = &mut self.inbox;
            read_once(&mut self.stdout, &mut self.chunk, |bytes| inbox.extend_from_slice(bytes));
        }
        if ready.stderr {
            read_once(&mut self.stderr, &mut self.chunk, |bytes| tail.push(bytes));
        }
    }

    /// Reads all that a program left behind when it ended, up to the longest line.
    fn drain_all(&mut self, limit: &Limit, tail: &mut Tail) {
        // Others may hold the pipes and write as fast as we read: standard error is read once.
        let mut stderr = true;
        loop {
            let ready = self.wait(false, Some(Duration::ZERO));
            let more = ready.stdout && self.inbox.len() <= limit.line;
            self.drain(Ready { stdout: more, stderr: ready.stderr && stderr, ..ready }, tail);
            stderr = false;
            if !more {
                return;
            }
        }
    }

    /// The program's output has ended: has the program?
    fn why_closed(&mut self, tail: &mut Tail) -> Fault {
        self.wait_for_end(END_AFTER_CLOSING, tail);
        match self.exit() {
            Some(exit) => Fault::Crash(exit),
            None => Fault::Disconnect,
        }
    }

    /// Waits until the program has ended, draining meanwhile.
    pub fn wait_for_end(&mut self, patience: Duration, tail: &mut Tail) {
        let begun = Instant::now();
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let ready = self.wait(false, Some(left));
            self.drain(ready, tail);
            self.inbox.clear();
            self.scanned = 0;
            if left.is_zero() || (ready.ended && !ready.stderr) {
                return;
            }
        }
    }

    /// How the program ended, if it has. It is not waited for, so its number stays its own.
    pub fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = waitid(WaitId::PidFd(self.pidfd.as_fd()), options).ok()??;
        let signal = status.terminating_signal().map(Exit::Signal);
        signal.or(status.exit_status().map(Exit::Code))
    }

    /// Waits for the program and for what it left behind in its group; all of it was killed.
    pub fn reap(mut self, tail: &mut Tail) {
        self.drain(Ready::STDERR, tail);
        let _ = self.child.wait();
        while let Ok(Some(_)) = waitpgid(self.group, WaitOptions::empty()) {}
    }
}

/// Puts bytes into a line, if they are text.
fn take_text(bytes: &[u8], line: &mut String) -> Result<(), Fault> {
    line.clear();
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let answer = String::from_utf8_lossy(bytes).into_owned();
        Fault::Invalid { answer, why: "this is not UTF-8".into() }
    })?;
    line.push_str(text);
    Ok(())
}

/// What we hold of a program that was just started: itself, its input, its output, its errors.
fn our_ends(child: &mut Child) -> io::Result<(OwnedFd, [Option<OwnedFd>; 3])> {
    let pidfd = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let stdin = child.stdin.take().map(|pipe| non_blocking(pipe.into())).transpose()?;
    let stdout = child.stdout.take().map(|pipe| non_blocking(pipe.into())).transpose()?;
    let stderr = child.stderr.take().map(|pipe| non_blocking(pipe.into())).transpose()?;
    Ok((pidfd, [stdin, stdout, stderr]))
}

fn non_blocking(fd: OwnedFd) -> io::Result<OwnedFd> {
    fcntl_setfl(&fd, fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
    Ok(fd)
}

/// One read; the end of the stream closes our end.
fn read_once(pipe: &mut Option<OwnedFd>, chunk: &mut [u8], mut take: impl FnMut(&[u8])) {
    let Some(fd) = pipe else { return };
    match read(&*fd, &mut *chunk) {
        Ok(0) => *pipe = None,
        Ok(count) => take(&chunk[..count]),
        Err(Errno::AGAIN | Errno::INTR) => {}
        Err(_) => *pipe = None,
    }
}
