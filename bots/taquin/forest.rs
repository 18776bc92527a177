//! The subtrees of an iteration, dealt out to threads as they become idle.

use super::deepen::{Counts, Iteration, Outcome, Reached};
use arbitre_games::games::taquin::Direction;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::Mutex;

/// Where a subtree begins.
pub trait Root: Sync {
    /// The way from the first board.
    fn path(&self) -> Vec<Direction>;
}

/// What the threads share: subtrees, and what they find.
pub struct Forest<'i, 'm, R> {
    iteration: &'i Iteration<'i, 'm>,
    roots: Vec<R>,
    /// By subtree: the depth that was reached.
    depths: Vec<AtomicU32>,
    next: AtomicUsize,
    over: AtomicBool,
    path: Mutex<Option<Vec<Direction>>>,
}

impl<'i, 'm, R: Root> Forest<'i, 'm, R> {
    /// With the subtrees of these roots, which are in the order of a depth-first search: first come those in which the
    /// iteration before came deepest, and of these those that are first there.
    pub fn new(iteration: &'i Iteration<'i, 'm>, mut roots: Vec<R>) -> Self {
        roots.sort_by_cached_key(|root| Reverse(iteration.known.below(&root.path())));
        Forest {
            iteration,
            depths: roots.iter().map(|_| AtomicU32::new(0)).collect(),
            roots,
            next: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            path: Mutex::new(None),
        }
    }

    /// Lets threads work, each of which tells what it counted.
    pub fn search(self, work: impl Fn(&Self) -> Counts + Sync) -> Outcome {
        let threads = self.iteration.worthy_threads();
        let mut counts = Counts::default();
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(&self))).collect();
            counts += work(&self);
            for thread in others {
                counts += thread.join().expect("a search does not panic");
            }
        });
        let depths = self.roots.iter().zip(self.depths);
        let depths = depths.map(|(root, depth)| (root.path(), depth.into_inner())).collect();
        let reached = Reached::new(depths);
        let path = self.path.into_inner().expect("no thread panics with the lock");
        Outcome { path, counts, reached }
    }

    /// Are there subtrees that nobody took?
    pub fn is_left(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.roots.len()
    }

    /// The next subtree, with its number.
    pub fn take(&self) -> Option<(usize, &R)> {
        let next = self.is_left().then(|| self.next.fetch_add(1, Ordering::Relaxed))?;
        Some((next, self.roots.get(next)?))
    }

    /// How many subtrees there are.
    pub fn len(&self) -> usize {
        self.roots.len()
    }

    /// Tells the depth that was reached in a subtree.
    pub fn reach(&self, number: usize, depth: u32) {
        self.depths[number].fetch_max(depth, Ordering::Relaxed);
    }

    /// Was the goal found, or has the search to stop?
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Tells a path to the goal.
    pub fn finish(&self, path: Vec<Direction>) {
        self.over.store(true, Ordering::Relaxed);
        let mut known = self.path.lock().expect("no thread panics with the lock");
        *known = known.take().or(Some(path));
    }

    /// Tells the meter of expanded nodes. Returns whether the search is over.
    pub fn spend(&self, expanded: u64) -> bool {
        if self.iteration.spend(expanded) {
            self.over.store(true, Ordering::Relaxed);
        }
        self.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitre_games::search::budget::{Budget, Limiter};

    impl Root for Vec<Direction> {
        fn path(&self) -> Vec<Direction> {
            self.clone()
        }
    }

    /// First where the iteration before came deepest, else in their order; and the next iteration knows how deep this one
    /// came.
    #[test]
    fn subtrees_come_in_order_and_are_remembered() {
        let [down, right, left, up] = Direction::ALL.map(|way| vec![way]);
        let known = Reached::new(vec![(right.clone(), 20), (up.clone(), 30), (down.clone(), 20)]);
        let mut meter = Limiter::new(Budget::default());
        let meter = Mutex::new(&mut meter);
        let iteration =
            Iteration { bound: 40, expected: 1 << 30, threads: 2, known: &known, meter: &meter };
        let roots = vec![down.clone(), right.clone(), left.clone(), up.clone()];
        let forest = Forest::new(&iteration, roots);
        let taken = Mutex::new(Vec::new());
        let outcome = forest.search(|forest| {
            let mut counts = Counts::default();
            let next = || {
                let mut taken = taken.lock().unwrap();
                let (number, root) = forest.take()?;
                taken.push(root.clone());
                Some((number, root.clone()))
            };
            while let Some((number, root)) = next() {
                forest.reach(number, 10 + number as u32);
                counts.expanded += 1;
                if root == [Direction::Left] {
                    forest.finish(root);
                }
            }
            counts
        });
        assert_eq!(taken.into_inner().unwrap(), [&up, &down, &right, &left].map(Clone::clone));
        assert_eq!((outcome.path.as_ref(), outcome.counts.expanded), (Some(&left), 4));
        assert_eq!(
            [&up, &down, &right, &left].map(|way| outcome.reached.below(way)),
            [10, 11, 12, 13]
        );
    }
}
