//! Moves of the blank from each cell, the same for all boards of a size.

use arbitre_games::games::taquin::{Board, Direction, Size};

/// Number of directions.
pub const DIRECTIONS: usize = Direction::ALL.len();
/// Cells of the largest boards that are packed into words or estimated by pattern databases.
pub const MOST_CELLS: usize = 25;
/// A power of two that is no less, so that a masked index needs no check.
pub const CAP: usize = 32;

/// In place of a direction where there was no move yet.
pub const NO_DIRECTION: usize = DIRECTIONS;

/// A slide of the blank.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankMove {
    /// The cell to which it goes.
    pub to: u8,
    /// The direction, by its index.
    pub direction: u8,
}

/// The slides from a cell, in the order of [`Direction::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankMoves {
    list: [BlankMove; DIRECTIONS],
    count: u8,
}

impl BlankMoves {
    /// They.
    #[inline]
    pub fn list(&self) -> &[BlankMove] {
        &self.list[..usize::from(self.count & 7).min(DIRECTIONS)]
    }
}

/// Returns the cell to which the blank goes from each cell in each direction.
pub fn blank_targets((rows, columns): Size) -> Vec<[Option<usize>; DIRECTIONS]> {
    let cells = rows * columns;
    let targets = |cell: usize| {
        let mut tiles: Vec<u8> = (0..cells as u8).collect();
        tiles.swap(cell, cells - 1);
        let board = Board::new(rows, columns, tiles);
        Direction::ALL.map(|direction| board.target(direction))
    };
    (0..cells).map(targets).collect()
}

/// The slides from each cell, by the direction that led there: none takes it back. `CAP` is a power
/// of two and at least the number of cells, so that a masked index needs no check.
#[derive(Clone, Debug)]
pub struct BoardGrid<const CAP: usize> {
    moves: [[BlankMoves; 8]; CAP],
}

impl<const CAP: usize> BoardGrid<CAP> {
    /// The grid of boards of this size.
    ///
    /// # Panics
    /// If `CAP` is too small or no power of two.
    pub fn new((rows, columns): Size) -> BoardGrid<CAP> {
        assert!(CAP.is_power_of_two() && rows * columns <= CAP);
        let mut moves = [[BlankMoves::default(); 8]; CAP];
        for (by_direction, targets) in moves.iter_mut().zip(blank_targets((rows, columns))) {
            for (came, moves) in by_direction.iter_mut().enumerate() {
                let back = Direction::ALL.get(came).map(|direction| direction.opposite());
                for (direction, to) in Direction::ALL.into_iter().zip(targets) {
                    let Some(to) = to.filter(|_| Some(direction) != back) else { continue };
                    let index = direction.index() as u8;
                    moves.list[usize::from(moves.count)] =
                        BlankMove { to: to as u8, direction: index };
                    moves.count += 1;
                }
            }
        }
        BoardGrid { moves }
    }

    /// The slides from a cell, reached in a direction (by its index) or [`NO_DIRECTION`].
    #[inline]
    pub fn moves(&self, cell: usize, came: usize) -> &BlankMoves {
        &self.moves[cell & (CAP - 1)][came & 7]
    }
}
