//! How much a search may spend, and the limiter that tells it when to stop.

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
    /// which an engine that shares the clock out itself may replace.
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

    /// The same with so many hundredths of the time.
    pub fn share(self, percent: u32) -> Budget {
        Budget { time: self.time.map(|timer| timer.share(percent)), ..self }
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
    /// Where the wall's time counts, what others took of it.
    pauses: Pauses,
}

impl Timer {
    /// Less than this is not worth another look at the clock.
    const GRAIN: Duration = Duration::from_micros(50);

    /// A limit in time on the wall. Where others hold the processor now and then, it runs out earlier
    /// by the longest of these pauses twice, but by no more than a quarter: the answer may have to
    /// wait for one, and then whoever waits for the answer.
    pub fn wall(from: Instant, limit: Duration) -> Timer {
        let pauses = Pauses::new(Instant::now(), thread_time());
        Timer { from, limit, at: from + limit, cpu: None, pauses }
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
        let now = Instant::now();
        let Some(cpu) = self.cpu else {
            self.pauses.look(now, thread_time);
            return now + (2 * self.pauses.longest).min(self.limit / 4) >= self.at;
        };
        if now < self.at {
            return false;
        }
        let Some(now) = thread_time() else { return true };
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
        (self.share_spent() * 100.0) as u32
    }

    /// How much of its time is spent: 1 is all.
    pub fn share_spent(&self) -> f64 {
        let processor = self.cpu.and_then(|from| Some(thread_time()?.saturating_sub(from)));
        let spent = processor.unwrap_or_else(|| self.from.elapsed());
        spent.as_secs_f64() / self.limit.as_secs_f64().max(1e-9)
    }

    /// How long it runs all in all.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Time on the wall until [`Timer::expired`] looks again; none if it would now.
    pub fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// How long this thread was ready to work and others had the processor.
#[derive(Clone, Copy, Debug)]
struct Pauses {
    /// The first look at the clock, and the processor time then.
    first: (Instant, Option<Duration>),
    last: Instant,
    /// All pauses together, up to the last that was noticed.
    all: Duration,
    longest: Duration,
}

impl Pauses {
    /// Looks that are less apart are not worth asking for processor time.
    const WORTH_ASKING: Duration = Duration::from_millis(1);

    fn new(now: Instant, thread_time: Option<Duration>) -> Pauses {
        let none = Duration::ZERO;
        Pauses { first: (now, thread_time), last: now, all: none, longest: none }
    }

    /// Takes note of the time since the last look, if the thread did not spend it itself.
    fn look(&mut self, now: Instant, thread_time: impl FnOnce() -> Option<Duration>) {
        let apart = now.saturating_duration_since(self.last);
        self.last = now;
        if apart < Self::WORTH_ASKING {
            return;
        }
        let (Some(spent_before), Some(spent)) = (self.first.1, thread_time()) else { return };
        let worked = spent.saturating_sub(spent_before);
        let all = (now - self.first.0).saturating_sub(worked);
        self.longest = self.longest.max(all.saturating_sub(self.all));
        self.all = all;
    }
}

/// Counts the nodes of a search and says when it must stop. Once it has said so it keeps to it.
#[derive(Debug)]
pub struct Limiter {
    budget: Budget,
    nodes: u64,
    /// The node at which something may run out.
    next_look: u64,
    /// Nodes between two looks at the clock, and when the last one was.
    stride: u64,
    looked: Instant,
    stopped: bool,
}

impl Limiter {
    /// Nodes until the clock is read for the first time, and the most until it is read again.
    const STRIDES: (u64, u64) = (16, 1024);
    /// The clock is read about as often as this: what a node costs differs by a factor of a hundred
    /// from search to search.
    const BETWEEN_LOOKS: Duration = Duration::from_micros(100);

    /// A limiter that has counted nothing.
    pub fn new(budget: Budget) -> Limiter {
        let (stride, looked) = (Self::STRIDES.0, Instant::now());
        let mut limiter =
            Limiter { budget, nodes: 0, next_look: 0, stride, looked, stopped: false };
        limiter.next_look = limiter.look_after(stride);
        limiter
    }

    /// Counts a node. Returns whether the search must stop.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.stopped
    }

