//! How players go: what is likely before anything was tried. NOTES.md has what the weights were fitted to,
//! and how well they foretell it.

use super::lookahead::Lookahead;
use super::neighbours::{directions, is_split, SIDES};
use super::objective::Objective;
use super::opponent_search::OpponentSearch;
use crate::tron::best::bitboards::Cell;
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;

/// This share of the likelihood all ways have alike: nobody is known so well.
const EVEN: f32 = 0.1;
/// How often a sweep is wrong about somebody of whom nothing is known: about two in a hundred times
/// (`tron breadth`), which is taken to have been seen in ten moves.
const INITIAL_MISS_RATE: MissRate = MissRate { wrong: 0.2, moves: 10.0 };

/// What counts for a way, and how much: logarithms of odds.
struct PriorWeights {
    /// Each cell that it leaves.
    cell: f32,
    /// So many cells fewer than the best way leaves count, and no more.
    fewer: i32,
    /// Each side of the next cell where one cannot go on.
    wall: f32,
    /// That the next cell parts the room.
    split: f32,
    /// To go straight ahead.
    ahead: f32,
    /// That no way leaves more cells; of several such ways, to be the one with the most walls.
    first: f32,
}

/// Of who looks at his zone after a step.
const STEP: PriorWeights = PriorWeights {
    cell: 0.043,
    fewer: i32::MAX,
    wall: 0.55,
    split: -2.12,
    ahead: 0.92,
    first: 0.0,
};
/// Of who looks two rounds ahead, see [`Lookahead`].
const ROUNDS: PriorWeights =
    PriorWeights { cell: 0.225, fewer: 4, wall: 0.48, split: -0.97, ahead: 0.39, first: 1.70 };

/// How likely a seat that looks at its zone after a step takes each of these ways, in the order of
/// [`directions`]; all together 1. What is beyond them means nothing.
pub fn after_a_step<P: SimdBitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    ways: u8,
) -> [f32; 4] {
    let others = position.rivals(seat);
    likelihoods(position, seat, ways, &STEP, |to, _| position.share(&others, to) as i32)
}

/// The same of one that looks two rounds ahead, and how many positions were looked at.
pub fn after_two_rounds<P: SimdBitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    ways: u8,
) -> ([f32; 4], u64) {
    let mut lookahead = Lookahead::new(position, seat);
    let likely = likelihoods(position, seat, ways, &ROUNDS, |to, alpha| {
        lookahead.after(position, to, alpha)
    });
    (likely, lookahead.looks)
}

/// How often sweeps were wrong about a seat.
#[derive(Clone, Copy, Debug)]
pub struct MissRate {
    wrong: f32,
    moves: f32,
}

impl Default for MissRate {
    fn default() -> MissRate {
        INITIAL_MISS_RATE
    }
}

impl MissRate {
    /// Takes note of a move that was foretold.
    pub fn learn(&mut self, is_right: bool) {
        self.moves += 1.0;
        self.wrong += f32::from(!is_right);
    }

    /// Of so many of its moves nothing is known, as a share of 1.
    pub fn share(&self) -> f32 {
        self.wrong / self.moves
    }
}

/// The same of one that looks at all that can happen, as far as looking at so many cells leads.
pub fn after_opponent_search<P: SimdBitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    ways: u8,
    cells: f64,
    miss_rate: MissRate,
) -> ([f32; 4], u64) {
    let mut search = OpponentSearch::within(position, Objective::of(position, seat), cells);
    let choice = search.choose(position);
    let likely_otherwise = miss_rate.share() / ways.count_ones() as f32;
    let mut likely = [likely_otherwise; 4];
    let at = directions(ways).position(|direction| direction == choice);
    likely[at.expect("it takes one of the ways")] += 1.0 - miss_rate.share();
    (likely, search.looks)
}

/// The likelihoods where a way leaves so many `cells`; if not more than it is asked with, that may be a bound.
fn likelihoods<P: SimdBitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    ways: u8,
    weights: &PriorWeights,
    mut cells: impl FnMut(Cell, i32) -> i32,
) -> [f32; 4] {
    let beside = position.heads[seat].beside();
    let (mut odds, mut scores) = ([f32::NEG_INFINITY; 4], [(i32::MIN, 0); 4]);
    let mut best = (i32::MIN, 0);
    for (at, direction) in directions(ways).enumerate() {
        let (to, behind) = (beside[direction], beside[(direction + 2) % 4]);
        let ring = position.free.ring(to);
        let walls = 4 - (ring & SIDES).count_ones();
        scores[at] = (cells(to, best.0.saturating_sub(weights.fewer)), walls);
        best = best.max(scores[at]);
        odds[at] = weights.wall * walls as f32;
        odds[at] += if is_split(ring) { weights.split } else { 0.0 };
        odds[at] += if position.trails[seat].has(behind) { weights.ahead } else { 0.0 };
    }
    let first = scores.iter().position(|score| *score == best).expect("one is the most");
    odds[first] += weights.first;
    for (odds, (cells, _)) in odds.iter_mut().zip(scores).take(ways.count_ones() as usize) {
        *odds -= weights.cell * (best.0 - cells).min(weights.fewer) as f32;
    }
    shares(odds, ways.count_ones() as f32)
}

