//! The search: alpha-beta for one against all others that are near, who are taken to have nothing in
//! mind but to harm him ("paranoid"), with iterative deepening, principal variation first, and a
//! transposition table.

use super::evaluation::lost;
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::chamber_tree::ChamberTree;
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::{Direction, MOST_SEATS};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::{deepen, Iteration, SearchResult};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};

/// More than any value.
const INFINITY: i32 = i32::MAX;
/// The entries of the transposition table.
const ENTRIES: usize = 1 << 18;

/// What a search keeps from move to move.
pub struct ParanoidSearch {
    keys: ParanoidKeys,
    table: TranspositionTable,
    /// By seat and spot: how much a move there has cut off.
    history: Vec<u32>,
    chambers: ChamberTree,
}

/// What ribbons, heads, the turn and those who take part add to the hash of a position.
struct ParanoidKeys {
    trails: [Vec<u64>; MOST_SEATS],
    heads: [Vec<u64>; MOST_SEATS],
    turns: [u64; MOST_SEATS],
    near: [u64; 1 << MOST_SEATS],
}

impl ParanoidKeys {
    fn new() -> ParanoidKeys {
        let mut rng = Rng::new(0x3E1E);
        let mut keys = |_| (0..Cell::END).map(|_| rng.next_u64()).collect();
        let (trails, heads) = (std::array::from_fn(&mut keys), std::array::from_fn(&mut keys));
        let mut key = |_| rng.next_u64();
        let (turns, near) = (std::array::from_fn(&mut key), std::array::from_fn(&mut key));
        ParanoidKeys { trails, heads, turns, near }
    }

    /// What a seat adds that is in the game.
    fn of<P: Bitboard>(&self, multiplayer: &MultiplayerPosition<P>, seat: usize) -> u64 {
        let mut hash = self.heads[seat][multiplayer.heads[seat].index()];
        multiplayer.trails[seat].each(|cell| hash ^= self.trails[seat][cell.index()]);
        hash
    }
}

impl Default for ParanoidSearch {
    fn default() -> ParanoidSearch {
        let history = vec![0; MOST_SEATS * Cell::END];
        ParanoidSearch {
            keys: ParanoidKeys::new(),
            table: TranspositionTable::new(ENTRIES),
            history,
            chambers: ChamberTree::default(),
        }
    }
}

impl ParanoidSearch {
    /// Forgets what it kept.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.fill(0);
    }

    /// Searches for seat 0, deeper and deeper.
    ///
    /// # Panics
    /// If it has nowhere to go.
    pub fn search<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        budget: Budget,
    ) -> SearchResult<Direction> {
        let (first, _) = position.ways(0).next().expect("the mover has somewhere to go");
        self.table.next_search();
        self.history.iter_mut().for_each(|count| *count /= 8);
        let near = position.near();
        let alive = (0..MOST_SEATS).filter(|&seat| position.is_alive(seat));
        let hash = alive.fold(self.keys.near[usize::from(near)], |hash, seat| {
            hash ^ self.keys.of(position, seat)
        });
        let root = ParanoidNode { multiplayer: *position, hash };
        let mut run = ParanoidRun { kept: self, limiter: Limiter::new(budget), near };
        let deepest = run.limiter.depth_limit().min(4 * (position.free.count() + 1));
        let result = deepen(first, 1..=deepest, |depth, result| {
            let is_complete = run.root(&root, depth, result);
            Iteration::new(is_complete, result.value.abs() >= WON)
        });
        SearchResult { nodes: run.limiter.nodes(), ..result }
    }
}

/// A position and its hash without whose turn it is.
#[derive(Clone, Copy)]
struct ParanoidNode<P> {
    multiplayer: MultiplayerPosition<P>,
    hash: u64,
}

/// One search.
struct ParanoidRun<'a> {
    kept: &'a mut ParanoidSearch,
    limiter: Limiter,
    /// Who moves besides seat 0.
    near: u8,
}

