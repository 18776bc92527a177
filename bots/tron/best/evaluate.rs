//! What a position of two is worth to its mover, as far as one can see without a search.

use super::chambers::{cuts, Chambers, Counts, Measure, Part, Reckoning};
use super::duel::Duel;
use super::plane::{Plane, Spot};
use super::zones::zones;
use crate::games::tron::Direction;
use std::cmp::Ordering;

/// No estimate reaches this; who has won has more.
pub const WON: i32 = 100_000_000;
/// Who has a cell more once nobody can reach the other has all but won.
const APART: i32 = 1_000_000;
/// What a cell of the own zone counts for, and each of its free neighbours: as in the evaluation that
/// won the contest of 2010, fitted there on 11,691 games. `tron fit` finds what games of this bot say of
/// them; NOTES.md has why they stayed.
pub const CELL: i32 = 55;
/// See [`CELL`].
pub const NEIGHBOUR: i32 = 194;
/// What a move counts for in a zone that nobody else can enter: as much as a cell with four.
pub(super) const ROOM: i32 = CELL + 4 * NEIGHBOUR;

/// The value for a mover who has nowhere to go. The fewer cells are left, the later that is, and the
/// better.
pub fn lost<P: Plane>(duel: &Duel<P>) -> i32 {
    -(2 * WON) - duel.free.count() as i32
}

/// Any estimate is within this window.
pub const OPEN: (i32, i32) = (i32::MIN, i32::MAX);

/// An estimate for the mover, if it is within the window (alpha, beta); outside it, a bound. `chambers`
/// is memory to work in.
#[inline(always)]
pub fn evaluate<P: Plane>(
    duel: &Duel<P>,
    (alpha, beta): (i32, i32),
    chambers: &mut Chambers,
) -> i32 {
    let zones = zones(duel.free, duel.heads);
    let Some(touched) = touched(&zones, duel.heads) else {
        return apart(&zones, duel.heads, chambers);
    };
    let ground = Ground::of(duel.free);
    let own = Contested { ground: &ground, touched: touched[0] };
    let other = Contested { ground: &ground, touched: touched[1] };
    // Chambers only make a zone worth less, and are not needed where that changes nothing.
    let most = [own.most(zones[0]), other.most(zones[1])];
    if most[0] - most[1] < beta {
        let value = most[0] - other.stock(zones[1], duel.heads[1], chambers).worth();
        if value <= alpha {
            return value;
        }
        return value - most[0] + own.stock(zones[0], duel.heads[0], chambers).worth();
    }
    let value = own.stock(zones[0], duel.heads[0], chambers).worth() - most[1];
    if value >= beta {
        return value;
    }
    value + most[1] - other.stock(zones[1], duel.heads[1], chambers).worth()
}

/// What the mover and the other have in their zones; nothing where neither can come to the other.
pub fn stocks<P: Plane>(duel: &Duel<P>, chambers: &mut Chambers) -> Option<[Stock; 2]> {
    let zones = zones(duel.free, duel.heads);
    let touched = touched(&zones, duel.heads)?;
    let ground = Ground::of(duel.free);
    Some([0, 1].map(|seat| {
        let contested = Contested { ground: &ground, touched: touched[seat] };
        contested.stock(zones[seat], duel.heads[seat], chambers)
    }))
}

/// The cells that the zone of the other touches, for each; nothing where neither can come to the
/// other.
#[inline(always)]
fn touched<P: Plane>(zones: &[P; 2], heads: [Spot; 2]) -> Option<[P; 2]> {
    let around = [zones[0].spread(), zones[1].spread()];
    // Who has nothing left but a cell that the mover can take first is not cut off yet.
    let mut others = zones[1];
    others.insert(heads[1]);
    let meet = !around[0].and(others).is_empty();
    meet.then_some([around[1], around[0]])
}

/// The number of free neighbours of each cell, bit by bit.
pub(super) struct Ground<P> {
    ones: P,
    twos: P,
    fours: P,
}

