//! What is in a zone for a cycle that must leave some of it behind: a zone falls into chambers, and
//! whoever goes through a door does not come back.

use super::plane::{Plane, Spot};
use crate::games::tron::Direction;

/// The most that `worth` finds in chambers one behind the other, from a head on, a door counting
/// for `door`.
pub fn best_way<P: Plane>(zone: P, head: Spot, worth: impl Fn(P) -> i32, door: i32) -> i32 {
    let cuts = cuts(zone);
    if cuts.is_empty() && !cuts_head(zone, head) {
        return worth(zone);
    }
    let mut walk = Walk { left: zone, rooms: zone.without(cuts), cuts, worth, door };
    walk.on_from(head)
}

/// The cells of a zone whose neighbours within it are not connected around them: where they are
/// nowhere else either, such a cell is a door.
pub fn cuts<P: Plane>(zone: P) -> P {
    let [up, right, down, left] = Direction::ALL.map(|way| zone.shifted(way));
    let corner = |side: P, way: Direction| side.shifted(way);
    let corners = [
        (up, right, corner(up, Direction::Right)),
        (right, down, corner(down, Direction::Right)),
        (down, left, corner(down, Direction::Left)),
        (left, up, corner(up, Direction::Left)),
    ];
    // Parts of the ring of neighbours: as many as there are sides, less those that a corner joins to
    // the next. More than one part is a cut.
    let (mut ends, mut more) = (P::NONE, P::NONE);
    for (side, next, corner) in corners {
        // A part ends at a side whose corner or next side is missing.
        let end = side.without(next.and(corner));
        more = more.or(ends.and(end));
        ends = ends.or(end);
    }
    more.and(zone)
}

/// Are the neighbours of the head in parts, so that it must choose?
fn cuts_head<P: Plane>(zone: P, head: Spot) -> bool {
    let mut with_head = zone;
    with_head.insert(head);
    cuts(with_head).has(head)
}

struct Walk<P, W> {
    /// What was not visited yet.
    left: P,
    /// What is no door.
    rooms: P,
    /// The doors.
    cuts: P,
    worth: W,
    door: i32,
}

impl<P: Plane, W: Fn(P) -> i32> Walk<P, W> {
    /// The most that there is beyond this cell, which was left behind.
    fn on_from(&mut self, from: Spot) -> i32 {
        let beside = Direction::ALL.map(|way| from.towards(way));
        beside.into_iter().map(|next| self.enter(next)).max().unwrap_or(0)
    }

    fn enter(&mut self, next: Spot) -> i32 {
        if !self.left.has(next) {
            return 0;
        }
        if self.cuts.has(next) {
            self.left.remove(next);
            return self.door + self.on_from(next);
        }
        let mut room = P::reach(self.rooms, next);
        room.insert(next);
        self.left = self.left.without(room);
        let mut doors = room.spread().and(self.cuts);
        let mut best = 0;
        while let Some(door) = doors.any() {
            doors.remove(door);
            best = best.max(self.enter(door));
        }
        (self.worth)(room) + best
    }
}

#[cfg(test)]
mod tests {
    use super::super::plane::Small;
    use super::*;
    use crate::rng::Rng;

    fn random(rng: &mut Rng) -> Small {
        let density = 3 + rng.below(7);
        let mut zone = Small::NONE;
        for cell in 0..9 * 8 {
            if rng.below(10) < density {
                zone.insert(Spot::new(1 + cell % 9, 1 + cell / 9));
            }
        }
        zone
    }

    /// The slow twin: the eight cells around, in order; the sides in it fall into runs.
    fn is_cut(zone: &Small, spot: Spot) -> bool {
        let [up, right, down, left] = Direction::ALL.map(|way| spot.towards(way));
        let beside = |side: Spot, way| side.towards(way);
        let ring = [
            up,
            beside(up, Direction::Right),
            right,
            beside(right, Direction::Down),
            down,
            beside(down, Direction::Left),
            left,
            beside(left, Direction::Up),
        ]
        .map(|around| zone.has(around));
        let sides = (0..8).step_by(2).filter(|&at| ring[at]);
        let ends = sides.filter(|&at| !(ring[at + 1] && ring[(at + 2) % 8]));
        zone.has(spot) && ends.count() > 1
    }

    #[test]
    fn doors_are_where_neighbours_are_apart() {
        let mut rng = Rng::new(2);
        for _ in 0..500 {
            let zone = random(&mut rng);
            let cuts = cuts(zone);
            for cell in 0..11 * 10 {
                let spot = Spot::new(cell % 11, cell / 11);
                assert_eq!(cuts.has(spot), is_cut(&zone, spot), "{zone:?} {spot:?}");
            }
        }
    }

    fn zone(picture: &str) -> (Small, Spot) {
        let (mut zone, mut head) = (Small::NONE, Spot::default());
        for (y, line) in picture.split('/').enumerate() {
            for (x, cell) in line.chars().enumerate() {
                match cell {
                    '.' => zone.insert(Spot::new(x, y)),
                    'A' => head = Spot::new(x, y),
                    _ => {}
                }
            }
        }
        (zone, head)
    }

    fn cells(picture: &str) -> i32 {
        let (zone, head) = zone(picture);
        best_way(zone, head, |cells: Small| cells.count() as i32, 1)
    }

    /// By hand.
    #[test]
    fn one_chamber_behind_each_is_counted() {
        assert_eq!(cells("A..../#####"), 4, "a corridor");
        assert_eq!(cells("..A...#/..#...#"), 6, "a head between two rooms");
        assert_eq!(cells("#...#.../A......./#...#..."), 9 + 1 + 9, "two rooms and a door");
        assert_eq!(cells("A..../...../....."), 14, "one room");
    }

    /// What is counted is in the zone once at most.
    #[test]
    fn no_cell_counts_twice() {
        let mut rng = Rng::new(4);
        for _ in 0..2000 {
            let mut zone = random(&mut rng);
            let head = Spot::new(1 + rng.below(9), 1 + rng.below(8));
            zone.remove(head);
            let counted = best_way(zone, head, |cells: Small| cells.count() as i32, 1);
            assert!((0..=zone.count() as i32).contains(&counted));
        }
    }
}
