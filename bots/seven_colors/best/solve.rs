//! Boards to their end: who wins, and how.

use super::proof::{Prover, Question};
use super::terrain::{colour, Child, Node, Terrain};
use super::wide::{fits, Large, Small, Usual, Wide};
use arbitre_games::bitboard::Bitboard;
use arbitre_games::games::seven_colors::{Colour, Position};
use arbitre_games::search::budget::Limiter;
use std::cmp::Ordering;

/// What comes of a position where both play well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The result for the player to move.
    pub result: Ordering,
    /// Moves that lead there: whoever wins keeps to a proof, and the other gains what it can.
    pub line: Vec<Colour>,
    /// The positions visited.
    pub nodes: u64,
}

/// A solver for boards of any size.
#[derive(Default)]
pub struct Solver {
    small: Option<Prover<Small>>,
    usual: Option<Prover<Usual>>,
    large: Option<Prover<Large>>,
    only_gains: bool,
}

/// The entries of the tables, 24 bytes each: a table of small boards fits a processor's cache.
const SMALL_TABLE: usize = 1 << 18;
const TABLE: usize = 1 << 21;

impl Solver {
    /// A solver, which may leave moves that gain nothing out where others gain, as some solvers do: under
    /// rules that close colours that is another game, and who wins it may be another one.
    pub fn new(only_gains: bool) -> Solver {
        Solver { only_gains, ..Solver::default() }
    }

    /// Solves a position, unless the meter stops it. What was found of other positions is forgotten.
    pub fn solve(&mut self, position: &Position, meter: &mut Limiter) -> Option<Solution> {
        let size = (position.rules().width(), position.rules().height());
        if fits(size, Small::LARGEST) {
            solve(cleared(&mut self.small, SMALL_TABLE), position, self.only_gains, meter)
        } else if fits(size, Usual::LARGEST) {
            solve(cleared(&mut self.usual, TABLE), position, self.only_gains, meter)
        } else {
            solve(cleared(&mut self.large, TABLE), position, self.only_gains, meter)
        }
    }
}

fn cleared<P: Wide>(prover: &mut Option<Prover<P>>, entries: usize) -> &mut Prover<P> {
    let prover = prover.get_or_insert_with(|| Prover::new(entries));
    prover.clear();
    prover
}

fn solve<P: Wide>(
    prover: &mut Prover<P>,
    position: &Position,
    only_gains: bool,
    meter: &mut Limiter,
) -> Option<Solution> {
    let (mut terrain, root) = Terrain::<P>::new(position);
    terrain.only_gains = only_gains;
    let result = result(prover, &terrain, &root, meter)?;
    let mut line = Vec::new();
    let (mut node, mut wanted) = (root, result);
    while terrain.verdict(&node).is_none() {
        let next = next(prover, &terrain, &node, wanted, meter)?;
        line.push(colour(next.colour));
        (node, wanted) = (next.node, wanted.reverse());
    }
    Some(Solution { result, line, nodes: meter.nodes() })
}

/// The result for the player to move.
fn result<P: Wide>(
    prover: &mut Prover<P>,
    terrain: &Terrain<P>,
    node: &Node<P>,
    meter: &mut Limiter,
) -> Option<Ordering> {
    if prover.answer(terrain, node, Question::MOVER_WINS, meter)? {
        return Some(Ordering::Greater);
    }
    Some(match prover.answer(terrain, node, Question::MOVER_DRAWS, meter)? {
        true => Ordering::Equal,
        false => Ordering::Less,
    })
}

/// A move that keeps the result: of several the one that gains most.
fn next<P: Wide>(
    prover: &mut Prover<P>,
    terrain: &Terrain<P>,
    node: &Node<P>,
    wanted: Ordering,
    meter: &mut Limiter,
) -> Option<Child<P>> {
    let mut moves = Vec::new();
    P::children(terrain, node, &mut moves);
    moves.sort_by_key(|child| std::cmp::Reverse(child.gain));
    let question = match wanted {
        Ordering::Less => return moves.first().copied(),
        Ordering::Equal => Question::MOVER_DRAWS,
        Ordering::Greater => Question::MOVER_WINS,
    };
    let shown = prover.winning(terrain, node, question).filter(|_| wanted == Ordering::Greater);
    moves.sort_by_key(|child| Some(child.colour) != shown);
    for child in moves {
        if prover.answer(terrain, &child.node, question.after(), meter)? {
            return Some(child);
        }
    }
    None
}
