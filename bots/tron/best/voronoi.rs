//! Voronoi regions: the free cells that each of two players reaches first.

use super::bitboards::{Bitboard, Cell};
use arbitre_games::bitboard::out_of_line;

/// Returns the Voronoi regions of two players: the free cells that each reaches before the other,
/// one step each in turn, the first player first. The starting cells are in neither region.
#[inline(always)]
pub fn regions<P: Bitboard>(free: P, from: [Cell; 2]) -> [P; 2] {
    match P::IN_REGISTERS {
        true => regions_of(free, from),
        false => out_of_line(|(free, from)| regions_of(free, from), (free, from)),
    }
}

/// Implements [`regions`].
#[inline(always)]
fn regions_of<P: Bitboard>(free: P, from: [Cell; 2]) -> [P; 2] {
    let (mut left, mut first) = (free, P::NONE);
    // Not by `map`, which would not be compiled for vector registers.
    let mut fronts = [P::one(from[0]), P::one(from[1])];
    while !fronts[0].or(fronts[1]).is_empty() {
        for front in &mut fronts {
            *front = front.dilate().and(left);
            left = left.and_not(*front);
        }
        first = first.or(fronts[0]);
    }
    [first, free.and_not(left).and_not(first)]
}

#[cfg(test)]
mod tests {
    use super::super::bitboards::{LargeGrid, SmallGrid};
    use super::super::position::TwoPlayerPosition;
    use super::super::reference::{bitboard, owners, RandomGrid};
    use super::super::simd::SimdBitboard;
    use super::*;
    use arbitre_games::rng::Rng;

    fn agree<P: SimdBitboard + PartialEq + std::fmt::Debug>(seed: u64) {
        let grid = RandomGrid::new(&mut Rng::new(seed), (1, 4), P::LARGEST);
        let owners = owners(&grid.free, grid.width, &grid.heads[..2]);
        let expected: [P; 2] = [0, 1].map(|seat| {
            let owned: Vec<bool> = owners.iter().map(|&owner| owner == Some(seat)).collect();
            bitboard(&owned, grid.width)
        });
        let TwoPlayerPosition { free, heads } = grid.two_players::<P>();
        assert_eq!(regions(free, heads), expected, "seed {seed}");
        assert_eq!(P::regions(&free, heads), expected, "seed {seed}");
    }

    #[test]
    fn cell_belongs_to_the_nearest_player() {
        (0..2000).for_each(agree::<SmallGrid>);
        (0..300).for_each(agree::<LargeGrid>);
    }
}
