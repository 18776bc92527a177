//! Moves of the blank from each cell, shared by all boards of a size.

use arbitre_games::games::taquin::{Board, Direction, Size};

/// Number of directions.
pub const DIRECTIONS: usize = Direction::ALL.len();
/// Cells of the largest boards that are packed into words or estimated by pattern databases (5x5).
pub const MOST_CELLS: usize = 25;
/// Power of two of at least [`MOST_CELLS`], so that a masked index needs no bounds check.
pub const CAP: usize = 32;

/// Stands for the last direction before the first move.
pub const NO_DIRECTION: usize = DIRECTIONS;

/// A slide of the blank.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankMove {
    /// Cell to which the blank goes.
    pub to: u8,
    /// Index of the direction.
    pub direction: u8,
}

/// Slides from a cell, in the order of [`Direction::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankMoves {
    list: [BlankMove; DIRECTIONS],
    count: u8,
}

impl BlankMoves {
    /// Returns the slides.
    #[inline]
    pub fn list(&self) -> &[BlankMove] {
        // Bounded by the length of the list, so that the slice needs no bounds check.
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

/// Slides from each cell, by the direction in which the blank entered it; none goes straight back.
/// `CAP` is a power of two of at least the number of cells, so that a masked index needs no bounds
/// check.
#[derive(Clone, Debug)]
pub struct BoardGrid<const CAP: usize> {
    moves: [[BlankMoves; 8]; CAP],
}

impl<const CAP: usize> BoardGrid<CAP> {
    /// Creates the grid of boards of this size.
    ///
    /// # Panics
    /// Panics if `CAP` is too small or not a power of two.
    pub fn new((rows, columns): Size) -> BoardGrid<CAP> {
        assert!(CAP.is_power_of_two() && rows * columns <= CAP);
        // Five directions of arrival are used; eight allow the index to be masked.
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

    /// Returns the slides from `cell`, which the blank entered in direction `came` (an index or
    /// [`NO_DIRECTION`]).
    #[inline]
    pub fn moves(&self, cell: usize, came: usize) -> &BlankMoves {
        &self.moves[cell & (CAP - 1)][came & 7]
    }
}
