//! The plain board: the state of each cell, and the change that a move makes.

use crate::bitboard::{Bitboard, Cell, InterleavedBitboard};
use crate::game::Seat;
use std::fmt;

/// Largest number of colours of a game.
pub const MOST_COLOURS: usize = 16;
/// Longest side of a board, in cells, so that a row fits in the bits of a `u32`.
pub const LONGEST_SIDE: usize = 32;

/// A colour, which is also a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(u8);

impl Colour {
    /// Returns the colour with the given number, counted from 0.
    ///
    /// # Panics
    /// Panics if `number` is [`MOST_COLOURS`] or more.
    #[inline]
    pub fn new(number: usize) -> Colour {
        assert!(number < MOST_COLOURS, "there is no colour {number}");
        Colour(number as u8)
    }

    /// Returns the first `count` colours.
    #[inline]
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Colour> + ExactSizeIterator {
        (0..count).map(Colour::new)
    }

    /// Returns the number of the colour, to index values per colour.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Returns the letter of the colour; the first is `A`.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// Returns the colour of a letter.
    pub fn of_letter(letter: char) -> Option<Colour> {
        let number = (letter as u32).checked_sub('A' as u32)?;
        (number < MOST_COLOURS as u32).then_some(Colour(number as u8))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

/// State of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellState {
    /// Free, with its colour.
    Free(Colour),
    /// Taken by a seat; its former colour no longer matters.
    Taken(Seat),
}

/// A set of cells of a board of any size.
pub type CellSet = InterleavedBitboard<[u64; 18], 4>;

/// Cells of a board, row by row from the upper left corner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    width: usize,
    cells: Vec<CellState>,
}

impl Board {
    /// Creates a board of `cells`, in whole rows of `width` columns.
    ///
    /// # Panics
    /// Panics if the last row is not whole, or a side is longer than [`LONGEST_SIDE`].
    pub fn new(width: usize, cells: Vec<CellState>) -> Board {
        assert!((1..=LONGEST_SIDE).contains(&width) && cells.len().is_multiple_of(width));
        assert!(cells.len() / width <= LONGEST_SIDE);
        Board { width, cells }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// Returns all cells, row by row.
    pub fn cells(&self) -> &[CellState] {
        &self.cells
    }

    /// Returns the index of the cell at `row` and `column`.
    pub fn index(&self, row: usize, column: usize) -> usize {
        row * self.width + column
    }

    /// Returns the index of the cell with row and column swapped, on a square board.
    pub fn transposed(&self, index: usize) -> usize {
        self.index(index % self.width, index / self.width)
    }

    /// Gives a free cell another colour; taken cells stay as they are.
    pub fn recolour(&mut self, index: usize, colour: Colour) {
        if let CellState::Free(old) = &mut self.cells[index] {
            *old = colour;
        }
    }

    /// Returns the cells for which `wanted` holds.
    pub fn cells_where(&self, wanted: impl Fn(CellState) -> bool) -> CellSet {
        let mut found = CellSet::NONE;
        for (index, _) in self.cells.iter().enumerate().filter(|(_, cell)| wanted(**cell)) {
            found.insert(self.cell(index));
        }
        found
    }

    /// Returns the cell of an index.
    pub fn cell(&self, index: usize) -> Cell {
        Cell::new(index % self.width, index / self.width)
    }

    /// Returns the number of cells of a seat.
    pub fn count(&self, seat: Seat) -> usize {
        self.cells.iter().filter(|cell| **cell == CellState::Taken(seat)).count()
    }

    /// Returns the cells above, left, right and below a cell, as far as they exist.
    #[inline]
    pub fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, last) = (self.width, self.cells.len() - self.width);
        let column = index % width;
        let above = (index >= width).then(|| index - width);
        let left = (column > 0).then(|| index - 1);
        let right = (column + 1 < width).then_some(index + 1);
        let below = (index < last).then_some(index + width);
        [above, left, right, below].into_iter().flatten()
    }

    /// Returns `from` and all cells that can be reached from there over `open` cells.
    pub fn flood(&self, from: Vec<usize>, open: impl Fn(CellState) -> bool) -> Vec<usize> {
        let mut seen = vec![false; self.cells.len()];
        from.iter().for_each(|&index| seen[index] = true);
        let (mut reached, mut at) = (from, 0);
        while let Some(&index) = reached.get(at) {
            at += 1;
            for next in self.neighbours(index) {
                if !seen[next] && open(self.cells[next]) {
                    seen[next] = true;
                    reached.push(next);
                }
            }
        }
        reached
    }

    /// Plays a colour for a seat and returns the number of cells taken.
    ///
    /// The seat takes, repeatedly, every cell of that colour beside its own cells.
    pub fn capture(&mut self, seat: Seat, colour: Colour) -> usize {
        let own = self.of(seat);
        let before = own.len();
        let reached = self.flood(own, |cell| cell == CellState::Free(colour));
        self.take(seat, &reached[before..])
    }

    /// Returns the free cells enclosed by a seat, which its opponent cannot reach over free cells.
    /// Each free cell is in reach of at least one seat.
    pub fn enclosed(&self, seat: Seat) -> Vec<usize> {
        let is_free = |cell| matches!(cell, CellState::Free(_));
        let mut within_reach = vec![false; self.cells.len()];
        for index in self.flood(self.of(seat.other()), is_free) {
            within_reach[index] = true;
        }
        (0..self.cells.len()).filter(|&i| !within_reach[i] && is_free(self.cells[i])).collect()
    }

    /// Gives `cells` to a seat and returns their number.
    pub fn take(&mut self, seat: Seat, cells: &[usize]) -> usize {
        cells.iter().for_each(|&index| self.cells[index] = CellState::Taken(seat));
        cells.len()
    }

    fn of(&self, seat: Seat) -> Vec<usize> {
        (0..self.cells.len()).filter(|&i| self.cells[i] == CellState::Taken(seat)).collect()
    }
}
