//! Work of one thread of the batched search.

use super::batch::{NodeBatch, BATCH};
use super::expander::BatchedSearch;
use super::lookup::GroupLookup;
use super::node::{BatchNode, BoardWord};
use crate::taquin::best::parallel_deepening::{NodeCounts, SubtreeQueue};

/// Nodes between two reports to the limiter. Not tuned.
const REPORT_INTERVAL: u64 = 256;

/// Searches subtrees until the queue is empty or the goal is found.
#[inline(always)]
pub fn work<W: BoardWord, L: GroupLookup>(
    search: &BatchedSearch<W, L>,
    queue: &SubtreeQueue<BatchNode<W, L::Group>>,
) -> NodeCounts {
    let mut batch = NodeBatch::new(queue.count());
    let (mut counts, mut reported) = (NodeCounts::default(), 0);
    while !queue.is_stopped() {
        // More subtrees are taken while fewer than a full batch of boards wait.
        while let Some((number, root)) = (batch.len() < BATCH).then(|| queue.take()).flatten() {
            batch.push_last(&BatchNode { subtree: number as u32, ..*root });
        }
        if batch.len() == 0 {
            break;
        }
        if let Some(goal) = batch.step(search, queue.bound(), &mut counts) {
            queue.finish(goal.path_to());
        }
        if counts.expanded - reported >= REPORT_INTERVAL {
            queue.spend(counts.expanded - reported);
            reported = counts.expanded;
        }
    }
    queue.spend(counts.expanded - reported);
    let depths = (0..).zip(&batch.depths).filter(|(_, depth)| **depth > 0);
    depths.for_each(|(number, depth)| queue.record_depth(number, u32::from(*depth)));
    counts
}
