//! CPU time of a program with all of its descendants, and the time for which it waited for a
//! processor.
//!
//! Both are read lazily, as a read costs more than many an answer. `/proc/PID/task/TID/schedstat`
//! has three numbers: run time and waiting time of the task, and the number of times that it got a
//! processor. A wait in progress is added only when the task runs again.

use crate::launcher::{CpuClock, TaskCounter};
use crate::sys::{self, ProcessStatistics, TaskStatistics};
use rustix::process::Pid;
use rustix::thread::{sched_getaffinity, CpuSet};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Time of one kernel tick, in which the time of ended children is counted.
const TICK: Duration = Duration::from_millis(10);
/// CPU time of living processes beyond the count of the program's clock, which shows that the clock
/// lacks one of them. It is read after them, but lacks the first 0.1 ms of the program's process.
/// Not tuned.
const UNCOUNTED: Duration = Duration::from_millis(5);
/// Numbers of a process that did not exist at the beginning of a turn.
static NEW: ProcessStatistics =
    ProcessStatistics { faults: 0, childrens_faults: 0, childrens_ticks: [0; 2] };

/// Meter of a program: reads its tree of processes, and keeps what it needs of earlier readings.
#[derive(Debug)]
pub struct UsageMeter {
    /// Whether the last answer took so long that its usage was read. The next turn then begins with
    /// a reading.
    pub is_slow: bool,
    /// Whether the last answer took [`THINKING`](crate::stopwatch::THINKING).
    pub is_thinker: bool,
    /// Whether the program rested before this turn. The usage in its next rest is counted from
    /// a reading at the end of the answer.
    pub has_rested: bool,
    /// Whether the last answer ended with a reading.
    pub is_read: bool,
    /// Whether the program could not run since the last reading, so that a turn can begin there.
    pub is_current: bool,
    /// Time that the host's thread had waited for a processor when this was last read.
    pub last_own_wait: Option<Duration>,
    /// Root of the tree.
    root: u32,
    /// Whether the root is a launcher, which is not a part of the program.
    is_launched: bool,
    /// Clock of all that the program has started, where the system gives one. Without it, the time
    /// of children whose ends their parent ignores is known as far as a reading saw it.
    clock: Option<CpuClock>,
    /// Counter of the program's tasks, if it is in namespaces of its own. It is asked where there
    /// is no clock.
    tasks: Option<TaskCounter>,
    /// Number of tasks that readings of this turn saw first.
    new_tasks: u64,
    /// Beginning of the turn.
    begun: Instant,
    /// Values from which the usage of this turn is counted.
    base: Reading,
    /// Waiting time of this turn before `base`, at most.
    waited_before: Duration,
    /// CPU time of the program between the first reading of the turn and the one before it, less
    /// the time of the answers between them.
    used_before: Duration,
    /// Wall time of the answers since the last reading.
    unread: Duration,
    last: Reading,
    /// CPU time of processes that have ended in this turn, as far as a reading saw it.
    seen_of_ended: Duration,
    /// Page faults of these processes, as far as a reading saw them.
    faults_of_ended: u64,
    /// Longest waiting time of a task that has ended in this turn, as far as a reading saw it.
    waited_of_ended: Duration,
    /// Whether `base` was not read in this turn yet.
    is_stale: bool,
    /// Whether the system shows how long tasks wait.
    tells_waits: bool,
    /// Ticks that the hypervisor had withheld from each processor at `base`.
    base_withheld: Vec<u64>,
    /// Processors of the program when it was started.
    given: Option<CpuSet>,
    /// Whether a task was seen that may run on others.
    has_left: bool,
    /// Whether the hypervisor had ever withheld a processor when the program was started.
    has_busy_hypervisor: bool,
}

/// Usage since the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// CPU time of all tasks.
    pub cpu: Duration,
    /// Longest CPU time of one task.
    pub longest: Duration,
    /// Longest waiting time of a task; none where the system does not tell. A task that has lowered
    /// its priority waits for the others of its program, which counts for nothing.
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
    /// Numbers of the launcher, whose children the orphans are.
    launcher: ProcessStatistics,
    /// Time of the program's clock, if it has one.
    clock: Option<Duration>,
    /// Numbers of the last task before this reading and after it, where there is no clock.
    last_tasks: Option<[u64; 2]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ProcessReading {
    cpu: Duration,
    numbers: ProcessStatistics,
}

