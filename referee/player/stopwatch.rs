//! One absolute deadline per answer, in wall time or CPU time.

use crate::sys;
use arbitre_games::clock::ClockKind;
use std::time::{Duration, Instant};

/// Limits of one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Time limit without the margin; none for unlimited time.
    pub time: Option<Duration>,
    /// Time allowed beyond the limit, for delays of the referee itself.
    pub margin: Duration,
    /// Clock that counts: wall time or CPU time.
    pub kind: ClockKind,
    /// Longest line, in bytes.
    pub line: usize,
    /// Whether the answer is all output up to its end, instead of one line.
    pub until_eof: bool,
}

impl Limit {
    /// Creates a limit without a time limit, for lines of up to `line` bytes.
    pub fn untimed(line: usize) -> Limit {
        Limit { time: None, margin: Duration::ZERO, kind: ClockKind::Wall, line, until_eof: false }
    }

    fn deadline(&self) -> Option<Duration> {
        self.time.map(|time| time + self.margin)
    }

    /// Returns `true` if an answer that took `spent` is in time.
    pub fn allows(&self, spent: Duration) -> bool {
        self.deadline().is_none_or(|deadline| spent <= deadline)
    }
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
}

/// Stopwatch of one answer of a process. It starts when it is created.
pub struct Stopwatch {
    started: Instant,
    limit: Limit,
    /// Process and its CPU time at the start, where CPU time counts.
    cpu: Option<(u32, Duration)>,
}

impl Stopwatch {
    /// Shortest wait before CPU time is read again. Not tuned.
    const CPU_GRAIN: Duration = Duration::from_millis(1);

    /// Starts a stopwatch for an answer of the process `pid`.
    pub fn start(limit: Limit, pid: u32) -> Stopwatch {
        let counts_cpu = limit.kind == ClockKind::Cpu;
        let cpu = counts_cpu.then(|| (pid, sys::family_time(pid)));
        Stopwatch { started: Instant::now(), limit, cpu }
    }

    /// Returns the wall time since the start.
    pub fn wall(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the time that counts.
    pub fn spent(&self) -> Duration {
        match self.cpu {
            Some((pid, before)) => sys::family_time(pid).saturating_sub(before),
            None => self.wall(),
        }
    }

    /// Returns the next wait.
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

    /// Returns the limit in wall time where CPU time counts: a sleeping player uses no CPU time.
    /// Not tuned.
    fn fuse(&self) -> Option<Duration> {
        let limit = self.limit.time.filter(|_| self.cpu.is_some())?;
        Some(limit.saturating_mul(3) + Duration::from_secs(1))
    }
}
