//! Phase 2, versions 1 and 2: alpha-beta to a fixed depth on one board.
//!
//! With more than two players the search is paranoid: the root player maximises its value, and all
//! others minimise it.

use super::board::Board;
use super::evaluation::{BoardEvaluator, BoardSearchResult, WON};
use crate::tron::window::Window;
use arbitre_games::games::tron::Direction;

/// Bound beyond every value.
const INFINITY: i32 = 2 * WON;

/// A search that leaves its board unchanged.
pub struct DepthFirst<'a, 'j> {
    /// The board to search on.
    pub board: &'a mut Board,
    /// Evaluator of the leaves.
    pub evaluator: BoardEvaluator<'j>,
}

impl DepthFirst<'_, '_> {
    /// Returns all best moves at `depth` plies, at least 1. Returns `None` if the limiter stopped
    /// the search, as an unfinished search proves nothing.
    pub fn search(&mut self, depth: u32) -> Option<BoardSearchResult> {
        let (mut best, mut moves) = (-INFINITY, 0);
        for direction in Direction::of_mask(self.board.ways(self.board.me)) {
            // Alpha is one below the best value, so a move of equal value gets its exact value.
            let undo = self.board.play(direction);
            let window = Window { alpha: best - 1, beta: INFINITY };
            let value = self.value(depth - 1, 1, window);
            self.board.undo(undo);
            let value = value?;
            if value > best {
                (best, moves) = (value, 0);
            }
            if value == best {
                moves |= 1 << direction.index();
            }
        }
        Some(BoardSearchResult { value: best, moves, depth })
    }

    /// Returns the value of the position, or a bound if it lies outside the window.
    fn value(&mut self, depth: u32, ply: u32, mut window: Window) -> Option<i32> {
        if self.evaluator.limiter.tick() {
            return None;
        }
        if depth == 0 || self.board.end().is_some() {
            return Some(self.evaluator.value(self.board, ply));
        }
        let mover = usize::from(self.board.standing.mover);
        let mine = mover == self.board.me;
        let mut best = if mine { -INFINITY } else { INFINITY };
        for direction in Direction::of_mask(self.board.ways(mover)) {
            let undo = self.board.play(direction);
            let value = self.value(depth - 1, ply + 1, window);
            self.board.undo(undo);
            let value = value?;
            best = if mine { best.max(value) } else { best.min(value) };
            if window.narrow(mine, value) {
                break;
            }
        }
        Some(best)
    }
}
