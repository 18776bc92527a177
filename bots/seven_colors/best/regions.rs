//! Who reaches what first.

use super::bitboard_position::{within, BitboardNode, BoardContext};
use arbitre_games::bitboard::{Bitboard, Loaded};

/// How far a step goes on within a region: most regions are no longer.
const WITHIN: usize = 2;

/// The free regions beside a front, but for what of them is further away than [`WITHIN`].
#[inline(always)]
fn step<P: Bitboard>(front: P, free: P, across: P, down: P) -> P {
    let mut reached = front.spread().and(free);
    for _ in 0..WITHIN {
        reached = reached.or(within(reached, across, down).and(free));
    }
    reached
}

/// How many free cells each of the two reaches before the other, a region further each in turn, whatever
/// its colour: the player to move first. Every free cell can be reached by somebody, so that what is left
/// when one gets no further is the other's.
#[inline(always)]
pub fn zones<P: Loaded>(
    context: &BoardContext<P::Stored>,
    node: &BitboardNode<P::Stored>,
) -> [u32; 2] {
    let mut fronts = [P::load(&node.own[0]), P::load(&node.own[1])];
    let mut free = P::load(&context.board).without(fronts[0]).without(fronts[1]);
    let (across, down) = (P::load(&context.across), P::load(&context.down));
    let (all, mut zones) = (free.count(), [P::NONE; 2]);
    loop {
        for seat in 0..2 {
            fronts[seat] = step(fronts[seat], free, across, down);
            if fronts[seat].is_empty() {
                let own = zones[seat].count();
                return if seat == 0 { [own, all - own] } else { [all - own, own] };
            }
            free = free.without(fronts[seat]);
            zones[seat] = zones[seat].or(fronts[seat]);
        }
    }
}
