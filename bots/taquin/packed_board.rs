//! Boards packed into words.

use arbitre_games::rng::mix;
use std::hash::Hash;

/// A board as one word.
pub trait PackedBoard: Copy + Default + Eq + Hash {
    /// Packs the tiles of a board.
    fn pack(cells: &[u8]) -> Self;
    /// Unpacks the tiles into `cells`. Returns the cell of the blank, which is the last tile.
    fn unpack(self, cells: &mut [u8]) -> usize;
    /// Returns the tile on a cell.
    fn tile(self, cell: usize) -> usize;
    /// Returns the board after `tile` slid from cell `from` to cell `to`, where the blank was.
    /// `blank` is the tile number of the blank.
    fn slid(self, tile: usize, blank: usize, from: usize, to: usize) -> Self;
    /// Returns a hash of the board whose bits are all usable as a table index.
    fn mixed(self) -> u64;
}

macro_rules! packed {
    ($word:ty, $bits:literal, $mixed:expr) => {
        impl PackedBoard for $word {
            #[inline]
            fn pack(cells: &[u8]) -> $word {
                cells.iter().rev().fold(0, |word, &tile| word << $bits | <$word>::from(tile))
            }

            #[inline]
            fn unpack(self, cells: &mut [u8]) -> usize {
                let (mut word, last, mut blank) = (self, cells.len() - 1, 0);
                for (at, cell) in cells.iter_mut().enumerate() {
                    *cell = (word & ((1 << $bits) - 1)) as u8;
                    word >>= $bits;
                    blank = if usize::from(*cell) == last { at } else { blank };
                }
                blank
            }

            #[inline(always)]
            fn tile(self, cell: usize) -> usize {
                (self >> ($bits * cell)) as usize & ((1 << $bits) - 1)
            }

            #[inline]
            fn slid(self, tile: usize, blank: usize, from: usize, to: usize) -> $word {
                // Both cells change by the same bits, so two XORs swap the tile and the blank.
                let change = (tile ^ blank) as $word;
                self ^ (change << ($bits * from)) ^ (change << ($bits * to))
            }

            #[inline]
            fn mixed(self) -> u64 {
                ($mixed)(self)
            }
        }
    };
}

packed!(u64, 4, mix);
packed!(u128, 5, |word: u128| mix(word as u64 ^ mix((word >> 64) as u64)));
