//! What a turn is about for a seat that goes by zones: who takes part, whose zone is to be smaller than its
//! own, and who is shut in and will be out before it.

use crate::tron::best::bitboards::Bitboard;
use crate::tron::best::position::MultiplayerPosition;
use arbitre_games::games::tron::MOST_SEATS;

/// Seats are in masks, bit `s` for seat `s`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Objective {
    /// Whose aim it is.
    pub seat: usize,
    /// Who moves: the seat, and who can come to cells of others, as long as the seat itself can.
    pub players: u8,
    /// Whose zones count: the seat's, and those of who can come to cells of others.
    pub regions: u8,
    /// By seat, how many steps the room of who is shut in has.
    pub lives: [u32; MOST_SEATS],
    /// Whose zone is to be smaller: the nearest's, where it is not larger already.
    pub target: Option<usize>,
    /// Who is shut in, and has less room than the seat controls.
    pub shorter: u8,
}

impl Objective {
    /// That of this seat, whose turn it is.
    pub fn of<P: Bitboard>(multiplayer: &MultiplayerPosition<P>, seat: usize) -> Objective {
        let regions = multiplayer.view(seat).regions();
        let alive = || (0..MOST_SEATS).filter(|&seat| multiplayer.is_alive(seat));
        let around = |seat: usize| regions[seat].or(P::one(multiplayer.heads[seat])).spread();
        let meets = |one: usize, other: usize| {
            let touches = |one: usize, other: usize| !around(one).and(regions[other]).is_empty();
            one != other && (touches(one, other) || touches(other, one))
        };
        let mask =
            |seats: &mut dyn Iterator<Item = usize>| seats.fold(0, |all, one| all | 1 << one);
        let open = mask(&mut alive().filter(|&seat| alive().any(|other| meets(seat, other))));
        let lives = std::array::from_fn(|seat| regions[seat].count());
        let shut = alive().filter(|&other| open >> other & 1 == 0);
        let shorter = mask(&mut shut.filter(|&other| lives[other] < lives[seat]));
        let nearest = nearest(multiplayer, seat, open);
        Objective {
            seat,
            players: if nearest.is_some() { open } else { 1 << seat },
            regions: open | 1 << seat,
            lives,
            target: nearest.filter(|&target| lives[target] <= lives[seat]),
            shorter,
        }
    }

    /// Those who move, in turn from the seat on.
    pub fn turns(&self) -> impl Iterator<Item = usize> + '_ {
        let turns = (self.seat..self.seat + MOST_SEATS).map(|turn| turn % MOST_SEATS);
        turns.filter(|&seat| self.players >> seat & 1 != 0)
    }
}

/// The nearest of these seats by free cells, of several the next in turn; none where the seat is shut in.
fn nearest<P: Bitboard>(
    multiplayer: &MultiplayerPosition<P>,
    seat: usize,
    open: u8,
) -> Option<usize> {
    let turns = || (seat + 1..seat + MOST_SEATS).map(|turn| turn % MOST_SEATS);
    let (mut free, mut front) = (multiplayer.free, P::one(multiplayer.heads[seat]));
    while open >> seat & 1 != 0 && !front.is_empty() {
        let reached = front.spread();
        let is_there =
            |other: &usize| open >> other & 1 != 0 && reached.has(multiplayer.heads[*other]);
        if let Some(nearest) = turns().find(is_there) {
            return Some(nearest);
        }
        front = reached.and(free);
        free = free.without(front);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tron::best::reference::multiplayer;

    /// Seat 3 is shut in with three cells. Of the others each can come to cells of each; the nearest of 0 is 1,
    /// and of 2 it is 1 as well, who has less than 0 and more than 2.
    #[test]
    fn it_goes_against_the_nearest_that_is_not_larger() {
        let multiplayer = multiplayer(&[
            "...3#.........",
            "#####.........",
            ".......1......",
            "..............",
            "..............",
            "....0......2..",
            "..............",
        ]);
        let of = |seat| Objective::of(&multiplayer, seat);
        assert_eq!([0, 2].map(|seat| of(seat).target), [Some(1), None]);
        assert_eq!(
            [0, 1, 2].map(|seat| (of(seat).players, of(seat).regions)),
            [(0b0111, 0b0111); 3]
        );
        assert_eq!([0, 1, 2].map(|seat| (of(seat).lives[3], of(seat).shorter)), [(3, 0b1000); 3]);
        assert_eq!(of(2).turns().collect::<Vec<_>>(), [2, 0, 1]);
    }

    /// Who is shut in plays alone, whatever the others do.
    #[test]
    fn who_is_shut_in_is_against_nobody() {
        let behind_walls = multiplayer(&["...3#..1......", "#####.......2.", "..0..........."]);
        let objective = Objective::of(&behind_walls, 3);
        assert_eq!(
            (objective.players, objective.regions, objective.target, objective.shorter),
            (0b1000, 0b1111, None, 0)
        );
        let beside_a_head = multiplayer(&["..01...2", "###....."]);
        let objective = Objective::of(&beside_a_head, 0);
        assert_eq!(
            (objective.players, objective.regions, objective.target),
            (0b0001, 0b0111, None)
        );
    }

    /// Heads that are side by side do not meet where each has its own room; one free cell beside both is enough.
    #[test]
    fn heads_meet_over_free_cells() {
        let apart = multiplayer(&["...01..."]);
        assert_eq!(Objective::of(&apart, 0).regions, 0b0001);
        let met = multiplayer(&["##.##", "#0.1#", "####."]);
        assert_eq!(Objective::of(&met, 1).players, 0b0011);
    }

    /// Of two that are as near, the next in turn.
    #[test]
    fn the_next_in_turn_is_nearer() {
        let multiplayer = multiplayer(&["1....", ".....", "..0..", ".....", "....2"]);
        assert_eq!(
            [0, 1, 2].map(|seat| nearest(&multiplayer, seat, 0b0111)),
            [Some(1), Some(0), Some(0)]
        );
        assert_eq!(nearest(&multiplayer, 0, 0b0101), Some(2));
    }
}
