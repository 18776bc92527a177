//! Phase 2: evaluation of a position for the root player.

use super::board::{Board, BoardEnd};
use super::context::{Context, Mode};
use super::flood::RegionFlood;
use arbitre_games::search::budget::Limiter;

/// Value of a won game, above any number of cells. Later losses and earlier wins are better.
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
    /// Context of the turn.
    pub context: &'a Context,
    /// Flood of the evaluation.
    pub flood: &'a mut RegionFlood,
    /// Limits of the search.
    pub limiter: &'a mut Limiter,
}

impl BoardEvaluator<'_> {
    /// Returns the value of a position for the root player, `ply` plies below the root.
    pub fn value(&mut self, board: &Board, ply: u32) -> i32 {
        match board.end() {
            Some(BoardEnd::Lost) => ply as i32 - WON,
            Some(BoardEnd::Won) => WON - ply as i32,
            None => self.heuristic(board),
        }
    }

    /// Returns the root player's score, in attack less that of the target. The score of an
    /// eliminated player is 0.
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