impl<P: Plane> Ground<P> {
    #[inline(always)]
    pub(super) fn of(free: P) -> Ground<P> {
        let (up, down) = (free.shifted(Direction::Up), free.shifted(Direction::Down));
        let (left, right) = (free.shifted(Direction::Left), free.shifted(Direction::Right));
        let (vertical, horizontal) = (up.xor(down), right.xor(left));
        let (two_vertical, two_horizontal) = (up.and(down), right.and(left));
        let carry = vertical.and(horizontal);
        Ground {
            ones: vertical.xor(horizontal),
            twos: two_vertical.xor(two_horizontal).or(carry),
            fours: two_vertical.and(two_horizontal),
        }
    }
}

/// How to measure the zone of one who fights.
pub(super) struct Contested<'a, P> {
    pub(super) ground: &'a Ground<P>,
    /// The cells that the zone of the other touches.
    pub(super) touched: P,
}

impl<P: Plane> Contested<'_, P> {
    /// What all of a zone is worth, as if nothing of it had to be left behind.
    #[inline(always)]
    pub(super) fn most(&self, zone: P) -> i32 {
        Stock::of(&self.part(zone)).worth()
    }

    #[inline(always)]
    pub(super) fn stock(&self, zone: P, head: Spot, chambers: &mut Chambers) -> Stock {
        let cuts = doors(zone, head);
        if !cuts.is_empty() && chambers.divide(zone, head, cuts.and(zone), self) {
            return chambers.best(&Fight).unwrap_or_default();
        }
        Stock::of(&self.part(zone))
    }
}

impl<P: Plane> Measure<P> for Contested<'_, P> {
    #[inline(always)]
    fn part(&self, cells: P) -> Part {
        let of = |kind: P| cells.and(kind).count() as i32;
        let Ground { ones, twos, fours } = *self.ground;
        let counts = Counts {
            cells: [cells.count() as i32, 0],
            neighbours: of(ones) + 2 * of(twos) + 4 * of(fours),
        };
        Part { counts, front: !cells.and(self.touched).is_empty() }
    }
}

/// The cells of a zone and its head that may be doors.
#[inline(always)]
fn doors<P: Plane>(zone: P, head: Spot) -> P {
    let mut with_head = zone;
    with_head.insert(head);
    cuts(with_head)
}

/// What somebody who fights can get.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Stock {
    /// So many cells,
    pub cells: i32,
    /// with so many free neighbours together.
    pub neighbours: i32,
    /// Does it touch the zone of the other?
    front: bool,
}

impl Stock {
    #[inline]
    fn of(part: &Part) -> Stock {
        let Counts { cells, neighbours } = part.counts;
        Stock { cells: cells[0], neighbours, front: part.front }
    }

    #[inline]
    pub(super) fn worth(&self) -> i32 {
        CELL * self.cells + NEIGHBOUR * self.neighbours
    }
}

impl PartialOrd for Stock {
    fn partial_cmp(&self, other: &Stock) -> Option<Ordering> {
        Some((self.worth(), self.front).cmp(&(other.worth(), other.front)))
    }
}

/// Chambers are worth what is in them; at the front one must be there to get it, so that those on the
/// way are only passed through.
struct Fight;

impl Reckoning for Fight {
    type Worth = Stock;

    fn end(&self, part: &Part, _: usize) -> Stock {
        Stock::of(part)
    }

    fn onward(&self, part: &Part, _: usize, _: usize, beyond: Stock) -> Stock {
        if beyond.front {
            return beyond;
        }
        let Stock { cells, neighbours, front } = Stock::of(part);
        let (cells, neighbours) = (cells + beyond.cells, neighbours + beyond.neighbours);
        Stock { cells, neighbours, front }
    }
}