impl ParanoidRun<'_> {
    /// One iteration, the best way so far first, so that what it found counts even if it was stopped.
    /// Returns whether it was complete.
    fn root<P: SimdBitboard>(
        &mut self,
        root: &ParanoidNode<P>,
        depth: u32,
        result: &mut SearchResult<Direction>,
    ) -> bool {
        let mut ways: Vec<(Direction, Cell)> = root.multiplayer.ways(0).collect();
        ways.sort_by_key(|(direction, _)| *direction != result.best);
        let mut alpha = -INFINITY;
        for (at, (direction, to)) in ways.into_iter().enumerate() {
            let child = self.child(root, 0, to);
            let value = self.scout(&child, 0, depth - 1, (alpha, INFINITY), at == 0);
            if self.limiter.stopped() {
                return false;
            }
            if value > alpha {
                alpha = value;
                (result.best, result.value) = (direction, value);
            }
        }
        true
    }

    /// The value for seat 0 within the window (alpha, beta), the turn being this seat's or the next's
    /// that takes part; outside the window, a bound. Once the meter has stopped it means nothing.
    fn value<P: SimdBitboard>(
        &mut self,
        node: &ParanoidNode<P>,
        turn: usize,
        depth: u32,
        window: (i32, i32),
    ) -> i32 {
        let multiplayer = &node.multiplayer;
        if self.limiter.tick() {
            return 0;
        }
        if multiplayer.alive == 1 {
            return 2 * WON;
        }
        let seat = self.to_move(multiplayer, turn);
        if depth == 0 {
            return P::evaluate_view(&multiplayer.view(seat), window.0, &mut self.kept.chambers);
        }
        let hash = node.hash ^ self.kept.keys.turns[seat];
        let known = self.kept.table.look(hash);
        if let Some(value) = known.and_then(|entry| entry.settles(depth, window.0, window.1)) {
            return value;
        }
        let ways = self.ordered(multiplayer, seat, known.map(|entry| entry.best));
        if ways[0].is_none() {
            return self.stuck(node, seat, depth, window);
        }
        let (value, direction) = self.best(node, seat, depth, window, ways);
        if !self.limiter.stopped() {
            let entry = Entry::new(depth, value, direction, window.0, window.1);
            self.kept.table.keep(hash, entry);
        }
        value
    }

    /// The value of the best of these ways of a seat for who is to move, and its number.
    fn best<P: SimdBitboard>(
        &mut self,
        node: &ParanoidNode<P>,
        seat: usize,
        depth: u32,
        (mut alpha, mut beta): (i32, i32),
        ways: Ways,
    ) -> (i32, u8) {
        let mut best = if seat == 0 { -INFINITY } else { INFINITY };
        let mut best_way = 0;
        for (at, (direction, to)) in ways.into_iter().flatten().enumerate() {
            let child = self.child(node, seat, to);
            let value = self.scout(&child, seat, depth - 1, (alpha, beta), at == 0);
            if self.limiter.stopped() {
                break;
            }
            if if seat == 0 { value > best } else { value < best } {
                (best, best_way) = (value, direction.index() as u8);
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
    fn scout<P: SimdBitboard>(
        &mut self,
        child: &ParanoidNode<P>,
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
    fn to_move<P: Bitboard>(&self, multiplayer: &MultiplayerPosition<P>, turn: usize) -> usize {
        let part = multiplayer.alive & (self.near | 1);
        let mut turns = (turn..turn + MOST_SEATS).map(|seat| seat % MOST_SEATS);
        turns.find(|seat| part >> seat & 1 != 0).unwrap_or(0)
    }

    /// Who has nowhere to go is out.
    fn stuck<P: SimdBitboard>(
        &mut self,
        node: &ParanoidNode<P>,
        seat: usize,
        depth: u32,
        window: (i32, i32),
    ) -> i32 {
        if seat == 0 {
            return lost(&node.multiplayer);
        }
        let hash = node.hash ^ self.kept.keys.of(&node.multiplayer, seat);
        let without = ParanoidNode { multiplayer: node.multiplayer.without(seat), hash };
        self.value(&without, seat + 1, depth, window)
    }

    #[inline]
    fn child<P: Bitboard>(&self, node: &ParanoidNode<P>, seat: usize, to: Cell) -> ParanoidNode<P> {
        let (from, keys) = (node.multiplayer.heads[seat], &self.kept.keys);
        let heads = &keys.heads[seat];
        let moved = heads[from.index()] ^ heads[to.index()] ^ keys.trails[seat][to.index()];
        ParanoidNode { multiplayer: node.multiplayer.after(seat, to), hash: node.hash ^ moved }
    }

    /// A seat's ways: that of the table first, then those that have cut off most.
    #[inline]
    fn ordered<P: Bitboard>(
        &self,
        multiplayer: &MultiplayerPosition<P>,
        seat: usize,
        hint: Option<u8>,
    ) -> Ways {
        let mut ranked = [(0, None); 4];
        for (count, (direction, to)) in multiplayer.ways(seat).enumerate() {
            let rank = match hint == Some(direction.index() as u8) {
                true => u32::MAX,
                false => self.kept.history[seat * Cell::END + to.index()],
            };
            let mut at = count;
            while at > 0 && ranked[at - 1].0 < rank {
                ranked[at] = ranked[at - 1];
                at -= 1;
            }
            ranked[at] = (rank, Some((direction, to)));
        }
        ranked.map(|(_, direction)| direction)
    }
}

/// Up to four ways and where they lead, the most promising first.
type Ways = [Option<(Direction, Cell)>; 4];

#[cfg(test)]
mod tests {
    use super::super::evaluation::evaluate_view;
    use super::*;
    use crate::tron::best::bitboards::SmallGrid;
    use crate::tron::best::bitboards::Step;

    /// The slow twin: plain minimax of seat 0 against those who are near.
    fn minimax(
        multiplayer: &MultiplayerPosition<SmallGrid>,
        near: u8,
        turn: usize,
        depth: u32,
    ) -> i32 {
        if multiplayer.alive == 1 {
            return 2 * WON;
        }
        let part = multiplayer.alive & (near | 1);
        let seat = (turn..).map(|seat| seat % MOST_SEATS).find(|seat| part >> seat & 1 != 0);
        let seat = seat.unwrap();
        if depth == 0 {
            return evaluate_view(&multiplayer.view(seat), -INFINITY, &mut ChamberTree::default());
        }
        let after = |(_, to)| minimax(&multiplayer.after(seat, to), near, seat + 1, depth - 1);
        let values: Vec<i32> = multiplayer.ways(seat).map(after).collect();
        match seat {
            _ if values.is_empty() && seat > 0 => {
                minimax(&multiplayer.without(seat), near, seat + 1, depth)
            }
            0 => values.into_iter().max().unwrap_or(lost(multiplayer)),
            _ => values.into_iter().min().unwrap(),
        }
    }

    fn random(rng: &mut Rng) -> MultiplayerPosition<SmallGrid> {
        let (width, height) = (3 + rng.below(5), 3 + rng.below(4));
        let mut cells: Vec<Cell> =
            (0..width * height).map(|cell| Cell::new(cell % width, cell / width)).collect();
        rng.shuffle(&mut cells);
        let mut multiplayer = MultiplayerPosition {
            free: SmallGrid::NONE,
            trails: [SmallGrid::NONE; MOST_SEATS],
            heads: [Cell::default(); MOST_SEATS],
            alive: 0,
        };
        let seats = 3 + rng.below(2);
        for (at, &cell) in cells.iter().enumerate() {
            match (at < seats, rng.below(8)) {
                (true, _) => {
                    (multiplayer.heads[at], multiplayer.alive) =
                        (cell, multiplayer.alive | 1 << at);
                    multiplayer.trails[at].insert(cell);
                }
                (_, seat @ 0..2) => multiplayer.trails[seat].insert(cell),
                _ => multiplayer.free.insert(cell),
            }
        }
        multiplayer
    }

    #[test]
    fn the_search_finds_what_minimax_finds() {
        let mut rng = Rng::new(12);
        let mut decided = 0;
        let mut searcher = ParanoidSearch::default();
        for _ in 0..300 {
            let multiplayer = random(&mut rng);
            if multiplayer.ways(0).next().is_none() {
                continue;
            }
            searcher.clear();
            let found = searcher.search(&multiplayer, Budget::depth(1 + rng.below(7) as u32));
            let near = multiplayer.near();
            assert_eq!(found.value, minimax(&multiplayer, near, 0, found.depth), "{multiplayer:?}");
            let to = multiplayer.heads[0].towards(found.best);
            let after = multiplayer.after(0, to);
            assert_eq!(minimax(&after, near, 1, found.depth - 1), found.value, "{multiplayer:?}");
            decided += usize::from(found.value.abs() >= WON);
        }
        assert!((20..280).contains(&decided), "{decided} were decided");
    }

    /// What is kept of one move does not change what another one is worth.
    #[test]
    fn a_search_that_goes_on_finds_the_same_value() {
        let mut rng = Rng::new(13);
        let mut searcher = ParanoidSearch::default();
        for _ in 0..60 {
            let mut multiplayer = random(&mut rng);
            let mut direction = multiplayer.ways(0).next();
            while let Some((_, to)) = direction {
                let found = searcher.search(&multiplayer, Budget::depth(3));
                assert_eq!(found.value, minimax(&multiplayer, multiplayer.near(), 0, found.depth));
                multiplayer = multiplayer.after(0, to);
                direction = multiplayer.ways(0).next();
            }
        }
    }
}
