//! Work queue: deals the subtrees of an iteration out to idle threads.

use super::parallel_deepening::{BoundedIteration, DepthReached, IterationResult, NodeCounts};
use arbitre_games::games::taquin::Direction;
use arbitre_games::parallel;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::Mutex;

/// Root of a subtree.
pub trait SubtreeRoot: Sync {
    /// Path from the first board.
    fn path(&self) -> Vec<Direction>;
}

/// Searches below `root` to the bound of `iteration`, in at least `subtrees` subtrees if there are
/// that many. `expand` returns the successors of a layer in depth-first order, or the path to the
/// goal. `work` searches subtrees until the queue is empty.
pub fn search_subtrees<R: SubtreeRoot + Send>(
    iteration: &BoundedIteration,
    subtrees: usize,
    root: R,
    expand: impl FnMut(&[R], &mut NodeCounts) -> Result<Vec<R>, Vec<Direction>>,
    work: impl Fn(&WorkQueue<R>) -> NodeCounts + Sync,
) -> IterationResult {
    let mut counts = NodeCounts::default();
    let layer = first_layer(root, subtrees, &mut counts, expand);
    iteration.spend(counts.expanded);
    match layer {
        Ok(roots) => {
            let mut result = WorkQueue::new(iteration, roots).search(work);
            result.counts += counts;
            result
        }
        Err(path) => IterationResult { path: Some(path), counts, ..IterationResult::default() },
    }
}

/// Returns the first layer of at least `size` boards, or an empty one. Fails with the path if the
/// goal is found.
pub fn first_layer<R>(
    root: R,
    size: usize,
    counts: &mut NodeCounts,
    mut expand: impl FnMut(&[R], &mut NodeCounts) -> Result<Vec<R>, Vec<Direction>>,
) -> Result<Vec<R>, Vec<Direction>> {
    let mut layer = vec![root];
    while !layer.is_empty() && layer.len() < size {
        layer = expand(&layer, counts)?;
    }
    Ok(layer)
}

/// Queue of subtrees that several threads search, with their results.
pub struct WorkQueue<'i, 'm, R> {
    iteration: &'i BoundedIteration<'i, 'm>,
    roots: Vec<R>,
    /// Depth reached in each subtree.
    depths: Vec<AtomicU32>,
    next: AtomicUsize,
    stopped: AtomicBool,
    path: Mutex<Option<Vec<Direction>>>,
}

impl<'i, 'm, R: SubtreeRoot> WorkQueue<'i, 'm, R> {
    /// Creates the queue of the subtrees `roots`, which are in depth-first order. It sorts them by
    /// the depth that the previous iteration reached, deepest first; ties keep their order.
    pub fn new(iteration: &'i BoundedIteration<'i, 'm>, mut roots: Vec<R>) -> Self {
        roots.sort_by_cached_key(|root| Reverse(iteration.previous.below(&root.path())));
        WorkQueue {
            iteration,
            depths: roots.iter().map(|_| AtomicU32::new(0)).collect(),
            roots,
            next: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            path: Mutex::new(None),
        }
    }

    /// Searches all subtrees by `work` on several threads.
    pub fn search(self, work: impl Fn(&Self) -> NodeCounts + Sync) -> IterationResult {
        let mut counts = NodeCounts::default();
        let by_thread = parallel::run(self.iteration.useful_threads(), |_| work(&self));
        by_thread.into_iter().for_each(|of_thread| counts += of_thread);
        let depths = self.roots.iter().zip(self.depths);
        let depths = depths.map(|(root, depth)| (root.path(), depth.into_inner())).collect();
        let reached = DepthReached::new(depths);
        let path = self.path.into_inner().expect("no thread panics with the lock");
        IterationResult { path, counts, reached }
    }

    /// Returns `true` if subtrees remain.
    pub fn has_next(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.roots.len()
    }

    /// Takes the next subtree, with its number.
    pub fn take(&self) -> Option<(usize, &R)> {
        // Another thread may have taken the last subtree since the check, so `get` may still fail.
        let next = self.has_next().then(|| self.next.fetch_add(1, Ordering::Relaxed))?;
        Some((next, self.roots.get(next)?))
    }

    /// Bound of the iteration.
    pub fn bound(&self) -> u32 {
        self.iteration.bound
    }

    /// Number of subtrees.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Records the depth reached in a subtree.
    pub fn record_depth(&self, number: usize, depth: u32) {
        self.depths[number].fetch_max(depth, Ordering::Relaxed);
    }

    /// Returns `true` if the goal was found or the search must stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Records a path to the goal and stops the search. The first path is kept.
    pub fn finish(&self, path: Vec<Direction>) {
        self.stopped.store(true, Ordering::Relaxed);
        let mut known = self.path.lock().expect("no thread panics with the lock");
        *known = known.take().or(Some(path));
    }

    /// Reports expanded nodes to the limiter. Returns `true` if the search is over.
    pub fn spend(&self, expanded: u64) -> bool {
        if self.iteration.spend(expanded) {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::tests::with_iteration;

    impl SubtreeRoot for Vec<Direction> {
        fn path(&self) -> Vec<Direction> {
            self.clone()
        }
    }

    /// Subtrees come by the depth of the previous iteration, and the depths of this one are
    /// recorded.
    #[test]
    fn deepest_subtrees_come_first_and_depths_are_recorded() {
        let [down, right, left, up] = Direction::ALL.map(|direction| vec![direction]);
        let previous =
            DepthReached::new(vec![(right.clone(), 20), (up.clone(), 30), (down.clone(), 20)]);
        let roots = vec![down.clone(), right.clone(), left.clone(), up.clone()];
        let taken = Mutex::new(Vec::new());
        let work = |queue: &WorkQueue<Vec<Direction>>| {
            let mut counts = NodeCounts::default();
            let next = || {
                let mut taken = taken.lock().unwrap();
                let (number, root) = queue.take()?;
                taken.push(root.clone());
                Some((number, root.clone()))
            };
            while let Some((number, root)) = next() {
                queue.record_depth(number, 10 + number as u32);
                counts.expanded += 1;
                if root == [Direction::Left] {
                    queue.finish(root);
                }
            }
            counts
        };
        let result = with_iteration((40, 1 << 30, 2), &previous, |iteration| {
            WorkQueue::new(iteration, roots).search(work)
        });
        let in_order = [up, down, right, left];
        assert_eq!(taken.into_inner().unwrap(), in_order);
        assert_eq!((result.path.as_ref(), result.counts.expanded), (in_order.last(), 4));
        assert_eq!(in_order.map(|path| result.reached.below(&path)), [10, 11, 12, 13]);
    }
}
