//! Static evaluation of two-player positions for the mover: Voronoi regions with chambers, free
//! neighbours and front cells.

use super::bitboards::{Bitboard, Cell, Loaded};
use super::chamber_tree::{cuts, ChamberMeasure, ChamberPart, ChamberTree, PathScore};
use super::position::TwoPlayerPosition;
use super::voronoi::regions;
use arbitre_games::bitboard::out_of_line;
use arbitre_games::search::transposition::WON;
use std::cmp::Ordering;

/// Bonus of the player with more moves once the players are separated; below a proved win. Lower
/// values for leads of fewer than eight moves gave 50.0 % of 200 games (2026-11-22,
/// bots/tron/diary.md).
const APART: i32 = 1_000_000;
/// Weight of a cell of a region. From the evaluation that won the contest of 2010, fitted there on
/// 11,691 games. Weights by logistic regression scored 52.5 % of 200 games and were not kept
/// (2026-11-21, bots/tron/diary.md).
pub const CELL: i32 = 55;
/// Weight of a free neighbour of such a cell, from the same source as [`CELL`].
pub const NEIGHBOUR: i32 = 194;
/// Penalty of a front cell, which the other region touches and which is lost first. `tron fit`
/// finds about 11,200. With static pruning, 4000 scored 56.4 % of 500 games (2026-11-22,
/// bots/tron/diary.md).
pub const FRONT: i32 = 4000;
/// Weight of a move in an enclosed region: a cell with four free neighbours.
pub(super) const ROOM: i32 = CELL + 4 * NEIGHBOUR;

/// Returns the value for a mover without a move. A later loss, with fewer free cells, is better.
pub fn lost<P: Bitboard>(position: &TwoPlayerPosition<P>) -> i32 {
    -(2 * WON) - position.free.count() as i32
}

/// Window that contains every estimate.
pub const OPEN: (i32, i32) = (i32::MIN, i32::MAX);

/// Returns an estimate for the mover if it is within the window (alpha, beta); outside it, a bound.
/// `tree` is working memory.
#[inline(always)]
pub fn evaluate<P: Loaded>(
    position: &TwoPlayerPosition<P::Stored>,
    (alpha, beta): (i32, i32),
    tree: &mut ChamberTree,
) -> i32 {
    let position = &position.load::<P>();
    let regions = regions(position.free, position.heads);
    let Some(touched) = touched(&regions, position.heads) else {
        return apart(&regions, position.heads, tree);
    };
    let [own, other] = fronts(&regions, &touched);
    let lead = FRONT * (other - own);
    let window = (alpha.saturating_sub(lead), beta.saturating_sub(lead));
    lead + counts_lead(position, &regions, &touched, window, tree)
}

/// Returns the value of the mover's counts less that of the other's, within the window; outside it,
/// a bound.
#[inline(always)]
fn counts_lead<P: Bitboard>(
    position: &TwoPlayerPosition<P>,
    regions: &[P; 2],
    touched: &[P; 2],
    (alpha, beta): (i32, i32),
    tree: &mut ChamberTree,
) -> i32 {
    let neighbours = NeighbourCounts::of(position.free);
    let own = RegionEvaluator { neighbours: &neighbours, touched: touched[0] };
    let other = RegionEvaluator { neighbours: &neighbours, touched: touched[1] };
    // Chambers only lower a region's value, so they are computed only where the window needs it.
    let most = [own.most(regions[0]), other.most(regions[1])];
    if most[0] - most[1] < beta {
        let value = most[0] - other.counts(regions[1], position.heads[1], tree).value();
        if value <= alpha {
            return value;
        }
        return value - most[0] + own.counts(regions[0], position.heads[0], tree).value();
    }
    let value = own.counts(regions[0], position.heads[0], tree).value() - most[1];
    if value >= beta {
        return value;
    }
    value + most[1] - other.counts(regions[1], position.heads[1], tree).value()
}

