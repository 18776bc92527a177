//! Search depths under a game clock, by the rules of the IFIPS report. The module has no clock of
//! its own: times are arguments, so tests need not wait.

use std::time::Duration;

/// Search depths for this machine, in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    /// Depth in the last part of the clock.
    pub degraded: u32,
    /// Depth of the first search of a game.
    pub starting: u32,
}

impl Depths {
    /// Returns the depth at which the calibration ended.
    pub fn calibrated_at(&self) -> u32 {
        self.degraded - 2
    }

    /// Duration beyond which a search ends the calibration, or a tenth of the initialisation if
    /// that is less.
    const LONG: Duration = Duration::from_secs(1);

    /// Searches the initial board with increasing depth until a search takes long. `search` gets
    /// the depth and the time after which to stop, and returns the time taken.
    ///
    /// All searches together take at most half of `init`, if they respect that time.
    pub fn calibrate(init: Duration, mut search: impl FnMut(u32, Duration) -> Duration) -> Depths {
        let (long, mut left) = (Depths::LONG.min(init / 10), init / 2);
        let mut depth = 0;
        loop {
            depth += 1;
            let took = search(depth, left);
            left = left.saturating_sub(took);
            if took > long || left.is_zero() {
                return Depths { degraded: depth + 2, starting: depth + 4 };
            }
        }
    }
}

/// Limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// Depth in plies.
    pub depth: u32,
    /// Time after which a search is stopped.
    pub time: Duration,
}

/// Time management of one game.
#[derive(Clone, Debug)]
pub struct TimeManager {
    depths: Depths,
    /// The clock goes into its last part here.
    last_part: Duration,
    /// What is never spent on searching: answers take time beyond their search.
    reserve: Duration,
    /// The depth of the last search outside that part.
    depth: u32,
    /// What the clock would show now if that search, the move before this one, had taken no time.
    before: Option<Duration>,
}

impl TimeManager {
    /// Creates the time management of a game with an initial clock of `clock`.
    ///
    /// The reserve is 50 ms, half a millisecond for each of a hundred answers, or a quarter of a
    /// clock below 200 ms.
    pub fn new(depths: Depths, clock: Duration) -> TimeManager {
        let last_part = (clock / 10).min(Duration::from_secs(60));
        let reserve = (clock / 4).min(Duration::from_millis(50));
        TimeManager { depths, last_part, reserve, depth: depths.starting, before: None }
    }

    /// Returns the limits of the next search, with `remaining` on the clock and `increment` added
    /// after the move.
    ///
    /// The time of the previous move is what the clock has lost since, as the clock must not run
    /// out. The formula settles at searches of a thirtieth to a tenth of the clock. Sixty moves
    /// must fit into its last part. The time limit lies above both.
    pub fn search(&mut self, remaining: Duration, increment: Duration) -> Allowance {
        if let Some(before) = self.before.take() {
            self.depth = adapted(self.depth, before.saturating_sub(remaining), remaining);
        }
        let spendable = remaining.saturating_sub(self.reserve);
        if remaining <= self.last_part {
            return Allowance { depth: self.depths.degraded, time: spendable / 20 };
        }
        self.before = Some(remaining + increment);
        Allowance { depth: self.depth, time: spendable / 5 }
    }

    /// Records a move without a search, whose time says nothing about searches.
    pub fn rest(&mut self) {
        self.before = None;
    }
}

