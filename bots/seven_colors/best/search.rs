//! Principal variation search with iterative deepening, late move reductions and a transposition
//! table. Leaves are evaluated by Voronoi zones.

use super::bitboard_position::{BitboardNode, BoardContext, ColourMove};
use super::simd::SimdBitboard;
use arbitre_games::search::budget::Limiter;
use arbitre_games::search::deepening::{deepen, IterationOutcome, SearchResult};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};
use std::cmp::Ordering;

/// Upper bound of all values.
const INFINITY: i32 = i32::MAX;
/// Parameters of late move reductions.
struct ReductionParams {
    /// Least remaining depth, in plies below the move, at which late moves are reduced. Reductions
    /// from four plies on were tried on 2026-11-21 and not kept (`bots/seven_colors/diary.md`).
    least_depth: u32,
    /// Number of moves of a node that are never reduced. One and three were no better (2026-11-21).
    full_moves: usize,
}

const REDUCTIONS: ReductionParams = ReductionParams { least_depth: 3, full_moves: 2 };

/// A search and the table that it keeps from move to move.
pub struct SevenColorsSearch<P> {
    table: TranspositionTable<1>,
    /// Stack of the children of all nodes on the current line.
    children: Vec<ColourMove<P>>,
    /// Whether late moves are reduced.
    reduces: bool,
}

impl<P: SimdBitboard> SevenColorsSearch<P> {
    /// Creates a search with a table of `entries` entries, rounded up to a power of two.
    pub fn new(entries: usize) -> SevenColorsSearch<P> {
        SevenColorsSearch {
            table: TranspositionTable::new(entries),
            children: Vec::new(),
            reduces: true,
        }
    }

    /// Creates a search without late move reductions.
    #[cfg(test)]
    pub fn without_reductions(entries: usize) -> SevenColorsSearch<P> {
        SevenColorsSearch { reduces: false, ..SevenColorsSearch::new(entries) }
    }

    /// Empties the transposition table.
    pub fn clear(&mut self) {
        self.table.next_game();
    }

    /// Searches with iterative deepening until the limiter stops it or the winner is known.
    pub fn search(
        &mut self,
        context: &BoardContext<P>,
        root: &BitboardNode<P>,
        limiter: &mut Limiter,
    ) -> SearchResult<u8> {
        self.table.next_search();
        self.children.clear();
        P::children(context, root, &mut self.children);
        let mut moves = std::mem::take(&mut self.children);
        // The first iteration has no earlier result, so it begins with the largest gains.
        moves.sort_by_key(|child| std::cmp::Reverse(child.gain));
        let deepest = limiter.depth_limit().min(self.longest(context, root));
        let result = deepen(moves[0].colour, 1..=deepest, |depth, result| {
            let is_complete = self.root(context, &mut moves, depth, limiter, result);
            IterationOutcome::new(is_complete, result.value.abs() >= WON)
        });
        SearchResult { nodes: limiter.nodes(), ..result }
    }

    /// Returns an upper bound of the plies left: each ply gains a cell or brings a stall nearer.
    fn longest(&self, context: &BoardContext<P>, root: &BitboardNode<P>) -> u32 {
        let free = context.board.count() - u32::from(root.cells[0] + root.cells[1]);
        (free + 1).saturating_mul(context.rules.stall.into())
    }

    /// Searches one iteration and returns `true` if it was completed. The best move of the last one
    /// comes first, so a result is usable even if the iteration is stopped.
    fn root(
        &mut self,
        context: &BoardContext<P>,
        moves: &mut [ColourMove<P>],
        depth: u32,
        limiter: &mut Limiter,
        result: &mut SearchResult<u8>,
    ) -> bool {
        let mut alpha = -INFINITY;
        for number in 0..moves.len() {
            let child = moves[number];
            let value = self.pvs(context, &child, depth - 1, (alpha, INFINITY), number, limiter);
            if limiter.stopped() {
                return false;
            }
            if value > alpha {
                alpha = value;
                (result.best, result.value) = (child.colour, value);
                moves[..=number].rotate_right(1);
            }
        }
        true
    }

