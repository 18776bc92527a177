//! Search limits: the budget of an answer, its timer, and the limiter that stops a search.

use crate::search::cpu_time::{thread_time, Moment, TimeKind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Limits of one answer. An absent limit does not apply.
///
/// With limits of nodes and depth alone, a deterministic search gives the same answer on every
/// machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Timer that stops the search.
    pub time: Option<Timer>,
    /// Limit of positions searched.
    pub nodes: Option<u64>,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// The game clock; absent where nodes, depth or a limit of the bot's own also limit the search.
    /// With it, `time` is a default share of the clock, which an engine may replace.
    pub game: Option<GameClock>,
}

/// Game clock at the time of a move request.
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    /// Remaining time.
    pub remaining: Duration,
    /// Time added after this move.
    pub increment: Duration,
    /// Limit of this move, which applies beside the game clock.
    pub per_move: Option<Duration>,
    /// Moment of the move request.
    pub asked: Moment,
    /// Kind of time that this clock counts.
    pub kind: TimeKind,
}

impl GameClock {
    /// Returns a timer that expires `limit` after the move request, or earlier at the limit per
    /// move.
    pub fn stop_after(&self, limit: Duration) -> Timer {
        let limit = self.per_move.map_or(limit, |longest| longest.min(limit));
        Timer::new(self.kind, self.asked, limit)
    }
}

impl Budget {
    /// Creates a budget of `plies` plies.
    pub fn depth(plies: u32) -> Budget {
        Budget { depth: Some(plies), ..Budget::default() }
    }

    /// Creates a budget of `count` positions.
    pub fn nodes(count: u64) -> Budget {
        Budget { nodes: Some(count), ..Budget::default() }
    }

    /// Returns the same budget with `percent` hundredths of the time.
    pub fn share(self, percent: u32) -> Budget {
        Budget { time: self.time.map(|timer| timer.share(percent)), ..self }
    }

    /// Creates a budget of `limit` wall time from now.
    pub fn time(limit: Duration) -> Budget {
        Budget { time: Some(Timer::wall(limit)), ..Budget::default() }
    }
}

/// Deadline of a search. Under CPU time the deadline moves back while the thread is not running.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    kind: TimeKind,
    from: Moment,
    limit: Duration,
    /// Deadline by wall time; by CPU time, the instant of the next check.
    at: Instant,
    /// Pauses of this thread, if wall time is counted.
    pauses: Pauses,
}

impl Timer {
    /// Remaining CPU time below which a timer expires at once. Not tuned.
    const MIN_REMAINING: Duration = Duration::from_micros(50);

    /// Creates a timer of `limit` from `from`, a moment of the calling thread.
    ///
    /// By wall time it expires earlier under load, by twice the longest pause so far, at most by a
    /// quarter of `limit`. Twice, because one pause may delay the bot's answer and another the
    /// process that reads it. Measured under load, 2026-11-21: `bots/tron/diary.md`. By CPU time
    /// no pause counts.
    pub fn new(kind: TimeKind, from: Moment, limit: Duration) -> Timer {
        let pauses = Pauses::new(Moment::now());
        // Without a CPU clock both kinds are wall time.
        let kind = if from.cpu.is_some() { kind } else { TimeKind::Wall };
        Timer { kind, from, limit, at: from.wall + limit, pauses }
    }

    /// Creates a timer of `limit` wall time from now.
    pub fn wall(limit: Duration) -> Timer {
        Timer::new(TimeKind::Wall, Moment::now(), limit)
    }

    /// Creates a timer of `limit` CPU time of this thread from now.
    pub fn cpu(limit: Duration) -> Timer {
        Timer::new(TimeKind::Cpu, Moment::now(), limit)
    }

    /// Returns `true` if the time is up.
    ///
    /// CPU time of a thread never exceeds wall time, so it is only read once `limit` of wall time
    /// is over. Its remainder then gives the time of the next check.
    pub fn expired(&mut self) -> bool {
        let now = Instant::now();
        if self.kind == TimeKind::Wall {
            self.pauses.update(now, thread_time);
            return now + (2 * self.pauses.longest).min(self.limit / 4) >= self.at;
        }
        if now < self.at {
            return false;
        }
        let left = self.remaining();
        self.at = Instant::now() + left;
        left < Timer::MIN_REMAINING
    }

    /// Returns a timer with the same beginning and `percent` hundredths of the limit.
    pub fn share(self, percent: u32) -> Timer {
        let limit = self.limit * percent / 100;
        Timer { limit, at: self.from.wall + limit, ..self }
    }