/// Numbers of a task, and an earlier instant with its numbers then. A wait in progress has begun
/// after that instant.
#[derive(Clone, Copy, Debug)]
struct TaskReading {
    now: TaskStatistics,
    mark: (Instant, TaskStatistics),
    /// Longest wait that was in progress at the reading.
    waiting: Duration,
    /// Niceness of its session, and its own as [`sys::priority`] numbers it. The kernel weighs
    /// sessions first.
    priority: [i32; 2],
}

impl TaskReading {
    /// Returns the longest wait that can be in progress. `since_mark` is the time since the mark;
    /// `base` are the numbers at the beginning of the turn, `since_base` ago.
    fn longest_wait(
        &self,
        since_mark: Duration,
        base: TaskStatistics,
        since_base: Duration,
    ) -> Duration {
        let since = |elapsed: Duration, then: TaskStatistics| {
            elapsed.saturating_sub(self.now.run.saturating_sub(then.run))
        };
        // What it has waited since the mark is not taken off: that wait may have begun before it.
        let waited = self.now.wait.saturating_sub(base.wait);
        since(since_mark, self.mark.1).min(since(since_base, base).saturating_sub(waited))
    }
}

impl Reading {
    fn empty() -> Reading {
        let (processes, tasks) = (HashMap::new(), HashMap::new());
        let launcher = ProcessStatistics::default();
        Reading { at: Instant::now(), processes, tasks, launcher, clock: None, last_tasks: None }
    }

    /// Returns the tasks that no other task of the program is preferred to.
    fn preferred(&self) -> impl Iterator<Item = (&(u32, u32), &TaskReading)> {
        let best = self.tasks.values().map(|of| of.priority).min();
        self.tasks.iter().filter(move |(_, of)| Some(of.priority) == best)
    }

    /// Returns the processes of this reading that `later` lacks.
    fn gone<'r>(
        &'r self,
        later: &'r Reading,
    ) -> impl Iterator<Item = (u32, &'r ProcessReading)> + 'r {
        let all = self.processes.iter().map(|(&process, of)| (process, of));
        all.filter(|(process, _)| !later.processes.contains_key(process))
    }

    fn cpu(&self, process: u32) -> Duration {
        self.processes.get(&process).map_or(Duration::ZERO, |of| of.cpu)
    }
}

impl UsageMeter {
    /// Creates the meter of the program whose process is `root`, or whose launcher it is.
    pub fn new(root: u32, is_launched: bool, clock: Option<CpuClock>) -> UsageMeter {
        UsageMeter {
            is_slow: true,
            is_thinker: true,
            has_rested: false,
            is_read: false,
            is_current: false,
            last_own_wait: None,
            root,
            is_launched,
            clock,
            tasks: None,
            new_tasks: 0,
            begun: Instant::now(),
            base: Reading::empty(),
            waited_before: Duration::ZERO,
            used_before: Duration::ZERO,
            unread: Duration::ZERO,
            last: Reading::empty(),
            seen_of_ended: Duration::ZERO,
            faults_of_ended: 0,
            waited_of_ended: Duration::ZERO,
            is_stale: true,
            tells_waits: tells_waits(),
            base_withheld: Vec::new(),
            // A program takes over those of its launcher. It may have chosen others already.
            given: sched_getaffinity(Pid::from_raw(root.cast_signed())).ok(),
            has_left: false,
            has_busy_hypervisor: sys::withheld_ticks().iter().any(|&ticks| ticks > 0),
        }
    }

    /// Adds a counter of the program's tasks.
    pub fn with_tasks(self, tasks: Option<TaskCounter>) -> UsageMeter {
        UsageMeter { tasks, ..self }
    }

    /// Takes the processors that the program was given and its launcher was not.
    pub fn note_processors(&mut self, given: &CpuSet) {
        self.given = Some(*given);
    }

    /// Returns `true` if a reading saw a task that may run on other processors than the program was
    /// given.
    pub fn has_left_processors(&self) -> bool {
        self.has_left
    }

