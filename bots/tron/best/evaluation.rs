//! What a position of two is worth to its mover, as far as one can see without a search.

use super::bitboards::{Bitboard, Cell, Loaded};
use super::chamber_tree::{cuts, ChamberMeasure, ChamberPart, ChamberTree, PathScore};
use super::position::TwoPlayerPosition;
use super::voronoi::regions;
use arbitre_games::search::transposition::WON;
use std::cmp::Ordering;

/// Who has a cell more once nobody can reach the other has all but won.
const APART: i32 = 1_000_000;
/// What a cell of the own zone counts for, and each of its free neighbours: as in the evaluation that
/// won the contest of 2010, fitted there on 11,691 games. `tron fit` finds what games of this bot say of
/// them; NOTES.md has why they stayed.
pub const CELL: i32 = 55;
/// See [`CELL`].
pub const NEIGHBOUR: i32 = 194;
/// What a cell at the front counts for, against who has it: the zone of the other touches it, and it is
/// the first to be lost. `tron fit` has it at three times as much; NOTES.md has the matches.
pub const FRONT: i32 = 4000;
/// What a move counts for in a zone that nobody else can enter: as much as a cell with four.
pub(super) const ROOM: i32 = CELL + 4 * NEIGHBOUR;

/// The value for a mover who has nowhere to go. The fewer cells are left, the later that is, and the
/// better.
pub fn lost<P: Bitboard>(position: &TwoPlayerPosition<P>) -> i32 {
    -(2 * WON) - position.free.count() as i32
}

/// Any estimate is within this window.
pub const OPEN: (i32, i32) = (i32::MIN, i32::MAX);

/// An estimate for the mover, if it is within the window (alpha, beta); outside it, a bound. `chambers`
/// is memory to work in.
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

/// By how much the stock of the mover is worth more than that of the other, if that is within the
/// window; outside it, a bound.
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
    // Chambers only make a zone worth less, and are not needed where that changes nothing.
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

/// What the mover and the other have in their zones, and how many cells at the front; nothing where
/// neither can come to the other.
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

/// How many cells of each zone the other zone touches.
#[inline(always)]
fn fronts<P: Bitboard>(regions: &[P; 2], touched: &[P; 2]) -> [i32; 2] {
    // Not by a closure, which would not be compiled for vector registers.
    [regions[0].and(touched[0]).count() as i32, regions[1].and(touched[1]).count() as i32]
}

/// The cells that the zone of the other touches, for each; nothing where neither can come to the
/// other.
#[inline(always)]
fn touched<P: Bitboard>(regions: &[P; 2], heads: [Cell; 2]) -> Option<[P; 2]> {
    let around = [regions[0].spread(), regions[1].spread()];
    // Who has nothing left but a cell that the mover can take first is not cut off yet.
    let mut others = regions[1];
    others.insert(heads[1]);
    let meet = !around[0].and(others).is_empty();
    meet.then_some([around[1], around[0]])
}

/// The number of free neighbours of each cell, bit by bit.
pub(super) struct NeighbourCounts<P> {
    ones: P,
    twos: P,
    fours: P,
}

impl<P: Bitboard> NeighbourCounts<P> {
    #[inline(always)]
    pub(super) fn of(free: P) -> NeighbourCounts<P> {
        let (up, down) = (free.above_to_here(), free.below_to_here());
        let (left, right) = (free.left_to_here(), free.right_to_here());
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

/// How to measure the zone of one who fights.
pub(super) struct RegionEvaluator<'a, P> {
    pub(super) neighbours: &'a NeighbourCounts<P>,
    /// The cells that the zone of the other touches.
    pub(super) touched: P,
}

impl<P: Bitboard> RegionEvaluator<'_, P> {
    /// What all of a zone is worth, as if nothing of it had to be left behind.
    #[inline(always)]
    pub(super) fn most(&self, region: P) -> i32 {
        self.part(region).value()
    }

    #[inline(always)]
    pub(super) fn counts(&self, region: P, head: Cell, tree: &mut ChamberTree) -> ChamberPart {
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

/// The cells of a zone and its head that may be doors.
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

/// Scores a path by the sum of its chambers. A chamber at the front must be reached in time, so
/// that the chambers before it do not count.
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

/// The estimate where neither can come to the other.
#[inline(always)]
fn apart<P: Bitboard>(regions: &[P; 2], heads: [Cell; 2], tree: &mut ChamberTree) -> i32 {
    let mut moves = [0; 2];
    for seat in 0..2 {
        moves[seat] = room(regions[seat], heads[seat], tree);
    }
    // Who is to move must last longer; the other need not.
    let lead = 2 * (moves[0] - moves[1]) - 1;
    APART * lead.signum() + ROOM * lead
}

/// No more moves than this are in a zone that nobody else can enter.
#[inline(always)]
pub(super) fn room<P: Bitboard>(region: P, head: Cell, tree: &mut ChamberTree) -> i32 {
    let cuts = doors(region, head);
    if !cuts.is_empty() && tree.divide(region, head, cuts.and(region), &EnclosedPath) {
        return tree.best(&Survival).unwrap_or(0);
    }
    Survival.end(&EnclosedPath.part(region), head.colour())
}

/// How to measure a zone that nobody else can enter.
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

/// Moves lead to cells of the one colour and the other in turn.
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
