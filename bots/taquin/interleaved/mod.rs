//! IDA* guided by pattern databases, for speed. Looks into large tables wait for memory, so that a thread searches
//! several subtrees in turn: while an entry for one of them is on its way, it goes on with the others. The subtrees
//! of an iteration are dealt out to the threads as they become idle.

mod expander;
mod lane;
mod wide;

use super::automaton::Automaton;
use super::heuristic::Heuristic;
use super::pattern::Patterns;
use super::solution::{Effort, Ending, Solution};
use crate::games::taquin::{Board, Direction};
use crate::search::budget::Meter;
use expander::{Expander, Node};
use lane::{Counts, Lane};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

/// How many subtrees a thread searches in turn.
const LANES: usize = 8;
/// An iteration is expected to have more nodes than the one before by this factor; each subtree should have so
/// many nodes, and there need not be more subtrees than that.
const GROWTH: u64 = 6;
const NODES_OF_SUBTREE: u64 = 1 << 9;
const MOST_SUBTREES: u64 = 1 << 12;
/// A thread more is worth its start for so many nodes.
const NODES_OF_THREAD: u64 = 1 << 15;
/// Nodes between two questions to the meter.
const BATCH: u64 = 256;

/// Solves a board optimally, as long as the meter allows, in so many threads. The length of the path does not depend
/// on their number; which of several shortest paths it is may.
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
    let root = expander.root(board);
    let (mut bound, most) = (expander.estimate(&root), meter.depth_limit());
    let mut found = (bound == 0).then(Vec::new);
    let mut effort = Effort { bytes: patterns.bytes(), ..Effort::default() };
    let mut expected = 0;
    let meter = Mutex::new(meter);
    while found.is_none() && bound <= most && !stopped(&meter) {
        let iteration = Iteration { expander: &expander, bound, work: wide::work(), meter: &meter };
        let (path, counts) = iteration.run(&root, expected, threads);
        found = path;
        effort.iterations += 1;
        effort.generated += counts.generated;
        effort.expanded += counts.expanded;
        expected = GROWTH * counts.expanded;
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
struct Iteration<'i, 'p> {
    expander: &'i Expander<'p>,
    bound: u32,
    work: Work,
    meter: &'i Mutex<&'i mut Meter>,
}

/// [`Iteration::work`], compiled for any processor or for this one.
type Work = fn(&Iteration, &Shared) -> Counts;

/// A subtree: its root, and the way there.
type Subtree = (Node, Vec<u8>);

/// What the threads share.
struct Shared {
    subtrees: Vec<Subtree>,
    next: AtomicUsize,
    over: AtomicBool,
    path: Mutex<Option<Vec<u8>>>,
}

impl Iteration<'_, '_> {
    /// The path, if it is found, and what was counted.
    fn run(&self, root: &Node, expected: u64, threads: usize) -> (Option<Vec<Direction>>, Counts) {
        let mut counts = Counts::default();
        let wanted = (expected / NODES_OF_SUBTREE).clamp(1, MOST_SUBTREES) as usize;
        let (subtrees, found) = self.divide(root, wanted, &mut counts);
        self.spend(counts.expanded);
        let shared = Shared {
            subtrees,
            next: AtomicUsize::new(0),
            over: AtomicBool::new(found.is_some()),
            path: Mutex::new(found),
        };
        let more = threads.min(1 + (expected / NODES_OF_THREAD) as usize) - 1;
        std::thread::scope(|scope| {
            let started: Vec<_> =
                (0..more).map(|_| scope.spawn(|| (self.work)(self, &shared))).collect();
            counts += (self.work)(self, &shared);
            for thread in started {
                counts += thread.join().expect("a search does not panic");
            }
        });
        let path = shared.path.into_inner().expect("no thread panics with the lock");
        let ways = |path: Vec<u8>| path.into_iter().map(|way| Direction::ALL[usize::from(way)]);
        (path.map(|path| ways(path).collect()), counts)
    }

    /// At least so many subtrees if there are as many, or a path.
    fn divide(
        &self,
        root: &Node,
        wanted: usize,
        counts: &mut Counts,
    ) -> (Vec<Subtree>, Option<Vec<u8>>) {
        let mut layer = vec![(*root, Vec::new())];
        while !layer.is_empty() && layer.len() < wanted {
            let mut next = Vec::new();
            for (node, path) in &layer {
                let mut lane = Lane::default();
                lane.begin(node, path);
                counts.expanded += 1;
                counts.generated += lane.expand(self.expander, self.bound);
                if let Some(path) = lane.resolve(self.expander, self.bound) {
                    return (Vec::new(), Some(path));
                }
                next.extend(lane.subtrees());
            }
            layer = next;
        }
        (layer, None)
    }

    /// Searches subtrees until there are none left, or a path is found.
    #[inline(always)]
    fn work(&self, shared: &Shared) -> Counts {
        let mut lanes: [Lane; LANES] = std::array::from_fn(|_| Lane::default());
        let mut counts = Counts::default();
        let mut told = 0;
        while !shared.over.load(Ordering::Relaxed) {
            let mut idle = 0;
            for at in 0..LANES {
                if let Some(path) = lanes[at].resolve(self.expander, self.bound) {
                    self.finish(shared, Some(path));
                    break;
                }
                if lanes[at].len() == 0 && !self.feed(at, &mut lanes, shared) {
                    idle += 1;
                    continue;
                }
                counts.expanded += 1;
                counts.generated += lanes[at].expand(self.expander, self.bound);
            }
            if idle == LANES {
                break;
            }
            if counts.expanded - told >= BATCH {
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

    fn finish(&self, shared: &Shared, path: Option<Vec<u8>>) {
        shared.over.store(true, Ordering::Relaxed);
        let mut known = shared.path.lock().expect("no thread panics with the lock");
        *known = known.take().or(path);
    }

    /// Gives a lane something to do: a subtree, or else a part of what another lane has. Returns whether
    /// there was something.
    fn feed(&self, at: usize, lanes: &mut [Lane; LANES], shared: &Shared) -> bool {
        let next = shared.next.load(Ordering::Relaxed);
        if next < shared.subtrees.len() {
            let next = shared.next.fetch_add(1, Ordering::Relaxed);
            if let Some((node, path)) = shared.subtrees.get(next) {
                lanes[at].begin(node, path);
                return true;
            }
        }
        let given = lanes.iter_mut().max_by_key(|lane| lane.len()).and_then(Lane::give);
        given.map(|(node, path)| lanes[at].begin(&node, &path)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::taquin::pattern::{Making, Partition};
    use crate::games::taquin::walk;
    use crate::rng::Rng;
    use crate::search::budget::Budget;

    /// An iteration that finds nothing counts the same.
    #[test]
    fn the_search_for_this_processor_is_the_one_for_any() {
        let groups: &[&[u8]] = &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[9, 10, 12, 13, 14]];
        let partition = Partition { size: (4, 4), groups, zoned: false };
        let patterns = Patterns::new(&partition, &Making::QUIETLY);
        let automaton = Automaton::new((4, 4), 8);
        let expander = Expander::new(&patterns, &automaton);
        let mut meter = Meter::new(Budget::default());
        let meter = Mutex::new(&mut meter);
        let mut rng = Rng::new(3);
        for _ in 0..10 {
            let root = expander.root(&walk(Board::goal(4, 4), 60, &mut rng));
            let bound = expander.estimate(&root);
            let counted = |work: Work| {
                let iteration = Iteration { expander: &expander, bound, work, meter: &meter };
                let (path, Counts { generated, expanded }) = iteration.run(&root, 10_000, 1);
                path.is_none().then_some((generated, expanded))
            };
            assert_eq!(counted(|iteration, shared| iteration.work(shared)), counted(wide::work()));
        }
    }
}
