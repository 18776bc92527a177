//! Time of one answer: how long it took, what of that counts, and when it is too late.

use super::usage::UsageMeter;
use crate::sys;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Time after which a program has thought long enough that those which rest are stopped. It is less
/// than the millisecond that they may use, because a stop takes up to a tenth of one.
pub const THINKING: Duration = Duration::from_micros(900);

/// Time of an answer that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Wall time.
    Wall,
    /// CPU time of all tasks.
    Cpu,
    /// Wall time in which the program did not wait for a processor, or its CPU time per thread if
    /// that is more.
    Fair {
        /// Number of threads that the program may use at once.
        threads: u32,
    },
}

/// Output that is one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerForm {
    /// A line that comes after the program was asked.
    Line,
    /// A line, which may have come before the program was asked.
    EarlyLine,
    /// All output up to its end.
    AllOutput,
}

/// Limits of one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Time limit without the margin; none for unlimited time.
    pub time: Option<Duration>,
    /// Time allowed beyond the limit, for delays of the host itself.
    pub margin: Duration,
    /// Time that counts.
    pub counting: Counting,
    /// Time limit of the start of a program that does not report it, which ends when the program
    /// reads its first input. Only then does the time of the answer begin. A program that gets no
    /// input before its first answer has this time and the answer's.
    pub start: Option<Duration>,
    /// Longest line, in bytes.
    pub line: usize,
    /// Output that is the answer.
    pub form: AnswerForm,
}

impl Limit {
    /// Creates a limit without a time limit, for lines of up to `line` bytes.
    pub fn untimed(line: usize) -> Limit {
        let (time, margin, counting) = (None, Duration::ZERO, Counting::Wall);
        Limit { time, margin, counting, start: None, line, form: AnswerForm::Line }
    }

    fn deadline(&self) -> Option<Duration> {
        self.time.map(|time| time + self.margin)
    }

    /// Returns `true` if an answer that took `spent` is in time.
    pub fn allows(&self, spent: Duration) -> bool {
        self.deadline().is_none_or(|deadline| spent <= deadline)
    }

    /// Returns the wall time up to which an answer is too short to be worth a reading of the
    /// program's usage.
    fn short(&self) -> Duration {
        self.time.map_or(Duration::MAX, |time| (time / 10).min(SHORT))
    }
}

/// Wall time beyond which usage is read, however long the limit. A reading takes about 30 us, and a
/// limit of minutes would otherwise count the waits of seconds.
const SHORT: Duration = Duration::from_millis(10);
/// First time at which the host wakes up without an answer of a program whose last answer was
/// quick. An earlier timer would be the next one of its processor, and to set that up costs up to 2
/// us an answer: measured 2026-11-25 in a virtual machine, whose tick is 4 ms.
const QUICK: Duration = Duration::from_millis(4);
/// Shortest time between two readings. Not tuned.
const GRAIN: Duration = Duration::from_millis(1);
/// Least time between two readings of a program whose processes do not change, which may start
/// children that work. Not tuned; with 2 ms, readings took 2 % of a program's processor.
const USUAL_GRAIN: Duration = Duration::from_millis(5);
/// Largest share of the time that readings may take: one in this number. Not tuned.
const READING_SHARE: u32 = 50;

/// Time of an answer, in the ways in which it is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AnswerTime {
    /// Wall time.
    pub wall: Duration,
    /// CPU time of all tasks of the program, where it was read.
    pub cpu: Option<Duration>,
    /// Time for which the program waited for a processor, and the host for one to take the answer,
    /// where it was read. The waits of a virtual machine for its hypervisor are in it only if the
    /// answer would be over the limit without them.
    pub wait: Option<Duration>,
}

impl AnswerTime {
    /// Creates the time of an answer of which only the wall time is known.
    pub fn of_wall(wall: Duration) -> AnswerTime {
        AnswerTime { wall, cpu: None, wait: None }
    }

