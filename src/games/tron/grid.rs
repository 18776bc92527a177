//! The grid: its cells, the ways from one to the next, and its border.

use std::fmt;

/// A grid has at most so many cells from one side to the other.
pub const LONGEST_SIDE: usize = 50;
/// A border of walls saves asking at every step whether the grid ends there: a column on the right,
/// whose cells are at once to the left of the next row, and a row above and one below.
pub(super) const CAPACITY: usize = (LONGEST_SIDE + 1) * (LONGEST_SIDE + 2);

/// A place on the grid: columns and rows from the top left corner, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl Point {
    /// The next place in this direction, be it on a grid or not. Beyond the left or the upper border
    /// the number wraps round, to one that no grid has.
    pub const fn towards(self, way: Direction) -> Point {
        let (x, y) = way.delta();
        Point { x: self.x.wrapping_add_signed(x), y: self.y.wrapping_add_signed(y) }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}

/// What is on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellContent {
    /// Nothing.
    Free,
    /// An obstacle, or no cell of the grid at all.
    Wall,
    /// The ribbon of a cycle that is still in the game, its head included.
    Trail(crate::game::Seat),
}

/// A move: one cell on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the next column.
    Right,
    /// To the row below.
    Down,
    /// To the column before.
    Left,
}

impl Direction {
    /// All of them, in the order of [`Direction::index`].
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// Its number, 0..=3, clockwise from up.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The directions of a mask, bit `d` for the direction with number `d`, in ascending order.
    ///
    /// ```
    /// use arbitre_games::games::tron::Direction;
    /// let both: Vec<Direction> = Direction::of_mask(0b1001).collect();
    /// assert_eq!(both, [Direction::Up, Direction::Left]);
    /// ```
    pub fn of_mask(mask: u8) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |way| mask >> way.index() & 1 != 0)
    }

    /// Columns and rows that it leads on.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::Up => (0, -1),
            Direction::Right => (1, 0),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
        }
    }
}

/// The shape of a grid: where its cells are in a flat array with a border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub width: usize,
    pub height: usize,
}

impl Shape {
    /// From a cell to the one below.
    pub const fn stride(self) -> usize {
        self.width + 1
    }

    /// The index after the last, the border's included.
    pub const fn end(self) -> usize {
        self.stride() * (self.height + 2)
    }

    /// The index of a cell.
    pub const fn index(self, Point { x, y }: Point) -> usize {
        (y as usize + 1) * self.stride() + x as usize
    }

    /// The cell of an index, which is not on the border.
    pub const fn point(self, index: usize) -> Point {
        let (x, y) = (index % self.stride(), index / self.stride() - 1);
        Point { x: x as u8, y: y as u8 }
    }

    /// The index one step on.
    #[inline]
    pub const fn step(self, index: usize, way: Direction) -> usize {
        match way {
            Direction::Up => index - self.stride(),
            Direction::Right => index + 1,
            Direction::Down => index + self.stride(),
            Direction::Left => index - 1,
        }
    }

    /// Is this place on the grid?
    pub const fn contains(self, Point { x, y }: Point) -> bool {
        (x as usize) < self.width && (y as usize) < self.height
    }

    /// All cells, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let row = move |y| (0..self.width as u8).map(move |x| Point { x, y });
        (0..self.height as u8).flat_map(row)
    }
}

/// A grid with its obstacles, as it is before anybody starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    pub shape: Shape,
    /// By index: is it a wall, or on the border?
    pub walls: [bool; CAPACITY],
}

impl Grid {
    /// A grid of this size with these obstacles.
    ///
    /// # Panics
    /// If it is larger than the largest, or an obstacle is not on it.
    pub fn new(width: usize, height: usize, obstacles: &[Point]) -> Grid {
        assert!(width <= LONGEST_SIDE && height <= LONGEST_SIDE, "{width}x{height} is too large");
        let shape = Shape { width, height };
        let mut walls = [true; CAPACITY];
        shape.points().for_each(|point| walls[shape.index(point)] = false);
        for &point in obstacles {
            assert!(shape.contains(point), "the obstacle {point} is not on the grid");
            walls[shape.index(point)] = true;
        }
        Grid { shape, walls }
    }
}
