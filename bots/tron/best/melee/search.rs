//! The search: alpha-beta for one against all others that are near, who are taken to have nothing in
//! mind but to harm him ("paranoid"), with iterative deepening, principal variation first, and a
//! transposition table.

use super::judge::lost;
use super::Melee;
use crate::tron::best::chambers::Chambers;
use crate::tron::best::plane::{Bitboard, Cell};
use crate::tron::best::wide::Wide;
use arbitre_games::games::tron::{Direction, MOST_SEATS};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};

/// More than any value.
const INFINITY: i32 = i32::MAX;
/// The entries of the transposition table.
const ENTRIES: usize = 1 << 18;

/// What was found: the best way, its value, and the plies searched completely.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The best way.
    pub best: Direction,
    /// What the position is worth.
    pub value: i32,
    /// The plies that were searched completely.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
}

/// What a search keeps from move to move.
pub struct Searcher {
    keys: Keys,
    table: TranspositionTable,
    /// By seat and spot: how much a move there has cut off.
    history: Vec<u32>,
    chambers: Chambers,
}

/// What ribbons, heads, the turn and those who take part add to the hash of a position.
struct Keys {
    ribbons: [Vec<u64>; MOST_SEATS],
    heads: [Vec<u64>; MOST_SEATS],
    turns: [u64; MOST_SEATS],
    near: [u64; 1 << MOST_SEATS],
}

impl Keys {
    fn new() -> Keys {
        let mut rng = Rng::new(0x3E1E);
        let mut keys = |_| (0..Cell::END).map(|_| rng.next_u64()).collect();
        let (ribbons, heads) = (std::array::from_fn(&mut keys), std::array::from_fn(&mut keys));
        let mut key = |_| rng.next_u64();
        let (turns, near) = (std::array::from_fn(&mut key), std::array::from_fn(&mut key));
        Keys { ribbons, heads, turns, near }
    }

    /// What a seat adds that is in the game.
    fn of<P: Bitboard>(&self, melee: &Melee<P>, seat: usize) -> u64 {
        let mut hash = self.heads[seat][melee.heads[seat].index()];
        melee.ribbons[seat].each(|spot| hash ^= self.ribbons[seat][spot.index()]);
        hash
    }
}

impl Default for Searcher {
    fn default() -> Searcher {
        let history = vec![0; MOST_SEATS * Cell::END];
        Searcher {
            keys: Keys::new(),
            table: TranspositionTable::new(ENTRIES),
            history,
            chambers: Chambers::default(),
        }
    }
}

impl Searcher {
    /// Forgets what it kept.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.fill(0);
    }

    /// Searches for seat 0, deeper and deeper.
    ///
    /// # Panics
    /// If it has nowhere to go.
    pub fn search<P: Wide>(&mut self, melee: &Melee<P>, budget: Budget) -> Finding {
        let (best, _) = melee.ways(0).next().expect("the mover has somewhere to go");
        let mut finding = Finding { best, value: 0, depth: 0, nodes: 0 };
        self.table.next_search();
        self.history.iter_mut().for_each(|count| *count /= 8);
        let near = melee.near();
        let alive = (0..MOST_SEATS).filter(|&seat| melee.is_alive(seat));
        let hash = alive
            .fold(self.keys.near[usize::from(near)], |hash, seat| hash ^ self.keys.of(melee, seat));
        let root = Node { melee: *melee, hash };
        let mut run = Run { kept: self, meter: Limiter::new(budget), near };
        let longest = run.meter.depth_limit().min(4 * (melee.free.count() + 1));
        for depth in 1..=longest {
            if !run.root(&root, depth, &mut finding) {
                break;
            }
            finding.depth = depth;
            if finding.value.abs() >= WON {
                break;
            }
        }
        finding.nodes = run.meter.nodes();
        finding
    }
}

/// A position and its hash without whose turn it is.
#[derive(Clone, Copy)]
struct Node<P> {
    melee: Melee<P>,
    hash: u64,
}

/// One search.
struct Run<'a> {
    kept: &'a mut Searcher,
    meter: Limiter,
    /// Who moves besides seat 0.
    near: u8,
}

