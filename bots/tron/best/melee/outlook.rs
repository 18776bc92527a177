//! What a seat can count on that looks a round ahead: it steps, the nearest of the others step, whom it
//! takes to be against it, and it steps once more. That is how most who know of zones play.

use super::judge::View;
use super::ring::{directions, SIDES};
use super::Melee;
use crate::bots::tron::best::plane::{Plane, Spot};
use crate::bots::tron::best::wide::Wide;
use crate::games::tron::MOST_SEATS;

/// So many of the others are reckoned with.
const AGAINST: usize = 2;
/// What is left to who cannot step: less than any lead.
const STUCK: i32 = -10_000;

/// Looks ahead for a seat.
pub struct Outlook {
    seat: usize,
    /// The nearest of the others, as a mask.
    against: u8,
    /// Whose zone is to be smaller than one's own: the nearest's, where it is not larger already.
    target: Option<usize>,
    /// How many positions it has looked at.
    pub looks: u64,
}

impl Outlook {
    /// For this seat, whose turn it is; others are in the game.
    pub fn new<P: Wide>(melee: &Melee<P>, seat: usize) -> Outlook {
        let steps = |other: &usize| melee.heads[seat].steps_to(melee.heads[*other]);
        let others = (seat + 1..seat + MOST_SEATS).map(|turn| turn % MOST_SEATS);
        let mut others: Vec<usize> = others.filter(|&other| melee.is_alive(other)).collect();
        others.sort_by_key(steps);
        let target = others.first().copied();
        let target = target.filter(|_| P::lead(&melee.view(seat), seat, target) >= 0);
        let against = others.iter().take(AGAINST).fold(0, |mask, other| mask | 1 << other);
        Outlook { seat, against, target, looks: 1 }
    }

    /// What the seat has for sure after it went there: cells of its zone, less those of its target.
    pub fn after<P: Wide>(&mut self, melee: &Melee<P>, to: Spot) -> i32 {
        self.least(&melee.after(self.seat, to), self.seat + 1, i32::MAX)
    }

    /// The least that the seat has once all from this turn on have stepped, or more than the bound.
    fn least<P: Wide>(&mut self, melee: &Melee<P>, turn: usize, mut bound: i32) -> i32 {
        let mover = turn % MOST_SEATS;
        if mover == self.seat {
            return self.most(melee, bound);
        }
        let steps = self.against >> mover & 1 != 0;
        let ways = if steps { melee.free.ring(melee.heads[mover]) & SIDES } else { 0 };
        if ways == 0 {
            return self.least(melee, turn + 1, bound);
        }
        let beside = melee.heads[mover].beside();
        for way in directions(ways) {
            bound = bound.min(self.least(&melee.after(mover, beside[way]), turn + 1, bound));
        }
        bound
    }

    /// The most that the seat has after its next step, or something from the bound on.
    fn most<P: Wide>(&mut self, melee: &Melee<P>, bound: i32) -> i32 {
        let head = melee.heads[self.seat];
        let (ways, beside) = (melee.free.ring(head) & SIDES, head.beside());
        let mut most = STUCK;
        for way in directions(ways) {
            if most >= bound {
                break;
            }
            self.looks += 1;
            let view = melee.after(self.seat, beside[way]).view((self.seat + 1) % MOST_SEATS);
            most = most.max(P::lead(&view, self.seat, self.target));
        }
        most
    }
}

