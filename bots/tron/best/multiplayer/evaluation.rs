//! What a position of many is worth to seat 0, as far as one can see without a search.

use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::chamber_tree::ChamberTree;
use crate::tron::best::evaluation::{room, NeighbourCounts, RegionEvaluator, ROOM};
use crate::tron::best::position::MultiplayerPosition;
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::search::transposition::WON;

/// What is seen of a position by who judges it.
#[derive(Clone, Copy, Debug)]
pub struct RegionView<P> {
    /// The cells that nobody in the game is or was on.
    pub free: P,
    /// Where each cycle is, by seat.
    pub heads: [Cell; MOST_SEATS],
    /// Who is in the game, as a mask.
    pub alive: u8,
    /// Whose turn it is.
    pub mover: usize,
}

impl<P: Bitboard> MultiplayerPosition<P> {
    /// Returns what the evaluation sees of the position when it is the turn of `mover`.
    #[inline]
    pub fn view(&self, mover: usize) -> RegionView<P> {
        RegionView { free: self.free, heads: self.heads, alive: self.alive, mover }
    }

    /// Those of the others that are to be reckoned with, as a mask: whose zones touch that of seat 0.
    pub fn near(&self) -> u8 {
        let regions = self.view(0).regions();
        let around = regions[0].spread();
        let touches = |seat: &usize| !around.and(regions[*seat]).is_empty();
        let near = (1..MOST_SEATS).filter(|&seat| self.is_alive(seat)).filter(touches);
        near.fold(0, |mask, seat| mask | 1 << seat)
    }
}

impl<P: Bitboard> RegionView<P> {
    #[inline(always)]
    fn is_alive(&self, seat: usize) -> bool {
        self.alive >> seat & 1 != 0
    }

    /// The free cells that each seat reaches before all others, a step each in turn from the mover on.
    #[inline(always)]
    pub fn regions(&self) -> [P; MOST_SEATS] {
        let mut spread = RegionGrowth::new(self);
        while spread.step(self.mover) {}
        spread.regions
    }

    /// The same where the walls of these go in time, which nobody in the game of this view is. It ends with the
    /// first step in which nobody reaches anything.
    #[inline(always)]
    pub fn regions_as_they_go(&self, enclosed: &EnclosedPlayers<P>) -> [P; MOST_SEATS] {
        let mut spread = RegionGrowth::new(self);
        let (mut left, mut step) = (enclosed.seats, 1);
        loop {
            let mut gone = P::NONE;
            for seat in (0..MOST_SEATS).filter(|&seat| enclosed.lives[seat] < step) {
                if left >> seat & 1 != 0 {
                    (gone, left) = (gone.or(enclosed.trails[seat]), left & !(1 << seat));
                }
            }
            if !gone.is_empty() {
                spread.free = spread.free.or(gone);
                // A cycle has left the cell that it starts from by then.
                spread.fronts = if step == 1 { spread.fronts } else { spread.regions };
            }
            if !spread.step(self.mover) {
                return spread.regions;
            }
            step += 1;
        }
    }
}

/// Those who are shut in, and go with their walls once they have filled their rooms.
#[derive(Clone, Copy, Debug)]
pub struct EnclosedPlayers<'a, P> {
    /// Who they are, as a mask.
    pub seats: u8,
    /// The ribbons of all, by seat.
    pub trails: &'a [P; MOST_SEATS],
    /// By seat, the step after which the walls of who is one go.
    pub lives: &'a [u32; MOST_SEATS],
}

/// Zones that grow step by step.
struct RegionGrowth<P> {
    free: P,
    fronts: [P; MOST_SEATS],
    regions: [P; MOST_SEATS],
}

impl<P: Bitboard> RegionGrowth<P> {
    #[inline(always)]
    fn new(view: &RegionView<P>) -> RegionGrowth<P> {
        let mut fronts = [P::NONE; MOST_SEATS];
        for seat in (0..MOST_SEATS).filter(|&seat| view.is_alive(seat)) {
            fronts[seat] = P::one(view.heads[seat]);
        }
        RegionGrowth { free: view.free, fronts, regions: [P::NONE; MOST_SEATS] }
    }

    /// Everybody takes a step, in turn from the mover on. Returns whether anything was reached.
    #[inline(always)]
    fn step(&mut self, mover: usize) -> bool {
        let mut any = P::NONE;
        for turn in mover..mover + MOST_SEATS {
            let seat = turn % MOST_SEATS;
            self.fronts[seat] = self.fronts[seat].spread().and(self.free);
            self.free = self.free.without(self.fronts[seat]);
            self.regions[seat] = self.regions[seat].or(self.fronts[seat]);
            any = any.or(self.fronts[seat]);
        }
        !any.is_empty()
    }
}

