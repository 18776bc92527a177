//! Solver: the result of a board with perfect play, and a line that leads to it.

use super::bitboard_position::{colour, BitboardNode, BoardContext, ColourMove};
use super::proof::{ProofGoal, Prover};
use super::simd::{fits, LargeCells, SimdBitboard, SmallCells, UsualCells};
use arbitre_games::bitboard::Bitboard;
use arbitre_games::games::seven_colors::{Colour, Position};
use arbitre_games::search::budget::Limiter;
use std::cmp::Ordering;

/// Result of a position with perfect play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedBoard {
    /// Result for the player to move.
    pub result: Ordering,
    /// Moves to that result: the winner follows a proof, the loser plays its largest gains.
    pub line: Vec<Colour>,
}

/// A solver for boards of any size, with one table for each size of bitboard.
#[derive(Default)]
pub struct BoardSolver {
    small: Option<Prover<SmallCells>>,
    usual: Option<Prover<UsualCells>>,
    large: Option<Prover<LargeCells>>,
    only_gains: bool,
}

/// Approximate number of table entries for small boards, 24 bytes each, so that the table fits the
/// cache of a processor. A quarter or four times the size saved nothing on `filler` (2026-11-21).
const SMALL_TABLE: usize = 1 << 18;
/// Approximate number of table entries for other boards. Not tuned.
const TABLE: usize = 1 << 21;

impl BoardSolver {
    /// Creates a solver. `only_gains` skips moves without gain while another move gains, as some
    /// solvers do. Under bans that is another game, which the other player may win.
    pub fn new(only_gains: bool) -> BoardSolver {
        BoardSolver { only_gains, ..BoardSolver::default() }
    }

    /// Solves a position, unless the limiter stops it. Results of earlier positions are forgotten.
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

/// Returns a move that keeps the result: one that the proof shows, else the one of largest gain.
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
        // A lost player has nothing to keep, so it takes the largest gain.
        Ordering::Less => return moves.first().copied(),
        Ordering::Equal => ProofGoal::MOVER_DRAWS,
        Ordering::Greater => ProofGoal::MOVER_WINS,
    };
    // A move that the table already shows needs no further search.
    let shown = prover.winning(context, node, goal).filter(|_| wanted == Ordering::Greater);
    moves.sort_by_key(|child| Some(child.colour) != shown);
    for child in moves {
        if prover.answer(context, &child.node, goal.after(), limiter)? {
            return Some(child);
        }
    }
    None
}
