//! Two-player search: alpha-beta with iterative deepening, principal variation search and a
//! transposition table.

use super::bitboards::{Bitboard, Cell, Step};
use super::chamber_tree::ChamberTree;
use super::evaluation::{lost, OPEN};
use super::position::TwoPlayerPosition;
use super::root::{iterate, INFINITY};
use super::simd::SimdBitboard;
use arbitre_games::games::tron::Direction;
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::{deepen, IterationOutcome, SearchResult};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};

/// Smallest depth in plies at which the table is used. Trails stay, so positions repeat only
/// between iterations, and the table mainly orders moves. Without it next to the leaves: 5 % more
/// nodes, 5 % less time (2026-11-21, bots/tron/diary.md).
const TABLED: u32 = 2;

/// Smallest depth in plies after a move at which late moves are searched two plies shallower first.
/// Two, as values depend on the mover at the leaves. 54.3 % of 420 games (2026-11-21,
/// bots/tron/diary.md).
const REDUCED: u32 = 3;

/// Largest depth in plies at which the static evaluation may prune. Only even depths count, as
/// values depend on the mover at the leaves. 2 or 4 plies: 52.8 % of 400 games (2026-11-22,
/// bots/tron/diary.md).
const FORESEEN: u32 = 4;
/// Margin of static pruning: six cells with all of their neighbours. Measured with [`FORESEEN`].
const MARGIN: i32 = 5000;

/// A search with the data it keeps between moves.
pub struct TwoPlayerSearch {
    keys: TwoPlayerKeys,
    table: TranspositionTable<1>,
    tree: ChamberTree,
    order: MoveOrder,
    /// Whether late moves are reduced and positions pruned statically.
    selective: bool,
    leaves: u64,
}

/// Zobrist keys of cells and heads.
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

/// A node: a position, its hash without the heads, and its mover.
#[derive(Clone, Copy)]
struct TwoPlayerNode<P> {
    position: TwoPlayerPosition<P>,
    cells: u64,
    /// Whether the mover is the player that moves at the root.
    first: bool,
}

impl TwoPlayerSearch {
    /// Creates a search with a table of `entries` entries, rounded up to a power of two.
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

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.next_game();
    }

    /// Searches by iterative deepening until the budget is spent or the winner is known.
    ///
    /// # Panics
    /// Panics if the mover has no move.
    pub fn search<P: SimdBitboard>(
        &mut self,
        position: &TwoPlayerPosition<P>,
        budget: Budget,
    ) -> SearchResult<Direction> {
        let (first, _) = position.ways().next().expect("the mover has a move");
        let mut limiter = Limiter::new(budget);
        let root = TwoPlayerNode { position: *position, cells: 0, first: true };
        self.table.next_search();
        self.leaves = 0;
        self.order = MoveOrder::default();
        let deepest = limiter.depth_limit().min(position.free.count() + 2);
        // Depth 1 is always searched; deeper iterations end only where values are comparable.
        let depths = (1..=deepest).filter(|&depth| depth == 1 || position.races_after(depth));
        let result = deepen(first, depths, |depth, result| {
            let is_complete = iterate(position.ways(), result, |to, alpha| {
                let child = self.child(&root, to);
                let value = self.root_value(&child, depth - 1, alpha, &mut limiter);
                (!limiter.stopped()).then_some(value)
            });
            IterationOutcome::new(is_complete, result.value.abs() >= WON)
        });
        SearchResult { nodes: limiter.nodes(), ..result }
    }

    /// Returns the static evaluation for the mover.
    pub fn evaluate<P: SimdBitboard>(&mut self, position: &TwoPlayerPosition<P>) -> i32 {
        P::evaluate(position, OPEN, &mut self.tree)
    }

    /// Returns the number of leaves that the last search evaluated.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Returns the value of a move at the root, or a bound if it is not above alpha.
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

    /// Returns the hash of a node, with its heads and its mover.
    #[inline]
    fn hash<P>(&self, node: &TwoPlayerNode<P>) -> u64 {
        let [mover, other] = node.position.heads.map(Cell::index);
        let seats = &self.keys.heads;
        match node.first {
            true => node.cells ^ seats[0][mover] ^ seats[1][other],
            false => !node.cells ^ seats[0][other] ^ seats[1][mover],
        }
    }

    /// Returns the value of a position within (alpha, beta); outside it, a bound. The value is
    /// meaningless once the limiter has stopped.
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
        let known = if depth >= TABLED { self.table.probe(hash) } else { None };
        if let Some(value) = known.and_then(|entry| entry.cutoff(depth, alpha, beta)) {
            return value;
        }
        let hint = known.and_then(|entry| entry.best);
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
            self.table.store(hash, Entry::new(depth, best, Some(best_way), floor, beta));
        }
        best
    }

    /// Returns a bound if the static evaluation is outside a null window by at least [`MARGIN`].
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

/// Move ordering: the table's move, then the killer move of the same depth.
struct MoveOrder {
    killers: [Option<u8>; MoveOrder::PLIES],
}

impl Default for MoveOrder {
    fn default() -> MoveOrder {
        MoveOrder { killers: [None; MoveOrder::PLIES] }
    }
}

impl MoveOrder {
    /// Number of killer slots; deeper nodes share them.
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

    /// Stores the killer move of a cutoff.
    #[inline]
    fn cut(&mut self, direction: u8, depth: u32) {
        self.killers[depth as usize % MoveOrder::PLIES] = Some(direction);
    }
}

#[cfg(test)]
mod tests;
