//! A run of the genetic algorithm, generation by generation.

use super::fitness::Fitness;
use super::gene::Genome;
use super::genetic::{ranking, Candidate, GeneticAlgorithm};
use arbitre_games::rng::Rng;

/// A generation with its results.
#[derive(Clone, PartialEq, Debug)]
pub struct Generation {
    /// Candidates in the order of their creation.
    pub candidates: Vec<Candidate>,
    /// Result of each candidate.
    pub fitness: Vec<Fitness>,
}

impl Generation {
    /// Returns the index of the best candidate.
    pub fn best(&self) -> usize {
        ranking(&self.fitness)[0]
    }

    /// Returns the median result: of two in the middle, the better one.
    pub fn median(&self) -> Fitness {
        let order = ranking(&self.fitness);
        self.fitness[order[(order.len() - 1) / 2]]
    }
}

/// Generations of a run so far. They follow from the seed and the results alone: a run with the
/// same results has the same candidates. To resume it, only the results must be kept.
#[derive(Clone, Debug)]
pub struct TuningRun {
    /// Parameters of the genetic algorithm.
    pub algorithm: GeneticAlgorithm,
    ancestor: Genome,
    /// Seed of the genetic algorithm.
    pub seed: u64,
    generations: Vec<Generation>,
}

impl TuningRun {
    /// Creates a run without generations.
    pub fn new(algorithm: GeneticAlgorithm, ancestor: Genome, seed: u64) -> TuningRun {
        TuningRun { algorithm, ancestor, seed, generations: Vec::new() }
    }

    /// Returns the evaluated generations.
    pub fn generations(&self) -> &[Generation] {
        &self.generations
    }

    /// Returns the candidates of the next generation. Each generation has a random stream of its
    /// own.
    pub fn next(&self) -> Vec<Candidate> {
        let mut rng = Rng::new(self.seed).fork(self.generations.len() as u64);
        match self.generations.last() {
            None => self.algorithm.first(&self.ancestor, &mut rng),
            Some(last) => self.algorithm.next(&last.candidates, &last.fitness, &mut rng),
        }
    }

    /// Adds the next generation with its results.
    ///
    /// # Panics
    /// Panics if the numbers of candidates and results differ.
    pub fn take(&mut self, candidates: Vec<Candidate>, fitness: Vec<Fitness>) {
        assert_eq!(candidates.len(), fitness.len(), "each candidate has a result");
        self.generations.push(Generation { candidates, fitness });
    }

    /// Returns the best genome of the last generation, or the ancestor before the first one. The
    /// best of a generation stay, so no earlier genome is better.
    pub fn winner(&self) -> &Genome {
        match self.generations.last() {
            None => &self.ancestor,
            Some(last) => &last.candidates[last.best()].genome,
        }
    }

    /// Returns the genome that the run began with.
    pub fn ancestor(&self) -> &Genome {
        &self.ancestor
    }
}