    /// Returns the time that counts.
    pub fn charge(&self, by: Counting) -> Duration {
        match by {
            Counting::Wall => self.wall,
            Counting::Cpu => self.cpu.unwrap_or(self.wall),
            Counting::Fair { threads } => {
                let worked = self.wall.saturating_sub(self.wait.unwrap_or_default());
                self.cpu.map_or(worked, |cpu| worked.max(cpu / threads.max(1)))
            }
        }
    }

    /// Returns the same times in whole microseconds, as they are stored.
    pub fn in_micros(self) -> AnswerTime {
        let AnswerTime { wall, cpu, wait } = self;
        AnswerTime { wall: in_micros(wall), cpu: cpu.map(in_micros), wait: wait.map(in_micros) }
    }
}

/// Returns a time in whole microseconds.
pub fn in_micros(time: Duration) -> Duration {
    Duration::from_micros(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
}

/// Next step of the wait for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// Wait up to this long, then check again.
    For(Duration),
    /// Wait without a limit.
    Forever,
    /// The time is up.
    Over,
    /// The time is not up, but wall time has passed for which the host does not wait.
    Endless,
}

/// Stopwatch of one answer of a process.
pub struct Stopwatch<'m> {
    started: Instant,
    limit: Limit,
    meter: &'m mut UsageMeter,
    /// Wall time of the next reading.
    next_reading: Duration,
    /// Time that this thread had waited for a processor when there was no answer yet.
    own_wait: Option<Duration>,
    /// The same at the last look for an answer.
    own_wait_seen: Option<Duration>,
}

