//! Health of the machine: how long moves waited for a processor.

use crate::play::record::MoveTime;
use crate::statistics::durations::Durations;
use arbitre_games::clock::{Clock, RemainingTime};
use std::time::Duration;

/// Waits of the moves that have a time limit.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Number of moves.
    pub moves: u64,
    /// Number of moves that waited for more than a tenth of their limit.
    pub disturbed: u64,
    /// Waits of moves that waited.
    waits: Durations,
}

impl Health {
    /// Counts the moves of a game whose players have these clocks, by seat.
    pub fn add(&mut self, times: &[MoveTime], clocks: &[&Clock]) {
        let is_timed = |time: &&MoveTime| clocks[time.seat.index()].is_timed();
        for time in times.iter().filter(is_timed) {
            self.moves += 1;
            if !time.wait.is_zero() {
                self.waits.add(time.wait);
            }
        }
        self.disturbed += disturbed(times, clocks).len() as u64;
    }

    /// Returns the wait that this share of the moves did not exceed.
    pub fn wait(&self, share: f64) -> Duration {
        let (moves, waited) = (self.moves as f64, self.waits.len() as f64);
        // All other moves did not wait.
        let rank = share * moves - (moves - waited);
        let micros = match rank > 0.0 {
            true => self.waits.value_at_quantile((rank / waited).min(1.0)),
            false => 0,
        };
        Duration::from_micros(micros)
    }
}

/// Returns the numbers of the moves that waited for more than a tenth of their limit.
pub fn disturbed(times: &[MoveTime], clocks: &[&Clock]) -> Vec<usize> {
    if times.iter().all(|time| time.wait.is_zero()) {
        return Vec::new();
    }
    let mut remaining: Vec<RemainingTime> =
        clocks.iter().map(|clock| RemainingTime::new(clock)).collect();
    let mut is_disturbed = |time: &MoveTime| {
        let (clock, own) = (clocks[time.seat.index()], &mut remaining[time.seat.index()]);
        let limit = own.limit(clock);
        own.charge(time.spent, clock);
        limit.is_some_and(|limit| time.wait > limit / 10)
    };
    (0..times.len()).filter(|&number| is_disturbed(&times[number])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::game::Seat;

    const MS: Duration = Duration::from_millis(1);

    fn time(seat: usize, wait: Duration) -> MoveTime {
        MoveTime { seat: Seat::new(seat), spent: 40 * MS, wait }
    }

    #[test]
    fn moves_that_waited_a_tenth_of_their_limit_are_disturbed() {
        let timed = Clock::parse("fair first 1000 move 100").unwrap();
        let game_clock = Clock::parse("fair game 200 increment 0").unwrap();
        let clocks = [&timed, &game_clock];
        let times = [
            time(0, 100 * MS),
            time(1, 20 * MS),
            time(0, 10 * MS),
            // 160 ms are left.
            time(1, 17 * MS),
            time(0, 11 * MS),
        ];
        assert_eq!(disturbed(&times, &clocks), [3, 4]);
        let untimed = Clock::parse("depth 3").unwrap();
        assert!(disturbed(&times, &[&untimed, &untimed]).is_empty());
    }

    #[test]
    fn quantiles_are_those_of_all_moves() {
        let clock = Clock::parse("fair move 100").unwrap();
        let mut health = Health::default();
        let waits = (1..=10).map(|wait| time(0, wait * MS));
        let times: Vec<MoveTime> = waits.chain((0..90).map(|_| time(0, Duration::ZERO))).collect();
        health.add(&times, &[&clock]);
        assert_eq!((health.moves, health.disturbed), (100, 0));
        assert_eq!(health.wait(0.5), Duration::ZERO);
        assert!(health.wait(0.95).abs_diff(5 * MS) < MS / 100, "{:?}", health.wait(0.95));
        assert!(health.wait(1.0).abs_diff(10 * MS) < MS / 50);
        assert_eq!(Health::default().wait(0.99), Duration::ZERO);
    }
}
