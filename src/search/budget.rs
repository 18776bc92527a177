//! How much a search may spend, and the meter that tells it when to stop.

use crate::search::cpu_time::thread_time;
use std::time::{Duration, Instant};

/// What one answer may cost. What is absent does not limit.
///
/// Under nodes and depth alone a deterministic search gives the same answer everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// When to stop.
    pub time: Option<Timer>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// The game's clock, where that alone limits: `time` is then a share of it that suits anybody,
    /// which a mind that shares the clock out itself may replace.
    pub game: Option<GameClock>,
}

/// A game's clock when a move is asked for.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    /// What is left of it.
    pub remaining: Duration,
    /// What this move will add to it.
    pub increment: Duration,
    /// The most that this move may take on top of that, if there is such a limit.
    pub per_move: Option<Duration>,
    /// When the move was asked for.
    pub asked: Instant,
    /// Makes a timer of the kind of time that this clock counts.
    pub timer: fn(Instant, Duration) -> Timer,
}

impl GameClock {
    /// Runs out when this answer has taken so long, or as long as a move may.
    pub fn stop_after(&self, limit: Duration) -> Timer {
        let limit = self.per_move.map_or(limit, |longest| longest.min(limit));
        (self.timer)(self.asked, limit)
    }
}

impl Budget {
    /// So many plies, and nothing else.
    pub fn depth(plies: u32) -> Budget {
        Budget { depth: Some(plies), ..Budget::default() }
    }

    /// So many positions, and nothing else.
    pub fn nodes(count: u64) -> Budget {
        Budget { nodes: Some(count), ..Budget::default() }
    }

    /// So long from now on, and nothing else.
    pub fn time(limit: Duration) -> Budget {
        Budget { time: Some(Timer::wall(Instant::now(), limit)), ..Budget::default() }
    }
}

/// An instant at which to stop; where processor time counts, it moves on while others hold the
/// processor.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    from: Instant,
    limit: Duration,
    /// When to look next.
    at: Instant,
    /// The processor time of this thread at the beginning, where that counts.
    cpu: Option<Duration>,
}

impl Timer {
    /// Less than this is not worth another look at the clock.
    const GRAIN: Duration = Duration::from_micros(50);

    /// A limit in time on the wall.
    pub fn wall(from: Instant, limit: Duration) -> Timer {
        Timer { from, limit, at: from + limit, cpu: None }
    }

    /// A limit in processor time of this thread; time on the wall where the system does not tell.
    pub fn cpu(from: Instant, limit: Duration) -> Timer {
        Timer { cpu: thread_time(), ..Timer::wall(from, limit) }
    }

    /// Is the time up?
    ///
    /// Processor time never runs ahead of the wall in a thread, so it is only read when the wall's
    /// time is up; what is left of it then gives the next instant to look.
    pub fn expired(&mut self) -> bool {
        if Instant::now() < self.at {
            return false;
        }
        let (Some(cpu), Some(now)) = (self.cpu, thread_time()) else { return true };
        let left = self.limit.saturating_sub(now.saturating_sub(cpu));
        self.at = Instant::now() + left;
        left < Timer::GRAIN
    }

    /// The timer that began with this one and runs out after so many hundredths of its time.
    pub fn share(self, percent: u32) -> Timer {
        let limit = self.limit * percent / 100;
        Timer { limit, at: self.from + limit, ..self }
    }

    /// How much of its time is spent, in hundredths.
    pub fn percent_spent(&self) -> u32 {
        let processor = self.cpu.and_then(|from| Some(thread_time()?.saturating_sub(from)));
        let spent = processor.unwrap_or_else(|| self.from.elapsed());
        let percent = spent.as_nanos() * 100 / self.limit.as_nanos().max(1);
        percent.try_into().unwrap_or(u32::MAX)
    }

    /// Time on the wall until [`Timer::expired`] looks again; none if it would now.
    pub fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// Counts the nodes of a search and says when it must stop. Once it has said so it keeps to it.
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    nodes: u64,
    stopped: bool,
}

impl Meter {
    /// The clock is read once in so many nodes.
    const NODES_PER_LOOK: u64 = 1024;

    /// A meter that has counted nothing.
    pub fn new(budget: Budget) -> Meter {
        Meter { budget, nodes: 0, stopped: false }
    }

    /// Counts a node. Returns whether the search must stop.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Self::NODES_PER_LOOK) || self.budget.nodes.is_some() {
            self.look();
        }
        self.stopped
    }

    fn look(&mut self) {
        let nodes_spent = self.budget.nodes.is_some_and(|limit| self.nodes > limit);
        let look_at_clock = self.nodes.is_multiple_of(Self::NODES_PER_LOOK);
        let time_is_up = look_at_clock && self.budget.time.as_mut().is_some_and(Timer::expired);
        self.stopped |= nodes_spent || time_is_up;
    }

    /// Must the search stop?
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// How many nodes were counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The deepest search that the budget allows.
    pub fn depth_limit(&self) -> u32 {
        self.budget.depth.unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_stops_after_its_nodes_and_stays_stopped() {
        let mut meter = Meter::new(Budget::nodes(3));
        let answers: Vec<bool> = (0..5).map(|_| meter.tick()).collect();
        assert_eq!(answers, [false, false, false, true, true]);
    }

    #[test]
    fn a_meter_without_limits_never_stops() {
        let mut meter = Meter::new(Budget::default());
        assert!((0..10_000).all(|_| !meter.tick()));
    }

    #[test]
    fn time_that_is_up_stops_at_the_next_look() {
        let mut meter = Meter::new(Budget::time(Duration::ZERO));
        let first = (1..).find(|_| meter.tick());
        assert_eq!(first, Some(Meter::NODES_PER_LOOK));
    }

    #[test]
    fn a_share_of_a_timer_runs_out_earlier() {
        let from = Instant::now() - Duration::from_millis(400);
        let whole = Timer::wall(from, Duration::from_secs(1));
        assert!((40..90).contains(&whole.percent_spent()), "{}", whole.percent_spent());
        assert!(!whole.share(90).expired());
        assert!(whole.share(40).expired());
        assert!(whole.share(40).percent_spent() >= 100);
    }

    /// A thread that sleeps spends no processor time.
    #[test]
    fn a_processor_timer_outlives_the_wall() {
        if thread_time().is_none() {
            eprintln!("SKIPPED: this system does not tell processor time");
            return;
        }
        let limit = Duration::from_millis(20);
        let mut timer = Timer::cpu(Instant::now(), limit);
        std::thread::sleep(2 * limit);
        assert!(!timer.expired(), "sleeping was counted as work");
        while !timer.expired() {
            std::hint::spin_loop();
        }
    }
}
