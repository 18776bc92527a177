//! IDA* guided by pattern databases that know the zone of the blank, for speed. Looks into large tables wait for memory,
//! so that a thread expands several boards at once. The subtrees of an iteration are dealt out to the threads as they
//! become idle, in the order in which one thread would come by them: where that finds the goal early, so do several.

mod batch;
mod expander;
mod node;
mod wide;

use super::automaton::Automaton;
use super::heuristic::Heuristic;
use super::pattern::Patterns;
use super::solution::{Effort, Ending, Solution};
use crate::games::taquin::{Board, Direction};
use crate::search::budget::Meter;
use batch::{Batch, Counts, BATCH};
use expander::Expander;
use node::{Node, Word};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

/// An iteration is expected to have more nodes than the one before by this factor.
const GROWTH: u64 = 6;
/// Several threads share so many subtrees, and each thread is worth its start for so many nodes.
const SUBTREES: usize = 1 << 12;
const NODES_OF_THREAD: u64 = 1 << 16;
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
    meter: &mut Meter,
    threads: usize,
) -> Solution {
    if !board.is_solvable() {
        return Solution::without_path(Ending::Unsolvable, Effort::default());
    }
    let expander = Expander::new(patterns, automaton);
    let bytes = patterns.bytes();
    match board.cells().len() {
        ..=16 => deepen::<u64>(&expander, board, meter, threads, bytes),
        _ => deepen::<u128>(&expander, board, meter, threads, bytes),
    }
}

fn deepen<W: Word>(
    expander: &Expander,
    board: &Board,
    meter: &mut Meter,
    threads: usize,
    bytes: usize,
) -> Solution {
    let (mut root, mut bound) = expander.root::<W>(board);
    let most = meter.depth_limit().min(W::LONGEST);
    let mut found = (bound == 0).then(Vec::new);
    let mut effort = Effort { bytes, ..Effort::default() };
    let mut expected = 0;
    let meter = Mutex::new(meter);
    while found.is_none() && bound <= most && !stopped(&meter) {
        let iteration = Iteration { expander, bound, work: wide::work(), meter: &meter };
        let (path, counts) = iteration.run(&root, expected, threads);
        found = path;
        effort.iterations += 1;
        effort.generated += counts.generated;
        effort.expanded += counts.expanded;
        expected = GROWTH * counts.expanded;
        root.spare = root.spare.map(|spare| spare + 1);
        bound += 2;
    }
    match found {
        Some(path) => Solution::with_path(path, effort),
        None => Solution::without_path(Ending::OutOfBudget, effort),
    }
}

fn stopped(meter: &Mutex<&mut Meter>) -> bool {
    meter.lock().expect("no thread panics with the lock").stopped()
}

/// A search of all paths within a bound.
struct Iteration<'i, 'p, W: Word> {
    expander: &'i Expander<'p>,
    bound: u32,
    work: Work<W>,
    meter: &'i Mutex<&'i mut Meter>,
}

/// [`Iteration::work`], compiled for any processor or for this one.
type Work<W> = fn(&Iteration<W>, &Shared<W>) -> Counts;

/// What the threads share.
struct Shared<W: Word> {
    subtrees: Vec<Node<W>>,
    next: AtomicUsize,
    over: AtomicBool,
    goal: Mutex<Option<Node<W>>>,
}

impl<W: Word> Iteration<'_, '_, W> {
    /// The path, if it is found, and what was counted.
    fn run(
        &self,
        root: &Node<W>,
        expected: u64,
        threads: usize,
    ) -> (Option<Vec<Direction>>, Counts) {
        let mut counts = Counts::default();
        let more = threads.min(1 + (expected / NODES_OF_THREAD) as usize) - 1;
        let (subtrees, goal) = match more {
            0 => (vec![*root], None),
            _ => self.divide(root, &mut counts),
        };
        self.spend(counts.expanded);
        let over = AtomicBool::new(goal.is_some());
        let shared = Shared { subtrees, next: AtomicUsize::new(0), over, goal: Mutex::new(goal) };
        std::thread::scope(|scope| {
            let started: Vec<_> =
                (0..more).map(|_| scope.spawn(|| (self.work)(self, &shared))).collect();
            counts += (self.work)(self, &shared);
            for thread in started {
                counts += thread.join().expect("a search does not panic");
            }
        });
        let goal = shared.goal.into_inner().expect("no thread panics with the lock");
        (goal.map(|goal| goal.ways()), counts)
    }

