//! Alpha-beta for two players with iterative deepening, without a transposition table.

use crate::search::budget::{Budget, Limiter};
use crate::search::deepening::{self, IterationOutcome, SearchResult};
use std::ops::ControlFlow;

/// Bound beyond every value. Its negative does not overflow.
pub const INFINITY: i32 = i32::MAX;

/// A position as the search sees it. Values are from the view of the player to move.
pub trait SearchPosition: Sized {
    /// A move.
    type Move: Copy + Eq;

    /// Returns the exact value, if the game is over or decided here.
    fn terminal_value(&self) -> Option<i32>;

    /// Returns an estimate of the value.
    fn evaluate(&self) -> i32;

    /// Passes each legal move and the position after it to `found`, the most promising first, until
    /// `found` breaks. A position that is not decided has at least one.
    fn for_each_child(&self, found: impl FnMut(Self::Move, Self) -> ControlFlow<()>);
}

/// Searches by iterative deepening until the budget is spent, the depth limit is reached, or an
/// iteration has reached the end of the game everywhere. The best move of one depth is searched
/// first at the next.
///
/// Returns the first move if the budget is spent before any root move has a value.
///
/// # Panics
/// Panics if the position has no move.
pub fn deepen<P: SearchPosition>(root: &P, budget: Budget) -> SearchResult<P::Move> {
    search(root, 1..=budget.depth.unwrap_or(u32::MAX), budget)
}

/// Searches as [`deepen`] does, to these depths one after the other.
///
/// # Panics
/// Panics if the position has no move.
pub fn search<P: SearchPosition>(
    root: &P,
    depths: impl IntoIterator<Item = u32>,
    budget: Budget,
) -> SearchResult<P::Move> {
    let mut search = Search { limiter: Limiter::new(budget), horizon_reached: false };
    let result = deepening::deepen(first_move(root), depths, |depth, result| {
        search.horizon_reached = false;
        let is_complete = search.root(root, depth, result);
        IterationOutcome::new(is_complete, !search.horizon_reached)
    });
    SearchResult { nodes: search.limiter.nodes(), ..result }
}

fn first_move<P: SearchPosition>(root: &P) -> P::Move {
    let mut first = None;
    root.for_each_child(|mv, _| {
        first = Some(mv);
        ControlFlow::Break(())
    });
    first.expect("the root has a legal move")
}

struct Search {
    limiter: Limiter,
    /// Whether this iteration used the estimate of any position.
    horizon_reached: bool,
}

impl Search {
    /// Runs one iteration. An interrupted iteration still counts, because the best move of the
    /// previous one was searched first. Returns whether it was complete.
    fn root<P: SearchPosition>(
        &mut self,
        root: &P,
        depth: u32,
        result: &mut SearchResult<P::Move>,
    ) -> bool {
        let mut children = Vec::new();
        root.for_each_child(|mv, child| {
            children.push((mv, child));
            ControlFlow::Continue(())
        });
        // Moves the last best move to the front and keeps the order of the others.
        let last_best = children.iter().position(|(mv, _)| *mv == result.best).unwrap_or(0);
        children[..=last_best].rotate_right(1);
        let mut alpha = -INFINITY;
        let mut line = Vec::new();
        for (mv, child) in &children {
            // The window has no upper bound, so that a new best move has an exact value.
            let value = -self.negamax(child, depth - 1, -INFINITY, -alpha, &mut line);
            if self.limiter.stopped() {
                return false;
            }
            if value > alpha {
                alpha = value;
                result.best = *mv;
                result.value = value;
                result.line.clear();
                result.line.push(*mv);
                result.line.extend(line.iter().rev());
            }
        }
        true
    }

