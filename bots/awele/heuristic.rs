//! How a position is judged at the horizon of a search.

use crate::games::awele::Board;

/// How a position is judged at the horizon, in seeds, for the side to move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heuristic {
    /// Seeds in its own row less those in the other: the first idea of the IFIPS report.
    #[default]
    Rows,
    /// Seeds captured less those the other captured: what the finalist of 1990 counts.
    Captures,
}

impl Heuristic {
    /// The estimate for the side to move.
    #[inline]
    pub fn judge(self, board: Board) -> i32 {
        match self {
            Heuristic::Rows => difference(board.totals()),
            Heuristic::Captures => difference(board.captures()),
        }
    }

    /// Every heuristic with its word.
    pub const WORDS: [(&'static str, Heuristic); 2] =
        [("rows", Heuristic::Rows), ("captures", Heuristic::Captures)];
}

fn difference([own, other]: [u8; 2]) -> i32 {
    i32::from(own) - i32::from(other)
}
