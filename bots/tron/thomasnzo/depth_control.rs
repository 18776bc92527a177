//! Version 2: a depth that follows from how long the move before took.

/// Below so many hundredths of its time a move was quick, and beyond, slow.
const QUICK: u32 = 20;
const SLOW: u32 = 70;

/// The depth of the next move. The search of a move never changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthControl {
    depth: u32,
}

impl DepthControl {
    /// The depth of the first move.
    pub fn new(depth: u32) -> DepthControl {
        DepthControl { depth }
    }

    /// How many plies the next move is searched.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Takes note of a move: how many hundredths of its time were spent, and whether it got to its end.
    pub fn learn(&mut self, percent: u32, finished: bool) {
        if !finished || percent > SLOW {
            self.depth = (self.depth - 1).max(1);
        } else if percent < QUICK {
            self.depth += 1;
        }
    }
}
