//! Cells of a grid, and the trait of bitboards.

/// A cell of a grid with a border: `64 y + x`. Columns and rows count from 1; 0 is the border.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cell(pub u16);

impl Cell {
    /// Exclusive upper bound of the cell numbers on grids of up to 62x62, borders included. Grids
    /// of Tron have up to 50x50 cells, boards of Seven Colors up to 32x32.
    pub const END: usize = 64 * 64;

    /// Creates the cell in column `x` and row `y`, counted from 0.
    pub fn new(x: usize, y: usize) -> Cell {
        Cell((64 * (y + 1) + x + 1) as u16)
    }

    /// Returns the neighbours above, to the right, below and to the left.
    #[inline]
    pub fn neighbours(self) -> [Cell; 4] {
        let Cell(number) = self;
        // Cells in the top row of the border have no number above: it wraps instead of panicking.
        [number.wrapping_sub(64), number + 1, number + 64, number.wrapping_sub(1)].map(Cell)
    }

    /// Returns the number of the cell, below [`Cell::END`] on grids of up to 62x62.
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Returns the colour of the cell on a chessboard, 0 or 1.
    #[inline]
    pub fn colour(self) -> usize {
        // The parity of x + y.
        usize::from((self.0 ^ self.0 >> 6) & 1)
    }

    #[inline]
    pub(super) fn row_and_column(self) -> (usize, u32) {
        (usize::from(self.0 >> 6), u32::from(self.0 & 63))
    }
}

/// A set of cells of a grid with a border. Border cells are never in a set: the caller masks out
/// cells that were shifted or dilated onto the border.
pub trait Bitboard: Copy {
    /// Size of the largest grid, in columns and rows.
    const LARGEST: (usize, usize);
    /// The empty set.
    const NONE: Self;
    /// Whether the set is held in registers.
    const IN_REGISTERS: bool = true;

    /// Returns `true` if `cell` is in the set.
    fn has(&self, cell: Cell) -> bool;
    /// Adds a cell.
    fn insert(&mut self, cell: Cell);
    /// Removes a cell.
    fn remove(&mut self, cell: Cell);
    /// Returns the cells that are in both sets.
    fn and(self, other: Self) -> Self;
    /// Returns the cells that are in at least one of the sets.
    fn or(self, other: Self) -> Self;
    /// Returns the cells that are not in `other`.
    fn and_not(self, other: Self) -> Self;
    /// Returns the cells that are in exactly one of the sets.
    fn xor(self, other: Self) -> Self;
    /// Returns the number of cells.
    fn count(&self) -> u32;
    /// Returns `true` if the set is empty.
    fn is_empty(&self) -> bool;
    /// Moves every cell to its neighbour below.
    fn shift_down(self) -> Self;
    /// Moves every cell to its neighbour on the left.
    fn shift_left(self) -> Self;
    /// Moves every cell to its neighbour above.
    fn shift_up(self) -> Self;
    /// Moves every cell to its neighbour on the right.
    fn shift_right(self) -> Self;
    /// Returns the cells of one colour of a chessboard; see [`Cell::colour`].
    fn of_colour(self, colour: usize) -> Self;
    /// Returns some cell, if there is one.
    fn any(&self) -> Option<Cell>;
    /// Calls `visit` with each cell.
    fn each(&self, visit: impl FnMut(Cell));

    /// Returns which of the eight neighbours of a cell are in the set: one bit each, clockwise from
    /// above.
    #[inline(always)]
    fn neighbour_mask(&self, Cell(at): Cell) -> u8 {
        let around = [at - 64, at - 63, at + 1, at + 65, at + 64, at + 63, at - 1, at - 65];
        around.into_iter().rev().fold(0, |mask, cell| mask << 1 | u8::from(self.has(Cell(cell))))
    }

    /// Returns the set of one cell.
    #[inline(always)]
    fn one(cell: Cell) -> Self {
        let mut bitboard = Self::NONE;
        bitboard.insert(cell);
        bitboard
    }

    /// Returns the cells with at least one of their four neighbours in the set.
    #[inline(always)]
    fn dilate(self) -> Self {
        dilate(self)
    }

    /// Returns `from` and the cells of the set that it reaches through the set. Cells of `from` may
    /// lie outside the set.
    #[inline(always)]
    fn flood_fill(self, from: Self) -> Self {
        match Self::IN_REGISTERS {
            true => flood_fill(self, from),
            false => out_of_line(|(within, from)| flood_fill(within, from), (self, from)),
        }
    }

    /// Returns the cell `from` and the cells of the set that it reaches through the set.
    #[inline(always)]
    fn flood_fill_from(self, from: Cell) -> Self {
        self.flood_fill(Self::one(from))
    }
}

/// Implements [`Bitboard::dilate`].
#[inline(always)]
pub(super) fn dilate<B: Bitboard>(from: B) -> B {
    let sides = from.shift_right().or(from.shift_left());
    sides.or(from.shift_down()).or(from.shift_up())
}

/// Implements [`Bitboard::flood_fill`].
#[inline(always)]
fn flood_fill<B: Bitboard>(within: B, from: B) -> B {
    let (mut reached, mut front) = (from, from);
    while !front.is_empty() {
        front = front.dilate().and(within).and_not(reached);
        reached = reached.or(front);
    }
    reached
}

/// Calls a function that is not inlined. Bitboards in memory gain nothing from inlining, and their
/// code is long: each operation on them is a loop, which the compiler unrolls.
#[inline(never)]
pub fn out_of_line<A, T>(function: impl FnOnce(A) -> T, argument: A) -> T {
    function(argument)
}
