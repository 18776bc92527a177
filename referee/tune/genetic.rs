//! How a generation follows from the one before.
//!
//! The scheme is that of M. de Falco and J.-J. Fleck ("Participation à l'ICFP 2015", section 4), and the
//! default is theirs to the letter: twelve candidates, of which four are the best of the generation
//! before, six are children of these two by two, and two are drawn anew. A number of a child is drawn
//! anew once in ten times; else it is `c p1 + (1 - c) p2`, where `c` is the part `r1/(r1+r2)` of the
//! first parent in both results, plus or minus a random number below 1.
//!
//! What that leaves open is ruled so: a mean is cut towards zero, as `int` does it in their program, and
//! is no less than the least number of its range, as their ranges begin at 0; no upper end holds it, as
//! none is written there. The first generation is the ancestor with random candidates. Who comes first
//! in a generation is before others of the same result.

use super::fitness::Fitness;
use super::gene::{GeneRange, Genome};
use arbitre_games::game::ParseError;
use arbitre_games::rng::Rng;
use serde::Serialize;
use std::collections::HashSet;

/// The parameters of the scheme.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GeneticAlgorithm {
    /// Candidates of a generation.
    pub candidates: usize,
    /// How many of them are the best of the generation before.
    pub parents: usize,
    /// How many of them are drawn anew; all others are children.
    pub new: usize,
    /// How likely a number of a child is drawn anew, between 0 and 1.
    pub mutation: f64,
    /// Do children stay below the upper ends of the ranges too?
    pub clamp: bool,
    /// Are parents different from each other, as far as there are enough different candidates?
    pub distinct: bool,
    /// What numbers are drawn from.
    #[serde(skip)]
    pub gene_ranges: Vec<GeneRange>,
}

/// Whoever is to be judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Its numbers.
    pub genome: Genome,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a candidate comes from. Indices are of the generation before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is what the tuning began with.
    Ancestor,
    /// It was drawn.
    New,
    /// It was among the best.
    Parent(usize),
    /// It is the child of two of the best.
    Child([usize; 2]),
}

impl Origin {
    /// The word for it.
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
    /// The scheme of the source, for genomes of these numbers.
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

    /// Checks that it makes generations.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self) -> Result<(), ParseError> {
        let GeneticAlgorithm { candidates, parents, new, mutation, .. } = *self;
        let refuse = |why: String| Err(ParseError::new(why));
        if parents == 0 || parents + new > candidates {
            return refuse(format!(
                "{parents} parents and {new} new candidates are no generation of {candidates}"
            ));
        }
        if parents == 1 && self.children() > 0 {
            let children = self.children();
            return refuse(format!(
                "{children} children have more than one parent: say --parents 2"
            ));
        }
        if !(0.0..=1.0).contains(&mutation) {
            return refuse(format!("a share is a number from 0 to 1, not {mutation}"));
        }
        Ok(())
    }

    /// The children of a generation.
    pub fn children(&self) -> usize {
        self.candidates - self.parents - self.new
    }

    /// The first generation.
    pub fn first(&self, ancestor: &Genome, rng: &mut Rng) -> Vec<Candidate> {
        let mut candidates = vec![Candidate { genome: ancestor.clone(), origin: Origin::Ancestor }];
        candidates.extend((1..self.candidates).map(|_| self.draw(rng)));
        candidates
    }

    /// The generation after these candidates, whose results are `fitness`: the parents, the children of
    /// all pairs of parents in turn, the better pairs first, and the new ones.
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

    /// The parents of the next generation, the best first.
    fn best(&self, before: &[Candidate], fitness: &[Fitness]) -> Vec<usize> {
        let mut order = ranking(fitness);
        if self.distinct {
            let genome = |at: &usize| &before[*at].genome;
            let mut seen = HashSet::new();
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

    /// A child of two, of whom the first has this part in it.
    fn child(&self, one: &Genome, other: &Genome, weight: f64, rng: &mut Rng) -> Genome {
        let numbers = one.iter().zip(other).zip(&self.gene_ranges);
        let number = |((&one, &other), range): ((&i64, &i64), &GeneRange)| {
            if rng.unit() < self.mutation {
                return range.draw(rng);
            }
            let sign = [1.0, -1.0][rng.below(2)];
            let mean = blend(one, other, weight + sign * rng.unit());
            mean.max(range.low).min(if self.clamp { range.high } else { i64::MAX })
        };
        numbers.map(number).collect()
    }
}

/// The mean of two numbers, of which the first has this part, cut towards zero.
fn blend(one: i64, other: i64, part: f64) -> i64 {
    (part * one as f64 + (1.0 - part) * other as f64) as i64
}

/// The candidates with these results, by their numbers, the best first.
pub fn ranking(fitness: &[Fitness]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&one, &other| fitness[one].compare(&fitness[other]));
    order
}

/// All pairs, in lexicographic order.
fn pairs(items: &[usize]) -> Vec<[usize; 2]> {
    let with = |(at, &one): (usize, &usize)| {
        items[at + 1..].iter().map(move |&other| [one, other]).collect::<Vec<_>>()
    };
    items.iter().enumerate().flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand: 0.25 of 3 and 0.75 of 7 are 6; a part beyond 1 goes past the first parent.
    #[test]
    fn means_are_cut_towards_zero() {
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
    fn pairs_are_in_the_order_of_their_parents() {
        let found = pairs(&[8, 3, 5, 0]);
        assert_eq!(found, [[8, 3], [8, 5], [8, 0], [3, 5], [3, 0], [5, 0]]);
    }

    #[test]
    fn a_scheme_must_make_generations() {
        let usual = || GeneticAlgorithm::of_the_source(Vec::new());
        assert_eq!((usual().check(), usual().children()), (Ok(()), 6));
        for (scheme, part) in [
            (GeneticAlgorithm { parents: 11, ..usual() }, "11 parents and 2 new candidates are no"),
            (GeneticAlgorithm { parents: 0, ..usual() }, "0 parents"),
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
