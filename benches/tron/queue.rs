//! The rival of floods by rows of bits: a queue of cells, tuned as well as it will go.

use arbitre::bots::tron::best::bitboards::{Bitboard, Cell, SmallGrid};
use arbitre::bots::tron::best::position::TwoPlayerPosition;

/// From a row to the next. There is a border all around, so nothing looks where a row ends.
const STRIDE: usize = 32;
/// The cells of the grid and its border.
const CELLS: usize = STRIDE * 22;
/// A power of two, so that masked indices need no check.
const ROOM: usize = 1024;

/// A position as such a bot would keep it: by cell, 1 if it is free, and where the two are.
pub struct Board {
    free: [u8; CELLS],
    heads: [u16; 2],
}

impl Board {
    /// The same position.
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

/// A spot counts 64 cells to a row, with the border.
fn number(cell: Cell) -> u16 {
    let (row, column) = (cell.0 / 64, cell.0 % 64);
    row * STRIDE as u16 + column
}

/// What a flood found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// The cells that each reaches first.
    pub counts: [u32; 2],
    /// The steps until nobody reached anything.
    pub steps: u32,
}

/// What a flood needs, allocated once.
pub struct Queue {
    free: [u8; ROOM],
    cells: [u16; ROOM],
    tail: usize,
}

impl Queue {
    /// An empty one.
    pub fn new() -> Queue {
        Queue { free: [0; ROOM], cells: [0; ROOM], tail: 0 }
    }

    /// Both fronts in one queue, a stretch for each in turn. Only the grid is written anew: the queue
    /// is never read further than it was filled.
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

    /// Takes the free neighbours of a stretch of the queue.
    ///
    /// Without branches each is written behind the queue's end, which moves on only if the cell was
    /// free: whether it was is as good as random, and a guess is wrong too often.
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
