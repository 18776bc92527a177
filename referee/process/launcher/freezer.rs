//! Stops all descendants of a launcher, and lets them run again.

use super::child_tree::ChildTree;
use super::groups;
use crate::sys;
use rustix::process::{
    getpgid, kill_process, kill_process_group, waitid, Pid, Signal, WaitId, WaitIdOptions,
};
use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// Largest number of walks through the tree in one freeze, in case it keeps growing. A program
/// without children needs three walks, and each level below it one more. Not tuned.
const WALKS: usize = 64;
/// Number of walks after which the known processes of a growing tree are stopped. Not tuned.
const LOOKS: usize = 8;

/// Time between two looks at stopped processes. A look takes about a thousandth of it. Not tuned.
const LOOK: Duration = Duration::from_millis(10);
/// Time from a stop to the first look. Not tuned.
const FIRST_LOOK: Duration = Duration::from_millis(2);
/// Largest share of the time that looks may take: one in this number. Not tuned.
const LOOKING_SHARE: u32 = 50;

/// The descendants that this process stopped.
#[derive(Default)]
pub struct Freezer {
    /// All descendants.
    pub tree: ChildTree,
    /// Process groups that were stopped.
    groups: HashSet<Pid>,
    /// Processes that were stopped.
    stopped: Vec<Pid>,
    /// All processes of a frozen tree.
    frozen: Vec<Pid>,
    /// Whether there was a look at them.
    is_looked_at: bool,
    /// Time of the next look at them; none while the tree may run.
    next_look: Option<Instant>,
    /// Whether the tree was frozen and not thawed yet.
    is_frozen: bool,
    /// File by which the kernel stops the control group of the program, if it is in one.
    group: Option<OwnedFd>,
}

impl Freezer {
    /// Creates a freezer of a program in the control group of this file, if there is one.
    pub fn of_group(group: Option<OwnedFd>) -> Freezer {
        Freezer { group, ..Freezer::default() }
    }

    /// Stops every descendant that is not stopped yet.
    ///
    /// The kernel stops a group whole. Without one it is done by signals:
    ///
    /// A process in the middle of a fork stops after it, and its child is in no list yet. A signal
    /// to the group reaches that child, too, unless the same signal is already pending for its
    /// parent. Its own signal reaches a process that changes its group meanwhile. The
    /// whole tree is known before the first signal, because afterwards a process that
    /// stopped itself looks like the others. No process outside of the tree is in such a group, as
    /// the program began in a session of its own.
    pub fn freeze(&mut self) {
        self.is_frozen = true;
        if self.group.as_ref().is_some_and(|group| groups::freeze(group, true).is_ok()) {
            return;
        }
        let mut tree = HashSet::new();
        let mut running = Vec::new();
        // Groups with a process that stopped itself.
        let mut mixed = HashSet::new();
        for walk in 1..=WALKS {
            let mut found: Vec<u32> =
                tree.iter().flat_map(|&pid| self.tree.children(pid)).collect();
            // Its own children last: this process adopts what loses its parent meanwhile.
            found.extend(self.tree.own_children());
            found.retain(|&pid| tree.insert(pid));
            let is_known = found.is_empty();
            if is_known && running.is_empty() {
                break;
            }
            for pid in found.into_iter().filter_map(pid) {
                let Ok(group) = getpgid(Some(pid)) else { continue };
                if !is_stopped(pid) {
                    running.push((pid, group));
                } else if !self.groups.contains(&group) && !self.stopped.contains(&pid) {
                    mixed.insert(group);
                }
            }
            if is_known || walk % LOOKS == 0 {
                self.stop(running.drain(..), &mixed);
            }
        }
        self.tree.retain(&tree);
        self.frozen = tree.into_iter().filter_map(pid).collect();
        self.next_look = Some(Instant::now() + FIRST_LOOK);
    }

    /// Returns `true` if the tree was frozen and not thawed yet.
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// Returns the time until the next look at a frozen tree.
    pub fn patience(&self) -> Option<Duration> {
        Some(self.next_look?.saturating_duration_since(Instant::now()))
    }

    /// Looks at a frozen tree if it is time to. Returns `true` if a process of it runs again, and
    /// stops the tree once more. A stopped process can have itself continued, for example by a
    /// timer of its own.
    pub fn look(&mut self) -> bool {
        if !self.patience().is_some_and(|patience| patience.is_zero()) {
            return false;
        }
        let begun = Instant::now();
        self.is_looked_at = true;
        let runs = self.runs();
        if runs {
            self.freeze();
        }
        self.next_look = Some(Instant::now() + LOOK.max(begun.elapsed() * LOOKING_SHARE));
        runs
    }

    /// Returns `true` if a process of a frozen tree was continued.
    fn runs(&self) -> bool {
        self.frozen.iter().any(|&pid| !is_stopped(pid) && is_continued(pid))
    }

    /// Stops processes, each with its group unless that is one of `mixed`, where another process
    /// had stopped itself.
    fn stop(&mut self, running: impl Iterator<Item = (Pid, Pid)>, mixed: &HashSet<Pid>) {
        let mut groups = HashSet::new();
        for (pid, group) in running {
            if !mixed.contains(&group) && groups.insert(group) {
                let _ = kill_process_group(group, Signal::STOP);
            }
            let _ = kill_process(pid, Signal::STOP);
            self.stopped.push(pid);
        }
        self.groups.extend(groups);
    }

    /// Lets all processes run that were stopped here. Returns `true` if one of them ran already.
    pub fn thaw(&mut self) -> bool {
        self.is_frozen = false;
        if let Some(group) = &self.group {
            let _ = groups::freeze(group, false);
        }
        // The question would lengthen a short stop by half.
        let runs = std::mem::take(&mut self.is_looked_at) && self.runs();
        self.frozen.clear();
        self.next_look = None;
        for group in self.groups.drain() {
            let _ = kill_process_group(group, Signal::CONT);
        }
        for pid in self.stopped.drain(..) {
            let _ = kill_process(pid, Signal::CONT);
        }
        runs
    }

    /// Removes a process that has been reaped, whose number may be given to another.
    pub fn forget(&mut self, ended: Pid) {
        self.stopped.retain(|&pid| pid != ended);
        self.frozen.retain(|&pid| pid != ended);
    }
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(number.try_into().ok()?)
}

/// Returns `true` if the process is stopped. The call for children takes a tenth of the time of the
/// file in `/proc`, which is there for all.
fn is_stopped(pid: Pid) -> bool {
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(pid), options) {
        Ok(stop) => stop.is_some(),
        Err(_) => sys::process_state(pid.as_raw_nonzero().get().unsigned_abs()) == Some('T'),
    }
}

/// Returns `true` if a process that was sent the signal to stop has been continued since. Until it
/// obeys, the signal is pending, for example while it waits for a processor or a device. Then at
/// least one of its threads is stopped.
fn is_continued(pid: Pid) -> bool {
    let number = pid.as_raw_nonzero().get().unsigned_abs();
    let is_obeyed = sys::is_pending(number, Signal::STOP) == Some(false);
    if !is_obeyed {
        return false;
    }
    let states = sys::tasks(number).into_iter().filter_map(|task| sys::task_state(number, task));
    let states: Vec<char> = states.collect();
    !states.contains(&'T') && states.iter().any(|state| matches!(state, 'R' | 'S'))
}
