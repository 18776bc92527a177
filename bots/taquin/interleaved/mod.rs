//! IDA* guided by pattern databases that know the zone of the blank, for speed. Looks into large tables wait for memory,
//! so that a thread expands several boards at once.

mod batch;
mod expander;
mod node;
mod wide;

use super::automaton::Automaton;
use super::deepen::{deepen, Counts, Iteration, Outcome, Start};
use super::forest::{Forest, Root};
use super::heuristic::Heuristic;
use super::pattern::Patterns;
use super::solution::{Effort, Ending, Solution};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use batch::{Batch, BATCH};
use expander::Expander;
use node::{Node, Word};

/// Nodes between two questions to the meter.
const BETWEEN_QUESTIONS: u64 = 256;

/// Solves a board optimally, as long as the meter allows, in so many threads. The length of the path does not depend
/// on their number; which of several shortest paths it is may.
///
/// # Panics
/// If the patterns leave the zone of the blank out, or the board is not square.
pub fn interleaved(
    patterns: &Patterns,
    automaton: &Automaton,
    board: &Board,
    meter: &mut Limiter,
    threads: usize,
) -> Solution {
    if !board.is_solvable() {
        return Solution::without_path(Ending::Unsolvable, Effort::default());
    }
    match board.cells().len() {
        ..=16 => Interleaved::<u64>::new(patterns, automaton, board).solve(meter, threads),
        _ => Interleaved::<u128>::new(patterns, automaton, board).solve(meter, threads),
    }
}

/// The search of a board.
pub struct Interleaved<'p, W: Word> {
    expander: Box<Expander<'p>>,
    root: Node<W>,
    /// Its estimate.
    bound: u32,
    bytes: usize,
}

impl<'p, W: Word> Interleaved<'p, W> {
    /// For a board that can be solved.
    pub fn new(patterns: &'p Patterns, automaton: &'p Automaton, board: &Board) -> Self {
        let expander = Expander::new(patterns, automaton);
        let (root, bound) = expander.root(board);
        Interleaved { expander, root, bound, bytes: patterns.bytes() }
    }

    fn solve(&self, meter: &mut Limiter, threads: usize) -> Solution {
        deepen(&self.start(), meter, threads, |iteration| self.search(iteration))
    }

    /// Where it begins.
    pub fn start(&self) -> Start {
        Start { bound: self.bound, longest: W::LONGEST, bytes: self.bytes }
    }

    /// Searches to a bound.
    pub fn search(&self, iteration: &Iteration) -> Outcome {
        let more = ((iteration.bound - self.bound) / 2) as u8;
        let root = Node { spare: self.root.spare.map(|spare| spare + more), ..self.root };
        let task = Task { expander: &self.expander, bound: iteration.bound };
        let mut counts = Counts::default();
        let (roots, goal) = task.divide(root, iteration.subtrees(), &mut counts);
        iteration.spend(counts.expanded);
        if let Some(goal) = goal {
            return Outcome { path: Some(goal.ways()), counts, ..Outcome::default() };
        }
        let work = wide::work();
        let mut outcome = Forest::new(iteration, roots).search(|forest| work(&task, forest));
        outcome.counts += counts;
        outcome
    }
}

/// A search of all paths within a bound.
struct Task<'i, 'p> {
    expander: &'i Expander<'p>,
    bound: u32,
}

/// [`Task::work`], compiled for any processor or for this one.
type Work<W> = fn(&Task, &Forest<Node<W>>) -> Counts;

impl<W: Word> Root for Node<W> {
    fn path(&self) -> Vec<Direction> {
        self.ways()
    }
}

impl Task<'_, '_> {
    /// The boards of the first layer that has as many as there should be subtrees, in the order of a depth-first search; or
    /// the goal.
    fn divide<W: Word>(
        &self,
        root: Node<W>,
        subtrees: usize,
        counts: &mut Counts,
    ) -> (Vec<Node<W>>, Option<Node<W>>) {
        let mut layer = vec![root];
        while !layer.is_empty() && layer.len() < subtrees {
            let mut next = Vec::new();
            for parents in layer.chunks(BATCH) {
                let mut batch = Batch::new(1);
                parents.iter().for_each(|parent| batch.push_last(parent));
                let goal = batch.step(self.expander, self.bound, counts);
                if goal.is_some() {
                    return (Vec::new(), goal);
                }
                next.extend(batch.take());
            }
            layer = next;
        }
        (layer, None)
    }

