//! Ratings of players from the rankings of their games, by the model of Plackett and Luce. For two
//! players it is the model of Bradley and Terry, and so Elo.
//!
//! A player of strength `s`, in logits, has the weight `exp(s)`. The first place is drawn by
//! weight, then the second among the remaining players, and so on. A shared rank counts as the
//! average over every order of the tied players, by Efron's approximation: while `m` of a tied
//! group of `g` remain, the group has `m/g` of its weight. For two players that is half a win each.
//!
//! The prior is one virtual draw of each player against a player of strength 0. It is weak: 100
//! games outweigh it. Every rating is finite, and no single game makes it jump.
//! The most probable strengths are found by Newton's method, as the posterior is concave.
//!
//! Errors follow from the Fisher information. They assume that games are independent and that
//! shared ranks are chance. Where games of one start are alike, or ranks are often shared, errors
//! are rather too wide.
//!
//! Sources: D. Hunter, MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32,
//! 2004; B. Efron, The efficiency of Cox's likelihood function for censored data, JASA 72, 1977.

use crate::statistics::ranking::{Ranking, Rankings};
use crate::statistics::rating::{Estimate, Z};
use std::collections::BTreeMap;
use std::f64::consts::LN_10;

/// Elo per logit.
pub const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Number of virtual draws of each player.
const VIRTUAL_DRAWS: f64 = 1.0;
/// Limit on steps of Newton's method, which needs a handful. Not tuned.
const NEWTON_STEPS: usize = 200;
/// Step in logits below which a search ends, far below the last digit shown.
const CLOSE: f64 = 1e-9;

/// Ratings of a field, with what is known of their differences.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Rating of each player with the half width of its 95 % interval, in Elo above the mean of the
    /// players that have games. A player without games has the mean and the error of the prior.
    pub estimates: Vec<Estimate>,
    logits: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// Returns the strengths in logits and their covariance.
    pub(crate) fn into_logits(self) -> (Vec<f64>, Vec<Vec<f64>>) {
        (self.logits, self.covariance)
    }

    /// Returns the probability that a player is stronger than another.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        let at = |i: usize, j: usize| self.covariance[i][j];
        let variance = at(one, one) + at(other, other) - 2.0 * at(one, other);
        let difference = self.logits[one] - self.logits[other];
        // A player is as strong as itself.
        if variance <= 0.0 {
            return 0.5;
        }
        (1.0 + libm::erf(difference / (2.0 * variance).sqrt())) / 2.0
    }
}

/// Returns the ratings of `players` players. The order of the games does not matter.
pub fn ratings(rankings: &Rankings, players: usize) -> Ratings {
    let choices = Choices::of(rankings, players);
    let (logits, covariance) = choices.newton();
    let field: Vec<usize> = (0..players).filter(|&player| choices.has_games[player]).collect();
    let mean_of = |value: &dyn Fn(usize) -> f64| {
        field.iter().map(|&i| value(i)).sum::<f64>() / field.len().max(1) as f64
    };
    let mean = mean_of(&|i| logits[i]);
    let mean_variance = mean_of(&|i| mean_of(&|j| covariance[i][j]));
    let rating = |i: usize| {
        let (logit, variance) = match choices.has_games[i] {
            true => {
                let shared = mean_of(&|j| covariance[i][j]);
                (logits[i] - mean, covariance[i][i] - 2.0 * shared + mean_variance)
            }
            false => (0.0, covariance[i][i]),
        };
        let error = Z * ELO_PER_LOGIT * variance.max(0.0).sqrt();
        Estimate { value: ELO_PER_LOGIT * logit, error }
    };
    Ratings { estimates: (0..players).map(rating).collect(), logits, covariance }
}

/// Set of players from which one is chosen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ChoiceSet {
    /// Players that remain, in ascending order.
    whole: Vec<usize>,
    /// Players of a tied group, of which `remaining` remain.
    tied: Vec<usize>,
    remaining: usize,
}

/// Counts of the games that determine the likelihood: how often each player was chosen, and from
/// which sets one was chosen. Shared ranks make the first counts fractions.
struct Choices {
    chosen: Vec<f64>,
    sets: BTreeMap<ChoiceSet, u64>,
    has_games: Vec<bool>,
}

impl ChoiceSet {
    /// Returns the players with their shares of their weights.
    fn shares(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let share = self.remaining as f64 / self.tied.len().max(1) as f64;
        let tied = self.tied.iter().map(move |&player| (player, share));
        self.whole.iter().map(|&player| (player, 1.0)).chain(tied)
    }