    /// Returns a timer from now with `percent` hundredths of the remaining time.
    pub fn share_of_remaining(&self, percent: u32) -> Timer {
        Timer::new(self.kind, Moment::now(), self.remaining() * percent / 100)
    }

    /// Returns the time spent, in hundredths of the limit.
    pub fn percent_spent(&self) -> u32 {
        (self.share_spent() * 100.0) as u32
    }

    /// Returns the time spent as a share of the limit.
    pub fn share_spent(&self) -> f64 {
        let spent = self.from.elapsed(self.kind);
        // The lower bound avoids a division by zero.
        spent.as_secs_f64() / self.limit.as_secs_f64().max(1e-9)
    }

    /// Returns the limit of the whole timer.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Returns the remaining time, of the kind that the timer measures.
    pub fn remaining(&self) -> Duration {
        self.limit.saturating_sub(self.from.elapsed(self.kind))
    }
}

/// Pauses in which this thread did not run: wall time less CPU time.
#[derive(Clone, Copy, Debug)]
struct Pauses {
    /// First check of the clock.
    first: Moment,
    last: Instant,
    /// Sum of all pauses at the last check that read the CPU time.
    all: Duration,
    longest: Duration,
}

impl Pauses {
    /// Shortest interval between two checks for which the CPU time is read. Not tuned.
    const MIN_CHECK_GAP: Duration = Duration::from_millis(1);

    fn new(now: Moment) -> Pauses {
        let none = Duration::ZERO;
        Pauses { first: now, last: now.wall, all: none, longest: none }
    }

    /// Records the wall time since the last check that this thread did not spend itself.
    fn update(&mut self, now: Instant, thread_time: impl FnOnce() -> Option<Duration>) {
        let gap = now.saturating_duration_since(self.last);
        self.last = now;
        if gap < Self::MIN_CHECK_GAP {
            return;
        }
        let (Some(spent_before), Some(spent)) = (self.first.cpu, thread_time()) else { return };
        let worked = spent.saturating_sub(spent_before);
        let all = (now - self.first.wall).saturating_sub(worked);
        self.longest = self.longest.max(all.saturating_sub(self.all));
        self.all = all;
    }
}

/// Counts the nodes of a search and decides when it must stop. Once stopped it stays stopped.
#[derive(Debug)]
pub struct Limiter {
    budget: Budget,
    nodes: u64,
    /// Node count of the next check.
    next_check_at: u64,
    /// Nodes between two checks of the clock, adapted to the cost of a node.
    nodes_per_check: u64,
    last_check: Instant,
    stopped: bool,
    /// Stops the search from another thread.
    flag: Option<Arc<AtomicBool>>,
}

impl Limiter {
    /// Nodes until the first check of the clock. Not tuned.
    const FIRST_CHECK: u64 = 16;
    /// Largest number of nodes between two checks of the clock. Not tuned.
    const MAX_NODES_PER_CHECK: u64 = 1024;
    /// Target interval between two checks of the clock; the cost of a node differs by a factor of a
    /// hundred between searches. Compared under load with a check every 1024 nodes, 2026-11-21:
    /// `bots/tron/diary.md`.
    const CHECK_INTERVAL: Duration = Duration::from_micros(100);

    /// Creates a limiter with no nodes counted.
    pub fn new(budget: Budget) -> Limiter {
        let mut limiter = Limiter {
            budget,
            nodes: 0,
            next_check_at: 0,
            nodes_per_check: Self::FIRST_CHECK,
            last_check: Instant::now(),
            stopped: false,
            flag: None,
        };
        limiter.next_check_at = limiter.next_check();
        limiter
    }

    /// Returns the limiter of a search that another thread stops by setting `flag`.
    pub fn stopped_by(mut self, flag: &Arc<AtomicBool>) -> Limiter {
        self.flag = Some(Arc::clone(flag));
        self.next_check_at = self.next_check();
        self
    }

