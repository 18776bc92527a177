//! A run of the algorithm, generation by generation.

use super::fitness::Fitness;
use super::gene::Genome;
use super::genetic::{ranking, Candidate, GeneticAlgorithm};
use arbitre_games::rng::Rng;

/// A generation whose candidates were judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Generation {
    /// The candidates, in the order in which the scheme made them.
    pub candidates: Vec<Candidate>,
    /// The result of each.
    pub fitness: Vec<Fitness>,
}

impl Generation {
    /// The number of the best candidate.
    pub fn best(&self) -> usize {
        ranking(&self.fitness)[0]
    }

    /// The result in the middle, the better one of two.
    pub fn median(&self) -> Fitness {
        let order = ranking(&self.fitness);
        self.fitness[order[(order.len() - 1) / 2]]
    }
}

/// The generations so far. All follows from the seed and the results: whoever runs it again with the
/// same comes to the same candidates, so that nothing but results need be kept to go on with it.
#[derive(Clone, Debug)]
pub struct TuningRun {
    algorithm: GeneticAlgorithm,
    ancestor: Genome,
    seed: u64,
    generations: Vec<Generation>,
}

impl TuningRun {
    /// A course that begins.
    pub fn new(algorithm: GeneticAlgorithm, ancestor: Genome, seed: u64) -> TuningRun {
        TuningRun { algorithm, ancestor, seed, generations: Vec::new() }
    }

    /// The generations that were judged.
    pub fn generations(&self) -> &[Generation] {
        &self.generations
    }

    /// The candidates of the next generation. Each generation has random numbers of its own.
    pub fn next(&self) -> Vec<Candidate> {
        let mut rng = Rng::new(self.seed).fork(self.generations.len() as u64);
        match self.generations.last() {
            None => self.algorithm.first(&self.ancestor, &mut rng),
            Some(last) => self.algorithm.next(&last.candidates, &last.fitness, &mut rng),
        }
    }

    /// Takes the results of the next generation.
    ///
    /// # Panics
    /// If there is not one for each candidate.
    pub fn take(&mut self, candidates: Vec<Candidate>, fitness: Vec<Fitness>) {
        assert_eq!(candidates.len(), fitness.len(), "each candidate has a result");
        self.generations.push(Generation { candidates, fitness });
    }

    /// Whoever is best in the end, as the best stay; the ancestor before the first generation.
    pub fn winner(&self) -> &Genome {
        match self.generations.last() {
            None => &self.ancestor,
            Some(last) => &last.candidates[last.best()].genome,
        }
    }

    /// What the course began with.
    pub fn ancestor(&self) -> &Genome {
        &self.ancestor
    }
}
