//! A board: what is on each cell, and what a move changes there.

use crate::game::Seat;
use std::fmt;

/// The most colours that a game can have.
pub const MOST_COLOURS: usize = 16;
/// The longest side of a board, so that a row of cells is the bits of a machine word.
pub const LONGEST_SIDE: usize = 32;

/// A colour, which is also a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(u8);

impl Colour {
    /// The colour with this number, counted from 0.
    ///
    /// # Panics
    /// From [`MOST_COLOURS`] on.
    pub fn new(number: usize) -> Colour {
        assert!(number < MOST_COLOURS, "there is no colour {number}");
        Colour(number as u8)
    }

    /// The first `count` colours.
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Colour> + ExactSizeIterator {
        (0..count).map(Colour::new)
    }

    /// Its number, to index what is kept per colour.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its letter: `A` is the first.
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    /// The colour of a letter.
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

/// What is on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellState {
    /// Nobody's, of this colour.
    Free(Colour),
    /// This seat's. What colour it had does not matter any more.
    Taken(Seat),
}

/// Cells, row by row from the upper left corner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    width: usize,
    cells: Vec<CellState>,
}

impl Board {
    /// The board of these cells, which are whole rows of so many columns.
    ///
    /// # Panics
    /// If they are not, or a side is longer than [`LONGEST_SIDE`].
    pub fn new(width: usize, cells: Vec<CellState>) -> Board {
        assert!((1..=LONGEST_SIDE).contains(&width) && cells.len().is_multiple_of(width));
        assert!(cells.len() / width <= LONGEST_SIDE);
        Board { width, cells }
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[CellState] {
        &self.cells
    }

    /// The index of the cell in this row and column.
    pub fn index(&self, row: usize, column: usize) -> usize {
        row * self.width + column
    }

    /// The index of the cell that is there when rows and columns change places, on a square board.
    pub fn transposed(&self, index: usize) -> usize {
        self.index(index % self.width, index / self.width)
    }

    /// Gives a free cell another colour; what is taken stays.
    pub fn recolour(&mut self, index: usize, colour: Colour) {
        if let CellState::Free(old) = &mut self.cells[index] {
            *old = colour;
        }
    }

    /// How many cells a seat has.
    pub fn count(&self, seat: Seat) -> usize {
        self.cells.iter().filter(|cell| **cell == CellState::Taken(seat)).count()
    }

    /// The cells beside a cell: those above, left, right and below, as far as there are any.
    pub fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, last) = (self.width, self.cells.len() - self.width);
        let column = index % width;
        let above = (index >= width).then(|| index - width);
        let left = (column > 0).then(|| index - 1);
        let right = (column + 1 < width).then_some(index + 1);
        let below = (index < last).then_some(index + width);
        [above, left, right, below].into_iter().flatten()
    }

    /// All cells that can be reached from these, themselves included, over cells that are `open`.
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

    /// A seat plays a colour: it takes, repeatedly, every cell of that colour beside its own.
    /// Returns how many.
    pub fn capture(&mut self, seat: Seat, colour: Colour) -> usize {
        let own = self.of(seat);
        let before = own.len();
        let reached = self.flood(own, |cell| cell == CellState::Free(colour));
        self.take(seat, &reached[before..])
    }

    /// The free cells that this seat alone encloses: its opponent cannot reach them over free cells.
    /// Every free cell can be reached by somebody.
    pub fn enclosed(&self, seat: Seat) -> Vec<usize> {
        let is_free = |cell| matches!(cell, CellState::Free(_));
        let mut within_reach = vec![false; self.cells.len()];
        for index in self.flood(self.of(seat.other()), is_free) {
            within_reach[index] = true;
        }
        (0..self.cells.len()).filter(|&i| !within_reach[i] && is_free(self.cells[i])).collect()
    }

    /// Gives these cells to a seat. Returns how many they are.
    pub fn take(&mut self, seat: Seat, cells: &[usize]) -> usize {
        cells.iter().for_each(|&index| self.cells[index] = CellState::Taken(seat));
        cells.len()
    }

    fn of(&self, seat: Seat) -> Vec<usize> {
        (0..self.cells.len()).filter(|&i| self.cells[i] == CellState::Taken(seat)).collect()
    }
}
