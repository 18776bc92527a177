//! Implementations of a move that the region graph is compared with.

use arbitre::bitboard::Bitboard;
use arbitre::games::seven_colors::{CellSet, CellState, Colour, Position, MOST_COLOURS};

/// Number of columns of the array, with its frame.
const STRIDE: usize = 32;
const CELLS: usize = STRIDE * STRIDE;
/// Byte of a cell of the mover.
const OWN: u8 = 100;
/// Byte of a cell of the other player.
const OTHER: u8 = 101;
/// Byte of the frame around the board.
const FRAME: u8 = 102;

/// Board as an array of bytes in a frame, as in the report's programs.
#[derive(Clone)]
pub struct Bytes([u8; CELLS]);

/// Returns the four neighbours of a cell.
fn around(index: usize) -> [usize; 4] {
    [index - STRIDE, index - 1, index + 1, index + STRIDE]
}

impl Bytes {
    pub fn new(position: &Position) -> Bytes {
        let board = position.board();
        let mut cells = [FRAME; CELLS];
        for (index, cell) in board.cells().iter().enumerate() {
            let (row, column) = (index / board.width(), index % board.width());
            cells[(row + 1) * STRIDE + column + 1] = match cell {
                CellState::Free(colour) => colour.index() as u8,
                CellState::Taken(seat) if *seat == position.mover() => OWN,
                CellState::Taken(_) => OTHER,
            };
        }
        Bytes(cells)
    }

    fn inside() -> std::ops::Range<usize> {
        STRIDE + 1..CELLS - STRIDE - 1
    }

    fn touches_own(&self, index: usize) -> bool {
        around(index).into_iter().any(|next| self.0[next] == OWN)
    }

    /// Scans the board until a scan changes nothing.
    pub fn scan(&mut self, colour: Colour) -> u32 {
        let (colour, mut gained) = (colour.index() as u8, 0);
        loop {
            let before = gained;
            for index in Bytes::inside() {
                if self.0[index] == colour && self.touches_own(index) {
                    self.0[index] = OWN;
                    gained += 1;
                }
            }
            if gained == before {
                return gained;
            }
        }
    }

    /// Scans once and recurses from each taken cell to its neighbours.
    pub fn propagate(&mut self, colour: Colour) -> u32 {
        let (colour, mut gained) = (colour.index() as u8, 0);
        for index in Bytes::inside() {
            if self.0[index] == colour && self.touches_own(index) {
                gained += self.spread(index, colour);
            }
        }
        gained
    }

    fn spread(&mut self, index: usize, colour: u8) -> u32 {
        self.0[index] = OWN;
        let mut gained = 1;
        for next in around(index) {
            if self.0[next] == colour {
                gained += self.spread(next, colour);
            }
        }
        gained
    }

    /// Takes the cells beside the mover's cells, then their neighbours from a queue.
    pub fn flood(&mut self, colour: Colour) -> u32 {
        let (colour, mut queue, mut end) = (colour.index() as u8, [0u16; CELLS], 0);
        let mut take = |cells: &mut [u8; CELLS], queue: &mut [u16; CELLS], from: usize| {
            for next in around(from) {
                if cells[next] == colour {
                    cells[next] = OWN;
                    queue[end] = next as u16;
                    end += 1;
                }
            }
            end
        };
        let mut found = 0;
        // Cells taken ahead of the scan are visited here too; the queue then finds nothing new at
        // them.
        for index in Bytes::inside() {
            if self.0[index] == OWN {
                found = take(&mut self.0, &mut queue, index);
            }
        }
        let mut at = 0;
        while at < found {
            let from = queue[at].into();
            found = take(&mut self.0, &mut queue, from);
            at += 1;
        }
        found as u32
    }
}

/// Cells of each colour in the position.
pub struct Masks([CellSet; MOST_COLOURS]);

impl Masks {
    pub fn new(position: &Position) -> Masks {
        let board = position.board();
        let of = |number| board.cells_where(|c| c == CellState::Free(Colour::new(number)));
        Masks(std::array::from_fn(of))
    }
}

/// Board as two sets of cells.
#[derive(Clone)]
pub struct Bits {
    own: CellSet,
    other: CellSet,
}

impl Bits {
    pub fn new(position: &Position) -> Bits {
        let of = |seat| position.board().cells_where(|cell| cell == CellState::Taken(seat));
        Bits { own: of(position.mover()), other: of(position.mover().other()) }
    }

    /// Takes the cells beside the own ones until none is left.
    pub fn play(&mut self, masks: &Masks, colour: Colour) -> u32 {
        let before = self.own.count();
        let mut open = masks.0[colour.index()].and_not(self.other).and_not(self.own);
        loop {
            let won = self.own.dilate().and(open);
            if won.is_empty() {
                return self.own.count() - before;
            }
            self.own = self.own.or(won);
            open = open.and_not(won);
        }
    }
}
