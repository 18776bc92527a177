//! Width of the beam: the remaining time or nodes are shared out among the units to come. A limit
//! of depth is one of width, in boards.

/// The widest beam.
const WIDEST: usize = 4096;
/// The width of a search without limits.
const UNLIMITED: usize = 100;
/// The width at the first unit, when nothing is known of what a board costs.
const FIRST: usize = 4;
/// What is left over for the end of the search.
const RESERVE: f64 = 0.02;

/// The width of the beam, unit by unit.
pub struct BeamWidth {
    /// The part of the budget that was spent when the last unit began, and the part at which to
    /// end.
    spent: f64,
    until: f64,
    /// What a board costs, as a part of the budget.
    cost: f64,
    /// The most boards that may be kept.
    most: usize,
    /// Boards kept.
    pub boards: usize,
}

impl BeamWidth {
    /// For a pass from one part of the budget to another, by no more than so many boards.
    pub fn new(spent: f64, until: f64, most: u32) -> BeamWidth {
        let most = WIDEST.min(most as usize).max(1);
        BeamWidth {
            spent,
            until: until.min(1.0 - RESERVE),
            cost: 0.0,
            most,
            boards: FIRST.min(most),
        }
    }

    /// After so many boards, when this part of the budget is spent and so many units are to come.
    pub fn adapt(&mut self, boards: usize, spent: f64, units: usize) {
        let cost = (spent - self.spent).max(0.0) / boards.max(1) as f64;
        let old = if self.cost == 0.0 { cost } else { self.cost };
        self.cost = 0.8 * old + 0.2 * cost;
        self.spent = spent;
        let share = (self.until - spent).max(0.0) / units.max(1) as f64;
        let wanted = if spent > 0.0 { share / self.cost.max(1e-12) } else { UNLIMITED as f64 };
        self.boards = (wanted as usize).clamp(1, self.most.min(2 * self.boards + 8));
    }
}
