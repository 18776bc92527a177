//! What a seat can count on that looks two rounds ahead: it steps, the nearest of the others step, whom it
//! takes to be against it, it steps, they step again, and it steps a last time. That is how most who know of
//! zones play.

use super::neighbours::{directions, SIDES};
use crate::tron::best::bitboards::{Bitboard, Cell};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::games::tron::MOST_SEATS;

/// So many of the others are reckoned with.
const AGAINST: usize = 2;
/// The turn of its last step, counted from that of its first.
const LAST: usize = 2 * MOST_SEATS;
/// What is left to who cannot step: less than any lead, and the less the sooner.
const STUCK: i32 = -10_000;

/// Looks ahead for a seat.
pub struct Lookahead {
    seat: usize,
    /// The nearest of the others, as a mask.
    against: u8,
    /// Whose zone is to be smaller than one's own: the nearest's, where it is not larger already.
    target: Option<usize>,
    /// By turn, the direction that was best where it was looked for last: it is tried first.
    best: [usize; LAST + 1],
    /// How many positions it has looked at.
    pub looks: u64,
}

impl Lookahead {
    /// For this seat, whose turn it is.
    pub fn new<P: SimdBitboard>(multiplayer: &MultiplayerPosition<P>, seat: usize) -> Lookahead {
        let others = nearest(multiplayer, seat);
        let target = others.first().copied();
        let target = target.filter(|_| P::lead(&multiplayer.view(seat), None, seat, target) >= 0);
        let against = others.iter().take(AGAINST).fold(0, |mask, other| mask | 1 << other);
        Lookahead { seat, against, target, best: [0; LAST + 1], looks: 1 }
    }

    /// What the seat has for sure after it went there: cells of its zone, less those of its target. Where
    /// that is not above `alpha` it may be less, and so this is a bound.
    pub fn after<P: SimdBitboard>(
        &mut self,
        multiplayer: &MultiplayerPosition<P>,
        to: Cell,
        alpha: i32,
    ) -> i32 {
        self.worth(&multiplayer.after(self.seat, to), 1, (alpha, i32::MAX))
    }

    /// The same where this turn is next. Not above `alpha`, or not below `beta`, it is a bound.
    fn worth<P: SimdBitboard>(
        &mut self,
        multiplayer: &MultiplayerPosition<P>,
        turn: usize,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        let mover = (self.seat + turn) % MOST_SEATS;
        let own = mover == self.seat;
        let steps = own || self.against >> mover & 1 != 0;
        let ways = if steps { multiplayer.free.ring(multiplayer.heads[mover]) & SIDES } else { 0 };
        match ways {
            0 if own => return STUCK + turn as i32,
            0 => return self.worth(multiplayer, turn + 1, (alpha, beta)),
            _ => {}
        }
        let beside = multiplayer.heads[mover].beside();
        let mut worth = if own { i32::MIN } else { i32::MAX };
        for direction in starting_with(self.best[turn], ways) {
            let next = multiplayer.after(mover, beside[direction]);
            let found = match turn {
                LAST => self.look(&next),
                _ => self.worth(&next, turn + 1, (alpha, beta)),
            };
            if (found > worth) == own {
                (worth, self.best[turn]) = (found, direction);
            }
            match own {
                true => alpha = alpha.max(found),
                false => beta = beta.min(found),
            }
            if alpha >= beta {
                break;
            }
        }
        worth
    }

    fn look<P: SimdBitboard>(&mut self, multiplayer: &MultiplayerPosition<P>) -> i32 {
        self.looks += 1;
        P::lead(&multiplayer.view((self.seat + 1) % MOST_SEATS), None, self.seat, self.target)
    }
}

