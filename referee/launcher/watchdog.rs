//! Watch on the memory and the number of processes of a program.

use super::child_tree::ChildTree;
use super::jail::JailLimits;
use super::ProgramEnd;
use crate::sys;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Time between two looks at a program that uses much of a limit. One that fills new memory as fast
/// as it can gets about 20 MB in it: measured 2026-11-25 in a virtual machine.
const SHORT: Duration = Duration::from_millis(10);
/// Time between two looks at any other program. With `SHORT` instead, kept instant bots took about
/// 3 % more CPU time per move (`cargo bench --bench pipes -- --sandbox`, 2026-11-25).
const LONG: Duration = Duration::from_millis(40);
/// Share of a limit that is much: one in this number.
const MUCH: u64 = 4;

/// Watchdog of the descendants of this process.
pub struct Watchdog {
    limits: JailLimits,
    next_look: Instant,
}

impl Watchdog {
    /// Creates a watchdog of a program that has just been started.
    pub fn new(limits: JailLimits) -> Watchdog {
        Watchdog { limits, next_look: Instant::now() + SHORT }
    }

    /// Returns the time until the next look.
    pub fn patience(&self) -> Duration {
        self.next_look.saturating_duration_since(Instant::now())
    }

    /// Returns the reason to end the program, if it is time to look and the descendants exceed a
    /// limit together. Memory that several of them share counts for each.
    pub fn look(&mut self, tree: &mut ChildTree) -> Option<ProgramEnd> {
        if !self.patience().is_zero() {
            return None;
        }
        let (mut memory, mut tasks) = (0, 0);
        let mut alive = HashSet::new();
        let mut waiting = tree.own_children();
        while let Some(process) = waiting.pop() {
            let Some(size) = sys::process_size(process) else { continue };
            memory += size.resident;
            tasks += size.threads;
            if tasks > self.limits.processes {
                return Some(ProgramEnd::ProcessLimit);
            }
            alive.insert(process);
            waiting.extend(tree.children(process));
        }
        tree.retain(&alive);
        let JailLimits { memory: most_memory, processes, .. } = self.limits;
        let is_much = memory > most_memory / MUCH || tasks > processes / MUCH;
        self.next_look = Instant::now() + if is_much { SHORT } else { LONG };
        (memory > most_memory).then_some(ProgramEnd::MemoryLimit)
    }
}
