//! The fork server and the launchers that it forks. Both have one thread.

use super::attempts::AttemptCounter;
use super::freezer::Freezer;
use super::groups;
use super::layers::{Level, SandboxLimits};
use super::namespaces::{self, Owner};
use super::request::{LaunchRequest, LauncherKind, LauncherMessage, Order, MESSAGE};
use super::socket::{receive_all, receive_with, send_with};
use super::start::{self, SandboxedProgram};
use super::tasks::TaskTeller;
use super::watchdog::Watchdog;
use super::{of_sandbox, WORD};
use crate::exit::Exit;
use crate::sys;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::{dup, fcntl_setfd, read, Errno, FdFlags};
use rustix::net::RecvFlags;
use rustix::process::{
    getpid, kill_process, kill_process_group, pidfd_open, set_child_subreaper,
    set_dumpable_behavior, wait, DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions,
    WaitStatus,
};
use rustix::stdio;
use std::collections::HashSet;
use std::env;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{exit, ExitCode};
use std::time::Duration;

/// Serves requests as a fork server until its host ends, if this process was started for that.
/// Returns the exit code of the process then. The main function of a host calls this before it
/// reads its arguments or starts a thread, as a fork server has one thread.
pub fn serve_if_asked() -> Option<ExitCode> {
    if env::args_os().nth(1)? != WORD {
        return None;
    }
    // Standard input is a socket, whose other end the host closes.
    Some(match ForkServer::new().and_then(ForkServer::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

/// Number of rounds of signals in which a program without fork bombs ends. Not tuned.
const CALM: u32 = 8;

/// Number of times that a program may run although it was stopped. Chance is no reason for one.
const ESCAPES: u32 = 3;

struct ForkServer {
    socket: OwnedFd,
    /// Readable when a child has ended.
    child_signal: OwnedFd,
    /// File that shows the last number of a task, if there is one.
    load_average: Option<OwnedFd>,
    launchers: HashSet<Pid>,
    owner: Owner,
    /// Whether a launcher was killed, so that other children may be orphans of its program.
    has_orphans: bool,
}

impl ForkServer {
    fn new() -> io::Result<ForkServer> {
        sys::close_inherited();
        let socket = dup(stdio::stdin())?;
        fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
        // Launchers must not hold the server's socket.
        stdio::dup2_stdin(stdio::stdout())?;
        // Programs of the same user can then not attach to a launcher by ptrace.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        set_child_subreaper(Some(getpid()))?;
        let (child_signal, launchers) = (sys::block_child_signal()?, HashSet::new());
        let owner = Owner::here();
        // Read here, so that no launcher has to.
        groups::has_version_1();
        let load_average = File::open("/proc/loadavg").ok().map(OwnedFd::from);
        let has_orphans = false;
        Ok(ForkServer { socket, child_signal, load_average, launchers, owner, has_orphans })
    }

    fn run(mut self) -> io::Result<()> {
        loop {
            let [requested, ended] = wait_for([&self.socket, &self.child_signal], None)?;
            if ended {
                clear(&self.child_signal);
                while self.reap_one(WaitOptions::NOHANG) {}
            }
            if requested {
                let mut kind = [0];
                match receive_with(&self.socket, &mut kind, RecvFlags::empty())? {
                    (0, _) => {
                        while self.reap_one(WaitOptions::empty()) {}
                        return Ok(());
                    }
                    (_, descriptors) => self.fork_launcher(LauncherKind::of(kind), descriptors)?,
                }
            }
        }
    }

    fn fork_launcher(&mut self, kind: LauncherKind, descriptors: Vec<OwnedFd>) -> io::Result<()> {
        let Ok([control]) = <[OwnedFd; 1]>::try_from(descriptors) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let forked = match kind.namespaces() {
            None => sys::fork(),
            Some(kinds) => sys::fork_into(kinds, None),
        };
        match forked {
            Ok(Some(launcher)) => {
                self.launchers.insert(launcher);
            }
            Ok(None) => {
                // Other processes hold no end of the server's socket.
                drop(std::mem::replace(&mut self.socket, control));
                let ended = serve_programs(kind, self);
                exit(i32::from(ended.is_err()));
            }
            Err(error) if kind == LauncherKind::Shared => refuse(&control, &error),
            Err(error) => refuse(&control, &of_sandbox(error)),
        }
        Ok(())
    }

    /// Reaps a child. Returns `false` if none has ended.
    fn reap_one(&mut self, options: WaitOptions) -> bool {
        let Ok(Some((child, status))) = wait(options) else { return false };
        self.launchers.remove(&child);
        self.has_orphans |= status.exit_status() != Some(0);
        if self.has_orphans {
            // Repeated at each end, because the list may lack a child while another one ends.
            for orphan in own_children().filter(|child| !self.launchers.contains(child)) {
                let _ = kill_process(orphan, Signal::KILL);
            }
        }
        true
    }
}

/// Starts and supervises one program after another in a fork of the server; in namespaces only
/// one. Ends once the host has closed its end of the socket.
fn serve_programs(kind: LauncherKind, forked: &ForkServer) -> io::Result<()> {
    let (control, child_signal) = (&forked.socket, &forked.child_signal);
    let mut setup = match kind {
        LauncherKind::Shared => Ok(()),
        _ => namespaces::keep_owner(forked.owner).map_err(of_sandbox),
    };
    set_child_subreaper(Some(getpid()))?;
    // It has little to do at a time, and others wait for it.
    let _ = sys::take_short_turns();
    let mut header = [0; MESSAGE];
    loop {
        let (count, streams) = receive_with(control, &mut header, RecvFlags::WAITALL)?;
        if count == 0 {
            return Ok(());
        }
        let setup = std::mem::replace(&mut setup, Ok(()));
        match setup.and_then(|()| start(kind, forked, header, streams)) {
            Ok(started) => {
                let is_over = supervise(control, started, child_signal);
                if is_over || kind != LauncherKind::Shared {
                    return Ok(());
                }
                send_with(control, &LauncherMessage::Gone.encode(), &[])?;
            }
            Err(error) => {
                // It may have been started all the same.
                kill_all(None, child_signal, &mut Freezer::default());
                refuse(control, &error);
                if kind != LauncherKind::Shared {
                    return Ok(());
                }
            }
        }
    }
}

fn refuse(control: &OwnedFd, error: &io::Error) {
    let number = error.raw_os_error().unwrap_or(Errno::IO.raw_os_error());
    // If the host is gone, the answer is lost.
    let _ = send_with(control, &LauncherMessage::Failed(number).encode(), &[]);
}

/// Program that was started.
struct StartedProgram {
    process: Pid,
    limits: Option<SandboxLimits>,
    /// File that stops its control group.
    group: Option<OwnedFd>,
    teller: Option<TaskTeller>,
    attempts: AttemptCounter,
}

/// Starts the program of the request that begins with `header`, with its standard streams and the
/// folder of its control group if it has one.
fn start(
    kind: LauncherKind,
    forked: &ForkServer,
    header: [u8; MESSAGE],
    mut descriptors: Vec<OwnedFd>,
) -> io::Result<StartedProgram> {
    let control = &forked.socket;
    let invalid = || io::Error::from(io::ErrorKind::InvalidData);
    let request = LaunchRequest::decode(header, |rest| receive_all(control, rest))?;
    let parts = request.parts()?;
    let layers = parts.layers.as_ref().filter(|layers| layers.level > Level::None);
    if LauncherKind::needed_by(layers) != kind {
        return Err(invalid());
    }
    let mut watched = Vec::new();
    if let Some(layers) = layers.filter(|layers| layers.level == Level::Full) {
        watched = namespaces::enter_view(layers).map_err(of_sandbox)?;
    }
    let group = (descriptors.len() > 3).then(|| descriptors.pop()).flatten();
    let streams: [OwnedFd; 3] = descriptors.try_into().map_err(|_| invalid())?;
    let teller = match kind {
        LauncherKind::Shared => None,
        _ => Some(TaskTeller::new(forked.load_average.as_ref())?),
    };
    let SandboxedProgram { process, count, listener } =
        start::in_sandbox(&parts, &streams, group.as_ref())?;
    // With another writer the host would not see that the program closed its output.
    drop(streams);
    let attempts = AttemptCounter::new(listener, watched);
    let program_end = pidfd_open(process, PidfdFlags::empty())?;
    let own_end = pidfd_open(getpid(), PidfdFlags::empty())?;
    // In namespaces the host knows other numbers, and finds them by the descriptors.
    let started = LauncherMessage::Started {
        program: process.as_raw_nonzero().get(),
        launcher: getpid().as_raw_nonzero().get(),
    };
    let mut descriptors = vec![program_end.as_fd(), own_end.as_fd()];
    descriptors.extend(teller.as_ref().map(|(_, theirs)| theirs.as_fd()));
    descriptors.extend(count.as_ref().map(OwnedFd::as_fd));
    send_with(control, &started.encode(), &descriptors)?;
    let mut limits = layers.map(|layers| layers.limits);
    if let (Some(limits), Some(_)) = (&mut limits, &group) {
        // The kernel limits the memory of a group.
        limits.memory = u64::MAX;
    }
    // Below, a program could leave its group, or write to the file itself.
    let is_held = layers.is_some_and(|layers| layers.level >= Level::Partial);
    let group = group.filter(|_| is_held).and_then(|folder| groups::freezer(&folder));
    let teller = teller.map(|(teller, _)| teller);
    Ok(StartedProgram { process, limits, group, teller, attempts })
}

/// Reaps the program and its orphans, reports the program's end, and obeys the host. Kills all
/// of them at its order, or once its end of `control` is closed. Returns `true` in the second case.
fn supervise(control: &OwnedFd, started: StartedProgram, child_signal: &OwnedFd) -> bool {
    let StartedProgram { process: program, limits, group, mut teller, mut attempts } = started;
    let mut alive = Some(program);
    let mut freezer = Freezer::of_group(group);
    // Whether it is stopped for its turn, and with the host.
    let (mut rests, mut is_paused) = (false, false);
    // Number of times that it has run although it was stopped.
    let mut escapes = 0;
    let mut watchdog = limits.map(Watchdog::new);
    // Reason for which the program was ended.
    let mut exceeded = None;
    let is_over = loop {
        // A program that was stopped may have gone on.
        let patience = watchdog.as_ref().map(Watchdog::patience).into_iter();
        let patience = patience.chain(freezer.patience()).min();
        // The signal stands for a teller that is not there.
        let asked = teller.as_ref().map_or(child_signal, TaskTeller::socket);
        let tries = attempts.listener().unwrap_or(child_signal);
        let waited = wait_for([control, child_signal, asked, tries], patience);
        let Ok([ordered, ended, asked, tried]) = waited else { break true };
        if tried {
            attempts.answer(control);
        }
        if asked {
            teller = teller.filter(TaskTeller::answer);
        }
        let is_frozen = freezer.is_frozen();
        if watchdog.as_ref().is_some_and(|it| it.patience().is_zero()) {
            attempts.look(control);
        }
        let beyond = watchdog.as_mut().and_then(|it| it.look(&mut freezer.tree, is_frozen));
        let runs = freezer.look();
        escapes += u32::from(runs && rests);
        let pondered = (escapes >= ESCAPES).then_some(Exit::RanWhileStopped);
        if let Some(reason) = beyond.or(pondered).filter(|_| exceeded.is_none()) {
            (exceeded, watchdog) = (Some(reason), None);
            kill_children(alive);
        }
        if ended {
            clear(child_signal);
            while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
                freezer.forget(pid);
                if alive == Some(pid) {
                    alive = None;
                    attempts.report(control);
                    let end = exceeded.unwrap_or(end_of(status));
                    let _ = send_with(control, &LauncherMessage::Ended(end).encode(), &[]);
                }
            }
        }
        if ordered {
            match receive_order(control) {
                Some(order @ (Order::Freeze | Order::Pause)) => {
                    rests |= order == Order::Freeze;
                    is_paused |= order == Order::Pause;
                    if !is_frozen {
                        freezer.freeze();
                    }
                }
                Some(order @ (Order::Thaw | Order::Resume)) => {
                    let rested = rests;
                    rests &= order != Order::Thaw;
                    is_paused &= order != Order::Resume;
                    if is_frozen && !rests && !is_paused {
                        escapes += u32::from(freezer.thaw() && rested);
                    }
                    if order == Order::Thaw {
                        attempts.report(control);
                        let _ = send_with(control, &LauncherMessage::Thawed.encode(), &[]);
                    }
                }
                Some(Order::Tell) => {
                    attempts.report(control);
                    let _ = send_with(control, &LauncherMessage::Told.encode(), &[]);
                }
                Some(Order::End) => break false,
                None => break true,
            }
        }
    };
    // This ends stopped processes, too.
    kill_all(alive, child_signal, &mut freezer);
    attempts.report(control);
    is_over
}

/// Receives an order. Returns `None` once the other end is closed.
fn receive_order(control: &OwnedFd) -> Option<Order> {
    let mut bytes = [0; MESSAGE];
    receive_all(control, &mut bytes).ok()?;
    Order::decode(bytes)
}

/// Kills and reaps all descendants. `program` is the program if it has not been reaped.
fn kill_all(mut program: Option<Pid>, child_signal: &OwnedFd, freezer: &mut Freezer) {
    let mut rounds = 0;
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((ended, _))) => program = program.filter(|&program| program != ended),
            Ok(None) => {
                // Processes that fork in sessions of their own may be faster than the signals.
                // Those that are stopped fork no more.
                if rounds >= CALM {
                    freezer.freeze();
                }
                rounds += 1;
                kill_children(program);
                if wait_for([child_signal], None).is_err() {
                    return;
                }
                clear(child_signal);
            }
            Err(_) => return,
        }
    }
}

