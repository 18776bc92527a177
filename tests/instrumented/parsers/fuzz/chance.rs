//! Random choices of a case.

use crate::parsers::mutation::{mutations, tweaks};
use arbitre::rng::Rng;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Source of the random choices of a case.
pub struct Chance {
    rng: Rng,
    runner: TestRunner,
}

impl Chance {
    pub fn new(seed: u64) -> Chance {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Chance { rng: Rng::new(seed), runner: TestRunner::new_with_rng(Config::default(), rng) }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.rng.below(items.len())]
    }

    /// Returns a valid input with a few changes.
    pub fn mutated(&mut self, valid: &[u8]) -> Vec<u8> {
        let strategy = match self.below(3) {
            0 => mutations(vec![valid.to_vec()]).boxed(),
            _ => tweaks(valid.to_vec()).boxed(),
        };
        strategy.new_tree(&mut self.runner).expect("no choice is rejected").current()
    }
}
