//! The search for three and four: alpha-beta for one against all others that are near, who are taken
//! to have nothing in mind but to harm him.

use super::evaluate::WON;
use super::plane::{Plane, Spot};
use crate::games::tron::{Direction, MOST_SEATS};
use crate::search::budget::{Budget, Meter};

/// A position, seat by seat from the one that searches on, in the order of play.
#[derive(Clone, Copy)]
pub struct Melee<P> {
    /// The cells that nobody in the game is or was on.
    pub free: P,
    /// The cells of each cycle.
    pub ribbons: [P; MOST_SEATS],
    /// Where each cycle is.
    pub heads: [Spot; MOST_SEATS],
    /// Who is in the game, as a mask.
    pub alive: u8,
}

/// What was found: the best way, its value, and the plies searched completely.
pub struct Finding {
    /// The best way.
    pub best: Direction,
    /// What the position is worth.
    pub value: i32,
    /// The plies that were searched completely.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
}

impl<P: Plane> Melee<P> {
    fn is_alive(&self, seat: usize) -> bool {
        self.alive >> seat & 1 != 0
    }

    fn ways(&self, seat: usize) -> impl Iterator<Item = (Direction, Spot)> + '_ {
        let to = move |way| (way, self.heads[seat].towards(way));
        Direction::ALL.into_iter().map(to).filter(|(_, spot)| self.free.has(*spot))
    }

    fn after(&self, seat: usize, to: Spot) -> Melee<P> {
        let mut next = *self;
        next.free.remove(to);
        next.ribbons[seat].insert(to);
        next.heads[seat] = to;
        next
    }

    /// The position once this seat is out: its ribbon is gone.
    fn without(&self, seat: usize) -> Melee<P> {
        let free = self.free.or(self.ribbons[seat]);
        Melee { free, alive: self.alive & !(1 << seat), ..*self }
    }

    /// The free cells that each reaches first, in the order of play from this seat on.
    fn zones(&self, first: usize) -> [P; MOST_SEATS] {
        let mut free = self.free;
        let mut zones = [P::NONE; MOST_SEATS];
        let mut fronts = self.heads.map(P::one);
        let order = (first..first + MOST_SEATS).map(|seat| seat % MOST_SEATS);
        let order: Vec<usize> = order.filter(|&seat| self.is_alive(seat)).collect();
        let mut grown = true;
        while grown {
            grown = false;
            for &seat in &order {
                fronts[seat] = fronts[seat].spread().and(free);
                free = free.without(fronts[seat]);
                zones[seat] = zones[seat].or(fronts[seat]);
                grown |= !fronts[seat].is_empty();
            }
        }
        zones
    }

    /// What the position is worth to seat 0: its zone, less the mean of the others'.
    fn evaluate(&self, mover: usize) -> i32 {
        let zones = self.zones(mover);
        let others: Vec<i32> = (1..MOST_SEATS)
            .filter(|&seat| self.is_alive(seat))
            .map(|seat| worth(zones[seat]))
            .collect();
        let around = zones[0].spread();
        let alone = (1..MOST_SEATS).all(|seat| around.and(zones[seat]).is_empty());
        let own = match alone {
            true => worth(zones[0]).min(room_of(zones[0], self.heads[0])),
            false => worth(zones[0]),
        };
        own - others.iter().sum::<i32>() / others.len().max(1) as i32
    }

    /// Those of the others that are to be reckoned with: whose zones touch that of seat 0.
    fn near(&self) -> u8 {
        let zones = self.zones(0);
        let around = zones[0].spread();
        let touches = |seat: &usize| !around.and(zones[*seat]).is_empty();
        let near = (1..MOST_SEATS).filter(|&seat| self.is_alive(seat)).filter(touches);
        near.fold(0, |mask, seat| mask | 1 << seat)
    }

    /// Searches for seat 0, deeper and deeper.
    ///
    /// # Panics
    /// If it has nowhere to go.
    pub fn search(&self, budget: Budget) -> Finding {
        let (best, _) = self.ways(0).next().expect("the mover has somewhere to go");
        let mut finding = Finding { best, value: 0, depth: 0, nodes: 0 };
        let mut search = Search { meter: Meter::new(budget), near: self.near() };
        let longest = search.meter.depth_limit().min(4 * (self.free.count() + 1));
        for depth in 1..=longest {
            if !search.root(self, depth, &mut finding) {
                break;
            }
            finding.depth = depth;
            if finding.value.abs() >= WON {
                break;
            }
        }
        finding.nodes = search.meter.nodes();
        finding
    }
}

struct Search {
    meter: Meter,
    /// Who moves besides seat 0.
    near: u8,
}

impl Search {
    fn root<P: Plane>(&mut self, root: &Melee<P>, depth: u32, finding: &mut Finding) -> bool {
        let mut ways: Vec<(Direction, Spot)> = root.ways(0).collect();
        ways.sort_by_key(|(way, _)| *way != finding.best);
        let mut alpha = -i32::MAX;
        for (way, to) in ways {
            let value = self.value(&root.after(0, to), 1, depth - 1, alpha, i32::MAX);
            if self.meter.stopped() {
                return false;
            }
            if value > alpha {
                alpha = value;
                (finding.best, finding.value) = (way, value);
            }
        }
        true
    }

    /// The value for seat 0, within (alpha, beta); outside it, a bound.
    fn value<P: Plane>(
        &mut self,
        melee: &Melee<P>,
        seat: usize,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        if self.meter.tick() {
            return 0;
        }
        let takes_part =
            |seat: usize| melee.is_alive(seat) && (seat == 0 || self.near >> seat & 1 != 0);
        let turns = (seat..seat + MOST_SEATS).map(|seat| seat % MOST_SEATS);
        let seat = { turns }.find(|&seat| takes_part(seat)).unwrap_or(0);
        if melee.alive == 1 {
            return 2 * WON;
        }
        if depth == 0 {
            return melee.evaluate(seat);
        }
        let next = (seat + 1) % MOST_SEATS;
        let mut best = None;
        for (_, to) in melee.ways(seat) {
            let value = self.value(&melee.after(seat, to), next, depth - 1, alpha, beta);
            if seat == 0 {
                best = best.max(Some(value));
                alpha = alpha.max(value);
            } else {
                best = Some(best.map_or(value, |best: i32| best.min(value)));
                beta = beta.min(value);
            }
            if alpha >= beta || self.meter.stopped() {
                break;
            }
        }
        match best {
            Some(best) => best,
            // Whoever outlasts more is better off, and the later he goes out.
            None if seat == 0 => {
                let left = melee.alive.count_ones() as i32;
                -(2 * WON) - left * 10_000 - melee.free.count() as i32
            }
            None => self.value(&melee.without(seat), next, depth - 1, alpha, beta),
        }
    }
}

/// What a zone counts for.
fn worth<P: Plane>(zone: P) -> i32 {
    55 * zone.count() as i32 + 194 * zone.edges() as i32
}

/// What a zone that nobody else can enter counts for: its moves, each as a cell with two edges. The
/// colours of the cells leave no more, as they alternate.
fn room_of<P: Plane>(zone: P, head: Spot) -> i32 {
    let other = zone.of_colour(1 - head.colour()).count() as i32;
    let same = zone.count() as i32 - other;
    (55 + 2 * 194) * (2 * other).min(2 * same + 1)
}