/// Kills the group of the program, unless that has been reaped, and the children of this process.
fn kill_children(program: Option<Pid>) {
    // One signal reaches the whole group, however fast it forks.
    if let Some(program) = program {
        let _ = kill_process_group(program, Signal::KILL);
    }
    // Children of a killed process become children of this one. Its own children have not been
    // reaped, so no other process has their numbers.
    for child in own_children() {
        let _ = kill_process(child, Signal::KILL);
    }
}

fn end_of(status: WaitStatus) -> Exit {
    let signal = status.terminating_signal().map(Exit::Signal);
    signal.or(status.exit_status().map(Exit::Code)).unwrap_or(Exit::Unknown)
}

fn own_children() -> impl Iterator<Item = Pid> {
    let children = sys::children(std::process::id()).into_iter();
    children.filter_map(|pid| Pid::from_raw(pid.try_into().ok()?))
}

/// Waits until one of `descriptors` can be read or is closed, up to `patience`.
fn wait_for<const N: usize>(
    descriptors: [&OwnedFd; N],
    patience: Option<Duration>,
) -> io::Result<[bool; N]> {
    let mut polled = descriptors.map(|descriptor| PollFd::new(descriptor, PollFlags::IN));
    let patience = patience.and_then(|time| Timespec::try_from(time).ok());
    match poll(&mut polled, patience.as_ref()) {
        Ok(_) => Ok(polled.map(|descriptor| !descriptor.revents().is_empty())),
        Err(Errno::INTR) => Ok([false; N]),
        Err(error) => Err(error.into()),
    }
}

/// Forgets the signals received.
fn clear(child_signal: &OwnedFd) {
    // A record has 128 bytes, and one pending signal of a kind is at most one record.
    let _ = read(child_signal, &mut [0; 256]);
}