    /// Counts many nodes at once. Returns whether the search must stop.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.stopped
    }

    /// A limiter for a part of the search: so many nodes, within what is left of this one.
    pub fn part(&self, nodes: u64) -> Limiter {
        let left = self.budget.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        Limiter::new(Budget { nodes: Some(nodes.min(left)), ..self.budget })
    }

    /// A limiter for so many hundredths of the whole budget.
    pub fn share(&self, percent: u32) -> Limiter {
        let nodes = self.budget.nodes.map(|limit| limit * u64::from(percent) / 100);
        Limiter::new(Budget { nodes, ..self.budget.share(percent) })
    }

    #[cold]
    fn look(&mut self) {
        let nodes_spent = self.budget.nodes.is_some_and(|limit| self.nodes > limit);
        let time_is_up = self.budget.time.as_mut().is_some_and(Timer::expired);
        self.stopped |= nodes_spent || time_is_up;
        let apart = self.looked.elapsed();
        self.looked += apart;
        if apart > Self::BETWEEN_LOOKS {
            self.stride = (self.stride / 2).max(1);
        } else if apart < Self::BETWEEN_LOOKS / 2 {
            self.stride = (self.stride * 2).min(Self::STRIDES.1);
        }
        self.next_look = self.look_after(self.stride);
    }

    /// The node to look at next, if the clock is to be read after so many.
    fn look_after(&self, stride: u64) -> u64 {
        let clock = self.budget.time.map_or(u64::MAX, |_| self.nodes + stride);
        clock.min(self.budget.nodes.map_or(u64::MAX, |limit| limit.saturating_add(1)))
    }

    /// Must the search stop?
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// How many nodes were counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How much is spent in hundredths, of the time or of the nodes, whichever is more.
    pub fn percent_spent(&self) -> u32 {
        let time = self.budget.time.map_or(0, |timer| timer.percent_spent());
        let nodes = self.budget.nodes.map_or(0, |limit| self.nodes * 100 / limit.max(1));
        time.max(nodes.try_into().unwrap_or(u32::MAX))
    }

    /// How much is spent of the time or of the nodes, whichever is more: 1 is all, 0 where nothing limits.
    pub fn share_spent(&self) -> f64 {
        let time = self.budget.time.map_or(0.0, |timer| timer.share_spent());
        let nodes = self.budget.nodes.map_or(0.0, |limit| self.nodes as f64 / limit.max(1) as f64);
        time.max(nodes)
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
        let mut limiter = Limiter::new(Budget::nodes(3));
        let answers: Vec<bool> = (0..5).map(|_| limiter.tick()).collect();
        assert_eq!(answers, [false, false, false, true, true]);
    }

    #[test]
    fn a_part_has_nodes_of_its_own_within_those_of_the_whole() {
        let mut whole = Limiter::new(Budget::nodes(10));
        let stops_after = |mut limiter: Limiter| (1..).find(|_| limiter.tick());
        assert_eq!(stops_after(whole.part(4)), Some(5));
        assert!(!whole.spend(7) && whole.nodes() == 7);
        assert_eq!(stops_after(whole.part(4)), Some(4));
        assert!(whole.spend(4), "eleven are more than ten");
        let late = Limiter::new(Budget::time(Duration::ZERO));
        assert_eq!(stops_after(late.part(1_000_000)), Some(Limiter::STRIDES.0));
    }

    #[test]
    fn a_meter_without_limits_never_stops() {
        let mut limiter = Limiter::new(Budget::default());
        assert!((0..10_000).all(|_| !limiter.tick()));
    }

    #[test]
    fn time_that_is_up_stops_at_the_next_look() {
        let mut limiter = Limiter::new(Budget::time(Duration::ZERO));
        let first = (1..).find(|_| limiter.tick());
        assert_eq!(first, Some(Limiter::STRIDES.0));
    }

    /// The slower the nodes, the fewer between two looks at the clock.
    #[test]
    fn slow_nodes_do_not_outrun_the_clock() {
        let Some(begun) = thread_time() else {
            eprintln!("SKIPPED: this system does not tell processor time");
            return;
        };
        let time = Some(Timer::cpu(Instant::now(), Duration::from_millis(20)));
        let mut limiter = Limiter::new(Budget { time, ..Budget::default() });
        let stopped = |node: &u32| {
            while thread_time().unwrap() < begun + Duration::from_millis(1) * *node {}
            limiter.tick()
        };
        let stopped_at = (1..).find(stopped).unwrap();
        assert!(stopped_at <= 16 + 8, "after {stopped_at} ms");
    }

    #[test]
    fn fast_nodes_do_not_wait_for_the_clock() {
        let mut limiter = Limiter::new(Budget::time(Duration::from_secs(60)));
        let mut looks = 0;
        for _ in 0..100_000 {
            let due = limiter.next_look;
            limiter.tick();
            looks += u32::from(limiter.next_look != due);
        }
        assert!(looks < 2000, "{looks}");
    }

    /// Milliseconds on the wall and of the processor, look by look.
    #[test]
    fn a_pause_is_time_that_the_thread_did_not_spend() {
        let (begun, ms) = (Instant::now(), Duration::from_millis);
        let mut pauses = Pauses::new(begun, Some(ms(7)));
        let mut look = |wall, cpu| {
            pauses.look(begun + ms(wall), || Some(ms(cpu)));
            pauses.longest
        };
        assert_eq!(look(20, 27), ms(0), "its own work");
        assert_eq!(look(25, 29), ms(3));
        assert_eq!(look(60, 63), ms(3), "a shorter one");
        assert_eq!(look(80, 70), ms(13));
    }

    /// A thread that sleeps leaves the processor to others.
    #[test]
    fn a_timer_on_the_wall_allows_for_another_pause() {
        let limit = Duration::from_secs(2);
        let mut timer = Timer::wall(Instant::now() - limit * 9 / 10, limit);
        assert!(!timer.expired());
        std::thread::sleep(limit * 4 / 100);
        assert!(timer.expired());
        assert!(timer.remaining() > Duration::ZERO || timer.from.elapsed() > limit);
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
