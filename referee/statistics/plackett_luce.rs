//! Strengths in a field of players from the rankings of their games: the model of Plackett and Luce,
//! which for two at a table is that of Bradley and Terry, and so Elo.
//!
//! A player of strength `s` (in logits) has the weight `exp(s)`. Who is first is drawn by weight, then
//! who is second among the others, and so on. A rank that is shared counts as every order of those who
//! share it, each with an equal part of the game: between two that is half a win for both.
//!
//! The most likely strengths are found by minorisation-maximisation (D. Hunter, MM algorithms for
//! generalized Bradley-Terry models, Annals of Statistics 32, 2004) and finished by Newton's method,
//! as the former hardly moves where somebody hardly ever loses. Errors follow from the Fisher
//! information. They take games for independent, and shared ranks for chance: where games of one start
//! are alike, or ranks are often shared, errors are rather too wide.

use crate::statistics::ranking::{PlaceCounts, Ranking, Rankings};
use crate::statistics::rating::{Estimate, Z};
use std::collections::BTreeMap;
use std::f64::consts::LN_10;

/// Elo per logit.
pub const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// What is known of a strength, in Elo above the mean of the field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rating {
    /// A value with the half width of its 95 % interval.
    Known(Estimate),
    /// It is greater than this, with a confidence of 97.5 %: it stood before all in every game.
    Over(f64),
    /// It is smaller than this, with a confidence of 97.5 %: it stood behind all in every game.
    Under(f64),
    /// The games do not tell.
    Undetermined,
}

/// Rounds of minorisation-maximisation before Newton's method goes on.
const MM_ROUNDS: usize = 200;
/// Steps of Newton's method; a handful is what it takes.
const NEWTON_STEPS: usize = 200;
/// The last step of a search, in logits: far below the last digit that is shown.
const CLOSE: f64 = 1e-9;

/// The strengths of so many players, relative to the mean of those who played. The order of the games
/// does not matter.
///
/// A value exists if, however the players are split in two, somebody of each half once stood before
/// or beside one of the other half (Hunter's assumption 1). Where it does not, whoever was first, or
/// last, in all games has a bound.
pub fn ratings(rankings: &Rankings, players: usize) -> Vec<Rating> {
    let extremes = rankings.extremes(players);
    let field: Vec<usize> = (0..players).filter(|&player| extremes[player].games > 0).collect();
    let against = rankings.against(players);
    let mut ratings = vec![Rating::Undetermined; players];
    if is_connected(&field, &against) {
        if let Some(known) = Choices::of(rankings, &field, players).estimate() {
            field.iter().zip(known).for_each(|(&i, of)| ratings[i] = Rating::Known(of));
        }
    } else if let Some(seats) = table_size(rankings) {
        for &player in &field {
            ratings[player] = bound(extremes[player], &against, player, &field, seats);
        }
    }
    ratings
}

/// Does a way of "stood before or beside" lead from each of the field to every other?
fn is_connected(field: &[usize], against: &[Vec<u64>]) -> bool {
    let reaches_all = |is_step: &dyn Fn(usize, usize) -> bool| {
        let mut reached: Vec<usize> = field.first().copied().into_iter().collect();
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            let new = field.iter().filter(|&&to| !reached.contains(&to) && is_step(from, to));
            let new: Vec<usize> = new.copied().collect();
            reached.extend(new);
            next += 1;
        }
        reached.len() == field.len()
    };
    field.len() > 1
        && reaches_all(&|from, to| against[from][to] > 0)
        && reaches_all(&|from, to| against[to][from] > 0)
}

/// How many sat at every table, if that was always the same.
fn table_size(rankings: &Rankings) -> Option<usize> {
    let mut sizes = rankings.iter().map(|(ranking, _)| ranking.groups().concat().len());
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}

