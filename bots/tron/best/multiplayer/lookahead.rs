//! Two-round lookahead of one player against its nearest rivals: it moves, they move, it moves,
//! they move, and it moves a last time. The search is paranoid. Most players that evaluate by
//! Voronoi regions play like this.

use super::neighbours::directions;
use super::reach::nearest;
use crate::tron::best::bitboards::Cell;
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use crate::tron::seats::mask_of;
use crate::tron::window::Window;
use arbitre_games::games::tron::MOST_SEATS;

/// Number of rivals that move. Two predict 88.9 % of choices in 79 us, all 91.2 % in 354 us (8655
/// choices of `tron breadth`, 2026-11-23, bots/tron/diary.md).
const AGAINST: usize = 2;
/// Turn of the last move, counted from that of the first.
const LAST: usize = 2 * MOST_SEATS;
/// Value if the player cannot move: below any lead, and lower the sooner it happens.
const STUCK: i32 = -10_000;

/// A two-round search for one seat.
pub struct Lookahead {
    seat: usize,
    /// Mask of the rivals that move.
    against: u8,
    /// Nearest rival, whose region is minimised; `None` if that region is larger than the seat's.
    target: Option<usize>,
    /// Last best direction by turn, which is tried first.
    best: [usize; LAST + 1],
    /// Number of positions evaluated.
    pub looks: u64,
}

impl Lookahead {
    /// Creates a search for the seat to move.
    pub fn new<P: SimdBitboard>(position: &MultiplayerPosition<P>, seat: usize) -> Lookahead {
        let rivals = nearest(position, seat, position.alive, AGAINST);
        let target = rivals.first().map(|&(rival, _)| rival);
        let target = target.filter(|_| P::lead(&position.view(seat), None, seat, target) >= 0);
        let against = mask_of(rivals.into_iter().map(|(rival, _)| rival).take(AGAINST));
        Lookahead { seat, against, target, best: [0; LAST + 1], looks: 1 }
    }

    /// Returns the guaranteed lead after a move: the cells of the seat's region less those of its
    /// target's. A lead that is not above `alpha` is a bound.
    pub fn after<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        to: Cell,
        alpha: i32,
    ) -> i32 {
        self.value(&position.after(self.seat, to), 1, Window { alpha, beta: i32::MAX })
    }

    /// Returns the lead with this turn next; outside the window, a bound.
    fn value<P: SimdBitboard>(
        &mut self,
        position: &MultiplayerPosition<P>,
        turn: usize,
        mut window: Window,
    ) -> i32 {
        let mover = (self.seat + turn) % MOST_SEATS;
        let own = mover == self.seat;
        let moves = own || self.against >> mover & 1 != 0;
        let ways = if moves { position.sides(mover) } else { 0 };
        match ways {
            0 if own => return STUCK + turn as i32,
            0 => return self.value(position, turn + 1, window),
            _ => {}
        }
        let beside = position.heads[mover].neighbours();
        let mut best = if own { i32::MIN } else { i32::MAX };
        for direction in starting_with(self.best[turn], ways) {
            let next = position.after(mover, beside[direction]);
            let value = match turn {
                LAST => self.look(&next),
                _ => self.value(&next, turn + 1, window),
            };
            if (value > best) == own {
                (best, self.best[turn]) = (value, direction);
            }
            if window.narrow(own, value) {
                break;
            }
        }
        best
    }

    fn look<P: SimdBitboard>(&mut self, position: &MultiplayerPosition<P>) -> i32 {
        self.looks += 1;
        P::lead(&position.view((self.seat + 1) % MOST_SEATS), None, self.seat, self.target)
    }
}

/// Returns the directions of a mask, this one first where it is one of them.
pub fn starting_with(first: usize, ways: u8) -> impl Iterator<Item = usize> {
    let first = ways & 1 << (2 * first);
    directions(first).chain(directions(ways ^ first))
}

#[cfg(test)]
mod tests {
    use super::super::lead::{largest_part, lead};
    use super::*;
    use crate::tron::best::bitboards::{Bitboard, SmallGrid};
    use crate::tron::best::reference::{drawn, owners, steps, RandomGrid};
    use crate::tron::seats::turns;
    use arbitre_games::rng::Rng;

    /// Reference: minimax without pruning.
    fn slowly(
        position: &MultiplayerPosition<SmallGrid>,
        lookahead: &Lookahead,
        turn: usize,
    ) -> i32 {
        let mover = (lookahead.seat + turn) % MOST_SEATS;
        let own = mover == lookahead.seat;
        let scores: Vec<i32> = match own || lookahead.against >> mover & 1 != 0 {
            _ if turn > LAST => return slow_lead(position, lookahead.seat, lookahead.target),
            false => Vec::new(),
            true => position
                .ways(mover)
                .map(|(_, to)| slowly(&position.after(mover, to), lookahead, turn + 1))
                .collect(),
        };
        match own {
            true => scores.into_iter().max().unwrap_or(STUCK + turn as i32),
            false => {
                let stays = || slowly(position, lookahead, turn + 1);
                scores.into_iter().min().unwrap_or_else(stays)
            }
        }
    }

