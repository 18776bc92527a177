//! The host's side: a fork server, and the programs that were started through it.

use super::attempts::ToldAttempts;
use super::groups::{self, Group};
use super::request::{LaunchRequest, LauncherKind, LauncherMessage, Order};
use super::socket::{is_ready, receive_message, send_with, ReceivedMessage};
use super::{TaskCounter, SANDBOX_ERROR, WORD};
use crate::attempts::Attempts;
use crate::exit::Exit;
use crate::sys;
use rustix::io::ioctl_fionbio;
use rustix::net::sockopt::{set_socket_timeout, Timeout};
use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};
use rustix::pipe::{pipe_with, PipeFlags};
use rustix::process::{pidfd_open, pidfd_send_signal, Pid, PidfdFlags, Signal};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, io};

/// Time for a program to be started. Not tuned; a slow network file system may take seconds.
const START: Duration = Duration::from_secs(30);
/// Times that a launcher has to say how its program ended, or to let it run again. After the first
/// it is continued, because another process may have stopped it. Not tuned; a busy machine may
/// delay it by tenths of a second.
const REPLY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// Time for a launcher to kill and reap its tree, and for a fork server to end. Not tuned.
const BURIAL: Duration = Duration::from_millis(50);

/// A fork server, started at its first use, and its launchers. Programs inherit the processors of
/// its first user.
#[derive(Default, Debug)]
pub struct Launcher(Mutex<LauncherPool>);

#[derive(Default, Debug)]
struct LauncherPool {
    /// Sockets of launchers that wait for a program. They are dropped before the server, which
    /// reaps the launchers.
    idle: Vec<Arc<OwnedFd>>,
    server: Option<ServerConnection>,
}

#[derive(Debug)]
struct ServerConnection {
    socket: Option<OwnedFd>,
    process: Child,
}

/// Program that was started through a launcher.
#[derive(Debug)]
pub struct LaunchedProgram {
    /// Process of the program. The launcher reaps it, so the number may be stale.
    pub program: Pid,
    /// Process of the launcher, whose CPU time includes that of the whole tree.
    pub launcher: Pid,
    /// Descriptor of the program's process.
    pub pidfd: Arc<OwnedFd>,
    /// Our ends of the program's input, output and standard error, non-blocking.
    streams: Option<[OwnedFd; 3]>,
    control: Arc<OwnedFd>,
    launcher_pidfd: OwnedFd,
    /// Count of the CPU time of the program, if the system allows one.
    count: Option<OwnedFd>,
    /// Counter of its tasks, if it is in namespaces of its own.
    tasks: Option<TaskCounter>,
    end: Option<Exit>,
    /// Attempts that the launcher told.
    attempts: ToldAttempts,
    /// Whether the launcher was asked for them.
    was_asked: bool,
    /// Control group of the program, if it has one.
    group: Option<Group>,
    is_frozen: bool,
    /// Whether the launcher did not reply in time, so that it is given no more such orders.
    is_stuck: bool,
}

/// Clock of the CPU time of a program with all that it has started, also of what has ended and left
/// no trace.
#[derive(Debug)]
pub enum CpuClock {
    /// Count of the kernel.
    Counted(OwnedFd),
    /// File with the times of the program's control group, and what earlier programs used of them.
    Group(OwnedFd, Duration),
}

impl CpuClock {
    /// Returns the time since the start.
    pub fn read(&self) -> Option<Duration> {
        match self {
            CpuClock::Counted(count) => sys::counted_time(count),
            CpuClock::Group(times, before) => {
                Some(groups::cpu_time(times)?.saturating_sub(*before))
            }
        }
    }
}

impl Launcher {
    /// Starts the program of `request`. `executable` is the host's own program.
    ///
    /// # Errors
    /// Returns the error for which the program or the fork server cannot be started.
    pub fn start(
        &self,
        executable: &Path,
        kind: LauncherKind,
        request: &LaunchRequest,
    ) -> io::Result<LaunchedProgram> {
        let (request, memory) = (request.encode(), request.memory());
        let mut attempts = 0;
        loop {
            // Before a launcher starts: a group with other processes is left alone.
            let group = memory.and_then(groups::take);
            // Taken apart, so that no lock is held while a program starts.
            let idle = match kind {
                LauncherKind::Shared => self.lock().idle.pop(),
                _ => None,
            };
            attempts += usize::from(idle.is_none());
            let new = || self.new_launcher(executable, kind).map(Arc::new);
            let control = idle.map_or_else(new, Ok)?;
            match launch(control, kind, &request, group) {
                // Another process may have killed a launcher that waited, or the fork server.
                Err(error) if attempts < 2 && is_lost(&error) => {}
                started => return started,
            }
        }
    }

