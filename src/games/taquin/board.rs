//! The board, the directions of a move, and the solvability test.

use std::fmt;

/// Shortest side of a board, in cells.
pub const SHORTEST_SIDE: usize = 2;
/// Longest side of a board, in cells.
pub const LONGEST_SIDE: usize = 10;

/// A move, named by the direction of the blank. The tile slides the opposite way.
///
/// The order is that in which Korf's 1985 program tried moves on boards whose goal has the blank
/// first. Such a board is ours turned by half a turn, which reverses the directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Blank to the row below.
    Down,
    /// Blank to the next column.
    Right,
    /// Blank to the previous column.
    Left,
    /// Blank to the row above.
    Up,
}

impl Direction {
    /// All directions, in the order of [`Direction::index`].
    pub const ALL: [Direction; 4] =
        [Direction::Down, Direction::Right, Direction::Left, Direction::Up];

    /// Returns the index of the direction, from 0 to 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the direction that undoes this move.
    pub const fn opposite(self) -> Direction {
        // The order of `ALL` gives opposite directions indices that add up to 3.
        Direction::ALL[3 - self.index()]
    }

    /// Returns the name of the direction, as the sheet prints it.
    pub const fn word(self) -> &'static str {
        ["Down", "Right", "Left", "Up"][self.index()]
    }

    /// Returns the first letter of the name.
    pub fn letter(self) -> char {
        char::from(self.word().as_bytes()[0])
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Tiles by cell, row by row. Tile `t` belongs on cell `t`. The blank counts as the last tile and
/// belongs on the last cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    rows: u8,
    columns: u8,
    blank: u8,
    cells: Vec<u8>,
}

impl Board {
    /// Creates the board with these tiles, row by row.
    ///
    /// # Panics
    /// Panics if a side is not between [`SHORTEST_SIDE`] and [`LONGEST_SIDE`], or `cells` is not a
    /// permutation of `0..rows * columns`.
    pub fn new(rows: usize, columns: usize, cells: Vec<u8>) -> Board {
        let sides = SHORTEST_SIDE..=LONGEST_SIDE;
        assert!(sides.contains(&rows) && sides.contains(&columns), "{rows}x{columns}");
        let mut seen = vec![false; rows * columns];
        assert_eq!(cells.len(), seen.len(), "one tile for each cell");
        for &tile in &cells {
            assert!(!std::mem::replace(&mut seen[usize::from(tile)], true), "tile {tile} twice");
        }
        let blank = cells.iter().position(|&tile| usize::from(tile) + 1 == cells.len());
        let blank = blank.expect("a permutation has a last tile") as u8;
        Board { rows: rows as u8, columns: columns as u8, blank, cells }
    }

    /// Creates the goal of this size.
    ///
    /// # Panics
    /// Panics as [`Board::new`] does.
    pub fn goal(rows: usize, columns: usize) -> Board {
        Board::new(rows, columns, (0..rows * columns).map(|tile| tile as u8).collect())
    }

    /// Returns the number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    /// Returns the number of columns.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    /// Returns the tiles, row by row. The blank is the number of cells minus one.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Returns the cell of the blank.
    #[inline]
    pub fn blank(&self) -> usize {
        self.blank.into()
    }

    /// Returns `true` if every tile is on its own cell.
    #[inline]
    pub fn is_goal(&self) -> bool {
        self.cells.iter().enumerate().all(|(cell, &tile)| cell == usize::from(tile))
    }

    /// Returns `true` if the goal can be reached. Every move swaps the blank with a tile and
    /// changes the blank's distance from its cell by one, so half of all boards are unsolvable.
    pub fn is_solvable(&self) -> bool {
        let tiles: Vec<u8> =
            self.cells.iter().copied().filter(|&t| usize::from(t) + 1 < self.cells.len()).collect();
        let smaller_after = |at: usize| tiles[at..].iter().filter(|&&t| t < tiles[at]).count();
        let inversions: usize = (0..tiles.len()).map(smaller_after).sum();
        let rows_below = self.rows() - 1 - self.blank() / self.columns();
        let is_even = |number: usize| number.is_multiple_of(2);
        // A slide along a row keeps the inversions. A slide along a column moves a tile past
        // `columns - 1` others, which changes the parity of the inversions only if `columns` is
        // even.
        match is_even(self.columns()) {
            true => is_even(inversions + rows_below),
            false => is_even(inversions),
        }
    }

    /// Returns the cell to which the blank goes in this direction, or `None` at the edge.
    #[inline]
    pub fn target(&self, way: Direction) -> Option<usize> {
        let (blank, columns) = (self.blank(), self.columns());
        match way {
            Direction::Down => Some(blank + columns).filter(|&cell| cell < self.cells.len()),
            Direction::Right => Some(blank + 1).filter(|cell| !cell.is_multiple_of(columns)),
            Direction::Left => blank.checked_sub(1).filter(|_| !blank.is_multiple_of(columns)),
            Direction::Up => blank.checked_sub(columns),
        }
    }

    /// Returns the directions in which the blank can go, in the order of [`Direction::ALL`].
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&way| self.target(way).is_some())
    }

    /// Returns the directions in which the blank can go, except straight back after `last`.
    #[inline]
    pub fn ways_after(&self, last: Option<Direction>) -> impl Iterator<Item = Direction> + '_ {
        let back = last.map(Direction::opposite);
        self.ways().filter(move |&way| Some(way) != back)
    }

    /// Slides the blank. Returns `true` if it could move in that direction.
    #[inline]
    pub fn slide(&mut self, way: Direction) -> bool {
        let Some(target) = self.target(way) else { return false };
        self.cells.swap(self.blank.into(), target);
        self.blank = target as u8;
        true
    }

    /// Returns the board after a slide, or `None` if the blank cannot move in that direction.
    #[inline]
    pub fn after(&self, way: Direction) -> Option<Board> {
        let mut board = self.clone();
        board.slide(way).then_some(board)
    }

    /// Returns the boards after each possible slide.
    pub fn successors(&self) -> impl Iterator<Item = Board> + '_ {
        self.ways().filter_map(|way| self.after(way))
    }
}