/// An estimate: what can be used of the own zone, less the mean of the others'. Where that is not above
/// `alpha` it may be too high, and so a bound.
#[inline(always)]
pub fn evaluate_view<P: Bitboard>(
    view: &RegionView<P>,
    alpha: i32,
    chambers: &mut ChamberTree,
) -> i32 {
    let regions = view.regions();
    let mut around = P::NONE;
    for seat in (1..MOST_SEATS).filter(|&seat| view.is_alive(seat)) {
        around = around.or(regions[seat].spread());
    }
    let ground = NeighbourCounts::of(view.free);
    let own = RegionEvaluator { ground: &ground, touched: around };
    let (mut others, mut count) = (0, 0);
    for seat in (1..MOST_SEATS).filter(|&seat| view.is_alive(seat)) {
        (others, count) = (others + own.most(regions[seat]), count + 1);
    }
    let mean = others / count.max(1);
    let most = own.most(regions[0]);
    if most - mean <= alpha {
        return most - mean;
    }
    if regions[0].and(around).is_empty() {
        return most.min(ROOM * room(regions[0], view.heads[0], chambers)) - mean;
    }
    own.counts(regions[0], view.heads[0], chambers).value() - mean
}

/// The value where seat 0 has nowhere to go. It is better off the more it has outlasted, and the later
/// it goes out.
pub fn lost<P: Bitboard>(multiplayer: &MultiplayerPosition<P>) -> i32 {
    let left = multiplayer.alive.count_ones() as i32;
    -(2 * WON) - left * 10_000 - multiplayer.free.count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tron::best::bitboards::{LargeGrid, SmallGrid};
    use crate::tron::best::multiplayer::lead::lead;
    use crate::tron::best::reference::{bitboards, multiplayer, owners};
    use crate::tron::best::simd::SimdBitboard;
    use arbitre_games::rng::Rng;

    /// A grid and its width; starts by seat, of whom some are in the game; who is to move.
    struct Random {
        free: Vec<bool>,
        width: usize,
        starts: Vec<usize>,
        alive: u8,
        mover: usize,
    }

    impl Random {
        fn new(rng: &mut Rng, largest: (usize, usize)) -> Random {
            let (width, height) = (1 + rng.below(largest.0), 4 + rng.below(largest.1 - 3));
            let density = 4 + rng.below(7);
            let mut free: Vec<bool> =
                (0..width * height).map(|_| rng.below(10) < density).collect();
            let mut starts: Vec<usize> = (0..free.len()).collect();
            rng.shuffle(&mut starts);
            starts.truncate(MOST_SEATS);
            starts.iter().for_each(|&start| free[start] = false);
            let alive = 1 | rng.below(1 << MOST_SEATS) as u8;
            Random { free, width, starts, alive, mover: rng.below(MOST_SEATS) }
        }

        fn to_cell(&self, cell: usize) -> Cell {
            Cell::new(cell % self.width, cell / self.width)
        }

        fn view<P: Bitboard>(&self) -> RegionView<P> {
            let free = bitboards(&self.free, self.width);
            let heads = std::array::from_fn(|seat| self.to_cell(self.starts[seat]));
            RegionView { free, heads, alive: self.alive, mover: self.mover }
        }

        /// The slow twin: a cell is whose who has the fewest steps to it, of several the next in turn.
        fn by_distance<P: Bitboard>(&self) -> [P; MOST_SEATS] {
            let seats = (self.mover..self.mover + MOST_SEATS).map(|turn| turn % MOST_SEATS);
            let seats: Vec<usize> = seats.filter(|seat| self.alive >> seat & 1 != 0).collect();
            let starts: Vec<usize> = seats.iter().map(|&seat| self.starts[seat]).collect();
            let mut regions = [P::NONE; MOST_SEATS];
            for (cell, owner) in owners(&self.free, self.width, &starts).into_iter().enumerate() {
                if let Some(owner) = owner {
                    regions[seats[owner]].insert(self.to_cell(cell));
                }
            }
            regions
        }
    }

    fn zones_agree<P: Bitboard + PartialEq + std::fmt::Debug>(seed: u64) {
        let random = Random::new(&mut Rng::new(seed), P::LARGEST);
        assert_eq!(random.view::<P>().regions(), random.by_distance::<P>(), "seed {seed}");
    }

    #[test]
    fn zones_are_told_by_distances() {
        for seed in 0..1000 {
            zones_agree::<SmallGrid>(seed);
        }
        for seed in 0..200 {
            zones_agree::<LargeGrid>(seed);
        }
    }

    /// The same on any plane, in registers or not; and what a bound from above cuts short is one.
    #[test]
    fn all_planes_give_the_same_estimates() {
        let mut chambers = ChamberTree::default();
        let mut shorter = 0;
        for seed in 0..1000 {
            let random = Random::new(&mut Rng::new(seed), SmallGrid::LARGEST);
            let (small, large) = (random.view::<SmallGrid>(), random.view::<LargeGrid>());
            let value = evaluate_view(&small, i32::MIN, &mut chambers);
            assert_eq!(
                SmallGrid::evaluate_view(&small, i32::MIN, &mut chambers),
                value,
                "seed {seed}"
            );
            assert_eq!(evaluate_view(&large, i32::MIN, &mut chambers), value, "seed {seed}");
            let bound = evaluate_view(&small, i32::MAX, &mut chambers);
            assert!(bound >= value, "seed {seed}");
            assert_eq!(evaluate_view(&small, bound - 1, &mut chambers), value, "seed {seed}");
            shorter += usize::from(bound > value);
        }
        assert!(shorter > 100, "{shorter}");
    }

    /// A corridor with seat 2 in it, and one more cell of its ribbon below seat 0. Where that goes at once, seat 0
    /// has six cells and 1 has four; later nobody comes to the cell below, which seat 0 has left then.
    #[test]
    fn walls_go_once_a_room_is_filled() {
        let drawn = multiplayer(&["0..cc2....1", "c##########"]);
        let view = RegionView { free: drawn.free, heads: drawn.heads, alive: 0b011, mover: 0 };
        let regions = |lives: u32| {
            let lives = [0, 0, lives, 0];
            let enclosed = EnclosedPlayers { seats: 0b100, trails: &drawn.trails, lives: &lives };
            let [one, two, ..] = view.regions_as_they_go(&enclosed);
            (one.count(), two.count())
        };
        let expected = [(6, 4), (5, 4), (5, 4), (4, 5), (4, 5), (2, 4)];
        // After four steps nobody gets on, and that is the end.
        assert_eq!([0, 1, 2, 3, 4, 5].map(regions), expected);
    }

    /// The same on any plane, in registers or not.
    #[test]
    fn all_planes_have_the_same_leads() {
        let mut rng = Rng::new(7);
        let mut inherited = 0;
        for seed in 0..500 {
            let random = Random::new(&mut Rng::new(seed), SmallGrid::LARGEST);
            let (small, large) = (random.view::<SmallGrid>(), random.view::<LargeGrid>());
            let seats = small.alive & !1 & rng.below(16) as u8;
            let lives = std::array::from_fn(|_| rng.below(6) as u32);
            let (small, large) = (
                RegionView { alive: small.alive & !seats, ..small },
                RegionView { alive: large.alive & !seats, ..large },
            );
            // Some of the cells that are not free are a ribbon of one of them.
            let trail: Vec<(bool, usize)> = random
                .free
                .iter()
                .map(|&free| (!free && rng.below(3) == 0, rng.below(4)))
                .collect();
            let of = |seat: usize| -> Vec<bool> {
                trail.iter().map(|&(is_one, whose)| is_one && whose == seat).collect()
            };
            let smalls: [SmallGrid; MOST_SEATS] =
                std::array::from_fn(|s| bitboards(&of(s), random.width));
            let larges: [LargeGrid; MOST_SEATS] =
                std::array::from_fn(|s| bitboards(&of(s), random.width));
            let small_ones = EnclosedPlayers { seats, trails: &smalls, lives: &lives };
            let large_ones = EnclosedPlayers { seats, trails: &larges, lives: &lives };
            let target = Some(1).filter(|_| small.alive & 2 != 0);
            let value = lead(&small, Some(&small_ones), 0, target);
            assert_eq!(SmallGrid::lead(&small, Some(&small_ones), 0, target), value, "seed {seed}");
            assert_eq!(lead(&large, Some(&large_ones), 0, target), value, "seed {seed}");
            inherited += usize::from(value != lead(&small, None, 0, target));
        }
        assert!(inherited > 50, "{inherited}");
    }
}
