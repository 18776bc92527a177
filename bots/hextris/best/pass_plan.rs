//! The plan of a pass of the beam, and its result.

/// Factors of the board value relative to points. The trials choose one for each game, as no factor
/// suits all problems (2026-11-22, `bots/hextris/diary.md`).
pub const SCALES: [f64; 7] = [0.015, 0.04, 0.12, 0.4, 1.2, 4.0, 12.0];

/// Parameters of the evaluation of boards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalParams {
    /// Index of the weights, [`SMOOTH`] or [`ROWS`].
    pub weights: usize,
    /// Index of the scale in [`SCALES`].
    pub scale: usize,
}

/// Index of the weights for smooth rows.
pub const SMOOTH: usize = 0;
/// Index of the weights for complete rows.
pub const ROWS: usize = 1;

impl EvalParams {
    /// The parameters that suit most games.
    pub const USUAL: EvalParams = EvalParams { weights: SMOOTH, scale: 3 };

    /// Returns the factor of the board value relative to points.
    pub fn scale(self) -> f64 {
        SCALES[self.scale]
    }
}

/// Plan of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassPlan {
    /// Parameters of the evaluation.
    pub params: EvalParams,
    /// Number of units that are likely to be placed.
    pub units: usize,
    /// Fraction of the whole budget by which the pass should end. It sets the width of the beam.
    pub until: f64,
    /// Fraction of the whole budget after which the pass is aborted, counted from its start.
    pub patience: f64,
}

/// Result of a pass.
pub struct PassResult {
    /// The best score.
    pub score: u64,
    /// Number of boards per unit of the game that the whole budget affords.
    pub affordable: f64,
    /// Number of units placed.
    pub placed: usize,
    /// Reason why the pass ended.
    pub end: PassEnd,
}

impl PassResult {
    /// Returns the number of units to plan the next pass for, if it lasts `times` times as long.
    pub fn expected(&self, times: f64) -> usize {
        match self.end {
            PassEnd::GameOver => (self.placed as f64 * times) as usize,
            _ => usize::MAX,
        }
    }
}

/// Reason why a pass ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassEnd {
    /// The pass was aborted: by its patience, or because the budget was spent.
    OutOfBudget,
    /// No board remained before the last unit.
    GameOver,
    /// All units were placed.
    Completed,
}
