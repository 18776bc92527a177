//! Manhattan distance on 4x4: the board is one word, and a slide away from a tile's place costs one
//! of the spare moves, together with the slide back that it makes needful.

use super::geometry::{count_moves, farther_tiles, neighbour};
use super::heuristic::{HeuristicState, SlideHeuristic};
use crate::taquin::heuristics::Manhattan;
use arbitre_games::games::taquin::Board;

/// See [`Manhattan`].
pub struct PackedManhattan;

/// Four bits for each cell; the blank has 15.
type PackedTiles = u64;
/// The goal.
const GOAL: PackedTiles = 0xfedc_ba98_7654_3210;

impl SlideHeuristic for PackedManhattan {
    const SIDE: usize = 4;
    const BATCHES_LOOKUPS: bool = false;
    /// The counts are known of others who searched like that.
    const KEEPS_ORDER: bool = true;
    type BoardState = ();
    type NodeState = PackedTiles;
    type SlideResult = (PackedTiles, u64);
    type Undo = ();

    fn root(&self, board: &Board) -> (u32, HeuristicState<Self>) {
        let bound = Manhattan::new(Self::SIDE, Self::SIDE).distance(board.cells(), board.blank());
        let word =
            board.cells().iter().rev().fold(0, |word, &tile| word << 4 | PackedTiles::from(tile));
        (bound, HeuristicState { board_state: (), node_state: word, slack: 0 })
    }

    fn with_raised_bound(&self, slack: u64) -> u64 {
        slack + 1
    }

    #[inline(always)]
    fn count_slides<const BLANK: usize, const LAST: usize, const DIR: usize>(
        &self,
        _: PackedTiles,
    ) -> u64 {
        const { count_moves(Self::SIDE, BLANK, LAST, DIR) }
    }

    #[inline(always)]
    fn slide<const BLANK: usize, const DIR: usize>(
        &self,
        (): &(),
        word: PackedTiles,
        slack: u64,
    ) -> Option<(PackedTiles, u64)> {
        let to = const { neighbour(Self::SIDE, BLANK, DIR) };
        let tile = word >> (4 * to) & 15;
        let cost = const { farther_tiles(Self::SIDE, BLANK, DIR) } >> tile & 1;
        let change = tile ^ 15;
        let next = word ^ (change << (4 * to)) ^ (change << (4 * BLANK));
        Some((next, slack.checked_sub(cost.into())?))
    }

    #[inline(always)]
    fn make<const BLANK: usize, const DIR: usize>(&self, (): &mut (), _: (PackedTiles, u64)) {}

    #[inline(always)]
    fn unmake<const BLANK: usize, const DIR: usize>(
        &self,
        (): &mut (),
        _: (PackedTiles, u64),
        (): (),
    ) {
    }

    #[inline(always)]
    fn after(&self, slid: (PackedTiles, u64)) -> (PackedTiles, u64) {
        slid
    }

    #[inline(always)]
    fn is_goal(&self, word: PackedTiles, _: u64, _: &mut u64) -> bool {
        word == GOAL
    }

    fn bytes(&self) -> usize {
        0
    }
}
