//! Games played to their end by a simple hand: who goes out first, who inherits the room that falls
//! free then, and who has none to go to. That tells far earlier who wins than the zones do, which know of
//! no walls that vanish; NOTES.md has by how much.

use super::neighbours::{directions, is_split, sides_of, SIDES};
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::rng::Rng;

/// In a playout, so many moves at least are chosen by zones, of those who can be met; all others by what
/// is around.
const FEWEST_LOOKS: u32 = 60;
/// There are more where fewer of the cells are taken than this share of them, 250 of the usual 600:
/// until then it is open whose room is how large.
const SETTLED: (u32, u32) = (5, 12);
/// What a cell of a zone counts for in such a choice, to which a random number below [`CHOICE_NOISE`] is added:
/// nobody is as simple as the hand, and a single line of play would say little.
const CELL: u32 = 16;
/// See [`CELL`].
const CHOICE_NOISE: u32 = 250;
/// What a free cell beside a cell counts for in a choice by what is around it.
const SIDE: i16 = 16;
/// What it counts for that its free sides hang together only elsewhere.
const SPLIT: i16 = 24;
/// What it counts for that nobody gets on from there.
const DEAD_END: i16 = 400;
/// One in so many of the choices by what is around is taken whatever is there.
const RANDOM_CHOICE: u64 = 13;

/// What it costs to go where this is around, by ring.
static COSTS: [i16; 256] = {
    let (mut costs, mut ring) = ([0; 256], 0);
    while ring < costs.len() {
        let sides = (ring as u8 & SIDES).count_ones() as i16;
        let split = if is_split(ring as u8) { SPLIT } else { 0 };
        costs[ring] = SIDE * sides + split + if sides == 0 { DEAD_END } else { 0 };
        ring += 1;
    }
    costs
};

/// A game of many that is going on.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<P> {
    /// The position.
    pub position: MultiplayerPosition<P>,
    /// Whose turn it is.
    pub seat: usize,
    /// How many turns were taken.
    pub ply: u32,
    /// By seat: the turn in which it went out, counted from 1; 0 while it is in the game.
    pub out: [u32; MOST_SEATS],
}

impl<P: Bitboard> Rollout<P> {
    /// A course that begins here, with the turn of seat 0.
    pub fn new(position: &MultiplayerPosition<P>) -> Rollout<P> {
        Rollout { position: *position, seat: 0, ply: 0, out: [0; MOST_SEATS] }
    }

    /// Is at most one left?
    #[inline]
    pub fn is_over(&self) -> bool {
        self.position.alive & self.position.alive.wrapping_sub(1) == 0
    }

    /// What is free around who is to move, see [`Bitboard::ring`].
    #[inline]
    fn ring(&self) -> u8 {
        self.position.free.ring(self.position.heads[self.seat])
    }

    /// The ways of who is to move: bit `2 d` for the direction with the number `d`.
    #[inline]
    pub fn ways(&self) -> u8 {
        self.ring() & SIDES
    }

    /// Who is to move goes there.
    #[inline]
    pub fn go(&mut self, to: Cell) {
        self.position.go(self.seat, to);
        self.ply += 1;
        self.pass();
    }

    /// Who is to move has nowhere to go, and is out.
    pub fn leave(&mut self) {
        self.ply += 1;
        self.out[self.seat] = self.ply;
        self.position = self.position.without(self.seat);
        self.pass();
    }

    #[inline]
    fn pass(&mut self) {
        // Who is in the game, twice in a row, from the next seat on.
        let later = (u32::from(self.position.alive) * ((1 << MOST_SEATS) + 1)) >> (self.seat + 1);
        self.seat = (self.seat + 1 + later.trailing_zeros() as usize) % MOST_SEATS;
    }
}

/// The hand: it enlarges its zone where it can be met, and else keeps close to what is there.
pub struct RolloutPolicy {
    /// Where its doubts and whims come from.
    pub rng: Rng,
    /// How many zones it has looked at.
    pub looks: u64,
}