    /// Returns `true` if a task may run on other processors than the program was given.
    fn is_elsewhere(&self, task: u32) -> bool {
        let task = Pid::from_raw(task.cast_signed());
        let now = task.and_then(|task| sched_getaffinity(Some(task)).ok());
        let Some((given, now)) = self.given.as_ref().zip(now) else { return false };
        now != *given && (0..CpuSet::MAX_CPU).any(|of| now.is_set(of) && !given.is_set(of))
    }

    /// Returns `true` if the program may start others. Trusted programs, which have no launcher, do
    /// not.
    pub fn may_have_children(&self) -> bool {
        self.is_launched
    }

    /// Returns the CPU time since the program was started, without processes that have ended where
    /// the system gives no clock.
    pub fn since_start(&self) -> Duration {
        let counted = self.clock.as_ref().and_then(CpuClock::read);
        let alive = || self.processes().into_iter().filter_map(sys::process_time).sum();
        counted.unwrap_or_else(alive)
    }

    /// Begins a turn without a reading. The first reading of the turn becomes the base: what the
    /// program used before is not counted, and what it may have waited is credited.
    pub fn begin_unread(&mut self) {
        (self.begun, self.is_stale) = (Instant::now(), true);
        (self.waited_before, self.used_before) = (Duration::ZERO, Duration::ZERO);
        (self.seen_of_ended, self.faults_of_ended) = (Duration::ZERO, 0);
        self.waited_of_ended = Duration::ZERO;
    }

    /// Begins a turn with a reading.
    pub fn begin(&mut self) {
        self.begin_unread();
        self.read();
        (self.waited_before, self.used_before) = (Duration::ZERO, Duration::ZERO);
    }

    /// Begins a turn at the last reading, if nothing can have happened since.
    pub fn begin_at_last(&mut self) {
        self.begin_unread();
        self.begun = self.last.at;
        self.set_base();
    }

    /// Takes note of an answer after which the usage was not read. The program may have worked for
    /// its time `wall`, which then is none of a later turn.
    pub fn note_unread(&mut self, wall: Duration) {
        self.unread += wall;
    }

    /// Returns the CPU time before the first reading of this turn that may be of this turn.
    pub fn used_before(&self) -> Duration {
        self.used_before
    }

    /// Returns `true` if this turn has no reading yet.
    pub fn is_unread(&self) -> bool {
        self.is_stale
    }

    /// Credits the time before the first reading of this turn, except what the program has worked
    /// since the reading before. A host that itself was late with this reading cannot tell a
    /// program that waited for a processor from one that slept.
    pub fn credit_time_before_reading(&mut self) {
        let before = self.base.at.saturating_duration_since(self.begun);
        self.waited_before = self.waited_before.max(before.saturating_sub(self.used_before));
    }

    /// Counts the usage of this turn from the last reading.
    fn set_base(&mut self) {
        let begun = self.begun;
        self.last.tasks.values_mut().for_each(|task| task.mark = (begun, task.now));
        self.base = self.last.clone();
        (self.is_stale, self.new_tasks) = (false, 0);
        if self.has_busy_hypervisor {
            self.base_withheld = sys::withheld_ticks();
        }
    }

    /// Returns the time of this turn for which the hypervisor of a virtual machine kept a processor
    /// from it, at most. A task on that processor neither ran then nor waited, by the kernel's
    /// count.
    pub fn withheld(&self) -> Duration {
        if !self.has_busy_hypervisor {
            return Duration::ZERO;
        }
        at_most_withheld(&self.base_withheld, &sys::withheld_ticks())
    }

