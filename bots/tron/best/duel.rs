//! The search for two: alpha-beta with iterative deepening, principal variation first, and a
//! transposition table.

use super::chambers::Chambers;
use super::evaluate::lost;
use super::plane::{Bitboard, Cell, Step};
use super::wide::Wide;
use arbitre_games::games::tron::Direction;
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};

/// More than any value.
const INFINITY: i32 = i32::MAX;

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

/// A position of two cycles, the one that is to move first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Duel<P> {
    /// The cells on which nobody is or was.
    pub free: P,
    /// Where the mover is, and the other.
    pub heads: [Cell; 2],
}

impl<P: Bitboard> Duel<P> {
    /// The ways of the mover to a free cell.
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        let to = |way| (way, self.heads[0].towards(way));
        Direction::ALL.into_iter().map(to).filter(|(_, spot)| self.free.has(*spot))
    }

    /// After so many plies, is no cell as near to one as to the other? They are then on cells of
    /// different colours of a chessboard. Where they are not, the mover is the first at all that are
    /// equally near to both, and on any move gives many of them away: what the zones say then is worth
    /// less, and not to be compared with what they say a ply later.
    pub fn races_after(&self, plies: u32) -> bool {
        let apart = self.heads[0].colour() ^ self.heads[1].colour();
        (apart as u32 + plies) % 2 == 1
    }

    /// The position after the mover goes there.
    #[inline]
    pub fn after(&self, to: Cell) -> Duel<P> {
        let mut free = self.free;
        free.remove(to);
        Duel { free, heads: [self.heads[1], to] }
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The best way.
    pub best: Direction,
    /// What the position is worth to the mover.
    pub value: i32,
    /// The plies that were searched completely.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// Those of them that were judged.
    pub leaves: u64,
}

/// A search and what it keeps from move to move.
pub struct Searcher {
    keys: Keys,
    table: TranspositionTable,
    chambers: Chambers,
    order: Order,
    /// Are later ways searched less deep, unless they prove better, and positions not at all that look
    /// decided?
    selective: bool,
    leaves: u64,
}

/// What cells and heads add to the hash of a position.
struct Keys {
    cells: Vec<u64>,
    heads: [Vec<u64>; 2],
}

impl Keys {
    fn new() -> Keys {
        let mut rng = Rng::new(0x7207);
        let mut keys = || (0..Cell::END).map(|_| rng.next_u64()).collect();
        Keys { cells: keys(), heads: [keys(), keys()] }
    }
}

/// A node: a position, its hash without the heads, and who is at which end of `heads`.
#[derive(Clone, Copy)]
struct Node<P> {
    duel: Duel<P>,
    cells: u64,
    /// Is the mover the one who was to move at the root?
    first: bool,
}

