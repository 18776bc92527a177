//! The genetic algorithm, compared with the program of its source and with a reference
//! implementation.

use arbitre::internals::tune::fitness::{Fitness, Measure};
use arbitre::internals::tune::gene::{GeneRange, Genome};
use arbitre::internals::tune::genetic::{Candidate, GeneticAlgorithm, Origin};
use arbitre::internals::tune::run::TuningRun;
use arbitre::rng::Rng;

const LOCUS: GeneRange = GeneRange { low: 0, high: 10 };

fn fitness(lower_is_better: bool, total: i64) -> Fitness {
    let measure = Measure::Score { lower_is_better };
    Fitness { games: 1, solved: 1, total, ..Fitness::of(measure, &[]) }
}

/// Runs `generations` generations.
fn run(mut course: TuningRun, generations: usize, worth: impl Fn(&Genome) -> Fitness) -> TuningRun {
    for _ in 0..generations {
        let candidates = course.next();
        let fitness = candidates.iter().map(|candidate| worth(&candidate.genome)).collect();
        course.take(candidates, fitness);
    }
    course
}

/// For a generation: the best result, the best genome, the sum of all results, and the sum of all
/// numbers times their row and column.
type Line = (i64, [i64; 6], i64, i64);

/// Output of the source's own program: section 4, `reproduction` and `cree_candidat` to the letter,
/// with the rulings on 0. Its `random` is replaced by the generator of this project.
const OF_THE_SOURCE: [Line; 10] = [
    (327, [2, 6, 9, 4, 3, 4], 2262, 8811),
    (327, [2, 6, 9, 4, 3, 4], 2822, 7146),
    (327, [2, 6, 9, 4, 3, 4], 3128, 7722),
    (344, [8, 6, 9, 4, 2, 4], 3287, 8007),
    (394, [7, 6, 9, 4, 2, 4], 3616, 7373),
    (411, [7, 6, 9, 4, 5, 4], 3552, 8019),
    (412, [7, 6, 8, 4, 3, 4], 4052, 7568),
    (414, [7, 6, 7, 4, 5, 4], 4324, 8096),
    (462, [7, 6, 8, 4, 4, 4], 4397, 7818),
    (464, [7, 6, 7, 4, 4, 4], 4340, 8073),
];

#[test]
fn run_matches_the_program_of_the_source() {
    let scheme = GeneticAlgorithm::of_the_source(vec![LOCUS; 6]);
    let near = |genome: &Genome| {
        let parts = genome.iter().zip([7, 7, 1, 4, 4, 4]);
        fitness(false, parts.map(|(number, best)| 100 / (1 + (number - best).abs())).sum())
    };
    let course = run(TuningRun::new(scheme, vec![3, 2, 1, 100, 1, 100], 2015), 10, near);
    let lines: Vec<Line> = course
        .generations()
        .iter()
        .map(|generation| {
            let best = generation.best();
            let results = generation.fitness.iter().map(|fitness| fitness.total).sum();
            let numbers = generation.candidates.iter().zip(1..).flat_map(|(candidate, row)| {
                candidate.genome.iter().zip(1..).map(move |(number, column)| row * column * number)
            });
            let genome = generation.candidates[best].genome.clone();
            let genome = genome.try_into().expect("six numbers");
            (generation.fitness[best].total, genome, results, numbers.sum())
        })
        .collect();
    assert_eq!(lines, OF_THE_SOURCE);
    assert_eq!(course.winner(), &[7, 6, 7, 4, 4, 4]);
}

/// Reference implementation, generation by generation, written after the source for clarity.
struct Twin<'a> {
    scheme: &'a GeneticAlgorithm,
    lower_is_better: bool,
}

impl Twin<'_> {
    fn random(&self, rng: &mut Rng) -> Vec<i64> {
        let mut genome = Vec::new();
        for locus in &self.scheme.gene_ranges {
            genome.push(locus.low + rng.below((locus.high - locus.low + 1) as usize) as i64);
        }
        genome
    }

    /// Takes the best remaining candidate repeatedly.
    fn best(&self, genomes: &[Vec<i64>], results: &[i64]) -> Vec<usize> {
        let mut left: Vec<usize> = (0..results.len()).collect();
        let mut taken = Vec::new();
        while taken.len() < self.scheme.parents {
            let mut at = 0;
            for other in 1..left.len() {
                let (here, there) = (results[left[at]], results[left[other]]);
                let is_better = if self.lower_is_better { there < here } else { there > here };
                let is_again = |at: usize| {
                    let genome = &genomes[left[at]];
                    self.scheme.distinct && taken.iter().any(|&one: &usize| genomes[one] == *genome)
                };
                if (is_again(at) && !is_again(other))
                    || (is_again(at) == is_again(other) && is_better)
                {
                    at = other;
                }
            }
            taken.push(left.remove(at));
        }
        taken
    }

    fn child(&self, parents: [&[i64]; 2], results: [i64; 2], rng: &mut Rng) -> Vec<i64> {
        let [mine, theirs] = if self.lower_is_better { [results[1], results[0]] } else { results };
        let weight = if mine + theirs == 0 { 0.5 } else { mine as f64 / (mine + theirs) as f64 };
        let mut child = Vec::new();
        for (at, locus) in self.scheme.gene_ranges.iter().enumerate() {
            if rng.unit() < self.scheme.mutation {
                child.push(locus.low + rng.below((locus.high - locus.low + 1) as usize) as i64);
                continue;
            }
            let plus = rng.below(2) == 0;
            let factor = rng.unit();
            let part = if plus { weight + factor } else { weight - factor };
            let mean = part * parents[0][at] as f64 + (1.0 - part) * parents[1][at] as f64;
            let mut number =
                if mean < 0.0 { -((-mean).floor() as i64) } else { mean.floor() as i64 };
            if number < locus.low {
                number = locus.low;
            }
            if self.scheme.clamp && number > locus.high {
                number = locus.high;
            }
            child.push(number);
        }
        child
    }

    fn next(&self, genomes: &[Vec<i64>], results: &[i64], rng: &mut Rng) -> Vec<Vec<i64>> {
        let best = self.best(genomes, results);
        let mut next: Vec<Vec<i64>> = best.iter().map(|&at| genomes[at].clone()).collect();
        while next.len() < self.scheme.candidates - self.scheme.new {
            for one in 0..best.len() {
                for other in one + 1..best.len() {
                    if next.len() < self.scheme.candidates - self.scheme.new {
                        let pair = [best[one], best[other]];
                        let parents = pair.map(|at| &genomes[at][..]);
                        next.push(self.child(parents, pair.map(|at| results[at]), rng));
                    }
                }
            }
        }
        while next.len() < self.scheme.candidates {
            next.push(self.random(rng));
        }
        next
    }
}

