//! The window of a search with alpha and beta, where one player is against all others.

/// Values between which a search must be exact; outside them, bounds are enough.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Value that the player who searches has for sure.
    pub alpha: i32,
    /// Value that the others hold it to.
    pub beta: i32,
}

impl Window {
    /// Narrows the window by the value of a move of the player who searches, or of another. Returns
    /// `true` if it is empty: the mover has a better choice earlier, and other moves do not matter.
    #[inline]
    pub fn narrow(&mut self, is_own: bool, value: i32) -> bool {
        match is_own {
            true => self.alpha = self.alpha.max(value),
            false => self.beta = self.beta.min(value),
        }
        self.alpha >= self.beta
    }
}
