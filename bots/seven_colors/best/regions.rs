//! Voronoi evaluation: the free cells that each player reaches first.

use super::bitboard_position::{within, BitboardNode, BoardContext, MOVER};
use arbitre_games::bitboard::{Bitboard, Loaded};

/// Number of cells that a step follows a region beyond the first one. Three cells a step in all
/// scored 50.3 % of 500 games against whole regions (1 ms, 2026-11-21). Two cells scored 45.6 %.
const WITHIN: usize = 2;

/// Returns the free cells of the regions beside `front`, at most [`WITHIN`] cells beyond the first.
#[inline(always)]
fn step<P: Bitboard>(front: P, free: P, across: P, down: P) -> P {
    let mut reached = front.dilate().and(free);
    for _ in 0..WITHIN {
        reached = reached.or(within(reached, across, down).and(free));
    }
    reached
}

/// Returns the number of free cells that each player reaches first, the player to move at index 0.
///
/// The players advance in turn, at most three cells into each adjacent region, whatever its colour.
/// The player to move begins.
///
/// Each free cell is in reach of some player, so all cells left when one is stuck belong to the
/// other.
#[inline(always)]
pub fn zones<P: Loaded>(
    context: &BoardContext<P::Stored>,
    node: &BitboardNode<P::Stored>,
) -> [u32; 2] {
    let mut fronts = [P::load(&node.own[0]), P::load(&node.own[1])];
    let mut free = P::load(&context.board).and_not(fronts[0]).and_not(fronts[1]);
    let (across, down) = (P::load(&context.across), P::load(&context.down));
    let (all, mut zones) = (free.count(), [P::NONE; 2]);
    loop {
        for side in 0..2 {
            fronts[side] = step(fronts[side], free, across, down);
            if fronts[side].is_empty() {
                let own = zones[side].count();
                return if side == MOVER { [own, all - own] } else { [all - own, own] };
            }
            free = free.and_not(fronts[side]);
            zones[side] = zones[side].or(fronts[side]);
        }
    }
}
