//! Paranoid alpha-beta search: all other players in contact are assumed to minimise the value of
//! seat 0. Iterative deepening, principal variation search and a transposition table.

use super::evaluation::lost;
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::chamber_tree::ChamberTree;
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::root::{iterate, INFINITY};
use crate::tron::best::simd::SimdBitboard;
use crate::tron::seats::{seats, turns};
use crate::tron::window::Window;
use arbitre_games::games::tron::{Direction, MOST_SEATS};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::deepening::{deepen, IterationOutcome, SearchResult};
use arbitre_games::search::transposition::{Entry, TranspositionTable, WON};

/// Number of entries of the transposition table. Not tuned.
const ENTRIES: usize = 1 << 18;

/// A paranoid search with the data it keeps between moves.
pub struct ParanoidSearch {
    keys: ParanoidKeys,
    table: TranspositionTable<1>,
    /// History table: weight of the cutoffs by a move, by seat and cell.
    history: Vec<u32>,
    tree: ChamberTree,
}

/// Zobrist keys of trails, heads, the turn and the moving players.
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

    /// Returns the hash of a seat in the game.
    fn of<P: Bitboard>(&self, position: &MultiplayerPosition<P>, seat: usize) -> u64 {
        let mut hash = self.heads[seat][position.heads[seat].index()];
        position.trails[seat].each(|cell| hash ^= self.trails[seat][cell.index()]);
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
            tree: ChamberTree::default(),
        }
    }
}

impl ParanoidSearch {
    /// Clears the tables.
    pub fn clear(&mut self) {
        self.table.next_game();
        self.history.fill(0);
    }

    /// Returns the static evaluation for seat 0, which is to move.
    pub fn evaluate<P: SimdBitboard>(&mut self, position: &MultiplayerPosition<P>) -> i32 {
        P::evaluate_view(&position.view(0), i32::MIN, &mut self.tree)
    }

    /// Searches for seat 0 by iterative deepening.
    ///
    /// # Panics
    /// Panics if seat 0 has no move.
    pub fn search<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        budget: Budget,
    ) -> SearchResult<Direction> {
        let (first, _) = position.ways(0).next().expect("the mover has a move");
        self.table.next_search();
        // Cutoffs of earlier searches count for less.
        self.history.iter_mut().for_each(|count| *count /= 8);
        let near = position.near();
        let hash = seats(position.alive).fold(self.keys.near[usize::from(near)], |hash, seat| {
            hash ^ self.keys.of(position, seat)
        });
        let root = ParanoidNode { position: *position, hash };
        let mut run = ParanoidRun { kept: self, limiter: Limiter::new(budget), near };
        let deepest = run.limiter.depth_limit().min(4 * (position.free.count() + 1));
        let result = deepen(first, 1..=deepest, |depth, result| {
            let is_complete = iterate(position.ways(0), result, |to, alpha| {
                let child = run.child(&root, 0, to);
                let window = Window { alpha, beta: INFINITY };
                let value = run.scout(&child, 0, depth - 1, window, alpha == -INFINITY);
                (!run.limiter.stopped()).then_some(value)
            });
            IterationOutcome::new(is_complete, result.value.abs() >= WON)
        });
        SearchResult { nodes: run.limiter.nodes(), ..result }
    }
}

/// A position with its hash, the turn not included.
#[derive(Clone, Copy)]
struct ParanoidNode<P> {
    position: MultiplayerPosition<P>,
    hash: u64,
}

/// One search.
struct ParanoidRun<'a> {
    kept: &'a mut ParanoidSearch,
    limiter: Limiter,
    /// Mask of the players that move besides seat 0.
    near: u8,
}

