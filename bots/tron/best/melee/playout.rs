//! Games played to their end by a simple hand: who goes out first, who inherits the room that falls
//! free then, and who has none to go to. That tells far earlier who wins than the zones do, which know of
//! no walls that vanish; NOTES.md has by how much.

use super::Melee;
use crate::bots::tron::best::plane::{Plane, Spot};
use crate::bots::tron::best::wide::Wide;
use crate::games::tron::MOST_SEATS;
use crate::rng::Rng;

/// In a playout, so many moves at least are chosen by zones, of those who can be met; all others by what
/// is around.
const FEWEST_LOOKS: u32 = 60;
/// There are more where fewer of the cells are taken than this share of them, 250 of the usual 600:
/// until then it is open whose room is how large.
const SETTLED: (u32, u32) = (5, 12);
/// What a cell of a zone counts for in such a choice, to which a random number below [`DOUBT`] is added:
/// nobody is as simple as the hand, and a single line of play would say little.
const CELL: u32 = 16;
/// See [`CELL`].
const DOUBT: u32 = 250;
/// One in so many of the choices by what is around is taken whatever is there.
const WHIM: u64 = 13;

/// The bits of a ring that are sides, not corners.
const SIDES: u8 = 0b0101_0101;

/// A game of many that is going on.
#[derive(Clone, Copy, Debug)]
pub struct Course<P> {
    /// The position.
    pub melee: Melee<P>,
    /// Whose turn it is.
    pub seat: usize,
    /// How many turns were taken.
    pub ply: u32,
    /// By seat: the turn in which it went out, counted from 1; 0 while it is in the game.
    pub out: [u32; MOST_SEATS],
}

impl<P: Plane> Course<P> {
    /// A course that begins here, with the turn of seat 0.
    pub fn new(melee: &Melee<P>) -> Course<P> {
        Course { melee: *melee, seat: 0, ply: 0, out: [0; MOST_SEATS] }
    }

    /// Is at most one left?
    #[inline]
    pub fn is_over(&self) -> bool {
        self.melee.alive.count_ones() <= 1
    }

    /// The ways of who is to move: bit `2 d` for the direction with the number `d`.
    #[inline]
    pub fn ways(&self) -> u8 {
        ring(&self.melee.free, self.melee.heads[self.seat]) & SIDES
    }

    /// Who is to move goes there.
    #[inline]
    pub fn go(&mut self, to: Spot) {
        self.melee.go(self.seat, to);
        self.ply += 1;
        self.pass();
    }

    /// Who is to move has nowhere to go, and is out.
    pub fn leave(&mut self) {
        self.ply += 1;
        self.out[self.seat] = self.ply;
        self.melee = self.melee.without(self.seat);
        self.pass();
    }

    #[inline]
    fn pass(&mut self) {
        self.seat = (self.seat + 1) % MOST_SEATS;
        while !self.melee.is_alive(self.seat) && self.melee.alive != 0 {
            self.seat = (self.seat + 1) % MOST_SEATS;
        }
    }
}

/// Goes through the directions of a mask as [`Course::ways`] has it, by number.
#[inline]
pub fn directions(mut ways: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (ways != 0).then(|| ways.trailing_zeros())?;
        ways &= ways - 1;
        Some(bit as usize / 2)
    })
}

/// What is free around a cell: a bit for each of its eight neighbours, clockwise from above.
#[inline]
fn ring<P: Plane>(free: &P, Spot(at): Spot) -> u8 {
    let around = [at - 64, at - 63, at + 1, at + 65, at + 64, at + 63, at - 1, at - 65];
    around.into_iter().rev().fold(0, |ring, spot| ring << 1 | u8::from(free.has(Spot(spot))))
}

/// Do the free sides of a cell hang together only elsewhere, if at all?
#[inline]
fn is_split(ring: u8) -> bool {
    // A corner that is free joins the sides beside it.
    let joints = ring & ring.rotate_right(1) & ring.rotate_right(2) & SIDES;
    (ring & SIDES).count_ones() > joints.count_ones() + 1
}

/// How many cells are reached from here before any of the others is there, who move first.
#[inline(always)]
pub fn share<P: Plane>(mut free: P, others: P, from: Spot) -> u32 {
    let (mut theirs, mut mine, mut zone) = (others, P::one(from), P::NONE);
    while !mine.is_empty() {
        theirs = theirs.spread().and(free);
        free = free.without(theirs);
        mine = mine.spread().and(free);
        free = free.without(mine);
        zone = zone.or(mine);
    }
    zone.count()
}

