//! Creation of a generation from the one before.
//!
//! The algorithm is that of M. de Falco and J.-J. Fleck ("Participation à l'ICFP 2015", section 4),
//! and the defaults are theirs. A generation has twelve candidates: the four best of the generation
//! before, one child of each pair of these, and two new random ones. Each number of a child is
//! drawn anew with a probability of 0.1. Otherwise it is `c p1 + (1 - c) p2`. The factor `c` is the
//! weight of the first parent, plus or minus a random number below 1. The weight is `r1/(r1+r2)`,
//! the share of the first parent in both results.
//!
//! The source leaves some points open. Here a mean is truncated towards zero, as by `int` in their
//! program. It is at least the lower bound of its range, as their ranges begin at 0. The upper
//! bound does not limit it, as the source gives none. The first generation is the ancestor with
//! random candidates. Of equal results the one that comes first in its generation ranks first.

use super::fitness::Fitness;
use super::gene::{GeneRange, Genome};
use arbitre_games::game::ParseError;
use arbitre_games::rng::Rng;
use serde::Serialize;
use std::collections::HashSet;

/// Parameters of the genetic algorithm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GeneticAlgorithm {
    /// Number of candidates of a generation.
    pub candidates: usize,
    /// Number of parents, which are the best of the generation before.
    pub parents: usize,
    /// Number of new random candidates; all others are children.
    pub new: usize,
    /// Probability that a number of a child is drawn anew, between 0 and 1.
    pub mutation: f64,
    /// Whether the upper bounds of the ranges limit children too.
    pub clamp: bool,
    /// Whether parents have different genomes, as far as there are enough different candidates.
    pub distinct: bool,
    /// Range of each number of a genome.
    #[serde(skip)]
    pub gene_ranges: Vec<GeneRange>,
}

/// A candidate of a generation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Numbers of the candidate.
    pub genome: Genome,
    /// Origin of the candidate.
    pub origin: Origin,
}

/// Origin of a candidate. Indices are those of the generation before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Genome that the tuning began with.
    Ancestor,
    /// Random genome.
    New,
    /// One of the best of the generation before.
    Parent(usize),
    /// Child of two of the best.
    Child([usize; 2]),
}

impl Origin {
    /// Returns the name of the origin.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Ancestor => "ancestor",
            Origin::New => "new",
            Origin::Parent(_) => "parent",
            Origin::Child(_) => "child",
        }
    }
}

impl GeneticAlgorithm {
    /// Returns the parameters of the source, for genomes with these ranges.
    pub fn of_the_source(gene_ranges: Vec<GeneRange>) -> GeneticAlgorithm {
        GeneticAlgorithm {
            candidates: 12,
            parents: 4,
            new: 2,
            mutation: 0.1,
            clamp: false,
            distinct: false,
            gene_ranges,
        }
    }

    /// Checks that the parameters can produce generations.
    ///
    /// # Errors
    /// Returns an error if they cannot produce any.
    pub fn check(&self) -> Result<(), ParseError> {
        let GeneticAlgorithm { candidates, parents, new, mutation, .. } = *self;
        let refuse = |why: String| Err(ParseError::new(why));
        if parents == 0 || parents + new > candidates {
            return refuse(format!(
                "expected 1 to {candidates} parents and new candidates, got {parents} and {new}"
            ));
        }
        if parents == 1 && self.children() > 0 {
            let children = self.children();
            return refuse(format!(
                "expected at least 2 parents for {children} children, got 1; help: write --parents 2"
            ));
        }
        // NaN is in no range, so it is refused too.
        if !(0.0..=1.0).contains(&mutation) {
            return refuse(format!("--mutation: expected a share from 0 to 1, got {mutation}"));
        }
        Ok(())
    }

    /// Returns the number of children of a generation.
    pub fn children(&self) -> usize {
        self.candidates - self.parents - self.new
    }

    /// Returns the first generation: the ancestor and random candidates.
    pub fn first(&self, ancestor: &Genome, rng: &mut Rng) -> Vec<Candidate> {
        let mut candidates = vec![Candidate { genome: ancestor.clone(), origin: Origin::Ancestor }];
        candidates.extend((1..self.candidates).map(|_| self.draw(rng)));
        candidates
    }

    /// Returns the generation after `before`, whose results are `fitness`: parents, children and
    /// new candidates. All pairs of parents have children in turn, the better pairs first.
    pub fn next(&self, before: &[Candidate], fitness: &[Fitness], rng: &mut Rng) -> Vec<Candidate> {
        let best = &self.best(before, fitness);
        let parent = |&at: &usize| {
            let genome = before[at].genome.clone();
            Candidate { genome, origin: Origin::Parent(at) }
        };
        let mut candidates: Vec<Candidate> = best.iter().map(parent).collect();
        for [one, other] in pairs(best).into_iter().cycle().take(self.children()) {
            let weight = fitness[one].weight(&fitness[other]);
            let genome = self.child(&before[one].genome, &before[other].genome, weight, rng);
            candidates.push(Candidate { genome, origin: Origin::Child([one, other]) });
        }
        candidates.extend((0..self.new).map(|_| self.draw(rng)));
        candidates
    }