    /// Counts a node. Returns `true` if the search must stop.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.spend(1)
    }

    /// Counts `nodes` nodes at once. Returns `true` if the search must stop.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.next_check_at {
            self.check();
        }
        self.stopped
    }

    /// Creates a limiter for a part of the search: `nodes` nodes, within the remaining budget. The
    /// caller charges the nodes of the part to the whole with [`spend`](Limiter::spend).
    pub fn part(&self, nodes: u64) -> Limiter {
        let left = self.budget.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        Limiter::new(Budget { nodes: Some(nodes.min(left)), ..self.budget })
    }

    /// Creates a limiter with `percent` hundredths of the whole budget.
    pub fn share(&self, percent: u32) -> Limiter {
        let nodes = self.budget.nodes.map(|limit| limit * u64::from(percent) / 100);
        Limiter::new(Budget { nodes, ..self.budget.share(percent) })
    }

    #[cold]
    fn check(&mut self) {
        let nodes_spent = self.budget.nodes.is_some_and(|limit| self.nodes > limit);
        let time_is_up = self.budget.time.as_mut().is_some_and(Timer::expired);
        let is_told = self.flag.as_ref().is_some_and(|flag| flag.load(Relaxed));
        self.stopped |= nodes_spent || time_is_up || is_told;
        let interval = self.last_check.elapsed();
        self.last_check += interval;
        // Between half of the target and the target the number of nodes stays.
        if interval > Self::CHECK_INTERVAL {
            self.nodes_per_check = (self.nodes_per_check / 2).max(1);
        } else if interval < Self::CHECK_INTERVAL / 2 {
            self.nodes_per_check = (self.nodes_per_check * 2).min(Self::MAX_NODES_PER_CHECK);
        }
        self.next_check_at = self.next_check();
    }

    /// Returns the node count of the next check.
    fn next_check(&self) -> u64 {
        let is_timed = self.budget.time.is_some() || self.flag.is_some();
        let clock = if is_timed { self.nodes + self.nodes_per_check } else { u64::MAX };
        // One node beyond the limit: a search stops when it exceeds its nodes.
        clock.min(self.budget.nodes.map_or(u64::MAX, |limit| limit.saturating_add(1)))
    }

    /// Returns `true` if the search must stop.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the number of nodes counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the budget spent in hundredths: the time or the nodes, whichever is more.
    pub fn percent_spent(&self) -> u32 {
        let time = self.budget.time.map_or(0, |timer| timer.percent_spent());
        let nodes = self.budget.nodes.map_or(0, |limit| self.nodes * 100 / limit.max(1));
        time.max(nodes.try_into().unwrap_or(u32::MAX))
    }

    /// Returns the budget spent as a share: the time or the nodes, whichever is more; 0 without
    /// limits.
    pub fn share_spent(&self) -> f64 {
        let time = self.budget.time.map_or(0.0, |timer| timer.share_spent());
        let nodes = self.budget.nodes.map_or(0.0, |limit| self.nodes as f64 / limit.max(1) as f64);
        time.max(nodes)
    }

    /// Returns the depth limit in plies.
    pub fn depth_limit(&self) -> u32 {
        self.budget.depth.unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limiter_stops_after_its_nodes_and_stays_stopped() {
        let mut limiter = Limiter::new(Budget::nodes(3));
        let answers: Vec<bool> = (0..5).map(|_| limiter.tick()).collect();
        assert_eq!(answers, [false, false, false, true, true]);
    }

    #[test]
    fn part_has_its_own_nodes_within_the_whole() {
        let mut whole = Limiter::new(Budget::nodes(10));
        let stops_after = |mut limiter: Limiter| (1..).find(|_| limiter.tick());
        assert_eq!(stops_after(whole.part(4)), Some(5));
        assert!(!whole.spend(7) && whole.nodes() == 7);
        assert_eq!(stops_after(whole.part(4)), Some(4));
        assert!(whole.spend(4), "eleven nodes exceed ten");
        let late = Limiter::new(Budget::time(Duration::ZERO));
        assert_eq!(stops_after(late.part(1_000_000)), Some(Limiter::FIRST_CHECK));
    }

    #[test]
    fn another_thread_stops_a_limiter() {
        let flag = Arc::new(AtomicBool::new(false));
        let mut limiter = Limiter::new(Budget::default()).stopped_by(&flag);
        assert!(!(0..100_000).any(|_| limiter.tick()));
        flag.store(true, Relaxed);
        assert!((0..100_000).any(|_| limiter.tick()) && limiter.stopped());
    }

    #[test]
    fn limiter_without_limits_never_stops() {
        let mut limiter = Limiter::new(Budget::default());
        assert!((0..10_000).all(|_| !limiter.tick()));
    }

    #[test]
    fn expired_time_stops_at_the_next_check() {
        let mut limiter = Limiter::new(Budget::time(Duration::ZERO));
        let first = (1..).find(|_| limiter.tick());
        assert_eq!(first, Some(Limiter::FIRST_CHECK));
    }

    /// The slower the nodes, the fewer between two checks of the clock.
    #[test]
    fn slow_nodes_do_not_outrun_the_clock() {
        let Some(begun) = thread_time() else {
            eprintln!("SKIPPED: this system does not tell processor time");
            return;
        };
        let time = Some(Timer::cpu(Duration::from_millis(20)));
        let mut limiter = Limiter::new(Budget { time, ..Budget::default() });
        let stopped = |node: &u32| {
            while thread_time().unwrap() < begun + Duration::from_millis(1) * *node {}
            limiter.tick()
        };
        let stopped_at = (1..).find(stopped).unwrap();
        assert!(stopped_at <= 16 + 8, "after {stopped_at} ms");
    }

    #[test]
    fn fast_nodes_rarely_read_the_clock() {
        let mut limiter = Limiter::new(Budget::time(Duration::from_secs(60)));
        let mut checks = 0;
        for _ in 0..100_000 {
            let due = limiter.next_check_at;
            limiter.tick();
            checks += u32::from(limiter.next_check_at != due);
        }
        assert!(checks < 2000, "{checks}");
    }

    /// Wall time and CPU time of each check, in milliseconds.
    #[test]
    fn pause_is_wall_time_less_cpu_time() {
        let (begun, ms) = (Instant::now(), Duration::from_millis);
        let mut pauses = Pauses::new(Moment { wall: begun, cpu: Some(ms(7)) });
        let mut longest = |wall, cpu| {
            pauses.update(begun + ms(wall), || Some(ms(cpu)));
            pauses.longest
        };
        assert_eq!(longest(20, 27), ms(0), "no pause");
        assert_eq!(longest(25, 29), ms(3));
        assert_eq!(longest(60, 63), ms(3), "a shorter pause");
        assert_eq!(longest(80, 70), ms(13));
    }

    /// Returns a timer of wall time that began before now.
    fn begun_before(past: Duration, limit: Duration) -> Timer {
        let now = Moment::now();
        Timer::new(TimeKind::Wall, Moment { wall: now.wall - past, ..now }, limit)
    }

    /// A sleeping thread leaves the processor to others.
    #[test]
    fn wall_timer_reserves_time_for_a_pause() {
        let limit = Duration::from_secs(2);
        let mut timer = begun_before(limit * 9 / 10, limit);
        assert!(!timer.expired());
        std::thread::sleep(limit * 4 / 100);
        assert!(timer.expired());
        assert!(timer.remaining() > Duration::ZERO || timer.from.wall.elapsed() > limit);
    }

    #[test]
    fn share_of_a_timer_expires_earlier() {
        let whole = begun_before(Duration::from_millis(400), Duration::from_secs(1));
        assert!((40..90).contains(&whole.percent_spent()), "{}", whole.percent_spent());
        assert!(!whole.share(90).expired());
        assert!(whole.share(40).expired());
        assert!(whole.share(40).percent_spent() >= 100);
    }

    /// A sleeping thread spends no CPU time.
    #[test]
    fn cpu_timer_ignores_sleep() {
        if thread_time().is_none() {
            eprintln!("SKIPPED: this system does not tell processor time");
            return;
        }
        let limit = Duration::from_millis(20);
        let mut timer = Timer::cpu(limit);
        std::thread::sleep(2 * limit);
        assert!(!timer.expired(), "sleeping was counted as work");
        while !timer.expired() {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn share_of_the_remaining_time_keeps_its_kind() {
        let (past, limit) = (Duration::from_secs(60), Duration::from_secs(100));
        let half = begun_before(past, limit).share_of_remaining(50);
        assert_eq!((half.kind, half.limit.as_secs()), (TimeKind::Wall, 19));
        let Some(cpu) = thread_time() else {
            eprintln!("SKIPPED: this system does not tell processor time");
            return;
        };
        let begun = Moment { wall: Instant::now() - past, cpu: Some(cpu) };
        let half = Timer::new(TimeKind::Cpu, begun, limit).share_of_remaining(50);
        assert_eq!((half.kind, half.limit.as_secs()), (TimeKind::Cpu, 49));
    }

    #[test]
    fn timer_without_a_cpu_clock_counts_wall_time() {
        let begun = Moment { wall: Instant::now() - Duration::from_secs(2), cpu: None };
        assert!(Timer::new(TimeKind::Cpu, begun, Duration::from_secs(1)).expired());
    }
}
