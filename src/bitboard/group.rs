//! What a bitboard is made of: every third or fourth row of a grid, as an array of words or, in `vector`, a
//! vector register.

/// Rows that are a few apart, in order.
pub trait Group: Copy {
    /// How many bits a row has, and how many rows there are.
    const SHAPE: (usize, usize);
    /// No bit.
    const NONE: Self;

    /// The cell with this number in the row with this number alone.
    fn one(row: usize, column: u32) -> Self;
    /// The row with this number, as bits.
    fn row(&self, row: usize) -> u64;
    /// Is the cell in the group?
    #[inline(always)]
    fn has(&self, row: usize, column: u32) -> bool {
        self.row(row) >> column & 1 != 0
    }
    /// Puts it in.
    #[inline(always)]
    fn insert(&mut self, row: usize, column: u32) {
        *self = self.or(Self::one(row, column));
    }
    /// Takes it out.
    #[inline(always)]
    fn remove(&mut self, row: usize, column: u32) {
        *self = self.without(Self::one(row, column));
    }
    /// The bits that are in both.
    fn and(self, other: Self) -> Self;
    /// The bits that are in one or the other.
    fn or(self, other: Self) -> Self;
    /// The bits that are in one of them.
    fn xor(self, other: Self) -> Self;
    /// The bits that are not in the other.
    fn without(self, other: Self) -> Self;
    /// Each bit in the place of the one before.
    fn right_to_here(self) -> Self;
    /// Each bit in the place of the one after.
    fn left_to_here(self) -> Self;
    /// Each row in the place of the next. The last, of the border, comes round to the first.
    fn above_to_here(self) -> Self;
    /// Each row in the place of the one before. The first, of the border, comes round to the last.
    fn below_to_here(self) -> Self;
    /// How many bits are set.
    fn count(self) -> u32;
    /// Is none set?
    fn is_empty(self) -> bool;
    /// Every other bit of each row, of the first row those of this colour, where the rows of the grid
    /// are so many apart.
    fn chessboard(colour: usize, apart: usize) -> Self;
    /// Goes through the rows with a number, as bits.
    fn rows(&self) -> impl Iterator<Item = u64>;
}

macro_rules! groups {
    ($($word:ty, $rows:literal;)*) => {$(
        impl Group for [$word; $rows] {
            const SHAPE: (usize, usize) = (8 * size_of::<$word>(), $rows);
            const NONE: Self = [0; $rows];

            #[inline(always)]
            fn one(row: usize, column: u32) -> Self {
                let mut group = Self::NONE;
                group[row] = 1 << column;
                group
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
            fn without(self, other: Self) -> Self {
                std::array::from_fn(|row| self[row] & !other[row])
            }

            #[inline(always)]
            fn right_to_here(self) -> Self {
                std::array::from_fn(|row| self[row] >> 1)
            }

            #[inline(always)]
            fn left_to_here(self) -> Self {
                std::array::from_fn(|row| self[row] << 1)
            }

            #[inline(always)]
            fn above_to_here(mut self) -> Self {
                self.rotate_right(1);
                self
            }

            #[inline(always)]
            fn below_to_here(mut self) -> Self {
                self.rotate_left(1);
                self
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

groups! {
    u32, 8;
    u64, 18;
}