    /// Reads the tree. Returns whether a process has come or gone since the last reading.
    pub fn read(&mut self) -> bool {
        let first_task = self.last_task();
        let mut now = Reading { at: Instant::now(), ..Reading::empty() };
        let processes = self.processes();
        let sessions = processes.iter().map(|&process| sys::session(process));
        let are_apart = sessions.clone().any(|session| Some(session) != sessions.clone().next());
        for process in processes {
            let of_session = are_apart.then(|| sys::session_niceness(process)).flatten();
            let (cpu, numbers) = (sys::process_time(process), sys::process_statistics(process));
            let Some((cpu, numbers)) = cpu.zip(numbers) else { continue };
            now.processes.insert(process, ProcessReading { cpu, numbers });
            for task in sys::tasks(process) {
                let Some(numbers) = sys::task_statistics(process, task) else { continue };
                let mark = match self.last.tasks.get(&(process, task)) {
                    Some(last) if last.now.slices == numbers.slices => last.mark,
                    Some(last) => (self.last.at, last.now),
                    None => {
                        self.new_tasks += 1;
                        (self.last.at, TaskStatistics::default())
                    }
                };
                let own = sys::priority(task).unwrap_or_default();
                let priority = [of_session.unwrap_or_default(), own];
                self.has_left = self.has_left || self.is_elsewhere(task);
                let waiting = Duration::ZERO;
                let reading = TaskReading { now: numbers, mark, waiting, priority };
                now.tasks.insert((process, task), reading);
            }
        }
        if self.last.gone(&now).next().is_some() {
            // What they pass on to their parents is there once they are gone.
            for (&process, of) in &mut now.processes {
                of.numbers = sys::process_statistics(process).unwrap_or(of.numbers);
            }
        }
        if self.is_launched {
            now.launcher = sys::process_statistics(self.root).unwrap_or_default();
        }
        now.clock = self.clock.as_ref().and_then(CpuClock::read);
        let seen: Duration = now.processes.values().map(|of| of.cpu).sum();
        if now.clock.is_some_and(|counted| counted + UNCOUNTED < seen) {
            // The kernel counts no program that its user may execute and not read.
            (self.clock, now.clock) = (None, None);
        }
        now.last_tasks = first_task.and_then(|first| Some([first, self.last_task()?]));
        let last = std::mem::replace(&mut self.last, now);
        let is_new = |process: &u32| !last.processes.contains_key(process);
        let has_changed = self.last.processes.keys().any(is_new)
            || last.processes.len() != self.last.processes.len();
        if self.is_stale {
            // The waits before this reading began in this turn or before it.
            let grown = self.last.preferred().map(|(task, now)| {
                let before = last.tasks.get(task).map_or(Duration::ZERO, |last| last.now.wait);
                now.now.wait.saturating_sub(before)
            });
            self.waited_before = grown.max().unwrap_or_default().min(self.begun.elapsed());
            let counted = self.last.clock.zip(last.clock);
            let counted = counted.map(|(now, before)| now.saturating_sub(before));
            let alive = self.last.processes.iter();
            let alive = alive.map(|(&of, now)| now.cpu.saturating_sub(last.cpu(of)));
            let used = counted.unwrap_or_else(|| alive.sum());
            self.used_before = used.saturating_sub(std::mem::take(&mut self.unread));
            self.set_base();
            self.note_waits_in_progress();
            return has_changed;
        }
        self.note_waits_of_ended(&last);
        self.note_waits_in_progress();
        for (process, last) in last.gone(&self.last) {
            self.seen_of_ended += last.cpu.saturating_sub(self.base.cpu(process));
            self.faults_of_ended += last.numbers.faults + last.numbers.childrens_faults;
        }
        has_changed
    }

    /// Takes note of the waits that are in progress. A task may have ended by the next reading.
    fn note_waits_in_progress(&mut self) {
        if !self.may_have_children() {
            return;
        }
        let tasks = self.last.tasks.iter();
        let waits = tasks.map(|(task, of)| (*task, self.wait_in_progress(*task, of)));
        for (task, wait) in waits.collect::<Vec<_>>() {
            self.last.tasks.get_mut(&task).into_iter().for_each(|of| of.waiting = wait);
        }
    }

    /// Takes note of the waits of the tasks that were in the reading `before` and have ended. The
    /// system forgets the numbers of a task with it.
    fn note_waits_of_ended(&mut self, before: &Reading) {
        let ended = before.preferred().filter(|(task, _)| !self.last.tasks.contains_key(task));
        let waits = ended.map(|(task, of)| self.waited(*task, of) + of.waiting);
        self.waited_of_ended = waits.fold(self.waited_of_ended, Duration::max);
    }

    /// Returns the time that a task had waited in this turn at its reading.
    fn waited(&self, task: (u32, u32), of: &TaskReading) -> Duration {
        let before = self.base.tasks.get(&task).map_or(Duration::ZERO, |base| base.now.wait);
        of.now.wait.saturating_sub(before)
    }