impl Run<'_> {
    /// One iteration, the best way so far first, so that what it found counts even if it was stopped.
    /// Returns whether it was complete.
    fn root<P: Wide>(&mut self, root: &Node<P>, depth: u32, finding: &mut Finding) -> bool {
        let mut ways: Vec<(Direction, Cell)> = root.melee.ways(0).collect();
        ways.sort_by_key(|(way, _)| *way != finding.best);
        let mut alpha = -INFINITY;
        for (at, (way, to)) in ways.into_iter().enumerate() {
            let child = self.child(root, 0, to);
            let value = self.scout(&child, 0, depth - 1, (alpha, INFINITY), at == 0);
            if self.meter.stopped() {
                return false;
            }
            if value > alpha {
                alpha = value;
                (finding.best, finding.value) = (way, value);
            }
        }
        true
    }

    /// The value for seat 0 within the window (alpha, beta), the turn being this seat's or the next's
    /// that takes part; outside the window, a bound. Once the meter has stopped it means nothing.
    fn value<P: Wide>(
        &mut self,
        node: &Node<P>,
        turn: usize,
        depth: u32,
        window: (i32, i32),
    ) -> i32 {
        let melee = &node.melee;
        if self.meter.tick() {
            return 0;
        }
        if melee.alive == 1 {
            return 2 * WON;
        }
        let seat = self.to_move(melee, turn);
        if depth == 0 {
            return P::judge(&melee.view(seat), window.0, &mut self.kept.chambers);
        }
        let hash = node.hash ^ self.kept.keys.turns[seat];
        let known = self.kept.table.look(hash);
        if let Some(value) = known.and_then(|entry| entry.settles(depth, window.0, window.1)) {
            return value;
        }
        let ways = self.ordered(melee, seat, known.map(|entry| entry.best));
        if ways[0].is_none() {
            return self.stuck(node, seat, depth, window);
        }
        let (value, way) = self.best(node, seat, depth, window, ways);
        if !self.meter.stopped() {
            let entry = Entry::new(depth, value, way, window.0, window.1);
            self.kept.table.keep(hash, entry);
        }
        value
    }

    /// The value of the best of these ways of a seat for who is to move, and its number.
    fn best<P: Wide>(
        &mut self,
        node: &Node<P>,
        seat: usize,
        depth: u32,
        (mut alpha, mut beta): (i32, i32),
        ways: Ways,
    ) -> (i32, u8) {
        let mut best = if seat == 0 { -INFINITY } else { INFINITY };
        let mut best_way = 0;
        for (at, (way, to)) in ways.into_iter().flatten().enumerate() {
            let child = self.child(node, seat, to);
            let value = self.scout(&child, seat, depth - 1, (alpha, beta), at == 0);
            if self.meter.stopped() {
                break;
            }
            if if seat == 0 { value > best } else { value < best } {
                (best, best_way) = (value, way.index() as u8);
            }
            match seat {
                0 => alpha = alpha.max(best),
                _ => beta = beta.min(best),
            }
            if alpha >= beta {
                self.kept.history[seat * Cell::END + to.index()] += depth * depth;
                break;
            }
        }
        (best, best_way)
    }

    /// The value after a seat's move: of those that are not its first it is asked first only whether
    /// they are better.
    #[inline]
    fn scout<P: Wide>(
        &mut self,
        child: &Node<P>,
        seat: usize,
        depth: u32,
        (alpha, beta): (i32, i32),
        first: bool,
    ) -> i32 {
        let turn = seat + 1;
        if !first && i64::from(beta) > i64::from(alpha) + 1 {
            let narrow = if seat == 0 { (alpha, alpha + 1) } else { (beta - 1, beta) };
            let value = self.value(child, turn, depth, narrow);
            if value <= alpha || value >= beta {
                return value;
            }
        }
        self.value(child, turn, depth, (alpha, beta))
    }

    /// The first seat from this one on that takes part: 0, and those who are near.
    #[inline]
    fn to_move<P: Bitboard>(&self, melee: &Melee<P>, turn: usize) -> usize {
        let part = melee.alive & (self.near | 1);
        let mut turns = (turn..turn + MOST_SEATS).map(|seat| seat % MOST_SEATS);
        turns.find(|seat| part >> seat & 1 != 0).unwrap_or(0)
    }

    /// Who has nowhere to go is out.
    fn stuck<P: Wide>(
        &mut self,
        node: &Node<P>,
        seat: usize,
        depth: u32,
        window: (i32, i32),
    ) -> i32 {
        if seat == 0 {
            return lost(&node.melee);
        }
        let hash = node.hash ^ self.kept.keys.of(&node.melee, seat);
        let without = Node { melee: node.melee.without(seat), hash };
        self.value(&without, seat + 1, depth, window)
    }

    #[inline]
    fn child<P: Bitboard>(&self, node: &Node<P>, seat: usize, to: Cell) -> Node<P> {
        let (from, keys) = (node.melee.heads[seat], &self.kept.keys);
        let heads = &keys.heads[seat];
        let moved = heads[from.index()] ^ heads[to.index()] ^ keys.ribbons[seat][to.index()];
        Node { melee: node.melee.after(seat, to), hash: node.hash ^ moved }
    }

    /// A seat's ways: that of the table first, then those that have cut off most.
    #[inline]
    fn ordered<P: Bitboard>(&self, melee: &Melee<P>, seat: usize, hint: Option<u8>) -> Ways {
        let mut ranked = [(0, None); 4];
        for (count, (way, to)) in melee.ways(seat).enumerate() {
            let rank = match hint == Some(way.index() as u8) {
                true => u32::MAX,
                false => self.kept.history[seat * Cell::END + to.index()],
            };
            let mut at = count;
            while at > 0 && ranked[at - 1].0 < rank {
                ranked[at] = ranked[at - 1];
                at -= 1;
            }
            ranked[at] = (rank, Some((way, to)));
        }
        ranked.map(|(_, way)| way)
    }
}