impl Searcher {
    /// A search with a table of so many entries, rounded up to a power of two.
    pub fn new(entries: usize) -> Searcher {
        Searcher {
            keys: Keys::new(),
            table: TranspositionTable::new(entries),
            chambers: Chambers::default(),
            order: Order::default(),
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
    pub fn search<P: Wide>(&mut self, duel: &Duel<P>, budget: Budget) -> Finding {
        let (best, _) = duel.ways().next().expect("the mover has somewhere to go");
        let mut finding = Finding { best, value: 0, depth: 0, nodes: 0, leaves: 0 };
        let mut meter = Limiter::new(budget);
        let root = Node { duel: *duel, cells: 0, first: true };
        self.table.next_search();
        self.leaves = 0;
        self.order = Order::default();
        let longest = meter.depth_limit().min(duel.free.count() + 2);
        for depth in (1..=longest).filter(|&depth| depth == 1 || duel.races_after(depth)) {
            let complete = self.root(&root, depth, &mut meter, &mut finding);
            if !complete {
                break;
            }
            finding.depth = depth;
            if finding.value.abs() >= WON {
                break;
            }
        }
        finding.nodes = meter.nodes();
        finding.leaves = self.leaves;
        finding
    }

    /// One iteration, the best way so far first, so that what it found counts even if it was stopped.
    /// Returns whether it was complete.
    fn root<P: Wide>(
        &mut self,
        root: &Node<P>,
        depth: u32,
        meter: &mut Limiter,
        finding: &mut Finding,
    ) -> bool {
        let mut ways: Vec<(Direction, Cell)> = root.duel.ways().collect();
        ways.sort_by_key(|(way, _)| *way != finding.best);
        let mut alpha = -INFINITY;
        for (way, to) in ways {
            let child = self.child(root, to);
            let mut value = match alpha == -INFINITY {
                true => INFINITY,
                false => -self.negamax(&child, depth - 1, -alpha - 1, -alpha, meter),
            };
            if value > alpha {
                value = -self.negamax(&child, depth - 1, -INFINITY, -alpha, meter);
            }
            if meter.stopped() {
                return false;
            }
            if value > alpha {
                alpha = value;
                (finding.best, finding.value) = (way, value);
            }
        }
        true
    }

    #[inline]
    fn child<P: Bitboard>(&self, node: &Node<P>, to: Cell) -> Node<P> {
        let cells = node.cells ^ self.keys.cells[to.index()];
        Node { duel: node.duel.after(to), cells, first: !node.first }
    }

    /// Who is where matters; whose turn it is does too.
    #[inline]
    fn hash<P>(&self, node: &Node<P>) -> u64 {
        let [mover, other] = node.duel.heads.map(Cell::index);
        let seats = &self.keys.heads;
        match node.first {
            true => node.cells ^ seats[0][mover] ^ seats[1][other],
            false => !node.cells ^ seats[0][other] ^ seats[1][mover],
        }
    }

    /// The value of a position within (alpha, beta); outside it, a bound. Once the meter has stopped
    /// the value means nothing.
    fn negamax<P: Wide>(
        &mut self,
        node: &Node<P>,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        meter: &mut Limiter,
    ) -> i32 {
        if meter.tick() {
            return 0;
        }
        if depth == 0 {
            self.leaves += 1;
            return P::evaluate(&node.duel, (alpha, beta), &mut self.chambers);
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
        for way in self.order.ways(hint, depth) {
            let to = node.duel.heads[0].towards(Direction::ALL[usize::from(way)]);
            if !node.duel.free.has(to) {
                continue;
            }
            let child = self.child(node, to);
            let value = self.pvs(&child, depth - 1, (alpha, beta), best == -INFINITY, meter);
            if meter.stopped() {
                return 0;
            }
            if value > best {
                (best, best_way) = (value, way);
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.order.cut(way, depth);
                    break;
                }
            }
        }
        if best == -INFINITY {
            return lost(&node.duel);
        }
        if depth >= TABLED {
            self.table.keep(hash, Entry::new(depth, best, best_way, floor, beta));
        }
        best
    }

    /// A bound where a position looks far better or worse than a search with so many plies to go is to
    /// tell it from.
    #[inline]
    fn foresee<P: Wide>(
        &mut self,
        node: &Node<P>,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let asked = self.selective && beta == alpha + 1;
        if !asked || depth > FORESEEN || depth % 2 == 1 {
            return None;
        }
        self.leaves += 1;
        let window = (alpha.saturating_sub(MARGIN), beta.saturating_add(MARGIN));
        match P::evaluate(&node.duel, window, &mut self.chambers) {
            low if low <= window.0 => Some(low + MARGIN),
            high if high >= window.1 => Some(high - MARGIN),
            _ => None,
        }
    }

    #[inline]
    fn pvs<P: Wide>(
        &mut self,
        child: &Node<P>,
        depth: u32,
        (alpha, beta): (i32, i32),
        first: bool,
        meter: &mut Limiter,
    ) -> i32 {
        if !first && self.selective && depth >= REDUCED {
            let value = -self.negamax(child, depth - 2, -alpha - 1, -alpha, meter);
            if value <= alpha {
                return value;
            }
        }
        if !first && beta > alpha + 1 {
            let value = -self.negamax(child, depth, -alpha - 1, -alpha, meter);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        -self.negamax(child, depth, -beta, -alpha, meter)
    }
}

/// In which order ways are tried: that of the table, then the one that was last good enough with as many
/// plies to go.
struct Order {
    killers: [Option<u8>; Order::PLIES],
}

impl Default for Order {
    fn default() -> Order {
        Order { killers: [None; Order::PLIES] }
    }
}

impl Order {
    /// Deeper nodes share the places of others.
    const PLIES: usize = 256;

    #[inline]
    fn ways(&self, hint: Option<u8>, depth: u32) -> [u8; 4] {
        let killer = self.killers[depth as usize % Order::PLIES];
        let mut ways = [0, 1, 2, 3];
        ways.sort_by_key(|&way| match Some(way) {
            way if way == hint => 0,
            way if way == killer => 1,
            _ => 2,
        });
        ways
    }

    /// The other will not let this happen.
    #[inline]
    fn cut(&mut self, way: u8, depth: u32) {
        self.killers[depth as usize % Order::PLIES] = Some(way);
    }
}

#[cfg(test)]
mod tests;
