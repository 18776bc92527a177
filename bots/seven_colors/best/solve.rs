//! Boards to their end: who wins, and how.

use super::bitboard_position::{colour, BitboardNode, BoardContext, ColourMove};
use super::proof::{ProofGoal, Prover};
use super::simd::{fits, LargeCells, SimdBitboard, SmallCells, UsualCells};
use arbitre_games::bitboard::Bitboard;
use arbitre_games::games::seven_colors::{Colour, Position};
use arbitre_games::search::budget::Limiter;
use std::cmp::Ordering;

/// What comes of a position where both play well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedBoard {
    /// The result for the player to move.
    pub result: Ordering,
    /// Moves that lead there: whoever wins keeps to a proof, and the other gains what it can.
    pub line: Vec<Colour>,
}

/// A solver for boards of any size.
#[derive(Default)]
pub struct BoardSolver {
    small: Option<Prover<SmallCells>>,
    usual: Option<Prover<UsualCells>>,
    large: Option<Prover<LargeCells>>,
    only_gains: bool,
}

/// The entries of the tables, 24 bytes each: a table of small boards fits a processor's cache.
const SMALL_TABLE: usize = 1 << 18;
const TABLE: usize = 1 << 21;

impl BoardSolver {
    /// A solver, which may leave moves that gain nothing out where others gain, as some solvers do: under
    /// rules that close colours that is another game, and who wins it may be another one.
    pub fn new(only_gains: bool) -> BoardSolver {
        BoardSolver { only_gains, ..BoardSolver::default() }
    }

    /// Solves a position, unless the limiter stops it. What was found of other positions is
    /// forgotten.
    pub fn solve(&mut self, position: &Position, limiter: &mut Limiter) -> Option<SolvedBoard> {
        let size = (position.rules().width(), position.rules().height());
        if fits(size, SmallCells::LARGEST) {
            solve(cleared(&mut self.small, SMALL_TABLE), position, self.only_gains, limiter)
        } else if fits(size, UsualCells::LARGEST) {
            solve(cleared(&mut self.usual, TABLE), position, self.only_gains, limiter)
        } else {
            solve(cleared(&mut self.large, TABLE), position, self.only_gains, limiter)
        }
    }
}

fn cleared<P: SimdBitboard>(prover: &mut Option<Prover<P>>, entries: usize) -> &mut Prover<P> {
    let prover = prover.get_or_insert_with(|| Prover::new(entries));
    prover.clear();
    prover
}

fn solve<P: SimdBitboard>(
    prover: &mut Prover<P>,
    position: &Position,
    only_gains: bool,
    limiter: &mut Limiter,
) -> Option<SolvedBoard> {
    let (mut context, root) = BoardContext::<P>::new(position);
    context.only_gains = only_gains;
    let result = result(prover, &context, &root, limiter)?;
    let mut line = Vec::new();
    let (mut node, mut wanted) = (root, result);
    while context.verdict(&node).is_none() {
        let next = next(prover, &context, &node, wanted, limiter)?;
        line.push(colour(next.colour));
        (node, wanted) = (next.node, wanted.reverse());
    }
    Some(SolvedBoard { result, line })
}

/// The result for the player to move.
fn result<P: SimdBitboard>(
    prover: &mut Prover<P>,
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    limiter: &mut Limiter,
) -> Option<Ordering> {
    if prover.answer(context, node, ProofGoal::MOVER_WINS, limiter)? {
        return Some(Ordering::Greater);
    }
    Some(match prover.answer(context, node, ProofGoal::MOVER_DRAWS, limiter)? {
        true => Ordering::Equal,
        false => Ordering::Less,
    })
}

/// A move that keeps the result: of several the one that gains most.
fn next<P: SimdBitboard>(
    prover: &mut Prover<P>,
    context: &BoardContext<P>,
    node: &BitboardNode<P>,
    wanted: Ordering,
    limiter: &mut Limiter,
) -> Option<ColourMove<P>> {
    let mut moves = Vec::new();
    P::children(context, node, &mut moves);
    moves.sort_by_key(|child| std::cmp::Reverse(child.gain));
    let goal = match wanted {
        Ordering::Less => return moves.first().copied(),
        Ordering::Equal => ProofGoal::MOVER_DRAWS,
        Ordering::Greater => ProofGoal::MOVER_WINS,
    };
    let shown = prover.winning(context, node, goal).filter(|_| wanted == Ordering::Greater);
    moves.sort_by_key(|child| Some(child.colour) != shown);
    for child in moves {
        if prover.answer(context, &child.node, goal.after(), limiter)? {
            return Some(child);
        }
    }
    None
}
