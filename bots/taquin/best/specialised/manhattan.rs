//! Manhattan distance on 4x4. The board is one word. A slide away from a tile's place costs one
//! unit of slack: it and the later slide back are two extra moves.

use super::geometry::SquareGrid;
use super::heuristic::SlideHeuristic;
use crate::taquin::heuristics::Manhattan;
use crate::taquin::packed_board::PackedBoard;
use arbitre_games::games::taquin::Board;

/// Heuristic of [`Manhattan`] on packed boards.
pub struct PackedManhattan;

/// Tile number of the blank.
const BLANK_TILE: usize = 15;
/// The goal as a packed board.
const GOAL: u64 = 0xfedc_ba98_7654_3210;

impl SlideHeuristic for PackedManhattan {
    const GRID: &'static SquareGrid = &SquareGrid::new(4);
    const BATCHES_LOOKUPS: bool = false;
    // Published node counts are those of an unsplit search in this order.
    const KEEPS_ORDER: bool = true;
    type BoardState = ();
    /// Packed board and slack.
    type NodeState = (u64, u64);
    type Change = ();

    fn root(&self, board: &Board) -> (u32, (), (u64, u64)) {
        let bound = Manhattan::new(4, 4).distance(board.cells(), board.blank());
        (bound, (), (u64::pack(board.cells()), 0))
    }

    fn with_raised_bound(&self, (word, slack): (u64, u64)) -> (u64, u64) {
        (word, slack + 1)
    }

    #[inline(always)]
    fn count_slides(&self, _: (u64, u64), blank: usize, last: usize, direction: usize) -> u64 {
        (Self::GRID.directions(blank, last) >> direction).count_ones().into()
    }

    #[inline(always)]
    fn slide(
        &self,
        (): &(),
        (word, slack): (u64, u64),
        blank: usize,
        direction: usize,
    ) -> Option<((u64, u64), ())> {
        let to = Self::GRID.neighbours[blank][direction];
        let tile = word.tile(to);
        let cost = u64::from(Self::GRID.farther_tiles[blank][direction] >> tile & 1);
        Some(((word.slid(tile, BLANK_TILE, to, blank), slack.checked_sub(cost)?), ()))
    }

    #[inline(always)]
    fn apply(&self, (): &mut (), _: usize, (): ()) {}

    #[inline(always)]
    fn is_goal(&self, (word, _): (u64, u64), _: &mut u64) -> bool {
        word == GOAL
    }

    fn bytes(&self) -> usize {
        0
    }
}
