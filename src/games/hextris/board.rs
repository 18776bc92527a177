//! A board: which cells are full, a row of bits each.

use super::{Piece, Problem, UnitPosition};

/// The cells of a row: bit `x` is column `x`.
pub type Row = u128;

/// Which cells are full. Copying it copies its rows and nothing else.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// All cells of a row.
    full: Row,
    rows: Box<[Row]>,
}

impl Board {
    /// The board with which the games of a problem begin.
    pub fn new(problem: &Problem) -> Board {
        let full = Row::MAX >> (Row::BITS as usize - problem.width);
        let mut board = Board { full, rows: vec![0; problem.height].into() };
        problem.filled.iter().for_each(|cell| board.rows[cell.y as usize] |= 1 << cell.x);
        board
    }

    /// How many columns there are.
    #[inline]
    pub fn width(&self) -> usize {
        self.full.count_ones() as usize
    }

    /// How many rows there are.
    #[inline]
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The rows from the top.
    #[inline]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// A row with all its cells full.
    #[inline]
    pub fn full_row(&self) -> Row {
        self.full
    }

    /// Is this cell full?
    #[inline]
    pub fn is_filled(&self, column: usize, row: usize) -> bool {
        self.rows[row] >> column & 1 != 0
    }

    /// The first row that has a full cell; the height of the board if there is none.
    #[inline]
    pub fn top(&self) -> usize {
        self.rows.iter().position(|&row| row != 0).unwrap_or(self.rows.len())
    }

    /// Becomes the same as another board of the same size, in the memory that it has.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        self.full = other.full;
        self.rows.copy_from_slice(&other.rows);
    }

    /// Fills the cells of a piece, and removes the rows that are full then: those above come down,
    /// and keep their columns. Returns how many were removed.
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
