//! CPU time of the calling thread. The module uses `unsafe`, because the standard library has no
//! such clock.

use std::time::{Duration, Instant};

/// Returns the CPU time of this thread; `None` on systems without such a clock.
///
/// The safe reference implementation is [`thread_time_from_statistics`].
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[allow(unsafe_code)]
pub fn thread_time() -> Option<Duration> {
    /// The C library's `struct timespec` on 64-bit Linux.
    #[repr(C)]
    struct TimeSpec {
        seconds: i64,
        nanoseconds: i64,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut TimeSpec) -> i32;
    }
    // From `<linux/time.h>`.
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    let mut time = TimeSpec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the call writes one `struct timespec`, and `time` has that layout.
    let read = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) } == 0;
    read.then(|| Duration::new(time.seconds as u64, time.nanoseconds as u32))
}

/// Returns `None`: the clock is only read on 64-bit Linux.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub fn thread_time() -> Option<Duration> {
    None
}

/// Safe reference implementation of [`thread_time`], from the scheduler's statistics. It lags by up
/// to a tick of the kernel, some milliseconds.
pub fn thread_time_from_statistics() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Kind of time that a search measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeKind {
    /// Wall time.
    Wall,
    /// CPU time of the calling thread; wall time on systems without such a clock.
    Cpu,
}

/// Point in time by both clocks of this thread. Its CPU time means nothing on another thread.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Wall clock.
    pub wall: Instant,
    /// CPU time of this thread, on systems that have such a clock.
    pub cpu: Option<Duration>,
}

impl Moment {
    /// Reads both clocks.
    pub fn now() -> Moment {
        Moment { wall: Instant::now(), cpu: thread_time() }
    }

    /// Returns the time since this moment.
    pub fn elapsed(&self, kind: TimeKind) -> Duration {
        let cpu = || Some(thread_time()?.saturating_sub(self.cpu?));
        match kind {
            TimeKind::Wall => self.wall.elapsed(),
            TimeKind::Cpu => cpu().unwrap_or_else(|| self.wall.elapsed()),
        }
    }
}

/// Sums the CPU time of pieces of work; wall time on systems without such a clock.
#[derive(Default)]
pub struct Stopwatch {
    spent: Duration,
}

impl Stopwatch {
    /// Runs `work` and adds the time that it takes.
    pub fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = Moment::now();
        let done = work();
        self.spent += begun.elapsed(TimeKind::Cpu);
        done
    }

    /// Returns the sum in seconds.
    pub fn seconds(&self) -> f64 {
        self.spent.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_and_statistics_agree() {
        let (Some(start), Some(_)) = (thread_time(), thread_time_from_statistics()) else {
            eprintln!("SKIPPED: this system does not tell processor time in both ways");
            return;
        };
        let wanted = start + Duration::from_millis(60);
        while thread_time().unwrap() < wanted {}
        let (exact, lagging) = (thread_time().unwrap(), thread_time_from_statistics().unwrap());
        println!("clock {exact:?}, statistics {lagging:?}");
        assert!(exact.abs_diff(lagging) < Duration::from_millis(40));
    }
}