    /// Waits, after [`LaunchedProgram::kill`], until nothing is left of the program. A process that
    /// cannot be reaped yet, for example because another one traces it, is left to its launcher.
    /// Returns the attempts of the program that were not taken yet.
    pub fn bury(&self, mut program: LaunchedProgram) -> Attempts {
        let begun = Instant::now();
        loop {
            let left = BURIAL.saturating_sub(begun.elapsed());
            match program.receive(left) {
                ReceivedMessage::Message(LauncherMessage::Gone, _) => {
                    groups::give_back(program.group.take());
                    self.lock().idle.push(program.control);
                    break;
                }
                ReceivedMessage::Message(..) => {}
                ReceivedMessage::Closed => {
                    groups::give_back(program.group.take());
                    break;
                }
                ReceivedMessage::Nothing => {
                    log::debug!("a process of a program that was killed cannot be reaped yet");
                    // The program may have stopped its launcher, which now ends once its tree has
                    // ended.
                    let _ = pidfd_send_signal(&program.launcher_pidfd, Signal::CONT);
                    break;
                }
            }
        }
        program.attempts.take()
    }

    /// Forks a launcher. Starts the fork server if it does not run.
    fn new_launcher(&self, executable: &Path, kind: LauncherKind) -> io::Result<OwnedFd> {
        let (control, theirs) = sockets(SocketType::STREAM)?;
        // A launcher that another process has stopped must not block the host.
        set_socket_timeout(&control, Timeout::Send, Some(START))?;
        let mut processes = self.lock();
        if let Some(ServerConnection { socket: Some(socket), .. }) = &processes.server {
            if send_with(socket, &kind.message(), &[theirs.as_fd()]).is_ok() {
                return Ok(control);
            }
        }
        // Another process may have killed it.
        processes.server = None;
        let server = processes.server.insert(ServerConnection::start(executable)?);
        let socket = server.socket.as_ref().ok_or_else(lost)?;
        send_with(socket, &kind.message(), &[theirs.as_fd()])?;
        Ok(control)
    }

