//! Board of a search: a flat array of cells with a border, and moves that can be undone.

use crate::tron::seats::turns;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Point, Position, MOST_SEATS};

/// Size of the cell array: enough for the largest grid with its border. A power of two lets the
/// compiler drop bounds checks after [`wrap`].
pub const CELLS: usize = 4096;

/// Byte of a free cell. Bytes are below 64, so that a set of them fits a 64-bit mask. The flood
/// uses the lowest 32 for the player and the first move that reach a cell.
pub const FREE: u8 = 63;
/// The byte of a wall, and of the border.
pub const WALL: u8 = 40;
/// The byte of the trail of seat 0; those of the other seats follow.
pub const TRAIL: u8 = 32;

/// Returns the index masked to be below [`CELLS`], where it is already.
#[inline(always)]
pub const fn wrap(index: usize) -> usize {
    index & (CELLS - 1)
}

/// State of a position besides its cells: heads, remaining players and turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// Index of each seat's head.
    pub heads: [u16; MOST_SEATS],
    /// Mask of the seats in the game, bit `s` for seat `s`.
    pub alive: u8,
    /// Seat to move.
    pub mover: u8,
}

/// Data to undo a move.
pub struct BoardUndo {
    standing: Standing,
    cell: u16,
    byte: u8,
}

/// End of the game for the root player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardEnd {
    /// The root player is eliminated.
    Lost,
    /// All other players are eliminated.
    Won,
}

/// A position with a root player, `me`. Trail cells keep their byte when their cycle is eliminated,
/// and count as free from then on.
#[derive(Clone)]
pub struct Board {
    cells: [u8; CELLS],
    /// Number of indices in use, the border's included.
    end: usize,
    /// Index difference to the neighbour in each direction, to be added with wrap-around.
    pub steps: [usize; 4],
    /// Heads, remaining players and turn.
    pub standing: Standing,
    /// Seat of the root player.
    pub me: usize,
    /// Mask of the players that move in the tree; the others stand still.
    pub players: u8,
}

impl Board {
    /// Creates a board without cells.
    pub fn empty() -> Board {
        let standing = Standing::default();
        Board { cells: [WALL; CELLS], end: 0, steps: [0; 4], standing, me: 0, players: 0 }
    }

    /// Loads a position in which it is the turn of `me`. All players in the game move in the tree.
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

    /// Returns the cells, the border included, by index.
    pub fn cells(&self) -> &[u8] {
        &self.cells[..self.end]
    }

    /// Restores the cells and standing of another position on the same grid.
    pub fn restore(&mut self, cells: &[u8], standing: Standing) {
        self.cells[..self.end].copy_from_slice(cells);
        self.standing = standing;
    }

    /// Returns all seats in the order of play, from the seat to move on.
    pub fn turns(&self) -> impl Iterator<Item = usize> {
        turns(self.standing.mover.into())
    }

    /// Returns `true` if this seat is in the game.
    #[inline]
    pub fn is_alive(&self, seat: usize) -> bool {
        self.standing.alive >> seat & 1 != 0
    }

    /// Returns the index of a seat's head.
    #[inline]
    pub fn head(&self, seat: usize) -> usize {
        self.standing.heads[seat].into()
    }

    /// Returns the index of the neighbour in this direction.
    #[inline]
    pub fn step(&self, cell: usize, direction: Direction) -> usize {
        wrap(cell.wrapping_add(self.steps[direction.index()]))
    }

    /// Returns the byte of a cell; the trail of an eliminated cycle is free.
    #[inline]
    pub fn content(&self, cell: usize) -> u8 {
        match self.cells[wrap(cell)] {
            byte @ TRAIL..WALL if !self.is_alive((byte - TRAIL).into()) => FREE,
            byte => byte,
        }
    }

    /// Returns the mask of a seat's moves, bit [`Direction::index`].
    #[inline]
    pub fn ways(&self, seat: usize) -> u8 {
        let bit = |direction: Direction| {
            u8::from(self.content(self.step(self.head(seat), direction)) == FREE)
                << direction.index()
        };
        Direction::ALL.into_iter().map(bit).sum()
    }

    /// Plays a legal move of the seat to move and passes the turn.
    #[inline]
    pub fn play(&mut self, direction: Direction) -> BoardUndo {
        let mover = usize::from(self.standing.mover);
        let cell = self.step(self.head(mover), direction);
        let undo = BoardUndo { standing: self.standing, cell: cell as u16, byte: self.cells[cell] };
        self.cells[cell] = TRAIL + mover as u8;
        self.standing.heads[mover] = cell as u16;
        // `settle` alone would let the mover move again.
        self.pass_turn();
        self.settle();
        undo
    }

    /// Undoes the last move.
    #[inline]
    pub fn undo(&mut self, undo: BoardUndo) {
        self.cells[wrap(undo.cell.into())] = undo.byte;
        self.standing = undo.standing;
    }

    fn pass_turn(&mut self) {
        self.standing.mover = (self.standing.mover + 1) % MOST_SEATS as u8;
    }

    /// Passes the turn on to a player that can move. Players of the tree without a move are
    /// eliminated, as by the rules.
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

    /// Returns the end of the game for the root player, if it is over.
    #[inline]
    pub fn end(&self) -> Option<BoardEnd> {
        match self.standing.alive {
            alive if alive >> self.me & 1 == 0 => Some(BoardEnd::Lost),
            alive if alive == 1 << self.me => Some(BoardEnd::Won),
            _ => None,
        }
    }
}