    /// Returns the lead from step counts, cell by cell.
    fn slow_lead(
        position: &MultiplayerPosition<SmallGrid>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        let (width, height) = SmallGrid::LARGEST;
        let to_cell = |cell: usize| Cell::new(cell % width, cell / width);
        let cells = || 0..width * height;
        let free: Vec<bool> = cells().map(|cell| position.free.has(to_cell(cell))).collect();
        let turns: Vec<usize> = turns(seat + 1).filter(|&seat| position.is_alive(seat)).collect();
        let start =
            |&seat: &usize| cells().find(|&cell| to_cell(cell) == position.heads[seat]).unwrap();
        let owners = owners(&free, width, &turns.iter().map(start).collect::<Vec<_>>());
        let largest = |seat: usize| {
            let region = |cell: usize| owners[cell].is_some_and(|owner| turns[owner] == seat);
            let sides =
                cells().filter(|&cell| position.heads[seat].neighbours().contains(&to_cell(cell)));
            let part = |side: usize| {
                let others: Vec<bool> = cells().map(|cell| region(cell) && cell != side).collect();
                1 + steps(&others, width, &[side]).iter().filter(|&&to| to != usize::MAX).count()
            };
            sides.filter(|&side| region(side)).map(part).max().unwrap_or(0) as i32
        };
        largest(seat) - target.map_or(0, largest)
    }

    fn random(rng: &mut Rng, most: (usize, usize)) -> MultiplayerPosition<SmallGrid> {
        RandomGrid::new(rng, (4, 4), most).players(0b1111)
    }

    /// The values agree, and results not above alpha are bounds.
    #[test]
    fn lookahead_agrees_with_minimax() {
        let mut rng = Rng::new(1);
        let (mut found, mut cut) = (0, 0);
        for number in 0..60 {
            let position = random(&mut rng, (7, 6));
            let seat = number % MOST_SEATS;
            let mut lookahead = Lookahead::new(&position, seat);
            for (_, to) in position.ways(seat) {
                let expected = slowly(&position.after(seat, to), &lookahead, 1);
                assert_eq!(lookahead.after(&position, to, i32::MIN), expected, "{number}");
                let alpha = rng.below(30) as i32 - 15;
                let bound = lookahead.after(&position, to, alpha);
                assert!(expected <= bound && (bound <= alpha || bound == expected), "{number}");
                (found, cut) = (found + 1, cut + usize::from(bound > expected));
            }
        }
        assert!(found > 50 && cut > 5, "{found} {cut}");
    }

    #[test]
    fn leads_agree_with_step_counts() {
        let mut rng = Rng::new(2);
        let (mut in_parts, mut behind) = (0, 0);
        for number in 0..500 {
            let position = random(&mut rng, SmallGrid::LARGEST);
            let (seat, target) = (number % MOST_SEATS, number / MOST_SEATS % MOST_SEATS);
            let target = Some(target).filter(|&target| target != seat);
            let view = position.view((seat + 1) % MOST_SEATS);
            let expected = slow_lead(&position, seat, target);
            assert_eq!(lead::<SmallGrid>(&view, None, seat, target), expected, "{number}");
            assert_eq!(SmallGrid::lead(&view, None, seat, target), expected, "{number}");
            let region = view.regions()[seat];
            in_parts += usize::from(largest_part(region, position.heads[seat]) < region.count());
            behind += usize::from(expected < 0);
        }
        assert!(in_parts > 20 && behind > 50, "{in_parts} {behind}");
    }

    /// A corridor offers no choice: after three steps it is three cells shorter.
    #[test]
    fn lookahead_covers_two_rounds() {
        let position = drawn(&["0...........", "############", "1.2.......3."]);
        let beside = position.heads[0].neighbours();
        assert_eq!(Lookahead::new(&position, 0).after(&position, beside[1], i32::MIN), 11 - 3);
    }

    /// The two rivals nearest by free cells move; the nearest is the target if its region is not
    /// larger. Players out of reach do not count.
    #[test]
    fn nearest_rivals_move_in_the_lookahead() {
        let of = |rows: &[&str], seat| {
            let lookahead = Lookahead::new(&drawn(rows), seat);
            (lookahead.against, lookahead.target)
        };
        let open = ["0....1....", "..........", "..2.......", ".........3"];
        assert_eq!(of(&open, 0), (0b0110, None));
        assert_eq!(of(&open, 2), (0b0011, Some(0)));
        let walled = ["0#1.......", ".#........", ".#........", "...2.....3"];
        assert_eq!(nearest(&drawn(&walled), 0, 0b1111, AGAINST), [(2, 6), (1, 8)]);
        assert_eq!(nearest(&drawn(&walled), 3, 0b1111, AGAINST), [(2, 6), (1, 10)]);
        let shut = ["0.#1......", "..#.......", ".2#......3"];
        assert_eq!(of(&shut, 0), (0b0100, Some(2)));
    }
}
