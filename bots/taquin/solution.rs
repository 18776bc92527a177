//! What a search found, and what it cost.

use arbitre_games::games::taquin::Direction;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveStatus {
    /// With a path to the goal.
    Solved,
    /// The board has the wrong parity.
    Unsolvable,
    /// Time or nodes ran out.
    OutOfBudget,
    /// No more boards could be stored.
    MemoryLimit,
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStats {
    /// Boards that slides led to, the first one not counted.
    pub generated: u64,
    /// Boards whose successors were generated.
    pub expanded: u64,
    /// Searches to a bound, in those that deepen iteratively.
    pub iterations: u64,
    /// The most boards that were stored at once.
    pub stored: usize,
    /// The bytes of these and of the heuristic's tables.
    pub bytes: usize,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// How it ended.
    pub status: SolveStatus,
    /// Where the blank goes, from the board to the goal, if that was found.
    pub path: Option<Vec<Direction>>,
    /// No path has fewer moves than this, as far as is known: as many as that one, if it is a
    /// shortest.
    pub lower_bound: usize,
    /// What it cost.
    pub stats: SearchStats,
}

impl Solution {
    /// A shortest path was found.
    pub fn with_path(path: Vec<Direction>, stats: SearchStats) -> Solution {
        let lower_bound = path.len();
        Solution { status: SolveStatus::Solved, path: Some(path), lower_bound, stats }
    }

    /// None was.
    pub fn without_path(status: SolveStatus, stats: SearchStats) -> Solution {
        Solution { status, path: None, lower_bound: 0, stats }
    }
}