/// Returns the counts of both regions and their numbers of front cells, or `None` where the players
/// cannot meet.
pub fn region_counts<P: Bitboard>(
    position: &TwoPlayerPosition<P>,
    tree: &mut ChamberTree,
) -> Option<([ChamberPart; 2], [i32; 2])> {
    let regions = regions(position.free, position.heads);
    let touched = touched(&regions, position.heads)?;
    let neighbours = NeighbourCounts::of(position.free);
    let region_counts = [0, 1].map(|seat| {
        let evaluator = RegionEvaluator { neighbours: &neighbours, touched: touched[seat] };
        evaluator.counts(regions[seat], position.heads[seat], tree)
    });
    Some((region_counts, fronts(&regions, &touched)))
}

/// Returns the number of front cells of each region.
#[inline(always)]
fn fronts<P: Bitboard>(regions: &[P; 2], touched: &[P; 2]) -> [i32; 2] {
    // A closure would not be compiled for vector registers.
    [regions[0].and(touched[0]).count() as i32, regions[1].and(touched[1]).count() as i32]
}

/// Returns the cells that the other region touches, for each player, or `None` where the players
/// cannot meet.
#[inline(always)]
fn touched<P: Bitboard>(regions: &[P; 2], heads: [Cell; 2]) -> Option<[P; 2]> {
    let around = [regions[0].dilate(), regions[1].dilate()];
    // A player is still in contact if its only cell is one that the mover can take first.
    let mut others = regions[1];
    others.insert(heads[1]);
    let meet = !around[0].and(others).is_empty();
    meet.then_some([around[1], around[0]])
}

/// Number of free neighbours of each cell, one bitboard per binary digit.
pub(super) struct NeighbourCounts<P> {
    ones: P,
    twos: P,
    fours: P,
}

impl<P: Bitboard> NeighbourCounts<P> {
    #[inline(always)]
    pub(super) fn of(free: P) -> NeighbourCounts<P> {
        let (up, down) = (free.shift_down(), free.shift_up());
        let (left, right) = (free.shift_right(), free.shift_left());
        let (vertical, horizontal) = (up.xor(down), right.xor(left));
        let (two_vertical, two_horizontal) = (up.and(down), right.and(left));
        let carry = vertical.and(horizontal);
        NeighbourCounts {
            ones: vertical.xor(horizontal),
            twos: two_vertical.xor(two_horizontal).or(carry),
            fours: two_vertical.and(two_horizontal),
        }
    }
}

/// Measure of a region in contact with another.
pub(super) struct RegionEvaluator<'a, P> {
    pub(super) neighbours: &'a NeighbourCounts<P>,
    /// Cells that the other region touches.
    pub(super) touched: P,
}

impl<P: Bitboard> RegionEvaluator<'_, P> {
    /// Returns the value of a whole region, as if no chamber were lost.
    #[inline(always)]
    pub(super) fn most(&self, region: P) -> i32 {
        self.part(region).value()
    }

    #[inline(always)]
    pub(super) fn counts(&self, region: P, head: Cell, tree: &mut ChamberTree) -> ChamberPart {
        match P::IN_REGISTERS {
            true => self.counts_of(region, head, tree),
            false => out_of_line(|tree| self.counts_of(region, head, tree), tree),
        }
    }

    /// Implements [`RegionEvaluator::counts`].
    #[inline(always)]
    fn counts_of(&self, region: P, head: Cell, tree: &mut ChamberTree) -> ChamberPart {
        let cuts = doors(region, head);
        if !cuts.is_empty() && tree.divide(region, head, cuts.and(region), self) {
            return tree.best(&ContestedPath).unwrap_or_default();
        }
        self.part(region)
    }
}

impl<P: Bitboard> ChamberMeasure<P> for RegionEvaluator<'_, P> {
    #[inline(always)]
    fn part(&self, cells: P) -> ChamberPart {
        let of = |kind: P| cells.and(kind).count() as i32;
        let NeighbourCounts { ones, twos, fours } = *self.neighbours;
        ChamberPart {
            cells: [cells.count() as i32, 0],
            neighbours: of(ones) + 2 * of(twos) + 4 * of(fours),
            front: !cells.and(self.touched).is_empty(),
        }
    }

    #[inline(always)]
    fn cell(&self, cell: Cell) -> ChamberPart {
        let NeighbourCounts { ones, twos, fours } = self.neighbours;
        let of = |kind: &P| i32::from(kind.has(cell));
        let neighbours = of(ones) + 2 * of(twos) + 4 * of(fours);
        ChamberPart { cells: [1, 0], neighbours, front: self.touched.has(cell) }
    }
}