/// The hand: it enlarges its zone where it can be met, and else keeps close to what is there.
pub struct Hand {
    /// Where its doubts and whims come from.
    pub rng: Rng,
    /// How many zones it has looked at.
    pub looks: u64,
}

impl Hand {
    /// A hand whose doubts and whims follow from this seed.
    pub fn new(seed: u64) -> Hand {
        Hand { rng: Rng::new(seed), looks: 0 }
    }

    /// Plays on until at most one is left.
    pub fn finish<P: Wide>(&mut self, course: &mut Course<P>) {
        let (mut alone, mut looks) = (0, looks(&course.melee));
        while !course.is_over() {
            let seat = course.seat;
            let ways = course.ways();
            if ways == 0 {
                // Where its walls were, others may come in.
                alone = 0;
                course.leave();
                continue;
            }
            let choice = ways & (ways - 1) != 0;
            if choice && looks > 0 && alone >> seat & 1 == 0 && !can_be_met(&course.melee, seat) {
                alone |= 1 << seat;
            }
            let by_zones = choice && looks > 0 && alone >> seat & 1 == 0;
            looks -= u32::from(by_zones);
            let to = match by_zones {
                true => self.widest(&course.melee, seat, ways),
                false => self.closest(&course.melee, seat, ways),
            };
            course.go(to);
        }
    }

    /// The way with the largest zone, or nearly so.
    fn widest<P: Wide>(&mut self, melee: &Melee<P>, seat: usize, ways: u8) -> Spot {
        let rivals = (0..MOST_SEATS).filter(|&other| other != seat && melee.is_alive(other));
        let mut others = P::NONE;
        rivals.for_each(|other| others.insert(melee.heads[other]));
        let beside = melee.heads[seat].beside();
        let mut doubts = self.rng.next_u64();
        let mut worth = |&to: &Spot| {
            let mut free = melee.free;
            free.remove(to);
            let doubt = (doubts as u16 as u32 * DOUBT) >> 16;
            (doubts, self.looks) = (doubts >> 16, self.looks + 1);
            CELL * P::share(&free, &others, to) + doubt
        };
        let best = directions(ways).map(|way| beside[way]).max_by_key(|to| worth(to));
        best.expect("there is a way")
    }

    /// The way into the largest part of the room that has the least free around it, and leaves that in
    /// one piece.
    fn closest<P: Wide>(&mut self, melee: &Melee<P>, seat: usize, ways: u8) -> Spot {
        let (free, head) = (&melee.free, melee.heads[seat]);
        let beside = head.beside();
        let kept = match is_split(ring(free, head)) {
            true => largest(free, &beside, ways),
            false => ways,
        };
        let mut whims = self.rng.next_u64();
        let mut cost = |&to: &Spot| {
            let ring = ring(free, to);
            let sides = (ring & SIDES).count_ones() as i32;
            let dead_end = if sides == 0 { 400 } else { 0 };
            let whim = if (whims & 255) * WHIM < 256 { 40 } else { 0 };
            let chance = (whims >> 8 & 3) as i32;
            whims >>= 10;
            16 * sides + 24 * i32::from(is_split(ring)) + dead_end + chance - whim
        };
        let best = directions(kept).map(|way| beside[way]).min_by_key(|to| cost(to));
        best.expect("there is a way")
    }
}

/// How many moves of a playout from here are chosen by zones.
fn looks<P: Plane>(melee: &Melee<P>) -> u32 {
    let taken = melee.taken();
    let settled = (melee.free.count() + taken) * SETTLED.0 / SETTLED.1;
    settled.saturating_sub(taken).max(FEWEST_LOOKS)
}

/// Can another come to where this seat can come?
fn can_be_met<P: Wide>(melee: &Melee<P>, seat: usize) -> bool {
    let around = P::reach_from(&melee.free, melee.heads[seat]).spread();
    let mut others = (0..MOST_SEATS).filter(|&other| other != seat && melee.is_alive(other));
    others.any(|other| around.has(melee.heads[other]))
}

/// Those of the ways that lead into the largest part.
fn largest<P: Wide>(free: &P, beside: &[Spot; 4], ways: u8) -> u8 {
    let (mut left, mut best) = (ways, (0, 0));
    while let Some(way) = directions(left).next() {
        let part = P::reach_from(free, beside[way]);
        let there = directions(left).filter(|&way| part.has(beside[way]));
        let there = there.fold(0, |ways, way| ways | 1 << (2 * way));
        left &= !there;
        best = best.max((part.count(), there));
    }
    best.1
}

#[cfg(test)]
mod tests;
