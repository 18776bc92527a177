//! Evaluation of a board: its value for the units to come.

use arbitre_games::games::hextris::{Board, Row, Terrain};
use std::ops::Range;

/// Weights of the board evaluation, in points. The experiments are in `bots/hextris/diary.md`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EvalWeights {
    /// Value of a full row. A row of which the part `p` is full counts `full_row * p^fill_power`,
    /// times the factors of its enclosed cells.
    pub full_row: f64,
    /// Exponent of the full part of a row.
    pub fill_power: f64,
    /// Value of a removed row.
    pub removed_row: f64,
    /// Value of an empty row at the top of the board. A row of which the part `q` is empty counts
    /// `empty_row * q^2 * h^empty_height_power`. The relative height `h` of a row is 1 at the top.
    pub empty_row: f64,
    /// Factors of the value of a row's full cells for each enclosed empty cell. The kinds are: full
    /// cells left and right but none above, one above, and two above.
    pub enclosed: [f64; 3],
    /// Cost of a full spawn cell, times the number of rows of the board.
    pub full_spawn_cell: f64,
    /// Cost of an empty cell that no path from the top reaches, down and sideways.
    pub hole: f64,
    /// Cost of an empty cell with a full one anywhere above it in its column.
    pub covered: f64,
    /// Cost of a row with covered cells.
    pub covered_row: f64,
    /// Cost of a change between empty and full along a row.
    pub edge: f64,
    /// Cost of each pair of a full cell and an empty one below it, to the left or right.
    pub overhang: f64,
    /// Exponent of a row's relative height in the value of its empty cells.
    pub empty_height_power: f64,
    /// Cost of a full cell in the first row. Further down it is multiplied by
    /// `h^full_height_power`.
    pub full_top_cell: f64,
    /// Exponent of a row's relative height in the cost of its full cells.
    pub full_height_power: f64,
    /// Number of units to come below which the board counts less, in proportion.
    pub fade_units: f64,
    /// Exponent of the board's weight. With `units` units to come, more than 100, the weight is
    /// `(units / 100)^length_power`; otherwise this factor is 1.
    pub length_power: f64,
}

impl EvalWeights {
    /// Weights for units that fit together: all cells of a row count about the same, and smooth
    /// rows matter most. Random weights and single changes, 2026-11-22 (`bots/hextris/diary.md`).
    pub const SMOOTH: EvalWeights = EvalWeights {
        full_row: 200.0,
        fill_power: 2.0,
        removed_row: 0.0,
        empty_row: 200.0,
        enclosed: [0.95, 0.8, 0.85],
        full_spawn_cell: 100.0,
        hole: 10.0,
        covered: 30.0,
        covered_row: 50.0,
        edge: 40.0,
        overhang: 50.0,
        empty_height_power: 0.56,
        full_top_cell: 300.0,
        full_height_power: 6.0,
        fade_units: 10.0,
        length_power: 0.5,
    };

    /// Weights for units that leave holes, and others that fill them: the last cells of a row and
    /// removed rows count most. Best of four sets of weights on problem 18, 2026-11-22
    /// (`bots/hextris/diary.md`). Divided by four, so that the usual scale suits them.
    pub const ROWS: EvalWeights = EvalWeights {
        full_row: 2000.0,
        fill_power: 6.0,
        removed_row: 2200.0,
        empty_row: 50.0,
        full_spawn_cell: 25.0,
        hole: 2.5,
        covered: 3.75,
        covered_row: 0.0,
        edge: 10.0,
        overhang: 12.5,
        full_top_cell: 75.0,
        ..EvalWeights::SMOOTH
    };
}

/// The sets of weights. The trials find the one that suits a game.
pub const WEIGHT_SETS: [EvalWeights; 2] = [EvalWeights::SMOOTH, EvalWeights::ROWS];

/// Evaluates the boards of a problem.
pub struct BoardEvaluator {
    /// Value of a row's full cells by their number.
    filled: Vec<f64>,
    /// Value of a row's empty cells by their number, in the first row.
    empty: Vec<f64>,
    /// Factor of the value of a row's full cells by its number of enclosed cells, for each kind.
    enclosed: [Vec<f64>; 3],
    /// Spawn cells of all units, by row.
    spawn: Vec<Row>,
    /// Cost of a full spawn cell.
    full_spawn_cell: f64,
    weights: EvalWeights,
    width: usize,
    /// Factor of the value of empty cells, by row.
    empty_factor: Vec<f64>,
    /// Cost of a full cell, by row.
    full_cost: Vec<f64>,
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
                .map(|cells| weights.full_row * part(cells).powf(weights.fill_power))
                .collect(),
            empty: (0..=width).map(|cells| weights.empty_row * part(cells).powi(2)).collect(),
            enclosed: weights.enclosed.map(powers),
            spawn,
            full_spawn_cell: weights.full_spawn_cell * height as f64,
            weights: *weights,
            width,
            empty_factor: by_row(&|height| height.powf(weights.empty_height_power)),
            full_cost: by_row(&|height| {
                weights.full_top_cell * height.powf(weights.full_height_power)
            }),
        }
    }

    /// Returns the value of a board, in points, after `removed` rows were removed, with
    /// `remaining_units` units to come.
    pub fn value(&self, board: &Board, removed: u32, remaining_units: usize) -> f64 {
        let mut state = ScanState::above(board);
        let rows = board.rows().iter().enumerate();
        let rows: f64 = rows.map(|(y, &row)| self.row(y, row, &mut state)).sum();
        (rows + f64::from(removed) * self.weights.removed_row) * self.weight(remaining_units)
    }

    /// Scans a board, so that boards that differ in a few rows are evaluated faster.
    pub fn scan(&self, board: &Board, removed: u32, scan: &mut RowScan) {
        let mut state = ScanState::above(board);
        let mut sum = f64::from(removed) * self.weights.removed_row;
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
        remaining_units: usize,
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
        sum * self.weight(remaining_units)
    }

    /// Returns the factor of the value of a board with `remaining_units` units to come.
    fn weight(&self, remaining_units: usize) -> f64 {
        let units = remaining_units as f64;
        let fade = (units / self.weights.fade_units).min(1.0);
        fade * (units / 100.0).max(1.0).powf(self.weights.length_power)
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
        let between = empty & (row << 1 | 1) & (row >> 1 | last) & !(left | right);
        let enclosed = [between, empty & (left ^ right), empty & left & right];
        let mut value = self.filled[cells];
        for (powers, cells) in self.enclosed.iter().zip(enclosed) {
            value *= powers[cells.count_ones() as usize];
        }
        value +=
            self.empty[width - cells] * self.empty_factor[y] - cells as f64 * self.full_cost[y];
        let (from_left, from_right) = upper(state.reached, false);
        state.reached = flood(empty & (from_left | from_right), empty);
        let holes = (empty ^ state.reached).count_ones();
        let covered = (empty & state.shade).count_ones();
        let overhangs = (empty & left).count_ones() + (empty & right).count_ones();
        state.shade |= row;
        state.above = row;
        let blocked = (row & self.spawn[y]).count_ones();
        if row != 0 {
            // Both borders count as full.
            let edges = ((row ^ (row << 1 | 1)) & full).count_ones() + u32::from(row & last == 0);
            value -= f64::from(edges) * weights.edge;
        }
        if covered != 0 {
            value -= f64::from(covered) * weights.covered + weights.covered_row;
        }
        value
            - f64::from(holes) * weights.hole
            - f64::from(overhangs) * weights.overhang
            - f64::from(blocked) * self.full_spawn_cell
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
