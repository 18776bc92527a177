//! The board as one bitboard per row.

use super::{Piece, Problem, UnitPosition};

/// Cells of a row as a bitboard: bit `x` is column `x`.
pub type Row = u128;

/// Full cells of a board. A clone copies little more than the rows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// Mask of all cells of a row.
    full: Row,
    rows: Box<[Row]>,
}

impl Board {
    /// Creates the board with which the games of a problem begin.
    pub fn new(problem: &Problem) -> Board {
        let full = Row::MAX >> (Row::BITS as usize - problem.width);
        let mut board = Board { full, rows: vec![0; problem.height].into() };
        problem.filled.iter().for_each(|cell| board.rows[cell.y as usize] |= 1 << cell.x);
        board
    }

    /// Returns the number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.full.count_ones() as usize
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Returns the rows from the top.
    #[inline]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns a row with all its cells full.
    #[inline]
    pub fn full_row(&self) -> Row {
        self.full
    }

    /// Returns `true` if the cell is full.
    #[inline]
    pub fn is_filled(&self, column: usize, row: usize) -> bool {
        self.rows[row] >> column & 1 != 0
    }

    /// Returns the first row that has a full cell, or the height of an empty board.
    #[inline]
    pub fn top(&self) -> usize {
        self.rows.iter().position(|&row| row != 0).unwrap_or(self.rows.len())
    }

    /// Copies a board of the same size without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        self.full = other.full;
        self.rows.copy_from_slice(&other.rows);
    }

    /// Fills the cells of a piece and removes the rows that are full then. The rows above come down
    /// and keep their columns. Returns the number of rows removed.
    #[inline]
    pub fn lock(&mut self, piece: &Piece, at: UnitPosition) -> u32 {
        let first = usize::from(at.row);
        for (row, cells) in self.rows[first..].iter_mut().zip(piece.rows(at)) {
            *row |= cells;
        }
        self.clear()
    }

    fn clear(&mut self) -> u32 {
        let Some(lowest) = self.rows.iter().rposition(|&row| row == self.full) else { return 0 };
        // From the bottom up, so that no row is overwritten before it is copied.
        let mut to = lowest + 1;
        for from in (0..=lowest).rev() {
            if self.rows[from] != self.full {
                to -= 1;
                self.rows[to] = self.rows[from];
            }
        }
        self.rows[..to].fill(0);
        to as u32
    }
}
