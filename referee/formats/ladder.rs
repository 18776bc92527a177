//! Ladder: batches of games between the players whose ratings gain most from them.
//!
//! A batch has [`BATCH`] games. Ratings and their covariance are computed from the complete
//! batches, then tables are chosen one after another. A game between two players tells about the
//! difference of their strengths. Let `v` be the variance of that difference, and `p` the
//! probability of a win. The information of the game is about `ln(1 + p (1 - p) v) / 2`. The pair
//! with the greatest `p (1 - p) v` is chosen. The covariance is updated as if the pair had
//! played, so a batch does not pair the same players all the time.
//!
//! With more than two seats, each further seat goes to the player with the greatest sum over the
//! players already at the table.

use crate::formats::error::check_table;
use crate::formats::gain::{fill, spread};
use crate::formats::scores::{rank_by, Scores};
use crate::formats::{Criterion, Format, FormatError, GameCount, History, Meeting, Placing, Stage};
use crate::statistics::plackett_luce::{ratings, Ratings};
use std::collections::BTreeMap;

/// Games of a batch, rounded up to whole rotations of the seats. Not tuned.
pub const BATCH: u64 = 64;

/// Ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Ladder {
    seats: usize,
    max_games: u64,
    max_error: Option<f64>,
}

impl Ladder {
    /// Creates a ladder that ends after `max_games` games, rounded up to whole rotations of the
    /// seats. It ends earlier if the largest rating error of the present players is below
    /// `max_error`, in Elo.
    ///
    /// # Errors
    /// Returns an error if the players do not fill a table of at least two seats.
    pub fn new(
        players: usize,
        seats: usize,
        max_games: u64,
        max_error: Option<f64>,
    ) -> Result<Ladder, FormatError> {
        check_table(players, seats)?;
        Ok(Ladder { seats, max_games, max_error })
    }

    /// Creates the ladder of a room, which begins no stage by itself.
    pub fn without_games(seats: usize) -> Ladder {
        Ladder { seats, max_games: 0, max_error: None }
    }
}

impl Format for Ladder {
    fn next(&self, history: &History) -> Option<Stage> {
        let present = history.present();
        let played: u64 = history.meetings().map(|of| of.meeting.games()).sum();
        if played >= self.max_games || present.len() < self.seats {
            return None;
        }
        let scores = Scores::of(history);
        let ratings = ratings(&scores.rankings, history.players());
        let is_exact =
            |limit: f64| present.iter().all(|&player| ratings.estimates[player].error < limit);
        if played > 0 && self.max_error.is_some_and(is_exact) {
            return None;
        }
        let tables = BATCH.min(self.max_games - played).div_ceil(self.seats as u64);
        let mut gains = Gains::new(ratings, self.seats);
        // A group that is chosen several times plays several rounds.
        let mut groups: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
        for _ in 0..tables {
            *groups.entry(gains.take_table(&present)).or_default() += 1;
        }
        let first_round = history.next_round();
        let meeting = |(players, rounds)| Meeting { players, first_round, rounds };
        Some(Stage { meetings: groups.into_iter().map(meeting).collect(), byes: vec![] })
    }

    /// Ranks by rating; players without a rated game share the last rank.
    fn ranking(&self, history: &History) -> Vec<Placing> {
        let scores = Scores::of(history);
        let players = history.players();
        let estimates = ratings(&scores.rankings, players).estimates;
        let mut is_rated = vec![false; players];
        for (ranking, _) in scores.rankings.iter() {
            ranking.groups().iter().flatten().for_each(|&player| is_rated[player] = true);
        }
        let key = |player: usize| is_rated[player].then(|| in_order(estimates[player].value));
        rank_by(players, key, |player| {
            (scores.half_points[player], vec![Criterion::Rating(estimates[player])])
        })
    }

    fn games(&self, _players: usize) -> GameCount {
        let seats = self.seats as u64;
        // Only the last batch can be shorter, and each batch has whole rotations.
        let full = BATCH.div_ceil(seats) * seats;
        let batches = self.max_games.saturating_sub(1) / full;
        let most =
            batches * full + (self.max_games - batches * full).min(BATCH).div_ceil(seats) * seats;
        let least = if self.max_error.is_some() { full.min(most) } else { most };
        GameCount { least, most }
    }
}

/// Returns a number in the order of [`f64::total_cmp`].
fn in_order(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    // The greater the bits of a negative number, the smaller it is.
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// Ratings as they would be after the games of the current batch. All numbers are in logits.
struct Gains {
    strengths: Vec<f64>,
    covariance: Vec<Vec<f64>>,
    seats: usize,
}

impl Gains {
    fn new(ratings: Ratings, seats: usize) -> Gains {
        let (strengths, covariance) = ratings.into_logits();
        Gains { strengths, covariance, seats }
    }

    /// Returns the variance of a result between two players, `p (1 - p)`.
    fn spread(&self, one: usize, other: usize) -> f64 {
        spread(self.strengths[one] - self.strengths[other])
    }

    /// Returns the variance of the difference of two strengths.
    fn variance(&self, one: usize, other: usize) -> f64 {
        let at = |i: usize, j: usize| self.covariance[i][j];
        at(one, one) + at(other, other) - 2.0 * at(one, other)
    }

    /// Returns the value by which pairs are chosen.
    fn gain(&self, one: usize, other: usize) -> f64 {
        self.spread(one, other) * self.variance(one, other)
    }

    /// Chooses the players of a table and counts its games. The players are in ascending order.
    fn take_table(&mut self, present: &[usize]) -> Vec<usize> {
        let pairs = present
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| present[place + 1..].iter().map(move |&other| (one, other)));
        let best = first_greatest(pairs, |&(one, other)| self.gain(one, other));
        let mut table: Vec<usize> = best.map(|(one, other)| vec![one, other]).unwrap_or_default();
        fill(&mut table, present, self.seats, 1.0, |one, other| self.gain(one, other));
        for (place, &one) in table.iter().enumerate() {
            table[place + 1..].iter().for_each(|&other| self.count(one, other));
        }
        table
    }

    /// Updates the covariance as if two players had met in a round, by the formula of Sherman and
    /// Morrison for the inverse of the information.
    fn count(&mut self, one: usize, other: usize) {
        let information = self.spread(one, other) * self.seats as f64;
        let factor = information / (1.0 + information * self.variance(one, other));
        let column: Vec<f64> = self.covariance.iter().map(|row| row[one] - row[other]).collect();
        for (row, of_row) in self.covariance.iter_mut().zip(&column) {
            row.iter_mut().zip(&column).for_each(|(entry, x)| *entry -= factor * of_row * x);
        }
    }
}

/// Returns the first item with the greatest value.
fn first_greatest<T>(items: impl Iterator<Item = T>, value: impl Fn(&T) -> f64) -> Option<T> {
    let mut best: Option<(f64, T)> = None;
    for item in items {
        let of_item = value(&item);
        if best.as_ref().is_none_or(|(greatest, _)| of_item > *greatest) {
            best = Some((of_item, item));
        }
    }
    best.map(|(_, item)| item)
}