/// The estimate where neither can come to the other.
#[inline(always)]
fn apart<P: Plane>(zones: &[P; 2], heads: [Spot; 2], chambers: &mut Chambers) -> i32 {
    let mut moves = [0; 2];
    for seat in 0..2 {
        moves[seat] = room(zones[seat], heads[seat], chambers);
    }
    // Who is to move must last longer; the other need not.
    let lead = 2 * (moves[0] - moves[1]) - 1;
    APART * lead.signum() + ROOM * lead
}

/// No more moves than this are in a zone that nobody else can enter.
#[inline(always)]
pub(super) fn room<P: Plane>(zone: P, head: Spot, chambers: &mut Chambers) -> i32 {
    let cuts = doors(zone, head);
    if !cuts.is_empty() && chambers.divide(zone, head, cuts.and(zone), &Alone) {
        return chambers.best(&Survival).unwrap_or(0);
    }
    Survival.end(&Alone.part(zone), head.colour())
}

/// How to measure a zone that nobody else can enter.
struct Alone;

impl<P: Plane> Measure<P> for Alone {
    #[inline(always)]
    fn part(&self, cells: P) -> Part {
        let first = cells.of_colour(0).count() as i32;
        let counts = Counts { cells: [first, cells.count() as i32 - first], ..Counts::default() };
        Part { counts, front: false }
    }
}

/// Moves lead to cells of the one colour and the other in turn.
struct Survival;

impl Reckoning for Survival {
    type Worth = i32;

    fn end(&self, part: &Part, from: usize) -> i32 {
        let (first, second) = (part.counts.cells[1 - from], part.counts.cells[from]);
        (2 * first).min(2 * second + 1)
    }

    fn onward(&self, part: &Part, from: usize, last: usize, beyond: i32) -> i32 {
        let (first, second) = (part.counts.cells[1 - from], part.counts.cells[from]);
        beyond
            + match last == from {
                true => 2 * first.min(second),
                false => 2 * (first - 1).min(second) + 1,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plane::{Large, Small};
    use super::super::wide::Wide;
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    type Cells = BTreeSet<u16>;

    /// The cells that can be reached from one without another, by looking at each.
    fn reach(cells: &Cells, from: Spot, without: Spot) -> Cells {
        let (mut reached, mut waiting) = (Cells::new(), vec![from]);
        while let Some(spot) = waiting.pop() {
            for next in Direction::ALL.map(|way| spot.towards(way)) {
                if cells.contains(&next.0) && next != without && reached.insert(next.0) {
                    waiting.push(next);
                }
            }
        }
        reached
    }

    /// The slow twin of [`Chambers`], which tries for each cell what is cut off without it.
    struct Slow<'a, R> {
        part: &'a dyn Fn(&Cells) -> Part,
        reckoning: R,
    }

    impl<R: Reckoning> Slow<'_, R> {
        /// The best way through these cells, for who stands at the door.
        fn best(&self, door: Spot, mut cells: Cells) -> Option<R::Worth> {
            let mut best = None;
            for next in Direction::ALL.map(|way| door.towards(way)) {
                if cells.contains(&next.0) {
                    let mut beyond = reach(&cells, next, door);
                    beyond.insert(next.0);
                    cells.retain(|cell| !beyond.contains(cell));
                    let found = self.best_in(door, &beyond);
                    best = match best {
                        Some(known) if known >= found => Some(known),
                        _ => Some(found),
                    };
                }
            }
            best
        }

        fn best_in(&self, door: Spot, cells: &Cells) -> R::Worth {
            let without = |cell: u16| reach(cells, door, Spot(cell));
            let mut chamber = cells.clone();
            for &cell in cells {
                let still = without(cell);
                chamber.retain(|other| *other == cell || still.contains(other));
            }
            let part = (self.part)(&chamber);
            let mut best = self.reckoning.end(&part, door.colour());
            for &cell in &chamber {
                let still = without(cell);
                let beyond = cells.iter().copied().filter(|&at| at != cell && !still.contains(&at));
                if let Some(beyond) = self.best(Spot(cell), beyond.collect()) {
                    let last = Spot(cell).colour();
                    let found = self.reckoning.onward(&part, door.colour(), last, beyond);
                    best = if found > best { found } else { best };
                }
            }
            best
        }
    }

