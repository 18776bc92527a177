//! Strength from counts: Elo and normalized Elo, computed from stored counts and never stored
//! themselves.
//!
//! Games played in pairs (one opening, seats exchanged) are not independent. Where there are pairs,
//! a pair is therefore the unit: the pentanomial model of Van den Bergh. Single games follow the
//! trinomial model.

use arbitre_games::experiment::Interval;
use std::f64::consts::{LN_10, SQRT_2};

/// Quantile of the standard normal distribution at 97.5 %.
pub const Z: f64 = 1.959_963_984_540_054;

/// Normalized Elo per standard deviation of a game's score.
pub const NORMALIZED_ELO: f64 = 800.0 / LN_10;

/// Number of games by result, from the view of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Number of pairs by result, from the view of the first player. L, D and W are its game results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    /// Both lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

pub use arbitre_games::experiment::HalfPoints;

/// Score between 0 and 1, and the number of games or pairs with it.
pub type OutcomeCount = (f64, u64);

impl Games {
    /// Counts a game.
    pub fn add(&mut self, half_points: HalfPoints) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Returns the number of games.
    pub fn count(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: one for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the share of the points, between 0 and 1; no number without games.
    pub fn share(&self) -> f64 {
        self.points() / self.count() as f64
    }

    /// Returns the trinomial counts, by ascending score.
    pub fn categories(&self) -> [OutcomeCount; 3] {
        [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)]
    }

    /// Returns the share of drawn games, or `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.draws as f64 / self.count() as f64)
    }

    /// Returns the mean and variance of the score.
    pub fn sample(&self) -> Sample {
        Sample::new(&self.categories(), 1.0)
    }
}

impl Pairs {
    /// Standard deviation of a game's score, in units of that of a pair's mean score. This is the
    /// convention of normalized Elo: the value for two independent games.
    pub const GAMES_DEVIATION: f64 = SQRT_2;

    /// Counts a pair by the results of its two games.
    pub fn add(&mut self, one: HalfPoints, other: HalfPoints) {
        *match (one.min(other), one.max(other)) {
            (0, 0) => &mut self.ll,
            (0, 1) => &mut self.ld,
            (0, _) => &mut self.wl,
            (1, 1) => &mut self.dd,
            (1, _) => &mut self.wd,
            _ => &mut self.ww,
        } += 1;
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.ll + self.ld + self.even() + self.wd + self.ww
    }

    /// Returns the number of pairs in which each side made one point.
    pub fn even(&self) -> u64 {
        self.wl + self.dd
    }

    /// Returns the pentanomial counts, by ascending mean score of a pair.
    pub fn categories(&self) -> [OutcomeCount; 5] {
        let (even, wd, ww) = (self.even(), self.wd, self.ww);
        [(0.0, self.ll), (0.25, self.ld), (0.5, even), (0.75, wd), (1.0, ww)]
    }

    /// Returns the mean and variance of the score.
    pub fn sample(&self) -> Sample {
        Sample::new(&self.categories(), Pairs::GAMES_DEVIATION)
    }
}

/// Mean and variance of scores between 0 and 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    count: f64,
    mean: f64,
    variance: f64,
    /// Standard deviation of a single game in units of the sample's own.
    games_deviation: f64,
}

/// Value with half the width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Sample {
    fn new(counts: &[OutcomeCount], games_deviation: f64) -> Sample {
        let count: f64 = counts.iter().map(|&(_, n)| n as f64).sum();
        let mean = counts.iter().map(|&(x, n)| x * n as f64).sum::<f64>() / count.max(1.0);
        let squares: f64 = counts.iter().map(|&(x, n)| (x - mean).powi(2) * n as f64).sum();
        Sample { count, mean, variance: squares / count.max(1.0), games_deviation }
    }

    /// Returns the mean and variance of scores between 0 and 1.
    pub fn of_scores(scores: &[f64]) -> Sample {
        let count = scores.len() as f64;
        // Equal scores have exactly their value as mean, and no variance.
        let first = scores.first().copied().unwrap_or(0.0);
        let beyond: f64 = scores.iter().map(|score| score - first).sum();
        let mean = first + beyond / count.max(1.0);
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        Sample { count, mean, variance: squares / count.max(1.0), games_deviation: 1.0 }
    }

    /// Returns the mean score between 0 and 1, or `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.count > 0.0).then_some(self.mean)
    }

    /// Returns the ends of the 95 % interval of the mean.
    pub fn score_interval(&self) -> (f64, f64) {
        let error = Z * (self.variance / self.count).sqrt();
        (self.mean - error, self.mean + error)
    }

    /// Returns the ends of the 95 % interval of the mean, within the possible scores. `None`
    /// without games, or when all results are the same score other than a loss or a win.
    ///
    /// Where one side won every game, the interval ends at the score `0.025^(1/n)` that `n` games
    /// or pairs can still hide.
    pub fn score_bounds(&self) -> Option<(f64, f64)> {
        let hidden = 0.025f64.powf(1.0 / self.count);
        let (low, high) = self.score_interval();
        Some(match self.score()? {
            1.0 => (hidden, 1.0),
            0.0 => (0.0, 1.0 - hidden),
            _ if self.variance == 0.0 => return None,
            _ => (low.max(0.0), high.min(1.0)),
        })
    }

    /// Returns the mean with the longer side of its 95 % interval: that of [`Sample::score_bounds`]
    /// or, if all results are the same score other than a loss or a win, Wilson's. The latter
    /// allows for the largest variance that scores of this mean can have. `None` without games.
    pub fn score_estimate(&self) -> Option<Estimate> {
        let value = self.score()?;
        let (low, high) = self.score_bounds().unwrap_or_else(|| {
            let Interval { low, high, .. } = Interval::of_mean_share(value, self.count);
            (low, high)
        });
        Some(Estimate { value, error: (value - low).max(high - value) })
    }

    /// Returns the Elo difference at the mean score. `None` without games, or when one side made
    /// every point.
    pub fn elo_value(&self) -> Option<f64> {
        self.score().and_then(elo)
    }

    /// Returns the Elo difference with its error. `None` when the counts do not determine both: all
    /// results are alike, or the interval reaches beyond the possible scores.
    pub fn elo(&self) -> Option<Estimate> {
        let value = self.elo_value()?;
        let (low, high) = self.score_interval();
        let error = (elo(high)? - elo(low)?) / 2.0;
        (self.variance > 0.0).then_some(Estimate { value, error })
    }

    /// Returns the end of the 95 % interval that is nearer to zero, for samples whose other end is
    /// beyond the possible scores.
    pub fn elo_bound(&self) -> Option<f64> {
        let (low, high) = self.score_bounds()?;
        elo(if self.score()? > 0.5 { low } else { high })
    }

    /// Returns the normalized Elo difference with its error, or `None` when all results are alike.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let deviation = self.variance.sqrt() * self.games_deviation;
        let per_deviation = |score: f64| (score - 0.5) / deviation * NORMALIZED_ELO;
        let (low, high) = self.score_interval();
        let value = per_deviation(self.mean);
        let error = (per_deviation(high) - per_deviation(low)) / 2.0;
        (self.variance > 0.0 && self.count > 0.0).then_some(Estimate { value, error })
    }
}

