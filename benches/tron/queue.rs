//! Comparison of bitboard floods with a queue of cells, the fastest version found.

use arbitre::bots::tron::best::bitboards::{Bitboard, Cell, SmallGrid};
use arbitre::bots::tron::best::position::TwoPlayerPosition;

/// Index difference from a row to the next. A border all around saves bounds checks.
const STRIDE: usize = 32;
/// Number of cells of the grid with its border.
const CELLS: usize = STRIDE * 22;
/// Array size, a power of two so that masked indices need no bounds check.
const ROOM: usize = 1024;

/// A position for the queue: 1 for each free cell, and both heads.
pub struct Board {
    free: [u8; CELLS],
    heads: [u16; 2],
}

impl Board {
    /// Converts a position.
    pub fn of(position: &TwoPlayerPosition<SmallGrid>) -> Board {
        let mut board = Board { free: [0; CELLS], heads: position.heads.map(number) };
        for x in 0..30 {
            for y in 0..20 {
                let cell = Cell::new(x, y);
                board.free[usize::from(number(cell))] = u8::from(position.free.has(cell));
            }
        }
        board
    }
}

/// Converts an index with 64 cells per row, border included, to one with [`STRIDE`].
fn number(cell: Cell) -> u16 {
    let (row, column) = (cell.0 / 64, cell.0 % 64);
    row * STRIDE as u16 + column
}

/// Result of a flood.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// Number of cells that each player reaches first.
    pub counts: [u32; 2],
    /// Number of steps, including the last one, which reaches no cell.
    pub steps: u32,
}

/// Memory of a flood, allocated once.
pub struct Queue {
    free: [u8; ROOM],
    cells: [u16; ROOM],
    tail: usize,
}

impl Queue {
    /// Creates an empty queue.
    pub fn new() -> Queue {
        Queue { free: [0; ROOM], cells: [0; ROOM], tail: 0 }
    }

    /// Floods from both heads with one queue, in which the players' stretches alternate. Only the
    /// grid is copied anew, as the queue is never read beyond its filled part.
    #[inline]
    pub fn flood<const BRANCHES: bool>(&mut self, board: &Board) -> Found {
        self.free[..CELLS].copy_from_slice(&board.free);
        self.cells[..2].copy_from_slice(&board.heads);
        self.tail = 2;
        let mut found = Found { counts: [0; 2], steps: 0 };
        let (mut from, mut between) = (0, 1);
        loop {
            let begun = self.tail;
            self.spread::<BRANCHES>(from, between);
            let half = self.tail;
            self.spread::<BRANCHES>(between, begun);
            found.steps += 1;
            found.counts[0] += (half - begun) as u32;
            found.counts[1] += (self.tail - half) as u32;
            if self.tail == begun {
                return found;
            }
            (from, between) = (begun, half);
        }
    }

    /// Appends the free neighbours of a stretch of the queue.
    ///
    /// Without branches each neighbour is written behind the end of the queue, which advances only
    /// if the cell was free. Whether a cell is free is close to random, so a branch is often
    /// mispredicted.
    #[inline]
    fn spread<const BRANCHES: bool>(&mut self, from: usize, to: usize) {
        let mut tail = self.tail;
        for at in from..to {
            let cell = usize::from(self.cells[at % ROOM]);
            for next in [cell - STRIDE, cell - 1, cell + 1, cell + STRIDE] {
                let free = &mut self.free[next % ROOM];
                if !BRANCHES {
                    self.cells[tail % ROOM] = next as u16;
                    tail += usize::from(*free);
                    *free = 0;
                } else if *free != 0 {
                    self.cells[tail % ROOM] = next as u16;
                    tail += 1;
                    *free = 0;
                }
            }
        }
        self.tail = tail;
    }
}