/// How many cells the zone of a seat has, less those that the zone of its target has.
#[inline(always)]
pub fn lead<P: Plane>(view: &View<P>, seat: usize, target: Option<usize>) -> i32 {
    let zones = view.zones();
    let cells = |seat: usize| zones[seat].count() as i32;
    cells(seat) - target.map_or(0, cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::tron::best::plane::Small;
    use crate::bots::tron::best::slow::{melee, steps};
    use crate::rng::Rng;

    /// The slow twin: everything is tried, and who is sooner where is counted step by step.
    fn slowly(melee: &Melee<Small>, outlook: &Outlook, turn: usize) -> i32 {
        let (seat, mover) = (outlook.seat, turn % MOST_SEATS);
        let ways =
            || melee.ways(mover).map(|(_, to)| slowly(&melee.after(mover, to), outlook, turn + 1));
        match turn {
            _ if turn == seat + MOST_SEATS + 1 => lead_of(melee, outlook),
            _ if turn == seat + MOST_SEATS => ways().max().unwrap_or(STUCK),
            _ if outlook.against >> mover & 1 != 0 && melee.ways(mover).next().is_some() => {
                ways().min().unwrap()
            }
            _ => slowly(melee, outlook, turn + 1),
        }
    }

    fn lead_of(melee: &Melee<Small>, outlook: &Outlook) -> i32 {
        let (width, height) = Small::LARGEST;
        let spot = |cell: usize| Spot::new(cell % width, cell / width);
        let free: Vec<bool> = (0..width * height).map(|cell| melee.free.has(spot(cell))).collect();
        let turns = (1..=MOST_SEATS).map(|turn| (outlook.seat + turn) % MOST_SEATS);
        let turns: Vec<usize> = turns.filter(|&seat| melee.is_alive(seat)).collect();
        let from = |seat: &usize| {
            let start = (0..free.len()).find(|&cell| spot(cell) == melee.heads[*seat]).unwrap();
            steps(&free, width, &[start])
        };
        let steps: Vec<Vec<usize>> = turns.iter().map(from).collect();
        let cells = |seat: usize| {
            let owner = |cell: &usize| {
                let nearest = (0..turns.len()).min_by_key(|&at| steps[at][*cell]).unwrap();
                turns[nearest] == seat && steps[nearest][*cell] != usize::MAX
            };
            (0..free.len()).filter(|&cell| free[cell]).filter(owner).count() as i32
        };
        cells(outlook.seat) - outlook.target.map_or(0, cells)
    }

    /// Four on a random grid.
    fn random(rng: &mut Rng) -> Melee<Small> {
        let (width, height) = (4 + rng.below(9), 4 + rng.below(7));
        let mut cells = vec![b'#'; width * height];
        let density = 5 + rng.below(6);
        cells.iter_mut().filter(|_| rng.below(10) < density).for_each(|cell| *cell = b'.');
        let mut starts: Vec<usize> = (0..cells.len()).collect();
        rng.shuffle(&mut starts);
        (b'0'..=b'3').zip(starts).for_each(|(head, start)| cells[start] = head);
        let rows: Vec<&str> =
            cells.chunks(width).map(|row| std::str::from_utf8(row).unwrap()).collect();
        melee(&rows)
    }

    #[test]
    fn it_finds_what_trying_everything_finds() {
        let mut rng = Rng::new(1);
        let (mut found, mut with_target) = (0, 0);
        for number in 0..60 {
            let melee = random(&mut rng);
            let seat = number % MOST_SEATS;
            let mut outlook = Outlook::new(&melee, seat);
            assert_eq!(outlook.against.count_ones(), 2);
            with_target += usize::from(outlook.target.is_some());
            for (_, to) in melee.ways(seat) {
                let expected = slowly(&melee.after(seat, to), &outlook, seat + 1);
                assert_eq!(outlook.after(&melee, to), expected, "{number}");
                found += 1;
            }
        }
        assert!(found > 50 && with_target > 10 && with_target < 50, "{found} {with_target}");
    }

    /// It reckons with the nearest two; the nearest is its target where its zone is not larger.
    #[test]
    fn the_nearest_are_against_it() {
        let rows = ["0....1....", "..........", "..2.......", ".........3"];
        let outlook = Outlook::new(&melee(&rows), 0);
        assert_eq!((outlook.against, outlook.target), (0b0110, None));
        let outlook = Outlook::new(&melee(&rows), 2);
        assert_eq!((outlook.against, outlook.target), (0b0011, Some(0)));
    }
}