/// Up to four ways and where they lead, the most promising first.
type Ways = [Option<(Direction, Cell)>; 4];

#[cfg(test)]
mod tests {
    use super::super::judge::judge;
    use super::*;
    use crate::tron::best::plane::Small;
    use crate::tron::best::plane::Step;

    /// The slow twin: plain minimax of seat 0 against those who are near.
    fn minimax(melee: &Melee<Small>, near: u8, turn: usize, depth: u32) -> i32 {
        if melee.alive == 1 {
            return 2 * WON;
        }
        let part = melee.alive & (near | 1);
        let seat = (turn..).map(|seat| seat % MOST_SEATS).find(|seat| part >> seat & 1 != 0);
        let seat = seat.unwrap();
        if depth == 0 {
            return judge(&melee.view(seat), -INFINITY, &mut Chambers::default());
        }
        let after = |(_, to)| minimax(&melee.after(seat, to), near, seat + 1, depth - 1);
        let values: Vec<i32> = melee.ways(seat).map(after).collect();
        match seat {
            _ if values.is_empty() && seat > 0 => {
                minimax(&melee.without(seat), near, seat + 1, depth)
            }
            0 => values.into_iter().max().unwrap_or(lost(melee)),
            _ => values.into_iter().min().unwrap(),
        }
    }

    fn random(rng: &mut Rng) -> Melee<Small> {
        let (width, height) = (3 + rng.below(5), 3 + rng.below(4));
        let mut spots: Vec<Cell> =
            (0..width * height).map(|cell| Cell::new(cell % width, cell / width)).collect();
        rng.shuffle(&mut spots);
        let mut melee = Melee {
            free: Small::NONE,
            ribbons: [Small::NONE; MOST_SEATS],
            heads: [Cell::default(); MOST_SEATS],
            alive: 0,
        };
        let seats = 3 + rng.below(2);
        for (at, &spot) in spots.iter().enumerate() {
            match (at < seats, rng.below(8)) {
                (true, _) => {
                    (melee.heads[at], melee.alive) = (spot, melee.alive | 1 << at);
                    melee.ribbons[at].insert(spot);
                }
                (_, seat @ 0..2) => melee.ribbons[seat].insert(spot),
                _ => melee.free.insert(spot),
            }
        }
        melee
    }

    #[test]
    fn the_search_finds_what_minimax_finds() {
        let mut rng = Rng::new(12);
        let mut decided = 0;
        let mut searcher = Searcher::default();
        for _ in 0..300 {
            let melee = random(&mut rng);
            if melee.ways(0).next().is_none() {
                continue;
            }
            searcher.clear();
            let found = searcher.search(&melee, Budget::depth(1 + rng.below(7) as u32));
            let near = melee.near();
            assert_eq!(found.value, minimax(&melee, near, 0, found.depth), "{melee:?}");
            let to = melee.heads[0].towards(found.best);
            let after = melee.after(0, to);
            assert_eq!(minimax(&after, near, 1, found.depth - 1), found.value, "{melee:?}");
            decided += usize::from(found.value.abs() >= WON);
        }
        assert!((20..280).contains(&decided), "{decided} were decided");
    }

    /// What is kept of one move does not change what another one is worth.
    #[test]
    fn a_search_that_goes_on_finds_the_same_value() {
        let mut rng = Rng::new(13);
        let mut searcher = Searcher::default();
        for _ in 0..60 {
            let mut melee = random(&mut rng);
            let mut way = melee.ways(0).next();
            while let Some((_, to)) = way {
                let found = searcher.search(&melee, Budget::depth(3));
                assert_eq!(found.value, minimax(&melee, melee.near(), 0, found.depth));
                melee = melee.after(0, to);
                way = melee.ways(0).next();
            }
        }
    }
}
