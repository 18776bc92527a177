//! How many slides a placement needs, by a table that tells of each slide whether it leads nearer: as many as lead home.

use super::index::{slot_at, Placement};
use super::map::ask_for;
use super::sets::{neighbours, ones, Cells};
use super::table::{second_bit, Table};
use crate::taquin::heuristic::Manhattan;

/// A table with what the way home needs.
pub struct Descent {
    manhattan: Manhattan,
    beside: Vec<Cells>,
    /// The number of the goal's entry.
    goal: usize,
}

/// A placement and the blank, with the number of their entry.
#[derive(Clone, Copy, Default)]
struct Place {
    placement: Placement,
    blank: usize,
    number: usize,
}

impl Descent {
    /// For a table in which the zone of the blank counts.
    pub fn new(table: &Table) -> Descent {
        let (rows, columns) = table.pattern().size;
        let home = table.placement(usize::from);
        Descent {
            manhattan: Manhattan::new(rows, columns),
            beside: neighbours((rows, columns)),
            goal: table.number(home, rows * columns - 1),
        }
    }

    /// The slides of a placement with the blank on this cell.
    ///
    /// # Panics
    /// If the table is not what it should be.
    pub fn slides(&self, table: &Table, placement: Placement, blank: usize) -> u32 {
        let mut place = Place { placement, blank, number: table.number(placement, blank) };
        // All that is known of the slides at first is what four leaves of them.
        let odd = self.distance(table, placement) % 2;
        let left = 2 * table.bit(place.number) + odd;
        let mut slides = 0;
        while place.number != self.goal {
            slides += 1;
            let wanted = second_bit(left.wrapping_sub(slides));
            let near = self.after(table, &place);
            near.iter().for_each(|place| ask_for(table.entries(), place.number / 8));
            let is_nearer = |place: &&Place| table.bit(place.number) == wanted;
            place = *near.iter().find(is_nearer).expect("a slide leads nearer");
        }
        slides
    }

    /// The Manhattan distance of the tiles.
    fn distance(&self, table: &Table, placement: Placement) -> u32 {
        let of = |(at, cell): (usize, usize)| {
            let tile = table.pattern().tiles[slot_at(placement.order, at)];
            self.manhattan.of_tile(tile.into(), cell)
        };
        ones(placement.set).enumerate().map(of).sum()
    }

    /// Where the slides lead that are possible while the blank goes about in its zone.
    fn after(&self, table: &Table, place: &Place) -> Vec<Place> {
        let zones = table.zones().expect("the zone of the blank counts");
        let set = place.placement.set;
        let set_number = table.index().sets().number(set);
        let zone = zones.number(set_number, place.blank) - zones.before(set_number);
        let free = zones.cells(set, set_number, zone);
        let pairs =
            ones(set).flat_map(|from| ones(self.beside[from] & free).map(move |to| (from, to)));
        let slid = |(from, to)| {
            let placement = place.placement.after(from, to);
            Place { placement, blank: from, number: table.number(placement, from) }
        };
        pairs.map(slid).collect()
    }
}
