//! The search compiled for what most processors have by now: a named corner in which `unsafe` lives. Counting the
//! cells of a set is one instruction there. Its safe twin is the same code for any processor.

use super::{Word, Work};

/// The best [`Task::work`](super::Task::work) for this processor.
pub fn work<W: Word>() -> Work<W> {
    #[cfg(target_arch = "x86_64")]
    if let Some(work) = modern::work() {
        return work;
    }
    |task, forest| task.work(forest)
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod modern {
    use super::super::{Counts, Forest, Node, Task};
    use super::{Word, Work};

    /// Nothing where the processor does not have what it is compiled for.
    pub fn work<W: Word>() -> Option<Work<W>> {
        let is_modern = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2");
        is_modern.then_some(|task, forest| {
            // SAFETY: the processor has what the function is compiled for, as was asked before this was returned.
            unsafe { compiled(task, forest) }
        })
    }

    // SAFETY: whoever calls this must know that the processor has these.
    #[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
    unsafe fn compiled<W: Word>(task: &Task, forest: &Forest<Node<W>>) -> Counts {
        task.work(forest)
    }
}
