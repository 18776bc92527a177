//! A position as the search copies it: the board's 16 bytes and a number of plies. What holds for
//! the whole search is shared.

use super::heuristic::Heuristic;
use crate::games::awele::{Board, End, Pit, Position, Rules, HALF};
use crate::search::alpha_beta;
use std::cmp::{Ordering, Reverse};
use std::ops::ControlFlow;

/// What holds for a whole search.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The rules of the game. Repetition is left to the referee: a position's value would depend
    /// on the way to it.
    pub rules: Rules,
    /// What judges at the horizon.
    pub heuristic: Heuristic,
}

/// A position in the search.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    board: Board,
    /// Plies since the start of the game.
    ply: u32,
    terms: &'a Terms,
}

/// The value of a won game, less the plies played, so that the nearer win is the better one.
pub const WIN: i32 = 10_000;

impl<'a> Node<'a> {
    /// The root of a search on these terms.
    pub fn new(position: &Position, terms: &'a Terms) -> Node<'a> {
        Node { board: position.board(), ply: position.ply(), terms }
    }

    fn legal(&self) -> u8 {
        self.board.legal(self.terms.rules.grand_slam)
    }

    fn end(&self) -> Option<End> {
        let rules = &self.terms.rules;
        if self.board.captures().iter().any(|&seeds| seeds > HALF) {
            Some(End::Majority)
        } else if self.legal() == 0 {
            Some(End::NoMove)
        } else if rules.max_plies.is_some_and(|plies| self.ply >= plies) {
            Some(End::MaxPlies)
        } else {
            None
        }
    }

    /// The value of a game that ends here with these seeds.
    fn worth(&self, [own, other]: [u8; 2]) -> i32 {
        let win = WIN - self.ply.min(WIN as u32 / 2) as i32;
        match own.cmp(&other) {
            Ordering::Less => -win,
            Ordering::Equal => 0,
            Ordering::Greater => win,
        }
    }
}

impl alpha_beta::Position for Node<'_> {
    type Move = Pit;

    #[inline]
    fn decided(&self) -> Option<i32> {
        self.end().map(|end| self.worth(self.terms.rules.shares(end, self.board)))
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        self.terms.heuristic.judge(self.board)
    }

    /// Captures come first, the largest before the others.
    #[inline]
    fn for_each_child(&self, mut found: impl FnMut(Pit, Self) -> ControlFlow<()>) {
        let rule = self.terms.rules.grand_slam;
        let mut children = [(0, Pit::FIRST, self.board); 6];
        let mut count = 0;
        for pit in Pit::of_mask(self.legal()) {
            let board = self.board.after(pit, rule);
            children[count] = (board.captures()[1], pit, board);
            count += 1;
        }
        children[..count].sort_by_key(|&(captured, ..)| Reverse(captured));
        let _ = children[..count].iter().try_for_each(|&(_, pit, board)| {
            found(pit, Node { board, ply: self.ply + 1, terms: self.terms })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, State};
    use crate::games::awele::{Awele, Opening};
    use crate::rng::Rng;
    use crate::search::alpha_beta::Position as _;

    /// Rules that end in every way but by repetition, which a node does not know.
    const RULES: [&str; 6] = [
        "codingame",
        "max-plies=40",
        "max-plies=40 sweep=yes",
        "grand-slam=illegal no-move=mover-all max-plies=400",
        "grand-slam=illegal-unless-only no-move=opponent-all max-plies=400 sweep=yes",
        "grand-slam=take max-plies=400",
    ];

    fn on<'a>(position: &Position, terms: &'a Terms) -> Node<'a> {
        Node::new(position, terms)
    }

    /// What the slow twin says: a position of the game that the referee plays.
    fn agree(position: &Position, terms: &Terms) {
        let node = on(position, terms);
        let sign = position.final_seeds().map(|[own, other]| own.cmp(&other) as i32);
        assert_eq!(node.decided().map(i32::signum), sign, "{position:?}");
        let mut children = Vec::new();
        node.for_each_child(|pit, child| {
            children.push((pit, child));
            ControlFlow::Continue(())
        });
        assert!(children.is_sorted_by_key(|(_, child)| Reverse(child.board.captures()[1])));
        children.sort_by_key(|(pit, _)| *pit);
        let moves = position.moves(position.mover());
        if sign.is_none() {
            assert!(children.iter().map(|(pit, _)| *pit).eq(moves), "{position:?}");
        }
        for (pit, child) in children.into_iter().filter(|_| sign.is_none()) {
            let mut next = position.clone();
            next.play(position.mover(), pit).unwrap();
            assert_eq!((child.board, child.ply), (next.board(), next.ply()));
        }
    }

    #[test]
    fn a_node_is_what_the_referee_plays() {
        let mut ends = 0;
        for (rules, seed) in RULES.into_iter().zip(0..) {
            let rules = Rules::parse(rules).unwrap();
            let terms = Terms { rules, heuristic: Heuristic::Captures };
            let mut rng = Rng::new(seed);
            for _ in 0..60 {
                let mut position = Awele::new(rules).start(&Opening::default()).unwrap();
                agree(&position, &terms);
                while position.end().is_none() {
                    let moves = position.moves(position.mover());
                    position.play_unchecked(position.mover(), moves[rng.below(moves.len())]);
                    agree(&position, &terms);
                }
                ends += 1;
            }
        }
        assert_eq!(ends, 360);
    }
}
