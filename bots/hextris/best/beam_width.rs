//! Width of the beam. The remaining time or nodes are divided among the units to come. Every pass
//! is as deep as the game, so a depth limit (`--depth N`) limits the width to `N` boards instead.

/// Parameters of the width. Not tuned.
struct WidthParams {
    /// Largest width, in boards.
    most: usize,
    /// Width of a search without limits, in boards.
    unlimited: usize,
    /// Width at the first unit, when the cost of a board is unknown, in boards.
    first: usize,
    /// Part of the budget kept for the end of the search.
    reserve: f64,
    /// Weight of the last unit in the smoothed cost of a board.
    smoothing: f64,
    /// Largest factor by which the width grows from one unit to the next.
    growth: usize,
    /// Boards by which it may grow in addition.
    more_boards: usize,
}

const WIDTH: WidthParams = WidthParams {
    most: 4096,
    unlimited: 100,
    first: 4,
    reserve: 0.02,
    smoothing: 0.2,
    growth: 2,
    more_boards: 8,
};

/// The width of the beam, unit by unit.
pub struct BeamWidth {
    /// Part of the budget that was spent at the last adaptation.
    spent: f64,
    /// Part of the budget at which the pass should end.
    until: f64,
    /// Smoothed cost of a board, as a part of the budget.
    cost: f64,
    /// Limit of the width, in boards.
    most: usize,
    /// Current width: the number of boards to keep.
    pub boards: usize,
}

impl BeamWidth {
    /// Creates the width of a pass from the part `spent` of the budget to the part `until`, limited
    /// to `most` boards.
    pub fn new(spent: f64, until: f64, most: u32) -> BeamWidth {
        let most = WIDTH.most.min(most as usize).max(1);
        BeamWidth {
            spent,
            until: until.min(1.0 - WIDTH.reserve),
            cost: 0.0,
            most,
            boards: WIDTH.first.min(most),
        }
    }

    /// Adapts the width after a unit was placed on `boards` boards. `spent` is the part of the
    /// budget spent by now, and `units` is the number of units to come.
    pub fn adapt(&mut self, boards: usize, spent: f64, units: usize) {
        let cost = (spent - self.spent).max(0.0) / boards.max(1) as f64;
        let old = if self.cost == 0.0 { cost } else { self.cost };
        self.cost = (1.0 - WIDTH.smoothing) * old + WIDTH.smoothing * cost;
        self.spent = spent;
        let share = (self.until - spent).max(0.0) / units.max(1) as f64;
        // Without limits nothing is ever spent, and the width grows to a fixed one.
        let wanted =
            if spent > 0.0 { share / self.cost.max(1e-12) } else { WIDTH.unlimited as f64 };
        let reachable = WIDTH.growth * self.boards + WIDTH.more_boards;
        self.boards = (wanted as usize).clamp(1, self.most.min(reachable));
    }
}
