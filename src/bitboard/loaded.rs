//! Bitboards in the form in which they are computed with.

use super::cells::Bitboard;
use super::small::SmallBitboard;
use super::wide::WideBitboard;

/// A plane as one computes with it, which may lie in memory in another form.
pub trait Loaded: Bitboard {
    /// The form in memory.
    type Stored: Bitboard;

    /// From memory.
    fn load(stored: &Self::Stored) -> Self;
    /// To memory.
    fn store(self) -> Self::Stored;
}

macro_rules! stored_as_they_are {
    ($($plane:ty),*) => {$(
        impl Loaded for $plane {
            type Stored = $plane;

            #[inline(always)]
            fn load(stored: &$plane) -> $plane {
                *stored
            }

            #[inline(always)]
            fn store(self) -> $plane {
                self
            }
        }
    )*};
}

stored_as_they_are!(SmallBitboard, WideBitboard<[u32; 8], 3>, WideBitboard<[u64; 18], 3>, WideBitboard<[u32; 8], 4>, WideBitboard<[u64; 18], 4>);
