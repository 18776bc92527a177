//! The frontier of a sweep: which edges cross it, and how the pieces of path behind it hang together.
//!
//! A sweep goes over the cells row by row. The frontier runs below the cells behind it, from the left
//! border to the right one, and is crossed by an edge at each of its slots or not: slots before the
//! column of the cell at hand by the edges down from its row, the next by the edge that leads right
//! into the cell, and those behind by the edges down from the row above. Since pieces of path cannot
//! cross each other, the two ends of a piece match like parentheses.

/// The slots of a frontier, two bits each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Frontier(pub u64);

/// No edge crosses at this slot.
pub(super) const NONE: u64 = 0;
/// The first end of a piece, both ends of which cross the frontier.
pub(super) const OPENS: u64 = 1;
/// The second end of such a piece.
pub(super) const CLOSES: u64 = 2;
/// The end of a piece whose other end is an end of the whole path, and lies behind the frontier.
pub(super) const HALF: u64 = 3;

/// What two edges that meet in a cell make of the frontier.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum JoinResult {
    /// A longer piece.
    Piece(Frontier),
    /// The whole path, if nothing else crosses the frontier.
    Path,
    /// A circle, which no path has.
    Circle,
}

impl Frontier {
    /// So many slots have room.
    pub const SLOTS: usize = 32;

    pub fn slot(self, at: usize) -> u64 {
        self.0 >> (2 * at) & 3
    }

    /// This frontier with another mark at a slot.
    pub fn with(self, at: usize, mark: u64) -> Frontier {
        Frontier(self.0 & !(3 << (2 * at)) | mark << (2 * at))
    }

    /// The slots of the next row, before its first cell: nothing comes from the left.
    pub fn next_row(self) -> Frontier {
        Frontier(self.0 << 2)
    }

    /// The slot of the other end of the piece that has one end here.
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

    /// The piece that crosses at a slot ends in the cell there, as an end of the whole path. Nothing
    /// if it was the whole path.
    pub fn end(self, at: usize) -> Option<Frontier> {
        match self.slot(at) {
            HALF => None,
            _ => Some(self.with(self.mate(at), HALF).with(at, NONE)),
        }
    }

    /// The pieces at a slot and at the next become one.
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

    /// A mixed value of all bits, for a table.
    pub fn hash(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots as text: `.`, `(`, `)` and `|` for a half.
    fn frontier(text: &str) -> Frontier {
        let mark = |c| ".()|".find(c).unwrap() as u64;
        text.chars().enumerate().fold(Frontier::default(), |all, (at, c)| all.with(at, mark(c)))
    }

    fn joined(text: &str, at: usize) -> JoinResult {
        frontier(text).join(at)
    }

    #[test]
    fn pieces_join_as_parentheses_do() {
        let piece = |text: &str| JoinResult::Piece(frontier(text));
        assert_eq!(joined("((.))", 0), piece("...()"));
        assert_eq!(joined("((.))", 3), piece("()..."));
        assert_eq!(joined("()()", 1), piece("(..)"));
        assert_eq!(joined("(()())", 0), piece("..(())"));
        assert_eq!(joined("(())", 1), JoinResult::Circle);
    }

    #[test]
    fn a_half_makes_halves() {
        let piece = |text: &str| JoinResult::Piece(frontier(text));
        assert_eq!(joined("|(())", 0), piece("..()|"));
        assert_eq!(joined("(())|", 3), piece("|().."));
        assert_eq!(joined("()||", 2), JoinResult::Path);
    }

    #[test]
    fn an_end_leaves_a_half() {
        assert_eq!(frontier("(())").end(0), Some(frontier(".()|")));
        assert_eq!(frontier("(())").end(2), Some(frontier("(|.)")));
        assert_eq!(frontier("()|").end(2), None);
    }
}