    /// Returns the usage since the beginning of the turn, as of the last reading. If `in_progress`,
    /// reads the state of each task, for waits that have not ended.
    pub fn usage(&self, in_progress: bool) -> Usage {
        let alive = self.last.processes.iter();
        let alive = alive.map(|(&of, now)| now.cpu.saturating_sub(self.base.cpu(of)));
        let cpu = alive.sum::<Duration>() + self.seen_of_ended.max(self.told_of_ended());
        let counted = self.last.clock.zip(self.base.clock);
        let counted = counted.map(|(now, base)| now.saturating_sub(base));
        let cpu = counted.unwrap_or(cpu);
        let run = |(task, of): (&(u32, u32), &TaskReading)| {
            let before = self.base.tasks.get(task).map_or(Duration::ZERO, |base| base.now.run);
            of.now.run.saturating_sub(before)
        };
        let longest = self.last.tasks.iter().map(run).max().unwrap_or_default();
        let known = |(task, of): (&(u32, u32), &TaskReading)| self.waited(*task, of);
        let wait = self.last.preferred().map(known).max();
        let wait = wait.map(|wait| wait.max(self.waited_of_ended));
        // It may have worked in them while another task waited, or while all of them seem to sleep.
        if counted.is_none() && (self.has_lost_children() || self.has_unseen_tasks()) {
            let wait = Some(Duration::ZERO).filter(|_| self.tells_waits);
            let cpu = cpu.max(self.last.at.saturating_duration_since(self.base.at));
            return Usage { cpu, longest, wait, wait_at_most: Duration::ZERO };
        }
        let wait_at_most = self.last.preferred().map(|(task, of)| {
            let growing = in_progress.then(|| self.wait_in_progress(*task, of));
            known((task, of)) + growing.unwrap_or_default()
        });
        Usage {
            cpu,
            longest,
            wait: wait.filter(|_| self.tells_waits).map(|wait| wait + self.waited_before),
            wait_at_most: wait_at_most.max().unwrap_or_default().max(self.waited_of_ended)
                + self.waited_before,
        }
    }

    /// Returns how long a task may have been waiting for a processor.
    fn wait_in_progress(&self, (process, task): (u32, u32), of: &TaskReading) -> Duration {
        if sys::task_state(process, task) != Some('R') {
            return Duration::ZERO;
        }
        let base = self.base.tasks.get(&(process, task)).map_or_else(Default::default, |of| of.now);
        of.longest_wait(of.mark.0.elapsed(), base, self.base.at.elapsed())
    }

    /// Returns the least CPU time of processes that have ended in this turn, as the system tells it
    /// in whole ticks of each process. What they used before the turn is taken off.
    fn told_of_ended(&self) -> Duration {
        let ticks = |[user, system]: [u64; 2]| TICK * (user + system) as u32;
        // A growth by one tick may be a moment.
        let grown = self.passed_on(|of, base| {
            let pairs = of.childrens_ticks.into_iter().zip(base.childrens_ticks);
            let grown = pairs.map(|(now, base)| now.saturating_sub(base).saturating_sub(1));
            TICK * grown.sum::<u64>() as u32
        });
        let gone = self.base.gone(&self.last);
        let before = gone.map(|(_, base)| base.cpu + ticks(base.numbers.childrens_ticks));
        grown.sum::<Duration>().saturating_sub(before.sum())
    }

    /// Returns `true` if a process has ended whose parent ignores the ends of its children. Their
    /// CPU time is then unknown. A parent that waits for a child takes over its page faults, and
    /// its CPU time. A child that shares the memory of its parent may have no fault.
    fn has_lost_children(&self) -> bool {
        let grown =
            self.passed_on(|of, base| of.childrens_faults.saturating_sub(base.childrens_faults));
        if grown.sum::<u64>() < self.faults_of_ended {
            return true;
        }
        let mut known = self.told_of_ended();
        // The parts of ticks that each parent does not show, of user and of system time.
        known += self.passed_on(|_, _| 2 * TICK).sum::<Duration>();
        self.seen_of_ended > known
    }

    /// Returns `true` if the program made a task in this turn that no reading saw. It may have been
    /// a child that ended like those of [`UsageMeter::has_lost_children`].
    fn has_unseen_tasks(&self) -> bool {
        let Some(([now, _], [_, then])) = self.last.last_tasks.zip(self.base.last_tasks) else {
            return false;
        };
        // After the largest number the kernel begins again.
        let made = now.checked_sub(then);
        self.last.at > self.base.at && made.is_none_or(|made| made > self.new_tasks)
    }

