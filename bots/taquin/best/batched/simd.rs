//! The work function compiled for recent x86-64 processors, where counting the cells of a set is
//! one instruction. This file may use `unsafe`. Its safe counterpart is the same code compiled for
//! any processor.

use super::node::BoardWord;
use super::worker::{self, WorkFn};

/// Returns the fastest [`worker::work`] that this processor supports.
pub fn work<W: BoardWord>() -> WorkFn<W> {
    #[cfg(target_arch = "x86_64")]
    if let Some(work) = modern::work() {
        return work;
    }
    worker::work
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod modern {
    use super::super::expander::Expander;
    use super::super::node::BatchNode;
    use super::{worker, BoardWord, WorkFn};
    use crate::taquin::best::parallel_deepening::NodeCounts;
    use crate::taquin::best::work_queue::WorkQueue;

    /// Returns the compiled function, or `None` if the processor lacks a required feature.
    pub fn work<W: BoardWord>() -> Option<WorkFn<W>> {
        let is_modern = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2");
        is_modern.then_some(|expander, queue| {
            // SAFETY: the processor has all features that `compiled` requires; they were checked
            // before this closure was returned.
            unsafe { compiled(expander, queue) }
        })
    }

    // SAFETY: callers must check that the processor has these features.
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    unsafe fn compiled<W: BoardWord>(
        expander: &Expander,
        queue: &WorkQueue<BatchNode<W>>,
    ) -> NodeCounts {
        worker::work(expander, queue)
    }
}
