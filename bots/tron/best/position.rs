//! Positions as seen by the searches: of two players, and of all seats.

use super::bitboards::{Bitboard, Cell, Loaded, Step};
use crate::tron::seats::seats;
use arbitre_games::game::Seat;
use arbitre_games::games::tron::{CellContent, Direction, Position, MOST_SEATS};

/// A position of two cycles, the mover first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TwoPlayerPosition<P> {
    /// Free cells.
    pub free: P,
    /// Heads of the mover and of the other player.
    pub heads: [Cell; 2],
}

impl<P: Bitboard> TwoPlayerPosition<P> {
    /// Returns the position of two players as a search for the mover sees it.
    pub fn new(position: &Position) -> Self {
        let all = MultiplayerPosition::<P>::new(position, position.mover());
        all.against(1)
    }

    /// Returns the mover's moves, each with the cell it enters.
    #[inline]
    pub fn ways(&self) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        ways(&self.free, self.heads[0])
    }

    /// Returns `true` if no cell is equally near to both players after `plies` plies. Their heads
    /// are then on cells of different colours of a chessboard.
    ///
    /// Otherwise the mover is first at all equally near cells, and loses many of them by any move.
    /// Voronoi regions then predict less, and are not comparable with those a ply later.
    pub fn races_after(&self, plies: u32) -> bool {
        let apart = self.heads[0].colour() ^ self.heads[1].colour();
        (apart as u32 + plies) % 2 == 1
    }

    /// Returns the position after the mover enters a cell.
    #[inline]
    pub fn after(&self, to: Cell) -> TwoPlayerPosition<P> {
        let mut free = self.free;
        free.remove(to);
        TwoPlayerPosition { free, heads: [self.heads[1], to] }
    }

    /// Returns the position with its bitboard in another form.
    #[inline(always)]
    pub fn load<L: Loaded<Stored = P>>(&self) -> TwoPlayerPosition<L> {
        TwoPlayerPosition { free: L::load(&self.free), heads: self.heads }
    }
}

/// Occupied cells at which a grid counts as filled, as a divisor of its cells: 60 of the default
/// 600. MCTS from 60 in place of 100 cells gained 0.056 ± 0.028 together with move priors
/// (V260-400, 2026-11-23, bots/tron/diary.md).
const FILLED: u32 = 10;

/// A position with the seats in the order of play, the searching seat first.
#[derive(Clone, Copy, Debug)]
pub struct MultiplayerPosition<P> {
    /// Cells free of walls and of the trails of players in the game.
    pub free: P,
    /// Trail of each cycle.
    pub trails: [P; MOST_SEATS],
    /// Head of each cycle.
    pub heads: [Cell; MOST_SEATS],
    /// Mask of the players in the game.
    pub alive: u8,
}

impl<P: Bitboard> MultiplayerPosition<P> {
    /// Creates a position without cells and players.
    pub fn empty() -> Self {
        MultiplayerPosition {
            free: P::NONE,
            trails: [P::NONE; MOST_SEATS],
            heads: [Cell::default(); MOST_SEATS],
            alive: 0,
        }
    }

    /// Returns the position as the search of this seat sees it.
    pub fn new(position: &Position, seat: Seat) -> Self {
        let mut all = Self::empty();
        let seats = position.seats();
        let turn = |other: Seat| (other.index() + seats - seat.index()) % seats;
        let width = position.width();
        for (at, content) in position.cells().enumerate() {
            let cell = Cell::new(at % width, at / width);
            match content {
                CellContent::Free => all.free.insert(cell),
                CellContent::Wall => {}
                CellContent::Trail(other) => all.trails[turn(other)].insert(cell),
            }
        }
        for other in position.alive().iter() {
            let point = position.head(other).expect("a player in the game has a head");
            all.heads[turn(other)] = Cell::new(point.x.into(), point.y.into());
            all.alive |= 1 << turn(other);
        }
        all
    }

    /// Whether a seat is in the game.
    #[inline]
    pub fn is_alive(&self, seat: usize) -> bool {
        self.alive >> seat & 1 != 0
    }

    /// Returns the position of seat 0, to move, and one other player.
    pub fn against(&self, other: usize) -> TwoPlayerPosition<P> {
        TwoPlayerPosition { free: self.free, heads: [self.heads[0], self.heads[other]] }
    }

    /// Returns the moves of a seat, each with the cell it enters.
    #[inline]
    pub fn ways(&self, seat: usize) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        ways(&self.free, self.heads[seat])
    }

    /// Returns the position after a seat moves to a cell.
    #[inline]
    pub fn after(&self, seat: usize, to: Cell) -> MultiplayerPosition<P> {
        let mut next = *self;
        next.go(seat, to);
        next
    }

    /// Moves a seat to a cell.
    #[inline]
    pub fn go(&mut self, seat: usize, to: Cell) {
        self.free.remove(to);
        self.trails[seat].insert(to);
        self.heads[seat] = to;
    }

    /// Returns the position once this seat is eliminated and its trail is free.
    pub fn without(&self, seat: usize) -> MultiplayerPosition<P> {
        let free = self.free.or(self.trails[seat]);
        MultiplayerPosition { free, alive: self.alive & !(1 << seat), ..*self }
    }

    /// Returns the heads of the other players in the game.
    #[inline]
    pub fn rivals(&self, seat: usize) -> P {
        let mut heads = P::NONE;
        seats(self.alive & !(1 << seat)).for_each(|other| heads.insert(self.heads[other]));
        heads
    }

    /// Returns `true` if enough cells are taken for rollouts to predict the winner better than
    /// Voronoi regions do.
    pub fn is_filled(&self) -> bool {
        let taken = self.taken();
        taken * FILLED >= self.free.count() + taken
    }

    /// Returns the number of cells in the trails of the players in the game.
    pub fn taken(&self) -> u32 {
        seats(self.alive).map(|seat| self.trails[seat].count()).sum()
    }
}

/// Returns the directions from a cell to a free one, each with that one.
#[inline]
fn ways<P: Bitboard>(free: &P, from: Cell) -> impl Iterator<Item = (Direction, Cell)> + '_ {
    let to = move |direction| (direction, from.towards(direction));
    Direction::ALL.into_iter().map(to).filter(|(_, cell)| free.has(*cell))
}
