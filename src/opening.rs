//! Openings: random walks from a position, no two of which end in the same position.

use crate::game::{Seat, State};
use crate::rng::Rng;
use std::collections::HashSet;
use std::hash::Hash;

/// One step of a walk, for a game to decide whether it belongs in an opening.
pub struct Walk<'a, S: State> {
    /// Position before the move.
    pub before: &'a S,
    /// Seat to move.
    pub seat: Seat,
    /// Move of the step.
    pub mv: S::Move,
    /// Position after the move.
    pub after: &'a S,
}

/// Iterator over the openings of a fixed length, in random order, for games whose seats move in
/// turn.
///
/// The walks drawn so far form a trie, from which exhausted branches are cut. Nothing is enumerated
/// in advance, and the end is exact: the root has no branch left. Memory grows with the number of
/// openings drawn.
///
/// The iterator also ends after too many dead ends in a row, because openings longer than the game
/// may never arrive. There are none of more than 10,000 plies.
///
/// ```
/// use arbitre_games::game::{Game, State};
/// use arbitre_games::games::awele::{Awele, Opening, CODINGAME};
/// use arbitre_games::opening::Openings;
/// use arbitre_games::rng::Rng;
/// let start = Awele::new(CODINGAME).start(&Opening::default()).unwrap();
/// let openings = Openings::new(start, 2, Rng::new(1), |_| true, |position| position.board());
/// assert_eq!(openings.count(), 36);
/// ```
pub struct Openings<S: State, Key> {
    start: S,
    plies: usize,
    rng: Rng,
    qualifies: fn(&Walk<S>) -> bool,
    key: fn(&S) -> Key,
    reached: HashSet<Key>,
    nodes: Vec<TrieNode<S::Move>>,
    /// Whether the iterator has ended: the trie has no branch left, [`PATIENCE`] ran out, or the
    /// openings are too long.
    bare: bool,
}

/// Largest length in plies, as a walk through a game without an end would have none. Not tuned.
const MOST_PLIES: usize = 10_000;
/// Number of dead ends in a row after which the iterator ends. Not tuned.
const PATIENCE: usize = 200_000;

/// Branches of a position that may still lead to a new opening.
type TrieNode<M> = Vec<Branch<M>>;

#[derive(Clone, Copy)]
struct Branch<M> {
    mv: M,
    /// Index of its node, once a walk has used the branch.
    node: Option<usize>,
}

/// Position of a walk, with its node in the trie.
struct Stand<S> {
    position: S,
    node: usize,
    /// Branch taken from here.
    branch: usize,
}

impl<S: State, Key: Eq + Hash> Openings<S, Key> {
    /// Creates an iterator over openings of `plies` moves from `start`, all of which meet
    /// `qualifies`. Two openings are equal if their final positions have the same `key`. The game
    /// continues after an opening.
    pub fn new(
        start: S,
        plies: usize,
        rng: Rng,
        qualifies: fn(&Walk<S>) -> bool,
        key: fn(&S) -> Key,
    ) -> Self {
        Openings {
            start,
            plies,
            rng,
            qualifies,
            key,
            reached: HashSet::new(),
            nodes: Vec::new(),
            bare: plies > MOST_PLIES,
        }
    }

    /// Returns the start of a walk. The root is the first node.
    fn begin(&mut self) -> Stand<S> {
        let position = self.start.clone();
        if self.nodes.is_empty() {
            self.grow(&position, 0);
        }
        let (node, branch) = (0, 0);
        Stand { position, node, branch }
    }

    /// Adds the node of a position at this depth, and returns its index.
    fn grow(&mut self, position: &S, depth: usize) -> usize {
        let branches = match depth < self.plies {
            true => self.branches(position),
            false => Vec::new(),
        };
        self.nodes.push(branches);
        self.nodes.len() - 1
    }

    fn branches(&mut self, before: &S) -> TrieNode<S::Move> {
        let Some(seat) = before.to_move().iter().next() else {
            return Vec::new();
        };
        let mut moves = before.moves(seat);
        moves.retain(|&mv| {
            let after = &before.after(seat, mv);
            (self.qualifies)(&Walk { before, seat, mv, after })
        });
        moves.into_iter().map(|mv| Branch { mv, node: None }).collect()
    }

    /// Takes a random step from the end of the walk. Returns `None` if its node has no branch left.
    fn step(&mut self, walk: &mut [Stand<S>]) -> Option<Stand<S>> {
        let depth = walk.len();
        let here = walk.last_mut()?;
        let seat = here.position.to_move().iter().next()?;
        let count = self.nodes[here.node].len();
        here.branch = (count > 0).then(|| self.rng.below(count))?;
        let Branch { mv, node } = self.nodes[here.node][here.branch];
        let position = here.position.after(seat, mv);
        let node = node.unwrap_or_else(|| self.grow(&position, depth));
        self.nodes[here.node][here.branch].node = Some(node);
        Some(Stand { position, node, branch: 0 })
    }

    /// Returns `true` if the walk is a new opening: of full length, new at its end, and not a
    /// finished game.
    fn arrives(&mut self, walk: &[Stand<S>]) -> bool {
        walk.last().is_some_and(|here| {
            walk.len() - 1 == self.plies
                && !here.position.to_move().is_empty()
                && self.reached.insert((self.key)(&here.position))
        })
    }

