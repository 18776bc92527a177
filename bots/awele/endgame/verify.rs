//! Whether tables are sound: on every board what is forced must follow from what is forced after
//! each move. A value changed by damage does not.

use super::index::SeedRows;
use super::layer::ScoreBounds;
use super::tables::{EndgameTables, RULE};
use arbitre_games::games::awele::{Board, Pit};
use arbitre_games::parallel::for_each_chunk;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// How many runs of boards a thread takes at a time.
const RUNS: usize = 64;

impl EndgameTables {
    /// Returns how many boards of the layer of `seeds` seeds are not worth what follows from their
    /// moves, and the one with the lowest number. Damage to a file shows here.
    ///
    /// # Panics
    /// If the tables or the rows do not go so far.
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

/// What both sides force on a board, from what they force after each of its moves.
///
/// # Panics
/// If the tables do not know those.
pub fn from_moves(tables: &EndgameTables, board: Board) -> ScoreBounds {
    let [mover, other] = board.totals();
    let after = Pit::of_mask(board.legal(RULE)).map(|pit| after(tables, board, pit));
    let better = |one: ScoreBounds, two: ScoreBounds| ScoreBounds {
        mover: one.mover.max(two.mover),
        other: one.other.min(two.other),
    };
    after.reduce(better).unwrap_or(ScoreBounds { mover, other })
}

/// What both sides force on a board by a move of its mover.
///
/// # Panics
/// If the tables do not know the board after it.
pub fn after(tables: &EndgameTables, board: Board, pit: Pit) -> ScoreBounds {
    let child = board.after(pit, RULE);
    let taken = child.captures()[1] - board.captures()[0];
    let bounds = tables.look(child).expect("the tables know the boards after a move");
    ScoreBounds { mover: taken + bounds.other, other: bounds.mover }
}