/// The others that are nearest by free cells, [`AGAINST`] or more where several are as near, and those that
/// come first in turn first; without those whom it cannot come to.
fn nearest<P: Bitboard>(multiplayer: &MultiplayerPosition<P>, seat: usize) -> Vec<usize> {
    let turns = (seat + 1..seat + MOST_SEATS).map(|turn| turn % MOST_SEATS);
    let mut left: Vec<usize> = turns.filter(|&other| multiplayer.is_alive(other)).collect();
    let (mut free, mut front) = (multiplayer.free, P::one(multiplayer.heads[seat]));
    let mut nearest = Vec::with_capacity(left.len());
    while !front.is_empty() && nearest.len() < AGAINST {
        let reached = front.spread();
        nearest.extend(left.iter().filter(|&&other| reached.has(multiplayer.heads[other])));
        left.retain(|&other| !reached.has(multiplayer.heads[other]));
        front = reached.and(free);
        free = free.without(front);
    }
    nearest
}

/// The directions of a mask, this one first where it is one of them.
pub fn starting_with(first: usize, ways: u8) -> impl Iterator<Item = usize> {
    let first = ways & 1 << (2 * first);
    directions(first).chain(directions(ways ^ first))
}

#[cfg(test)]
mod tests {
    use super::super::lead::{largest_part, lead};
    use super::*;
    use crate::tron::best::bitboards::SmallGrid;
    use crate::tron::best::reference::{multiplayer, owners, steps};
    use arbitre_games::rng::Rng;

    /// The slow twin: everything is tried, and nothing is cut short.
    fn slowly(
        multiplayer: &MultiplayerPosition<SmallGrid>,
        lookahead: &Lookahead,
        turn: usize,
    ) -> i32 {
        let mover = (lookahead.seat + turn) % MOST_SEATS;
        let own = mover == lookahead.seat;
        let worths: Vec<i32> = match own || lookahead.against >> mover & 1 != 0 {
            _ if turn > LAST => return slow_lead(multiplayer, lookahead.seat, lookahead.target),
            false => Vec::new(),
            true => multiplayer
                .ways(mover)
                .map(|(_, to)| slowly(&multiplayer.after(mover, to), lookahead, turn + 1))
                .collect(),
        };
        match own {
            true => worths.into_iter().max().unwrap_or(STUCK + turn as i32),
            false => {
                let stays = || slowly(multiplayer, lookahead, turn + 1);
                worths.into_iter().min().unwrap_or_else(stays)
            }
        }
    }

    /// Who is sooner where is counted step by step, and so are the parts.
    fn slow_lead(
        multiplayer: &MultiplayerPosition<SmallGrid>,
        seat: usize,
        target: Option<usize>,
    ) -> i32 {
        let (width, height) = SmallGrid::LARGEST;
        let to_cell = |cell: usize| Cell::new(cell % width, cell / width);
        let cells = || 0..width * height;
        let free: Vec<bool> = cells().map(|cell| multiplayer.free.has(to_cell(cell))).collect();
        let turns = (1..=MOST_SEATS).map(|turn| (seat + turn) % MOST_SEATS);
        let turns: Vec<usize> = turns.filter(|&seat| multiplayer.is_alive(seat)).collect();
        let start =
            |&seat: &usize| cells().find(|&cell| to_cell(cell) == multiplayer.heads[seat]).unwrap();
        let owners = owners(&free, width, &turns.iter().map(start).collect::<Vec<_>>());
        let largest = |seat: usize| {
            let region = |cell: usize| owners[cell].is_some_and(|owner| turns[owner] == seat);
            let sides =
                cells().filter(|&cell| multiplayer.heads[seat].beside().contains(&to_cell(cell)));
            let part = |side: usize| {
                let others: Vec<bool> = cells().map(|cell| region(cell) && cell != side).collect();
                1 + steps(&others, width, &[side]).iter().filter(|&&to| to != usize::MAX).count()
            };
            sides.filter(|&side| region(side)).map(part).max().unwrap_or(0) as i32
        };
        largest(seat) - target.map_or(0, largest)
    }

