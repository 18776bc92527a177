//! Heuristics of the specialised search.

use arbitre_games::games::taquin::Board;

/// Heuristic that is updated slide by slide and tells which boards are within the bound.
pub trait SlideHeuristic: Sync + Sized {
    /// The rows of its boards, and the columns.
    const SIDE: usize;
    /// Is an estimate looked up in large tables? Then all boards after one are looked up before the
    /// first of them is visited, to wait for memory together; else that costs more than it spares.
    const BATCHES_LOOKUPS: bool;

    /// Is what it counts that of a search in the order of the directions? Then nothing else is.
    const KEEPS_ORDER: bool;

    /// What is kept of a board in one place, where a slide changes it and changes it back.
    type BoardState: Clone + Send + Sync;
    /// What is kept of a board and handed on.
    type NodeState: Copy + Send + Sync;
    /// What is known of a slide.
    type SlideResult: Copy;
    /// What it changes in its place.
    type Undo;

    /// The estimate of a board of this size, and the board when that is the bound.
    fn root(&self, board: &Board) -> (u32, HeuristicState<Self>);

    /// Returns the slack of the same board when the bound is two more.
    fn with_raised_bound(&self, slack: u64) -> u64;

    /// How many slides lead on from a board to which the blank came in one direction, from another
    /// direction on.
    fn count_slides<const BLANK: usize, const LAST: usize, const DIR: usize>(
        &self,
        node_state: Self::NodeState,
    ) -> u64;

    /// A slide of the blank at a cell in a direction; nothing if that is not within the bound, or
    /// no slide that leads on.
    fn slide<const BLANK: usize, const DIR: usize>(
        &self,
        board_state: &Self::BoardState,
        node_state: Self::NodeState,
        slack: u64,
    ) -> Option<Self::SlideResult>;

    /// Returns node state and slack after a slide.
    fn after(&self, result: Self::SlideResult) -> (Self::NodeState, u64);

    /// Makes a slide.
    fn make<const BLANK: usize, const DIR: usize>(
        &self,
        board_state: &mut Self::BoardState,
        result: Self::SlideResult,
    ) -> Self::Undo;

    /// Takes a slide back.
    fn unmake<const BLANK: usize, const DIR: usize>(
        &self,
        board_state: &mut Self::BoardState,
        result: Self::SlideResult,
        undo: Self::Undo,
    );

    /// Is this the goal? Keeps how few moves were left of the bound at least, if it knows.
    fn is_goal(&self, node_state: Self::NodeState, slack: u64, left: &mut u64) -> bool;

    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// State of a heuristic at a board.
pub struct HeuristicState<G: SlideHeuristic> {
    /// In one place.
    pub board_state: G::BoardState,
    /// Handed on.
    pub node_state: G::NodeState,
    /// What it has to spare, half of the moves by which the bound exceeds the estimate, and what
    /// else there is to keep.
    pub slack: u64,
}
