//! Pace under a game clock: easy moves are played early, and unstable ones get more time.

use arbitre_games::games::awele::Pit;
use arbitre_games::search::budget::{GameClock, Timer};
use std::time::Duration;

/// Part of the remaining time that an ordinary move gets: one in this number. A game has some fifty
/// moves of each side, and their number falls as the clock does. Not tuned.
const PART: u32 = 25;
/// Largest multiple of that time that an unstable move gets. Not tuned.
const LONGEST: u32 = 4;
/// Time that is never spent on searches, as an answer takes longer than its search: half a
/// millisecond for each of a hundred answers.
const RESERVE: Duration = Duration::from_millis(50);
/// Iterations without a change of the best move after which a move is easy.
const EASY: u32 = 6;
/// Loss of value in an iteration that is worth more time, in hundredths of a unit of log-odds.
const DROP: i32 = 30;

/// Pace of a move.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    clock: GameClock,
    ordinary: Duration,
    best: Option<Pit>,
    /// Iterations since the best move changed.
    stable: u32,
    value: i32,
}

impl Pace {
    /// Creates the pace of a move on this clock.
    pub fn new(clock: GameClock) -> Pace {
        let spendable = clock.remaining.saturating_sub(RESERVE.min(clock.remaining / 4));
        let ordinary = (spendable / PART + clock.increment * 3 / 4).min(spendable / 4);
        Pace { clock, ordinary, best: None, stable: 0, value: 0 }
    }

    /// Returns the timer that ends the search in any case.
    pub fn timer(&self) -> Timer {
        let spendable = self.clock.remaining.saturating_sub(RESERVE.min(self.clock.remaining / 4));
        self.clock.stop_after((self.ordinary * LONGEST).min(spendable / 3))
    }

    /// Returns `true` if no further iteration should begin after one that found this.
    pub fn is_enough(&mut self, best: Pit, value: i32) -> bool {
        let elapsed = self.clock.asked.elapsed(self.clock.kind);
        elapsed >= self.share(best, value)
    }

    /// Returns the time after which no iteration begins.
    fn share(&mut self, best: Pit, value: i32) -> Duration {
        self.stable = if self.best == Some(best) { self.stable + 1 } else { 0 };
        let drops = self.best.is_some() && value < self.value - DROP;
        (self.best, self.value) = (Some(best), value);
        // An iteration takes about as long as all before it, so half of the time is enough.
        let percent = match self.stable {
            _ if drops => 180,
            0 => 140,
            1..EASY => 60,
            _ => 30,
        };
        self.ordinary * percent / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::search::cpu_time::{Moment, TimeKind};

    fn pace(remaining: u64, increment: u64) -> Pace {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        let (asked, kind) = (Moment::now(), TimeKind::Wall);
        Pace::new(GameClock { remaining, increment, per_move: None, asked, kind })
    }

    #[test]
    fn unstable_moves_get_more_time() {
        let mut pace = pace(100_050, 0);
        let [one, other] = [0, 1].map(|pit| Pit::new(pit).unwrap());
        let mut share = |best, value| pace.share(best, value).as_millis();
        assert_eq!(share(one, 10), 5_600);
        assert_eq!(
            (1..8).map(|_| share(one, 10)).collect::<Vec<_>>(),
            [2_400, 2_400, 2_400, 2_400, 2_400, 1_200, 1_200]
        );
        assert_eq!(share(one, -21), 7_200, "the value dropped");
        assert_eq!(share(other, -21), 5_600, "the best move changed");
    }

    #[test]
    fn a_clock_lasts_for_any_number_of_moves() {
        for increment in [0, 100] {
            let mut remaining = 2_000;
            for _ in 0..500 {
                let limit = pace(remaining, increment).timer().limit().as_millis() as u64;
                assert!(limit < remaining, "{limit} of {remaining}");
                remaining = remaining - limit + increment;
            }
            assert!(remaining > 0);
        }
    }
}