impl RolloutPolicy {
    /// A hand whose doubts and whims follow from this seed.
    pub fn new(seed: u64) -> RolloutPolicy {
        RolloutPolicy { rng: Rng::new(seed), looks: 0 }
    }

    /// Plays on until at most one is left.
    pub fn finish<P: SimdBitboard>(&mut self, rollout: &mut Rollout<P>) {
        let (mut alone, mut looks) = (0, looks(&rollout.position));
        while !rollout.is_over() {
            let (seat, ring) = (rollout.seat, rollout.ring());
            let ways = ring & SIDES;
            if ways == 0 {
                // Where its walls were, others may come in.
                alone = 0;
                rollout.leave();
                continue;
            }
            let choice = ways & (ways - 1) != 0;
            if choice && looks > 0 && alone >> seat & 1 == 0 && !rollout.position.can_be_met(seat) {
                alone |= 1 << seat;
            }
            let by_region = choice && looks > 0 && alone >> seat & 1 == 0;
            looks -= u32::from(by_region);
            let to = match choice {
                false => rollout.position.heads[seat].beside()[ways.trailing_zeros() as usize / 2],
                true if by_region => self.widest(&rollout.position, seat, ways),
                true => self.closest(&rollout.position, seat, ring),
            };
            rollout.go(to);
        }
    }

    /// The way with the largest zone, or nearly so.
    fn widest<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        seat: usize,
        ways: u8,
    ) -> Cell {
        let others = position.rivals(seat);
        let beside = position.heads[seat].beside();
        let mut noise_bits = self.rng.next_u64();
        let mut score = |&to: &Cell| {
            let noise = (noise_bits as u16 as u32 * CHOICE_NOISE) >> 16;
            (noise_bits, self.looks) = (noise_bits >> 16, self.looks + 1);
            CELL * position.share(&others, to) + noise
        };
        let best = directions(ways).map(|direction| beside[direction]).max_by_key(|to| score(to));
        best.expect("there is a way")
    }

    /// The way into the largest part of the room that has the least free around it, and leaves that in
    /// one piece. The ring is that of the head.
    fn closest<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        seat: usize,
        ring: u8,
    ) -> Cell {
        let (free, ways) = (&position.free, ring & SIDES);
        let beside = position.heads[seat].beside();
        let kept = match is_split(ring) {
            true => largest(free, &beside, ways),
            false => ways,
        };
        let mut noise_bits = self.rng.next_u64();
        let mut cost = |&to: &Cell| {
            let bonus = if (noise_bits & 255) * RANDOM_CHOICE < 256 { 40 } else { 0 };
            let chance = (noise_bits >> 8 & 3) as i32;
            noise_bits >>= 10;
            i32::from(COSTS[usize::from(free.ring(to))]) + chance - bonus
        };
        let best = directions(kept).map(|direction| beside[direction]).min_by_key(|to| cost(to));
        best.expect("there is a way")
    }
}

/// How many moves of a playout from here are chosen by zones.
fn looks<P: Bitboard>(position: &MultiplayerPosition<P>) -> u32 {
    let taken = position.taken();
    let settled = (position.free.count() + taken) * SETTLED.0 / SETTLED.1;
    settled.saturating_sub(taken).max(FEWEST_LOOKS)
}

/// Those of the ways that lead into the largest part.
fn largest<P: SimdBitboard>(free: &P, beside: &[Cell; 4], ways: u8) -> u8 {
    let (mut left, mut best) = (ways, (0, 0));
    while let Some(direction) = directions(left).next() {
        let part = P::reach_from(free, beside[direction]);
        let there = sides_of(directions(left).filter(|&direction| part.has(beside[direction])));
        left &= !there;
        best = best.max((part.count(), there));
    }
    best.1
}

#[cfg(test)]
mod tests;