impl<'m> Stopwatch<'m> {
    /// Begins a turn of the process of `meter`, which waits for input. [`Stopwatch::start`] starts
    /// the time.
    pub fn new(limit: Limit, meter: &'m mut UsageMeter) -> Stopwatch<'m> {
        let is_worth_it = limit.counting == Counting::Cpu || meter.is_slow || meter.has_rested;
        let is_read = limit.time.is_some() && is_worth_it;
        match (std::mem::take(&mut meter.is_current), is_read) {
            (true, _) => meter.begin_at_last(),
            (false, true) => meter.begin(),
            (false, false) => meter.begin_unread(),
        }
        let started = Instant::now();
        let next_reading = first_reading(&limit, meter);
        let own_wait = if is_read { own_wait() } else { meter.last_own_wait };
        Stopwatch { started, limit, meter, next_reading, own_wait, own_wait_seen: own_wait }
    }

    /// Starts the time.
    pub fn start(&mut self) {
        self.started = Instant::now();
        self.next_reading = first_reading(&self.limit, self.meter);
    }

    /// Returns the wall time of a look for an answer, which follows.
    pub fn look(&mut self) -> Duration {
        let wall = self.wall();
        if wall >= self.limit.short() {
            self.own_wait_seen = own_wait();
            self.meter.last_own_wait = self.own_wait_seen;
        }
        wall
    }

    /// Returns the wall time since the start.
    pub fn wall(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the time of an answer that has just been received.
    pub fn time(&mut self) -> AnswerTime {
        let wall = self.wall();
        self.meter.is_slow = wall > self.limit.short();
        self.meter.is_thinker = wall > THINKING;
        let counts_cpu = self.limit.counting == Counting::Cpu && self.limit.time.is_some();
        let meter = &mut *self.meter;
        meter.is_read = meter.is_slow || meter.has_rested || counts_cpu;
        if !meter.is_read {
            meter.note_unread(wall);
            return AnswerTime::of_wall(wall);
        }
        let delay = own_wait().zip(self.own_wait).map(|(now, before)| now.saturating_sub(before));
        let AnswerTime { cpu, wait, .. } = self.read(wall);
        let wait = wait.map(|wait| (wait + delay.unwrap_or_default()).min(wall));
        let time = AnswerTime { wall, cpu, wait };
        if self.limit.time.is_none_or(|limit| time.charge(self.limit.counting) <= limit) {
            return time;
        }
        // Only an answer that may be late is worth another reading.
        let withheld = self.meter.withheld();
        AnswerTime { wait: wait.map(|wait| (wait + withheld).min(wall)), ..time }
    }

    /// Returns the usage of the program at this wall time, after a reading.
    pub fn read(&mut self, wall: Duration) -> AnswerTime {
        self.meter.read();
        let usage = self.meter.usage(false);
        // One task worked that long, whichever other one waited.
        let most = wall.saturating_sub(usage.longest);
        AnswerTime { wall, cpu: Some(usage.cpu), wait: usage.wait.map(|wait| wait.min(most)) }
    }

    /// Returns the CPU time that the program may have used in this turn, as of the last reading.
    pub fn worked(&self) -> Duration {
        self.meter.usage(false).cpu + self.meter.used_before()
    }

    /// Returns the next step of the wait for an answer that had not come at the last look, at the
    /// wall time `seen`.
    pub fn wait(&mut self, seen: Duration) -> Wait {
        self.own_wait = self.own_wait_seen;
        let Some(deadline) = self.limit.deadline() else { return Wait::Forever };
        let is_wall = self.limit.counting == Counting::Wall;
        if is_wall && seen >= deadline {
            return Wait::Over;
        }
        if seen >= self.next_reading {
            let begun = Instant::now();
            let is_fair = matches!(self.limit.counting, Counting::Fair { .. });
            let is_late = is_fair && seen >= deadline && self.meter.is_unread();
            let mut has_changed = self.meter.read();
            if is_late {
                self.meter.credit_time_before_reading();
            }
            let mut left = deadline.saturating_sub(self.least_charge(seen, deadline));
            if left.is_zero() {
                // A wait may end after it was read and before the state of its task is: then it is
                // neither in the numbers nor in progress. Another reading has it in the numbers.
                has_changed |= self.meter.read();
                left = deadline.saturating_sub(self.least_charge(seen, deadline));
            }
            if left.is_zero() {
                return Wait::Over;
            }
            if !is_wall && seen >= self.fuse() {
                return Wait::Endless;
            }
            let usual = (self.limit.time.unwrap_or_default() / 4).max(USUAL_GRAIN);
            let interval = match self.meter.may_have_children() {
                true if has_changed => GRAIN,
                true => usual,
                false => Duration::MAX,
            };
            let interval = left.max(GRAIN).min(interval).max(begun.elapsed() * READING_SHARE);
            self.next_reading = seen + interval;
        }
        let next = if is_wall { self.next_reading.min(deadline) } else { self.next_reading };
        Wait::For(next.saturating_sub(self.wall()))
    }

    /// Returns the wall time from which on the program counts as thinking.
    pub fn thinking(&self) -> Duration {
        match self.meter.is_thinker {
            true => THINKING,
            false => QUICK,
        }
    }

    /// Returns the least time that the program can be charged at this wall time, as of the last
    /// reading.
    fn least_charge(&self, wall: Duration, deadline: Duration) -> Duration {
        let usage = self.meter.usage(false);
        let most = wall.saturating_sub(usage.longest);
        let charge = |wait: Duration| {
            let wait = Some(wait.min(most));
            AnswerTime { wall, cpu: Some(usage.cpu), wait }
        };
        let known = charge(usage.wait_at_most).charge(self.limit.counting);
        match self.limit.counting {
            // A wait in progress only matters at the deadline.
            Counting::Fair { threads }
                if known >= deadline && usage.cpu / threads.max(1) < deadline =>
            {
                let wait = self.meter.usage(true).wait_at_most + self.meter.withheld();
                charge(wait).charge(self.limit.counting)
            }
            _ => known,
        }
    }

    /// Returns the wall time after which an answer is given up as unjudged, whatever time counts.
    /// Not tuned.
    fn fuse(&self) -> Duration {
        self.limit.time.unwrap_or_default().saturating_mul(10) + Duration::from_secs(5)
    }
}

/// Returns the wall time of the first reading of a turn.
fn first_reading(limit: &Limit, meter: &UsageMeter) -> Duration {
    match meter.is_thinker {
        true => limit.short(),
        false => limit.short().max(QUICK),
    }
}

/// Returns the time that this thread has waited for a processor.
fn own_wait() -> Option<Duration> {
    sys::own_statistics().map(|own| own.wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::process::{Child, Command, Stdio};

    const MS: Duration = Duration::from_millis(1);

    fn charge(counting: Counting, [wall, cpu, wait]: [u32; 3]) -> Duration {
        let time = AnswerTime { wall: wall * MS, cpu: Some(cpu * MS), wait: Some(wait * MS) };
        time.charge(counting)
    }

    #[test]
    fn charge_is_work_and_not_the_wait_for_a_processor() {
        use Counting::{Cpu, Fair, Wall};
        let fair = |threads| Fair { threads };
        assert_eq!(charge(Wall, [90, 40, 45]), 90 * MS);
        assert_eq!(charge(Cpu, [90, 40, 45]), 40 * MS);
        // Five milliseconds of sleep count.
        assert_eq!(charge(fair(1), [90, 40, 45]), 45 * MS);
        // Of several tasks one may wait while another works.
        assert_eq!(charge(fair(1), [90, 80, 85]), 80 * MS);
        assert_eq!(charge(fair(4), [90, 320, 50]), 80 * MS);
        assert_eq!(charge(fair(4), [90, 320, 0]), 90 * MS);
    }

    /// Program that ends with its test.
    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// The host itself looks late, for the first time in the turn. A program that has not run
    /// may have waited since the question. One that sleeps on is late, and so is one that worked.
    #[test]
    fn late_look_blames_no_idle_program() {
        let start = |program: &str, words: &[&str]| {
            let mut command = Command::new(program);
            command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
            Running(command.spawn().unwrap())
        };
        let (mut echo, spin) = (start("cat", &[]), start("sh", &["-c", "while :; do :; done"]));
        // It has started once it answers.
        echo.0.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        echo.0.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let counting = Counting::Fair { threads: 1 };
        let limit = Limit { time: Some(20 * MS), margin: 10 * MS, counting, ..Limit::untimed(9) };
        let (none, second) = (Duration::ZERO, 1000 * MS);
        // The work of the last case may be that of a second of answers before the turn.
        for (program, works, unread) in
            [(&echo.0, false, none), (&spin.0, true, none), (&spin.0, true, second)]
        {
            let mut meter = UsageMeter::new(program.id(), false, None);
            meter.begin();
            // As after a quick answer.
            (meter.is_slow, meter.is_current) = (false, false);
            meter.note_unread(unread);
            let mut watch = Stopwatch::new(limit, &mut meter);
            let used = || sys::process_time(program.id()).unwrap_or_default();
            let wait = || {
                let before = used();
                std::thread::sleep(100 * MS);
                while works && used() < before + 100 * MS {
                    std::thread::sleep(MS);
                }
            };
            wait();
            let seen = watch.look();
            let first = watch.wait(seen);
            let is_credited = !works || unread > none;
            assert_eq!(matches!(first, Wait::For(_)), is_credited, "{works} {unread:?}: {first:?}");
            wait();
            let seen = watch.look();
            assert_eq!(watch.wait(seen), Wait::Over, "works: {works}");
        }
    }

    #[test]
    fn unread_times_are_charged_as_wall_time() {
        for counting in [Counting::Wall, Counting::Cpu, Counting::Fair { threads: 1 }] {
            assert_eq!(AnswerTime::of_wall(3 * MS).charge(counting), 3 * MS);
        }
    }
}
