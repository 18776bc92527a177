//! Depth control of version 2: the depth follows from the time of the previous move.

/// Percentage of its time below which a move was quick. From the debrief (docs/tron.md).
const QUICK: u32 = 20;
/// Percentage of its time above which a move was slow. From the debrief (docs/tron.md).
const SLOW: u32 = 70;

/// Depth of the next search; it never changes during one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthControl {
    depth: u32,
}

impl DepthControl {
    /// Starts at the depth of the first move.
    pub fn new(depth: u32) -> DepthControl {
        DepthControl { depth }
    }

    /// Returns the depth of the next search, in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Adapts the depth to a move: the percentage of its time spent, and whether its search
    /// finished.
    pub fn learn(&mut self, percent: u32, finished: bool) {
        if !finished || percent > SLOW {
            self.depth = (self.depth - 1).max(1);
        } else if percent < QUICK {
            self.depth += 1;
        }
    }
}
