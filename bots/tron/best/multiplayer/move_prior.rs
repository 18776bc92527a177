//! Move priors: probabilities of a player's moves before any is tried. bots/tron/diary.md has the
//! samples that the weights were fitted to, and the accuracy.

use super::lookahead::Lookahead;
use super::neighbours::{directions, is_split, SIDES};
use super::objective::Objective;
use super::opponent_search::OpponentSearch;
use crate::tron::best::bitboards::Cell;
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;

/// Share of the prior that is uniform over all moves. With 0.02 the value was 0.087 ± 0.037 lower
/// (70 games, 2026-11-23, bots/tron/diary.md).
const EVEN: f32 = 0.1;
/// Initial miss rate of the opponent search: 2 %, weighted as ten moves. It was right in 97.9 % of
/// 1314 choices of `tron breadth` (2026-11-23, bots/tron/diary.md).
const INITIAL_MISS_RATE: MissRate = MissRate { wrong: 0.2, moves: 10.0 };

/// Weights of a move's features, in log odds.
struct PriorWeights {
    /// Weight of each cell that the move leaves.
    cell: f32,
    /// Largest difference in cells to the best move that counts.
    fewer: i32,
    /// Weight of each occupied side of the entered cell.
    wall: f32,
    /// Weight of a cell that splits the room.
    split: f32,
    /// Weight of going straight ahead.
    ahead: f32,
    /// Weight of the move that leaves the most cells; of several, the first of those with the most
    /// walls.
    first: f32,
}

/// Weights for a player that evaluates its region after one step. Fitted to 17,278 choices of `tron
/// breadth` with 3000 nodes (2026-11-22, bots/tron/diary.md).
const STEP: PriorWeights = PriorWeights {
    cell: 0.043,
    fewer: i32::MAX,
    wall: 0.55,
    split: -2.12,
    ahead: 0.92,
    first: 0.0,
};
/// Weights for a player with a [`Lookahead`] of two rounds. Fitted to choices of `tron breadth`
/// with 100 ms (2026-11-23, bots/tron/diary.md).
const ROUNDS: PriorWeights =
    PriorWeights { cell: 0.225, fewer: 4, wall: 0.48, split: -0.97, ahead: 0.39, first: 1.70 };

/// Returns the priors of these moves for a seat that evaluates its region after one step, in the
/// order of [`directions`]. They add up to 1; later entries are meaningless.
pub fn after_a_step<P: SimdBitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    ways: u8,
) -> [f32; 4] {
    let others = position.rivals(seat);
    likelihoods(position, seat, ways, &STEP, |to, _| position.share(&others, to) as i32)
}

/// Returns the priors for a seat with a two-round lookahead, and the number of positions evaluated.
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

/// Frequency of wrong predictions of the opponent search for a seat.
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
    /// Counts a predicted move.
    pub fn learn(&mut self, is_right: bool) {
        self.moves += 1.0;
        self.wrong += f32::from(!is_right);
    }

    /// Returns the share of wrong predictions, from 0 to 1.
    pub fn share(&self) -> f32 {
        self.wrong / self.moves
    }
}

/// Returns the priors for a seat that searches with `cells` cell visits, and the number of
/// positions evaluated.
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
    likely[at.expect("the choice is one of the moves")] += 1.0 - miss_rate.share();
    (likely, search.looks)
}

/// Returns the priors of moves. `cells` returns the cells that a move leaves; a result not above
/// its second argument may be a bound.
fn likelihoods<P: SimdBitboard>(
    position: &MultiplayerPosition<P>,
    seat: usize,
    ways: u8,
    weights: &PriorWeights,
    mut cells: impl FnMut(Cell, i32) -> i32,
) -> [f32; 4] {
    let beside = position.heads[seat].neighbours();
    let (mut odds, mut scores) = ([f32::NEG_INFINITY; 4], [(i32::MIN, 0); 4]);
    let mut best = (i32::MIN, 0);
    for (at, direction) in directions(ways).enumerate() {
        let (to, behind) = (beside[direction], beside[(direction + 2) % 4]);
        let ring = position.free.neighbour_mask(to);
        let walls = 4 - (ring & SIDES).count_ones();
        scores[at] = (cells(to, best.0.saturating_sub(weights.fewer)), walls);
        best = best.max(scores[at]);
        odds[at] = weights.wall * walls as f32;
        odds[at] += if is_split(ring) { weights.split } else { 0.0 };
        odds[at] += if position.trails[seat].has(behind) { weights.ahead } else { 0.0 };
    }
    let first = scores.iter().position(|score| *score == best).expect("one score is the highest");
    odds[first] += weights.first;
    for (odds, (cells, _)) in odds.iter_mut().zip(scores).take(ways.count_ones() as usize) {
        *odds -= weights.cell * (best.0 - cells).min(weights.fewer) as f32;
    }
    shares(odds, ways.count_ones() as f32)
}

/// Returns the priors of `count` moves with these log odds.
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

    /// Seat 0 comes from the left. Of the five cells above, seat 1 reaches two first; the room
    /// ahead is split.
    fn crossing() -> MultiplayerPosition<SmallGrid> {
        drawn(&["#1.#.##", "##...##", "###.###", "#aa0..#", "###..##"])
    }

    #[test]
    fn one_step_priors_follow_the_weights() {
        // Up: three cells, three walls. Ahead: three cells, two walls, a split and straight ahead.
        // Down: three cells, three walls.
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

    /// Seat 0 goes along the border. The cells of a move come from the lookahead, and the first
    /// move with the most cells is its choice.
    #[test]
    fn two_round_priors_follow_the_weights() {
        let position = drawn(&["#........", "#a0......", "#........", "........1"]);
        let (ways, beside) = (position.sides(0), position.heads[0].neighbours());
        let mut lookahead = Lookahead::new(&position, 0);
        let cells =
            [0, 1, 2].map(|direction| lookahead.after(&position, beside[direction], i32::MIN));
        let most = *cells.iter().max().unwrap();
        // Above are the border and the own trail, and the free cells are split; the other moves
        // have the trail alone.
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

    /// Differences beyond the limit need no exact value.
    #[test]
    fn cells_are_bounded_by_the_limit() {
        let position = drawn(&["...1...", ".......", ".......", "...0...", "......."]);
        let ways = position.sides(0);
        let (mut leaves, mut asked) = ([7, 9, 2, 9].into_iter(), Vec::new());
        likelihoods(&position, 0, ways, &ROUNDS, |_, alpha| {
            asked.push(alpha);
            leaves.next().unwrap()
        });
        assert_eq!(asked, [i32::MIN, 7 - 4, 9 - 4, 9 - 4]);
    }

    /// Between moves that leave equally many cells, the one with the most walls is chosen.
    #[test]
    fn walls_break_ties_between_moves() {
        let position = drawn(&["...1...", "...#...", "..#.#..", ".#.0...", "......."]);
        let ways = position.sides(0);
        // Up is a dead end with four walls, the head included; the cell to the right has two.
        let [up, right, ..] = likelihoods(&position, 0, ways, &ROUNDS, |_, _| 7);
        let (even, expected) = (0.1 / 4.0, (1.70 + 2.0 * 0.48f32).exp());
        assert!(((up - even) / (right - even) / expected - 1.0).abs() < 1e-3, "{up} {right}");
    }
}
