//! The frontier of the dynamic programme: the edges that cross it, and the pieces of path they
//! belong to.
//!
//! Cells are processed row by row. The frontier runs below the processed cells, from the left
//! border to the right one. Each of its slots is crossed by an edge or not. Slots before the column
//! of the current cell are crossed by edges down from its row. The next slot is crossed by the edge
//! that leads right into the cell. Later slots are crossed by edges down from the row above. Pieces
//! of path cannot cross each other, so the two ends of a piece match like parentheses.

/// Slots of a frontier, two bits each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Frontier(pub u64);

/// Mark of a slot that no edge crosses.
pub(super) const NONE: u64 = 0;
/// Mark of the first end of a piece whose both ends cross the frontier.
pub(super) const OPENS: u64 = 1;
/// Mark of the second end of such a piece.
pub(super) const CLOSES: u64 = 2;
/// Mark of an end whose piece has its other end behind the frontier, as an end of the whole path.
pub(super) const HALF: u64 = 3;

/// Result of two edges that meet in a cell.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum JoinResult {
    /// The pieces joined to a longer one.
    Piece(Frontier),
    /// The path is complete, if nothing else crosses the frontier.
    Path,
    /// A closed loop, which no path contains.
    Circle,
}

impl Frontier {
    /// Number of slots in 64 bits.
    pub const SLOTS: usize = 32;

    pub fn slot(self, at: usize) -> u64 {
        self.0 >> (2 * at) & 3
    }

    /// Returns this frontier with another mark at a slot.
    pub fn with(self, at: usize, mark: u64) -> Frontier {
        Frontier(self.0 & !(3 << (2 * at)) | mark << (2 * at))
    }

    /// Returns the slots of the next row before its first cell, where no edge comes from the left.
    pub fn next_row(self) -> Frontier {
        Frontier(self.0 << 2)
    }

    /// Returns the slot of the other end of the piece with an end at `at`.
    fn mate(self, at: usize) -> usize {
        let opens = self.slot(at) == OPENS;
        let (mut depth, mut at) = (1, at);
        while depth > 0 {
            at = if opens { at + 1 } else { at - 1 };
            match self.slot(at) {
                OPENS if opens => depth += 1,
                CLOSES if !opens => depth += 1,
                OPENS | CLOSES => depth -= 1,
                _ => {}
            }
        }
        at
    }

    /// Ends the piece at a slot in the cell there, as an end of the whole path. Returns `None` if
    /// that completes the path.
    pub fn end(self, at: usize) -> Option<Frontier> {
        match self.slot(at) {
            HALF => None,
            _ => Some(self.with(self.mate(at), HALF).with(at, NONE)),
        }
    }

    /// Joins the pieces at a slot and at the next.
    pub fn join(self, at: usize) -> JoinResult {
        let without = |marked: Frontier| marked.with(at, NONE).with(at + 1, NONE);
        JoinResult::Piece(without(match (self.slot(at), self.slot(at + 1)) {
            (HALF, HALF) => return JoinResult::Path,
            (OPENS, CLOSES) => return JoinResult::Circle,
            (HALF, _) => self.with(self.mate(at + 1), HALF),
            (_, HALF) => self.with(self.mate(at), HALF),
            (OPENS, OPENS) => self.with(self.mate(at + 1), OPENS),
            (CLOSES, CLOSES) => self.with(self.mate(at), CLOSES),
            _ => self,
        }))
    }

    /// Returns a hash of all bits.
    pub fn hash(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the frontier of a text: `.`, `(`, `)`, and `|` for a half.
    fn frontier(text: &str) -> Frontier {
        let mark = |c| ".()|".find(c).unwrap() as u64;
        text.chars().enumerate().fold(Frontier::default(), |all, (at, c)| all.with(at, mark(c)))
    }

    fn joined(text: &str, at: usize) -> JoinResult {
        frontier(text).join(at)
    }

    #[test]
    fn pieces_join_like_parentheses() {
        let piece = |text: &str| JoinResult::Piece(frontier(text));
        assert_eq!(joined("((.))", 0), piece("...()"));
        assert_eq!(joined("((.))", 3), piece("()..."));
        assert_eq!(joined("()()", 1), piece("(..)"));
        assert_eq!(joined("(()())", 0), piece("..(())"));
        assert_eq!(joined("(())", 1), JoinResult::Circle);
    }

    #[test]
    fn piece_joined_to_a_half_is_a_half() {
        let piece = |text: &str| JoinResult::Piece(frontier(text));
        assert_eq!(joined("|(())", 0), piece("..()|"));
        assert_eq!(joined("(())|", 3), piece("|().."));
        assert_eq!(joined("()||", 2), JoinResult::Path);
    }

    #[test]
    fn ended_piece_leaves_a_half() {
        assert_eq!(frontier("(())").end(0), Some(frontier(".()|")));
        assert_eq!(frontier("(())").end(2), Some(frontier("(|.)")));
        assert_eq!(frontier("()|").end(2), None);
    }
}
