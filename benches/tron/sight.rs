//! Cost of evaluating a position.

use crate::queue::{Board, Found, Queue};
use arbitre::bots::tron::best::bitboards::{Bitboard, SmallGrid};
use arbitre::bots::tron::best::chamber_tree::ChamberTree;
use arbitre::bots::tron::best::evaluation::OPEN;
use arbitre::bots::tron::best::position::TwoPlayerPosition;
use arbitre::bots::tron::best::simd::SimdBitboard;
use arbitre::bots::tron::best::voronoi::regions;
use arbitre::search::cpu_time::thread_time;
use arbitre_test_support::median::median;
use std::hint::black_box;

/// Evaluations of each position per round and method. Not tuned.
const TIMES: usize = 20;

/// Nanoseconds per position, by round.
#[derive(Default)]
struct Nanos(Vec<f64>);

impl Nanos {
    fn add<T, V>(&mut self, positions: &[T], mut operation: impl FnMut(&T) -> V) {
        let begun = thread_time().expect("CPU time is available");
        for _ in 0..TIMES {
            for position in positions {
                black_box(operation(black_box(position)));
            }
        }
        let spent = thread_time().expect("CPU time was available before") - begun;
        self.0.push(spent.as_nanos() as f64 / (TIMES * positions.len()) as f64);
    }

    fn row(&self, name: &str) {
        let middle = median(self.0.iter().copied());
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        println!("  {name:<44} {middle:>10.0} {least:>10.0}");
    }

    /// Prints the row of a slower method with the median of its ratios to `ours`.
    fn rival(&self, name: &str, ours: &Nanos) {
        let ratio = median(self.0.iter().zip(&ours.0).map(|(rival, ours)| rival / ours));
        self.row(&format!("{name}: {ratio:.1} times as long"));
    }
}

/// Times of each method.
#[derive(Default)]
struct Costs {
    vectors: Nanos,
    counted: Nanos,
    rows: Nanos,
    branching: Nanos,
    branchless: Nanos,
    evaluation: Nanos,
}

impl Costs {
    fn round(
        &mut self,
        positions: &[TwoPlayerPosition<SmallGrid>],
        boards: &[Board],
        queue: &mut Queue,
    ) {
        self.vectors.add(positions, vectors);
        self.counted.add(positions, |position| counts(vectors(position)));
        self.rows.add(positions, rows);
        // Methods alternate within a round, so that drift of the machine affects all alike.
        self.branching.add(boards, |board| queue.flood::<true>(board));
        self.branchless.add(boards, |board| queue.flood::<false>(board));
        let mut tree = ChamberTree::default();
        self.evaluation.add(positions, |position| SmallGrid::evaluate(position, OPEN, &mut tree));
    }

    fn print(&self) {
        self.vectors.row(if has_vectors() {
            "vector registers"
        } else {
            "no AVX2: the twin again"
        });
        self.counted.row("the same, and the cells counted");
        self.rows.rival("portable twin", &self.vectors);
        self.branching.rival("queue of cells", &self.vectors);
        self.branchless.rival("queue without branches", &self.vectors);
        println!("  aims: at most 250 ns in vectors, at least 14 times as long by a queue\n");
        println!("evaluation");
        self.evaluation.row("all of it");
        println!("  aim: at most 2000 ns\n");
    }
}

/// Measures all methods and prints the results.
///
/// # Panics
/// Panics if the methods find different regions.
pub fn compare(positions: &[TwoPlayerPosition<SmallGrid>], rounds: usize) {
    let boards: Vec<Board> = positions.iter().map(Board::of).collect();
    let mut queue = Queue::new();
    let found =
        positions.iter().zip(&boards).map(|(position, board)| agreed(position, board, &mut queue));
    let steps = found.map(|found| f64::from(found.steps)).sum::<f64>() / positions.len() as f64;
    let mut costs = Costs::default();
    for _ in 0..rounds {
        costs.round(positions, &boards, &mut queue);
    }
    println!("zones of both, {steps:.1} steps on average; all ways agree on every position");
    println!("  {:<44} {:>10} {:>10}", format!("ns, {rounds} rounds"), "median", "least");
    costs.print();
}

/// Returns the result on which all methods agree.
fn agreed(position: &TwoPlayerPosition<SmallGrid>, board: &Board, queue: &mut Queue) -> Found {
    let found = queue.flood::<false>(board);
    assert_eq!(queue.flood::<true>(board), found, "{position:?}");
    assert_eq!(counts(vectors(position)), found.counts, "{position:?}");
    assert_eq!(counts(rows(position)), found.counts, "{position:?}");
    found
}

fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn vectors(position: &TwoPlayerPosition<SmallGrid>) -> [SmallGrid; 2] {
    SmallGrid::regions(&position.free, position.heads)
}

fn rows(position: &TwoPlayerPosition<SmallGrid>) -> [SmallGrid; 2] {
    regions(position.free, position.heads)
}

fn counts(regions: [SmallGrid; 2]) -> [u32; 2] {
    regions.map(|region| region.count())
}
