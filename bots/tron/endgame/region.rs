//! The region of an enclosed cycle: the free cells around its head.

use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Point, Position, LONGEST_SIDE};

/// A head, and the free cells that it can reach.
///
/// Cells are in a flat array with a border that is never free, which saves bounds checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeRegion {
    stride: usize,
    free: Vec<bool>,
    head: usize,
}

impl FreeRegion {
    /// Creates the region of a head on a grid of `width` columns and `height` rows. `is_free`
    /// returns whether a cell can be entered; its result for the head's cell is ignored.
    ///
    /// # Panics
    /// Panics if a side exceeds [`LONGEST_SIDE`], or the head is off the grid.
    pub fn new(
        width: usize,
        height: usize,
        head: Point,
        is_free: impl Fn(Point) -> bool,
    ) -> FreeRegion {
        assert!(width <= LONGEST_SIDE && height <= LONGEST_SIDE, "{width}x{height} is too large");
        assert!(
            (head.x as usize) < width && (head.y as usize) < height,
            "the head is off the grid"
        );
        let stride = width + 2;
        let index = |x: usize, y: usize| (y + 1) * stride + x + 1;
        let mut free = vec![false; stride * (height + 2)];
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            free[index(x, y)] = is_free(Point { x: x as u8, y: y as u8 });
        }
        let mut region = FreeRegion { stride, free, head: index(head.x.into(), head.y.into()) };
        region.keep_what_is_reached();
        region
    }

    /// Removes the free cells that the head cannot reach.
    fn keep_what_is_reached(&mut self) {
        let free = std::mem::take(&mut self.free);
        self.free = vec![false; free.len()];
        let mut waiting = vec![self.head];
        while let Some(cell) = waiting.pop() {
            for next in self.neighbours(cell) {
                if free[next] && !self.free[next] && next != self.head {
                    self.free[next] = true;
                    waiting.push(next);
                }
            }
        }
    }

    /// Returns the region of a seat in the current position, or `None` if it is eliminated.
    pub fn of(position: &Position, seat: Seat) -> Option<FreeRegion> {
        let is_free = |point| position.cell(point) == CellContent::Free;
        Some(FreeRegion::new(position.width(), position.height(), position.head(seat)?, is_free))
    }

    /// Moves the head; the cell that it leaves stays occupied. Returns `false` if the move is
    /// blocked.
    pub fn advance(&mut self, direction: Direction) -> bool {
        let to = self.step(self.head, direction);
        let entered = self.free[to];
        if entered {
            self.head = to;
            self.keep_what_is_reached();
        }
        entered
    }

    /// Returns the cells of a path from the head, without the head; the path ends before the first
    /// cell that is not free.
    pub(super) fn cells_of(&self, path: &[Direction]) -> Vec<usize> {
        let mut cells: Vec<usize> = Vec::with_capacity(path.len());
        let mut cell = self.head;
        for &direction in path {
            cell = self.step(cell, direction);
            if !self.free[cell] || cells.contains(&cell) {
                break;
            }
            cells.push(cell);
        }
        cells
    }

    /// Returns the directions of a path from the head.
    pub(super) fn path_of(&self, cells: &[usize]) -> Vec<Direction> {
        let before = [self.head].into_iter().chain(cells.iter().copied());
        before.zip(cells).map(|(from, &to)| self.direction(from, to)).collect()
    }

    /// Returns the directions in which the next cell is free.
    pub fn ways(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&direction| self.free[self.step(self.head, direction)])
    }

    /// Returns the index of the head.
    pub(super) fn head(&self) -> usize {
        self.head
    }

    /// Returns whether each index is a free cell; the border is not.
    pub(super) fn free(&self) -> &[bool] {
        &self.free
    }

    /// Returns the index difference between a cell and the one below.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Returns column and row of a cell, the border counted.
    pub(super) fn place(&self, index: usize) -> (usize, usize) {
        (index % self.stride, index / self.stride)
    }

    /// Returns `true` if the cell is white on a checkerboard.
    pub(super) fn is_white(&self, index: usize) -> bool {
        let (x, y) = self.place(index);
        (x + y).is_multiple_of(2)
    }

    pub(super) fn step(&self, index: usize, direction: Direction) -> usize {
        match direction {
            Direction::Up => index - self.stride,
            Direction::Right => index + 1,
            Direction::Down => index + self.stride,
            Direction::Left => index - 1,
        }
    }

    /// Returns the four neighbours of a cell, in the order of [`Direction::ALL`].
    pub(super) fn neighbours(&self, index: usize) -> [usize; 4] {
        Direction::ALL.map(|direction| self.step(index, direction))
    }

    /// Returns the direction from a cell to its neighbour.
    pub(super) fn direction(&self, from: usize, to: usize) -> Direction {
        let leads = |direction: &Direction| self.step(from, *direction) == to;
        Direction::ALL.into_iter().find(leads).expect("a path goes from neighbour to neighbour")
    }

    /// Frees or occupies a cell and moves the head there; the greedy filling tries steps this way.
    pub(super) fn set(&mut self, index: usize, free: bool, head: usize) {
        self.free[index] = free;
        self.head = head;
    }
}
