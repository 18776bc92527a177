//! Clocks, and the delay until a program that waits for a line runs again.

use super::finding::Finding;
use super::system::{kernel, read, time, version};
use arbitre_process::launcher::groups;
use arbitre_process::sys::{count_cpu_time, take_short_turns, withheld_ticks};
use arbitre_process::usage::tells_waits;
use arbitre_referee::config::limits::defaults;
use arbitre_referee::run::processors::{of_worker, pin};
use rustix::io::{self, read as read_bytes, write};
use rustix::pipe::{pipe_with, PipeFlags};
use rustix::thread::sched_getcpu;
use serde::Serialize;
use std::thread;
use std::time::{Duration, Instant};

/// Time for which round trips are measured.
const MEASURED: Duration = Duration::from_millis(250);
/// Duration of a kernel tick, in milliseconds.
const TICK: u64 = 10;
/// First kernel that grants short turns.
const SHORT_TURNS: (u32, u32) = (6, 12);
/// Share of the time since boot from which a host that withholds processors is worth a warning.
/// Not tuned.
const WITHHELD: f64 = 0.01;

/// Values on which the clock depends.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Readings {
    /// Release of the kernel.
    pub kernel: String,
    /// Whether the system shows how long a task waits for a processor.
    pub tells_waits: bool,
    /// Whether the system counts the CPU time of all that a program starts, also of what leaves no
    /// trace when it ends.
    pub counts_cpu_time: bool,
    /// Seconds since boot.
    pub uptime: f64,
    /// Seconds since boot for which the host of a virtual machine withheld a processor, for the one
    /// that lost most.
    pub withheld: f64,
    /// Round trips of a byte through two pipes, between two threads on one processor.
    pub round_trip: Option<RoundTrip>,
}

/// Times of round trips, in microseconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RoundTrip {
    /// Number of round trips.
    pub count: usize,
    /// Median.
    pub p50_us: f64,
    /// Time that one of a hundred exceeds.
    pub p99_us: f64,
    /// Longest time.
    pub max_us: f64,
}

impl Readings {
    /// Reads and measures this machine, for less than 0.3 s.
    pub fn here() -> Readings {
        let uptime = read("/proc/uptime").unwrap_or_default();
        let uptime = uptime.split(' ').next().and_then(|seconds| seconds.parse().ok());
        let withheld = withheld_ticks().into_iter().max().unwrap_or(0);
        Readings {
            kernel: kernel(),
            tells_waits: tells_waits(),
            counts_cpu_time: count_cpu_time().is_ok() || groups::find().is_ok(),
            uptime: uptime.unwrap_or(0.0),
            withheld: (withheld * TICK) as f64 / 1e3,
            round_trip: round_trips(MEASURED).ok().and_then(RoundTrip::of),
        }
    }

    /// Returns the findings.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = vec![self.fair(), self.count(), self.short_turns(), self.host()];
        findings.extend(self.round_trip.as_ref().map(RoundTrip::finding));
        findings
    }

    fn fair(&self) -> Finding {
        if self.tells_waits {
            return Finding::ok(
                "--clock fair: the system shows how long a program waits for a processor",
            );
        }
        Finding::missing(
            "--clock fair: the system does not show how long a program waits for a processor; the \
             clock is cpu, by which a program may sleep for free",
        )
        .help("ask for a kernel with CONFIG_SCHEDSTATS, so that /proc/PID/schedstat has numbers")
    }

    fn count(&self) -> Finding {
        if self.counts_cpu_time {
            return Finding::ok("CPU time: the system counts all that a program starts");
        }
        Finding::warning(
            "CPU time: the system counts it for each process only; a program whose children end \
             without a trace is charged the whole turn once one was missed",
        )
        .help(
            "set the kernel's perf_event_paranoid to 2 or less, or run the referee in a control \
             group of its own: systemd-run --user --scope -p Delegate=yes referee ...",
        )
    }

    fn short_turns(&self) -> Finding {
        let (major, minor) = SHORT_TURNS;
        if version(&self.kernel) >= SHORT_TURNS {
            return Finding::ok(
                "short turns: the referee need not wait for the end of another's turn",
            );
        }
        Finding::warning(format!(
            "short turns: kernel {} has none; beside busy programs the referee may see an answer \
             some milliseconds late",
            self.kernel
        ))
        .help(format!("ask for kernel {major}.{minor} or newer"))
    }

    fn host(&self) -> Finding {
        let Readings { withheld, uptime, .. } = *self;
        if withheld == 0.0 {
            return Finding::ok("no host of a virtual machine withholds processors");
        }
        let share = withheld / uptime.max(withheld);
        let text = format!(
            "the host of this virtual machine withheld a processor for {} of {} since boot",
            time(Duration::from_secs_f64(withheld)),
            time(Duration::from_secs_f64(uptime.max(withheld)))
        );
        match share < WITHHELD {
            true => Finding::ok(text),
            false => Finding::warning(text).help(
                "keep --clock fair, which does not charge that time; ask for processors that are \
                 not shared with other machines",
            ),
        }
    }
}

impl RoundTrip {
    /// Summarises times.
    fn of(mut times: Vec<Duration>) -> Option<RoundTrip> {
        times.sort_unstable();
        let at = |share: usize| times.get((times.len() * share / 100).min(times.len() - 1));
        let us = |of: Option<&Duration>| Some(of?.as_nanos() as f64 / 1e3);
        if times.is_empty() {
            return None;
        }
        let max_us = us(times.last())?;
        Some(RoundTrip { count: times.len(), p50_us: us(at(50))?, p99_us: us(at(99))?, max_us })
    }