/// The likelihoods that so many ways have by these odds.
fn shares(odds: [f32; 4], count: f32) -> [f32; 4] {
    let best = odds.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let weights = odds.map(|odds| (odds - best).exp());
    let sum = weights.iter().sum::<f32>();
    weights.map(|weight| (1.0 - EVEN) * weight / sum + EVEN / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tron::best::bitboards::SmallGrid;
    use crate::tron::best::reference::drawn;

    /// Seat 0 comes from the left. Above are five cells, of which seat 1 is sooner at two; ahead the room is
    /// parted.
    fn crossing() -> MultiplayerPosition<SmallGrid> {
        drawn(&["#1.#.##", "##...##", "###.###", "#aa0..#", "###..##"])
    }

    #[test]
    fn ways_are_as_likely_as_what_is_seen_after_a_step_says() {
        // Up: three cells, three walls. Ahead: three cells, two walls, and what parting and going straight
        // count for. Down: three cells, three walls.
        let [up, ahead, down] =
            [0.129 + 1.65, 0.129 + 1.1 - 2.12 + 0.92, 0.129 + 1.65f32].map(f32::exp);
        let position = crossing();
        let ways = position.sides(0);
        assert_eq!(directions(ways).collect::<Vec<_>>(), [0, 1, 2]);
        let found = after_a_step(&position, 0, ways);
        for (found, odds) in found.into_iter().zip([up, ahead, down]) {
            let expected = 0.9 * odds / (up + ahead + down) + 0.1 / 3.0;
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }

    /// Seat 0 goes along the border. What it can count on is what the outlook says; the first of what leaves most
    /// is its choice.
    #[test]
    fn ways_are_as_likely_as_what_is_seen_after_two_rounds_says() {
        let position = drawn(&["#........", "#a0......", "#........", "........1"]);
        let (ways, beside) = (position.sides(0), position.heads[0].beside());
        let mut lookahead = Lookahead::new(&position, 0);
        let cells =
            [0, 1, 2].map(|direction| lookahead.after(&position, beside[direction], i32::MIN));
        let most = *cells.iter().max().unwrap();
        // Above are the border and its own ribbon, and what is free is parted; else its ribbon alone.
        let mut odds = [2.0 * 0.48 - 0.97, 0.48 + 0.39, 0.48];
        for (odds, cells) in odds.iter_mut().zip(cells) {
            *odds -= 0.225 * (most - cells).min(4) as f32;
        }
        odds[cells.iter().position(|&cells| cells == most).unwrap()] += 1.70;
        let odds = odds.map(f32::exp);
        let (found, looks) = after_two_rounds(&position, 0, ways);
        assert!(looks > 10, "{looks}");
        for (found, part) in found.into_iter().zip(odds) {
            let expected = 0.9 * part / odds.iter().sum::<f32>() + 0.1 / 3.0;
            assert!((found - expected).abs() < 1e-5, "{found} {expected} {cells:?}");
        }
    }

    /// Of a way that leaves less by more than counts, nobody has to know by how much.
    #[test]
    fn no_more_is_asked_for_than_counts() {
        let position = drawn(&["...1...", ".......", ".......", "...0...", "......."]);
        let ways = position.sides(0);
        let (mut leaves, mut asked) = ([7, 9, 2, 9].into_iter(), Vec::new());
        likelihoods(&position, 0, ways, &ROUNDS, |_, alpha| {
            asked.push(alpha);
            leaves.next().unwrap()
        });
        assert_eq!(asked, [i32::MIN, 7 - 4, 9 - 4, 9 - 4]);
    }

    /// Of ways that leave as much, the one with the most walls is the first choice.
    #[test]
    fn walls_decide_between_ways_that_leave_as_much() {
        let position = drawn(&["...1...", "...#...", "..#.#..", ".#.0...", "......."]);
        let ways = position.sides(0);
        // Up is a dead end, which has four with the head; to the right are two.
        let [up, right, ..] = likelihoods(&position, 0, ways, &ROUNDS, |_, _| 7);
        let (even, expected) = (0.1 / 4.0, (1.70 + 2.0 * 0.48f32).exp());
        assert!(((up - even) / (right - even) / expected - 1.0).abs() < 1e-3, "{up} {right}");
    }
}
