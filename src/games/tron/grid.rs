//! The grid: cells, directions, and a flat array of cells with a border of walls.

use std::fmt;

/// Largest number of rows or columns of a grid.
pub const LONGEST_SIDE: usize = 50;
/// Size of the flat array for the largest grid with its border. The border of walls saves bounds
/// checks at every step. It is a row above, a row below and a column on the right, whose cells also
/// border the next row on the left.
pub(super) const CAPACITY: usize = (LONGEST_SIDE + 1) * (LONGEST_SIDE + 2);

/// A place on the grid, counted from 0 at the top left corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl Point {
    /// Returns the next point in this direction, on the grid or off it. Left of column 0 and above
    /// row 0 the coordinate wraps to 255, which is off every grid.
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

/// Content of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellContent {
    /// No obstacle and no trail.
    Free,
    /// An obstacle, or a point off the grid.
    Wall,
    /// The trail of a cycle in the game, its head included.
    Trail(crate::game::Seat),
}

/// A move to one of the four neighbouring cells.
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
    /// All directions, in the order of [`Direction::index`].
    pub const ALL: [Direction; 4] =
        [Direction::Up, Direction::Right, Direction::Down, Direction::Left];

    /// Returns its number, 0 to 3, clockwise from up.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the directions of a mask, bit `d` for number `d`, in ascending order.
    ///
    /// ```
    /// use arbitre_games::games::tron::Direction;
    /// let both: Vec<Direction> = Direction::of_mask(0b1001).collect();
    /// assert_eq!(both, [Direction::Up, Direction::Left]);
    /// ```
    pub fn of_mask(mask: u8) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |way| mask >> way.index() & 1 != 0)
    }

    /// Returns the change of column and row.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Direction::Up => (0, -1),
            Direction::Right => (1, 0),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
        }
    }
}

/// Size of a grid, which maps its cells to a flat array with a border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub width: usize,
    pub height: usize,
}

impl Shape {
    /// Returns the index difference between a cell and the one below.
    pub const fn stride(self) -> usize {
        self.width + 1
    }

    /// Returns the number of indices in use, the border's included.
    pub const fn end(self) -> usize {
        self.stride() * (self.height + 2)
    }

    /// Returns the index of a cell.
    pub const fn index(self, Point { x, y }: Point) -> usize {
        (y as usize + 1) * self.stride() + x as usize
    }

    /// Returns the cell of an index that is not on the border.
    pub const fn point(self, index: usize) -> Point {
        let (x, y) = (index % self.stride(), index / self.stride() - 1);
        Point { x: x as u8, y: y as u8 }
    }

    /// Returns the index of the neighbour in this direction.
    #[inline]
    pub const fn step(self, index: usize, way: Direction) -> usize {
        match way {
            Direction::Up => index - self.stride(),
            Direction::Right => index + 1,
            Direction::Down => index + self.stride(),
            Direction::Left => index - 1,
        }
    }

    /// Returns `true` if the point is on the grid.
    pub const fn contains(self, Point { x, y }: Point) -> bool {
        (x as usize) < self.width && (y as usize) < self.height
    }

    /// Returns all cells, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        let row = move |y| (0..self.width as u8).map(move |x| Point { x, y });
        (0..self.height as u8).flat_map(row)
    }
}

/// A grid with its obstacles, before any cycle is placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    pub shape: Shape,
    /// Whether each index is a wall or on the border.
    pub walls: [bool; CAPACITY],
}

impl Grid {
    /// Creates a grid of this size with these obstacles.
    ///
    /// # Panics
    /// Panics if a side exceeds [`LONGEST_SIDE`], or an obstacle is off the grid.
    pub fn new(width: usize, height: usize, obstacles: &[Point]) -> Grid {
        assert!(width <= LONGEST_SIDE && height <= LONGEST_SIDE, "{width}x{height} is too large");
        let shape = Shape { width, height };
        // Everything off the grid stays a wall, the border included.
        let mut walls = [true; CAPACITY];
        shape.points().for_each(|point| walls[shape.index(point)] = false);
        for &point in obstacles {
            assert!(shape.contains(point), "the obstacle {point} is not on the grid");
            walls[shape.index(point)] = true;
        }
        Grid { shape, walls }
    }
}
