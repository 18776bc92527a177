//! What is the same for all boards of a size: where the blank can go from each cell.

use arbitre_games::games::taquin::{Board, Direction, Size};

/// In place of a direction where there was no move yet.
pub const NOWHERE: usize = Direction::ALL.len();

/// A slide of the blank.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// The cell to which it goes.
    pub to: u8,
    /// The direction, by its index.
    pub way: u8,
}

/// The slides from a cell, in the order of [`Direction::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps {
    list: [Step; Direction::ALL.len()],
    count: u8,
}

impl Steps {
    /// They.
    #[inline]
    pub fn list(&self) -> &[Step] {
        &self.list[..usize::from(self.count & 7).min(Direction::ALL.len())]
    }
}

/// The slides from each cell, by the direction that led there: none takes it back. `CAP` is a power of
/// two and at least the number of cells, so that a masked index needs no check.
#[derive(Clone, Debug)]
pub struct Grid<const CAP: usize> {
    steps: [[Steps; 8]; CAP],
}

impl<const CAP: usize> Grid<CAP> {
    /// The grid of boards of this size.
    ///
    /// # Panics
    /// If `CAP` is too small or no power of two.
    pub fn new((rows, columns): Size) -> Grid<CAP> {
        assert!(CAP.is_power_of_two() && rows * columns <= CAP);
        let mut steps = [[Steps::default(); 8]; CAP];
        for (cell, by_way) in steps.iter_mut().enumerate().take(rows * columns) {
            let mut tiles: Vec<u8> = (0..(rows * columns) as u8).collect();
            tiles.swap(cell, rows * columns - 1);
            let board = Board::new(rows, columns, tiles);
            for (came, steps) in by_way.iter_mut().enumerate() {
                let back = Direction::ALL.get(came).map(|way| way.opposite());
                for way in board.ways().filter(|&way| Some(way) != back) {
                    let to = board.target(way).expect("a way leads somewhere") as u8;
                    steps.list[usize::from(steps.count)] = Step { to, way: way.index() as u8 };
                    steps.count += 1;
                }
            }
        }
        Grid { steps }
    }

    /// The slides from a cell, reached in a direction (by its index) or [`NOWHERE`].
    #[inline]
    pub fn steps(&self, cell: usize, came: usize) -> &Steps {
        &self.steps[cell & (CAP - 1)][came & 7]
    }
}
