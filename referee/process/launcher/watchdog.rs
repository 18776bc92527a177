//! Watch on the memory and the number of processes of a program.

use super::child_tree::ChildTree;
use super::layers::SandboxLimits;
use crate::exit::Exit;
use crate::sys;
use rustix::time::{clock_gettime, ClockId};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Time between two looks at a program that uses much of a limit. One that fills new memory as fast
/// as it can gets about 20 MB in it: measured 2026-11-25 in a virtual machine.
const SHORT: Duration = Duration::from_millis(10);
/// Time between two looks at any other program. With `SHORT` instead, programs that answer at once
/// took about 3 % more CPU time per answer (`cargo bench --bench pipes -- --sandbox`, 2026-11-25).
const LONG: Duration = Duration::from_millis(40);
/// Share of a limit that is much: one in this number.
const MUCH: u64 = 4;
/// Largest share of a processor that measures shared memory: one in this number. Not tuned.
const MEASURING_SHARE: u32 = 10;
/// Multiple of a limit at which processes exceed it whatever they share. They may copy what they
/// share between two measurements. Not tuned.
const MOST_SHARED: u64 = 4;

/// Watchdog of the descendants of this process.
pub struct Watchdog {
    limits: SandboxLimits,
    next_look: Instant,
    /// Last measurement of what processes share, while their sum exceeds the limit.
    measured: Option<Measured>,
}

/// Measured memory of all processes, in bytes.
#[derive(Clone, Copy)]
struct Measured {
    at: Instant,
    /// CPU time of the measurement. Its wall time is longer on a busy machine.
    took: Duration,
    /// Memory that each process would need alone.
    sum: u64,
    /// The same, with shared pages counted once.
    total: u64,
}

impl Watchdog {
    /// Creates a watchdog of a program that has just been started.
    pub fn new(limits: SandboxLimits) -> Watchdog {
        Watchdog { limits, next_look: Instant::now() + SHORT, measured: None }
    }

    /// Returns the time until the next look.
    pub fn patience(&self) -> Duration {
        self.next_look.saturating_duration_since(Instant::now())
    }

    /// Returns the reason to end the program, if it is time to look and the descendants exceed a
    /// limit together. Memory that several of them share counts once, and pages of files do not.
    /// What they share is not measured while the tree is frozen, as it takes others' time.
    pub fn look(&mut self, tree: &mut ChildTree, is_frozen: bool) -> Option<Exit> {
        if !self.patience().is_zero() {
            return None;
        }
        let (mut memory, mut tasks) = (0, 0);
        let mut alive = HashSet::new();
        // Processes with their parents; this process is no parent here.
        let mut family = Vec::new();
        let mut waiting: Vec<_> = tree.own_children().into_iter().map(|of| (of, None)).collect();
        while let Some((process, parent)) = waiting.pop() {
            let Some(size) = sys::process_size(process) else { continue };
            memory += size.resident;
            tasks += size.threads;
            if tasks > self.limits.processes {
                return Some(Exit::ProcessLimit);
            }
            alive.insert(process);
            family.push((process, parent));
            waiting.extend(tree.children(process).into_iter().map(|of| (of, Some(process))));
        }
        tree.retain(&alive);
        let SandboxLimits { memory: most_memory, processes, .. } = self.limits;
        let is_much = memory > most_memory / MUCH || tasks > processes / MUCH;
        self.next_look = Instant::now() + if is_much { SHORT } else { LONG };
        if memory <= most_memory {
            self.measured = None;
            return None;
        }
        self.exceed(&family, is_frozen).then_some(Exit::MemoryLimit)
    }

    /// Returns `true` if processes exceed the limit on memory, whose resident sizes do together.
    fn exceed(&mut self, family: &[(u32, Option<u32>)], is_frozen: bool) -> bool {
        let most = self.limits.memory;
        // A child of `vfork` has the memory of its parent until it executes another program.
        let own = family.iter().filter(|(process, parent)| {
            parent.is_none_or(|parent| !sys::share_memory(*process, parent))
        });
        let size = |&(process, _): &(u32, _)| Some((process, sys::private_memory(process)?));
        let sizes: Vec<(u32, u64)> = own.filter_map(size).collect();
        let sum: u64 = sizes.iter().map(|(_, size)| size).sum();
        let last = self.measured.take();
        let is_one = sizes.iter().any(|(_, size)| *size > most);
        if sum <= most || is_one || sum / MOST_SHARED > most {
            return sum > most;
        }
        if is_frozen {
            return false;
        }
        if let Some(last) = last.filter(|last| last.total <= most) {
            let grown = sum.saturating_sub(last.sum);
            if last.total + grown <= most && last.at.elapsed() < last.took * MEASURING_SHARE {
                self.measured = Some(last);
                return false;
            }
        }
        let (at, begun) = (Instant::now(), own_cpu_time());
        // One that has ended has nothing, and one that cannot be measured shares nothing.
        let part = |&(process, _): &(u32, u64)| {
            sys::proportional_memory(process).or_else(|| sys::private_memory(process))
        };
        let total = sizes.iter().filter_map(part).sum();
        self.measured =
            Some(Measured { at, took: own_cpu_time().saturating_sub(begun), sum, total });
        // A process that started or ended meanwhile may have been counted twice: not so again.
        total > most && last.is_some_and(|last| last.total > most)
    }
}

/// Returns the CPU time of this thread.
fn own_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