    /// Returns the value of a position within (alpha, beta), or a bound outside it. The value is
    /// meaningless once the limiter has stopped.
    fn negamax(
        &mut self,
        context: &BoardContext<P>,
        node: &BitboardNode<P>,
        depth: u32,
        (alpha, beta): (i32, i32),
        limiter: &mut Limiter,
    ) -> i32 {
        if limiter.tick() {
            return 0;
        }
        if let Some(verdict) = context.verdict(node) {
            return terminal_value(verdict, node);
        }
        if depth == 0 {
            let [own, other] = P::zones(context, node);
            return estimate(node, own, other);
        }
        let hash = node.key();
        let known = self.table.probe(hash);
        if let Some(value) = known.and_then(|entry| entry.cutoff(depth, alpha, beta)) {
            return value;
        }
        let start = self.children.len();
        P::children(context, node, &mut self.children);
        let hint = known.and_then(|entry| entry.best);
        self.children[start..].sort_unstable_by_key(|child| order(child, hint));
        let value = self.children_of(context, start, depth, (alpha, beta), limiter, hash);
        self.children.truncate(start);
        value
    }

    /// Returns the best value of the children from `start` on and stores it in the table.
    fn children_of(
        &mut self,
        context: &BoardContext<P>,
        start: usize,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        limiter: &mut Limiter,
        hash: u64,
    ) -> i32 {
        let (floor, mut best, mut best_colour) = (alpha, -INFINITY, 0);
        for at in start..self.children.len() {
            let child = self.children[at];
            let value = self.pvs(context, &child, depth - 1, (alpha, beta), at - start, limiter);
            if limiter.stopped() {
                return 0;
            }
            if value > best {
                (best, best_colour) = (value, child.colour);
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.table.store(hash, Entry::new(depth, best, Some(best_colour), floor, beta));
        best
    }

    #[inline]
    fn pvs(
        &mut self,
        context: &BoardContext<P>,
        child: &ColourMove<P>,
        depth: u32,
        (alpha, beta): (i32, i32),
        number: usize,
        limiter: &mut Limiter,
    ) -> i32 {
        let node = &child.node;
        if number >= REDUCTIONS.full_moves && self.reduces && depth >= REDUCTIONS.least_depth {
            // Reduced by two plies: values depend on the side to move at the leaves. One ply cost
            // 49 Elo (300 games, 2026-11-21).
            let value = -self.negamax(context, node, depth - 2, (-alpha - 1, -alpha), limiter);
            if value <= alpha {
                return value;
            }
        }
        // Null window first: a full search is needed only for a move that raises alpha.
        if number > 0 && beta > alpha + 1 {
            let value = -self.negamax(context, node, depth, (-alpha - 1, -alpha), limiter);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        -self.negamax(context, node, depth, (-beta, -alpha), limiter)
    }
}

/// Returns the sort key of a move: the move of the table first, then the largest gain.
fn order<P>(child: &ColourMove<P>, hint: Option<u8>) -> (bool, std::cmp::Reverse<u16>) {
    (Some(child.colour) != hint, std::cmp::Reverse(child.gain))
}

/// Returns the value of a finished game. The fewer cells are taken, the better a win and the worse
/// a loss. Values start from `2 * WON`, so that subtracting the taken cells leaves a win above
/// [`WON`].
fn terminal_value<P>(verdict: Ordering, node: &BitboardNode<P>) -> i32 {
    let taken = i32::from(node.cells[0] + node.cells[1]);
    match verdict {
        Ordering::Greater => 2 * WON - taken,
        Ordering::Less => taken - 2 * WON,
        Ordering::Equal => 0,
    }
}

/// Returns the lead of the player to move, with the cells that each player reaches first.
fn estimate<P>(node: &BitboardNode<P>, own: u32, other: u32) -> i32 {
    i32::from(node.cells[0]) + own as i32 - i32::from(node.cells[1]) - other as i32
}
