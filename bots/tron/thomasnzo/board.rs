//! The one board of a search: cells in a row with a border, and moves that can be taken back.

use crate::tron::seats::turns;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Point, Position, MOST_SEATS};

/// Room for the largest grid with its border. It is a power of two, so that the compiler sees that an
/// index with [`wrap`] is never out of bounds.
pub const CELLS: usize = 4096;

/// What is on a cell, as a byte below 64, so that what was met can be a mask. The lowest 32 are left
/// to the flood, for who has reached a cell and by which first move.
pub const FREE: u8 = 63;
/// The byte of a wall, and of the border.
pub const WALL: u8 = 40;
/// The byte of the trail of seat 0; those of the other seats follow.
pub const TRAIL: u8 = 32;

/// The index, which is below [`CELLS`] already.
#[inline(always)]
pub const fn wrap(index: usize) -> usize {
    index & (CELLS - 1)
}

/// Who is where, and whose turn it is: all that changes in a search but the cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// By seat, the index of its head.
    pub heads: [u16; MOST_SEATS],
    /// The seats in the game, bit `s` for seat `s`.
    pub alive: u8,
    /// Whose turn it is.
    pub mover: u8,
}

/// The changes of a move, to take it back.
pub struct BoardUndo {
    standing: Standing,
    cell: u16,
    byte: u8,
}

/// How a game ends for me.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardEnd {
    /// I am out.
    Lost,
    /// All others are.
    Won,
}

/// A position with a seat that is "me". As in the game, the cells of a trail keep their byte when
/// its cycle goes out, and count as free from then on.
#[derive(Clone)]
pub struct Board {
    cells: [u8; CELLS],
    /// The index after the last, the border's included.
    end: usize,
    /// Step to the next cell in each direction, to be added with wrap-around.
    pub steps: [usize; 4],
    /// The heads, the players in the game and the turn.
    pub standing: Standing,
    /// The seat that searches.
    pub me: usize,
    /// Mask of the players that move in the tree; all others stand still.
    pub players: u8,
}

impl Board {
    /// A board without cells.
    pub fn empty() -> Board {
        let standing = Standing::default();
        Board { cells: [WALL; CELLS], end: 0, steps: [0; 4], standing, me: 0, players: 0 }
    }

    /// Makes this the board of a position in which it is the turn of `me`. All who are in the game
    /// play.
    pub fn load(&mut self, position: &Position, me: Seat) {
        let stride = position.width() + 1;
        let index = |point: Point| (usize::from(point.y) + 1) * stride + usize::from(point.x);
        self.end = stride * (position.height() + 2);
        self.steps = [stride.wrapping_neg(), 1, stride, 1usize.wrapping_neg()];
        self.cells[..self.end].fill(WALL);
        for (i, cell) in position.cells().enumerate() {
            let (x, y) = (i % position.width(), i / position.width());
            self.cells[(y + 1) * stride + x] = match cell {
                CellContent::Free => FREE,
                CellContent::Wall => WALL,
                CellContent::Trail(seat) => TRAIL + seat.index() as u8,
            };
        }
        self.standing = Standing { mover: me.index() as u8, ..Standing::default() };
        for seat in 0..MOST_SEATS {
            if let Some(head) = position.head(Seat::new(seat)) {
                self.standing.heads[seat] = index(head) as u16;
                self.standing.alive |= 1 << seat;
            }
        }
        (self.me, self.players) = (me.index(), self.standing.alive);
    }

    /// The cells with the border, by index.
    pub fn cells(&self) -> &[u8] {
        &self.cells[..self.end]
    }

    /// Takes over the cells and standing of another position on the same grid.
    pub fn restore(&mut self, cells: &[u8], standing: Standing) {
        self.cells[..self.end].copy_from_slice(cells);
        self.standing = standing;
    }

    /// Returns all seats in the order of play, from the one to move on.
    pub fn turns(&self) -> impl Iterator<Item = usize> {
        turns(self.standing.mover.into())
    }

    /// Is this seat in the game?
    #[inline]
    pub fn is_alive(&self, seat: usize) -> bool {
        self.standing.alive >> seat & 1 != 0
    }

    /// The index of a seat's head.
    #[inline]
    pub fn head(&self, seat: usize) -> usize {
        self.standing.heads[seat].into()
    }

    /// The cell next to another.
    #[inline]
    pub fn step(&self, cell: usize, direction: Direction) -> usize {
        wrap(cell.wrapping_add(self.steps[direction.index()]))
    }

    /// Returns the byte of a cell; a trail whose cycle is out is free.
    #[inline]
    pub fn content(&self, cell: usize) -> u8 {
        match self.cells[wrap(cell)] {
            byte @ TRAIL..WALL if !self.is_alive((byte - TRAIL).into()) => FREE,
            byte => byte,
        }
    }

    /// The moves of a seat as a mask, bit [`Direction::index`].
    #[inline]
    pub fn ways(&self, seat: usize) -> u8 {
        let bit = |direction: Direction| {
            u8::from(self.content(self.step(self.head(seat), direction)) == FREE)
                << direction.index()
        };
        Direction::ALL.into_iter().map(bit).sum()
    }

    /// Plays a legal move of whose turn it is, and finds whose turn it is then.
    #[inline]
    pub fn play(&mut self, direction: Direction) -> BoardUndo {
        let mover = usize::from(self.standing.mover);
        let cell = self.step(self.head(mover), direction);
        let undo = BoardUndo { standing: self.standing, cell: cell as u16, byte: self.cells[cell] };
        self.cells[cell] = TRAIL + mover as u8;
        self.standing.heads[mover] = cell as u16;
        self.pass_turn();
        self.settle();
        undo
    }

    /// Takes a move back, the last that was not.
    #[inline]
    pub fn undo(&mut self, undo: BoardUndo) {
        self.cells[wrap(undo.cell.into())] = undo.byte;
        self.standing = undo.standing;
    }

    fn pass_turn(&mut self) {
        self.standing.mover = (self.standing.mover + 1) % MOST_SEATS as u8;
    }

    /// Gives the turn to the next player who can move. Who cannot is out, as by the rules.
    fn settle(&mut self) {
        while self.end().is_none() {
            let mover = usize::from(self.standing.mover);
            if (self.players & self.standing.alive) >> mover & 1 != 0 {
                if self.ways(mover) != 0 {
                    return;
                }
                self.standing.alive &= !(1 << mover);
            } else {
                self.pass_turn();
            }
        }
    }

    /// How the game has ended for me, if it has.
    #[inline]
    pub fn end(&self) -> Option<BoardEnd> {
        match self.standing.alive {
            alive if alive >> self.me & 1 == 0 => Some(BoardEnd::Lost),
            alive if alive == 1 << self.me => Some(BoardEnd::Won),
            _ => None,
        }
    }
}
