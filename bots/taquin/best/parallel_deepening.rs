//! Iterative deepening in several threads: an iteration is split into subtrees, and those come
//! first in which the one before came nearest to the goal (compare A. Reinefeld, T. Marsland,
//! "Enhanced iterative-deepening search", 1994). The last iteration is then a small part of what it
//! would be.

use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use arbitre_games::games::taquin::Direction;
use arbitre_games::search::budget::Limiter;
use std::sync::Mutex;

/// An iteration is expected to have more nodes than the one before by this factor.
const GROWTH: u64 = 6;
/// Each thread is worth its start for so many nodes, and each subtree its own account; there are no
/// more than so many.
const NODES_OF_THREAD: u64 = 1 << 16;
const NODES_OF_SUBTREE: u64 = 1 << 11;
const MOST_SUBTREES: u64 = 1 << 14;

/// What was counted.
#[derive(Clone, Copy, Default)]
pub struct NodeCounts {
    /// Boards that slides led to.
    pub generated: u64,
    /// Boards whose successors were generated.
    pub expanded: u64,
}

impl std::ops::AddAssign for NodeCounts {
    fn add_assign(&mut self, other: NodeCounts) {
        self.generated += other.generated;
        self.expanded += other.expanded;
    }
}

/// A search to a bound, as it is ordered.
pub struct BoundedIteration<'i, 'm> {
    /// No path is longer.
    pub bound: u32,
    /// By the one before: so many nodes will be expanded.
    pub expected: u64,
    /// So many threads may work.
    pub threads: usize,
    /// What the one before learned.
    pub previous: &'i DepthReached,
    /// Is told of nodes, and tells when to stop.
    pub limiter: &'i Mutex<&'m mut Limiter>,
}

impl BoundedIteration<'_, '_> {
    /// So many threads are worth their start.
    pub fn useful_threads(&self) -> usize {
        self.threads.min(1 + (self.expected / NODES_OF_THREAD) as usize)
    }

    /// Into so many subtrees it is to be split, at least.
    pub fn subtrees(&self) -> usize {
        (self.expected / NODES_OF_SUBTREE).clamp(1, MOST_SUBTREES) as usize
    }

    /// May the search take time or nodes as it likes?
    pub fn is_unlimited(&self) -> bool {
        self.limiter.lock().expect("no thread panics with the lock").share_spent() == 0.0
    }

    /// Reports expanded nodes to the limiter. Returns whether the search must stop.
    pub fn spend(&self, expanded: u64) -> bool {
        self.limiter.lock().expect("no thread panics with the lock").spend(expanded)
    }
}

/// What an iteration found.
#[derive(Default)]
pub struct IterationResult {
    /// The way to the goal.
    pub path: Option<Vec<Direction>>,
    /// What it cost.
    pub counts: NodeCounts,
    /// What the next one should know.
    pub reached: DepthReached,
}

/// How deep an iteration came in subtrees, by the paths to them. All its paths have the same bound,
/// so that a deeper board is nearer to the goal.
#[derive(Default, PartialEq, Debug)]
pub struct DepthReached {
    /// In the order of a depth-first search. No subtree is a part of another one.
    depths: Vec<(Vec<Direction>, u32)>,
}

impl DepthReached {
    /// How deep it came in these subtrees.
    pub fn new(mut depths: Vec<(Vec<Direction>, u32)>) -> DepthReached {
        depths.sort_unstable();
        DepthReached { depths }
    }

    /// How deep it came in the subtree to which a path leads, whether that is a part of one of
    /// them, one itself or several; 0 if it was not there.
    pub fn below(&self, path: &[Direction]) -> u32 {
        let at = self.depths.partition_point(|(other, _)| &other[..] < path);
        let parts = self.depths[at..].iter().take_while(|(other, _)| other.starts_with(path));
        let before = self.depths[..at].last().filter(|(other, _)| path.starts_with(other));
        parts.chain(before).map(|(_, depth)| *depth).max().unwrap_or(0)
    }
}

/// Searches with bounds that grow from `first_bound` until the goal is found or the limiter stops
/// the search. `bytes` is the size of its tables.
pub fn parallel_deepening(
    first_bound: u32,
    bytes: usize,
    limiter: &mut Limiter,
    threads: usize,
    mut search: impl FnMut(&BoundedIteration) -> IterationResult,
) -> Solution {
    let mut stats = SearchStats { bytes, ..SearchStats::default() };
    let mut found = (first_bound == 0).then(Vec::new);
    let (longest, limiter) = (limiter.depth_limit(), Mutex::new(limiter));
    let (mut expected, mut previous) = (0, DepthReached::default());
    for bound in (first_bound..=longest).step_by(2) {
        let iteration =
            BoundedIteration { bound, expected, threads, previous: &previous, limiter: &limiter };
        if found.is_some() || iteration.spend(0) {
            break;
        }
        let result = search(&iteration);
        found = result.path;
        stats.iterations += 1;
        stats.generated += result.counts.generated;
        stats.expanded += result.counts.expanded;
        (expected, previous) = (GROWTH * result.counts.expanded, result.reached);
    }
    match found {
        Some(path) => Solution::with_path(path, stats),
        None => Solution::without_path(SolveStatus::OutOfBudget, stats),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::games::taquin::parse_path;

    #[test]
    fn what_was_reached_is_known_of_parts_and_of_wholes() {
        let path = |text: &str| parse_path(text).expect("a path");
        let depths = [("DRU", 30), ("DD", 12), ("DRR", 25), ("RD", 7)];
        let reached = DepthReached::new(depths.map(|(text, depth)| (path(text), depth)).to_vec());
        let below = |text: &str| reached.below(&path(text));
        assert_eq!(["DRU", "DD", "DRR", "RD"].map(below), [30, 12, 25, 7]);
        assert_eq!(["DR", "D", "R"].map(below), [30, 30, 7]);
        assert_eq!(["DRRD", "DDRUL", "RDR"].map(below), [25, 12, 7]);
        assert_eq!(["L", "DRL", "RR", "DL"].map(below), [0; 4]);
        assert_eq!((reached.below(&[]), DepthReached::default().below(&[])), (30, 0));
    }
}
