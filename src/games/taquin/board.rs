//! A board, and the ways in which its blank can slide.

use std::fmt;

/// The shortest side of a board.
pub const SHORTEST_SIDE: usize = 2;
/// The longest side of a board.
pub const LONGEST_SIDE: usize = 10;

/// A move: where the blank goes. The tile there comes the opposite way.
///
/// The order is the one in which Korf's 1985 program tried them on boards whose goal has the blank first;
/// his board turned by half a turn is ours, which is what reverses the directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// To the row below.
    Down,
    /// To the next column.
    Right,
    /// To the column before.
    Left,
    /// To the row above.
    Up,
}

impl Direction {
    /// All of them, in the order of [`Direction::index`].
    pub const ALL: [Direction; 4] =
        [Direction::Down, Direction::Right, Direction::Left, Direction::Up];

    /// Its number, 0..=3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The way back.
    pub const fn opposite(self) -> Direction {
        Direction::ALL[3 - self.index()]
    }

    /// Its word, as the sheet prints it.
    pub const fn word(self) -> &'static str {
        ["Down", "Right", "Left", "Up"][self.index()]
    }

    /// The first letter of its word.
    pub fn letter(self) -> char {
        char::from(self.word().as_bytes()[0])
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What is on each cell, row by row: tile `t` belongs on cell `t`, and the blank, which counts as the
/// last tile, on the last cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    rows: u8,
    columns: u8,
    blank: u8,
    cells: Vec<u8>,
}

impl Board {
    /// The board with these tiles, row by row.
    ///
    /// # Panics
    /// If a side is shorter than [`SHORTEST_SIDE`] or longer than [`LONGEST_SIDE`], or the cells are no
    /// permutation of `0..rows * columns`.
    pub fn new(rows: usize, columns: usize, cells: Vec<u8>) -> Board {
        let sides = SHORTEST_SIDE..=LONGEST_SIDE;
        assert!(sides.contains(&rows) && sides.contains(&columns), "{rows}x{columns}");
        let mut seen = vec![false; rows * columns];
        assert_eq!(cells.len(), seen.len(), "so many cells has the board");
        for &tile in &cells {
            assert!(!std::mem::replace(&mut seen[usize::from(tile)], true), "tile {tile} twice");
        }
        let blank = cells.iter().position(|&tile| usize::from(tile) + 1 == cells.len());
        let blank = blank.expect("a permutation has a last tile") as u8;
        Board { rows: rows as u8, columns: columns as u8, blank, cells }
    }

    /// The goal of this size.
    ///
    /// # Panics
    /// As [`Board::new`].
    pub fn goal(rows: usize, columns: usize) -> Board {
        Board::new(rows, columns, (0..rows * columns).map(|tile| tile as u8).collect())
    }

    /// How many rows there are.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    /// How many columns there are.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    /// The tiles, row by row; the blank is the number of cells less one.
    #[inline]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The cell of the blank.
    #[inline]
    pub fn blank(&self) -> usize {
        self.blank.into()
    }

    /// Is every tile where it belongs?
    #[inline]
    pub fn is_goal(&self) -> bool {
        self.cells.iter().enumerate().all(|(cell, &tile)| cell == usize::from(tile))
    }

    /// Can the goal be reached? Every move exchanges the blank with a tile and changes the blank's
    /// distance from its place by one, so half of all boards cannot be solved.
    pub fn is_solvable(&self) -> bool {
        let tiles: Vec<u8> =
            self.cells.iter().copied().filter(|&t| usize::from(t) + 1 < self.cells.len()).collect();
        let smaller_after = |at: usize| tiles[at..].iter().filter(|&&t| t < tiles[at]).count();
        let inversions: usize = (0..tiles.len()).map(smaller_after).sum();
        let rows_below = self.rows() - 1 - self.blank() / self.columns();
        let is_even = |number: usize| number.is_multiple_of(2);
        match is_even(self.columns()) {
            true => is_even(inversions + rows_below),
            false => is_even(inversions),
        }
    }

    /// The cell to which the blank goes in this direction; none at the edge.
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

    /// The directions in which the blank can go, in the order of [`Direction::ALL`].
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&way| self.target(way).is_some())
    }

    /// Returns the directions in which the blank can go, other than straight back after `last`.
    #[inline]
    pub fn ways_after(&self, last: Option<Direction>) -> impl Iterator<Item = Direction> + '_ {
        let back = last.map(Direction::opposite);
        self.ways().filter(move |&way| Some(way) != back)
    }

    /// Slides the blank. Returns whether it could go there.
    #[inline]
    pub fn slide(&mut self, way: Direction) -> bool {
        let Some(target) = self.target(way) else { return false };
        self.cells.swap(self.blank.into(), target);
        self.blank = target as u8;
        true
    }

    /// The board after a slide; none where the blank cannot go.
    #[inline]
    pub fn after(&self, way: Direction) -> Option<Board> {
        let mut board = self.clone();
        board.slide(way).then_some(board)
    }

    /// Returns the boards after each slide.
    pub fn successors(&self) -> impl Iterator<Item = Board> + '_ {
        self.ways().filter_map(|way| self.after(way))
    }
}