    /// Searches subtrees until there are none left, or the goal is found.
    #[inline(always)]
    fn work<W: Word>(&self, forest: &Forest<Node<W>>) -> Counts {
        let mut batch = Batch::new(forest.len());
        let (mut counts, mut told) = (Counts::default(), 0);
        while !forest.is_over() {
            feed(&mut batch, forest);
            if batch.len() == 0 {
                break;
            }
            if let Some(goal) = batch.step(self.expander, self.bound, &mut counts) {
                forest.finish(goal.ways());
            }
            if counts.expanded - told >= BETWEEN_QUESTIONS {
                forest.spend(counts.expanded - told);
                told = counts.expanded;
            }
        }
        forest.spend(counts.expanded - told);
        let depths = (0..).zip(&batch.depths).filter(|(_, depth)| **depth > 0);
        depths.for_each(|(number, depth)| forest.reach(number, u32::from(*depth)));
        counts
    }
}

/// Adds subtrees, if there are any left, to those of which too few boards wait.
#[inline(always)]
fn feed<W: Word>(batch: &mut Batch<W>, forest: &Forest<Node<W>>) {
    while batch.len() < BATCH && forest.is_left() {
        if let Some((number, root)) = forest.take() {
            batch.push_last(&Node { subtree: number as u32, ..*root });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::deepen::Reached;
    use crate::taquin::pattern::{Making, Partition};
    use arbitre_games::games::taquin::walk;
    use arbitre_games::rng::Rng;
    use arbitre_games::search::budget::Budget;
    use std::sync::Mutex;

    fn patterns() -> Patterns {
        let groups: &[&[u8]] = &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[9, 10, 12, 13, 14]];
        let partition = Partition { size: (4, 4), groups, zoned: true };
        Patterns::new(&partition, &Making::QUIETLY)
    }

    #[test]
    fn subtrees_are_in_the_order_of_a_depth_first_search() {
        let (patterns, automaton) = (patterns(), Automaton::new((4, 4), 8));
        let board = walk(Board::goal(4, 4), 200, &mut Rng::new(4));
        let search = Interleaved::<u64>::new(&patterns, &automaton, &board);
        let task = Task { expander: &search.expander, bound: search.bound };
        let root = Node { spare: [20, 20], ..search.root };
        let (subtrees, _) = task.divide(root, 2_000, &mut Counts::default());
        let paths: Vec<_> = subtrees.iter().map(Node::ways).collect();
        assert!(paths.len() >= 2_000 && paths.is_sorted());
        let mut batch = Batch::new(1);
        subtrees.iter().for_each(|subtree| batch.push_last(subtree));
        assert_eq!(batch.take().iter().map(Node::ways).collect::<Vec<_>>(), paths);
    }

    /// An iteration that finds nothing counts the same.
    #[test]
    fn the_search_for_this_processor_is_the_one_for_any() {
        let (patterns, automaton) = (patterns(), Automaton::new((4, 4), 8));
        let mut meter = Limiter::new(Budget::default());
        let (meter, known) = (Mutex::new(&mut meter), Reached::default());
        let mut rng = Rng::new(3);
        for _ in 0..10 {
            let board = walk(Board::goal(4, 4), 60, &mut rng);
            let search = Interleaved::<u64>::new(&patterns, &automaton, &board);
            let (bound, threads) = (search.bound, 1);
            let iteration = Iteration { bound, expected: 0, threads, known: &known, meter: &meter };
            let task = Task { expander: &search.expander, bound };
            let counted = |work: Work<u64>| {
                let forest = Forest::new(&iteration, vec![search.root]);
                let Outcome { path, counts, .. } = forest.search(|forest| work(&task, forest));
                path.is_none().then_some((counts.generated, counts.expanded))
            };
            assert_eq!(counted(|task, forest| task.work(forest)), counted(wide::work()));
        }
    }
}
