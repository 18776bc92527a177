//! What a pass of the beam sets out to do, and what came of it.

/// How a pass judges boards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalParams {
    /// The number of the weights.
    pub weights: usize,
    /// How much a board counts beside points.
    pub scale: f64,
}

/// What a pass sets out to do.
#[derive(Clone, Copy, Debug)]
pub struct PassPlan {
    /// How it judges boards.
    pub params: EvalParams,
    /// So many units are likely to be placed.
    pub units: usize,
    /// The part of the budget that is to be spent then.
    pub until: f64,
    /// It gives up when it has used such a part.
    pub patience: f64,
}

/// What came of a pass.
pub struct PassResult {
    /// The best score.
    pub score: u64,
    /// So many boards to each unit of the game the whole budget affords.
    pub affordable: f64,
    /// So many units were placed.
    pub placed: usize,
    /// How far it came.
    pub end: PassEnd,
}

impl PassResult {
    /// So many units may the next pass place that is to go so many times as far.
    pub fn expected(&self, times: f64) -> usize {
        match self.end {
            PassEnd::GameOver => (self.placed as f64 * times) as usize,
            _ => usize::MAX,
        }
    }
}

/// How far a pass came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassEnd {
    /// Its part of the budget was spent.
    OutOfBudget,
    /// No board was left before the last unit.
    GameOver,
    /// All units were placed.
    Completed,
}
