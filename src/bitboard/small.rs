//! A bitboard in one machine integer.

use super::cells::{Bitboard, Cell};
use super::loaded::{stored_as_they_are, Loaded};

/// A set of cells of a grid of up to 9x9: bit `10 y + x`, both counted from 1. The right border of
/// a row is the left border of the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SmallBitboard(pub u128);

stored_as_they_are!(SmallBitboard);

// Nine cells of a row and one of the border.
const STRIDE: u32 = 10;

/// The cells of colour 0 of a chessboard.
const EVEN: u128 = {
    let (mut cells, mut number) = (0, 0);
    while number < 128 {
        if (number / STRIDE + number % STRIDE).is_multiple_of(2) {
            cells |= 1 << number;
        }
        number += 1;
    }
    cells
};

#[inline(always)]
fn bit(cell: Cell) -> u128 {
    let (row, column) = cell.row_and_column();
    1 << (STRIDE * row as u32 + column)
}

#[inline(always)]
fn cell_of_bit(bit: u32) -> Cell {
    Cell((64 * (bit / STRIDE) + bit % STRIDE) as u16)
}

impl Bitboard for SmallBitboard {
    const LARGEST: (usize, usize) = (9, 9);
    const NONE: SmallBitboard = SmallBitboard(0);

    #[inline(always)]
    fn has(&self, cell: Cell) -> bool {
        self.0 & bit(cell) != 0
    }

    #[inline(always)]
    fn insert(&mut self, cell: Cell) {
        self.0 |= bit(cell);
    }

    #[inline(always)]
    fn remove(&mut self, cell: Cell) {
        self.0 &= !bit(cell);
    }

    #[inline(always)]
    fn and(self, other: SmallBitboard) -> SmallBitboard {
        SmallBitboard(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: SmallBitboard) -> SmallBitboard {
        SmallBitboard(self.0 | other.0)
    }

    #[inline(always)]
    fn and_not(self, other: SmallBitboard) -> SmallBitboard {
        SmallBitboard(self.0 & !other.0)
    }

    #[inline(always)]
    fn xor(self, other: SmallBitboard) -> SmallBitboard {
        SmallBitboard(self.0 ^ other.0)
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn shift_down(self) -> SmallBitboard {
        SmallBitboard(self.0 << STRIDE)
    }

    #[inline(always)]
    fn shift_left(self) -> SmallBitboard {
        SmallBitboard(self.0 >> 1)
    }

    #[inline(always)]
    fn shift_up(self) -> SmallBitboard {
        SmallBitboard(self.0 >> STRIDE)
    }

    #[inline(always)]
    fn shift_right(self) -> SmallBitboard {
        SmallBitboard(self.0 << 1)
    }

    #[inline(always)]
    fn of_colour(self, colour: usize) -> SmallBitboard {
        SmallBitboard(self.0 & if colour == 0 { EVEN } else { !EVEN })
    }

    #[inline(always)]
    fn any(&self) -> Option<Cell> {
        (self.0 != 0).then(|| cell_of_bit(self.0.trailing_zeros()))
    }

    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(Cell)) {
        let mut left = self.0;
        while left != 0 {
            visit(cell_of_bit(left.trailing_zeros()));
            left &= left - 1;
        }
    }
}
