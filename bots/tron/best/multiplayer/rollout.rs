//! Rollouts: games played to their end by a simple policy, with eliminations, vanishing trails and
//! the room they leave. They predict the winner far earlier than Voronoi regions, which ignore
//! vanishing walls (bots/tron/diary.md).

use super::neighbours::{directions, is_split, sides_of, SIDES};
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::rng::Rng;

/// Smallest number of moves per rollout that players in contact choose by their regions. With 200
/// in place of 60, rollouts predicted the winner better early and worse late (2026-11-22,
/// bots/tron/diary.md).
const FEWEST_LOOKS: u32 = 60;
/// Share of occupied cells below which more moves are chosen by regions: 250 of the default 600
/// cells. It is part of a change that raised first places from 60 to 90 of 200 (2026-11-22,
/// bots/tron/diary.md).
const SETTLED: (u32, u32) = (5, 12);
/// Weight of a cell in a choice by regions, against [`CHOICE_NOISE`]. Not tuned.
const CELL: u32 = 16;
/// Upper bound of the random number added to a choice by regions, as a single line of play predicts
/// little. Half and double values gained nothing (2026-11-22, bots/tron/diary.md).
const CHOICE_NOISE: u32 = 250;
/// Cost of each free side of the entered cell in a choice by neighbours. Not tuned.
const SIDE: i16 = 16;
/// Cost of a cell whose free sides are not connected around it. Not tuned.
const SPLIT: i16 = 24;
/// Cost of a cell without a free side. Not tuned.
const DEAD_END: i16 = 400;
/// Average number of candidate moves for each one with a random bonus, in a choice by neighbours.
/// Not tuned; without the bonus V260-400 was 0.005 ± 0.028 lower (2026-11-23, bots/tron/diary.md).
const RANDOM_CHOICE: u64 = 13;

/// Cost of entering a cell, by its ring of free neighbours.
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

/// A game of several players in progress.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<P> {
    /// Current position.
    pub position: MultiplayerPosition<P>,
    /// Seat to move.
    pub seat: usize,
    /// Number of turns taken.
    pub ply: u32,
    /// Turn in which each seat was eliminated, from 1; 0 while it is in the game.
    pub out: [u32; MOST_SEATS],
}

impl<P: Bitboard> Rollout<P> {
    /// Starts a rollout at a position with seat 0 to move.
    pub fn new(position: &MultiplayerPosition<P>) -> Rollout<P> {
        Rollout { position: *position, seat: 0, ply: 0, out: [0; MOST_SEATS] }
    }

    /// Returns `true` if at most one player is left.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.position.alive & self.position.alive.wrapping_sub(1) == 0
    }

    /// Returns the free cells around the mover, see [`Bitboard::neighbour_mask`].
    #[inline]
    fn neighbour_mask(&self) -> u8 {
        self.position.free.neighbour_mask(self.position.heads[self.seat])
    }

    /// Returns the mover's moves: bit `2 d` for the direction with number `d`.
    #[inline]
    pub fn ways(&self) -> u8 {
        self.neighbour_mask() & SIDES
    }

    /// Moves the mover to a cell.
    #[inline]
    pub fn go(&mut self, to: Cell) {
        self.position.go(self.seat, to);
        self.ply += 1;
        self.pass();
    }

    /// Eliminates the mover, which has no move.
    pub fn leave(&mut self) {
        self.ply += 1;
        self.out[self.seat] = self.ply;
        self.position = self.position.without(self.seat);
        self.pass();
    }

    #[inline]
    fn pass(&mut self) {
        // The mask of players twice in a row, shifted to begin with the next seat.
        let later = (u32::from(self.position.alive) * ((1 << MOST_SEATS) + 1)) >> (self.seat + 1);
        self.seat = (self.seat + 1 + later.trailing_zeros() as usize) % MOST_SEATS;
    }
}

/// Rollout policy: enlarges the region of a player in contact, and otherwise stays close to
/// occupied cells.
pub struct RolloutPolicy {
    /// Source of the random choices.
    pub rng: Rng,
    /// Number of regions evaluated.
    pub looks: u64,
}

impl RolloutPolicy {
    /// Creates a policy with a seed for its random choices.
    pub fn new(seed: u64) -> RolloutPolicy {
        RolloutPolicy { rng: Rng::new(seed), looks: 0 }
    }

    /// Plays until at most one player is left.
    pub fn finish<P: SimdBitboard>(&mut self, rollout: &mut Rollout<P>) {
        let (mut alone, mut looks) = (0, looks(&rollout.position));
        while !rollout.is_over() {
            let (seat, ring) = (rollout.seat, rollout.neighbour_mask());
            let ways = ring & SIDES;
            if ways == 0 {
                // Its vanished walls may open rooms, so contact is tested again.
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
                false => {
                    rollout.position.heads[seat].neighbours()[ways.trailing_zeros() as usize / 2]
                }
                true if by_region => self.widest(&rollout.position, seat, ways),
                true => self.closest(&rollout.position, seat, ring),
            };
            rollout.go(to);
        }
    }

    /// Returns the move with the largest region, up to random noise.
    fn widest<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        seat: usize,
        ways: u8,
    ) -> Cell {
        let others = position.rivals(seat);
        let beside = position.heads[seat].neighbours();
        let mut noise_bits = self.rng.next_u64();
        let mut score = |&to: &Cell| {
            let noise = (noise_bits as u16 as u32 * CHOICE_NOISE) >> 16;
            (noise_bits, self.looks) = (noise_bits >> 16, self.looks + 1);
            CELL * position.share(&others, to) + noise
        };
        let best = directions(ways).map(|direction| beside[direction]).max_by_key(|to| score(to));
        best.expect("the mover has a move")
    }

    /// Returns the move of the lowest cost, up to random noise, into the largest part of the room.
    /// `ring` is that of the head.
    fn closest<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        seat: usize,
        ring: u8,
    ) -> Cell {
        let (free, ways) = (&position.free, ring & SIDES);
        let beside = position.heads[seat].neighbours();
        let kept = match is_split(ring) {
            true => largest(free, &beside, ways),
            false => ways,
        };
        let mut noise_bits = self.rng.next_u64();
        let mut cost = |&to: &Cell| {
            let bonus = if (noise_bits & 255) * RANDOM_CHOICE < 256 { 40 } else { 0 };
            let chance = (noise_bits >> 8 & 3) as i32;
            noise_bits >>= 10;
            i32::from(COSTS[usize::from(free.neighbour_mask(to))]) + chance - bonus
        };
        let best = directions(kept).map(|direction| beside[direction]).min_by_key(|to| cost(to));
        best.expect("the mover has a move")
    }
}

/// Returns the number of moves of a rollout that are chosen by regions.
fn looks<P: Bitboard>(position: &MultiplayerPosition<P>) -> u32 {
    let taken = position.taken();
    let settled = (position.free.count() + taken) * SETTLED.0 / SETTLED.1;
    settled.saturating_sub(taken).max(FEWEST_LOOKS)
}

/// Returns the moves that lead into the largest part of the room.
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