/// Returns the Elo difference at a score. `None` at 0 and 1, where it is not finite.
pub fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// Returns the score expected at an Elo difference: the inverse of [`elo`].
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.005 + 1e-9, "{value} is not {expected}");
    }

    fn games(wins: u64, draws: u64, losses: u64) -> Sample {
        Games { wins, draws, losses }.sample()
    }

    fn pairs([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Sample {
        Pairs { ll, ld, wl, dd, wd, ww }.sample()
    }

    /// Values from the tests of fastchess, which order results as wins, losses, draws.
    #[test]
    fn agrees_with_published_values() {
        let sample = games(76, 123, 89);
        close(sample.normalized_elo().unwrap().value, -20.76);
        close(sample.normalized_elo().unwrap().error, 40.13);

        let sample = games(136, 111, 96);
        close(sample.normalized_elo().unwrap().value, 49.77);
        close(sample.normalized_elo().unwrap().error, 36.77);
        close(sample.elo().unwrap().value, 40.70);
        close(sample.elo().unwrap().error, 30.43);

        let sample = pairs([34, 54, 31, 32, 64, 75]);
        close(sample.normalized_elo().unwrap().value, 57.94);
        close(sample.normalized_elo().unwrap().error, 28.28);
        close(sample.elo().unwrap().value, 55.58);
        close(sample.elo().unwrap().error, 27.65);

        let sample = pairs([332, 433, 457, 41, 333, 334]);
        close(sample.normalized_elo().unwrap().value, -9.17);
        close(sample.normalized_elo().unwrap().error, 10.96);
        close(sample.elo().unwrap().value, -8.64);
        close(sample.elo().unwrap().error, 10.33);
    }

    #[test]
    fn estimates_are_finite() {
        let few = [0, 1, 2, 40];
        for wins in few {
            for draws in few {
                for losses in few {
                    let sample = games(wins, draws, losses);
                    let estimates = [sample.elo(), sample.normalized_elo()];
                    for estimate in estimates.into_iter().flatten() {
                        assert!(estimate.value.is_finite() && estimate.error.is_finite());
                    }
                    assert!(sample.elo_bound().is_none_or(f64::is_finite));
                    assert_eq!(sample.score().is_none(), wins + draws + losses == 0);
                }
            }
        }
        assert_eq!(games(5, 0, 0).elo(), None);
    }

    #[test]
    fn bound_grows_with_the_sweep() {
        let bound = |wins| games(wins, 0, 0).elo_bound();
        assert_eq!(bound(0), None);
        assert!(bound(1).unwrap() < 0.0 && bound(100).unwrap() > 500.0);
        close(games(0, 0, 100).elo_bound().unwrap(), -bound(100).unwrap());
        // Five pairs are five results, not ten.
        assert_eq!(pairs([0, 0, 0, 0, 0, 5]).elo_bound(), bound(5));
    }

    #[test]
    fn score_bounds_are_possible_scores() {
        let bounds = |counts| pairs(counts).score_bounds();
        let (low, high) = bounds([0, 0, 0, 0, 0, 10]).unwrap();
        // 0.025^(1/10), the end of the exact interval of Clopper and Pearson for 10 of 10.
        assert!((low - 0.691_503).abs() < 1e-6 && high == 1.0, "{low} {high}");
        assert_eq!(bounds([10, 0, 0, 0, 0, 0]), Some((0.0, 1.0 - low)));
        let (low, high) = bounds([1, 2, 3, 0, 2, 2]).unwrap();
        // Mean 0.55, variance 0.0975: 0.55 ± 1.959964 sqrt(0.0975 / 10).
        assert!((low - 0.356_469).abs() < 1e-6 && (high - 0.743_531).abs() < 1e-6);
        assert_eq!(bounds([0, 0, 0, 0, 1, 99]).unwrap().1, 1.0);
        assert_eq!([bounds([0, 0, 3, 0, 0, 0]), bounds([0; 6])], [None; 2]);
    }
}
