//! A preprocessed problem, shared by all its games.

use super::{Board, Piece, Problem};

/// A problem with its start board and its pieces.
#[derive(Clone, Debug)]
pub struct Terrain {
    problem: Problem,
    start: Board,
    pieces: Vec<Piece>,
    positions: usize,
}

impl Terrain {
    /// Preprocesses a problem.
    pub fn new(problem: Problem) -> Terrain {
        let pieces: Vec<Piece> =
            problem.units.iter().map(|unit| Piece::new(unit, &problem)).collect();
        let positions = pieces.iter().map(Piece::positions).max().unwrap_or(0);
        Terrain { start: Board::new(&problem), problem, pieces, positions }
    }

    /// Returns the problem.
    #[inline]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the board at the start of a game.
    #[inline]
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Returns the pieces of the units.
    #[inline]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns a bound of the position indices of all pieces, which are below it.
    #[inline]
    pub fn positions(&self) -> usize {
        self.positions
    }
}

/// Returns the points for locking a unit of `size` cells that removes `lines` rows. The unit before
/// it removed `before` rows.
///
/// ```
/// use arbitre_games::games::hextris::points;
/// assert_eq!(points(4, 0, 0), 4);
/// assert_eq!(points(4, 2, 3), 304 + 304 * 2 / 10);
/// ```
#[inline]
pub fn points(size: u32, lines: u32, before: u32) -> u32 {
    let points = size + 100 * (1 + lines) * lines / 2;
    points + before.saturating_sub(1) * points / 10
}
