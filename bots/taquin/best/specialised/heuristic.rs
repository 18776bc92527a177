//! Heuristics of the specialised search.

use super::geometry::SquareGrid;
use arbitre_games::games::taquin::Board;

/// Heuristic that is updated slide by slide and tells which boards are within the bound.
///
/// Cells of the blank and directions are constants where the search calls it, once it is inlined.
pub trait SlideHeuristic: Sync {
    /// Slides on its boards.
    const GRID: &'static SquareGrid;
    /// Whether estimates are looked up in large tables. Then all boards after one are looked up
    /// before the first of them is visited, to wait for memory together; else that costs more than
    /// it spares.
    const BATCHES_LOOKUPS: bool;
    /// Whether a search counts the nodes of one in the order of the directions, and is not split.
    const KEEPS_ORDER: bool;

    /// State of a board in one place, which a slide changes and its end restores.
    type BoardState: Clone + Send + Sync;
    /// State of a board that is handed on, with the slack: half of the moves by which the bound
    /// exceeds the estimate.
    type NodeState: Copy + Send + Sync;
    /// Change of the board state by a slide.
    type Change: Copy;

    /// Returns the estimate of a board, and its states when that is the bound.
    fn root(&self, board: &Board) -> (u32, Self::BoardState, Self::NodeState);

    /// Returns the state of the same board when the bound is two more.
    fn with_raised_bound(&self, node_state: Self::NodeState) -> Self::NodeState;

    /// Returns the number of slides that lead on from a board with the blank on cell `blank`, which
    /// it entered in direction `last`: those in `direction` and the later ones.
    fn count_slides(
        &self,
        node_state: Self::NodeState,
        blank: usize,
        last: usize,
        direction: usize,
    ) -> u64;

    /// Slides the blank from cell `blank`. Returns the next state and the change, or nothing if
    /// that is not within the bound or the slide does not lead on.
    fn slide(
        &self,
        board_state: &Self::BoardState,
        node_state: Self::NodeState,
        blank: usize,
        direction: usize,
    ) -> Option<(Self::NodeState, Self::Change)>;

    /// Puts the tile of a slide on `cell`. Returns the change that restores the rest of the state.
    fn apply(
        &self,
        board_state: &mut Self::BoardState,
        cell: usize,
        change: Self::Change,
    ) -> Self::Change;

    /// Returns `true` if this is the goal. Lowers `left` to the number of moves left of the bound,
    /// if the state has that.
    fn is_goal(&self, node_state: Self::NodeState, left: &mut u64) -> bool;

    /// Returns the size of its tables in bytes.
    fn bytes(&self) -> usize;
}
