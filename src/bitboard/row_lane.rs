//! Lanes of an interleaved bitboard. A lane holds every third or fourth row of a grid, as an array
//! of words or, in `vector`, as a vector register.

/// Rows of a grid at a constant distance, in order. The lowest bit of a row is its column 0.
pub trait RowLane: Copy {
    /// Number of bits per row, and number of rows.
    const SHAPE: (usize, usize);
    /// The empty lane.
    const NONE: Self;
    /// Whether the lane is a vector register.
    const IS_REGISTER: bool = false;

    /// Returns the lane with one bit set.
    fn one(row: usize, column: u32) -> Self;
    /// Returns a row as bits.
    fn row(&self, row: usize) -> u64;
    /// Returns `true` if the bit is set.
    #[inline(always)]
    fn has(&self, row: usize, column: u32) -> bool {
        self.row(row) >> column & 1 != 0
    }
    /// Sets a bit.
    #[inline(always)]
    fn insert(&mut self, row: usize, column: u32) {
        *self = self.or(Self::one(row, column));
    }
    /// Clears a bit.
    #[inline(always)]
    fn remove(&mut self, row: usize, column: u32) {
        *self = self.and_not(Self::one(row, column));
    }
    /// Returns the bits set in both lanes.
    fn and(self, other: Self) -> Self;
    /// Returns the bits set in at least one of the lanes.
    fn or(self, other: Self) -> Self;
    /// Returns the bits set in exactly one of the lanes.
    fn xor(self, other: Self) -> Self;
    /// Returns the bits that are not set in `other`.
    fn and_not(self, other: Self) -> Self;
    /// Shifts each row so that a bit moves one column to the left.
    fn shift_left(self) -> Self;
    /// Shifts each row so that a bit moves one column to the right.
    fn shift_right(self) -> Self;
    /// Moves each row to the place of the next. The last row, part of the border, wraps to the
    /// first.
    fn shift_down(self) -> Self;
    /// Moves each row to the place of the previous one. The first row, part of the border, wraps to
    /// the last.
    fn shift_up(self) -> Self;
    /// Returns the number of bits set.
    fn count(self) -> u32;
    /// Returns `true` if no bit is set.
    fn is_empty(self) -> bool;
    /// Returns the bits of one colour of a chessboard. `colour` is that of the first row;
    /// successive rows of the lane are `apart` rows of the grid apart.
    fn chessboard(colour: usize, apart: usize) -> Self;
    /// Returns an iterator over the rows, as bits.
    fn rows(&self) -> impl Iterator<Item = u64>;
}

macro_rules! array_lanes {
    ($($word:ty, $rows:literal;)*) => {$(
        impl RowLane for [$word; $rows] {
            const SHAPE: (usize, usize) = (8 * size_of::<$word>(), $rows);
            const NONE: Self = [0; $rows];

            #[inline(always)]
            fn one(row: usize, column: u32) -> Self {
                let mut lane = Self::NONE;
                lane[row] = 1 << column;
                lane
            }

            #[inline(always)]
            fn row(&self, row: usize) -> u64 {
                self[row].into()
            }

            #[inline(always)]
            fn insert(&mut self, row: usize, column: u32) {
                self[row] |= 1 << column;
            }

            #[inline(always)]
            fn remove(&mut self, row: usize, column: u32) {
                self[row] &= !(1 << column);
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                std::array::from_fn(|row| self[row] & other[row])
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                std::array::from_fn(|row| self[row] | other[row])
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                std::array::from_fn(|row| self[row] ^ other[row])
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                std::array::from_fn(|row| self[row] & !other[row])
            }

            #[inline(always)]
            fn shift_left(self) -> Self {
                std::array::from_fn(|row| self[row] >> 1)
            }

            #[inline(always)]
            fn shift_right(self) -> Self {
                std::array::from_fn(|row| self[row] << 1)
            }

            #[inline(always)]
            fn shift_down(self) -> Self {
                std::array::from_fn(|row| self[(row + $rows - 1) % $rows])
            }

            #[inline(always)]
            fn shift_up(self) -> Self {
                std::array::from_fn(|row| self[(row + 1) % $rows])
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.iter().map(|row| row.count_ones()).sum()
            }

            #[inline(always)]
            fn is_empty(self) -> bool {
                self.into_iter().fold(0, |all, row| all | row) == 0
            }

            #[inline(always)]
            fn chessboard(colour: usize, apart: usize) -> Self {
                // Binary 0101…: a third of the largest number.
                const EVEN: $word = <$word>::MAX / 3;
                std::array::from_fn(|row| EVEN << ((apart * row + colour) % 2))
            }

            #[inline(always)]
            fn rows(&self) -> impl Iterator<Item = u64> {
                self.iter().map(|&row| row.into())
            }
        }
    )*};
}

array_lanes! {
    u32, 8;
    u64, 18;
}
