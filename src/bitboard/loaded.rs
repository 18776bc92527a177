//! Bitboards in the form in which they are computed with.

use super::cells::Bitboard;
use super::small::SmallBitboard;
use super::wide::WideBitboard;

/// A bitboard as one computes with it, which may lie in memory in another form.
pub trait Loaded: Bitboard {
    /// The form in memory.
    type Stored: Bitboard;

    /// From memory.
    fn load(stored: &Self::Stored) -> Self;
    /// To memory.
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
