//! One absolute deadline for one answer, on the wall or in processor time.

use crate::sys;
use arbitre_games::clock::ClockKind;
use std::time::{Duration, Instant};

/// What an answer may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The time, margin not included; absent: as long as it likes.
    pub time: Option<Duration>,
    /// What is allowed on top, for the delays of the referee itself.
    pub margin: Duration,
    /// Which time counts.
    pub kind: ClockKind,
    /// The longest line, in bytes.
    pub line: usize,
    /// Is the answer all that comes, up to the end of the output? Else it is a line.
    pub whole: bool,
}

impl Limit {
    /// No limit in time.
    pub fn untimed(line: usize) -> Limit {
        Limit { time: None, margin: Duration::ZERO, kind: ClockKind::Wall, line, whole: false }
    }

    fn deadline(&self) -> Option<Duration> {
        self.time.map(|time| time + self.margin)
    }

    /// Is an answer that took so long still in time?
    pub fn allows(&self, spent: Duration) -> bool {
        self.deadline().is_none_or(|deadline| spent <= deadline)
    }
}

/// What to do next while an answer is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// Wait so long at the most, then look again.
    For(Duration),
    /// Wait as long as it takes.
    Forever,
    /// The time is up.
    Over,
}

/// A running watch over a process. It starts when it is made.
pub struct Stopwatch {
    started: Instant,
    limit: Limit,
    /// For processor time: whose, and how much it had spent at the start.
    cpu: Option<(u32, Duration)>,
}

impl Stopwatch {
    /// Processor time is read again after this long at the least.
    const CPU_GRAIN: Duration = Duration::from_millis(1);

    /// A watch for an answer of the process `pid`.
    pub fn start(limit: Limit, pid: u32) -> Stopwatch {
        let counts_cpu = limit.kind == ClockKind::Cpu;
        let cpu = counts_cpu.then(|| (pid, sys::family_time(pid)));
        Stopwatch { started: Instant::now(), limit, cpu }
    }

    /// Time on the wall.
    pub fn wall(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time that counts.
    pub fn spent(&self) -> Duration {
        match self.cpu {
            Some((pid, before)) => sys::family_time(pid).saturating_sub(before),
            None => self.wall(),
        }
    }

    /// How long to wait before the next look.
    pub fn wait(&self) -> Wait {
        let Some(deadline) = self.limit.deadline() else { return Wait::Forever };
        let left = deadline.saturating_sub(self.spent());
        let fuse_left = self.fuse().map(|fuse| fuse.saturating_sub(self.wall()));
        match fuse_left {
            _ if left.is_zero() => Wait::Over,
            None => Wait::For(left),
            Some(fuse) if fuse.is_zero() => Wait::Over,
            Some(fuse) => Wait::For(left.max(Self::CPU_GRAIN).min(fuse)),
        }
    }

    /// When processor time counts, time on the wall still ends a player that sleeps.
    fn fuse(&self) -> Option<Duration> {
        let limit = self.limit.time.filter(|_| self.cpu.is_some())?;
        Some(limit.saturating_mul(3) + Duration::from_secs(1))
    }
}
