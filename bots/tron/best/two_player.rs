//! The search for two: alpha-beta with iterative deepening, principal variation first, and a
//! transposition table.

use super::bitboards::{Bitboard, Cell, Step};
use super::chamber_tree::ChamberTree;
use super::evaluation::lost;
use super::position::TwoPlayerPosition;
use super::root::{iterate, INFINITY};
use super::simd::SimdBitboard;
use arbitre_games::games::tron::Direction;
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::{deepen, Iteration, SearchResult};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};

/// Nodes with fewer plies below them are not worth a look at the table: ribbons stay, so that positions
/// come up again only when the search goes deeper, and it is the order of ways that the table is for.
const TABLED: u32 = 2;

/// From so many plies below a node on, all ways but the first are searched two plies less deep before
/// they are searched in full: by two, as values depend on whose turn it is at the leaves.
const REDUCED: u32 = 3;

/// With so many plies to go or fewer, what a position looks like may decide it, and with an even number:
/// values depend on whose turn it is at the leaves.
const FORESEEN: u32 = 4;
/// By how much it must look better or worse than asked: six cells with all of their neighbours.
const MARGIN: i32 = 5000;

/// A search and what it keeps from move to move.
pub struct TwoPlayerSearch {
    keys: TwoPlayerKeys,
    table: TranspositionTable,
    tree: ChamberTree,
    order: MoveOrder,
    /// Are later ways searched less deep, unless they prove better, and positions not at all that look
    /// decided?
    selective: bool,
    leaves: u64,
}

/// What cells and heads add to the hash of a position.
struct TwoPlayerKeys {
    cells: Vec<u64>,
    heads: [Vec<u64>; 2],
}

impl TwoPlayerKeys {
    fn new() -> TwoPlayerKeys {
        let mut rng = Rng::new(0x7207);
        let mut keys = || (0..Cell::END).map(|_| rng.next_u64()).collect();
        TwoPlayerKeys { cells: keys(), heads: [keys(), keys()] }
    }
}

/// A node: a position, its hash without the heads, and who is at which end of `heads`.
#[derive(Clone, Copy)]
struct TwoPlayerNode<P> {
    position: TwoPlayerPosition<P>,
    cells: u64,
    /// Is the mover the one who was to move at the root?
    first: bool,
}

impl TwoPlayerSearch {
    /// A search with a table of so many entries, rounded up to a power of two.
    pub fn new(entries: usize) -> TwoPlayerSearch {
        TwoPlayerSearch {
            keys: TwoPlayerKeys::new(),
            table: TranspositionTable::new(entries),
            tree: ChamberTree::default(),
            order: MoveOrder::default(),
            selective: true,
            leaves: 0,
        }
    }

    /// Forgets what it kept.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches deeper and deeper until the budget is spent or the winner is known.
    ///
    /// # Panics
    /// If the mover has nowhere to go.
    pub fn search<P: SimdBitboard>(
        &mut self,
        position: &TwoPlayerPosition<P>,
        budget: Budget,
    ) -> SearchResult<Direction> {
        let (first, _) = position.ways().next().expect("the mover has somewhere to go");
        let mut limiter = Limiter::new(budget);
        let root = TwoPlayerNode { position: *position, cells: 0, first: true };
        self.table.next_search();
        self.leaves = 0;
        self.order = MoveOrder::default();
        let deepest = limiter.depth_limit().min(position.free.count() + 2);
        let depths = (1..=deepest).filter(|&depth| depth == 1 || position.races_after(depth));
        let result = deepen(first, depths, |depth, result| {
            let is_complete = iterate(position.ways(), result, |to, alpha| {
                let child = self.child(&root, to);
                let value = self.root_value(&child, depth - 1, alpha, &mut limiter);
                (!limiter.stopped()).then_some(value)
            });
            Iteration::new(is_complete, result.value.abs() >= WON)
        });
        SearchResult { nodes: limiter.nodes(), ..result }
    }

    /// Returns the number of leaves that the last search evaluated.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Returns the value of a move at the root; not above alpha, a bound.
    fn root_value<P: SimdBitboard>(
        &mut self,
        child: &TwoPlayerNode<P>,
        depth: u32,
        alpha: i32,
        limiter: &mut Limiter,
    ) -> i32 {
        if alpha > -INFINITY {
            let value = -self.negamax(child, depth, -alpha - 1, -alpha, limiter);
            if value <= alpha {
                return value;
            }
        }
        -self.negamax(child, depth, -INFINITY, -alpha, limiter)
    }

    #[inline]
    fn child<P: Bitboard>(&self, node: &TwoPlayerNode<P>, to: Cell) -> TwoPlayerNode<P> {
        let cells = node.cells ^ self.keys.cells[to.index()];
        TwoPlayerNode { position: node.position.after(to), cells, first: !node.first }
    }

