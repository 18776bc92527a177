//! The most likely distribution of results under a constraint on its mean, or on its mean in units
//! of its standard deviation. The test compares its hypotheses by these distributions.

use crate::statistics::rating::OutcomeCount;

/// Count that replaces a count of 0, so that every score has a likelihood. Not tuned.
const UNSEEN: f64 = 1e-3;

/// Empirical distribution of scores.
///
/// A distribution near it is written as *divisors*: the share of a score is its share here, divided
/// by its divisor. The most likely distribution under a constraint has this shape.
pub struct EmpiricalDistribution<const N: usize> {
    scores: [f64; N],
    /// Share of each score; the shares sum to 1.
    pub shares: [f64; N],
    /// Number of games or pairs.
    pub count: f64,
}

impl<const N: usize> EmpiricalDistribution<N> {
    /// Creates the distribution of these counts, of which at least one is not 0.
    pub fn new(categories: [OutcomeCount; N]) -> EmpiricalDistribution<N> {
        let counts = categories.map(|(_, count)| if count == 0 { UNSEEN } else { count as f64 });
        let count = counts.iter().sum();
        let scores = categories.map(|(score, _)| score);
        EmpiricalDistribution { scores, shares: counts.map(|n| n / count), count }
    }

    /// Returns the divisors of the most likely distribution whose mean is `mean`, between 0 and 1.
    pub fn with_mean(&self, mean: f64) -> [f64; N] {
        self.without_moment(self.scores.map(|score| score - mean))
    }

    /// Returns the divisors of the most likely distribution whose mean is `t` standard deviations
    /// above 1/2, where `t` is between -1/2 and 1/2.
    ///
    /// The constraint is not convex. Where nearly all games are drawn, rare wide steps from a draw
    /// compete with frequent narrow ones. The search therefore starts once for each, and the more
    /// likely end counts. In 48,000 random counts no other start led to a more likely one.
    pub fn with_distance(&self, t: f64) -> [f64; N] {
        let (_, observed) = self.mean_and_deviation(&[1.0; N]);
        let steps = [0.5, 1.0 / (N - 1) as f64];
        let [wide, narrow] = steps.map(|step| observed.max(t.abs() * step));
        let end = self.follow(t, wide);
        if narrow == wide {
            return end;
        }
        let other = self.follow(t, narrow);
        if self.unlikelihood(&other) < self.unlikelihood(&end) {
            other
        } else {
            end
        }
    }

    /// Returns the negative mean log-likelihood, up to a constant.
    fn unlikelihood(&self, divisors: &[f64; N]) -> f64 {
        (0..N).map(|i| self.shares[i] * divisors[i].ln()).sum()
    }

    /// Follows the constraint until the likelihood no longer changes. Each round linearises it at
    /// the last distribution and takes the most likely distribution under the linear constraint.
    ///
    /// The start is a standard deviation, and the mean that `t` requires there. A deviation of at
    /// least `|t|` times the distance of a score from 1/2 leaves that score on one side of the
    /// constraint. There is always a score on the other side. Each round preserves this for the
    /// next, because the deviation is a concave function of the shares.
    fn follow(&self, t: f64, deviation: f64) -> [f64; N] {
        const ROUNDS: usize = 1000;
        let mut last = (0.5 + t * deviation, deviation);
        let mut divisors = [1.0; N];
        for _ in 0..ROUNDS {
            divisors = self.without_moment(self.distance_moment(t, last));
            let next = self.mean_and_deviation(&divisors);
            let change = (next.0 - last.0).abs() + (next.1 - last.1).abs();
            // To first order the likelihood does not change here, so it is far more exact than
            // this.
            if change < 1e-9 {
                break;
            }
            last = next;
        }
        divisors
    }

    /// Returns the contribution of each score to the distance of the mean from its value under `t`:
    /// equation 4.9.
    fn distance_moment(&self, t: f64, (mean, deviation): (f64, f64)) -> [f64; N] {
        let half = t * deviation / 2.0;
        self.scores.map(|score| score - 0.5 - half * (1.0 + ((mean - score) / deviation).powi(2)))
    }

