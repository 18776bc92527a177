//! Cells of a grid, and sets of them.

/// A cell with its border: `64 y + x`, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cell(pub u16);

impl Cell {
    /// More than any number of a cell.
    pub const END: usize = 64 * 64;

    /// The cell in this column and row, counted from 0.
    pub fn new(x: usize, y: usize) -> Cell {
        Cell((64 * (y + 1) + x + 1) as u16)
    }

    /// The neighbours above, to the right, below and to the left.
    #[inline]
    pub fn beside(self) -> [Cell; 4] {
        let Cell(number) = self;
        [number.wrapping_sub(64), number + 1, number + 64, number.wrapping_sub(1)].map(Cell)
    }

    /// Its number, below [`Cell::END`].
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// 0 or 1 as on a chessboard.
    #[inline]
    pub fn colour(self) -> usize {
        usize::from((self.0 ^ self.0 >> 6) & 1)
    }

    #[inline]
    pub(super) fn row_and_column(self) -> (usize, u32) {
        (usize::from(self.0 >> 6), u32::from(self.0 & 63))
    }
}

/// A set of cells of a grid, around which there is a border that is never in a set: the caller masks
/// what is shifted or spread there.
pub trait Bitboard: Copy {
    /// The largest grid, columns and rows.
    const LARGEST: (usize, usize);
    /// No cell.
    const NONE: Self;

    /// Is this cell in the set?
    fn has(&self, cell: Cell) -> bool;
    /// Puts a cell in.
    fn insert(&mut self, cell: Cell);
    /// Takes a cell out.
    fn remove(&mut self, cell: Cell);
    /// The cells that are in both.
    fn and(self, other: Self) -> Self;
    /// The cells that are in one or the other.
    fn or(self, other: Self) -> Self;
    /// The cells that are not in the other.
    fn without(self, other: Self) -> Self;
    /// The cells that are in one of them.
    fn xor(self, other: Self) -> Self;
    /// How many cells there are.
    fn count(&self) -> u32;
    /// Are there no cells?
    fn is_empty(&self) -> bool;
    /// The cells whose neighbour above is in the set.
    fn above_to_here(self) -> Self;
    /// The cells whose neighbour to the right is in the set.
    fn right_to_here(self) -> Self;
    /// The cells whose neighbour below is in the set.
    fn below_to_here(self) -> Self;
    /// The cells whose neighbour to the left is in the set.
    fn left_to_here(self) -> Self;
    /// Those of the first or the second colour of a chessboard: see [`Cell::colour`].
    fn of_colour(self, colour: usize) -> Self;
    /// Some cell, if there is one.
    fn any(&self) -> Option<Cell>;
    /// Goes through the cells.
    fn each(&self, visit: impl FnMut(Cell));

    /// What of the set is around a cell of the grid: a bit for each of its eight neighbours, clockwise from
    /// above.
    #[inline(always)]
    fn ring(&self, Cell(at): Cell) -> u8 {
        let around = [at - 64, at - 63, at + 1, at + 65, at + 64, at + 63, at - 1, at - 65];
        around.into_iter().rev().fold(0, |ring, cell| ring << 1 | u8::from(self.has(Cell(cell))))
    }

    /// The set of one cell.
    #[inline(always)]
    fn one(cell: Cell) -> Self {
        let mut bitboard = Self::NONE;
        bitboard.insert(cell);
        bitboard
    }

    /// The cells one of whose four neighbours is in the set.
    #[inline(always)]
    fn spread(self) -> Self {
        let beside = self.left_to_here().or(self.right_to_here());
        beside.or(self.above_to_here()).or(self.below_to_here())
    }

    /// How many pairs of neighbours there are.
    #[inline(always)]
    fn edges(&self) -> u32 {
        self.and(self.right_to_here()).count() + self.and(self.above_to_here()).count()
    }

    /// All of the set that can be reached over it from cells that may lie outside, and those cells.
    #[inline(always)]
    fn flood(self, from: Self) -> Self {
        let (mut reached, mut front) = (from, from);
        while !front.is_empty() {
            front = front.spread().and(self).without(reached);
            reached = reached.or(front);
        }
        reached
    }

    /// The cell, and those of the set that can be reached from it.
    #[inline(always)]
    fn reach(self, from: Cell) -> Self {
        self.flood(Self::one(from))
    }
}