    fn moves(&self, walk: &[Stand<S>]) -> Vec<S::Move> {
        let taken = walk.iter().take(self.plies);
        taken.map(|stand| self.nodes[stand.node][stand.branch].mv).collect()
    }

    /// Steps back and cuts the branch that led here, which is exhausted.
    fn cut(&mut self, walk: &mut Vec<Stand<S>>) {
        walk.pop();
        match walk.last() {
            // The order of the branches does not matter: a step chooses one at random.
            Some(stand) => drop(self.nodes[stand.node].swap_remove(stand.branch)),
            None => self.bare = true,
        }
    }
}

impl<S: State, Key: Eq + Hash> Iterator for Openings<S, Key> {
    type Item = Vec<S::Move>;

    fn next(&mut self) -> Option<Vec<S::Move>> {
        if self.bare {
            return None;
        }
        let mut walk = vec![self.begin()];
        let mut fruitless = 0;
        while !walk.is_empty() && fruitless < PATIENCE {
            if let Some(stand) = self.step(&mut walk) {
                walk.push(stand);
                continue;
            }
            let opening = self.arrives(&walk).then(|| self.moves(&walk));
            self.cut(&mut walk);
            if opening.is_some() {
                return opening;
            }
            fruitless += 1;
        }
        self.bare = true;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome, Seats};
    use crate::games::awele::{Awele, Opening, Position, CODINGAME};
    use std::ops::ControlFlow;

    /// A game for two on a line: each move adds 1 or 2, and reaching the end finishes it.
    #[derive(Clone)]
    struct Race(u32, u32);

    impl State for Race {
        type Move = u32;

        fn to_move(&self) -> Seats {
            match self.0 < 5 {
                true => Seats::one(Seat::new((self.1 % 2) as usize)),
                false => Seats::NONE,
            }
        }

        fn for_each_move(&self, seat: Seat, found: impl FnMut(u32) -> ControlFlow<()>) {
            if self.to_move().contains(seat) {
                let _ = [1, 2].into_iter().try_for_each(found);
            }
        }

        fn play(&mut self, seat: Seat, mv: u32) -> Result<(), crate::game::IllegalMove> {
            self.play_unchecked(seat, mv);
            Ok(())
        }

        fn play_unchecked(&mut self, _seat: Seat, mv: u32) {
            *self = Race(self.0 + mv, self.1 + 1);
        }

        fn forfeit(&mut self, _seats: Seats) {}

        fn outcome(&self) -> Option<Outcome> {
            None
        }
    }

    fn races(plies: usize, seed: u64) -> Vec<Vec<u32>> {
        Openings::new(Race(0, 0), plies, Rng::new(seed), |_| true, |race| race.0).collect()
    }

    #[test]
    fn each_position_is_found_once() {
        let count = |plies| races(plies, 9).len();
        // After k plies the sum is between k and 2k, and the game continues below 5.
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(count), [1, 2, 3, 2, 1, 0, 0]);
        for opening in races(3, 9) {
            assert!(opening.len() == 3 && opening.iter().sum::<u32>() < 5, "{opening:?}");
        }
    }

    #[test]
    fn a_seed_means_the_same_openings() {
        assert_eq!(races(2, 1), races(2, 1));
        let orders: HashSet<_> = (0..50).map(|seed| races(1, seed)).collect();
        assert_eq!(orders.len(), 2, "seeds give both orders of two openings");
    }

    #[test]
    fn only_qualifying_moves_are_walked() {
        let even = |walk: &Walk<Race>| walk.mv == 2 && walk.after.0 == walk.before.0 + 2;
        let openings: Vec<_> =
            Openings::new(Race(0, 0), 2, Rng::new(3), even, |race| race.0).collect();
        assert_eq!(openings, [[2, 2]]);
    }

    /// The end is exact: there is one opening per position that an enumeration finds.
    #[test]
    fn openings_match_an_enumeration() {
        let game = Awele::new(CODINGAME);
        let start = game.start(&Opening::default()).unwrap();
        let mut layer = vec![start];
        for plies in 0..=5 {
            let drawn: Vec<Opening> = game.setups(2, plies, Rng::new(plies as u64)).collect();
            let mut boards = HashSet::new();
            layer.retain(|position: &Position| boards.insert(position.board()));
            assert_eq!(drawn.len(), boards.len(), "{plies} plies");
            let reached = drawn.iter().map(|opening| game.start(opening).unwrap().board());
            assert_eq!(reached.collect::<HashSet<_>>(), boards);
            layer = layer.iter().flat_map(quiet_successors).collect();
        }
    }

    fn quiet_successors(position: &Position) -> Vec<Position> {
        let seat = position.mover();
        let moves = position.moves(seat).into_iter();
        moves
            .map(|pit| position.after(seat, pit))
            .filter(|after| after.board().captures() == [0, 0])
            .collect()
    }

    #[test]
    fn openings_longer_than_the_game_end_the_iterator() {
        let start = Awele::new(CODINGAME).start(&Opening::default()).unwrap();
        for plies in [200, usize::MAX] {
            let (start, rng) = (start.clone(), Rng::new(1));
            let mut openings = Openings::new(start, plies, rng, |_| true, |p: &Position| p.board());
            assert_eq!(openings.next(), None);
        }
    }
}