    fn lock(&self) -> MutexGuard<'_, LauncherPool> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has the launcher at `control` start the program of an encoded request in a group.
fn launch(
    control: Arc<OwnedFd>,
    kind: LauncherKind,
    request: &[u8],
    group: Option<Group>,
) -> io::Result<LaunchedProgram> {
    let (their_stdin, stdin) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stdout, their_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stderr, their_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
    for ours in [&stdin, &stdout, &stderr] {
        ioctl_fionbio(ours, true)?;
    }
    let mut descriptors = vec![their_stdin.as_fd(), their_stdout.as_fd(), their_stderr.as_fd()];
    descriptors.extend(group.as_ref().map(|group| group.folder.as_fd()));
    let sent = send_request(&control, request, &descriptors).map_err(|error| match error.kind() {
        // A launcher that another process has stopped.
        io::ErrorKind::WouldBlock => io::ErrorKind::TimedOut.into(),
        _ => error,
    });
    drop((their_stdin, their_stdout, their_stderr));
    let message = receive_message(&control, if sent.is_ok() { START } else { Duration::ZERO });
    // A server that cannot fork a launcher reports it, and reads no request.
    if !matches!(message, ReceivedMessage::Message(LauncherMessage::Failed(_), _)) {
        sent?;
    }
    match message {
        ReceivedMessage::Message(LauncherMessage::Started { program, launcher }, descriptors) => {
            let pid = |number| Pid::from_raw(number).ok_or_else(lost);
            let mut descriptors = descriptors.into_iter();
            let mut descriptor = || descriptors.next().ok_or_else(lost);
            let (pidfd, launcher_pidfd) = (descriptor()?, descriptor()?);
            let tasks = match kind {
                LauncherKind::Shared => None,
                _ => Some(TaskCounter::new(descriptor()?)),
            };
            let count = descriptor().ok();
            let (program, launcher) = match kind {
                LauncherKind::Shared => (pid(program)?, pid(launcher)?),
                // A program that has ended already has no number any more.
                _ => {
                    let launcher = sys::process_of(&launcher_pidfd).ok_or_else(lost)?;
                    (sys::process_of(&pidfd).unwrap_or(launcher), launcher)
                }
            };
            Ok(LaunchedProgram {
                program,
                launcher,
                pidfd: Arc::new(pidfd),
                streams: Some([stdin, stdout, stderr]),
                control,
                launcher_pidfd,
                count,
                tasks,
                end: None,
                attempts: ToldAttempts::default(),
                was_asked: false,
                group,
                is_frozen: false,
                is_stuck: false,
            })
        }
        ReceivedMessage::Message(LauncherMessage::Failed(number), _) => {
            let error = io::Error::from_raw_os_error(number & !SANDBOX_ERROR);
            Err(match number & SANDBOX_ERROR {
                0 => error,
                // The sandbox is not the cause.
                _ if sys::is_lack_of_resources(&error) => error,
                _ => io::Error::other(format!("its sandbox cannot be built: {error}")),
            })
        }
        ReceivedMessage::Nothing => Err(io::ErrorKind::TimedOut.into()),
        _ => Err(lost()),
    }
}

impl ServerConnection {
    /// Starts the executable. Nothing is set between fork and exec, so that the standard library
    /// uses `posix_spawn`.
    fn start(executable: &Path) -> io::Result<ServerConnection> {
        let (ours, theirs) = sockets(SocketType::SEQPACKET)?;
        let name = env::args_os().next().unwrap_or_else(|| executable.into());
        let mut command = Command::new(executable);
        command.arg0(name).arg(WORD).process_group(0);
        command.stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn()?;
        Ok(ServerConnection { socket: Some(ours), process })
    }
}

impl Drop for ServerConnection {
    fn drop(&mut self) {
        self.socket = None;
        // It ends once its launchers have ended, unless another process has stopped it.
        if let Ok(end) = pidfd_open(Pid::from_child(&self.process), PidfdFlags::empty()) {
            is_ready(end, BURIAL);
        }
        let _ = self.process.try_wait();
    }
}

/// Handle by which any thread pauses a program with all of its descendants.
#[derive(Clone, Debug)]
pub struct PauseHandle(Arc<OwnedFd>);

impl PauseHandle {
    /// Orders the launcher to stop the program, or to let it run again where its turn allows that.
    /// Does not wait.
    pub fn set(&self, is_paused: bool) {
        let order = if is_paused { Order::Pause } else { Order::Resume };
        let _ = send_with(&self.0, &order.encode(), &[]);
    }
}

impl LaunchedProgram {
    /// Returns the handle that pauses the program.
    pub fn pause_handle(&self) -> PauseHandle {
        PauseHandle(self.control.clone())
    }

    /// Returns our ends of the program's input, output and standard error, once.
    pub fn take_streams(&mut self) -> [Option<OwnedFd>; 3] {
        self.streams.take().map_or([None, None, None], |streams| streams.map(Some))
    }

    /// Returns the clock of the CPU time of the program and all of its descendants, once, if the
    /// system gives one.
    pub fn take_clock(&mut self) -> Option<CpuClock> {
        let count = self.count.take().map(CpuClock::Counted);
        let of_group = || {
            let (times, before) = self.group.as_ref()?.times()?;
            Some(CpuClock::Group(times, before))
        };
        count.or_else(of_group)
    }

    /// Returns the counter of the program's tasks, once, if it is in namespaces of its own.
    pub fn take_task_counter(&mut self) -> Option<TaskCounter> {
        self.tasks.take()
    }

    /// Returns the attempts of the program since the last call. Its launcher is asked once, then
    /// only if there were some.
    pub fn take_attempts(&mut self) -> Attempts {
        while let ReceivedMessage::Message(message, _) = self.receive(Duration::ZERO) {
            if let LauncherMessage::Ended(end) = message {
                self.note(end);
            }
        }
        if !self.is_stuck && (!self.was_asked || !self.attempts.is_empty()) {
            self.was_asked = true;
            self.ask(Order::Tell, LauncherMessage::Told);
        }
        self.attempts.take()
    }

