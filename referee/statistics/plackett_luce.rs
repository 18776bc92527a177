//! Strengths of players from the rankings of their games, by the model of Plackett and Luce. For
//! two players it is the model of Bradley and Terry, and so Elo.
//!
//! A player of strength `s`, in logits, has the weight `exp(s)`. The first place is drawn by
//! weight, then the second among the remaining players, and so on. A shared rank counts as every
//! order of the tied players, each with an equal part of the game. For two players that is half a
//! win each.
//!
//! The most likely strengths are found by minorisation-maximisation (MM) and finished by Newton's
//! method, because MM hardly moves where a player hardly ever loses. Source: D. Hunter, MM
//! algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 2004.
//!
//! Errors follow from the Fisher information. They assume that games are independent and that
//! shared ranks are chance. Where games of one start are alike, or ranks are often shared, errors
//! are rather too wide.

use crate::statistics::ranking::{PlaceCounts, Ranking, Rankings};
use crate::statistics::rating::{Estimate, Z};
use std::collections::BTreeMap;
use std::f64::consts::LN_10;

/// Elo per logit.
pub const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Strength of a player, in Elo above the mean of the field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rating {
    /// A value with the half width of its 95 % interval.
    Known(Estimate),
    /// Lower bound at a confidence of 97.5 %, for a player that ranked above all others in every
    /// game.
    Over(f64),
    /// Upper bound at a confidence of 97.5 %, for a player that ranked below all others in every
    /// game.
    Under(f64),
    /// The games do not determine the strength.
    Undetermined,
}

/// Limit on rounds of MM before Newton's method takes over. Not tuned.
const MM_ROUNDS: usize = 200;
/// Limit on steps of Newton's method, which needs a handful. Not tuned.
const NEWTON_STEPS: usize = 200;
/// Step in logits below which a search ends, far below the last digit shown.
const CLOSE: f64 = 1e-9;

/// Returns the strengths of `players` players, relative to the mean of those that played. The order
/// of the games does not matter.
///
/// Values exist under Hunter's assumption 1. However the players are split in two, a player of each
/// part ranked above or beside one of the other part in some game. Where it fails, players that
/// were first, or last, in all games have a bound.
pub fn ratings(rankings: &Rankings, players: usize) -> Vec<Rating> {
    let counts = rankings.place_counts(players);
    // A player without games is connected to no other, so it is not part of the field.
    let field: Vec<usize> = (0..players).filter(|&player| counts[player].games > 0).collect();
    let against = rankings.against(players);
    let mut ratings = vec![Rating::Undetermined; players];
    if is_connected(&field, &against) {
        if let Some(known) = Choices::of(rankings, &field, players).estimate() {
            field.iter().zip(known).for_each(|(&i, of)| ratings[i] = Rating::Known(of));
        }
    } else if let Some(seats) = table_size(rankings) {
        for &player in &field {
            ratings[player] = bound(counts[player], &against, player, &field, seats);
        }
    }
    ratings
}

/// Returns `true` if a chain of "ranked above or beside" leads from each player of the field to
/// every other.
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
    // All are connected if the first player reaches all others and all reach it.
    field.len() > 1
        && reaches_all(&|from, to| against[from][to] > 0)
        && reaches_all(&|from, to| against[to][from] > 0)
}

/// Returns the number of players per game, if it was always the same.
fn table_size(rankings: &Rankings) -> Option<usize> {
    let mut sizes = rankings.iter().map(|(ranking, _)| ranking.groups().concat().len());
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}

/// Returns a bound for a player that was first, or last, in all of its `n` games. At this strength
/// that happens with a probability of 2.5 %. The bound is one-sided, at a confidence of 97.5 %.
///
/// By the model that probability is a log-concave function of the others' strengths. For a given
/// mean it is greatest where they are equal, so the bound holds for any strengths. The mean must be
/// that of the players met, so all others must have been met equally often.
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
    // Converts a distance from the mean of the others to one from the mean of the field.
    let share = others.len() as f64 / field.len() as f64;
    if equally && of.first == of.games {
        // A player of weight r among others of weight 1 is first with r / (r + seats - 1).
        let ratio = chance / (1.0 - chance) * (seats - 1) as f64;
        Rating::Over(ELO_PER_LOGIT * ratio.ln() * share)
    } else if equally && of.last == of.games {
        Rating::Under(-ELO_PER_LOGIT * passed_over(chance, seats) * share)
    } else {
        Rating::Undetermined
    }
}

