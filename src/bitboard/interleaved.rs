//! Bitboards made of interleaved lanes of rows.

use super::cells::{dilate, Bitboard, Cell};
use super::row_lane::RowLane;

/// A bitboard of `N` interleaved lanes: row `y` is row `y / N` of lane `y % N`. A shift by one row
/// renames the lanes and moves the rows of only one of them, so a lane can be a vector register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C, align(32))]
pub struct InterleavedBitboard<L, const N: usize>(pub [L; N]);

/// Returns three cells each of three rows, without the centre, in the order of
/// [`Bitboard::neighbour_mask`].
#[inline(always)]
fn clockwise(above: u64, here: u64, below: u64) -> u8 {
    let right = above >> 1 & 3 | here & 4 | (below & 4) << 1;
    let left = (below & 2) << 3 | (below & 1) << 5 | (here & 1) << 6 | (above & 1) << 7;
    (right | left) as u8
}

/// Largest number of rows of a bitboard whose dilation is inlined. The bitboard of large Seven
/// Colors boards stores 72 rows, four lanes of 18, for boards of up to 32 rows. Not inlined, their
/// search took 27 % less CPU time, and the bots compiled faster. The bitboard of large Tron grids
/// stores 54 rows. Not inlined, their search took 24 % more (2026-11-25).
const MAX_INLINED_ROWS: usize = 54;

/// Implements [`Bitboard::dilate`] of more than [`MAX_INLINED_ROWS`] rows.
#[inline(never)]
fn dilate_large<B: Bitboard>(from: &B) -> B {
    dilate(*from)
}

/// The lanes are named one by one instead of in a closure: a closure is not compiled for the vector
/// registers of the function around it.
macro_rules! interleaved_bitboards {
    ($lanes:literal: $($number:literal $own:ident $other:ident),*; $($later:ident)*, $last:ident) => {
        impl<L: RowLane> Bitboard for InterleavedBitboard<L, $lanes> {
            const LARGEST: (usize, usize) = (L::SHAPE.0 - 2, $lanes * L::SHAPE.1 - 2);
            const NONE: Self = InterleavedBitboard([L::NONE; $lanes]);
            const IN_REGISTERS: bool = L::IS_REGISTER;

            #[inline(always)]
            fn has(&self, cell: Cell) -> bool {
                let (row, column) = cell.row_and_column();
                self.0[row % $lanes].has(row / $lanes, column)
            }

            #[inline(always)]
            fn insert(&mut self, cell: Cell) {
                let (row, column) = cell.row_and_column();
                self.0[row % $lanes].insert(row / $lanes, column);
            }

            #[inline(always)]
            fn remove(&mut self, cell: Cell) {
                let (row, column) = cell.row_and_column();
                self.0[row % $lanes].remove(row / $lanes, column);
            }

            #[inline(always)]
            fn neighbour_mask(&self, cell: Cell) -> u8 {
                let (row, column) = cell.row_and_column();
                clockwise(
                    self.0[(row - 1) % $lanes].row((row - 1) / $lanes) >> (column - 1),
                    self.0[row % $lanes].row(row / $lanes) >> (column - 1),
                    self.0[(row + 1) % $lanes].row((row + 1) / $lanes) >> (column - 1),
                )
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                let (InterleavedBitboard([$($own),*]), InterleavedBitboard([$($other),*])) = (self, other);
                InterleavedBitboard([$($own.and($other)),*])
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                let (InterleavedBitboard([$($own),*]), InterleavedBitboard([$($other),*])) = (self, other);
                InterleavedBitboard([$($own.or($other)),*])
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                let (InterleavedBitboard([$($own),*]), InterleavedBitboard([$($other),*])) = (self, other);
                InterleavedBitboard([$($own.xor($other)),*])
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                let (InterleavedBitboard([$($own),*]), InterleavedBitboard([$($other),*])) = (self, other);
                InterleavedBitboard([$($own.and_not($other)),*])
            }

            #[inline(always)]
            fn count(&self) -> u32 {
                let InterleavedBitboard([$($own),*]) = *self;
                0 $(+ $own.count())*
            }

            #[inline(always)]
            fn is_empty(&self) -> bool {
                let InterleavedBitboard([$($own),*]) = *self;
                L::NONE$(.or($own))*.is_empty()
            }

            #[inline(always)]
            fn shift_down(self) -> Self {
                let InterleavedBitboard([first, $($later,)* $last]) = self;
                // The row above row `i` of the first lane is row `i - 1` of the last.
                InterleavedBitboard([$last.shift_down(), first, $($later),*])
            }

            #[inline(always)]
            fn shift_left(self) -> Self {
                let InterleavedBitboard([$($own),*]) = self;
                InterleavedBitboard([$($own.shift_left()),*])
            }

            #[inline(always)]
            fn shift_up(self) -> Self {
                let InterleavedBitboard([first, $($later,)* $last]) = self;
                InterleavedBitboard([$($later,)* $last, first.shift_up()])
            }

            #[inline(always)]
            fn shift_right(self) -> Self {
                let InterleavedBitboard([$($own),*]) = self;
                InterleavedBitboard([$($own.shift_right()),*])
            }

            #[inline(always)]
            fn dilate(self) -> Self {
                match $lanes * L::SHAPE.1 <= MAX_INLINED_ROWS {
                    true => dilate(self),
                    false => dilate_large(&self),
                }
            }

            #[inline(always)]
            fn of_colour(self, colour: usize) -> Self {
                let InterleavedBitboard([$($own),*]) = self;
                InterleavedBitboard([$($own.and(L::chessboard((colour + $number) % 2, $lanes))),*])
            }

            #[inline(always)]
            fn any(&self) -> Option<Cell> {
                for (lane, rows) in self.0.iter().enumerate() {
                    for (at, row) in rows.rows().enumerate() {
                        if row != 0 {
                            let start = (64 * ($lanes * at + lane)) as u16;
                            return Some(Cell(start + row.trailing_zeros() as u16));
                        }
                    }
                }
                None
            }

            #[inline(always)]
            fn each(&self, mut visit: impl FnMut(Cell)) {
                for (lane, rows) in self.0.iter().enumerate() {
                    for (at, row) in rows.rows().enumerate() {
                        let start = (64 * ($lanes * at + lane)) as u16;
                        let mut left = row;
                        while left != 0 {
                            visit(Cell(start + left.trailing_zeros() as u16));
                            left &= left - 1;
                        }
                    }
                }
            }
        }
    };
}

interleaved_bitboards!(3: 0 a d, 1 b e, 2 c f; second, third);
interleaved_bitboards!(4: 0 a e, 1 b f, 2 c g, 3 d h; second third, fourth);
