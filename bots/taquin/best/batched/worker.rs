//! Work of one thread of the batched search.

use super::batch::{NodeBatch, BATCH};
use super::expander::Expander;
use super::node::{BatchNode, BoardWord};
use crate::taquin::best::parallel_deepening::NodeCounts;
use crate::taquin::best::work_queue::WorkQueue;
use arbitre_games::games::taquin::Direction;

/// Nodes between two reports to the limiter. Not tuned.
const REPORT_INTERVAL: u64 = 256;

/// Type of [`work`], compiled for any processor or for this one.
pub type WorkFn<W> = fn(&Expander, &WorkQueue<BatchNode<W>>) -> NodeCounts;

/// Returns the successors of a layer within `bound` in depth-first order, or the path to the goal
/// as error.
pub fn expand_layer<W: BoardWord>(
    expander: &Expander,
    layer: &[BatchNode<W>],
    bound: u32,
    counts: &mut NodeCounts,
) -> Result<Vec<BatchNode<W>>, Vec<Direction>> {
    let mut next = Vec::new();
    for parents in layer.chunks(BATCH) {
        let mut batch = NodeBatch::new(1);
        parents.iter().for_each(|parent| batch.push_last(parent));
        if let Some(goal) = batch.step(expander, bound, counts) {
            return Err(goal.path_to());
        }
        next.extend(batch.take());
    }
    Ok(next)
}

/// Searches subtrees until the queue is empty or the goal is found.
#[inline(always)]
pub fn work<W: BoardWord>(expander: &Expander, queue: &WorkQueue<BatchNode<W>>) -> NodeCounts {
    let mut batch = NodeBatch::new(queue.len());
    let (mut counts, mut reported) = (NodeCounts::default(), 0);
    while !queue.is_stopped() {
        refill(&mut batch, queue);
        if batch.len() == 0 {
            break;
        }
        if let Some(goal) = batch.step(expander, queue.bound(), &mut counts) {
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

/// Takes more subtrees from the queue while fewer than a full batch of boards wait.
#[inline(always)]
fn refill<W: BoardWord>(batch: &mut NodeBatch<W>, queue: &WorkQueue<BatchNode<W>>) {
    while batch.len() < BATCH && queue.has_next() {
        if let Some((number, root)) = queue.take() {
            batch.push_last(&BatchNode { subtree: number as u32, ..*root });
        }
    }
}
