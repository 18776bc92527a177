//! The result of a search of the bot of the debrief.

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardSearchResult {
    /// Value of the position.
    pub value: i32,
    /// All moves of that value, as a mask.
    pub moves: u8,
    /// Depth of the search, in plies.
    pub depth: u32,
}
