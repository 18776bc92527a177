//! Processors and memory for the games that run at once.

use super::finding::Finding;
use super::system::{field, read, size};
use arbitre_process::sandbox::defaults::MEMORY;
use arbitre_referee::run::allocation;
use arbitre_referee::run::processors::{default_concurrency, processors};
use rustix::thread::{sched_getaffinity, CpuSet};
use serde::Serialize;
use std::time::Duration;

/// Time for which the load is watched.
const WATCHED: Duration = Duration::from_millis(200);
/// Number of busy processors from which other processes disturb a match. Not tuned.
const BUSY: f64 = 0.5;

/// Values on which the number of concurrent games depends.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Readings {
    /// Number of processors on which this process may run.
    pub allowed: usize,
    /// Number of them for which a quota leaves time.
    pub usable: usize,
    /// Default of `--concurrency`.
    pub concurrency: usize,
    /// Number of the allowed processors that other processes kept busy for a moment.
    pub busy: f64,
    /// Memory of the machine, or of what is granted of it, in bytes.
    pub memory: u64,
    /// Memory that programs can get now, in bytes.
    pub available: u64,
}

impl Readings {
    /// Reads this machine, and watches its load for 0.2 s.
    pub fn here() -> Readings {
        let set = sched_getaffinity(None).unwrap_or_default();
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect();
        let before = read("/proc/stat").unwrap_or_default();
        std::thread::sleep(WATCHED);
        let after = read("/proc/stat").unwrap_or_default();
        let memory = read("/proc/meminfo").unwrap_or_default();
        let bytes = |name| {
            let kib = field(&memory, name)?.split(' ').next()?;
            Some(kib.parse::<u64>().ok()? * 1024)
        };
        let limit = allocation::memory().unwrap_or(u64::MAX);
        let granted = |name| bytes(name).unwrap_or(0).min(limit);
        Readings {
            allowed: allowed.len(),
            usable: processors(),
            concurrency: default_concurrency(None, 1),
            busy: allowed.iter().map(|&cpu| busy_share(cpu, &before, &after)).sum(),
            memory: granted("MemTotal"),
            available: granted("MemAvailable"),
        }
    }

    /// Returns the findings.
    pub fn findings(&self) -> Vec<Finding> {
        let Readings { allowed, usable, concurrency, busy, memory, available } = *self;
        let quota = match usable < allowed {
            true => format!(" of {allowed}, by a quota or a Slurm task"),
            false => String::new(),
        };
        let reason = match usable {
            ..=2 => "a game for each",
            _ => "one is left for the referee and other programs",
        };
        let mut findings = vec![Finding::ok(format!(
            "processors: {usable}{quota}, so --concurrency {concurrency} is the default ({reason})"
        ))];
        let text = format!("other programs keep {busy:.1} of {allowed} processors busy now");
        findings.push(match busy < BUSY {
            true => Finding::ok(text),
            false => {
                let left = concurrency.saturating_sub(busy.round() as usize).max(1);
                let fewer = format!("end them, or write --concurrency {left}");
                Finding::warning(text).help(if left < concurrency {
                    fewer
                } else {
                    "end them before a match".into()
                })
            }
        });
        let programs = 2 * concurrency as u64;
        let needed = programs * MEMORY;
        let text = format!(
            "{} of memory, {} of it free; {concurrency} games of two programs may take {}",
            size(memory),
            size(available),
            size(needed)
        );
        findings.push(match needed <= available {
            true => Finding::ok(text),
            false => Finding::warning(text).help(format!(
                "write --memory {}MiB or less, or a lower --concurrency",
                (available / programs) >> 20
            )),
        });
        findings
    }
}

/// Returns the share of time for which a processor was busy, from two contents of `/proc/stat`.
fn busy_share(cpu: usize, before: &str, after: &str) -> f64 {
    let name = format!("cpu{cpu} ");
    let numbers = |text: &str| -> Vec<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(&*name)).unwrap_or_default();
        // The last two, of guests, are contained in the first two.
        line.split(' ').take(8).filter_map(|word| word.parse().ok()).collect()
    };
    let passed: Vec<u64> = numbers(before)
        .iter()
        .zip(numbers(after))
        .map(|(before, after)| after.saturating_sub(*before))
        .collect();
    // The fourth and fifth count idle time.
    let idle: u64 = passed.iter().skip(3).take(2).sum();
    let all: u64 = passed.iter().sum();
    (all - idle) as f64 / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::finding::Status;
    use super::*;

    fn machine(processors: usize, busy: f64, available: u64) -> Readings {
        Readings {
            allowed: processors,
            usable: processors,
            concurrency: if processors > 2 { processors - 1 } else { processors },
            busy,
            memory: 32 << 30,
            available,
        }
    }

    #[test]
    fn concurrency_has_a_reason() {
        let text = |of: Readings| of.findings()[0].text.clone();
        assert!(text(machine(8, 0.0, 0)).contains("--concurrency 7 is the default (one is left"));
        assert!(
            text(machine(2, 0.0, 0)).ends_with("--concurrency 2 is the default (a game for each)")
        );
        let limited = Readings { usable: 2, concurrency: 2, ..machine(8, 0.0, 0) };
        assert!(
            text(limited).starts_with("processors: 2 of 8, by a quota or a Slurm task, so --conc")
        );
    }

    #[test]
    fn busy_processors_are_a_warning() {
        let found = |of: Readings| of.findings().swap_remove(1);
        assert_eq!(found(machine(8, 0.4, 0)).status, Status::Ok);
        let busy = found(machine(8, 2.6, 0));
        assert_eq!(busy.status, Status::Warning);
        assert_eq!(busy.help.unwrap(), "end them, or write --concurrency 4");
        assert_eq!(found(machine(1, 1.0, 0)).help.unwrap(), "end them before a match");
    }

    #[test]
    fn memory_must_suffice_for_all_programs() {
        let found = |of: Readings| of.findings().swap_remove(2);
        assert_eq!(found(machine(2, 0.0, 4 << 30)).status, Status::Ok);
        let small = found(machine(2, 0.0, 3 << 30));
        assert_eq!(small.status, Status::Warning);
        assert!(small.help.unwrap().starts_with("write --memory 768MiB or less"));
    }

    #[test]
    fn load_is_that_of_the_asked_processor() {
        let before =
            "cpu  1 1 1 1 1 1 1 1 0 0\ncpu1 10 0 10 100 5 0 0 0 7 0\ncpu10 0 0 0 0 0 0 0 0 0 0\n";
        let after =
            "cpu  1 1 1 1 1 1 1 1 0 0\ncpu1 14 0 10 110 7 0 0 4 9 0\ncpu10 0 0 0 8 0 0 0 0 0 0\n";
        assert!((busy_share(1, before, after) - 0.4).abs() < 1e-9);
        assert_eq!((busy_share(10, before, after), busy_share(3, before, after)), (0.0, 0.0));
    }
}