    /// The boards of the first layer that has as many as there should be subtrees, in the order of one thread; or the goal.
    fn divide(&self, root: &Node<W>, counts: &mut Counts) -> (Vec<Node<W>>, Option<Node<W>>) {
        let mut layer = vec![*root];
        while !layer.is_empty() && layer.len() < SUBTREES {
            let mut next = Vec::new();
            for parents in layer.chunks(BATCH) {
                let mut batch = Batch::default();
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
    fn work(&self, shared: &Shared<W>) -> Counts {
        let mut batch = Batch::default();
        let (mut counts, mut told) = (Counts::default(), 0);
        while !shared.over.load(Ordering::Relaxed) {
            self.feed(&mut batch, shared);
            if batch.len() == 0 {
                break;
            }
            if let Some(goal) = batch.step(self.expander, self.bound, &mut counts) {
                self.finish(shared, Some(goal));
            }
            if counts.expanded - told >= BETWEEN_QUESTIONS {
                if self.spend(counts.expanded - told) {
                    self.finish(shared, None);
                }
                told = counts.expanded;
            }
        }
        self.spend(counts.expanded - told);
        counts
    }

    /// Tells the meter. Returns whether the search must stop.
    fn spend(&self, expanded: u64) -> bool {
        self.meter.lock().expect("no thread panics with the lock").spend(expanded)
    }

    fn finish(&self, shared: &Shared<W>, goal: Option<Node<W>>) {
        shared.over.store(true, Ordering::Relaxed);
        let mut known = shared.goal.lock().expect("no thread panics with the lock");
        *known = known.take().or(goal);
    }

    /// Adds subtrees, if there are any left, to those of which too few boards wait.
    #[inline(always)]
    fn feed(&self, batch: &mut Batch<W>, shared: &Shared<W>) {
        while batch.len() < BATCH && shared.next.load(Ordering::Relaxed) < shared.subtrees.len() {
            let next = shared.next.fetch_add(1, Ordering::Relaxed);
            shared.subtrees.get(next).inspect(|node| batch.push_last(node));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::taquin::pattern::{Making, Partition};
    use crate::games::taquin::walk;
    use crate::rng::Rng;
    use crate::search::budget::Budget;

    fn patterns() -> Patterns {
        let groups: &[&[u8]] = &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[9, 10, 12, 13, 14]];
        let partition = Partition { size: (4, 4), groups, zoned: true };
        Patterns::new(&partition, &Making::QUIETLY)
    }

    #[test]
    fn subtrees_are_in_the_order_of_a_depth_first_search() {
        let (patterns, automaton) = (patterns(), Automaton::new((4, 4), 8));
        let expander = Expander::new(&patterns, &automaton);
        let mut meter = Meter::new(Budget::default());
        let meter = Mutex::new(&mut meter);
        let board = walk(Board::goal(4, 4), 200, &mut Rng::new(4));
        let (mut root, bound) = expander.root::<u64>(&board);
        (root.spare, root.depth) = ([20, 20], 0);
        let iteration = Iteration { expander: &expander, bound, work: wide::work(), meter: &meter };
        let (subtrees, _) = iteration.divide(&root, &mut Counts::default());
        let paths: Vec<Vec<usize>> = subtrees
            .iter()
            .map(|subtree| subtree.ways().into_iter().map(Direction::index).collect())
            .collect();
        assert!(paths.len() >= SUBTREES && paths.is_sorted());
        let mut batch = Batch::default();
        subtrees.iter().for_each(|subtree| batch.push_last(subtree));
        let taken: Vec<_> = batch.take().iter().map(Node::ways).collect();
        assert_eq!(taken, subtrees.iter().map(Node::ways).collect::<Vec<_>>());
    }

    /// An iteration that finds nothing counts the same.
    #[test]
    fn the_search_for_this_processor_is_the_one_for_any() {
        let patterns = patterns();
        let automaton = Automaton::new((4, 4), 8);
        let expander = Expander::new(&patterns, &automaton);
        let mut meter = Meter::new(Budget::default());
        let meter = Mutex::new(&mut meter);
        let mut rng = Rng::new(3);
        for _ in 0..10 {
            let (root, bound) = expander.root::<u64>(&walk(Board::goal(4, 4), 60, &mut rng));
            let counted = |work: Work<u64>| {
                let iteration = Iteration { expander: &expander, bound, work, meter: &meter };
                let (path, Counts { generated, expanded }) = iteration.run(&root, 10_000, 1);
                path.is_none().then_some((generated, expanded))
            };
            assert_eq!(counted(|iteration, shared| iteration.work(shared)), counted(wide::work()));
        }
    }
}
