//! What a search found, and what it cost.

use arbitre_games::games::taquin::Direction;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
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
pub struct Effort {
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
    pub ending: Ending,
    /// Where the blank goes, from the board to the goal, if that was found.
    pub path: Option<Vec<Direction>>,
    /// No path has fewer moves than this, as far as is known: as many as that one, if it is a shortest.
    pub at_least: usize,
    /// What it cost.
    pub effort: Effort,
}

impl Solution {
    /// A shortest path was found.
    pub fn with_path(path: Vec<Direction>, effort: Effort) -> Solution {
        let at_least = path.len();
        Solution { ending: Ending::Solved, path: Some(path), at_least, effort }
    }

    /// None was.
    pub fn without_path(ending: Ending, effort: Effort) -> Solution {
        Solution { ending, path: None, at_least: 0, effort }
    }
}
