//! Three and four players: a position of theirs, what it is worth, and two searches. `search` is that of
//! the opening, which looks at zones; `tree` takes over once a tenth of the grid is taken, and plays games
//! to their end.

pub mod aim;
pub mod habit;
pub mod judge;
pub mod outlook;
pub mod playout;
pub mod ring;
mod search;
pub mod sweep;
pub mod tree;

pub use search::Searcher;

use super::plane::{Bitboard, Cell, Step};
use super::wide::Wide;
use arbitre_games::games::tron::{Direction, MOST_SEATS};
use judge::View;

/// A grid is filled from one cell in so many on: 60 of the usual 600.
const FILLED: u32 = 10;

/// A position, seat by seat from the one that searches on, in the order of play.
#[derive(Clone, Copy, Debug)]
pub struct Melee<P> {
    /// The cells that nobody in the game is or was on.
    pub free: P,
    /// The cells of each cycle.
    pub ribbons: [P; MOST_SEATS],
    /// Where each cycle is.
    pub heads: [Cell; MOST_SEATS],
    /// Who is in the game, as a mask.
    pub alive: u8,
}

impl<P: Bitboard> Melee<P> {
    #[inline]
    fn is_alive(&self, seat: usize) -> bool {
        self.alive >> seat & 1 != 0
    }

    #[inline]
    fn ways(&self, seat: usize) -> impl Iterator<Item = (Direction, Cell)> + '_ {
        let to = move |way| (way, self.heads[seat].towards(way));
        Direction::ALL.into_iter().map(to).filter(|(_, spot)| self.free.has(*spot))
    }

    #[inline]
    fn after(&self, seat: usize, to: Cell) -> Melee<P> {
        let mut next = *self;
        next.go(seat, to);
        next
    }

    #[inline]
    fn go(&mut self, seat: usize, to: Cell) {
        self.free.remove(to);
        self.ribbons[seat].insert(to);
        self.heads[seat] = to;
    }

    /// The position once this seat is out: its ribbon is gone.
    fn without(&self, seat: usize) -> Melee<P> {
        let free = self.free.or(self.ribbons[seat]);
        Melee { free, alive: self.alive & !(1 << seat), ..*self }
    }

    /// Where those are who are in the game besides this seat.
    #[inline]
    fn rivals(&self, seat: usize) -> P {
        let mut heads = P::NONE;
        let rivals = (0..MOST_SEATS).filter(|&other| other != seat && self.is_alive(other));
        rivals.for_each(|other| heads.insert(self.heads[other]));
        heads
    }

    #[inline]
    fn view(&self, mover: usize) -> View<P> {
        View { free: self.free, heads: self.heads, alive: self.alive, mover }
    }

    /// Those of the others that are to be reckoned with, as a mask: whose zones touch that of seat 0.
    fn near(&self) -> u8 {
        let zones = self.view(0).zones();
        let around = zones[0].spread();
        let touches = |seat: &usize| !around.and(zones[*seat]).is_empty();
        let near = (1..MOST_SEATS).filter(|&seat| self.is_alive(seat)).filter(touches);
        near.fold(0, |mask, seat| mask | 1 << seat)
    }

    /// Are so many of the cells taken by those in the game that playing on to the end tells more than
    /// the zones do?
    pub fn is_filled(&self) -> bool {
        let taken = self.taken();
        taken * FILLED >= self.free.count() + taken
    }

    /// How many cells the ribbons of those in the game have.
    fn taken(&self) -> u32 {
        let alive = (0..MOST_SEATS).filter(|&seat| self.is_alive(seat));
        alive.map(|seat| self.ribbons[seat].count()).sum()
    }
}

impl<P: Wide> Melee<P> {
    /// How many cells somebody who goes there reaches from it before any of these others is there, who
    /// move first.
    #[inline]
    fn share(&self, others: &P, to: Cell) -> u32 {
        let mut free = self.free;
        free.remove(to);
        P::share(&free, others, to)
    }

    /// Can another come to where this seat can come?
    fn can_be_met(&self, seat: usize) -> bool {
        P::meets(&self.free, &self.rivals(seat), self.heads[seat])
    }
}