/// The depth after one of `depth` took the time `previous`, when `remaining` is left:
/// `depth + floor(1.5 - 15 previous / remaining)`, and 1 at least.
///
/// In nanoseconds, so that it is exact.
fn adapted(depth: u32, previous: Duration, remaining: Duration) -> u32 {
    let (previous, remaining) = (previous.as_nanos() as i128, remaining.as_nanos() as i128);
    if remaining == 0 {
        return 1;
    }
    let change = (3 * remaining - 30 * previous).div_euclid(2 * remaining);
    (i128::from(depth) + change).clamp(1, u32::MAX.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// By hand. The floor is a true one: 1.5 - 1.65 is -0.15, and its floor -1.
    #[test]
    fn the_depth_follows_the_formula() {
        let cases = [
            (12, 0.0, 100.0, 13),
            (12, 3.3, 100.0, 13),
            (12, 10.0, 300.0, 13),
            (12, 3.34, 100.0, 12),
            (12, 10.0, 100.0, 12),
            (12, 10.001, 100.0, 11),
            (12, 11.0, 100.0, 11),
            (12, 20.0, 120.0, 11),
            (12, 17.0, 100.0, 10),
            (12, 50.0, 50.0, 12 - 14),
            (14, 50.0, 50.0, 14 - 14),
            (20, 50.0, 50.0, 20 - 14),
            (2, 30.0, 100.0, 2 - 3),
            (7, 1.0, 0.0, 1),
        ];
        for (depth, previous, remaining, expected) in cases {
            let found = adapted(depth, seconds(previous), seconds(remaining));
            assert_eq!(i64::from(found), expected.max(1), "{depth} {previous} {remaining}");
        }
    }

    /// A machine on which each ply costs three times the last; it gives up when told to.
    fn machine(
        first: Duration,
        depths: &mut Vec<u32>,
    ) -> impl FnMut(u32, Duration) -> Duration + '_ {
        move |depth, limit| {
            depths.push(depth);
            (first * 3u32.pow(depth - 1)).min(limit)
        }
    }

    #[test]
    fn calibration_ends_at_the_first_long_search() {
        // 3^6 ms is below a second and 3^7 ms above: depth 8.
        let mut tried = Vec::new();
        let depths = Depths::calibrate(seconds(60.0), machine(seconds(0.001), &mut tried));
        assert_eq!(depths, Depths { degraded: 10, starting: 12 });
        assert!(tried.into_iter().eq(1..=8));
        // A tenth of a second of initialisation: 27 ms is above 10 ms, 9 ms is not.
        let depths = Depths::calibrate(seconds(0.1), machine(seconds(0.001), &mut Vec::new()));
        assert_eq!(depths, Depths { degraded: 6, starting: 8 });
        // Exactly a second is not over a second.
        let depths = Depths::calibrate(seconds(60.0), machine(seconds(1.0), &mut Vec::new()));
        assert_eq!(depths, Depths { degraded: 4, starting: 6 });
    }

    /// Whatever the machine, half of the initialisation is left.
    #[test]
    fn calibration_stays_within_the_initialisation() {
        let init = seconds(10.0);
        for first in [0.000_01, 0.001, 0.3, 1.0, 2.0, 40.0] {
            let (mut spent, mut depths) = (Duration::ZERO, Vec::new());
            let mut search = machine(seconds(first), &mut depths);
            Depths::calibrate(init, |depth, limit| {
                let took = search(depth, limit);
                spent += took;
                took
            });
            assert!(spent <= init / 2, "{spent:?} from {first}");
        }
        // Searches that get no longer end too.
        let mut searches = 0;
        Depths::calibrate(init, |_, _| {
            searches += 1;
            seconds(0.5)
        });
        assert_eq!(searches, 10);
    }

    const DEPTHS: Depths = Depths { degraded: 10, starting: 12 };

    fn depth(pace: &mut TimeManager, remaining: f64) -> u32 {
        pace.search(seconds(remaining), Duration::ZERO).depth
    }

    #[test]
    fn only_what_a_search_took_changes_the_depth() {
        let mut pace = TimeManager::new(DEPTHS, seconds(600.0));
        assert_eq!(depth(&mut pace, 600.0), 12, "the first search");
        assert_eq!(depth(&mut pace, 599.0), 13, "after a short one");
        assert_eq!(depth(&mut pace, 499.0), 11, "after 100 of 499 seconds, -1.5");
        pace.rest();
        assert_eq!(depth(&mut pace, 498.0), 11, "after a move without a search");
        assert_eq!(depth(&mut pace, 497.0), 12);
    }

    /// What the clock gains is not time that was saved.
    #[test]
    fn an_increment_is_not_mistaken_for_speed() {
        let mut pace = TimeManager::new(DEPTHS, seconds(100.0));
        let gain = seconds(20.0);
        assert_eq!(pace.search(seconds(100.0), gain).depth, 12);
        // 30 of 90 seconds: floor(1.5 - 5) = -4.
        assert_eq!(pace.search(seconds(90.0), gain).depth, 8);
    }

    /// The last minute of a long clock, the last tenth of a short one.
    #[test]
    fn the_degraded_mode_begins_in_the_last_part() {
        for (clock, last) in [(1200.0, 60.0), (600.0, 60.0), (100.0, 10.0)] {
            let mut pace = TimeManager::new(DEPTHS, seconds(clock));
            assert_eq!(depth(&mut pace, last + 0.001), 12, "{clock}");
            assert_eq!(depth(&mut pace, last), 10, "{clock}");
            assert_eq!(depth(&mut pace, last - 1.0), 10, "{clock}");
            // An increment may lead out of it again: the depth is the one from before it, as the
            // searches in it say nothing about that depth.
            assert_eq!(depth(&mut pace, last + 1.0), 13, "{clock}");
        }
    }

    /// A fifth of what is beyond the reserve, a twentieth in the last part, nothing of the reserve.
    #[test]
    fn the_safe_stop_leaves_room_for_more_moves() {
        let mut pace = TimeManager::new(DEPTHS, seconds(600.0));
        let mut stop = |remaining| pace.search(seconds(remaining), Duration::ZERO).time;
        assert_eq!(stop(300.05), seconds(60.0));
        assert_eq!(stop(40.05), seconds(2.0));
        assert_eq!(stop(0.04), Duration::ZERO);
        let short = TimeManager::new(DEPTHS, seconds(0.1)).search(seconds(0.1), Duration::ZERO);
        assert_eq!(short.time, seconds(0.015));
    }

    /// A hundred moves, each of which costs what chance says, on clocks of all lengths; whatever
    /// is searched too long is stopped, and every answer takes a little more than its search.
    #[test]
    fn a_simulated_clock_is_never_overrun() {
        let overhead = Duration::from_micros(200);
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let whole = Duration::from_millis(100 << rng.below(14));
            let first = Duration::from_nanos(1 << rng.below(30));
            let depths = Depths { degraded: rng.below(40) as u32, starting: rng.below(40) as u32 };
            let mut pace = TimeManager::new(depths, whole);
            let mut clock = whole;
            for ply in 0..100 {
                let allowance = pace.search(clock, Duration::ZERO);
                let growth = 2u32.saturating_pow(allowance.depth.min(31));
                let cost = first.saturating_mul(growth) * rng.below(8) as u32;
                let spent = cost.min(allowance.time) + overhead;
                assert!(spent < clock, "seed {seed} ply {ply}: {spent:?} of {clock:?} {pace:?}");
                clock -= spent;
            }
        }
    }
}
