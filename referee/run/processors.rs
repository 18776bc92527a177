//! Processors of this machine, and their assignment to the games that run at once.

use crate::config::limits::PlayerLimits;
use crate::failure::Failure;
use crate::run::allocation;
use rustix::thread::{sched_getaffinity, sched_setaffinity, CpuSet};
use std::thread::available_parallelism;

/// Returns the number of processors of a game between any `seats` of these players: the largest
/// number of threads of a player, since the others are stopped while it thinks. Players that may
/// think while their opponents do have processors of their own.
pub fn per_game<'a>(limits: impl IntoIterator<Item = &'a PlayerLimits>, seats: usize) -> usize {
    let (mut threads, mut ponders) = (Vec::new(), false);
    for of in limits {
        threads.push(threads_of(of));
        ponders |= of.ponder;
    }
    threads.sort_unstable_by(|a, b| b.cmp(a));
    let together = if ponders { seats } else { 1 };
    threads.into_iter().take(together).sum::<usize>().max(1)
}

/// Returns the number of threads that a player may use at once.
pub fn threads_of(limits: &PlayerLimits) -> usize {
    limits.clock.threads.map_or(1, |threads| threads as usize)
}

/// Returns the number of processors that this process may use: by its affinity, the quota of its
/// control group, and its Slurm task.
pub fn processors() -> usize {
    let there = available_parallelism().map_or(1, usize::from);
    allocation::processors().map_or(there, |granted| granted.min(there))
}

/// Returns the number of games played at once: `asked`, else the number for which there are
/// processors, less one processor if there are more than two.
pub fn default_concurrency(asked: Option<u16>, per_game: usize) -> usize {
    let processors = processors();
    let used = if processors > 2 { processors - 1 } else { processors };
    asked.map_or((used / per_game).max(1), usize::from)
}

/// Checks that the games that run at once have the processors that their players may use.
///
/// # Errors
/// Returns an error with the numbers if they have not.
pub fn check_fit(asked: Option<u16>, per_game: usize) -> Result<(), Failure> {
    let processors = processors();
    if per_game > processors {
        return Err(Failure::Usage(format!(
            "threads: expected at most {processors} in a game, the processors of this machine, got \
             {per_game}"
        )));
    }
    match asked.map(usize::from) {
        Some(games) if per_game > 1 && games * per_game > processors => {
            Err(Failure::Usage(format!(
                "--concurrency: expected at most {}, as each game takes {per_game} of the \
                 {processors} processors of this machine, got {games}",
                processors / per_game
            )))
        }
        _ => Ok(()),
    }
}

/// Returns the processors of a worker, or none if there are fewer than all workers take. There are
/// none either if this process is granted fewer than it may use: others would choose the same ones.
/// A round trip through a pipe is several times faster when both ends share a processor.
///
/// Processors are assigned in order from the current one of the referee, so that two referees at
/// once need not meet on the same one.
pub fn of_worker(worker: usize, workers: usize, per_game: usize, here: usize) -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
    // With more workers than processors, some would have to share one.
    if workers * per_game > allowed.len() || processors() < allowed.len() {
        return Vec::new();
    }
    let first = allowed.iter().position(|&cpu| cpu == here).unwrap_or(0) + worker * per_game;
    (first..first + per_game).map(|at| allowed[at % allowed.len()]).collect()
}

/// Returns a set of processors.
pub fn set_of(processors: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    processors.iter().for_each(|&processor| set.set(processor));
    set
}

/// Pins the calling thread, and with it every program that it starts.
pub fn pin(processors: &[usize]) {
    if let Err(error) = sched_setaffinity(None, &set_of(processors)) {
        log::warn!("a worker runs on any processor: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(threads: u32, ponder: bool) -> PlayerLimits {
        let mut limits = PlayerLimits { ponder, ..PlayerLimits::default() };
        limits.clock.threads = Some(threads);
        limits
    }

    #[test]
    fn players_share_processors_unless_they_ponder() {
        let per_game = |of: &[PlayerLimits], seats| per_game(of, seats);
        assert_eq!(per_game(&[PlayerLimits::default(), PlayerLimits::default()], 2), 1);
        assert_eq!(per_game(&[limits(3, false), limits(2, false)], 2), 3);
        assert_eq!(per_game(&[limits(3, false), limits(2, true)], 2), 5);
        assert_eq!(per_game(&[limits(3, false), limits(2, true), limits(4, false)], 2), 7);
    }

    #[test]
    fn games_share_no_processor() {
        let processors = processors();
        let of = |worker| of_worker(worker, processors, 1, 0);
        let mut all: Vec<usize> = (0..processors).flat_map(of).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), processors);
        assert!(of_worker(0, processors + 1, 1, 0).is_empty(), "they do not fit");
        assert_eq!(of_worker(0, 1, processors, 0).len(), processors);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_numbers() {
        let processors = processors();
        let error = check_fit(None, processors + 1).unwrap_err().to_string();
        assert!(error.contains(&format!("expected at most {processors}")), "{error}");
        if processors > 1 {
            let error = check_fit(Some(2), processors).unwrap_err().to_string();
            assert!(error.contains("expected at most 1") && error.ends_with("got 2"), "{error}");
        }
        assert!(check_fit(Some(1000), 1).is_ok(), "games of one thread may share processors");
    }
}
