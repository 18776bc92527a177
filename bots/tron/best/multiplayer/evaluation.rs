//! Static evaluation of multiplayer positions for seat 0 by Voronoi regions.

use crate::tron::best::bitboards::{Bitboard, Cell, Loaded};
use crate::tron::best::chamber_tree::ChamberTree;
use crate::tron::best::evaluation::{room, NeighbourCounts, RegionEvaluator, ROOM};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::seats::{mask_of, seats, turns};
use arbitre_games::bitboard::out_of_line;
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::search::transposition::WON;

/// The part of a position that the evaluation reads.
#[derive(Clone, Copy, Debug)]
pub struct RegionView<P> {
    /// Cells free of walls and of the trails of players in the game.
    pub free: P,
    /// Head of each cycle, by seat.
    pub heads: [Cell; MOST_SEATS],
    /// Mask of the players in the game.
    pub alive: u8,
    /// Seat to move.
    pub mover: usize,
}

impl<P: Bitboard> MultiplayerPosition<P> {
    /// Returns what the evaluation sees of the position when it is the turn of `mover`.
    #[inline]
    pub fn view(&self, mover: usize) -> RegionView<P> {
        RegionView { free: self.free, heads: self.heads, alive: self.alive, mover }
    }

    /// Returns the mask of the other players whose regions touch that of seat 0.
    pub fn near(&self) -> u8 {
        let regions = self.view(0).regions();
        let around = regions[0].dilate();
        let touches = |seat: &usize| !around.and(regions[*seat]).is_empty();
        mask_of(seats(self.alive & !1).filter(touches))
    }
}

impl<P: Bitboard> RegionView<P> {
    /// Returns the view with its bitboard in another form.
    #[inline(always)]
    pub fn load<L: Loaded<Stored = P>>(&self) -> RegionView<L> {
        let &RegionView { ref free, heads, alive, mover } = self;
        RegionView { free: L::load(free), heads, alive, mover }
    }

    /// Returns the free cells that each seat reaches before all others, one step each in turn from
    /// the mover on.
    #[inline(always)]
    pub fn regions(&self) -> [P; MOST_SEATS] {
        let mut growth = RegionGrowth::new(self);
        while growth.step(self.mover) {}
        growth.regions
    }

    /// Returns the regions with the trails of enclosed players vanishing in time; none of these
    /// players is alive in the view. The first step that reaches no cell is the last.
    #[inline(always)]
    pub fn regions_in_time(&self, enclosed: &EnclosedPlayers<P>) -> [P; MOST_SEATS] {
        let mut growth = RegionGrowth::new(self);
        let (mut left, mut step) = (enclosed.seats, 1);
        loop {
            let mut gone = P::NONE;
            for seat in (0..MOST_SEATS).filter(|&seat| enclosed.lives[seat] < step) {
                if left >> seat & 1 != 0 {
                    (gone, left) = (gone.or(enclosed.trails[seat]), left & !(1 << seat));
                }
            }
            if !gone.is_empty() {
                growth.free = growth.free.or(gone);
                // A cycle has left the cell that it starts from by then.
                growth.fronts = if step == 1 { growth.fronts } else { growth.regions };
            }
            if !growth.step(self.mover) {
                return growth.regions;
            }
            step += 1;
        }
    }
}

/// Enclosed players, which are eliminated with their trails once they have filled their rooms.
#[derive(Clone, Copy, Debug)]
pub struct EnclosedPlayers<'a, P> {
    /// Mask of the enclosed players.
    pub seats: u8,
    /// Trails of all players, by seat.
    pub trails: &'a [P; MOST_SEATS],
    /// Step after which each enclosed player's trail vanishes.
    pub lives: &'a [u32; MOST_SEATS],
}

/// Voronoi regions that grow step by step.
struct RegionGrowth<P> {
    free: P,
    fronts: [P; MOST_SEATS],
    regions: [P; MOST_SEATS],
}