    fn cells_of(plane: Small) -> Cells {
        let mut cells = Cells::new();
        plane.each(|spot| _ = cells.insert(spot.0));
        cells
    }

    fn slowly(duel: &Duel<Small>) -> i32 {
        let zones = zones(duel.free, duel.heads);
        let sets = zones.map(cells_of);
        let beside = |cell: u16| Direction::ALL.map(|way| Spot(cell).towards(way));
        let touch = |cell: u16, set: &Cells| beside(cell).iter().any(|spot| set.contains(&spot.0));
        let mut others = sets[1].clone();
        others.insert(duel.heads[1].0);
        if !sets[0].iter().any(|&cell| touch(cell, &others)) {
            let part = |cells: &Cells| {
                let of = |colour| cells.iter().filter(|&&at| Spot(at).colour() == colour).count();
                let counts =
                    Counts { cells: [0, 1].map(|one| of(one) as i32), ..Counts::default() };
                Part { counts, front: false }
            };
            let slow = Slow { part: &part, reckoning: Survival };
            let moves = |seat: usize| slow.best(duel.heads[seat], sets[seat].clone()).unwrap_or(0);
            let lead = 2 * (moves(0) - moves(1)) - 1;
            return APART * lead.signum() + ROOM * lead;
        }
        let worth = |seat: usize| {
            let part = |cells: &Cells| {
                let mut part = Part::default();
                for &cell in cells {
                    let free = beside(cell).iter().filter(|spot| duel.free.has(**spot)).count();
                    let counts = Counts { cells: [1, 0], neighbours: free as i32 };
                    part.counts = part.counts + counts;
                    part.front |= touch(cell, &sets[1 - seat]);
                }
                part
            };
            let slow = Slow { part: &part, reckoning: Fight };
            slow.best(duel.heads[seat], sets[seat].clone()).map_or(0, |stock| stock.worth())
        };
        worth(0) - worth(1)
    }

    fn random(rng: &mut Rng, width: usize, height: usize) -> Duel<Small> {
        let density = 5 + rng.below(5);
        let spot = |cell: usize| Spot::new(cell % width, cell / width);
        let mut free = Small::NONE;
        for cell in 0..width * height {
            if rng.below(10) < density {
                free.insert(spot(cell));
            }
        }
        let first = rng.below(width * height);
        let second = (first + 1 + rng.below(width * height - 1)) % (width * height);
        let heads = [first, second].map(spot);
        heads.into_iter().for_each(|head| free.remove(head));
        Duel { free, heads }
    }

    #[test]
    fn estimates_are_those_of_the_slow_twin() {
        let mut rng = Rng::new(21);
        for _ in 0..3000 {
            let (width, height) = (2 + rng.below(8), 2 + rng.below(6));
            let duel = random(&mut rng, width, height);
            let value = evaluate(&duel, OPEN, &mut Chambers::default());
            assert_eq!(value, slowly(&duel), "{duel:?}");
        }
    }

    /// The same in vector registers, in arrays, and on large grids; one memory serves all.
    #[test]
    fn all_planes_give_the_same_estimates() {
        let mut rng = Rng::new(22);
        let mut chambers = Chambers::default();
        for _ in 0..3000 {
            let duel = random(&mut rng, 30, 20);
            let mut large = Duel { free: Large::NONE, heads: duel.heads };
            duel.free.each(|spot| large.free.insert(spot));
            let expected = evaluate(&duel, OPEN, &mut chambers);
            assert_eq!(Small::evaluate(&duel, OPEN, &mut chambers), expected, "{duel:?}");
            assert_eq!(evaluate(&large, OPEN, &mut chambers), expected, "{duel:?}");
        }
    }

