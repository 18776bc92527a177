//! Geometry of square boards as compile-time tables. At constant cells and directions their entries
//! are constants too.

use crate::taquin::grid::{DIRECTIONS, MOST_CELLS};
use arbitre_games::games::taquin::Direction;

/// Slides of the blank on a square board, by its cell and direction.
pub struct SquareGrid {
    /// Number of rows, and of columns.
    pub side: usize,
    /// Bits of the directions in which the blank stays on the board, by cell.
    directions: [u32; MOST_CELLS],
    /// Cell to which the blank goes; its own where it would leave the board.
    pub neighbours: [[usize; DIRECTIONS]; MOST_CELLS],
    /// Tiles (as bits) that the slide moves away from their places.
    pub farther_tiles: [[u32; DIRECTIONS]; MOST_CELLS],
}

impl SquareGrid {
    /// Computes the tables of a board with `side` rows.
    pub const fn new(side: usize) -> SquareGrid {
        let mut neighbours = [[0; DIRECTIONS]; MOST_CELLS];
        let mut farther_tiles = [[0; DIRECTIONS]; MOST_CELLS];
        let (mut directions, mut slide) = ([0; MOST_CELLS], 0);
        while slide < side * side * DIRECTIONS {
            let (cell, direction) = (slide / DIRECTIONS, slide % DIRECTIONS);
            let to = match Direction::ALL[direction] {
                Direction::Down if cell / side + 1 < side => cell + side,
                Direction::Right if cell % side + 1 < side => cell + 1,
                Direction::Left if !cell.is_multiple_of(side) => cell - 1,
                Direction::Up if cell >= side => cell - side,
                _ => cell,
            };
            directions[cell] |= ((to != cell) as u32) << direction;
            neighbours[cell][direction] = to;
            let mut tile = 0;
            while tile < side * side {
                let is_farther = distance(side, tile, cell) > distance(side, tile, to);
                farther_tiles[cell][direction] |= (is_farther as u32) << tile;
                tile += 1;
            }
            slide += 1;
        }
        SquareGrid { side, directions, neighbours, farther_tiles }
    }

    /// Returns the bits of the directions that lead on from cell `blank`, which the blank entered
    /// in direction `last`: on the board and not straight back.
    #[inline(always)]
    pub const fn directions(&self, blank: usize, last: usize) -> u32 {
        // Opposite directions have indices that add up to 3. `NO_DIRECTION` shifts the bit out, so
        // no direction is removed.
        self.directions[blank] & !(1 << (DIRECTIONS - 1) >> last)
    }
}

const fn distance(side: usize, a: usize, b: usize) -> usize {
    (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side)
}