impl<P: Bitboard> RegionGrowth<P> {
    #[inline(always)]
    fn new(view: &RegionView<P>) -> RegionGrowth<P> {
        let mut fronts = [P::NONE; MOST_SEATS];
        for seat in seats(view.alive) {
            fronts[seat] = P::one(view.heads[seat]);
        }
        RegionGrowth { free: view.free, fronts, regions: [P::NONE; MOST_SEATS] }
    }

    /// Every player takes a step, in turn from the mover on. Returns `true` if a cell was reached.
    #[inline(always)]
    fn step(&mut self, mover: usize) -> bool {
        match P::IN_REGISTERS {
            true => self.step_of_all(mover),
            false => out_of_line(|mover| self.step_of_all(mover), mover),
        }
    }

    /// Implements [`RegionGrowth::step`].
    #[inline(always)]
    fn step_of_all(&mut self, mover: usize) -> bool {
        let mut any = P::NONE;
        for seat in turns(mover) {
            self.fronts[seat] = self.fronts[seat].dilate().and(self.free);
            self.free = self.free.and_not(self.fronts[seat]);
            self.regions[seat] = self.regions[seat].or(self.fronts[seat]);
            any = any.or(self.fronts[seat]);
        }
        !any.is_empty()
    }
}

/// Returns the usable value of seat 0's region less the mean of the others'. A result that is not
/// above `alpha` is an upper bound.
#[inline(always)]
pub fn evaluate_view<P: Loaded>(
    view: &RegionView<P::Stored>,
    alpha: i32,
    tree: &mut ChamberTree,
) -> i32 {
    let view = view.load::<P>();
    let regions = view.regions();
    let mut around = P::NONE;
    for seat in seats(view.alive & !1) {
        around = around.or(regions[seat].dilate());
    }
    let neighbours = NeighbourCounts::of(view.free);
    let own = RegionEvaluator { neighbours: &neighbours, touched: around };
    let (mut others, mut count) = (0, 0);
    for seat in seats(view.alive & !1) {
        (others, count) = (others + own.most(regions[seat]), count + 1);
    }
    let mean = others / count.max(1);
    let most = own.most(regions[0]);
    if most - mean <= alpha {
        return most - mean;
    }
    if regions[0].and(around).is_empty() {
        return most.min(ROOM * room(regions[0], view.heads[0], tree)) - mean;
    }
    own.counts(regions[0], view.heads[0], tree).value() - mean
}

