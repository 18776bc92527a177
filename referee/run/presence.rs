//! Absences of the referee. While this process is stopped, frozen with its control group, or asleep
//! with its machine, the time of its players runs on. A thread that wakes up again and again shows
//! it: what it neither slept nor waited for a processor is an absence.

use arbitre_games::text::{format_duration, io_reason};
use arbitre_process::sys;
use rustix::time::{clock_gettime, ClockId};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time between two beats of the thread. A beat takes about 20 us. Not tuned.
const BEAT: Duration = Duration::from_millis(100);
/// Least time between two beats that is an absence, without what the thread waited for a processor.
/// Not tuned.
const ABSENCE: Duration = Duration::from_millis(500);
/// Longest wait for a beat, on a machine so busy that the thread gets no processor. Not tuned.
const PATIENCE: Duration = Duration::from_secs(10);

/// Watch on absences, as long as it lives.
pub struct Presence {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    watch: Mutex<Watch>,
    /// A beat was asked for, or has come.
    changed: Condvar,
}

/// Findings of the beats.
struct Watch {
    last: Moment,
    absences: u64,
    /// Length of the last absence.
    length: Duration,
    /// Number of absences that the user was told of.
    told: u64,
    is_beat_asked: bool,
    /// Whether no beat will come.
    is_over: bool,
}

/// Time of a beat.
#[derive(Clone, Copy)]
struct Moment {
    /// Time since the start of the machine, with that in which it was asleep.
    at: Duration,
    /// Time that the thread had waited for a processor, if the system tells it.
    waited: Option<Duration>,
}

impl Presence {
    /// Starts the watch. Where the system has no thread for it, no absence is noticed.
    pub fn start() -> Presence {
        let last = Moment { at: since_start(), waited: None };
        let (absences, length, told) = (0, Duration::ZERO, 0);
        let (is_beat_asked, is_over) = (false, false);
        let watch = Watch { last, absences, length, told, is_beat_asked, is_over };
        let shared = Arc::new(Shared { watch: Mutex::new(watch), changed: Condvar::new() });
        let of_thread = shared.clone();
        let thread = thread::Builder::new().spawn(move || of_thread.beat());
        if let Err(error) = &thread {
            log::debug!("absences are not noticed: {}", io_reason(error));
            shared.lock().is_over = true;
        }
        Presence { shared, thread: thread.ok() }
    }

    /// Returns the number of absences up to now. If the last beat is too old to tell, waits for the
    /// next one.
    pub fn absences(&self) -> u64 {
        let begun = Instant::now();
        let mut watch = self.shared.lock();
        let is_old = |watch: &Watch| since_start().saturating_sub(watch.last.at) >= ABSENCE;
        while is_old(&watch) && !watch.is_over && begun.elapsed() < PATIENCE {
            watch.is_beat_asked = true;
            self.shared.changed.notify_all();
            let waited = self.shared.changed.wait_timeout(watch, BEAT);
            watch = waited.expect("no thread panics while it holds the lock").0;
        }
        watch.absences
    }

    /// Warns of the last absence, unless that was done.
    pub fn tell(&self) {
        let mut watch = self.shared.lock();
        let is_news = watch.told < watch.absences;
        watch.told = watch.absences;
        let tenths = watch.length.as_millis() / 100;
        // A terminal that takes no text must not keep the thread from its beats.
        drop(watch);
        if is_news {
            let length = Duration::from_millis(100 * u64::try_from(tenths).unwrap_or_default());
            log::warn!(
                "the referee was away for {}: stopped, frozen, or asleep with its machine; games that \
                 ran are void and played again",
                format_duration(length)
            );
        }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Beats until the watch is over.
    fn beat(&self) {
        loop {
            let mut watch = self.lock();
            watch.note(Moment::now());
            self.changed.notify_all();
            let is_idle = |watch: &mut Watch| !watch.is_over && !watch.is_beat_asked;
            let waited = self.changed.wait_timeout_while(watch, BEAT, is_idle);
            if waited.expect("no thread panics while it holds the lock").0.is_over {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().expect("no thread panics while it holds the lock")
    }
}

impl Watch {
    /// Takes note of a beat.
    fn note(&mut self, now: Moment) {
        if let Some(length) = now.away_since(&self.last) {
            (self.absences, self.length) = (self.absences + 1, length);
        }
        (self.last, self.is_beat_asked) = (now, false);
    }
}

impl Moment {
    fn now() -> Moment {
        // Where the system does not count, all numbers are zero.
        let waited = || sys::own_statistics().filter(|own| own.slices > 0).map(|own| own.wait);
        let mut before = waited();
        loop {
            let at = since_start();
            let after = waited();
            // Both belong together only if the thread did not wait between the two readings.
            if before == after {
                return Moment { at, waited: after };
            }
            before = after;
        }
    }

    /// Returns the length of the absence between two beats, if there was one.
    fn away_since(&self, before: &Moment) -> Option<Duration> {
        let waited = self.waited?.saturating_sub(before.waited?);
        let away = self.at.saturating_sub(before.at).saturating_sub(waited);
        (away >= ABSENCE).then(|| away - BEAT)
    }
}

/// Returns the time since the start of the machine, with that in which it was asleep.
fn since_start() -> Duration {
    let time = clock_gettime(ClockId::Boottime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Beats at these times and with these waits for a processor, in milliseconds.
    fn absences(beats: &[(u32, Option<u32>)]) -> (u64, Duration) {
        let moment = |&(at, waited): &(u32, Option<u32>)| Moment {
            at: at * MS,
            waited: waited.map(|waited| waited * MS),
        };
        let mut watch = Watch {
            last: moment(&beats[0]),
            absences: 0,
            length: Duration::ZERO,
            told: 0,
            is_beat_asked: false,
            is_over: false,
        };
        beats[1..].iter().for_each(|beat| watch.note(moment(beat)));
        (watch.absences, watch.length)
    }

    #[test]
    fn absence_is_neither_sleep_nor_a_wait_for_a_processor() {
        let none = (0, Duration::ZERO);
        assert_eq!(absences(&[(0, Some(0)), (100, Some(0)), (201, Some(1))]), none);
        // Stopped, frozen, or asleep: the clock ran on.
        assert_eq!(absences(&[(0, Some(0)), (3_100, Some(0)), (3_200, Some(0))]), (1, 3_000 * MS));
        assert_eq!(absences(&[(0, Some(0)), (700, Some(0)), (1_400, Some(1))]), (2, 599 * MS));
        // A machine so full that the thread waited for seconds.
        assert_eq!(absences(&[(0, Some(0)), (9_000, Some(8_900)), (9_100, Some(8_900))]), none);
        assert_eq!(absences(&[(0, Some(500)), (9_000, Some(2_500))]), (1, 6_900 * MS));
        // A kernel that does not tell the waits.
        assert_eq!(absences(&[(0, None), (9_000, None)]), none);
    }
}
