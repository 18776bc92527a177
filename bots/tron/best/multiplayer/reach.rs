//! The cells that a player reaches before the others do.

use crate::tron::best::bitboards::{Bitboard, Cell, Loaded};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::seats::turns;

/// Returns the number of cells that a player at `from` reaches before the others, who move first.
#[inline(always)]
pub fn share<P: Loaded>(free: &P::Stored, others: &P::Stored, from: Cell) -> u32 {
    let (mut free, mut theirs) = (P::load(free), P::load(others));
    let (mut mine, mut region) = (P::one(from), P::NONE);
    while !mine.is_empty() {
        theirs = theirs.dilate().and(free);
        free = free.and_not(theirs);
        mine = mine.dilate().and(free);
        free = free.and_not(mine);
        region = region.or(mine);
    }
    region.count()
}

/// Returns `true` if free cells lead from a cell to one of the others, which stand outside them.
#[inline(always)]
pub fn meets<P: Loaded>(free: &P::Stored, others: &P::Stored, from: Cell) -> bool {
    let (mut free, others) = (P::load(free), P::load(others));
    let mut front = P::one(from);
    while !front.is_empty() {
        let around = front.dilate();
        if !around.and(others).is_empty() {
            return true;
        }
        front = around.and(free);
        free = free.and_not(front);
    }
    false
}

/// Returns the rivals in a mask nearest to a seat by free cells. It returns `count` of them, more
/// where several are equally near, or all that the seat can reach. Of rivals at equal distance, the
/// next in turn comes first.
pub fn nearest<P: Bitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    rivals: u8,
    count: usize,
) -> Vec<(usize, u32)> {
    let mut left: Vec<usize> =
        turns(seat).skip(1).filter(|&seat| rivals >> seat & 1 != 0).collect();
    let (mut free, mut front) = (position.free, P::one(position.heads[seat]));
    let (mut nearest, mut steps) = (Vec::with_capacity(left.len()), 0);
    while !front.is_empty() && nearest.len() < count {
        let reached = front.dilate();
        steps += 1;
        let met = left.iter().filter(|&&rival| reached.has(position.heads[rival]));
        nearest.extend(met.map(|&rival| (rival, steps)));
        left.retain(|&rival| !reached.has(position.heads[rival]));
        front = reached.and(free);
        free = free.and_not(front);
    }
    nearest
}