/// Returns the value if seat 0 has no move. It is higher the more players are eliminated already,
/// and the later it happens.
pub fn lost<P: Bitboard>(position: &MultiplayerPosition<P>) -> i32 {
    let left = position.alive.count_ones() as i32;
    -(2 * WON) - left * 10_000 - position.free.count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tron::best::bitboards::{LargeGrid, SmallGrid};
    use crate::tron::best::multiplayer::lead;
    use crate::tron::best::reference::{bitboard, drawn, owners, RandomGrid};
    use crate::tron::best::simd::SimdBitboard;
    use arbitre_games::rng::Rng;

    /// Calls a function of its own, which would otherwise be compiled once for each call.
    #[inline(never)]
    fn lead<P: Loaded>(
        view: &RegionView<P::Stored>,
        enclosed: Option<&EnclosedPlayers<P::Stored>>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        lead::lead::<P>(view, enclosed, seat, target)
    }

    /// Draws a grid, a mask of seats in the game with seat 0, and the seat to move.
    fn random(seed: u64, largest: (usize, usize)) -> (RandomGrid, u8, usize) {
        let mut rng = Rng::new(seed);
        let grid = RandomGrid::new(&mut rng, (1, 4), largest);
        (grid, 1 | rng.below(1 << MOST_SEATS) as u8, rng.below(MOST_SEATS))
    }

    fn regions_agree<P: Bitboard + PartialEq + std::fmt::Debug>(seed: u64) {
        let (grid, alive, mover) = random(seed, P::LARGEST);
        let players: Vec<usize> = turns(mover).filter(|seat| alive >> seat & 1 != 0).collect();
        let starts: Vec<usize> = players.iter().map(|&seat| grid.heads[seat]).collect();
        let owners = owners(&grid.free, grid.width, &starts);
        let expected = std::array::from_fn(|seat| {
            let is_own = |owner: &Option<usize>| owner.is_some_and(|owner| players[owner] == seat);
            bitboard(&owners.iter().map(is_own).collect::<Vec<_>>(), grid.width)
        });
        assert_eq!(grid.players::<P>(alive).view(mover).regions(), expected, "seed {seed}");
    }

    #[test]
    fn cell_belongs_to_the_nearest_player() {
        (0..1000).for_each(regions_agree::<SmallGrid>);
        (0..200).for_each(regions_agree::<LargeGrid>);
    }

    /// All bitboards agree, in registers or not. A value that `alpha` cuts short is an upper bound.
    #[test]
    fn all_bitboards_give_the_same_values() {
        let mut tree = ChamberTree::default();
        let mut shorter = 0;
        for seed in 0..1000 {
            let (grid, alive, mover) = random(seed, SmallGrid::LARGEST);
            let small = grid.players::<SmallGrid>(alive).view(mover);
            let large = grid.players::<LargeGrid>(alive).view(mover);
            let mut value = |alpha| evaluate_view::<SmallGrid>(&small, alpha, &mut tree);
            let (exact, bound) = (value(i32::MIN), value(i32::MAX));
            assert!(bound >= exact && value(bound - 1) == exact, "seed {seed}");
            let in_registers = SmallGrid::evaluate_view(&small, i32::MIN, &mut tree);
            assert_eq!(in_registers, exact, "seed {seed}");
            let on_large = evaluate_view::<LargeGrid>(&large, i32::MIN, &mut tree);
            assert_eq!(on_large, exact, "seed {seed}");
            shorter += usize::from(bound > exact);
        }
        assert!(shorter > 100, "{shorter}");
    }

    /// A corridor with seat 2 in it, and one more cell of its trail below seat 0. Where the trail
    /// vanishes at once, seat 0 has six cells and seat 1 four. Later the cell below is not
    /// reached, as seat 0 has left.
    #[test]
    fn walls_vanish_once_a_room_is_filled() {
        let position = drawn(&["0..cc2....1", "c##########"]);
        let view = RegionView { alive: 0b011, ..position.view(0) };
        let regions = |life: u32| {
            let (trails, lives) = (&position.trails, &[0, 0, life, 0]);
            let enclosed = EnclosedPlayers { seats: 0b100, trails, lives };
            let [one, two, ..] = view.regions_in_time(&enclosed);
            (one.count(), two.count())
        };
        let expected = [(6, 4), (5, 4), (5, 4), (4, 5), (4, 5), (2, 4)];
        // After four steps no cell is reached, which ends the flood.
        assert_eq!([0, 1, 2, 3, 4, 5].map(regions), expected);
    }

    /// All bitboards agree, in registers or not.
    #[test]
    fn all_bitboards_give_the_same_leads() {
        let mut rng = Rng::new(7);
        let mut inherited = 0;
        for seed in 0..500 {
            let (grid, alive, mover) = random(seed, SmallGrid::LARGEST);
            let seats = alive & !1 & rng.below(16) as u8;
            let lives = &std::array::from_fn(|_| rng.below(6) as u32);
            let small = grid.players::<SmallGrid>(alive & !seats);
            let large = grid.players::<LargeGrid>(alive & !seats);
            let enclosed = Some(&EnclosedPlayers { seats, trails: &small.trails, lives });
            let on_large = Some(&EnclosedPlayers { seats, trails: &large.trails, lives });
            let target = Some(1).filter(|_| small.is_alive(1));
            let (small, large) = (small.view(mover), large.view(mover));
            let value = lead::<SmallGrid>(&small, enclosed, 0, target);
            assert_eq!(SmallGrid::lead(&small, enclosed, 0, target), value, "seed {seed}");
            assert_eq!(lead::<LargeGrid>(&large, on_large, 0, target), value, "seed {seed}");
            inherited += usize::from(value != lead::<SmallGrid>(&small, None, 0, target));
        }
        assert!(inherited > 50, "{inherited}");
    }
}
