//! Where a cycle is alone: the free cells around its head.

use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Point, Position, LONGEST_SIDE};

/// A head, and the free cells that it can reach.
///
/// Cells are kept in a flat array with a border that is never free, so that no step asks whether the
/// grid ends there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeRegion {
    stride: usize,
    free: Vec<bool>,
    head: usize,
}

impl FreeRegion {
    /// The region of a head on a grid of so many columns and rows, where `is_free` tells the cells
    /// that can be entered. What it says of the head's own cell does not matter.
    ///
    /// # Panics
    /// If the grid is empty or has more than [`LONGEST_SIDE`] columns or rows, or the head is not on it.
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

    /// What the head cannot reach is as good as a wall.
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

    /// The region of a seat, with everything free that is free now; nothing if it is out.
    pub fn of(position: &Position, seat: Seat) -> Option<FreeRegion> {
        let is_free = |point| position.cell(point) == CellContent::Free;
        Some(FreeRegion::new(position.width(), position.height(), position.head(seat)?, is_free))
    }

    /// Moves the head, and the cell that it leaves stays occupied. Returns whether it could.
    pub fn advance(&mut self, direction: Direction) -> bool {
        let to = self.step(self.head, direction);
        let entered = self.free[to];
        if entered {
            self.head = to;
            self.keep_what_is_reached();
        }
        entered
    }

    /// The cells of a path from the head, without it; it ends before a cell that is not free.
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

    /// The directions of a path from the head.
    pub(super) fn path_of(&self, cells: &[usize]) -> Vec<Direction> {
        let before = [self.head].into_iter().chain(cells.iter().copied());
        before.zip(cells).map(|(from, &to)| self.direction(from, to)).collect()
    }

    /// The directions in which the next cell is free.
    pub fn ways(&self) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL.into_iter().filter(|&direction| self.free[self.step(self.head, direction)])
    }

    /// The index of the head.
    pub(super) fn head(&self) -> usize {
        self.head
    }

    /// By index: is this cell free? The border is not.
    pub(super) fn free(&self) -> &[bool] {
        &self.free
    }

    /// From a cell to the one below.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Column and row of a cell, the border counted.
    pub(super) fn place(&self, index: usize) -> (usize, usize) {
        (index % self.stride, index / self.stride)
    }

    /// The colour of a cell as on a checkerboard.
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

    /// The four neighbours of a cell, in the order of [`Direction::ALL`].
    pub(super) fn neighbours(&self, index: usize) -> [usize; 4] {
        Direction::ALL.map(|direction| self.step(index, direction))
    }

    /// The direction from a cell to its neighbour.
    pub(super) fn direction(&self, from: usize, to: usize) -> Direction {
        let leads = |direction: &Direction| self.step(from, *direction) == to;
        Direction::ALL.into_iter().find(leads).expect("a path goes from neighbour to neighbour")
    }

    /// Frees or occupies a cell and puts the head there: how a filling tries a step.
    pub(super) fn set(&mut self, index: usize, free: bool, head: usize) {
        self.free[index] = free;
        self.head = head;
    }
}