/// Draws valid settings of the algorithm.
fn draw_scheme(rng: &mut Rng) -> GeneticAlgorithm {
    let parents = 2 + rng.below(4);
    let (new, children) = (rng.below(4), rng.below(14));
    let locus = |rng: &mut Rng| {
        let low = rng.below(12) as i64 - 6;
        GeneRange { low, high: low + rng.below(12) as i64 }
    };
    let gene_ranges = (0..1 + rng.below(5)).map(|_| locus(rng)).collect();
    let (mutation, clamp) = ([0.0, 0.1, 0.5, 1.0][rng.below(4)], rng.below(2) == 0);
    let (candidates, distinct) = (parents + new + children, rng.below(2) == 0);
    GeneticAlgorithm { candidates, parents, new, mutation, clamp, distinct, gene_ranges }
}

#[test]
fn run_matches_the_reference_implementation() {
    let mut rng = Rng::new(2026);
    for round in 0..300u64 {
        let scheme = draw_scheme(&mut rng);
        scheme.check().unwrap();
        let lower_is_better = rng.below(2) == 0;
        // Few values, so that many results are equal, and some are 0.
        let (values, shift) = (1 + rng.below(40) as i64, rng.below(9) as i64);
        let worth = |genome: &[i64]| {
            genome.iter().fold(shift, |sum, number| sum * 31 + number).rem_euclid(values)
        };
        let ancestor: Genome =
            scheme.gene_ranges.iter().map(|_| rng.below(200) as i64 - 20).collect();
        let course = TuningRun::new(scheme.clone(), ancestor.clone(), round);
        let course = run(course, 6, |genome| fitness(lower_is_better, worth(genome)));
        let twin = Twin { scheme: &scheme, lower_is_better };
        let mut genomes = vec![ancestor];
        let mut numbers = Rng::new(round).fork(0);
        while genomes.len() < scheme.candidates {
            genomes.push(twin.random(&mut numbers));
        }
        for (number, generation) in course.generations().iter().enumerate() {
            let found: Vec<&Genome> =
                generation.candidates.iter().map(|candidate| &candidate.genome).collect();
            assert_eq!(
                found,
                genomes.iter().collect::<Vec<_>>(),
                "{round}: {number} of {scheme:?}"
            );
            let results: Vec<i64> = genomes.iter().map(|genome| worth(genome)).collect();
            genomes = twin.next(&genomes, &results, &mut Rng::new(round).fork(number as u64 + 1));
        }
    }
}

/// The origin of a candidate names its parents.
#[test]
fn origins_are_recorded() {
    let scheme = GeneticAlgorithm::of_the_source(vec![LOCUS; 3]);
    let course =
        run(TuningRun::new(scheme, vec![1, 2, 3], 7), 2, |genome| fitness(false, genome[0]));
    let [first, second] = course.generations() else { panic!("two generations") };
    assert_eq!(first.candidates[0].origin, Origin::Ancestor);
    assert!(first.candidates[1..].iter().all(|candidate| candidate.origin == Origin::New));
    let words: Vec<&str> = second.candidates.iter().map(|one| one.origin.word()).collect();
    assert_eq!(words, [vec!["parent"; 4], vec!["child"; 6], vec!["new"; 2]].concat());
    for Candidate { genome, origin } in &second.candidates {
        if let Origin::Parent(at) = origin {
            assert_eq!(genome, &first.candidates[*at].genome);
        }
    }
    let of = |at: usize| match second.candidates[at].origin {
        Origin::Parent(parent) => parent,
        other => panic!("{other:?}"),
    };
    assert_eq!(second.candidates[4].origin, Origin::Child([of(0), of(1)]));
    assert_eq!(second.candidates[9].origin, Origin::Child([of(2), of(3)]));
    assert!(second.fitness[0].total >= second.fitness[3].total);
}
