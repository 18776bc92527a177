//! Fitness of a candidate: its results on all instances, summed.

use arbitre_referee::statistics::solo::standing;
use arbitre_referee::store::Evaluation;
use std::cmp::{Ordering, Reverse};

/// Cost of an unsolved instance, as a multiple of the mean cost of a solved one. Not tuned.
const UNSOLVED: f64 = 2.0;

/// Unit in which results are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Scores of a solo game.
    Score {
        /// Whether a lower score is better.
        lower_is_better: bool,
    },
    /// Half points at a table of several players.
    HalfPoints {
        /// Number of other players at the table.
        others: usize,
    },
}

/// Results of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fitness {
    /// Unit of the results.
    pub measure: Measure,
    /// Number of games played.
    pub games: u64,
    /// Number of games that the candidate completed; all games if the unit is points.
    pub solved: u64,
    /// Sum of the results of these games.
    pub total: i64,
    /// Number of games with a fault of the candidate.
    pub faults: u64,
}

impl Measure {
    /// Converts a sum to the value that people read. One point is for a game in which all other
    /// players rank lower.
    pub fn value(self, total: f64) -> f64 {
        match self {
            Measure::Score { .. } => total,
            Measure::HalfPoints { others } => total / (2 * others) as f64,
        }
    }

    /// Returns the name of the unit, in the plural.
    pub fn word(self) -> &'static str {
        match self {
            Measure::Score { .. } => "score",
            Measure::HalfPoints { .. } => "points",
        }
    }

    /// Returns `true` if a smaller result is better.
    pub fn lower_is_better(self) -> bool {
        self == Measure::Score { lower_is_better: true }
    }
}

impl Fitness {
    /// Sums the results of these games.
    pub fn of(measure: Measure, evaluations: &[Evaluation]) -> Fitness {
        let count = |is: fn(&Evaluation) -> bool| {
            evaluations.iter().filter(|evaluation| is(evaluation)).count() as u64
        };
        Fitness {
            measure,
            games: evaluations.len() as u64,
            solved: count(|evaluation| evaluation.score.is_some()),
            total: evaluations.iter().filter_map(|evaluation| evaluation.score).sum(),
            faults: count(|evaluation| evaluation.fault.is_some()),
        }
    }

    /// Returns the sort key, of which less is better: more solved instances first, then the better
    /// total, as in all solo games. Time breaks no tie, so that a run does not depend on it.
    fn standing(&self) -> (Reverse<u64>, i64) {
        standing(self.solved, self.total, self.measure.lower_is_better())
    }

    /// Compares two candidates. The better one is `Less`.
    pub fn compare(&self, other: &Fitness) -> Ordering {
        self.standing().cmp(&other.standing())
    }

    /// Returns the weight of the first parent in a child, between 0 and 1: `r1/(r1+r2)` as in the
    /// source of the algorithm, or 0.5 if both results are 0.
    ///
    /// If a lower result is better the results change places, so that the weights are proportional
    /// to the reciprocals of the results. A negative result has no proportion and counts as 0.
    pub fn weight(&self, other: &Fitness) -> f64 {
        match self.measure.lower_is_better() {
            false => share(self.total as f64, other.total as f64),
            true => share(other.cost(), self.cost()),
        }
    }

    /// Returns the total if a lower result is better, with the cost of unsolved instances.
    fn cost(&self) -> f64 {
        let (games, solved) = (self.games as f64, self.solved as f64);
        match self.solved {
            0 => f64::INFINITY,
            _ => self.total as f64 * ((solved + UNSOLVED * (games - solved)) / solved),
        }
    }
}

/// Returns the share of `one` in the sum of both numbers.
fn share(one: f64, other: f64) -> f64 {
    let (one, other) = (one.max(0.0), other.max(0.0));
    // Covers 0/0, and two infinite costs.
    if one == other {
        0.5
    } else if one.is_infinite() {
        1.0
    } else {
        one / (one + other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitness(lower_is_better: bool, games: u64, solved: u64, total: i64) -> Fitness {
        let measure = Measure::Score { lower_is_better };
        Fitness { games, solved, total, ..Fitness::of(measure, &[]) }
    }

    #[test]
    fn solved_instances_count_before_the_total() {
        let better = |lower, one: (u64, i64), other: (u64, i64)| {
            let of = |(solved, total)| fitness(lower, 9, solved, total);
            of(one).compare(&of(other)) == Ordering::Less
        };
        assert!(better(false, (9, 20), (9, 19)) && better(true, (9, 19), (9, 20)));
        assert!(better(false, (9, 1), (8, 99)) && better(true, (9, 99), (8, 1)));
        assert!(!better(false, (9, 1), (9, 1)));
    }

    /// The weights were computed by hand.
    #[test]
    fn better_parent_has_the_larger_weight() {
        for (lower, one, other, weight) in [
            (false, (4, 300), (4, 100), 0.75),
            (false, (4, 0), (4, 100), 0.0),
            (false, (4, 0), (4, 0), 0.5),
            (false, (4, -5), (4, 100), 0.0),
            (false, (4, -5), (4, -3), 0.5),
            // 1/100 to 1/300 is 3 to 1.
            (true, (4, 100), (4, 300), 0.75),
            (true, (4, 0), (4, 300), 1.0),
            (true, (4, 0), (4, 0), 0.5),
            // Three of four solved at 30 each cost 90, and the unsolved one 60 more; 150 to 100 is
            // 3 to 2.
            (true, (4, 100), (3, 90), 0.6),
            (true, (4, 100), (0, 0), 1.0),
            (true, (0, 0), (4, 100), 0.0),
            (true, (0, 0), (0, 0), 0.5),
        ] {
            let of = |(solved, total)| fitness(lower, 4, solved, total);
            let found = of(one).weight(&of(other));
            assert_eq!(found, weight, "{lower} {one:?} {other:?}");
        }
    }

    #[test]
    fn one_point_is_a_win_against_the_whole_table() {
        assert_eq!(Measure::HalfPoints { others: 1 }.value(3.0), 1.5);
        assert_eq!(Measure::HalfPoints { others: 3 }.value(3.0), 0.5);
        assert_eq!(Measure::Score { lower_is_better: true }.value(3.0), 3.0);
    }
}
