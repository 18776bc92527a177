//! Evaluation of a board: its value for the units to come.

use arbitre_games::games::hextris::{Board, Row, Terrain};
use std::ops::Range;

/// Weights of the board evaluation, in points. The experiments are in `docs/diary/hextris.md`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalWeights {
    /// Value of an almost full row.
    pub filled: f64,
    /// Exponent of the part of a row's cells that is full.
    pub power: f64,
    /// Value of a removed row.
    pub removed: f64,
    /// Value of an empty row at the top of the board.
    pub empty: f64,
    /// Factors of a row's value for each empty cell with full cells on both sides, with one above,
    /// and with two above.
    pub shut_in: [f64; 3],
    /// Cost of a full spawn cell, for each row of the board.
    pub spawn: f64,
    /// Cost of an empty cell that no path from the top reaches, down and sideways.
    pub hole: f64,
    /// Cost of an empty cell with a full one anywhere above it in its column.
    pub covered: f64,
    /// Cost of a row with covered cells.
    pub broken: f64,
    /// Cost of a change between empty and full along a row.
    pub edge: f64,
    /// Cost of a full cell right above an empty one.
    pub roof: f64,
    /// Exponent of the relative height above the floor in the value of empty rows.
    pub depth: f64,
    /// Cost of a full cell in the first row.
    pub peak: f64,
    /// Exponent of the relative height above the floor in the cost of full cells.
    pub steep: f64,
    /// Number of units before the end of the game at which the board begins to count less.
    pub fade: f64,
    /// Exponent of the hundreds of units to come in the weight of the board.
    pub ahead: f64,
}

impl EvalWeights {
    /// Weights for units that fit together: all cells of a row count about the same, and smooth
    /// rows matter most. Random weights and single changes, 2026-11-22 (`docs/diary/hextris.md`).
    pub const SMOOTH: EvalWeights = EvalWeights {
        filled: 200.0,
        power: 2.0,
        removed: 0.0,
        empty: 200.0,
        shut_in: [0.95, 0.8, 0.85],
        spawn: 100.0,
        hole: 10.0,
        covered: 30.0,
        broken: 50.0,
        edge: 40.0,
        roof: 50.0,
        depth: 0.56,
        peak: 300.0,
        steep: 6.0,
        fade: 10.0,
        ahead: 0.5,
    };

    /// Weights for units that leave holes, and others that fill them: the last cells of a row and
    /// removed rows count most. Best of four sets of weights on problem 18, divided by four,
    /// 2026-11-22 (`docs/diary/hextris.md`).
    pub const ROWS: EvalWeights = EvalWeights {
        filled: 2000.0,
        power: 6.0,
        removed: 2200.0,
        empty: 50.0,
        spawn: 25.0,
        hole: 2.5,
        covered: 3.75,
        broken: 0.0,
        edge: 10.0,
        roof: 12.5,
        peak: 75.0,
        ..EvalWeights::SMOOTH
    };
}

/// The sets of weights. The trials find the one that suits a game.
pub const WEIGHT_SETS: [EvalWeights; 2] = [EvalWeights::SMOOTH, EvalWeights::ROWS];

/// Evaluates the boards of a problem.
pub struct BoardEvaluator {
    /// Value of a row by its number of full cells.
    filled: Vec<f64>,
    /// Value of a row at the top by its number of empty cells.
    empty: Vec<f64>,
    /// Factor of a row's value by its number of enclosed cells, for each kind.
    shut_in: [Vec<f64>; 3],
    /// Spawn cells of all units, by row.
    spawn: Vec<Row>,
    /// Cost of a full spawn cell.
    blocked: f64,
    weights: EvalWeights,
    width: usize,
    /// Factor of the value of empty cells, by row.
    depth: Vec<f64>,
    /// Cost of a full cell, by row.
    peak: Vec<f64>,
}

impl BoardEvaluator {
    /// Creates the evaluator for the boards of a terrain.
    pub fn new(terrain: &Terrain, weights: &EvalWeights) -> BoardEvaluator {
        let (width, height) = (terrain.problem().width, terrain.problem().height);
        let part = |cells: usize| cells as f64 / width as f64;
        let mut spawn = vec![0; height];
        for piece in terrain.pieces() {
            spawn.iter_mut().zip(piece.rows(piece.spawn())).for_each(|(row, cells)| *row |= cells);
        }
        let powers = |factor: f64| (0..=width as i32).map(|cells| factor.powi(cells)).collect();
        let by_row = |value: &dyn Fn(f64) -> f64| -> Vec<f64> {
            (0..height).map(|y| value((height - y) as f64 / height as f64)).collect()
        };
        BoardEvaluator {
            filled: (0..=width)
                .map(|cells| weights.filled * part(cells).powf(weights.power))
                .collect(),
            empty: (0..=width).map(|cells| weights.empty * part(cells).powi(2)).collect(),
            shut_in: weights.shut_in.map(powers),
            spawn,
            blocked: weights.spawn * height as f64,
            weights: *weights,
            width,
            depth: by_row(&|part| part.powf(weights.depth)),
            peak: by_row(&|part| weights.peak * part.powf(weights.steep)),
        }
    }

