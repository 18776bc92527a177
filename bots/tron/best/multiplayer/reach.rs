//! The cells that a player reaches before the others do.

use crate::tron::best::bitboards::{Bitboard, Cell};

/// How many cells are reached from here before any of the others is there, who move first.
#[inline(always)]
pub fn share<P: Bitboard>(mut free: P, others: P, from: Cell) -> u32 {
    let (mut theirs, mut mine, mut region) = (others, P::one(from), P::NONE);
    while !mine.is_empty() {
        theirs = theirs.spread().and(free);
        free = free.without(theirs);
        mine = mine.spread().and(free);
        free = free.without(mine);
        region = region.or(mine);
    }
    region.count()
}

/// Does one of the others, who stand outside the set, come to where one comes from here over it?
#[inline(always)]
pub fn meets<P: Bitboard>(mut free: P, others: P, from: Cell) -> bool {
    let mut front = P::one(from);
    while !front.is_empty() {
        let around = front.spread();
        if !around.and(others).is_empty() {
            return true;
        }
        front = around.and(free);
        free = free.without(front);
    }
    false
}
