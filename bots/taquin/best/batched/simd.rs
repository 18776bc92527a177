//! The work function compiled for recent x86-64 processors, where counting the cells of a set is
//! one instruction. This file may use `unsafe`. Its safe counterpart is the same code compiled for
//! any processor.

use super::expander::BatchedSearch;
use super::lookup::GroupLookup;
use super::node::{BatchNode, BoardWord};
use super::worker;
use crate::taquin::best::parallel_deepening::{NodeCounts, SubtreeQueue};

/// Calls the fastest [`worker::work`] that this processor supports.
#[allow(unsafe_code)]
pub fn work<W: BoardWord, L: GroupLookup>(
    search: &BatchedSearch<W, L>,
    queue: &SubtreeQueue<BatchNode<W, L::Group>>,
) -> NodeCounts {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("avx2")
    {
        // SAFETY: the processor has all features that `compiled` requires.
        return unsafe { compiled(search, queue) };
    }
    worker::work(search, queue)
}

// SAFETY: callers must check that the processor has these features.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
unsafe fn compiled<W: BoardWord, L: GroupLookup>(
    search: &BatchedSearch<W, L>,
    queue: &SubtreeQueue<BatchNode<W, L::Group>>,
) -> NodeCounts {
    worker::work(search, queue)
}