    /// Returns the number of the program's last task, where it is needed and can be known.
    fn last_task(&mut self) -> Option<u64> {
        self.tasks.as_mut().filter(|_| self.clock.is_none())?.last_task()
    }

    /// Returns, for each process and the launcher, what ended children have passed on to it since
    /// the beginning of the turn.
    fn passed_on<'m, T: 'm>(
        &'m self,
        grown: impl Fn(&ProcessStatistics, &ProcessStatistics) -> T + 'm,
    ) -> impl Iterator<Item = T> + 'm {
        let base = |process: &u32| self.base.processes.get(process).map_or(&NEW, |of| &of.numbers);
        let alive = self.last.processes.iter().map(move |(of, now)| (&now.numbers, base(of)));
        let launcher = std::iter::once((&self.last.launcher, &self.base.launcher));
        alive.chain(launcher).map(move |(now, base)| grown(now, base))
    }

    /// Returns the processes of the program.
    pub fn processes(&self) -> Vec<u32> {
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

/// Returns the most that was withheld from one processor between two readings in whole ticks.
fn at_most_withheld(before: &[u64], after: &[u64]) -> Duration {
    let grown = after.iter().zip(before).map(|(after, before)| after.saturating_sub(*before));
    match grown.max() {
        None | Some(0) => Duration::ZERO,
        // The part of a tick that is not shown yet.
        Some(ticks) => TICK * (ticks + 1) as u32,
    }
}

/// Returns `true` if the system shows how long tasks wait.
pub fn tells_waits() -> bool {
    // Without accounting the file is missing, or all its numbers are zero.
    sys::own_statistics().is_some_and(|own| own.slices > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wait of 692 ms began before the mark and ended after it. Another one is in progress.
    #[test]
    fn wait_in_progress_follows_one_that_began_before_the_mark() {
        let ms = Duration::from_millis;
        let numbers = |run, wait, slices| TaskStatistics { run: ms(run), wait: ms(wait), slices };
        let task = TaskReading {
            now: numbers(105, 792, 12),
            mark: (Instant::now(), numbers(103, 100, 11)),
            waiting: Duration::ZERO,
            priority: [0, 0],
        };
        assert_eq!(task.longest_wait(ms(74), numbers(100, 100, 10), ms(752)), ms(55));
        // What it slept before the mark is no wait.
        assert_eq!(task.longest_wait(ms(74), numbers(100, 100, 10), ms(1752)), ms(72));
    }

    /// A shell that waits for its child: the child waited for a processor, ran, and has ended.
    #[test]
    fn wait_of_a_task_that_has_ended_counts() {
        let ms = Duration::from_millis;
        let task = |wait, waiting| TaskReading {
            now: TaskStatistics { wait: ms(wait), ..TaskStatistics::default() },
            mark: (Instant::now(), TaskStatistics::default()),
            waiting: ms(waiting),
            priority: [0, 0],
        };
        let reading = |tasks: &[(u32, TaskReading)]| Reading {
            tasks: tasks.iter().map(|&(number, of)| ((number, number), of)).collect(),
            ..Reading::empty()
        };
        let (shell, child) = ((7, task(20, 0)), (8, task(100, 300)));
        let mut meter = UsageMeter::new(std::process::id(), true, None);
        (meter.base, meter.tells_waits) = (reading(&[(7, task(5, 0)), (8, task(10, 0))]), true);
        meter.last = reading(&[shell]);
        meter.note_waits_of_ended(&reading(&[shell, child]));
        let usage = meter.usage(false);
        assert_eq!((usage.wait, usage.wait_at_most), (Some(ms(390)), ms(390)));
        // The next turn has nothing of it.
        meter.begin_unread();
        assert_eq!(meter.usage(false).wait, Some(ms(15)));
    }

    #[test]
    fn withheld_time_is_that_of_one_processor() {
        let ticks = |[before, after]: [&[u64]; 2]| at_most_withheld(before, after).as_millis() / 10;
        assert_eq!(ticks([&[7, 3], &[7, 3]]), 0);
        assert_eq!(ticks([&[7, 3], &[9, 8]]), 6);
        assert_eq!(ticks([&[], &[9, 8]]), 0);
        assert!(sys::withheld_ticks().len() >= std::thread::available_parallelism().unwrap().get());
    }
}
