//! Interface between the specialised search and its heuristics.

use super::geometry::SquareGrid;
use arbitre_games::games::taquin::Board;

/// Heuristic that is updated slide by slide and decides which boards are within the bound.
///
/// After inlining, the cell of the blank and the direction are constants in every call of the
/// search.
pub trait SlideHeuristic: Sync {
    /// Geometry of its boards.
    const GRID: &'static SquareGrid;
    /// Whether estimates are looked up in large tables. If so, the search looks up all successors
    /// before it visits the first, so that the lookups wait for memory together. Otherwise that
    /// costs more than it saves.
    const BATCHES_LOOKUPS: bool;
    /// Whether node counts must be those of a search in the order of directions, which is not
    /// split.
    const KEEPS_ORDER: bool;

    /// State of a board that is changed in place by a slide and restored after it.
    type BoardState: Clone + Send + Sync;
    /// State of a board that is passed by value, including the slack: half the moves by which the
    /// bound exceeds the estimate.
    type NodeState: Copy + Send + Sync;
    /// Change of the board state by a slide.
    type Change: Copy;

    /// Returns the estimate of a board, and its states with the estimate as bound.
    fn root(&self, board: &Board) -> (u32, Self::BoardState, Self::NodeState);

    /// Returns the state of the same board with a bound that is two moves higher.
    fn with_raised_bound(&self, node_state: Self::NodeState) -> Self::NodeState;

    /// Returns the number of slides in `direction` and later ones that lead on from a board. The
    /// blank is on cell `blank`, which it entered in direction `last`.
    fn count_slides(
        &self,
        node_state: Self::NodeState,
        blank: usize,
        last: usize,
        direction: usize,
    ) -> u64;

    /// Slides the blank from cell `blank`. Returns the next state and the change, or `None` if the
    /// board exceeds the bound or the slide does not lead on.
    fn slide(
        &self,
        board_state: &Self::BoardState,
        node_state: Self::NodeState,
        blank: usize,
        direction: usize,
    ) -> Option<(Self::NodeState, Self::Change)>;

    /// Applies a change, with the tile of the slide put on `cell`. Returns the change that restores
    /// the rest of the state.
    fn apply(
        &self,
        board_state: &mut Self::BoardState,
        cell: usize,
        change: Self::Change,
    ) -> Self::Change;

    /// Returns `true` if this is the goal. Lowers `left` to the number of moves left, if the state
    /// contains it.
    fn is_goal(&self, node_state: Self::NodeState, left: &mut u64) -> bool;

    /// Returns the size of its tables in bytes.
    fn bytes(&self) -> usize;
}