/// Returns the logits by which equal others must be stronger so that a player is last with
/// probability `chance`. With weights `r` to one, another player takes a place with
/// `r k / (r k + 1)`, where `k` others remain.
fn passed_over(chance: f64, seats: usize) -> f64 {
    let last = |logits: f64| -> f64 {
        (1..seats).map(|others| 1.0 / (1.0 + (-logits).exp() / others as f64)).product()
    };
    // The exponential of ±700 is still finite.
    let (mut low, mut high) = (-700.0, 700.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        *(if last(middle) < chance { &mut low } else { &mut high }) = middle;
    }
    (low + high) / 2.0
}

/// Counts of the games that determine the likelihood: how often each player was chosen, and from
/// which sets of players one was chosen. Players are numbered by their place in the field. Shared
/// ranks make these counts fractions.
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
            // The last player is not chosen. In a tied last group, each player is last equally
            // often.
            let chosen = if behind.is_empty() { 1.0 - 1.0 / group.len() as f64 } else { 1.0 };
            group.iter().for_each(|&i| self.chosen[i] += count * chosen);
            self.add_sets(&group, &behind, count);
            behind.extend(group);
        }
    }

    /// Adds the sets that remain while a group is ranked. Over all orders of the group, subsets of
    /// one size remain equally often, together with all players `behind`.
    fn add_sets(&mut self, group: &[usize], behind: &[usize], count: f64) {
        for members in 1u32..1 << group.len() {
            let left = (0..group.len()).filter(|i| members >> i & 1 != 0).map(|i| group[i]);
            let mut set: Vec<usize> = left.chain(behind.iter().copied()).collect();
            // A choice from a set of one says nothing.
            if set.len() > 1 {
                set.sort_unstable();
                let of_this_size = combinations(group.len(), members.count_ones() as usize);
                *self.sets.entry(set).or_default() += count / of_this_size;
            }
        }
    }

    /// Returns the most likely strengths with their errors, in Elo. `None` if they differ by more
    /// than floating-point numbers can express.
    fn estimate(&self) -> Option<Vec<Estimate>> {
        let (logits, covariance) = self.newton(self.minorise_maximise())?;
        let estimates = logits.iter().enumerate().map(|(i, logit)| Estimate {
            value: ELO_PER_LOGIT * logit,
            error: Z * ELO_PER_LOGIT * covariance[i][i].max(0.0).sqrt(),
        });
        let is_finite = |of: &Estimate| of.value.is_finite() && of.error.is_finite();
        estimates.map(|of| is_finite(&of).then_some(of)).collect()
    }

    /// Runs MM. A round gives each player a new weight: the number of times it was chosen, divided
    /// by the sum of `count / weight` over its sets. There `weight` is the sum of the weights in
    /// the set.
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

    /// Returns the strengths and their covariance relative to the mean. The likelihood is concave.
    /// Within a logit its curvature changes by a bounded factor, so steps of at most one logit make
    /// progress.
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

    /// Returns the gradient of the log-likelihood and the information, its negative second
    /// derivatives.
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

/// Returns the number of subsets of `size` among `count`.
fn combinations(count: usize, size: usize) -> f64 {
    (0..size).map(|i| (count - i) as f64 / (i + 1) as f64).product()
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, |most, value| if value > most { value } else { most })
}

/// Returns the values, shifted to a mean of zero.
fn centred(values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.into_iter().map(|value| value - mean).collect()
}

/// Returns the Moore-Penrose inverse of a positive semi-definite matrix whose only null vector has
/// equal entries. `None` if there are other null vectors.
fn inverse_about_mean(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    // The null vector may get any other eigenvalue; this one is of the size of the others.
    let eigenvalue = (0..size).map(|i| matrix[i][i]).sum::<f64>() / size as f64;
    let part = |value: f64| value / size as f64;
    matrix.iter_mut().flatten().for_each(|entry| *entry += part(eigenvalue));
    let mut inverse = inverse(matrix)?;
    inverse.iter_mut().flatten().for_each(|entry| *entry -= part(1.0 / eigenvalue));
    Some(inverse)
}

/// Inverts a positive definite matrix by Gauss-Jordan elimination, which needs no search for pivots
/// there.
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
