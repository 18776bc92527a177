//! How many slides a placement needs, by a table that tells of each slide whether it leads nearer:
//! as many as lead home.

use super::cell_sets::{neighbours, ones, CellSet};
use super::memory::prefetch;
use super::placement::{slot_at, Placement};
use super::table::{second_bit, PatternTable};
use crate::taquin::heuristics::Manhattan;

/// A table with what the way home needs.
pub struct Descent {
    manhattan: Manhattan,
    beside: Vec<CellSet>,
    /// The number of the goal's entry.
    goal: usize,
}

/// A placement and the blank, with the number of their entry.
#[derive(Clone, Copy, Default)]
struct DescentNode {
    placement: Placement,
    blank: usize,
    number: usize,
}

impl Descent {
    /// For a table in which the zone of the blank counts.
    pub fn new(table: &PatternTable) -> Descent {
        let (rows, columns) = table.pattern.size;
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
    pub fn slides(&self, table: &PatternTable, placement: Placement, blank: usize) -> u32 {
        let mut node = DescentNode { placement, blank, number: table.number(placement, blank) };
        // All that is known of the slides at first is what four leaves of them.
        let odd = self.distance(table, placement) % 2;
        let left = 2 * table.bit(node.number) + odd;
        let mut slides = 0;
        while node.number != self.goal {
            slides += 1;
            let wanted = second_bit(left.wrapping_sub(slides));
            let near = self.after(table, &node);
            near.iter().for_each(|node| prefetch(table.entries(), node.number / 8));
            let is_nearer = |node: &&DescentNode| table.bit(node.number) == wanted;
            node = *near.iter().find(is_nearer).expect("a slide leads nearer");
        }
        slides
    }

    /// The Manhattan distance of the tiles.
    fn distance(&self, table: &PatternTable, placement: Placement) -> u32 {
        let of = |(at, cell): (usize, usize)| {
            let tile = table.pattern.tiles[slot_at(placement.order, at)];
            self.manhattan.tile_distance(tile.into(), cell)
        };
        ones(placement.set).enumerate().map(of).sum()
    }

    /// Where the slides lead that are possible while the blank goes about in its zone.
    fn after(&self, table: &PatternTable, node: &DescentNode) -> Vec<DescentNode> {
        let zones = table.zones().expect("the zone of the blank counts");
        let set = node.placement.set;
        let set_number = table.index.sets.number(set);
        let zone = zones.number(set_number, node.blank) - zones.before(set_number);
        let free = zones.cells(set, set_number, zone);
        let pairs =
            ones(set).flat_map(|from| ones(self.beside[from] & free).map(move |to| (from, to)));
        let slid = |(from, to)| {
            let placement = node.placement.after(from, to);
            DescentNode { placement, blank: from, number: table.number(placement, from) }
        };
        pairs.map(slid).collect()
    }
}
