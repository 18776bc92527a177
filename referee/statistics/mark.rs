//! Marks: weighted scores against fixed bots, with their intervals.

use super::rating::{Estimate, Sample};

/// Best mark.
pub const BEST: f64 = 20.0;

/// Returns the mark with half the width of its 95 % interval: the mean of the scores against the
/// fixed bots, weighted by their points. `against` has the points of each fixed bot and the scores
/// against it, one for each round. `None` without a score against one of them.
///
/// The errors of the bots are combined as independent ones. If the bots `share_games`, they are
/// added as wholly dependent ones, which is wider.
pub fn mark(against: &[(f64, &[f64])], share_games: bool) -> Option<Estimate> {
    let points: f64 = against.iter().map(|(points, _)| points).sum();
    let (mut value, mut sum, mut squares) = (0.0, 0.0, 0.0f64);
    for (weight, scores) in against {
        let Estimate { value: score, error } = Sample::of_scores(scores).score_estimate()?;
        value += weight * score;
        sum += weight * error;
        squares += (weight * error).powi(2);
    }
    let error = if share_games { sum } else { squares.sqrt() };
    let scale = BEST / points;
    (points > 0.0).then_some(Estimate { value: value * scale, error: error * scale })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::rating::Z;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
    }

    #[test]
    fn errors_are_combined_with_the_weights() {
        let (even, odd): (&[f64], &[f64]) = (&[0.0, 1.0, 0.5, 0.5], &[0.25, 0.75]);
        let error = |variance: f64, rounds: f64| Z * (variance / rounds).sqrt();
        let (of_even, of_odd) = (error(0.125, 4.0), error(0.0625, 2.0));
        let apart = mark(&[(1.0, even), (3.0, odd)], false).unwrap();
        close(apart.value, 10.0);
        close(apart.error, 5.0 * (of_even.powi(2) + 9.0 * of_odd.powi(2)).sqrt());
        let shared = mark(&[(1.0, even), (3.0, odd)], true).unwrap();
        close(shared.error, 5.0 * (of_even + 3.0 * of_odd));
    }

    /// A sweep is no certainty: five pairs can hide a score of 0.025^(1/5).
    #[test]
    fn equal_scores_leave_an_error() {
        let all = |score| mark(&[(2.0, &[score; 5][..])], false).unwrap();
        close(all(1.0).value, 20.0);
        close(all(1.0).error, 20.0 * (1.0 - 0.025f64.powf(0.2)));
        close(all(0.0).error, all(1.0).error);
        // Wilson's interval of 5 of 10 by hand for n = 5, z = 1.96: half its width.
        let (n, z2) = (5.0, 1.96f64 * 1.96);
        let half = (z2 * 0.25 / n + z2 * z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
        close(all(0.5).error, 20.0 * half);
        assert!(all(0.3).error > 0.0 && (all(0.3).value - 6.0).abs() < 1e-9);
        assert_eq!(mark(&[(1.0, &[1.0]), (1.0, &[])], false), None);
    }
}
