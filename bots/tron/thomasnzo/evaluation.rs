//! Phase 2, the heuristic: what a position is worth to me.

use super::board::{Board, BoardEnd};
use super::context::{Context, Mode};
use super::flood::RegionFlood;
use arbitre_games::search::budget::Limiter;

/// More than any number of cells. A lost game is worth less than every other position, the earlier
/// the less; a won one more, the earlier the more.
pub const WON: i32 = 1_000_000;

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardSearchResult {
    /// Value of the position.
    pub value: i32,
    /// All moves of that value, as a mask.
    pub moves: u8,
    /// Depth of the search, in plies.
    pub depth: u32,
}

/// Evaluates the positions of a search, and counts them.
pub struct BoardEvaluator<'a> {
    /// What the search is about.
    pub context: &'a Context,
    /// The arrays of the heuristic.
    pub flood: &'a mut RegionFlood,
    /// What the search may spend.
    pub limiter: &'a mut Limiter,
}

impl BoardEvaluator<'_> {
    /// The value of a position for me, `ply` moves after the one that is searched.
    pub fn value(&mut self, board: &Board, ply: u32) -> i32 {
        match board.end() {
            Some(BoardEnd::Lost) => ply as i32 - WON,
            Some(BoardEnd::Won) => WON - ply as i32,
            None => self.heuristic(board),
        }
    }

    /// My score, in attack less that of the target; 0 is the score of who is out.
    fn heuristic(&mut self, board: &Board) -> i32 {
        let Context { mode, target, regions, lives, .. } = self.context;
        self.flood.run(board, *regions, lives);
        let score = |seat: usize| i32::from(self.flood.best_group(seat));
        match (mode, target) {
            (Mode::Attack, Some(target)) => score(board.me) - score(*target),
            _ => score(board.me),
        }
    }
}
