//! Solo games: all players play the same instances, each alone, and each instance ranks them all.
//!
//! An instance is a round of the schedule, and counts once all players have played it that take
//! part. A player that did not reach the end, by a fault or by the rules, ranks below all that did.
//! Equal scores share a rank: time is shown, but does not count as strength.

use crate::play::record::GameResult;
use arbitre_games::game::{places, Outcome};
use std::cmp::Reverse;
use std::collections::BTreeMap;
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
#[derive(Clone, Debug, Default)]
pub struct SoloTally {
    /// Counts of each player.
    pub players: Vec<SoloCounts>,
    lower_is_better: bool,
    /// Attempts by round and player, for rounds that are not complete.
    waiting: BTreeMap<u64, Vec<Option<Attempt>>>,
    /// Whether each player takes part no more, so that no instance waits for it.
    absent: Vec<bool>,
}

/// Players that an instance ranks, in ascending order, and their ranks from 1.
pub type InstanceRanks = (Vec<usize>, Vec<usize>);

impl SoloTally {
    /// Creates an empty tally.
    pub fn new(players: usize) -> SoloTally {
        let (absent, players) = (vec![false; players], vec![SoloCounts::default(); players]);
        SoloTally { players, absent, ..SoloTally::default() }
    }

    /// Counts a solo game. Returns the ranks of the players if it was the last game of its
    /// instance.
    pub fn add(&mut self, game: &GameResult, outcome: &Outcome) -> Option<InstanceRanks> {
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
        self.waiting.entry(round).or_insert(none)[player] = Some(attempt);
        self.complete(round)
    }

    /// Takes note that a player takes part no more. Returns the ranks on the instances that waited
    /// for it alone.
    pub fn miss(&mut self, player: usize) -> Vec<InstanceRanks> {
        self.absent[player] = true;
        let rounds: Vec<u64> = self.waiting.keys().copied().collect();
        rounds.into_iter().filter_map(|round| self.complete(round)).collect()
    }

    /// Returns the ranks on an instance unless it waits for a player.
    fn complete(&mut self, round: u64) -> Option<InstanceRanks> {
        let attempts = self.waiting.get(&round)?;
        if attempts.iter().zip(&self.absent).any(|(attempt, absent)| attempt.is_none() && !absent) {
            return None;
        }
        let attempts = self.waiting.remove(&round)?;
        self.compare(&attempts);
        let numbered = attempts.into_iter().enumerate();
        let made = numbered.filter_map(|(player, attempt)| Some((player, attempt?)));
        let (players, attempts): (Vec<usize>, Vec<Attempt>) = made.unzip();
        Some((players, self.ranks(&attempts)))
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

    fn compare(&mut self, attempts: &[Option<Attempt>]) {
        let score = |attempt: &Option<Attempt>| attempt.and_then(|attempt| attempt.score);
        for (counts, attempt) in self.players.iter_mut().zip(attempts).skip(1) {
            if let (Some(mine), Some(first)) = (score(attempt), score(&attempts[0])) {
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
