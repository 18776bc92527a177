//! How players go: what is likely before anything was tried. The weights are those under which 17,278
//! choices of `breadth` among ways that others can come to are the likeliest; NOTES.md has how well they
//! foretell them.

use super::ring::{directions, is_split, SIDES};
use super::Melee;
use crate::bots::tron::best::wide::Wide;

/// What each cell of the zone that it leaves counts for a way. This and the following are logarithms of odds.
const CELL: f32 = 0.043;
/// What each side of the next cell counts for where one cannot go on.
const WALL: f32 = 0.55;
/// What it counts for that the next cell parts the room.
const SPLIT: f32 = -2.12;
/// What it counts for to go straight ahead.
const AHEAD: f32 = 0.92;
/// This share of the likelihood all ways have alike: nobody is known so well.
const EVEN: f32 = 0.1;

/// How likely a seat takes each of these ways, in the order of [`directions`]; all together 1. What is beyond
/// them means nothing.
pub fn likelihoods<P: Wide>(melee: &Melee<P>, seat: usize, ways: u8) -> [f32; 4] {
    let (others, beside) = (melee.rivals(seat), melee.heads[seat].beside());
    let mut odds = [f32::NEG_INFINITY; 4];
    for (odds, way) in odds.iter_mut().zip(directions(ways)) {
        let (to, behind) = (beside[way], beside[(way + 2) % 4]);
        let ring = melee.free.ring(to);
        let walls = 4 - (ring & SIDES).count_ones();
        *odds = CELL * melee.share(&others, to) as f32 + WALL * walls as f32;
        *odds += if is_split(ring) { SPLIT } else { 0.0 };
        *odds += if melee.ribbons[seat].has(behind) { AHEAD } else { 0.0 };
    }
    let best = odds.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let weights = odds.map(|odds| (odds - best).exp());
    let (sum, count) = (weights.iter().sum::<f32>(), ways.count_ones() as f32);
    weights.map(|weight| (1.0 - EVEN) * weight / sum + EVEN / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::tron::best::plane::{Plane, Small};
    use crate::bots::tron::best::slow::melee;

    /// Seat 0 comes from the left. Above are five cells, of which seat 1 is sooner at two; ahead the room is
    /// parted.
    fn crossing() -> Melee<Small> {
        melee(&["#1.#.##", "##...##", "###.###", "#aa0..#", "###..##"])
    }

    #[test]
    fn ways_are_as_likely_as_their_features_say() {
        // Up: three cells, three walls. Ahead: three cells, two walls, and what parting and going straight
        // count for. Down: three cells, three walls.
        let [up, ahead, down] =
            [0.129 + 1.65, 0.129 + 1.1 - 2.12 + 0.92, 0.129 + 1.65f32].map(f32::exp);
        let melee = crossing();
        let ways = melee.free.ring(melee.heads[0]) & SIDES;
        assert_eq!(directions(ways).collect::<Vec<_>>(), [0, 1, 2]);
        let found = likelihoods(&melee, 0, ways);
        for (found, odds) in found.into_iter().zip([up, ahead, down]) {
            let expected = 0.9 * odds / (up + ahead + down) + 0.1 / 3.0;
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
}
