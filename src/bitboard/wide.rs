//! Bitboards made of groups of rows.

use super::cells::{spread, Bitboard, Cell};
use super::group::Group;

/// A bitboard of `N` interleaved groups: row `y` is row `y / N` of group `y % N`. A shift by one
/// row renames the groups and moves the rows of only one of them, so a group can be a vector
/// register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C, align(32))]
pub struct WideBitboard<G, const N: usize>(pub [G; N]);

/// Returns three cells each of three rows, without the centre, in the order of [`Bitboard::ring`].
#[inline(always)]
fn clockwise(above: u64, here: u64, below: u64) -> u8 {
    let right = above >> 1 & 3 | here & 4 | (below & 4) << 1;
    let left = (below & 2) << 3 | (below & 1) << 5 | (here & 1) << 6 | (above & 1) << 7;
    (right | left) as u8
}

/// Largest number of rows whose spreads are inlined. Large boards of Seven Colors have 72 rows: not
/// inlined, their search took 27 % less CPU time, and the bots compiled faster. Large grids of Tron
/// have 54: not inlined, their search took 24 % more (2026-11-25).
const INLINED_ROWS: usize = 54;

/// Implements [`Bitboard::spread`] of more than [`INLINED_ROWS`] rows.
#[inline(never)]
fn spread_large<B: Bitboard>(from: &B) -> B {
    spread(*from)
}

/// The groups are named one by one instead of in a closure: a closure is not compiled for the
/// vector registers of the function around it.
macro_rules! bitboards_of_groups {
    ($groups:literal: $($number:literal $own:ident $other:ident),*; $($later:ident)*, $last:ident) => {
        impl<G: Group> Bitboard for WideBitboard<G, $groups> {
            const LARGEST: (usize, usize) = (G::SHAPE.0 - 2, $groups * G::SHAPE.1 - 2);
            const NONE: Self = WideBitboard([G::NONE; $groups]);

            #[inline(always)]
            fn has(&self, cell: Cell) -> bool {
                let (row, column) = cell.row_and_column();
                self.0[row % $groups].has(row / $groups, column)
            }

            #[inline(always)]
            fn insert(&mut self, cell: Cell) {
                let (row, column) = cell.row_and_column();
                self.0[row % $groups].insert(row / $groups, column);
            }

            #[inline(always)]
            fn remove(&mut self, cell: Cell) {
                let (row, column) = cell.row_and_column();
                self.0[row % $groups].remove(row / $groups, column);
            }

            #[inline(always)]
            fn ring(&self, cell: Cell) -> u8 {
                let (row, column) = cell.row_and_column();
                clockwise(
                    self.0[(row - 1) % $groups].row((row - 1) / $groups) >> (column - 1),
                    self.0[row % $groups].row(row / $groups) >> (column - 1),
                    self.0[(row + 1) % $groups].row((row + 1) / $groups) >> (column - 1),
                )
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                let (WideBitboard([$($own),*]), WideBitboard([$($other),*])) = (self, other);
                WideBitboard([$($own.and($other)),*])
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                let (WideBitboard([$($own),*]), WideBitboard([$($other),*])) = (self, other);
                WideBitboard([$($own.or($other)),*])
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                let (WideBitboard([$($own),*]), WideBitboard([$($other),*])) = (self, other);
                WideBitboard([$($own.xor($other)),*])
            }

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                let (WideBitboard([$($own),*]), WideBitboard([$($other),*])) = (self, other);
                WideBitboard([$($own.without($other)),*])
            }

            #[inline(always)]
            fn count(&self) -> u32 {
                let WideBitboard([$($own),*]) = *self;
                0 $(+ $own.count())*
            }

            #[inline(always)]
            fn is_empty(&self) -> bool {
                let WideBitboard([$($own),*]) = *self;
                G::NONE$(.or($own))*.is_empty()
            }

            #[inline(always)]
            fn above_to_here(self) -> Self {
                let WideBitboard([first, $($later,)* $last]) = self;
                // The row above row `i` of the first group is row `i - 1` of the last.
                WideBitboard([$last.above_to_here(), first, $($later),*])
            }

            #[inline(always)]
            fn right_to_here(self) -> Self {
                let WideBitboard([$($own),*]) = self;
                WideBitboard([$($own.right_to_here()),*])
            }

            #[inline(always)]
            fn below_to_here(self) -> Self {
                let WideBitboard([first, $($later,)* $last]) = self;
                WideBitboard([$($later,)* $last, first.below_to_here()])
            }

            #[inline(always)]
            fn left_to_here(self) -> Self {
                let WideBitboard([$($own),*]) = self;
                WideBitboard([$($own.left_to_here()),*])
            }

            #[inline(always)]
            fn spread(self) -> Self {
                match $groups * G::SHAPE.1 <= INLINED_ROWS {
                    true => spread(self),
                    false => spread_large(&self),
                }
            }

            #[inline(always)]
            fn of_colour(self, colour: usize) -> Self {
                let WideBitboard([$($own),*]) = self;
                WideBitboard([$($own.and(G::chessboard((colour + $number) % 2, $groups))),*])
            }

            #[inline(always)]
            fn any(&self) -> Option<Cell> {
                for (group, rows) in self.0.iter().enumerate() {
                    for (at, row) in rows.rows().enumerate() {
                        if row != 0 {
                            let start = (64 * ($groups * at + group)) as u16;
                            return Some(Cell(start + row.trailing_zeros() as u16));
                        }
                    }
                }
                None
            }

            #[inline(always)]
            fn each(&self, mut visit: impl FnMut(Cell)) {
                for (group, rows) in self.0.iter().enumerate() {
                    for (at, row) in rows.rows().enumerate() {
                        let start = (64 * ($groups * at + group)) as u16;
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

bitboards_of_groups!(3: 0 a d, 1 b e, 2 c f; second, third);
bitboards_of_groups!(4: 0 a e, 1 b f, 2 c g, 3 d h; second third, fourth);