    /// Returns the value of a board, in points, after `removed` rows were removed, with `left`
    /// units to come.
    pub fn value(&self, board: &Board, removed: u32, left: usize) -> f64 {
        let mut state = ScanState::above(board);
        let rows = board.rows().iter().enumerate();
        let rows: f64 = rows.map(|(y, &row)| self.row(y, row, &mut state)).sum();
        (rows + f64::from(removed) * self.weights.removed) * self.weight(left)
    }

    /// Scans a board, so that boards that differ in a few rows are evaluated faster.
    pub fn scan(&self, board: &Board, removed: u32, scan: &mut RowScan) {
        let mut state = ScanState::above(board);
        let mut sum = f64::from(removed) * self.weights.removed;
        scan.rows.clear();
        for (y, &row) in board.rows().iter().enumerate() {
            scan.rows.push((state, sum));
            sum += self.row(y, row, &mut state);
        }
        scan.rows.push((state, sum));
    }

    /// Returns the value of a board that differs only in the rows `changed` from the one that was
    /// scanned.
    pub fn value_beside(
        &self,
        scan: &RowScan,
        board: &Board,
        changed: Range<usize>,
        left: usize,
    ) -> f64 {
        let (mut state, mut sum) = scan.rows[changed.start];
        let total = scan.rows[board.height()].1;
        for (y, &row) in board.rows().iter().enumerate().skip(changed.start) {
            let (before, sum_before) = &scan.rows[y];
            // From here on the value of every row is that of the scan.
            if y >= changed.end && state == *before {
                sum += total - sum_before;
                break;
            }
            sum += self.row(y, row, &mut state);
        }
        sum * self.weight(left)
    }

    /// Returns the factor of the value of a board with `left` units to come.
    fn weight(&self, left: usize) -> f64 {
        let left = left as f64;
        (left / self.weights.fade).min(1.0) * (left / 100.0).max(1.0).powf(self.weights.ahead)
    }

    /// Returns the value of row `y`, and advances the state past it.
    #[inline]
    fn row(&self, y: usize, row: Row, state: &mut ScanState) -> f64 {
        let (full, width, weights) = (state.full, self.width, &self.weights);
        let last = 1 << (width - 1);
        let empty = !row & full;
        let cells = row.count_ones() as usize;
        // The left and right upper neighbours of each cell: odd rows are displaced to the right.
        let upper = |row: Row, border: bool| match y.is_multiple_of(2) {
            true => (row << 1 | Row::from(border), row),
            false => (row, row >> 1 | if border { last } else { 0 }),
        };
        // Borders count as full, but nothing is above the first row.
        let (left, right) = if y == 0 { (0, 0) } else { upper(state.above, true) };
        let beside = empty & (row << 1 | 1) & (row >> 1 | last) & !(left | right);
        let shut_in = [beside, empty & (left ^ right), empty & left & right];
        let mut value = self.filled[cells];
        for (powers, cells) in self.shut_in.iter().zip(shut_in) {
            value *= powers[cells.count_ones() as usize];
        }
        value += self.empty[width - cells] * self.depth[y] - cells as f64 * self.peak[y];
        let (from_left, from_right) = upper(state.reached, false);
        state.reached = flood(empty & (from_left | from_right), empty);
        let holes = (empty ^ state.reached).count_ones();
        let covered = (empty & state.shade).count_ones();
        let roofs = (empty & left).count_ones() + (empty & right).count_ones();
        state.shade |= row;
        state.above = row;
        let blocked = (row & self.spawn[y]).count_ones();
        if row != 0 {
            // Both borders count as full.
            let edges = ((row ^ (row << 1 | 1)) & full).count_ones() + u32::from(row & last == 0);
            value -= f64::from(edges) * weights.edge;
        }
        if covered != 0 {
            value -= f64::from(covered) * weights.covered + weights.broken;
        }
        value
            - f64::from(holes) * weights.hole
            - f64::from(roofs) * weights.roof
            - f64::from(blocked) * self.blocked
    }
}

/// State of the evaluation between two rows.
#[derive(Clone, Copy, PartialEq)]
struct ScanState {
    /// Mask of a full row.
    full: Row,
    /// The row above.
    above: Row,
    /// Cells of the row above that a path from the top reaches, down and sideways.
    reached: Row,
    /// Columns that have a full cell above.
    shade: Row,
}

impl ScanState {
    /// Returns the state above the first row.
    fn above(board: &Board) -> ScanState {
        ScanState { full: board.full_row(), above: 0, reached: board.full_row(), shade: 0 }
    }
}

/// Evaluation of a board row by row: the state before each row, and the value of the rows above.
#[derive(Default)]
pub struct RowScan {
    rows: Vec<(ScanState, f64)>,
}

/// Returns the empty cells of a row that are connected with `cells` (flood fill).
fn flood(mut cells: Row, empty: Row) -> Row {
    if cells == empty {
        return cells;
    }
    loop {
        let more = cells | (cells << 1 | cells >> 1) & empty;
        if more == cells {
            return cells;
        }
        cells = more;
    }
}
