//! Value of a board for the units that are to come.

use arbitre_games::games::hextris::{Board, Row, Terrain};
use std::ops::Range;

/// Weights of the evaluation of a board, in points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalWeights {
    /// A row that is all but full.
    pub filled: f64,
    /// By what power of its full cells another row counts less.
    pub power: f64,
    /// A row that was removed.
    pub removed: f64,
    /// An empty row at the top.
    pub empty: f64,
    /// Factors of the value of a row for a cell with full cells on both sides, one above, two
    /// above.
    pub shut_in: [f64; 3],
    /// A full cell where units appear, for each row of the board.
    pub spawn: f64,
    /// An empty cell to which no way leads from above.
    pub hole: f64,
    /// An empty cell below a full one, wherever in its column.
    pub covered: f64,
    /// A row with such cells.
    pub broken: f64,
    /// A change between empty and full along a row.
    pub edge: f64,
    /// A full cell right above an empty one.
    pub roof: f64,
    /// By what power of the height above the floor empty rows count less.
    pub depth: f64,
    /// A full cell in the first row.
    pub peak: f64,
    /// By what power of the height above the floor full cells count less.
    pub steep: f64,
    /// Number of units before the end at which a board begins to count less.
    pub fade: f64,
    /// By what power of the hundreds of units to come a board counts more.
    pub ahead: f64,
}

impl EvalWeights {
    /// Every cell of a row counts about alike, and what matters is how smooth the rows are: for
    /// units that fit together.
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

    /// The last cells of a row count most, and a row that was removed for good: for units that
    /// leave holes, and others to fill them.
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

/// The sets of weights. The first passes find which one suits a game.
pub const WEIGHT_SETS: [EvalWeights; 2] = [EvalWeights::SMOOTH, EvalWeights::ROWS];

/// Evaluates the boards of a problem.
pub struct BoardEvaluator {
    /// By how many cells are full, and by how many are empty.
    filled: Vec<f64>,
    empty: Vec<f64>,
    /// By how many cells are so shut in.
    shut_in: [Vec<f64>; 3],
    /// Where units appear.
    spawn: Vec<Row>,
    /// For each full cell there.
    blocked: f64,
    weights: EvalWeights,
    width: usize,
    /// By row: how much an empty row counts, and what a full cell costs.
    depth: Vec<f64>,
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
            // From here on it is the same.
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

    /// Returns the value of a row below those that were scanned.
    #[inline]
    fn row(&self, y: usize, row: Row, state: &mut ScanState) -> f64 {
        let (full, width, weights) = (state.full, self.width, &self.weights);
        let last = 1 << (width - 1);
        let empty = !row & full;
        let cells = row.count_ones() as usize;
        // The upper neighbours of a cell.
        let upper = |row: Row, border: bool| match y.is_multiple_of(2) {
            true => (row << 1 | Row::from(border), row),
            false => (row, row >> 1 | if border { last } else { 0 }),
        };
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

/// What the rows above tell about the next.
#[derive(Clone, Copy, PartialEq)]
struct ScanState {
    /// A row that is full.
    full: Row,
    /// The row above.
    above: Row,
    /// Its cells to which a way leads from the top.
    reached: Row,
    /// The columns that have a full cell.
    shade: Row,
}

impl ScanState {
    /// Above the first row.
    fn above(board: &Board) -> ScanState {
        ScanState { full: board.full_row(), above: 0, reached: board.full_row(), shade: 0 }
    }
}

/// A board row by row: the state of the scan before each row, and the value of the rows before it.
#[derive(Default)]
pub struct RowScan {
    rows: Vec<(ScanState, f64)>,
}

/// Returns the empty cells of a row that are connected with these.
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