/// The least strength of which being first in all games is no more than chance, and the like for
/// being last: where all of `n` games went so with a probability of 2.5 %, as in a match of two.
///
/// By the model that probability is a log-concave function of the others' strengths, so for a given
/// mean of them it is greatest where they are equal, and the bound holds whatever they are. (Their
/// mean must be that of those met, so all others must have been met equally often.)
fn bound(
    of: PlaceCounts,
    against: &[Vec<u64>],
    player: usize,
    field: &[usize],
    seats: usize,
) -> Rating {
    let others: Vec<usize> = field.iter().copied().filter(|&other| other != player).collect();
    let met = |other: usize| against[player][other] + against[other][player];
    let equally = others.iter().all(|&other| met(other) == met(others[0]));
    let chance = 0.025f64.powf(1.0 / of.games as f64);
    // From the mean of the others to that of the field.
    let share = others.len() as f64 / field.len() as f64;
    if equally && of.first == of.games {
        // The player's weight over another's, r, makes him first with r / (r + seats - 1).
        let ratio = chance / (1.0 - chance) * (seats - 1) as f64;
        Rating::Over(ELO_PER_LOGIT * ratio.ln() * share)
    } else if equally && of.last == of.games {
        Rating::Under(-ELO_PER_LOGIT * passed_over(chance, seats) * share)
    } else {
        Rating::Undetermined
    }
}

/// By how many logits the equal others of a table must be stronger so that somebody is last with this
/// chance: with weights `r` to one he is passed over `r k / (r k + 1)` of the times when `k` others are
/// left.
fn passed_over(chance: f64, seats: usize) -> f64 {
    let last = |logits: f64| -> f64 {
        (1..seats).map(|others| 1.0 / (1.0 + (-logits).exp() / others as f64)).product()
    };
    let (mut low, mut high) = (-700.0, 700.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        *(if last(middle) < chance { &mut low } else { &mut high }) = middle;
    }
    (low + high) / 2.0
}

/// What the likelihood needs of the games: how often each player was chosen, and from which sets of
/// players (by their places in the field) somebody was chosen how often. A rank that is shared makes
/// these counts fractions.
struct Choices {
    chosen: Vec<f64>,
    sets: BTreeMap<Vec<usize>, f64>,
}

impl Choices {
    fn of(rankings: &Rankings, field: &[usize], players: usize) -> Choices {
        let mut place = vec![0; players];
        field.iter().enumerate().for_each(|(i, &player)| place[player] = i);
        let mut choices = Choices { chosen: vec![0.0; field.len()], sets: BTreeMap::new() };
        for (ranking, count) in rankings.iter() {
            choices.add(ranking, count as f64, &place);
        }
        choices
    }

    fn add(&mut self, ranking: &Ranking, count: f64, place: &[usize]) {
        let mut behind: Vec<usize> = Vec::new();
        for group in ranking.groups().iter().rev() {
            let group: Vec<usize> = group.iter().map(|&player| place[player]).collect();
            // The last of all is not chosen, and each of a group is as often the last.
            let chosen = if behind.is_empty() { 1.0 - 1.0 / group.len() as f64 } else { 1.0 };
            group.iter().for_each(|&i| self.chosen[i] += count * chosen);
            self.add_sets(&group, &behind, count);
            behind.extend(group);
        }
    }

    /// In the orders of a group, each set of so many of it is left over equally often, with all that
    /// are behind.
    fn add_sets(&mut self, group: &[usize], behind: &[usize], count: f64) {
        for members in 1u32..1 << group.len() {
            let left = (0..group.len()).filter(|i| members >> i & 1 != 0).map(|i| group[i]);
            let mut set: Vec<usize> = left.chain(behind.iter().copied()).collect();
            if set.len() > 1 {
                set.sort_unstable();
                let of_this_size = combinations(group.len(), members.count_ones() as usize);
                *self.sets.entry(set).or_default() += count / of_this_size;
            }
        }
    }

