//! Evaluation of the places where a unit can be locked, as TaupeGoons chose among them.

use arbitre_games::games::hextris::{Board, Row, UnitPosition};

/// The authors' six weights, in their order: growth of the stack, depth, enclosed free cells, rows,
/// phrases, connected components. The last one was switched off in their program, and is ignored
/// here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlacementWeights(pub [f64; 6]);

/// Value of a full row, in percent of the other measures. The account gives no scale. Not tuned.
const PERCENT_PER_ROW: f64 = 100.0;
/// Points for phrases that equal one percent of the other measures. The account gives no scale. Not
/// tuned.
const POINTS_PER_PERCENT: f64 = 16.0;
/// Depth of the whole board, in percent. The account gives no scales. With 100, as for the growth
/// of the stack, boards fill up too early: problem 24 had 33,937 points, with 400 62,184
/// (2026-11-21, `bots/hextris/diary.md`).
const DEPTH: f64 = 400.0;

impl PlacementWeights {
    /// The weights that the authors submitted.
    pub const SUBMITTED: PlacementWeights = PlacementWeights([7.0, 7.0, 1.0, 4.0, 4.0, 4.0]);

    /// Returns the value of locking a piece at a place, without phrases. `cells` are the rows of
    /// its cells, and `top` is the first row of the board that has a full cell.
    pub fn of_place(&self, board: &Board, (at, cells): (UnitPosition, &[Row]), top: usize) -> f64 {
        let (first, height) = (usize::from(at.row), board.height() as f64);
        let last = first + cells.len() - 1;
        // Growth of the stack, and depth of the lowest cell.
        let growth = 100.0 * top.saturating_sub(first) as f64 / height;
        let depth = DEPTH * last as f64 / height;
        // Full rows, with half for a row that lacks one cell and a quarter for one that lacks two.
        let width = board.width() as u32;
        let fullness = |row: usize| match width - after(board, cells, first, row).count_ones() {
            0 => 1.0,
            1 => 0.5,
            2 => 0.25,
            _ => 0.0,
        };
        let rows = PERCENT_PER_ROW * (first..=last).map(fullness).sum::<f64>();
        let shut_in = shut_in(board, cells, first);
        let weights = self.0;
        weights[3] * rows - weights[0] * growth + weights[1] * depth - weights[2] * shut_in
    }

    /// Returns the value of the points for phrases on the path.
    pub fn of_phrases(&self, points: u32) -> f64 {
        self.0[4] * f64::from(points) / POINTS_PER_PERCENT
    }
}

/// Returns the cells of a piece in a row of the board, if its first row is `first`.
fn row_of(cells: &[Row], first: usize, row: usize) -> Row {
    row.checked_sub(first).and_then(|at| cells.get(at)).copied().unwrap_or(0)
}

/// Returns the full cells of a row of the board once a piece is locked whose first row is `first`.
fn after(board: &Board, cells: &[Row], first: usize, row: usize) -> Row {
    board.rows()[row] | row_of(cells, first, row)
}

/// Returns the number of enclosed free cells around a piece, in percent of its size. Free cells
/// beside it in its lowest row are added twice.
fn shut_in(board: &Board, cells: &[Row], first: usize) -> f64 {
    let (last, width) = (first + cells.len() - 1, board.width() as u32);
    let full = |row: usize| after(board, cells, first, row);
    let shut_in = |row: usize| {
        neighbours(cells, first, row) & covered(full(row - 1), row, width) & !full(row)
    };
    // Row 0 of the board has no row above it that could enclose its cells.
    let rows = first.max(1)..=(last + 1).min(board.height() - 1);
    let around: u32 = rows.map(|row| (shut_in(row) & board.full_row()).count_ones()).sum();
    let beside = beside(cells[cells.len() - 1]) & board.full_row() & !full(last);
    let size = cells.iter().map(|row| row.count_ones()).sum::<u32>();
    100.0 * f64::from(around + 2 * beside.count_ones()) / f64::from(size)
}

/// Returns the columns from the one before the first cell to the one after the last.
fn beside(cells: Row) -> Row {
    let (first, last) = (cells.trailing_zeros(), Row::BITS - 1 - cells.leading_zeros());
    let up_to_last = Row::MAX >> (Row::BITS - 1 - last);
    let span = up_to_last & (Row::MAX << first);
    span | span << 1 | span >> 1
}

/// Returns the cells of a row that touch the piece.
fn neighbours(cells: &[Row], first: usize, row: usize) -> Row {
    let own = row_of(cells, first, row);
    // An even row is not displaced: above and below are the cells of this column and the one
    // before.
    let near =
        |other: Row| if row.is_multiple_of(2) { other | other << 1 } else { other | other >> 1 };
    let above = if row > 0 { row_of(cells, first, row - 1) } else { 0 };
    own << 1 | own >> 1 | near(row_of(cells, first, row + 1)) | near(above)
}

/// Returns the cells of a row whose upper neighbours are both full. Borders count as full.
fn covered(above: Row, row: usize, width: u32) -> Row {
    match row.is_multiple_of(2) {
        true => above & (above << 1 | 1),
        false => above & (above >> 1 | 1 << (width - 1)),
    }
}
