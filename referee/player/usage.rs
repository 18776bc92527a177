//! CPU time of a program with all of its descendants, and the time for which it waited for a
//! processor.
//!
//! Both are read lazily, as a read costs more than many a move. `/proc/PID/task/TID/schedstat` has
//! three numbers: run time and waiting time of the task, and the number of times that it got a
//! processor. A wait in progress is added only when the task runs again.

use crate::sys::{self, TaskStatistics};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Time of one kernel tick, in which the time of ended children is counted.
const TICK: Duration = Duration::from_millis(10);

/// Meter of a program: reads its tree of processes, and keeps what it needs of earlier readings.
#[derive(Debug)]
pub struct UsageMeter {
    /// Whether the last answer took so long that its usage was read. The next turn then begins with
    /// a reading.
    pub is_slow: bool,
    /// Whether the last answer took long enough for opponents to be stopped.
    pub is_thinker: bool,
    /// Whether opponents think, so that the usage meanwhile is counted from a reading at the end of
    /// each answer.
    pub has_thinking_opponents: bool,
    /// Whether the last answer ended with a reading.
    pub is_read: bool,
    /// Whether the program could not run since the last reading, so that a turn can begin there.
    pub is_current: bool,
    /// Time that the referee's thread had waited for a processor when this was last read.
    pub last_own_wait: Option<Duration>,
    /// Root of the tree.
    root: u32,
    /// Whether the root is a launcher, which is not a part of the program.
    is_launched: bool,
    /// Beginning of the turn.
    begun: Instant,
    /// Values from which the usage of this turn is counted.
    base: Reading,
    /// Waiting time of this turn before `base`, at most.
    waited_before: Duration,
    last: Reading,
    /// CPU time of processes that have ended in this turn, as far as a reading saw it.
    seen_of_ended: Duration,
    /// Whether `base` was not read in this turn yet.
    is_stale: bool,
    /// Whether this system tells how long tasks wait.
    tells_waits: bool,
}

/// Usage since the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// CPU time of all tasks.
    pub cpu: Duration,
    /// Longest waiting time of a task; none where the system does not tell.
    pub wait: Option<Duration>,
    /// The same, but at most, with waits in progress.
    pub wait_at_most: Duration,
}

