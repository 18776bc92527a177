//! Alpha-beta window of a paranoid search, where one player is against all others.

/// Open interval of values in which a search must be exact; outside it, bounds are enough.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Lower bound that the root player is sure of.
    pub alpha: i32,
    /// Upper bound that the others can enforce.
    pub beta: i32,
}

impl Window {
    /// Narrows the window by the value of a move of the root player (`is_own`) or of another.
    /// Returns `true` if the window is empty. The remaining moves are then pruned, as a player has
    /// a better choice earlier in the tree.
    #[inline]
    pub fn narrow(&mut self, is_own: bool, value: i32) -> bool {
        match is_own {
            true => self.alpha = self.alpha.max(value),
            false => self.beta = self.beta.min(value),
        }
        self.alpha >= self.beta
    }
}
