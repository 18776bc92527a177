//! What TaupeGoons looked at when they chose where to lock a unit.

use arbitre_games::games::hextris::{Board, Row, UnitPosition};

/// The authors' six weights, in their order: growth of the stack, depth, free cells shut in, rows, phrases,
/// connected components. The last one was switched off in their program, and counts nothing here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlacementWeights(pub [f64; 6]);

impl PlacementWeights {
    /// Those that they submitted.
    pub const SUBMITTED: PlacementWeights = PlacementWeights([7.0, 7.0, 1.0, 4.0, 4.0, 4.0]);

    /// What locking a piece there is worth, phrases left out: its cells as rows of bits, on a board whose first
    /// full cell is in the row `top`.
    pub fn of_place(&self, board: &Board, (at, cells): (UnitPosition, &[Row]), top: usize) -> f64 {
        let seen = Placement::new(board, (at, cells), top);
        let [growth, depth, shut_in, rows, ..] = self.0;
        rows * seen.rows - growth * seen.growth + depth * seen.depth - shut_in * seen.shut_in
    }

    /// What phrases of so many points on the path are worth.
    pub fn of_phrases(&self, points: u32) -> f64 {
        self.0[4] * f64::from(points) / POINTS_PER_PERCENT
    }
}

/// A full row counts as much as so many hundredths of anything else.
const PERCENT_PER_ROW: f64 = 100.0;
/// So many points of phrases count as much as a hundredth of anything else.
const POINTS_PER_PERCENT: f64 = 16.0;
/// The depth of the whole board in hundredths of anything else. The authors tell no scales: with 100, as for
/// the growth of the stack, boards fill up too early.
const DEPTH: f64 = 400.0;

/// What there is to see of a piece that is locked, in hundredths.
struct Placement {
    /// By how much the stack becomes higher, of the board's height.
    growth: f64,
    /// How deep the lowest cell of the piece is, of the board's height.
    depth: f64,
    /// Cells around it that are shut in and, twice, free cells beside it in its lowest row, of its size.
    shut_in: f64,
    /// Full rows, with half for a row that lacks one cell and a quarter for one that lacks two.
    rows: f64,
}

impl Placement {
    fn new(board: &Board, (at, cells): (UnitPosition, &[Row]), top: usize) -> Placement {
        let (first, height) = (usize::from(at.row), board.height() as f64);
        let last = first + cells.len() - 1;
        let size = f64::from(cells.iter().map(|row| row.count_ones()).sum::<u32>());
        let growth = top.saturating_sub(first) as f64;
        let after = |row: usize| {
            let own = row.checked_sub(first).and_then(|at| cells.get(at)).copied().unwrap_or(0);
            board.rows()[row] | own
        };
        let width = board.width() as u32;
        let value = |row: usize| match width - after(row).count_ones() {
            0 => 1.0,
            1 => 0.5,
            2 => 0.25,
            _ => 0.0,
        };
        let around = |row: usize| neighbours(cells, first, row) & board.full_row() & !after(row);
        let covered = |row: usize| match row {
            0 => 0,
            _ => covered(after(row - 1), row, width),
        };
        let below = (last + 1).min(board.height() - 1);
        let shut_in: u32 =
            (first..=below).map(|row| (around(row) & covered(row)).count_ones()).sum();
        let beside = beside(cells[cells.len() - 1]) & board.full_row() & !after(last);
        Placement {
            growth: 100.0 * growth / height,
            depth: DEPTH * last as f64 / height,
            shut_in: 100.0 * f64::from(shut_in + 2 * beside.count_ones()) / size,
            rows: PERCENT_PER_ROW * (first..=last).map(value).sum::<f64>(),
        }
    }
}

/// From one column before the first cell to one after the last.
fn beside(cells: Row) -> Row {
    let (first, last) = (cells.trailing_zeros(), Row::BITS - 1 - cells.leading_zeros());
    let up_to_last = Row::MAX >> (Row::BITS - 1 - last);
    let span = up_to_last & (Row::MAX << first);
    span | span << 1 | span >> 1
}

/// The cells of a row that touch the piece.
fn neighbours(cells: &[Row], first: usize, row: usize) -> Row {
    let own =
        |row: usize| row.checked_sub(first).and_then(|at| cells.get(at)).copied().unwrap_or(0);
    let level = own(row) << 1 | own(row) >> 1;
    // From a row that is not displaced the cells above and below are this column and the one before.
    let near =
        |other: Row| if row.is_multiple_of(2) { other | other << 1 } else { other | other >> 1 };
    level | near(own(row + 1)) | if row > 0 { near(own(row - 1)) } else { 0 }
}

/// The cells of a row both of whose upper neighbours are full; beyond the edge all is.
fn covered(above: Row, row: usize, width: u32) -> Row {
    match row.is_multiple_of(2) {
        true => above & (above << 1 | 1),
        false => above & (above >> 1 | 1 << (width - 1)),
    }
}
