//! Number of slides of a placement, found by descending to the goal. The table shows for each slide
//! whether it leads nearer, and the slides on the way are counted.

use super::cell_sets::{neighbours, ones, CellSet};
use super::placement::{slot_at, Placement};
use super::table::{second_bit, PatternTable};
use crate::taquin::heuristics::Manhattan;
use arbitre_games::search::prefetch::prefetch;

/// Data for descents in one table.
pub struct Descent {
    manhattan: Manhattan,
    beside: Vec<CellSet>,
    /// Index of the goal's entry.
    goal: usize,
}

/// Placement and blank, with the index of their entry.
#[derive(Clone, Copy, Default)]
struct DescentNode {
    placement: Placement,
    blank: usize,
    entry_index: usize,
}

impl Descent {
    /// Prepares descents in a table.
    pub fn new(table: &PatternTable) -> Descent {
        let (rows, columns) = table.pattern.size;
        let home = table.placement(usize::from);
        Descent {
            manhattan: Manhattan::new(rows, columns),
            beside: neighbours((rows, columns)),
            goal: table.entry_index(home, rows * columns - 1),
        }
    }

    /// Returns the number of slides of a placement with the blank on cell `blank`.
    ///
    /// # Panics
    /// Panics if the table is inconsistent.
    pub fn slides(&self, table: &PatternTable, placement: Placement, blank: usize) -> u32 {
        let entry_index = table.entry_index(placement, blank);
        let mut node = DescentNode { placement, blank, entry_index };
        // The entry and the parity of the distance give the number of slides modulo four.
        let odd = self.distance(table, placement) % 2;
        let left = 2 * table.bit(node.entry_index) + odd;
        let mut slides = 0;
        while node.entry_index != self.goal {
            slides += 1;
            let wanted = second_bit(left.wrapping_sub(slides));
            let near = self.after(table, &node);
            near.iter().for_each(|node| {
                prefetch(table.entries().as_ptr().wrapping_add(node.entry_index / 8))
            });
            // The count changes by one, so the second bit distinguishes nearer from farther.
            let is_nearer = |node: &&DescentNode| table.bit(node.entry_index) == wanted;
            node = *near.iter().find(is_nearer).expect("some slide leads nearer");
        }
        slides
    }

    /// Returns the Manhattan distance of the tiles.
    fn distance(&self, table: &PatternTable, placement: Placement) -> u32 {
        let of = |(at, cell): (usize, usize)| {
            let tile = table.pattern.tiles[slot_at(placement.order, at)];
            self.manhattan.tile_distance(tile.into(), cell)
        };
        ones(placement.set).enumerate().map(of).sum()
    }

    /// Returns the nodes after each slide that is possible while the blank moves within its zone.
    fn after(&self, table: &PatternTable, node: &DescentNode) -> Vec<DescentNode> {
        let (zones, set) = (&table.zones, node.placement.set);
        let set_rank = table.index.sets.rank(set);
        let zone = zones.zone_index(set_rank, node.blank) - zones.before(set_rank);
        let free = zones.cells(set, set_rank, zone);
        let pairs =
            ones(set).flat_map(|from| ones(self.beside[from] & free).map(move |to| (from, to)));
        let slid = |(from, to)| {
            let placement = node.placement.after(from, to);
            DescentNode { placement, blank: from, entry_index: table.entry_index(placement, from) }
        };
        pairs.map(slid).collect()
    }
}
