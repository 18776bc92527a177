//! Three and four players: a position of theirs, what it is worth, and the search.

pub mod judge;
mod search;

pub use search::Searcher;

use super::plane::{Plane, Spot};
use crate::games::tron::{Direction, MOST_SEATS};
use judge::View;

/// A position, seat by seat from the one that searches on, in the order of play.
#[derive(Clone, Copy, Debug)]
pub struct Melee<P> {
    /// The cells that nobody in the game is or was on.
    pub free: P,
    /// The cells of each cycle.
    pub ribbons: [P; MOST_SEATS],
    /// Where each cycle is.
    pub heads: [Spot; MOST_SEATS],
    /// Who is in the game, as a mask.
    pub alive: u8,
}

impl<P: Plane> Melee<P> {
    #[inline]
    fn is_alive(&self, seat: usize) -> bool {
        self.alive >> seat & 1 != 0
    }

    #[inline]
    fn ways(&self, seat: usize) -> impl Iterator<Item = (Direction, Spot)> + '_ {
        let to = move |way| (way, self.heads[seat].towards(way));
        Direction::ALL.into_iter().map(to).filter(|(_, spot)| self.free.has(*spot))
    }

    #[inline]
    fn after(&self, seat: usize, to: Spot) -> Melee<P> {
        let mut next = *self;
        next.free.remove(to);
        next.ribbons[seat].insert(to);
        next.heads[seat] = to;
        next
    }

    /// The position once this seat is out: its ribbon is gone.
    fn without(&self, seat: usize) -> Melee<P> {
        let free = self.free.or(self.ribbons[seat]);
        Melee { free, alive: self.alive & !(1 << seat), ..*self }
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
}