    /// Waits for a message that is not about attempts, and takes note of those before it.
    fn receive(&mut self, patience: Duration) -> ReceivedMessage {
        let begun = Instant::now();
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            match receive_message(&self.control, left) {
                ReceivedMessage::Message(LauncherMessage::Attempted { kind, count }, _) => {
                    self.attempts.note(kind, count);
                }
                received => return received,
            }
        }
    }

    /// Returns how the program ended, if it has.
    pub fn end(&mut self) -> Option<Exit> {
        if self.end.is_none() && is_ready(&self.pidfd, Duration::ZERO) {
            let end = self.reported_end().unwrap_or(Exit::Unknown);
            self.note(end);
        }
        self.end
    }

    /// Waits for the launcher's message about the end; `None` if it is lost or does not reply.
    fn reported_end(&mut self) -> Option<Exit> {
        for patience in REPLY {
            loop {
                match self.receive(patience) {
                    ReceivedMessage::Message(LauncherMessage::Ended(end), _) => return Some(end),
                    // A reply that came too late.
                    ReceivedMessage::Message(
                        LauncherMessage::Thawed | LauncherMessage::Told,
                        _,
                    ) => {}
                    ReceivedMessage::Nothing => break,
                    _ => return None,
                }
            }
            let _ = pidfd_send_signal(&self.launcher_pidfd, Signal::CONT);
        }
        None
    }

    /// Notes how the program ended, with the reason for which the kernel ended it.
    fn note(&mut self, end: Exit) {
        let is_killed = end == Exit::Signal(Signal::KILL.as_raw());
        let group = self.group.as_ref().filter(|_| is_killed);
        let is_exceeded = group.is_some_and(Group::is_exceeded);
        self.end = Some(if is_exceeded { Exit::MemoryLimit } else { end });
    }

    /// Orders the launcher to stop the program and all of its descendants. Does not wait.
    pub fn freeze(&mut self) {
        if !self.is_frozen && !self.is_stuck {
            self.is_frozen = send_with(&self.control, &Order::Freeze.encode(), &[]).is_ok();
        }
    }

    /// Orders the launcher to let the program and its descendants run again, and waits until they
    /// do. Only the processes that the launcher stopped are continued.
    pub fn thaw(&mut self) {
        if std::mem::take(&mut self.is_frozen) {
            self.ask(Order::Thaw, LauncherMessage::Thawed);
        }
    }

    /// Gives an order and waits for its reply.
    fn ask(&mut self, order: Order, reply: LauncherMessage) {
        // Without a launcher, the program is about to be killed.
        if send_with(&self.control, &order.encode(), &[]).is_err() {
            return;
        }
        for patience in REPLY {
            loop {
                match self.receive(patience) {
                    ReceivedMessage::Message(LauncherMessage::Ended(end), _) => self.note(end),
                    ReceivedMessage::Message(message, _) if message == reply => return,
                    // A reply that came too late.
                    ReceivedMessage::Message(..) => {}
                    ReceivedMessage::Nothing => break,
                    ReceivedMessage::Closed => return,
                }
            }
            let _ = pidfd_send_signal(&self.launcher_pidfd, Signal::CONT);
        }
        log::debug!("a launcher does not obey");
        self.is_stuck = true;
    }

    /// Orders the launcher to kill the program and all of its descendants.
    pub fn kill(&self) {
        let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        let _ = send_with(&self.control, &Order::End.encode(), &[]);
    }
}

fn sockets(kind: SocketType) -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, kind, SocketFlags::CLOEXEC, None)?)
}

/// Sends a whole request. The buffer of the socket holds all but the largest.
fn send_request(
    control: &OwnedFd,
    mut bytes: &[u8],
    mut descriptors: &[BorrowedFd],
) -> io::Result<()> {
    while !bytes.is_empty() {
        let sent = send_with(control, bytes, descriptors)?;
        (bytes, descriptors) = (&bytes[sent..], &[]);
    }
    Ok(())
}

fn lost() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "its launcher ended")
}

/// Returns `true` if the error shows that a launcher has ended.
fn is_lost(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe)
}
