//! Verification of tables: the forced seeds of every board must follow from those after each move.
//! A value changed by damage does not.

use super::index::SeedRows;
use super::layer::ScoreBounds;
use super::tables::{EndgameTables, RULE};
use arbitre_games::games::awele::{Board, Pit};
use arbitre_games::parallel::for_each_chunk;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Number of runs of boards that a thread takes at a time. Not tuned.
const RUNS: usize = 64;

impl EndgameTables {
    /// Returns the number of unsound boards in the layer of `seeds` seeds, and the first one by
    /// index. A board is unsound if its value does not follow from its moves, as after damage to a
    /// file.
    ///
    /// # Panics
    /// Panics if the tables or `rows` have too few seeds.
    pub fn unsound(&self, rows: &SeedRows, seeds: usize, threads: usize) -> (usize, Option<Board>) {
        let layer = &self.layers[seeds];
        let index = layer.index();
        let (count, least) = (AtomicUsize::new(0), AtomicU64::new(u64::MAX));
        for_each_chunk(index.runs(rows), RUNS, threads, |runs| {
            for run in runs {
                let (first, boards) = index.run(rows, run);
                for (number, board) in (first..).zip(boards) {
                    if layer.look(board) != Some(layer.known(from_moves(self, board))) {
                        count.fetch_add(1, Relaxed);
                        least.fetch_min(number, Relaxed);
                    }
                }
            }
        });
        let least = least.into_inner();
        (count.into_inner(), (least < index.size()).then(|| index.board(rows, least)))
    }
}

/// Returns the seeds that both sides force on a board, computed from those after each move.
///
/// # Panics
/// Panics if the tables do not have the boards after its moves.
pub fn from_moves(tables: &EndgameTables, board: Board) -> ScoreBounds {
    let [mover, other] = board.totals();
    let after = Pit::of_mask(board.legal(RULE)).map(|pit| after(tables, board, pit));
    let better = |one: ScoreBounds, two: ScoreBounds| ScoreBounds {
        mover: one.mover.max(two.mover),
        other: one.other.min(two.other),
    };
    after.reduce(better).unwrap_or(ScoreBounds { mover, other })
}

/// Returns the seeds that both sides force on a board if its mover plays `pit`.
///
/// # Panics
/// Panics if the tables do not have the board after the move.
pub fn after(tables: &EndgameTables, board: Board, pit: Pit) -> ScoreBounds {
    let child = board.after(pit, RULE);
    let taken = child.captures()[1] - board.captures()[0];
    let bounds = tables.look(child).expect("the tables know the boards after a move");
    ScoreBounds { mover: taken + bounds.other, other: bounds.mover }
}
