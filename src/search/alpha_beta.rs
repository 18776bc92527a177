//! Alpha-beta for two players, without a memory of the tree, and iterative deepening on top.

use crate::search::budget::{Budget, Limiter};
use crate::search::deepening::{self, Iteration, SearchResult};
use std::ops::ControlFlow;

/// No value of a position reaches this.
pub const INFINITY: i32 = i32::MAX;

/// A position as the search sees it. Values are from the view of whoever is to move.
pub trait SearchPosition: Sized {
    /// A move.
    type Move: Copy + Eq;

    /// The exact value, if the game is over or decided here.
    fn decided(&self) -> Option<i32>;

    /// An estimate of the value.
    fn evaluate(&self) -> i32;

    /// Hands each legal move and the position after it to `found`, the most promising first, until
    /// it breaks. There is at least one if the game is not decided.
    fn for_each_child(&self, found: impl FnMut(Self::Move, Self) -> ControlFlow<()>);
}

/// Searches deeper and deeper until the budget is spent, the depth is reached, or everything has
/// been seen to the end of the game. The best move of one depth is tried first at the next.
///
/// If the budget is spent within the first ply, the first move is the answer.
///
/// # Panics
/// If the position has no move.
pub fn deepen<P: SearchPosition>(root: &P, budget: Budget) -> SearchResult<P::Move> {
    let mut search = Search { limiter: Limiter::new(budget), horizon_reached: false };
    let depths = 1..=search.limiter.depth_limit();
    let result = deepening::deepen(first_move(root), depths, |depth, result| {
        search.horizon_reached = false;
        let is_complete = search.root(root, depth, result);
        Iteration::new(is_complete, !search.horizon_reached)
    });
    SearchResult { nodes: search.limiter.nodes(), ..result }
}

fn first_move<P: SearchPosition>(root: &P) -> P::Move {
    let mut first = None;
    root.for_each_child(|mv, _| {
        first = Some(mv);
        ControlFlow::Break(())
    });
    first.expect("a position that is searched has a move")
}

struct Search {
    limiter: Limiter,
    /// Was any position of this iteration judged by its estimate?
    horizon_reached: bool,
}

impl Search {
    /// One iteration. What it found so far counts even if it was stopped, because the best move of
    /// the iteration before was searched first. Returns whether it was complete.
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
        let last_best = children.iter().position(|(mv, _)| *mv == result.best).unwrap_or(0);
        children[..=last_best].rotate_right(1);
        let mut alpha = -INFINITY;
        let mut line = Vec::new();
        for (mv, child) in &children {
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

    /// The value of a position within (alpha, beta); outside it, a bound. Leaves the expected line
    /// in `line`, last move first. Once the limiter has stopped the value means nothing.
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
        if let Some(value) = position.decided() {
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

    /// A tree whose shape and values are drawn from a seed; it ends early here and there.
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
        fn decided(&self) -> Option<i32> {
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

    /// The slow twin: plain minimax.
    fn minimax(tree: &Tree, depth: u32) -> i32 {
        if let Some(value) = tree.decided() {
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
    fn finds_what_minimax_finds() {
        for seed in 0..500 {
            for depth in 1..=5 {
                let tree = Tree { seed, ply: 0 };
                let result = deepen(&tree, Budget::depth(depth));
                assert_eq!(result.value, minimax(&tree, result.depth), "seed {seed} depth {depth}");
                assert_eq!(result.line.first(), Some(&result.best));
            }
        }
    }

    /// Walking the line leads to a position worth the value found.
    #[test]
    fn the_line_leads_to_the_value() {
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
                next.expect("the line is made of moves")
            });
            let sign = if result.line.len().is_multiple_of(2) { 1 } else { -1 };
            assert_eq!(sign * end.evaluate(), result.value, "seed {seed}");
        }
    }

    #[test]
    fn stops_when_all_is_seen() {
        let result = deepen(&Tree { seed: 1, ply: 0 }, Budget::default());
        assert!(result.depth <= 7, "the tree is 7 plies deep, and {} were searched", result.depth);
        assert_eq!(result.value, minimax(&Tree { seed: 1, ply: 0 }, 7));
    }

    #[test]
    fn nodes_bound_the_search() {
        for nodes in [1, 10, 100] {
            let result = deepen(&Tree { seed: 3, ply: 0 }, Budget::nodes(nodes));
            assert!(result.nodes <= nodes + 1, "{} of {nodes}", result.nodes);
        }
    }
}