/// Values of a tree of processes at one instant.
#[derive(Clone, Debug)]
struct Reading {
    at: Instant,
    processes: HashMap<u32, ProcessReading>,
    /// Readings of the tasks, by process and task.
    tasks: HashMap<(u32, u32), TaskReading>,
    /// CPU time of ended children, in kernel ticks of user and system time.
    ended_ticks: [u64; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct ProcessReading {
    cpu: Duration,
    /// Kernel ticks of its own ended children.
    ended_ticks: [u64; 2],
}

/// Numbers of a task, and an earlier instant with its numbers then. A wait in progress has begun
/// after that instant.
#[derive(Clone, Copy, Debug)]
struct TaskReading {
    now: TaskStatistics,
    mark: (Instant, TaskStatistics),
}

impl Reading {
    fn empty() -> Reading {
        let (processes, tasks) = (HashMap::new(), HashMap::new());
        Reading { at: Instant::now(), processes, tasks, ended_ticks: [0; 2] }
    }

    fn cpu(&self, process: u32) -> Duration {
        self.processes.get(&process).map_or(Duration::ZERO, |of| of.cpu)
    }
}

impl UsageMeter {
    /// Creates the meter of the program whose process is `root`, or whose launcher it is.
    pub fn new(root: u32, is_launched: bool) -> UsageMeter {
        UsageMeter {
            is_slow: true,
            is_thinker: true,
            has_thinking_opponents: false,
            is_read: false,
            is_current: false,
            last_own_wait: None,
            root,
            is_launched,
            begun: Instant::now(),
            base: Reading::empty(),
            waited_before: Duration::ZERO,
            last: Reading::empty(),
            seen_of_ended: Duration::ZERO,
            is_stale: true,
            tells_waits: tells_waits(),
        }
    }

    /// Begins a turn without a reading. The first reading of the turn becomes the base: what the
    /// program used before is not counted, and what it may have waited is credited.
    pub fn begin_unread(&mut self) {
        (self.begun, self.is_stale) = (Instant::now(), true);
        (self.waited_before, self.seen_of_ended) = (Duration::ZERO, Duration::ZERO);
    }

    /// Begins a turn with a reading.
    pub fn begin(&mut self) {
        self.begin_unread();
        self.read();
        self.waited_before = Duration::ZERO;
    }

    /// Begins a turn at the last reading, if nothing can have happened since.
    pub fn begin_at_last(&mut self) {
        (self.waited_before, self.seen_of_ended) = (Duration::ZERO, Duration::ZERO);
        self.begun = self.last.at;
        self.set_base();
    }

    /// Counts the usage of this turn from the last reading.
    fn set_base(&mut self) {
        let begun = self.begun;
        self.last.tasks.values_mut().for_each(|task| task.mark = (begun, task.now));
        self.base = self.last.clone();
        self.is_stale = false;
    }

    /// Reads the tree. Returns whether a process has come or gone since the last reading.
    pub fn read(&mut self) -> bool {
        let mut now = Reading { at: Instant::now(), ..Reading::empty() };
        if self.is_launched {
            now.ended_ticks = sys::ended_children_ticks(self.root).unwrap_or_default();
        }
        for process in self.processes() {
            let cpu = sys::process_time(process).unwrap_or_default();
            let ended_ticks = sys::ended_children_ticks(process).unwrap_or_default();
            now.processes.insert(process, ProcessReading { cpu, ended_ticks });
            for task in sys::tasks(process) {
                let Some(numbers) = sys::task_statistics(process, task) else { continue };
                let mark = match self.last.tasks.get(&(process, task)) {
                    Some(last) if last.now.slices == numbers.slices => last.mark,
                    Some(last) => (self.last.at, last.now),
                    None => (self.last.at, TaskStatistics::default()),
                };
                now.tasks.insert((process, task), TaskReading { now: numbers, mark });
            }
        }
        let last = std::mem::replace(&mut self.last, now);
        let is_new = |process: &u32| !last.processes.contains_key(process);
        let has_changed = self.last.processes.keys().any(is_new)
            || last.processes.len() != self.last.processes.len();
        if self.is_stale {
            // The waits before this reading began in this turn or before it.
            let grown = self.last.tasks.iter().map(|(task, now)| {
                let before = last.tasks.get(task).map_or(Duration::ZERO, |last| last.now.wait);
                now.now.wait.saturating_sub(before)
            });
            self.waited_before = grown.max().unwrap_or_default().min(self.begun.elapsed());
            self.set_base();
            return has_changed;
        }
        let gone = last.processes.iter().filter(|(of, _)| !self.last.processes.contains_key(of));
        self.seen_of_ended +=
            gone.map(|(&of, last)| last.cpu.saturating_sub(self.base.cpu(of))).sum::<Duration>();
        has_changed
    }

    /// Returns the usage since the beginning of the turn, as of the last reading. If `in_progress`,
    /// reads the state of each task, for waits that have not ended.
    pub fn usage(&self, in_progress: bool) -> Usage {
        let alive = self.last.processes.iter();
        let alive = alive.map(|(&of, now)| now.cpu.saturating_sub(self.base.cpu(of)));
        let cpu = alive.sum::<Duration>() + self.seen_of_ended.max(self.told_of_ended());
        let known = |(task, of): (&(u32, u32), &TaskReading)| {
            let before = self.base.tasks.get(task).map_or(Duration::ZERO, |base| base.now.wait);
            of.now.wait.saturating_sub(before)
        };
        let wait = self.last.tasks.iter().map(known).max();
        let wait_at_most = self.last.tasks.iter().map(|(task, of)| {
            let growing = in_progress.then(|| self.wait_in_progress(*task, of));
            known((task, of)) + growing.unwrap_or_default()
        });
        Usage {
            cpu,
            wait: wait.filter(|_| self.tells_waits).map(|wait| wait + self.waited_before),
            wait_at_most: wait_at_most.max().unwrap_or_default() + self.waited_before,
        }
    }

    /// Returns how long a task may have been waiting for a processor: since its mark, less the time
    /// for which it ran, or waited before, since then.
    fn wait_in_progress(&self, (process, task): (u32, u32), of: &TaskReading) -> Duration {
        if sys::task_state(process, task) != Some('R') {
            return Duration::ZERO;
        }
        let (since, then) = of.mark;
        let ran = of.now.run.saturating_sub(then.run);
        let waited = of.now.wait.saturating_sub(then.wait);
        since.elapsed().saturating_sub(ran).saturating_sub(waited)
    }

    /// Returns the least CPU time of processes that have ended in this turn, as the system tells it
    /// in whole ticks of each process. What they used before the turn is taken off.
    fn told_of_ended(&self) -> Duration {
        let grown = |now: [u64; 2], base: [u64; 2]| -> Duration {
            // A growth by one tick may be a moment.
            let ticks = now.iter().zip(base).map(|(now, base)| now.saturating_sub(base));
            TICK * ticks.map(|ticks| ticks.saturating_sub(1)).sum::<u64>() as u32
        };
        let ticks_of =
            |of: &u32| self.base.processes.get(of).map_or([0; 2], |base| base.ended_ticks);
        let alive = self.last.processes.iter();
        let alive: Duration = alive.map(|(of, now)| grown(now.ended_ticks, ticks_of(of))).sum();
        let all = alive + grown(self.last.ended_ticks, self.base.ended_ticks);
        let gone = self.base.processes.iter();
        let gone = gone.filter(|(of, _)| !self.last.processes.contains_key(of));
        let before =
            gone.map(|(_, base)| base.cpu + TICK * base.ended_ticks.iter().sum::<u64>() as u32);
        all.saturating_sub(before.sum())
    }

    /// Returns the processes of the program.
    fn processes(&self) -> Vec<u32> {
        let mut found = match self.is_launched {
            true => sys::children(self.root),
            false => vec![self.root],
        };
        let mut next = 0;
        while let Some(&process) = found.get(next) {
            found.extend(sys::children(process));
            next += 1;
        }
        found
    }
}

/// Returns `true` if this system tells how long tasks wait.
pub fn tells_waits() -> bool {
    // Without accounting the file is missing, or all its numbers are zero.
    sys::own_statistics().is_some_and(|own| own.slices > 0)
}