    /// Four on a random grid.
    fn random(rng: &mut Rng, (columns, rows): (usize, usize)) -> MultiplayerPosition<SmallGrid> {
        let (width, height) = (4 + rng.below(columns - 3), 4 + rng.below(rows - 3));
        let mut cells = vec![b'#'; width * height];
        let density = 5 + rng.below(6);
        cells.iter_mut().filter(|_| rng.below(10) < density).for_each(|cell| *cell = b'.');
        let mut starts: Vec<usize> = (0..cells.len()).collect();
        rng.shuffle(&mut starts);
        (b'0'..=b'3').zip(starts).for_each(|(head, start)| cells[start] = head);
        let rows: Vec<&str> =
            cells.chunks(width).map(|row| std::str::from_utf8(row).unwrap()).collect();
        multiplayer(&rows)
    }

    /// Also where what is not above a bound is cut short, which then is one.
    #[test]
    fn it_finds_what_trying_everything_finds() {
        let mut rng = Rng::new(1);
        let (mut found, mut cut) = (0, 0);
        for number in 0..60 {
            let multiplayer = random(&mut rng, (7, 6));
            let seat = number % MOST_SEATS;
            let mut lookahead = Lookahead::new(&multiplayer, seat);
            for (_, to) in multiplayer.ways(seat) {
                let expected = slowly(&multiplayer.after(seat, to), &lookahead, 1);
                assert_eq!(lookahead.after(&multiplayer, to, i32::MIN), expected, "{number}");
                let alpha = rng.below(30) as i32 - 15;
                let bound = lookahead.after(&multiplayer, to, alpha);
                assert!(expected <= bound && (bound <= alpha || bound == expected), "{number}");
                (found, cut) = (found + 1, cut + usize::from(bound > expected));
            }
        }
        assert!(found > 50 && cut > 5, "{found} {cut}");
    }

    #[test]
    fn a_lead_is_told_by_steps() {
        let mut rng = Rng::new(2);
        let (mut in_parts, mut behind) = (0, 0);
        for number in 0..500 {
            let multiplayer = random(&mut rng, SmallGrid::LARGEST);
            let (seat, target) = (number % MOST_SEATS, number / MOST_SEATS % MOST_SEATS);
            let target = Some(target).filter(|&target| target != seat);
            let view = multiplayer.view((seat + 1) % MOST_SEATS);
            let expected = slow_lead(&multiplayer, seat, target);
            assert_eq!(lead(&view, None, seat, target), expected, "{number}");
            assert_eq!(SmallGrid::lead(&view, None, seat, target), expected, "{number}");
            let region = view.regions()[seat];
            in_parts += usize::from(largest_part(region, multiplayer.heads[seat]) < region.count());
            behind += usize::from(expected < 0);
        }
        assert!(in_parts > 20 && behind > 50, "{in_parts} {behind}");
    }

    /// In a corridor there is nothing to choose: after three steps it is three cells shorter.
    #[test]
    fn it_looks_two_rounds_ahead() {
        let multiplayer = multiplayer(&["0...........", "############", "1.2.......3."]);
        let beside = multiplayer.heads[0].beside();
        assert_eq!(
            Lookahead::new(&multiplayer, 0).after(&multiplayer, beside[1], i32::MIN),
            11 - 3
        );
    }

    /// It reckons with the nearest two, as the ways go; the nearest is its target where its zone is not larger.
    /// Who cannot come is nobody.
    #[test]
    fn the_nearest_are_against_it() {
        let of = |rows: &[&str], seat| {
            let lookahead = Lookahead::new(&multiplayer(rows), seat);
            (lookahead.against, lookahead.target)
        };
        let open = ["0....1....", "..........", "..2.......", ".........3"];
        assert_eq!(of(&open, 0), (0b0110, None));
        assert_eq!(of(&open, 2), (0b0011, Some(0)));
        let walled = ["0#1.......", ".#........", ".#........", "...2.....3"];
        assert_eq!(nearest(&multiplayer(&walled), 0), [2, 1]);
        assert_eq!(nearest(&multiplayer(&walled), 3), [2, 1]);
        let shut = ["0.#1......", "..#.......", ".2#......3"];
        assert_eq!(of(&shut, 0), (0b0100, Some(2)));
    }
}