/// Returns the candidates for doors in a region and its head.
#[inline(always)]
fn doors<P: Bitboard>(region: P, head: Cell) -> P {
    let mut with_head = region;
    with_head.insert(head);
    cuts(with_head)
}

impl ChamberPart {
    /// Returns the value of the cells in a region that another player can enter.
    #[inline]
    pub(super) fn value(&self) -> i32 {
        CELL * self.cells[0] + NEIGHBOUR * self.neighbours
    }
}

impl PartialOrd for ChamberPart {
    fn partial_cmp(&self, other: &ChamberPart) -> Option<Ordering> {
        Some((self.value(), self.front).cmp(&(other.value(), other.front)))
    }
}

/// Scores a path by the sum of its chambers. Chambers before one at the front do not count, as the
/// front must be reached in time.
struct ContestedPath;

impl PathScore for ContestedPath {
    type Value = ChamberPart;

    fn end(&self, part: &ChamberPart, _: usize) -> ChamberPart {
        *part
    }

    fn onward(&self, part: &ChamberPart, _: usize, _: usize, beyond: ChamberPart) -> ChamberPart {
        if beyond.front {
            beyond
        } else {
            part.with(beyond)
        }
    }
}

/// Returns the estimate once the players are separated.
#[inline(always)]
fn apart<P: Bitboard>(regions: &[P; 2], heads: [Cell; 2], tree: &mut ChamberTree) -> i32 {
    let mut moves = [0; 2];
    for seat in 0..2 {
        moves[seat] = room(regions[seat], heads[seat], tree);
    }
    // The mover needs strictly more moves to win, so equal moves are a loss.
    let lead = 2 * (moves[0] - moves[1]) - 1;
    APART * lead.signum() + ROOM * lead
}

/// Returns an upper bound on the moves in an enclosed region.
#[inline(always)]
pub(super) fn room<P: Bitboard>(region: P, head: Cell, tree: &mut ChamberTree) -> i32 {
    match P::IN_REGISTERS {
        true => room_of(region, head, tree),
        false => out_of_line(|tree| room_of(region, head, tree), tree),
    }
}

/// Implements [`room`].
#[inline(always)]
fn room_of<P: Bitboard>(region: P, head: Cell, tree: &mut ChamberTree) -> i32 {
    let cuts = doors(region, head);
    if !cuts.is_empty() && tree.divide(region, head, cuts.and(region), &EnclosedPath) {
        return tree.best(&Survival).unwrap_or(0);
    }
    Survival.end(&EnclosedPath.part(region), head.colour())
}

/// Measure of an enclosed region: cells by colour.
struct EnclosedPath;

impl<P: Bitboard> ChamberMeasure<P> for EnclosedPath {
    #[inline(always)]
    fn part(&self, cells: P) -> ChamberPart {
        let first = cells.of_colour(0).count() as i32;
        ChamberPart { cells: [first, cells.count() as i32 - first], ..ChamberPart::default() }
    }

    #[inline(always)]
    fn cell(&self, cell: Cell) -> ChamberPart {
        let first = i32::from(cell.colour() == 0);
        ChamberPart { cells: [first, 1 - first], ..ChamberPart::default() }
    }
}

/// Scores a path by its moves, which alternate between the colours.
struct Survival;

impl PathScore for Survival {
    type Value = i32;

    fn end(&self, part: &ChamberPart, from: usize) -> i32 {
        let (first, second) = (part.cells[1 - from], part.cells[from]);
        (2 * first).min(2 * second + 1)
    }

    fn onward(&self, part: &ChamberPart, from: usize, last: usize, beyond: i32) -> i32 {
        let (first, second) = (part.cells[1 - from], part.cells[from]);
        beyond
            + match last == from {
                true => 2 * first.min(second),
                false => 2 * (first - 1).min(second) + 1,
            }
    }
}

#[cfg(test)]
mod tests;
