//! The running programs, so that all of them can be ended or paused at once, and what is left of
//! ended ones.

use crate::launcher::{Launcher, PauseHandle};
use crate::resource_limits::ResourceLimits;
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::process::{kill_process, kill_process_group, pidfd_send_signal, Pid, Signal};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Time for a killed child to end, in nanoseconds. Not tuned.
const BURIAL: i64 = 50_000_000;

/// Longest wait of a pause for programs that are being started. Not tuned.
const STARTING: Duration = Duration::from_secs(2);

/// All running programs. Clones share one list.
#[derive(Clone, Default, Debug)]
pub struct ProcessGroups {
    groups: Arc<Mutex<Groups>>,
    /// A start is over.
    started: Arc<Condvar>,
    launcher: Arc<Launcher>,
    limits: ResourceLimits,
}

#[derive(Default, Debug)]
struct Groups {
    /// Running programs by ticket. The number of a launched process may already be another's.
    alive: HashMap<u64, RunningHandle>,
    tickets: u64,
    /// Whether all groups were ended, so that new ones are ended as they come.
    closed: bool,
    /// Whether all groups were stopped with the host, so that new ones are stopped as they come.
    is_paused: bool,
    /// Number of times that all groups were stopped or continued.
    pauses: u64,
    /// Number of programs that are being started, and are not in the list yet.
    starting: usize,
    /// Killed children that could not be reaped yet.
    unreaped: Vec<Child>,
}

/// Start of a program, as long as it lives.
pub struct Starting<'a>(&'a ProcessGroups);

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        self.0.lock().starting -= 1;
        self.0.started.notify_all();
    }
}

/// Handle by which a running program is ended or paused.
#[derive(Clone, Debug)]
pub enum RunningHandle {
    /// Child of this process, the leader of a process group.
    Child(Pid),
    /// Program that its launcher reaps, as a descriptor. The launcher ends or pauses its
    /// descendants.
    Launched(Arc<OwnedFd>, PauseHandle),
}

impl ProcessGroups {
    /// Returns the same list with a launcher of its own, for one thread.
    pub fn with_own_launcher(&self) -> ProcessGroups {
        ProcessGroups { launcher: Arc::default(), ..self.clone() }
    }

    /// Returns the launcher of these programs.
    pub fn launcher(&self) -> &Launcher {
        &self.launcher
    }

    /// Returns the resource limits of this process when the list was created.
    pub fn limits(&self) -> &ResourceLimits {
        &self.limits
    }

    /// Takes note that a program is being started, which is added before the returned value is
    /// dropped.
    pub fn starting(&self) -> Starting<'_> {
        self.lock().starting += 1;
        Starting(self)
    }

    /// Adds a new program and returns its ticket. After [`ProcessGroups::end_all`] it is ended at
    /// once.
    pub fn add(&self, running: RunningHandle) -> u64 {
        let mut groups = self.lock();
        if groups.closed {
            running.kill();
        }
        if groups.is_paused {
            running.pause(true);
        }
        groups.tickets += 1;
        let ticket = groups.tickets;
        groups.alive.insert(ticket, running);
        ticket
    }

    /// Ends a program and removes it from the list. A child must not have been waited for yet, so
    /// that no other process has its number.
    pub fn end(&self, ticket: u64) {
        if let Some(running) = self.lock().alive.remove(&ticket) {
            running.kill();
        }
    }

    /// Ends every program, including those added later, so that nothing continues.
    pub fn end_all(&self) {
        let mut groups = self.lock();
        groups.closed = true;
        groups.alive.values().for_each(RunningHandle::kill);
    }

    /// Stops every program while the host is stopped, or lets all run again. Those that are being
    /// started are stopped, too: a host that is stopped itself could not do it later.
    pub fn pause_all(&self, is_paused: bool) {
        let mut groups = self.lock();
        groups.is_paused = is_paused;
        groups.pauses += 1;
        groups.alive.values().for_each(|running| running.pause(is_paused));
        if is_paused {
            let is_starting = |groups: &mut Groups| groups.starting > 0;
            let waited = self.started.wait_timeout_while(groups, STARTING, is_starting);
            drop(waited.expect("no thread panics while it holds the lock"));
        }
    }

    /// Returns the number of calls of [`ProcessGroups::pause_all`]. A program that ran between two
    /// equal numbers has not been stopped.
    pub fn pauses(&self) -> u64 {
        self.lock().pauses
    }

    /// Reaps a killed child. One that cannot be reaped yet, for example because another process
    /// traces it, is kept for the next call.
    pub fn reap(&self, child: Child, pidfd: &OwnedFd) {
        let patience = Timespec { tv_sec: 0, tv_nsec: BURIAL };
        let _ = poll(&mut [PollFd::new(pidfd, PollFlags::IN)], Some(&patience));
        let mut groups = self.lock();
        groups.unreaped.push(child);
        groups.unreaped.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
    }

    fn lock(&self) -> MutexGuard<'_, Groups> {
        self.groups.lock().expect("no thread panics while it holds the lock")
    }
}

impl RunningHandle {
    /// Kills a program, and its group if it is a child. The leader of a group may have moved to
    /// another group of its session.
    fn kill(&self) {
        match self {
            RunningHandle::Child(pid) => {
                let _ = kill_process(*pid, Signal::KILL);
                let _ = kill_process_group(*pid, Signal::KILL);
            }
            RunningHandle::Launched(pidfd, _) => {
                let _ = pidfd_send_signal(pidfd, Signal::KILL);
            }
        }
    }

    /// Stops a program and its group or descendants, or lets them run again.
    fn pause(&self, is_paused: bool) {
        match self {
            RunningHandle::Child(pid) => {
                let signal = if is_paused { Signal::STOP } else { Signal::CONT };
                let _ = kill_process_group(*pid, signal);
            }
            RunningHandle::Launched(_, handle) => handle.set(is_paused),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::time::Instant;
    use std::{fs, thread};

    /// Returns `true` if the process is stopped.
    fn is_stopped(child: &Child) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        status.rsplit_once(") ").unwrap().1.starts_with('T')
    }

    /// A program that is being started is in no list yet. The host may be stopped after the pause.
    #[test]
    fn pause_stops_a_program_that_is_being_started() {
        let processes = ProcessGroups::default();
        let mut child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let starting = processes.starting();
        thread::scope(|scope| {
            scope.spawn(|| {
                let starting = starting;
                thread::sleep(Duration::from_millis(200));
                processes.add(RunningHandle::Child(pid));
                drop(starting);
            });
            processes.pause_all(true);
            // A signal takes effect when the process runs next.
            let begun = Instant::now();
            let is_listed = !processes.lock().alive.is_empty();
            while is_listed && !is_stopped(&child) && begun.elapsed() < STARTING {
                thread::sleep(Duration::from_millis(1));
            }
            assert!(is_listed && is_stopped(&child));
        });
        processes.end_all();
        child.wait().unwrap();
    }
}
