//! What a candidate is worth: its results on all instances, added up.

use crate::statistics::solo::standing;
use crate::store::Evaluation;
use std::cmp::{Ordering, Reverse};

/// An instance that was not solved costs so many times what a solved one costs on average.
const UNSOLVED: f64 = 2.0;

/// What results are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Scores of a game of one.
    Score {
        /// Is the smaller score the better one?
        lower_is_better: bool,
    },
    /// Half points at a table with so many others.
    HalfPoints {
        /// How many others sit there.
        others: usize,
    },
}

/// The results of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fitness {
    /// What they are counted in.
    pub measure: Measure,
    /// The games that it played.
    pub games: u64,
    /// Those that it came to the end of, which in points are all.
    pub solved: u64,
    /// The results of these, added up.
    pub total: i64,
    /// Those in which it made a mistake that the referee calls a fault.
    pub faults: u64,
}

impl Measure {
    /// So many half points, or so much of a score, as people read it: points have one for a table
    /// where all others were left behind.
    pub fn value(self, total: f64) -> f64 {
        match self {
            Measure::Score { .. } => total,
            Measure::HalfPoints { others } => total / (2 * others) as f64,
        }
    }

    /// What it is called, in the plural.
    pub fn word(self) -> &'static str {
        match self {
            Measure::Score { .. } => "score",
            Measure::HalfPoints { .. } => "points",
        }
    }

    /// Is the smaller result the better one?
    pub fn lower_is_better(self) -> bool {
        self == Measure::Score { lower_is_better: true }
    }
}

impl Fitness {
    /// The sum of these games.
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

    /// Less is better: first who came to more ends, then who has the better total, as everywhere in
    /// solo games. Time breaks no tie here, so that a course does not depend on it.
    fn standing(&self) -> (Reverse<u64>, i64) {
        standing(self.solved, self.total, self.measure.lower_is_better())
    }

    /// Candidates in their order, the better one first.
    pub fn compare(&self, other: &Fitness) -> Ordering {
        self.standing().cmp(&other.standing())
    }

    /// The part of a first parent in a child, between 0 and 1: `r1/(r1+r2)` as in the scheme's source,
    /// or a half where both results are 0.
    ///
    /// Where less is better the results change places, so that the weights are as the reciprocals of
    /// the results. A result below 0, of which there is no proportion, is one of 0 here.
    pub fn weight(&self, other: &Fitness) -> f64 {
        match self.measure.lower_is_better() {
            false => share(self.total as f64, other.total as f64),
            true => share(other.cost(), self.cost()),
        }
    }

    /// The total where less is better, what was not solved counted in.
    fn cost(&self) -> f64 {
        let (games, solved) = (self.games as f64, self.solved as f64);
        match self.solved {
            0 => f64::INFINITY,
            _ => self.total as f64 * ((solved + UNSOLVED * (games - solved)) / solved),
        }
    }
}

/// The part of one in the sum of two.
fn share(one: f64, other: f64) -> f64 {
    let (one, other) = (one.max(0.0), other.max(0.0));
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
    fn more_ends_come_before_a_better_total() {
        let better = |lower, one: (u64, i64), other: (u64, i64)| {
            let of = |(solved, total)| fitness(lower, 9, solved, total);
            of(one).compare(&of(other)) == Ordering::Less
        };
        assert!(better(false, (9, 20), (9, 19)) && better(true, (9, 19), (9, 20)));
        assert!(better(false, (9, 1), (8, 99)) && better(true, (9, 99), (8, 1)));
        assert!(!better(false, (9, 1), (9, 1)));
    }

    /// Worked by hand.
    #[test]
    fn the_better_parent_weighs_more() {
        for (lower, one, other, weight) in [
            (false, (4, 300), (4, 100), 0.75),
            (false, (4, 0), (4, 100), 0.0),
            (false, (4, 0), (4, 0), 0.5),
            (false, (4, -5), (4, 100), 0.0),
            (false, (4, -5), (4, -3), 0.5),
            // 1/100 and 1/300 are as 3 and 1.
            (true, (4, 100), (4, 300), 0.75),
            (true, (4, 0), (4, 300), 1.0),
            (true, (4, 0), (4, 0), 0.5),
            // Three of four solved with 30 each cost 90 and 60 more; 150 and 100 are as 3 and 2.
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
    fn points_are_of_a_whole_table() {
        assert_eq!(Measure::HalfPoints { others: 1 }.value(3.0), 1.5);
        assert_eq!(Measure::HalfPoints { others: 3 }.value(3.0), 0.5);
        assert_eq!(Measure::Score { lower_is_better: true }.value(3.0), 3.0);
    }
}