    fn mean_and_deviation(&self, divisors: &[f64; N]) -> (f64, f64) {
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            (0..N).map(|i| self.shares[i] / divisors[i] * of(self.scores[i])).sum()
        };
        let mean = sum(&|score| score);
        (mean, sum(&|score| (score - mean).powi(2)).sqrt())
    }

    /// Returns the divisors of the most likely distribution under which `moment`, a function of the
    /// score with values of both signs, has the mean 0.
    ///
    /// They are `1 + theta * moment`. Instead of theta the search finds `d`, the divisor of the
    /// score that gains most. It is between 0 and 1, so no digits are lost where it is tiny.
    ///
    /// In units of that score's moment every moment is at most 1. This makes `d` times the mean
    /// moment a concave function of `d`, above 0 at 0 and not above 0 at 1. Newton steps from 1
    /// therefore descend to its root and never pass it.
    fn without_moment(&self, moment: [f64; N]) -> [f64; N] {
        const STEPS: usize = 200;
        let mean: f64 = (0..N).map(|i| self.shares[i] * moment[i]).sum();
        // The score that gains most has the moment farthest from 0 on the side opposite to the
        // mean.
        let extreme = |a: f64, b: f64| if mean > 0.0 { a.min(b) } else { a.max(b) };
        let extreme = moment.into_iter().fold(0.0, extreme);
        let relative = moment.map(|m| m / extreme);
        let mut d = 1.0;
        for _ in 0..STEPS {
            let next = self.newton(&relative, d);
            if d - next < 1e-12 * d {
                break;
            }
            d = next;
        }
        relative.map(|r| 1.0 - r + r * d)
    }

    /// Returns the next step of Newton's method, `d - value / slope`. It is multiplied out, so that
    /// nothing cancels and a root of 1e-20 is still found.
    fn newton(&self, relative: &[f64; N], d: f64) -> f64 {
        let (mut numerator, mut slope) = (0.0, 0.0);
        for (share, r) in self.shares.iter().zip(relative) {
            let divisor = 1.0 - r + r * d;
            let scaled = r / divisor;
            numerator += share * scaled * scaled;
            slope += share * scaled * (1.0 - r) / divisor;
        }
        d * d * numerator / -slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::rng::Rng;

    const TRINOMIAL: [f64; 3] = [0.0, 0.5, 1.0];
    const PENTANOMIAL: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts of a pentanomial, `t`, and the log-likelihood that the constraint costs.
    const TWO_MAXIMA: [([u64; 5], f64, f64); 2] =
        [([0, 0, 244, 2, 0], 0.4, 28.5642), ([0, 0, 300, 0, 2], 0.4, 36.4614)];

    fn mean<const N: usize>(scores: [f64; N], shares: [f64; N]) -> f64 {
        (0..N).map(|i| scores[i] * shares[i]).sum()
    }

    /// Returns the number of standard deviations by which the mean is above 1/2.
    fn distance<const N: usize>(scores: [f64; N], shares: [f64; N]) -> f64 {
        let mean = mean(scores, shares);
        let variance: f64 = (0..N).map(|i| (scores[i] - mean).powi(2) * shares[i]).sum();
        (mean - 0.5) / variance.sqrt()
    }

    fn uniform(rng: &mut Rng) -> f64 {
        rng.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    fn log_likelihood<const N: usize>(
        observed: &EmpiricalDistribution<N>,
        shares: [f64; N],
    ) -> f64 {
        (0..N).map(|i| observed.count * observed.shares[i] * shares[i].ln()).sum()
    }

    /// Returns the distribution `shares * exp(slope * score)` that meets the constraint
    /// `excess = 0`. The excess is negative if all weight is below and positive if it is above.
    fn tilted<const N: usize>(
        scores: [f64; N],
        shares: [f64; N],
        excess: impl Fn([f64; N]) -> f64,
    ) -> [f64; N] {
        let (mut low, mut high, mut tilted) = (-300.0, 300.0, shares);
        for _ in 0..60 {
            let slope = (low + high) / 2.0;
            let weights: [f64; N] =
                std::array::from_fn(|i| shares[i] * f64::exp(slope * (scores[i] - 0.5)));
            let sum: f64 = weights.iter().sum();
            tilted = weights.map(|weight| weight / sum);
            *(if excess(tilted) < 0.0 { &mut low } else { &mut high }) = slope;
        }
        tilted
    }

    /// Returns the greatest log-likelihood found by random hill climbing among the distributions
    /// that meet a constraint. It is independent of how the maximum is computed.
    fn climbs<const N: usize>(
        observed: &EmpiricalDistribution<N>,
        excess: impl Fn([f64; N]) -> f64,
        rng: &mut Rng,
    ) -> f64 {
        (0..4).map(|_| climb(observed, &excess, rng)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn climb<const N: usize>(
        observed: &EmpiricalDistribution<N>,
        excess: impl Fn([f64; N]) -> f64,
        rng: &mut Rng,
    ) -> f64 {
        let anywhere = std::array::from_fn(|_| (8.0 * uniform(rng)).exp());
        let mut best = tilted(observed.scores, anywhere, &excess);
        let mut size = 3.0;
        for _ in 0..1500 {
            let step = best.map(|share| share * (size * (uniform(rng) - 0.5)).exp());
            let step = tilted(observed.scores, step, &excess);
            if log_likelihood(observed, step) > log_likelihood(observed, best) {
                best = step;
                size *= 1.5;
            } else {
                size = f64::max(size * 0.97, 1e-6);
            }
        }
        log_likelihood(observed, best)
    }

    fn few<const N: usize>(scores: [f64; N], rng: &mut Rng) -> EmpiricalDistribution<N> {
        let (most, drawn) = ([1, 3, 30][rng.below(3)], [0, 0, 300][rng.below(3)]);
        let mut counts = scores.map(|score| (score, rng.below(most + 1) as u64));
        counts[N / 2].1 += drawn;
        EmpiricalDistribution::new(counts)
    }

    /// Compares with hill climbing: it comes near, and finds nothing more likely.
    fn agrees<const N: usize>(
        observed: &EmpiricalDistribution<N>,
        divisors: [f64; N],
        excess: impl Fn([f64; N]) -> f64,
        rng: &mut Rng,
    ) {
        let shares = std::array::from_fn(|i| observed.shares[i] / divisors[i]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        assert!(excess(shares).abs() < 1e-7, "{shares:?}: {}", excess(shares));
        let (found, climbed) = (log_likelihood(observed, shares), climbs(observed, excess, rng));
        assert!(climbed < found + 1e-6, "{:?}: {climbed} above {found}", observed.shares);
        assert!(climbed > found - 1e-2, "{:?}: {climbed} below {found}", observed.shares);
    }

    fn means_agree<const N: usize>(scores: [f64; N], rng: &mut Rng) {
        let (observed, target) = (few(scores, rng), 0.1 + 0.8 * uniform(rng));
        let excess = |shares| mean(scores, shares) - target;
        agrees(&observed, observed.with_mean(target), excess, rng);
    }

    fn distances_agree<const N: usize>(scores: [f64; N], rng: &mut Rng) {
        let (observed, target) = (few(scores, rng), 0.8 * uniform(rng) - 0.4);
        let excess = |shares| distance(scores, shares) - target;
        agrees(&observed, observed.with_distance(target), excess, rng);
    }

    #[test]
    fn hill_climbing_finds_nothing_likelier() {
        let mut rng = Rng::new(11);
        for _ in 0..60 {
            means_agree(TRINOMIAL, &mut rng);
            means_agree(PENTANOMIAL, &mut rng);
            distances_agree(TRINOMIAL, &mut rng);
            distances_agree(PENTANOMIAL, &mut rng);
        }
    }

    /// The maximum is at a wide step in one case and at a narrow one in the other. The expected
    /// values come from following the constraint from every edge of the simplex that it crosses.
    #[test]
    fn better_of_two_maxima_is_found() {
        for (counts, t, loss) in TWO_MAXIMA {
            let category = |i: usize| (PENTANOMIAL[i], counts[i]);
            let observed = EmpiricalDistribution::<5>::new(std::array::from_fn(category));
            let found = observed.count * observed.unlikelihood(&observed.with_distance(t));
            assert!((found - loss).abs() < 1e-4, "{counts:?}: {found}");
        }
    }

    fn any_count(rng: &mut Rng) -> u64 {
        let most = [0, 1, 100, 1_000_000_000][rng.below(4)];
        rng.below(most + 1) as u64
    }

    /// Counts of all sizes meet their constraint, up to a billion of one kind.
    #[test]
    fn constraints_are_met_at_all_sizes() {
        let mut rng = Rng::new(12);
        for _ in 0..20_000 {
            let observed =
                EmpiricalDistribution::new(PENTANOMIAL.map(|score| (score, any_count(&mut rng))));
            let (target, t) = (0.003 + 0.994 * uniform(&mut rng), 0.82 * uniform(&mut rng) - 0.41);
            let shares = |divisors: [f64; 5]| -> [f64; 5] {
                std::array::from_fn(|i| observed.shares[i] / divisors[i])
            };
            let reached = mean(PENTANOMIAL, shares(observed.with_mean(target)));
            assert!(
                (reached - target).abs() < 1e-9,
                "{:?}: {reached}, not {target}",
                observed.shares
            );
            let reached = distance(PENTANOMIAL, shares(observed.with_distance(t)));
            assert!((reached - t).abs() < 1e-6, "{:?}: {reached}, not {t}", observed.shares);
        }
    }
}
