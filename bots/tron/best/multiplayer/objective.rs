//! The objective of a player that evaluates by Voronoi regions: the players still in contact, the
//! rival whose region it minimises, and the enclosed players that will be eliminated first.

use super::neighbours::{directions, sides_of, SIDES};
use super::reach::nearest;
use crate::tron::best::bitboards::Bitboard;
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::seats::{mask_of, seats, turns};
use arbitre_games::games::tron::MOST_SEATS;

/// The objective of a seat. Masks have bit `s` for seat `s`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Objective {
    /// The seat.
    pub seat: usize,
    /// Mask of the players that move: those in contact, or the seat alone where it is enclosed.
    pub players: u8,
    /// Mask of the players whose regions count: the seat, and those in contact.
    pub regions: u8,
    /// Number of cells in each seat's region: the life of an enclosed player, in steps.
    pub lives: [u32; MOST_SEATS],
    /// The nearest player in contact, and the number of steps to its head.
    pub nearest: Option<(usize, u32)>,
    /// The nearest player, if its region is minimised: it is no larger than the seat's.
    pub target: Option<usize>,
    /// Mask of the enclosed players with a smaller region than the seat's.
    pub shorter: u8,
}

impl Objective {
    /// Returns the objective of the seat to move.
    pub fn of<P: Bitboard>(position: &MultiplayerPosition<P>, seat: usize) -> Objective {
        let regions = position.view(seat).regions();
        let around = |seat: usize| regions[seat].or(P::one(position.heads[seat])).dilate();
        let touches = |one: usize, other: usize| !around(one).and(regions[other]).is_empty();
        let is_met = |&seat: &usize| {
            let mut others = seats(position.alive & !(1 << seat));
            others.any(|other| touches(seat, other) || touches(other, seat))
        };
        let open = mask_of(seats(position.alive).filter(is_met));
        let lives = std::array::from_fn(|seat| regions[seat].count());
        let enclosed = seats(position.alive & !open);
        let shorter = mask_of(enclosed.filter(|&other| lives[other] < lives[seat]));
        let rivals = if open >> seat & 1 != 0 { open } else { 0 };
        let nearest = nearest(position, seat, rivals, 1).first().copied();
        Objective {
            seat,
            players: if nearest.is_some() { open } else { 1 << seat },
            regions: open | 1 << seat,
            lives,
            nearest,
            target: nearest.map(|(near, _)| near).filter(|&near| lives[near] <= lives[seat]),
            shorter,
        }
    }

    /// Returns the first of these moves with the most walls. Moves beside walls of players that
    /// will be eliminated sooner are excluded, if others are left.
    pub fn closest<P: Bitboard>(&self, position: &MultiplayerPosition<P>, ways: u8) -> usize {
        let beside = position.heads[self.seat].neighbours();
        let shorter = seats(self.shorter);
        let walls = shorter.fold(P::NONE, |walls, seat| walls.or(position.trails[seat]));
        let opens = |direction: &usize| P::one(beside[*direction]).dilate().and(walls).is_empty();
        let open = sides_of(directions(ways).filter(opens));
        let free = |direction: &usize| {
            (position.free.neighbour_mask(beside[*direction]) & SIDES).count_ones()
        };
        let closest = directions(if open == 0 { ways } else { open }).min_by_key(free);
        closest.expect("the seat has a move")
    }

    /// Returns the players that move, in turn from the seat on.
    pub fn turns(&self) -> impl Iterator<Item = usize> + '_ {
        turns(self.seat).filter(|&seat| self.players >> seat & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tron::best::reference::drawn;

    /// Seat 3 is enclosed with three cells; the others are in contact with each other. Seat 1 is
    /// nearest to both 0 and 2. Its region is smaller than that of 0 and larger than that of 2.
    #[test]
    fn target_is_the_nearest_that_is_not_larger() {
        let position = drawn(&[
            "...3#.........",
            "#####.........",
            ".......1......",
            "..............",
            "..............",
            "....0......2..",
            "..............",
        ]);
        let of = |seat| Objective::of(&position, seat);
        assert_eq!([0, 2].map(|seat| of(seat).target), [Some(1), None]);
        assert_eq!(
            [0, 1, 2].map(|seat| (of(seat).players, of(seat).regions)),
            [(0b0111, 0b0111); 3]
        );
        assert_eq!([0, 1, 2].map(|seat| (of(seat).lives[3], of(seat).shorter)), [(3, 0b1000); 3]);
        assert_eq!(of(2).turns().collect::<Vec<_>>(), [2, 0, 1]);
    }

    /// An enclosed player moves alone.
    #[test]
    fn enclosed_player_has_no_target() {
        let behind_walls = drawn(&["...3#..1......", "#####.......2.", "..0..........."]);
        let objective = Objective::of(&behind_walls, 3);
        assert_eq!(
            (objective.players, objective.regions, objective.target, objective.shorter),
            (0b1000, 0b1111, None, 0)
        );
        let beside_a_head = drawn(&["..01...2", "###....."]);
        let objective = Objective::of(&beside_a_head, 0);
        assert_eq!(
            (objective.players, objective.regions, objective.target),
            (0b0001, 0b0111, None)
        );
    }

    /// Adjacent heads in separate rooms are not in contact; one free cell beside both is enough for
    /// contact.
    #[test]
    fn heads_meet_over_free_cells() {
        let apart = drawn(&["...01..."]);
        assert_eq!(Objective::of(&apart, 0).regions, 0b0001);
        let met = drawn(&["##.##", "#0.1#", "####."]);
        assert_eq!(Objective::of(&met, 1).players, 0b0011);
    }

    /// The next in turn is nearest of two players at equal distance.
    #[test]
    fn nearest_at_equal_distance_is_next_in_turn() {
        let position = drawn(&["1....", ".....", "..0..", ".....", "....2"]);
        assert_eq!([0, 1, 2].map(|seat| nearest(&position, seat, 0b0111, 1)[0].0), [1, 0, 0]);
        assert_eq!(nearest(&position, 0, 0b0101, 1), [(2, 4)]);
    }
}