    /// Returns each player's chance to be chosen.
    fn chances(&self, logits: &[f64]) -> Vec<(usize, f64)> {
        // Relative to the largest, as weights of very different players overflow.
        let top = self.shares().map(|(i, _)| logits[i]).fold(f64::NEG_INFINITY, f64::max);
        let weight = |(i, share): (usize, f64)| (i, share * (logits[i] - top).exp());
        let weights: Vec<(usize, f64)> = self.shares().map(weight).collect();
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.into_iter().map(|(i, weight)| (i, weight / sum)).collect()
    }
}

impl Choices {
    fn of(rankings: &Rankings, players: usize) -> Choices {
        let (chosen, has_games) = (vec![0.0; players], vec![false; players]);
        let mut choices = Choices { chosen, sets: BTreeMap::new(), has_games };
        rankings.iter().for_each(|(ranking, count)| choices.add(ranking, count));
        choices
    }

    fn add(&mut self, ranking: &Ranking, count: u64) {
        let mut behind: Vec<usize> = Vec::new();
        for group in ranking.groups().iter().rev() {
            // The last player is not chosen. In a tied last group, each player is last equally
            // often.
            let chosen = if behind.is_empty() { 1.0 - 1.0 / group.len() as f64 } else { 1.0 };
            for &player in group {
                self.chosen[player] += count as f64 * chosen;
                self.has_games[player] = true;
            }
            // A choice from a set of one says nothing.
            let fewest = if behind.is_empty() { 2 } else { 1 };
            for remaining in fewest..=group.len() {
                let is_whole = remaining == group.len();
                let (mut whole, tied) = match is_whole {
                    true => ([&behind[..], group].concat(), Vec::new()),
                    false => (behind.clone(), group.clone()),
                };
                whole.sort_unstable();
                let remaining = if is_whole { 0 } else { remaining };
                *self.sets.entry(ChoiceSet { whole, tied, remaining }).or_default() += count;
            }
            behind.extend(group);
        }
    }

    /// Returns the most probable strengths and their covariance. Within a logit the curvature of
    /// the posterior changes by a bounded factor, so steps of at most one logit make progress.
    fn newton(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut logits = vec![0.0; self.chosen.len()];
        for _ in 1..NEWTON_STEPS {
            let (gradient, information) = self.slope(&logits);
            let covariance = inverse(information);
            let step: Vec<f64> = covariance
                .iter()
                .map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum())
                .collect();
            let length = largest(step.iter().copied());
            let pace = 1.0 / length.max(1.0);
            logits.iter_mut().zip(&step).for_each(|(x, dx)| *x += pace * dx);
            if length < CLOSE {
                break;
            }
        }
        let (_, information) = self.slope(&logits);
        (logits, inverse(information))
    }

    /// Returns the gradient of the log-posterior and the information, its negative second
    /// derivatives.
    fn slope(&self, logits: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut gradient = self.chosen.clone();
        let mut information = vec![vec![0.0; logits.len()]; logits.len()];
        for (set, &count) in &self.sets {
            let chances = set.chances(logits);
            for &(i, chance) in &chances {
                gradient[i] -= count as f64 * chance;
                information[i][i] += count as f64 * chance;
                for &(j, other) in &chances {
                    information[i][j] -= count as f64 * chance * other;
                }
            }
        }
        for (i, logit) in logits.iter().enumerate() {
            let chance = 1.0 / (1.0 + (-logit).exp());
            gradient[i] += VIRTUAL_DRAWS * (0.5 - chance);
            information[i][i] += VIRTUAL_DRAWS * chance * (1.0 - chance);
        }
        (gradient, information)
    }
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, |most, value| if value > most { value } else { most })
}

/// Inverts a positive definite matrix by Gauss-Jordan elimination, which needs no search for pivots
/// there.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let unit = |i: usize| (0..size).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..size).map(unit).collect();
    for i in 0..size {
        let pivot = matrix[i][i];
        for row in [&mut matrix[i], &mut inverse[i]] {
            row.iter_mut().for_each(|entry| *entry /= pivot);
        }
        for other in (0..size).filter(|&other| other != i) {
            let factor = matrix[other][i];
            for table in [&mut matrix, &mut inverse] {
                let row = table[i].clone();
                table[other].iter_mut().zip(row).for_each(|(entry, x)| *entry -= factor * x);
            }
        }
    }
    inverse
}
