//! Who reaches what first.

use super::bitboards::{Bitboard, Cell};

/// The free cells that each of two reaches before the other, a step each in turn, the first of them
/// first: its *zone*. Where they start is in neither.
#[inline(always)]
pub fn regions<P: Bitboard>(free: P, from: [Cell; 2]) -> [P; 2] {
    let (mut left, mut first) = (free, P::NONE);
    // Not by `map`, which would not be compiled for vector registers.
    let mut fronts = [P::one(from[0]), P::one(from[1])];
    while !fronts[0].or(fronts[1]).is_empty() {
        for front in &mut fronts {
            *front = front.spread().and(left);
            left = left.without(*front);
        }
        first = first.or(fronts[0]);
    }
    [first, free.without(left).without(first)]
}

#[cfg(test)]
mod tests {
    use super::super::bitboards::{LargeGrid, SmallGrid};
    use super::super::reference::{bitboards, steps};
    use super::super::simd::SimdBitboard;
    use super::*;
    use arbitre_games::rng::Rng;

    /// The slow twin: distances by a queue of cells, and a tie for who is first to move.
    fn by_distance(free: &[bool], width: usize, from: [usize; 2]) -> [Vec<bool>; 2] {
        let distances = from.map(|start| steps(free, width, &[start]));
        let [one, two] = &distances;
        let first = |cell: usize| one[cell] != usize::MAX && one[cell] <= two[cell];
        let second = |cell: usize| two[cell] < one[cell];
        [(0..free.len()).map(first).collect(), (0..free.len()).map(second).collect()]
    }

    fn agree<P: SimdBitboard + PartialEq + std::fmt::Debug>(seed: u64) {
        let mut rng = Rng::new(seed);
        let (width, height) = (1 + rng.below(P::LARGEST.0), 2 + rng.below(P::LARGEST.1 - 1));
        let density = 4 + rng.below(7);
        let mut free: Vec<bool> = (0..width * height).map(|_| rng.below(10) < density).collect();
        let from = [rng.below(free.len()), rng.below(free.len())];
        from.into_iter().for_each(|start| free[start] = false);
        let cells = from.map(|start| Cell::new(start % width, start / width));
        let expected = by_distance(&free, width, from).map(|region| bitboards::<P>(&region, width));
        let free: P = bitboards(&free, width);
        assert_eq!(regions(free, cells), expected, "seed {seed}");
        assert_eq!(P::regions(free, cells), expected, "seed {seed}");
    }

    #[test]
    fn zones_are_told_by_distances() {
        for seed in 0..2000 {
            agree::<SmallGrid>(seed);
        }
        for seed in 0..300 {
            agree::<LargeGrid>(seed);
        }
    }
}
