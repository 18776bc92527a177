//! Iterations of the batched search.

use super::batch::{NodeBatch, BATCH};
use super::expander::BatchedSearch;
use super::lookup::GroupLookup;
use super::node::{BatchNode, BoardWord};
use super::simd;
use crate::taquin::best::parallel_deepening::{
    BoundedIteration, IterationResult, NodeCounts, SubtreeQueue,
};
use arbitre_games::games::taquin::Direction;

impl<W: BoardWord, L: GroupLookup> BatchedSearch<'_, W, L> {
    /// Runs one iteration.
    pub fn search(&self, iteration: &BoundedIteration) -> IterationResult {
        let more = ((iteration.bound - self.bound) / 2) as u8;
        let root = BatchNode { slack: self.root.slack.map(|slack| slack + more), ..self.root };
        let mut counts = NodeCounts::default();
        let layer = self.first_layer(root, iteration, &mut counts);
        iteration.spend(counts.expanded);
        let mut result = match layer {
            Ok(roots) => {
                let roots = roots.into_iter().map(|root| (root.path_to(), root)).collect();
                SubtreeQueue::new(iteration, roots).search(|queue| simd::work(self, queue))
            }
            Err(path) => IterationResult { path: Some(path), ..IterationResult::default() },
        };
        result.counts += counts;
        result
    }

    /// Returns the first layer of the subtrees that the iteration wants, or an empty one. Fails
    /// with the path if the goal is found.
    fn first_layer(
        &self,
        root: BatchNode<W, L::Group>,
        iteration: &BoundedIteration,
        counts: &mut NodeCounts,
    ) -> Result<Vec<BatchNode<W, L::Group>>, Vec<Direction>> {
        let mut layer = vec![root];
        while !layer.is_empty() && layer.len() < iteration.subtrees() {
            let mut next = Vec::new();
            for parents in layer.chunks(BATCH) {
                let mut batch = NodeBatch::new(1);
                parents.iter().for_each(|parent| batch.push_last(parent));
                if let Some(goal) = batch.step(self, iteration.bound, counts) {
                    return Err(goal.path_to());
                }
                next.extend(batch.take());
            }
            layer = next;
        }
        Ok(layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::best::batched::node::LOOKUPS;
    use crate::taquin::best::batched::worker::work;
    use crate::taquin::best::fsm_pruning::PruningFsm;
    use crate::taquin::best::parallel_deepening::DepthReached;
    use crate::taquin::best::pattern::MoveLookup;
    use crate::taquin::tests::{patterns, with_iteration, FIVES};
    use arbitre_games::games::taquin::{walk, Board};
    use arbitre_games::rng::Rng;

    #[test]
    fn subtrees_are_in_depth_first_order() {
        let (patterns, fsm) = (patterns(&FIVES), PruningFsm::new((4, 4), 8));
        let board = walk(Board::goal(4, 4), 200, &mut Rng::new(4));
        let search = BatchedSearch::<u64, _>::by_rank(&patterns, &fsm, &board);
        let root = BatchNode { slack: [20, 20], ..search.root };
        // These expected nodes ask for two thousand subtrees.
        let limits = (search.bound, 1 << 22, 1);
        let subtrees = with_iteration(limits, &DepthReached::default(), |iteration| {
            search.first_layer(root, iteration, &mut NodeCounts::default()).unwrap()
        });
        let paths: Vec<_> = subtrees.iter().map(BatchNode::path_to).collect();
        assert!(paths.len() >= 2_000 && paths.is_sorted());
        let mut batch = NodeBatch::<u64, [MoveLookup; LOOKUPS]>::new(1);
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
            let search = BatchedSearch::<u64, _>::by_rank(&patterns, &fsm, &board);
            let counted = |is_portable: bool| {
                with_iteration((search.bound, 0, 1), &DepthReached::default(), |iteration| {
                    let queue = SubtreeQueue::new(iteration, vec![(Vec::new(), search.root)]);
                    let IterationResult { path, counts, .. } = queue.search(|queue| {
                        if is_portable {
                            work(&search, queue)
                        } else {
                            simd::work(&search, queue)
                        }
                    });
                    path.is_none().then_some((counts.generated, counts.expanded))
                })
            };
            assert_eq!(counted(true), counted(false));
        }
    }
}
