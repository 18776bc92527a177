//! The search compiled for what most processors have by now: a named corner in which `unsafe`
//! lives. Counting the cells of a set is one instruction there. Its safe twin is the same code for
//! any processor.

use super::node::BoardWord;
use super::worker::{self, WorkFn};

/// The best [`worker::work`] for this processor.
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

    /// Nothing where the processor does not have what it is compiled for.
    pub fn work<W: BoardWord>() -> Option<WorkFn<W>> {
        let is_modern = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2");
        is_modern.then_some(|expander, queue| {
            // SAFETY: the processor has what the function is compiled for, as was asked before this
            // was returned.
            unsafe { compiled(expander, queue) }
        })
    }

    // SAFETY: whoever calls this must know that the processor has these.
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    unsafe fn compiled<W: BoardWord>(
        expander: &Expander,
        queue: &WorkQueue<BatchNode<W>>,
    ) -> NodeCounts {
        worker::work(expander, queue)
    }
}
