//! Solo games: all players play the same instances, each alone, and each instance ranks them all.
//!
//! An instance is a round of the schedule, and counts once all players have played it. A player
//! that did not reach the end, by a fault or by the rules, ranks below all that did. Equal scores
//! share a rank: time is shown, but does not count as strength.

use crate::play::record::GameResult;
use arbitre_games::game::{places, Outcome};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

/// Result of a player on an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Score; none if the player did not reach the end.
    pub score: Option<i64>,
    /// Total time of its answers, with the CPU time of its start.
    pub spent: Duration,
}

impl Attempt {
    /// Creates the attempt with this outcome.
    pub fn new(outcome: &Outcome, spent: Duration) -> Attempt {
        Attempt { score: outcome.out.is_empty().then_some(outcome.scores[0]), spent }
    }
}

/// Returns the key by which players are compared, smaller being better: the number of solved
/// instances, then the total score.
pub fn standing(solved: u64, total: i64, lower_is_better: bool) -> (Reverse<u64>, i64) {
    (Reverse(solved), if lower_is_better { total } else { total.saturating_neg() })
}

/// Counts of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SoloCounts {
    /// Number of instances played to the end.
    pub solved: u64,
    /// Sum of the scores of these instances.
    pub total: i64,
    /// Total time of its answers, with the CPU time of its starts.
    pub spent: Duration,
    /// Differences of its scores from those of the first player, where both reached the end.
    pub to_first: Differences,
}

/// Differences of scores, as sums that do not depend on their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    count: u64,
    sum: i64,
    squares: i64,
}

impl Differences {
    /// Counts one difference.
    pub fn add(&mut self, difference: i64) {
        self.count += 1;
        self.sum = self.sum.saturating_add(difference);
        self.squares = self.squares.saturating_add(difference.saturating_mul(difference));
    }

    /// Returns the mean and half the width of its 95 % interval, or `None` for fewer than two
    /// values.
    pub fn mean(&self) -> Option<(f64, f64)> {
        let (count, sum) = (self.count as f64, self.sum as f64);
        let variance = (self.squares as f64 - sum * sum / count) / (count - 1.0);
        let error = crate::statistics::rating::Z * (variance.max(0.0) / count).sqrt();
        (self.count > 1).then_some((sum / count, error))
    }
}

/// Counts of all players over the instances of a match.
#[derive(Clone, Debug)]
pub struct SoloTally {
    /// Counts of each player.
    pub players: Vec<SoloCounts>,
    lower_is_better: bool,
    /// Attempts by round and player, for rounds that are not complete.
    waiting: HashMap<u64, Vec<Option<Attempt>>>,
}

impl SoloTally {
    /// Creates an empty tally.
    pub fn new(players: usize) -> SoloTally {
        let (players, waiting) = (vec![SoloCounts::default(); players], HashMap::new());
        SoloTally { players, lower_is_better: false, waiting }
    }

    /// Counts a solo game. Returns the ranks of all players, counted from 1, if it was the last
    /// game of its instance.
    pub fn add(&mut self, game: &GameResult, outcome: &Outcome) -> Option<Vec<usize>> {
        let (player, round) = (game.players[0], game.round);
        // Else a player could think before its first move.
        let spent = game.times[0].total.saturating_add(game.times[0].uncharged.init);
        let attempt = Attempt::new(outcome, spent);
        self.lower_is_better = outcome.lower_is_better;
        let counts = &mut self.players[player];
        counts.solved += u64::from(attempt.score.is_some());
        counts.total = counts.total.saturating_add(attempt.score.unwrap_or(0));
        counts.spent = counts.spent.saturating_add(attempt.spent);
        let none = vec![None; self.players.len()];
        let attempts = self.waiting.entry(round).or_insert(none);
        attempts[player] = Some(attempt);
        let attempts: Vec<Attempt> = attempts.iter().copied().collect::<Option<_>>()?;
        self.waiting.remove(&round);
        self.compare(&attempts);
        Some(self.ranks(&attempts))
    }

    /// Returns the ranks by score, counted from 1. A shared rank skips those behind it.
    fn ranks(&self, attempts: &[Attempt]) -> Vec<usize> {
        let sign = if self.lower_is_better { -1 } else { 1 };
        let standings: Vec<Option<i64>> = attempts
            .iter()
            .map(|attempt| attempt.score.map(|score| score.saturating_mul(sign)))
            .collect();
        places(&standings).into_iter().map(|place| place + 1).collect()
    }

    fn compare(&mut self, attempts: &[Attempt]) {
        for (counts, attempt) in self.players.iter_mut().zip(attempts).skip(1) {
            if let (Some(mine), Some(first)) = (attempt.score, attempts[0].score) {
                counts.to_first.add(mine.saturating_sub(first));
            }
        }
    }

    /// Returns the places of the players with ties broken, counted from 1. The order is by solved
    /// instances, then total score, then time.
    pub fn places(&self) -> Vec<usize> {
        let standing = |counts: &SoloCounts| {
            Reverse((standing(counts.solved, counts.total, self.lower_is_better), counts.spent))
        };
        let standings: Vec<_> = self.players.iter().map(standing).collect();
        places(&standings).into_iter().map(|place| place + 1).collect()
    }
}