    /// Returns the indices of the parents of the next generation, the best first.
    fn best(&self, before: &[Candidate], fitness: &[Fitness]) -> Vec<usize> {
        let mut order = ranking(fitness);
        if self.distinct {
            let genome = |at: &usize| &before[*at].genome;
            let mut seen = HashSet::new();
            // Copies are parents only if there are too few different genomes.
            let (first, again): (Vec<usize>, Vec<usize>) =
                order.into_iter().partition(|at| seen.insert(genome(at)));
            order = [first, again].concat();
        }
        order.truncate(self.parents);
        order
    }

    fn draw(&self, rng: &mut Rng) -> Candidate {
        let genome = self.gene_ranges.iter().map(|range| range.draw(rng)).collect();
        Candidate { genome, origin: Origin::New }
    }

    /// Returns a child of two parents. `weight` is the weight of the first one.
    fn child(&self, one: &Genome, other: &Genome, weight: f64, rng: &mut Rng) -> Genome {
        let numbers = one.iter().zip(other).zip(&self.gene_ranges);
        let number = |((&one, &other), range): ((&i64, &i64), &GeneRange)| {
            if rng.unit() < self.mutation {
                return range.draw(rng);
            }
            // The factor may be below 0 or above 1: a child may lie beyond both parents.
            let sign = [1.0, -1.0][rng.below(2)];
            let mean = blend(one, other, weight + sign * rng.unit());
            mean.max(range.low).min(if self.clamp { range.high } else { i64::MAX })
        };
        numbers.map(number).collect()
    }
}

/// Returns the weighted mean of two numbers, truncated towards zero. `part` is the weight of `one`.
fn blend(one: i64, other: i64, part: f64) -> i64 {
    (part * one as f64 + (1.0 - part) * other as f64) as i64
}

/// Returns the indices of the candidates with these results, the best first.
pub fn ranking(fitness: &[Fitness]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    // The sort is stable: of equal results the earlier candidate ranks first.
    order.sort_by(|&one, &other| fitness[one].compare(&fitness[other]));
    order
}

/// Returns all pairs in lexicographic order.
fn pairs(items: &[usize]) -> Vec<[usize; 2]> {
    let with = |(at, &one): (usize, &usize)| {
        items[at + 1..].iter().map(move |&other| [one, other]).collect::<Vec<_>>()
    };
    items.iter().enumerate().flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: 0.25 of 3 plus 0.75 of 7 is 6. A weight above 1 leads beyond the first
    /// parent.
    #[test]
    fn means_are_truncated_towards_zero() {
        for (one, other, part, mean) in [
            (3, 7, 0.25, 6),
            (3, 8, 0.5, 5),
            (-3, -8, 0.5, -5),
            (10, 0, -0.5, -5),
            (10, 4, 1.5, 13),
            (100, 0, 1.999, 199),
            (7, 7, -0.75, 7),
            (-1, 0, 0.75, 0),
        ] {
            assert_eq!(blend(one, other, part), mean, "{one} {other} {part}");
        }
    }

    #[test]
    fn pairs_are_in_lexicographic_order() {
        let found = pairs(&[8, 3, 5, 0]);
        assert_eq!(found, [[8, 3], [8, 5], [8, 0], [3, 5], [3, 0], [5, 0]]);
    }

    #[test]
    fn parameters_without_a_generation_are_refused() {
        let usual = || GeneticAlgorithm::of_the_source(Vec::new());
        assert_eq!((usual().check(), usual().children()), (Ok(()), 6));
        for (scheme, part) in [
            (
                GeneticAlgorithm { parents: 11, ..usual() },
                "parents and new candidates, got 11 and 2",
            ),
            (GeneticAlgorithm { parents: 0, ..usual() }, "got 0 and 2"),
            (GeneticAlgorithm { parents: 1, ..usual() }, "--parents 2"),
            (GeneticAlgorithm { mutation: 1.5, ..usual() }, "from 0 to 1"),
            (GeneticAlgorithm { mutation: f64::NAN, ..usual() }, "from 0 to 1"),
        ] {
            let error = scheme.check().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(
            GeneticAlgorithm { candidates: 3, parents: 1, new: 2, ..usual() }.check(),
            Ok(())
        );
    }
}
