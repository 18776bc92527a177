//! Phase 2, versions 1 and 2: minimax to a fixed depth on one board, with alpha-beta.
//!
//! With more than two players it is still one value, mine: I make it large, and everybody else, small.

use super::board::Board;
use super::evaluation::{BoardEvaluator, BoardSearchResult, WON};
use crate::tron::window::Window;
use arbitre_games::games::tron::Direction;

/// Beyond every value.
const INFINITY: i32 = 2 * WON;

/// A search on a board that it leaves as it was.
pub struct DepthFirst<'a, 'j> {
    /// The board to search on.
    pub board: &'a mut Board,
    /// What judges its leaves.
    pub evaluator: BoardEvaluator<'j>,
}

impl DepthFirst<'_, '_> {
    /// The best moves at so many plies, 1 or more, all of those of the same value; none if the meter
    /// stopped it before all was seen, as then nothing is known.
    pub fn search(&mut self, depth: u32) -> Option<BoardSearchResult> {
        let (mut best, mut moves) = (-INFINITY, 0);
        for direction in Direction::of_mask(self.board.ways(self.board.me)) {
            // A window that is open by one more tells equal moves from worse ones.
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

    /// The value of the position within a window, or a bound of it outside.
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