impl ParanoidRun<'_> {
    /// Returns the value for seat 0 within the window; outside it, a bound. The next of the moving
    /// seats from `turn` on is to move. The value is meaningless once the limiter has stopped.
    fn value<P: SimdBitboard>(
        &mut self,
        node: &ParanoidNode<P>,
        turn: usize,
        depth: u32,
        window: Window,
    ) -> i32 {
        let position = &node.position;
        if self.limiter.tick() {
            return 0;
        }
        if position.alive == 1 {
            return 2 * WON;
        }
        let seat = self.to_move(position, turn);
        if depth == 0 {
            return P::evaluate_view(&position.view(seat), window.alpha, &mut self.kept.tree);
        }
        let hash = node.hash ^ self.kept.keys.turns[seat];
        let known = self.kept.table.probe(hash);
        if let Some(value) = known.and_then(|entry| entry.cutoff(depth, window.alpha, window.beta))
        {
            return value;
        }
        let ways = self.ordered(position, seat, known.and_then(|entry| entry.best));
        if ways[0].is_none() {
            return self.stuck(node, seat, depth, window);
        }
        let (value, direction) = self.best(node, seat, depth, window, ways);
        if !self.limiter.stopped() {
            let entry = Entry::new(depth, value, Some(direction), window.alpha, window.beta);
            self.kept.table.store(hash, entry);
        }
        value
    }

    /// Returns the value of a seat's best move, and the number of its direction.
    fn best<P: SimdBitboard>(
        &mut self,
        node: &ParanoidNode<P>,
        seat: usize,
        depth: u32,
        mut window: Window,
        ways: Ways,
    ) -> (i32, u8) {
        let own = seat == 0;
        let (mut best, mut best_way) = (if own { -INFINITY } else { INFINITY }, 0);
        for (at, (direction, to)) in ways.into_iter().flatten().enumerate() {
            let child = self.child(node, seat, to);
            let value = self.scout(&child, seat, depth - 1, window, at == 0);
            if self.limiter.stopped() {
                break;
            }
            if if own { value > best } else { value < best } {
                (best, best_way) = (value, direction.index() as u8);
            }
            if window.narrow(own, value) {
                self.kept.history[seat * Cell::END + to.index()] += depth * depth;
                break;
            }
        }
        (best, best_way)
    }

    /// Returns the value after a seat's move; moves other than the first are searched with a null
    /// window first.
    #[inline]
    fn scout<P: SimdBitboard>(
        &mut self,
        child: &ParanoidNode<P>,
        seat: usize,
        depth: u32,
        window: Window,
        first: bool,
    ) -> i32 {
        let (turn, Window { alpha, beta }) = (seat + 1, window);
        if !first && i64::from(beta) > i64::from(alpha) + 1 {
            let (alpha, beta) = if seat == 0 { (alpha, alpha + 1) } else { (beta - 1, beta) };
            let value = self.value(child, turn, depth, Window { alpha, beta });
            if value <= window.alpha || value >= window.beta {
                return value;
            }
        }
        self.value(child, turn, depth, window)
    }

    /// Returns the first moving seat from `turn` on: seat 0 or one in contact.
    #[inline]
    fn to_move<P: Bitboard>(&self, position: &MultiplayerPosition<P>, turn: usize) -> usize {
        let part = position.alive & (self.near | 1);
        turns(turn).find(|seat| part >> seat & 1 != 0).unwrap_or(0)
    }

    /// Returns the value with the stuck seat eliminated.
    fn stuck<P: SimdBitboard>(
        &mut self,
        node: &ParanoidNode<P>,
        seat: usize,
        depth: u32,
        window: Window,
    ) -> i32 {
        if seat == 0 {
            return lost(&node.position);
        }
        let hash = node.hash ^ self.kept.keys.of(&node.position, seat);
        let without = ParanoidNode { position: node.position.without(seat), hash };
        self.value(&without, seat + 1, depth, window)
    }

    #[inline]
    fn child<P: Bitboard>(&self, node: &ParanoidNode<P>, seat: usize, to: Cell) -> ParanoidNode<P> {
        let (from, keys) = (node.position.heads[seat], &self.kept.keys);
        let heads = &keys.heads[seat];
        let moved = heads[from.index()] ^ heads[to.index()] ^ keys.trails[seat][to.index()];
        ParanoidNode { position: node.position.after(seat, to), hash: node.hash ^ moved }
    }

    /// Returns a seat's moves in search order: the table's move first, then by history.
    #[inline]
    fn ordered<P: Bitboard>(
        &self,
        position: &MultiplayerPosition<P>,
        seat: usize,
        hint: Option<u8>,
    ) -> Ways {
        let mut ranked = [(0, None); 4];
        for (count, (direction, to)) in position.ways(seat).enumerate() {
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

/// Up to four moves with the cells they enter, the most promising first.
type Ways = [Option<(Direction, Cell)>; 4];

#[cfg(test)]
mod tests {
    use super::super::evaluation::evaluate_view;
    use super::*;
    use crate::tron::best::bitboards::{SmallGrid, Step};
    use crate::tron::best::reference::RandomGrid;

    /// Reference: plain minimax of seat 0 against the players in contact.
    fn minimax(
        position: &MultiplayerPosition<SmallGrid>,
        near: u8,
        turn: usize,
        depth: u32,
    ) -> i32 {
        if position.alive == 1 {
            return 2 * WON;
        }
        let part = position.alive & (near | 1);
        let seat = turns(turn).find(|seat| part >> seat & 1 != 0).unwrap();
        if depth == 0 {
            return evaluate_view::<SmallGrid>(
                &position.view(seat),
                -INFINITY,
                &mut ChamberTree::default(),
            );
        }
        let after = |(_, to)| minimax(&position.after(seat, to), near, seat + 1, depth - 1);
        let values: Vec<i32> = position.ways(seat).map(after).collect();
        match seat {
            _ if values.is_empty() && seat > 0 => {
                minimax(&position.without(seat), near, seat + 1, depth)
            }
            0 => values.into_iter().max().unwrap_or(lost(position)),
            _ => values.into_iter().min().unwrap(),
        }
    }

    /// Returns a random position in which seat 0 can move.
    fn random(rng: &mut Rng) -> MultiplayerPosition<SmallGrid> {
        let mut draws = std::iter::repeat_with(|| {
            let alive = [0b0111, 0b1111][rng.below(2)];
            RandomGrid::new(rng, (3, 3), (7, 6)).players(alive)
        });
        draws.find(|position| position.ways(0).next().is_some()).expect("there are many")
    }

    #[test]
    fn search_agrees_with_minimax() {
        let mut rng = Rng::new(12);
        let mut decided = 0;
        let mut searcher = ParanoidSearch::default();
        for _ in 0..300 {
            let position = random(&mut rng);
            searcher.clear();
            let found = searcher.search(&position, Budget::depth(1 + rng.below(7) as u32));
            let near = position.near();
            assert_eq!(found.value, minimax(&position, near, 0, found.depth), "{position:?}");
            let to = position.heads[0].towards(found.best);
            let after = position.after(0, to);
            assert_eq!(minimax(&after, near, 1, found.depth - 1), found.value, "{position:?}");
            decided += usize::from(found.value.abs() >= WON);
        }
        assert!((20..280).contains(&decided), "{decided} were decided");
    }

    /// Data kept from one move does not change the value of the next search.
    #[test]
    fn kept_data_does_not_change_values() {
        let mut rng = Rng::new(13);
        let mut searcher = ParanoidSearch::default();
        for _ in 0..60 {
            let mut position = random(&mut rng);
            let mut direction = position.ways(0).next();
            while let Some((_, to)) = direction {
                let found = searcher.search(&position, Budget::depth(3));
                assert_eq!(found.value, minimax(&position, position.near(), 0, found.depth));
                position = position.after(0, to);
                direction = position.ways(0).next();
            }
        }
    }
}