    /// The most likely strengths with their errors, in Elo; nothing if they cannot be computed, which
    /// is when they differ by more than numbers can tell.
    fn estimate(&self) -> Option<Vec<Estimate>> {
        let (logits, covariance) = self.newton(self.minorise_maximise())?;
        let estimates = logits.iter().enumerate().map(|(i, logit)| Estimate {
            value: ELO_PER_LOGIT * logit,
            error: Z * ELO_PER_LOGIT * covariance[i][i].max(0.0).sqrt(),
        });
        let is_finite = |of: &Estimate| of.value.is_finite() && of.error.is_finite();
        estimates.map(|of| is_finite(&of).then_some(of)).collect()
    }

    /// In each round a player's weight becomes the number of times that he was chosen over the sum,
    /// by sets that he was in, of what a unit of weight is worth there.
    fn minorise_maximise(&self) -> Vec<f64> {
        let mut logits = vec![0.0; self.chosen.len()];
        for _ in 0..MM_ROUNDS {
            let mut worth = vec![0.0; logits.len()];
            for (set, count) in &self.sets {
                let weight: f64 = set.iter().map(|&i| f64::exp(logits[i])).sum();
                set.iter().for_each(|&i| worth[i] += count / weight);
            }
            let next = self.chosen.iter().zip(worth).map(|(chosen, worth)| (chosen / worth).ln());
            let next = centred(next.collect());
            let step = largest(next.iter().zip(&logits).map(|(new, old)| new - old));
            logits = next;
            if step < CLOSE {
                break;
            }
        }
        logits
    }

    /// Strengths and their covariance relative to the mean. The likelihood is concave, and within a
    /// logit its curvature changes by no more than a factor, so steps of at most that length lead on.
    fn newton(&self, mut logits: Vec<f64>) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        for _ in 0..NEWTON_STEPS {
            let (gradient, information) = self.slope(&logits);
            let covariance = inverse_about_mean(information)?;
            let step: Vec<f64> = covariance
                .iter()
                .map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum())
                .collect();
            let length = largest(step.iter().copied());
            if !length.is_finite() {
                return None;
            }
            let pace = 1.0 / length.max(1.0);
            logits = centred(logits.iter().zip(&step).map(|(x, dx)| x + pace * dx).collect());
            if length < CLOSE {
                return Some((logits, covariance));
            }
        }
        None
    }

    /// The gradient of the log-likelihood, and its negative second derivatives: the information.
    fn slope(&self, logits: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut gradient = self.chosen.clone();
        let mut information = vec![vec![0.0; logits.len()]; logits.len()];
        for (set, count) in &self.sets {
            let weight: f64 = set.iter().map(|&i| logits[i].exp()).sum();
            for &i in set {
                let share = logits[i].exp() / weight;
                gradient[i] -= count * share;
                information[i][i] += count * share;
                for &j in set {
                    information[i][j] -= count * share * logits[j].exp() / weight;
                }
            }
        }
        (gradient, information)
    }
}

/// How many sets of `size` there are among `count`.
fn combinations(count: usize, size: usize) -> f64 {
    (0..size).map(|i| (count - i) as f64 / (i + 1) as f64).product()
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, |most, value| if value > most { value } else { most })
}

/// The same values with a mean of zero.
fn centred(values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.into_iter().map(|value| value - mean).collect()
}

/// The inverse of a positive semi-definite matrix whose only null vector has equal entries, on what is
/// orthogonal to that: its Moore-Penrose inverse. Nothing if there are other null vectors.
fn inverse_about_mean(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    // Any other eigenvalue would do for the null vector; this one is of the size of the others.
    let eigenvalue = (0..size).map(|i| matrix[i][i]).sum::<f64>() / size as f64;
    let part = |value: f64| value / size as f64;
    matrix.iter_mut().flatten().for_each(|entry| *entry += part(eigenvalue));
    let mut inverse = inverse(matrix)?;
    inverse.iter_mut().flatten().for_each(|entry| *entry -= part(1.0 / eigenvalue));
    Some(inverse)
}

/// The inverse of a positive definite matrix, by Gauss and Jordan; its pivots need no search.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |i: usize| (0..size).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..size).map(unit).collect();
    for i in 0..size {
        let pivot = matrix[i][i];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
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
    Some(inverse)
}
