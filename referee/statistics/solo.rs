//! Solo games: everyone plays the same instances, each alone, and an instance ranks them all.
//!
//! An instance is a round of the schedule, and counts once everyone has played it. Who did not come to its
//! end, by a fault or by the rules, is behind everyone who did. Equal scores share a rank: time is shown, and
//! is no strength.

use crate::play::record::Record;
use arbitre_games::game::{places, Outcome};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

/// What a player made of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// The score; none if it did not come to the end.
    pub score: Option<i64>,
    /// The time of all its answers.
    pub spent: Duration,
}

impl Attempt {
    /// What a game of one came to.
    pub fn new(outcome: &Outcome, record: &Record) -> Attempt {
        let score = outcome.out.is_empty().then_some(outcome.scores[0]);
        let spent = record.played.plies.iter().map(|ply| ply.spent).sum();
        Attempt { score, spent }
    }
}

/// What players are compared by, less being better: first who came to more ends, then who has the better
/// total.
pub fn standing(solved: u64, total: i64, lower_is_better: bool) -> (Reverse<u64>, i64) {
    (Reverse(solved), if lower_is_better { total } else { -total })
}

/// What is counted for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SoloCounts {
    /// Instances that it came to the end of.
    pub solved: u64,
    /// The scores of these, added up.
    pub total: i64,
    /// The time of all its answers.
    pub spent: Duration,
    /// Its scores less those of the first player, where both came to the end.
    pub to_first: Differences,
}

/// Differences of scores, as counts that do not depend on the order in which they came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Differences {
    count: u64,
    sum: i64,
    squares: i64,
}

impl Differences {
    /// Counts one.
    pub fn add(&mut self, difference: i64) {
        self.count += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    /// The mean and half the width of its 95 % interval; nothing of fewer than two.
    pub fn mean(&self) -> Option<(f64, f64)> {
        let (count, sum) = (self.count as f64, self.sum as f64);
        let variance = (self.squares as f64 - sum * sum / count) / (count - 1.0);
        let error = crate::statistics::rating::Z * (variance.max(0.0) / count).sqrt();
        (self.count > 1).then_some((sum / count, error))
    }
}

/// The instances of a match, and what they count for its players.
#[derive(Clone, Debug)]
pub struct SoloTally {
    /// By player.
    pub players: Vec<SoloCounts>,
    lower_is_better: bool,
    /// By round: what came in so far, by player.
    waiting: HashMap<u64, Vec<Option<Attempt>>>,
}

impl SoloTally {
    /// Nothing counted yet.
    pub fn new(players: usize) -> SoloTally {
        let (players, waiting) = (vec![SoloCounts::default(); players], HashMap::new());
        SoloTally { players, lower_is_better: false, waiting }
    }

    /// Counts a game of one. Returns the ranks of all players, counted from 1, if it was the last one of its
    /// instance.
    pub fn add(&mut self, record: &Record, outcome: &Outcome) -> Option<Vec<usize>> {
        let (player, round) = (record.pairing.players[0], record.pairing.round);
        let attempt = Attempt::new(outcome, record);
        self.lower_is_better = outcome.lower_is_better;
        let counts = &mut self.players[player];
        counts.solved += u64::from(attempt.score.is_some());
        counts.total += attempt.score.unwrap_or(0);
        counts.spent += attempt.spent;
        let none = vec![None; self.players.len()];
        let attempts = self.waiting.entry(round).or_insert(none);
        attempts[player] = Some(attempt);
        let attempts: Vec<Attempt> = attempts.iter().copied().collect::<Option<_>>()?;
        self.waiting.remove(&round);
        self.compare(&attempts);
        Some(self.ranks(&attempts))
    }

    /// Equal scores share a rank, and leave out those behind it.
    fn ranks(&self, attempts: &[Attempt]) -> Vec<usize> {
        let sign = if self.lower_is_better { -1 } else { 1 };
        let standings: Vec<Option<i64>> =
            attempts.iter().map(|attempt| attempt.score.map(|score| sign * score)).collect();
        places(&standings).into_iter().map(|place| place + 1).collect()
    }

    fn compare(&mut self, attempts: &[Attempt]) {
        for (counts, attempt) in self.players.iter_mut().zip(attempts).skip(1) {
            if let (Some(mine), Some(first)) = (attempt.score, attempts[0].score) {
                counts.to_first.add(mine - first);
            }
        }
    }

    /// The places of the players when ties are broken, counted from 1: first who came to more ends, then who
    /// has the better total, then who took less time.
    pub fn places(&self) -> Vec<usize> {
        let standing = |counts: &SoloCounts| {
            Reverse((standing(counts.solved, counts.total, self.lower_is_better), counts.spent))
        };
        let standings: Vec<_> = self.players.iter().map(standing).collect();
        places(&standings).into_iter().map(|place| place + 1).collect()
    }
}
