//! Bitboards in the form used for computing.

use super::cells::Bitboard;
use super::small::SmallBitboard;
use super::wide::WideBitboard;

/// A bitboard used for computing, which may have another form in memory.
pub trait Loaded: Bitboard {
    /// Form in memory.
    type Stored: Bitboard;

    /// Loads the bitboard from memory.
    fn load(stored: &Self::Stored) -> Self;
    /// Returns the form in memory.
    fn store(self) -> Self::Stored;
}

macro_rules! stored_as_they_are {
    ($($bitboard:ty),*) => {$(
        impl Loaded for $bitboard {
            type Stored = $bitboard;

            #[inline(always)]
            fn load(stored: &$bitboard) -> $bitboard {
                *stored
            }

            #[inline(always)]
            fn store(self) -> $bitboard {
                self
            }
        }
    )*};
}

stored_as_they_are!(SmallBitboard, WideBitboard<[u32; 8], 3>, WideBitboard<[u64; 18], 3>, WideBitboard<[u32; 8], 4>, WideBitboard<[u64; 18], 4>);