    /// Who is where matters; whose turn it is does too.
    #[inline]
    fn hash<P>(&self, node: &TwoPlayerNode<P>) -> u64 {
        let [mover, other] = node.position.heads.map(Cell::index);
        let seats = &self.keys.heads;
        match node.first {
            true => node.cells ^ seats[0][mover] ^ seats[1][other],
            false => !node.cells ^ seats[0][other] ^ seats[1][mover],
        }
    }

    /// The value of a position within (alpha, beta); outside it, a bound. Once the meter has stopped
    /// the value means nothing.
    fn negamax<P: SimdBitboard>(
        &mut self,
        node: &TwoPlayerNode<P>,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        limiter: &mut Limiter,
    ) -> i32 {
        if limiter.tick() {
            return 0;
        }
        if depth == 0 {
            self.leaves += 1;
            return P::evaluate(&node.position, (alpha, beta), &mut self.tree);
        }
        if let Some(bound) = self.foresee(node, depth, (alpha, beta)) {
            return bound;
        }
        let hash = self.hash(node);
        let known = if depth >= TABLED { self.table.look(hash) } else { None };
        if let Some(value) = known.and_then(|entry| entry.settles(depth, alpha, beta)) {
            return value;
        }
        let hint = known.map(|entry| entry.best);
        let (floor, mut best, mut best_way) = (alpha, -INFINITY, 0);
        for direction in self.order.ways(hint, depth) {
            let to = node.position.heads[0].towards(Direction::ALL[usize::from(direction)]);
            if !node.position.free.has(to) {
                continue;
            }
            let child = self.child(node, to);
            let value = self.pvs(&child, depth - 1, (alpha, beta), best == -INFINITY, limiter);
            if limiter.stopped() {
                return 0;
            }
            if value > best {
                (best, best_way) = (value, direction);
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.order.cut(direction, depth);
                    break;
                }
            }
        }
        if best == -INFINITY {
            return lost(&node.position);
        }
        if depth >= TABLED {
            self.table.keep(hash, Entry::new(depth, best, best_way, floor, beta));
        }
        best
    }

    /// A bound where a position looks far better or worse than a search with so many plies to go is to
    /// tell it from.
    #[inline]
    fn foresee<P: SimdBitboard>(
        &mut self,
        node: &TwoPlayerNode<P>,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let asked = self.selective && beta == alpha + 1;
        if !asked || depth > FORESEEN || depth % 2 == 1 {
            return None;
        }
        self.leaves += 1;
        let window = (alpha.saturating_sub(MARGIN), beta.saturating_add(MARGIN));
        match P::evaluate(&node.position, window, &mut self.tree) {
            low if low <= window.0 => Some(low + MARGIN),
            high if high >= window.1 => Some(high - MARGIN),
            _ => None,
        }
    }

    #[inline]
    fn pvs<P: SimdBitboard>(
        &mut self,
        child: &TwoPlayerNode<P>,
        depth: u32,
        (alpha, beta): (i32, i32),
        first: bool,
        limiter: &mut Limiter,
    ) -> i32 {
        if !first && self.selective && depth >= REDUCED {
            let value = -self.negamax(child, depth - 2, -alpha - 1, -alpha, limiter);
            if value <= alpha {
                return value;
            }
        }
        if !first && beta > alpha + 1 {
            let value = -self.negamax(child, depth, -alpha - 1, -alpha, limiter);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        -self.negamax(child, depth, -beta, -alpha, limiter)
    }
}

/// In which order ways are tried: that of the table, then the one that was last good enough with as many
/// plies to go.
struct MoveOrder {
    killers: [Option<u8>; MoveOrder::PLIES],
}

impl Default for MoveOrder {
    fn default() -> MoveOrder {
        MoveOrder { killers: [None; MoveOrder::PLIES] }
    }
}

impl MoveOrder {
    /// Deeper nodes share the places of others.
    const PLIES: usize = 256;

    #[inline]
    fn ways(&self, hint: Option<u8>, depth: u32) -> [u8; 4] {
        let killer = self.killers[depth as usize % MoveOrder::PLIES];
        let mut ways = [0, 1, 2, 3];
        ways.sort_by_key(|&direction| match Some(direction) {
            direction if direction == hint => 0,
            direction if direction == killer => 1,
            _ => 2,
        });
        ways
    }

    /// The other will not let this happen.
    #[inline]
    fn cut(&mut self, direction: u8, depth: u32) {
        self.killers[depth as usize % MoveOrder::PLIES] = Some(direction);
    }
}

#[cfg(test)]
mod tests;
