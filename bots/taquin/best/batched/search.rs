//! Iterations of the batched search.

use super::expander::Expander;
use super::node::{BatchNode, BoardWord};
use super::simd;
use super::worker::expand_layer;
use crate::taquin::best::fsm_pruning::PruningFsm;
use crate::taquin::best::parallel_deepening::{
    parallel_deepening, BoundedIteration, IterationResult,
};
use crate::taquin::best::pattern::PatternDatabases;
use crate::taquin::best::work_queue::search_subtrees;
use crate::taquin::heuristics::Heuristic;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::Board;
use arbitre_games::search::budget::Limiter;

/// Batched search of one board.
pub struct BatchedSearch<'p, W: BoardWord> {
    expander: Box<Expander<'p>>,
    root: BatchNode<W>,
    /// Estimate of the root.
    pub bound: u32,
    bytes: usize,
}

impl<'p, W: BoardWord> BatchedSearch<'p, W> {
    /// Prepares the search of a solvable board.
    ///
    /// # Panics
    /// Panics if the patterns leave the blank's zone out, or the board is not square.
    pub fn new(patterns: &'p PatternDatabases, fsm: &'p PruningFsm, board: &Board) -> Self {
        let expander = Expander::new(patterns, fsm);
        let (root, bound) = expander.root(board);
        BatchedSearch { expander, root, bound, bytes: patterns.bytes() }
    }

    /// Solves the board optimally within the limits of `limiter`, in `threads` threads. The length
    /// of the path does not depend on their number; the choice among several shortest paths may.
    pub fn solve(&self, limiter: &mut Limiter, threads: usize) -> Solution {
        parallel_deepening(self.bound, self.bytes, limiter, threads, |iteration| {
            self.search(iteration)
        })
    }

    /// Runs one iteration.
    pub fn search(&self, iteration: &BoundedIteration) -> IterationResult {
        let more = ((iteration.bound - self.bound) / 2) as u8;
        let root = BatchNode { slack: self.root.slack.map(|slack| slack + more), ..self.root };
        let (expander, work) = (&self.expander, simd::work());
        let expand =
            |layer: &[_], counts: &mut _| expand_layer(expander, layer, iteration.bound, counts);
        search_subtrees(iteration, iteration.subtrees(), root, expand, |queue| {
            work(expander, queue)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::best::batched::batch::NodeBatch;
    use crate::taquin::best::batched::worker::{self, WorkFn};
    use crate::taquin::best::parallel_deepening::{DepthReached, NodeCounts};
    use crate::taquin::best::work_queue::{first_layer, WorkQueue};
    use crate::taquin::tests::{patterns, with_iteration, FIVES};
    use arbitre_games::games::taquin::walk;
    use arbitre_games::rng::Rng;

    #[test]
    fn subtrees_are_in_depth_first_order() {
        let (patterns, fsm) = (patterns(&FIVES), PruningFsm::new((4, 4), 8));
        let board = walk(Board::goal(4, 4), 200, &mut Rng::new(4));
        let search = BatchedSearch::<u64>::new(&patterns, &fsm, &board);
        let root = BatchNode { slack: [20, 20], ..search.root };
        let expand = |layer: &[_], counts: &mut _| {
            expand_layer(&search.expander, layer, search.bound, counts)
        };
        let subtrees = first_layer(root, 2_000, &mut NodeCounts::default(), expand).unwrap();
        let paths: Vec<_> = subtrees.iter().map(BatchNode::path_to).collect();
        assert!(paths.len() >= 2_000 && paths.is_sorted());
        let mut batch = NodeBatch::new(1);
        subtrees.iter().for_each(|subtree| batch.push_last(subtree));
        assert_eq!(batch.take().iter().map(BatchNode::path_to).collect::<Vec<_>>(), paths);
    }

    /// Iterations that do not find the goal must have the same node counts.
    #[test]
    fn simd_search_agrees_with_the_portable_one() {
        let (patterns, fsm) = (patterns(&FIVES), PruningFsm::new((4, 4), 8));
        let mut rng = Rng::new(3);
        for _ in 0..10 {
            let board = walk(Board::goal(4, 4), 60, &mut rng);
            let search = BatchedSearch::<u64>::new(&patterns, &fsm, &board);
            let counted = |work: WorkFn<u64>| {
                with_iteration((search.bound, 0, 1), &DepthReached::default(), |iteration| {
                    let queue = WorkQueue::new(iteration, vec![search.root]);
                    let IterationResult { path, counts, .. } =
                        queue.search(|queue| work(&search.expander, queue));
                    path.is_none().then_some((counts.generated, counts.expanded))
                })
            };
            assert_eq!(counted(worker::work), counted(simd::work()));
        }
    }
}
