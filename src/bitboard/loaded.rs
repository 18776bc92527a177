//! Bitboards in the form used for computing.

use super::cells::Bitboard;
use super::interleaved::InterleavedBitboard;

/// A bitboard used for computing, which may have another form in memory.
pub trait Loaded: Bitboard {
    /// Form in memory.
    type Stored: Bitboard;

    /// Loads the bitboard from memory.
    fn load(stored: &Self::Stored) -> Self;
    /// Returns the form in memory.
    fn store(self) -> Self::Stored;
}

/// Implements [`Loaded`] for bitboards that have one form.
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

pub(super) use stored_as_they_are;

stored_as_they_are!(
    InterleavedBitboard<[u32; 8], 3>,
    InterleavedBitboard<[u64; 18], 3>,
    InterleavedBitboard<[u32; 8], 4>,
    InterleavedBitboard<[u64; 18], 4>
);