    fn finding(&self) -> Finding {
        let duration = |us: f64| Duration::from_nanos((us * 1e3) as u64);
        let [p50, p99, max] = [self.p50_us, self.p99_us, self.max_us].map(duration);
        let margin = defaults::MARGIN;
        let text = format!(
            "a line to a program and back: p50 {}, p99 {}, max {}",
            time(p50),
            time(p99),
            time(max)
        );
        // The margin also covers what the program itself cannot help, such as its last write.
        if max < margin {
            let shortest = (p99 * 100).max(Duration::from_millis(1)).as_millis();
            return Finding::ok(format!(
                "{text}. The default --margin ({}) covers it; from --move-time {shortest}ms on, p99 \
                 is at most 1 % of a move",
                time(margin)
            ));
        }
        Finding::warning(format!("{text}, beyond the default --margin ({})", time(margin))).help(
            format!(
                "keep --clock fair, which does not charge waits; with --clock wall write --margin \
                 {}ms or end other programs",
                (max * 2).as_millis()
            ),
        )
    }
}

/// Measures round trips between two threads that share a processor, as the referee and a program
/// do in a match.
fn round_trips(time: Duration) -> std::io::Result<Vec<Duration>> {
    let (there, to) = pipe_with(PipeFlags::CLOEXEC)?;
    let (back, from) = pipe_with(PipeFlags::CLOEXEC)?;
    let here = of_worker(0, 1, 1, sched_getcpu());
    let (echo, stop) = ([1], [0]);
    let measure = || -> io::Result<Vec<Duration>> {
        // Without short turns the delays are longer, as they are in a match.
        let _ = take_short_turns();
        let (begun, mut times) = (Instant::now(), Vec::new());
        while begun.elapsed() < time {
            let asked = Instant::now();
            write(&to, &echo)?;
            read_bytes(&back, &mut [0])?;
            times.push(asked.elapsed());
        }
        Ok(times)
    };
    let answer = || -> io::Result<()> {
        let mut byte = stop;
        while read_bytes(&there, &mut byte)? == 1 && byte != stop {
            write(&from, &byte)?;
        }
        Ok(())
    };
    let pinned = || {
        if !here.is_empty() {
            pin(&here);
        }
    };
    // The calling thread only waits, as it must not stay pinned.
    thread::scope(|scope| {
        let answering = thread::Builder::new().spawn_scoped(scope, || {
            pinned();
            answer()
        })?;
        let measuring = thread::Builder::new().spawn_scoped(scope, || {
            pinned();
            measure()
        });
        let times = measuring.map(|measuring| measuring.join().expect("no thread panics"));
        write(&to, &stop)?;
        answering.join().expect("no thread panics")?;
        Ok(times??)
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::Status;
    use super::*;

    fn machine() -> Readings {
        let round_trip = RoundTrip { count: 1000, p50_us: 3.2, p99_us: 20.0, max_us: 180.0 };
        Readings {
            kernel: "6.12.0".into(),
            tells_waits: true,
            counts_cpu_time: true,
            uptime: 1000.0,
            withheld: 0.0,
            round_trip: Some(round_trip),
        }
    }

    fn statuses(of: &Readings) -> Vec<Status> {
        of.findings().into_iter().map(|found| found.status).collect()
    }

    #[test]
    fn each_reading_changes_its_finding_alone() {
        use Status::{Missing, Ok, Warning};
        assert_eq!(statuses(&machine()), [Ok; 5]);
        let silent = Readings { tells_waits: false, ..machine() };
        assert_eq!(statuses(&silent), [Missing, Ok, Ok, Ok, Ok]);
        let uncounted = Readings { counts_cpu_time: false, ..machine() };
        assert_eq!(statuses(&uncounted), [Ok, Warning, Ok, Ok, Ok]);
        let old = Readings { kernel: "6.8.0-31-generic".into(), ..machine() };
        assert_eq!(statuses(&old), [Ok, Ok, Warning, Ok, Ok]);
        let shared = Readings { withheld: 20.0, ..machine() };
        assert_eq!(statuses(&shared), [Ok, Ok, Ok, Warning, Ok]);
        assert!(shared.findings()[3].text.contains("20 s of 1000 s since boot"));
        assert_eq!(statuses(&Readings { withheld: 9.0, ..machine() }), [Ok; 5]);
        let round_trip = machine().round_trip.map(|of| RoundTrip { max_us: 12_000.0, ..of });
        let busy = Readings { round_trip, ..machine() };
        assert_eq!(statuses(&busy), [Ok, Ok, Ok, Ok, Warning]);
        assert!(busy.findings()[4].help.as_ref().unwrap().contains("--margin 24ms"));
        assert_eq!(statuses(&Readings { round_trip: None, ..machine() }), [Ok; 4]);
    }

    #[test]
    fn shortest_move_time_follows_from_the_delay() {
        assert!(machine().findings()[4].text.contains("from --move-time 2ms on"));
    }

    #[test]
    fn times_are_summarised() {
        let times = (1..=200).rev().map(Duration::from_micros).collect();
        let found = RoundTrip::of(times).unwrap();
        assert_eq!((found.count, found.max_us), (200, 200.0));
        assert_eq!((found.p50_us, found.p99_us), (101.0, 199.0));
        assert_eq!(RoundTrip::of(Vec::new()), None);
    }

    #[test]
    fn round_trips_end_and_leave_this_thread_unpinned() {
        let before = rustix::thread::sched_getaffinity(None).unwrap();
        assert!(!round_trips(Duration::from_millis(5)).unwrap().is_empty());
        assert_eq!(rustix::thread::sched_getaffinity(None).unwrap(), before);
    }
}