    /// Returns the value of a position within (`alpha`, `beta`); outside that window, a bound.
    /// Leaves the principal variation in `line`, last move first. Once the limiter has stopped, the
    /// value is meaningless.
    fn negamax<P: SearchPosition>(
        &mut self,
        position: &P,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        line: &mut Vec<P::Move>,
    ) -> i32 {
        line.clear();
        if self.limiter.tick() {
            return 0;
        }
        if let Some(value) = position.terminal_value() {
            return value;
        }
        if depth == 0 {
            self.horizon_reached = true;
            return position.evaluate();
        }
        let mut best = -INFINITY;
        let mut reply = Vec::new();
        position.for_each_child(|mv, child| {
            let value = -self.negamax(&child, depth - 1, -beta, -alpha, &mut reply);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    std::mem::swap(line, &mut reply);
                    line.push(mv);
                }
            }
            if alpha >= beta || self.limiter.stopped() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// A random tree; the seed determines its shape and values. Some lines end early.
    #[derive(Clone)]
    struct Tree {
        seed: u64,
        ply: u32,
    }

    impl Tree {
        fn rng(&self) -> Rng {
            Rng::new(self.seed)
        }
    }

    impl SearchPosition for Tree {
        type Move = usize;
        fn terminal_value(&self) -> Option<i32> {
            let over = self.ply > 0 && (self.ply >= 7 || self.rng().below(8) == 0);
            over.then(|| self.evaluate())
        }
        fn evaluate(&self) -> i32 {
            self.rng().fork(1).below(41) as i32 - 20
        }
        fn for_each_child(&self, mut found: impl FnMut(usize, Tree) -> ControlFlow<()>) {
            let count = 1 + self.rng().fork(2).below(4);
            let _ = (0..count).try_for_each(|mv| {
                let seed = self.rng().fork(3 + mv as u64).next_u64();
                found(mv, Tree { seed, ply: self.ply + 1 })
            });
        }
    }

    /// Reference implementation: plain minimax.
    fn minimax(tree: &Tree, depth: u32) -> i32 {
        if let Some(value) = tree.terminal_value() {
            return value;
        }
        if depth == 0 {
            return tree.evaluate();
        }
        let mut best = -INFINITY;
        tree.for_each_child(|_, child| {
            best = best.max(-minimax(&child, depth - 1));
            ControlFlow::Continue(())
        });
        best
    }

    #[test]
    fn value_equals_minimax() {
        for seed in 0..500 {
            for depth in 1..=5 {
                let tree = Tree { seed, ply: 0 };
                let result = deepen(&tree, Budget::depth(depth));
                assert_eq!(result.value, minimax(&tree, result.depth), "seed {seed} depth {depth}");
                assert_eq!(result.line.first(), Some(&result.best));
            }
        }
    }

    /// The principal variation leads to a position with the value found.
    #[test]
    fn principal_variation_leads_to_the_value() {
        for seed in 0..500 {
            let root = Tree { seed, ply: 0 };
            let result = deepen(&root, Budget::depth(4));
            let end = result.line.iter().fold(root, |tree, &step| {
                let mut next = None;
                tree.for_each_child(|mv, child| {
                    next = (mv == step).then_some(child);
                    if next.is_some() {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                next.expect("the variation has legal moves")
            });
            let sign = if result.line.len().is_multiple_of(2) { 1 } else { -1 };
            assert_eq!(sign * end.evaluate(), result.value, "seed {seed}");
        }
    }

    #[test]
    fn search_stops_at_the_end_of_the_tree() {
        let result = deepen(&Tree { seed: 1, ply: 0 }, Budget::default());
        assert!(result.depth <= 7, "the tree is 7 plies deep, and {} were searched", result.depth);
        assert_eq!(result.value, minimax(&Tree { seed: 1, ply: 0 }, 7));
    }

    #[test]
    fn node_limit_bounds_the_search() {
        for nodes in [1, 10, 100] {
            let result = deepen(&Tree { seed: 3, ply: 0 }, Budget::nodes(nodes));
            assert!(result.nodes <= nodes + 1, "{} of {nodes}", result.nodes);
        }
    }
}