    /// Outside the window what comes back is beyond it, and the estimate no nearer.
    #[test]
    fn a_window_makes_estimates_bounds() {
        let mut rng = Rng::new(24);
        let mut chambers = Chambers::default();
        let mut bounds = 0;
        for _ in 0..5000 {
            let duel = random(&mut rng, 12, 9);
            let value = evaluate(&duel, OPEN, &mut chambers);
            let alpha = value - 15_000 + rng.below(30_000) as i32;
            let beta = alpha + 1 + rng.below(10_000) as i32;
            let found = evaluate(&duel, (alpha, beta), &mut chambers);
            match found {
                _ if found <= alpha => assert!(value <= found, "{found} {value} {duel:?}"),
                _ if found >= beta => assert!(value >= found, "{found} {value} {duel:?}"),
                _ => assert_eq!(found, value, "{duel:?}"),
            }
            bounds += usize::from(found != value);
        }
        assert!(bounds > 50, "{bounds} estimates were cut short");
    }

    fn longest(free: &mut Small, head: Spot) -> i32 {
        let mut longest = 0;
        for to in Direction::ALL.map(|way| head.towards(way)) {
            if free.has(to) {
                free.remove(to);
                longest = longest.max(1 + self::longest(free, to));
                free.insert(to);
            }
        }
        longest
    }

    /// No path is longer than the estimate of moves, and it is seldom far off.
    #[test]
    fn the_estimate_of_moves_is_a_bound() {
        let mut rng = Rng::new(23);
        let (mut all, mut close) = (0, 0);
        for _ in 0..3000 {
            let (width, height) = (2 + rng.below(4), 2 + rng.below(4));
            let Duel { mut free, heads: [head, _] } = random(&mut rng, width, height);
            let mut zone = free.reach(head);
            zone.remove(head);
            let (bound, truth) =
                (room(zone, head, &mut Chambers::default()), longest(&mut free, head));
            assert!(bound >= truth, "{bound} {truth} {zone:?} {head:?}");
            all += 1;
            close += usize::from(bound <= truth + 1);
        }
        assert!(10 * close > 9 * all, "{close} of {all} bounds are close");
    }

    /// Drawn by hand: A and B are the heads.
    fn duel(picture: &str) -> Duel<Small> {
        let mut duel = Duel { free: Small::NONE, heads: [Spot::default(); 2] };
        for (y, line) in picture.split('/').enumerate() {
            for (x, cell) in line.chars().enumerate() {
                match cell {
                    '.' => duel.free.insert(Spot::new(x, y)),
                    'A' => duel.heads[0] = Spot::new(x, y),
                    'B' => duel.heads[1] = Spot::new(x, y),
                    _ => {}
                }
            }
        }
        duel
    }

    #[test]
    fn moves_are_counted_in_one_chamber_behind_another() {
        let moves = |picture: &str| {
            let Duel { free, heads: [head, _] } = duel(picture);
            room(free, head, &mut Chambers::default())
        };
        assert_eq!(moves("A..../#####"), 4, "a corridor");
        assert_eq!(moves("..A...#/..#...#"), 6, "a head between two rooms");
        assert_eq!(moves("A..../...../....."), 14, "one room");
        assert_eq!(moves("A..#/#..#/#.##/#..."), 3 + 1 + 1 + 3, "a room, a corridor and its turn");
    }

    /// A's room has five cells; who goes on to its front, where there is one cell, has left them behind. Of
    /// B's eight one is a dead end at the front.
    #[test]
    fn what_lies_before_the_front_does_not_count_with_it() {
        let duel = duel("A..#....B/.........");
        let stocks = stocks(&duel, &mut Chambers::default()).unwrap();
        assert_eq!(stocks.map(|stock| stock.cells), [5, 7]);
    }

    /// Who has only a cell left which the mover can take first is not cut off yet.
    #[test]
    fn heads_that_share_a_cell_can_still_meet() {
        let value = |picture| evaluate(&duel(picture), OPEN, &mut Chambers::default());
        assert!(value("..A.B/...##").abs() < APART);
        assert!(value("..A#B/...#.").abs() >= APART);
    }
}
