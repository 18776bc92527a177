//! One pattern's table: for each placement of its tiles, how many of their slides bring them home, whatever
//! the other tiles do.

use super::build::{build, Plan};
use super::index::{Index, Placement};
use super::sets::Zones;
use crate::games::taquin::Size;
use std::ops::Deref;

/// A table. An entry is by how much the slides exceed the tiles' Manhattan distance, halved, in four bits.
pub struct Table {
    pattern: Pattern,
    index: Box<Index>,
    /// Where the blank's zone counts.
    zones: Option<Zones>,
    entries: Entries,
}

/// What a table is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The size of the boards.
    pub size: Size,
    /// Its tiles, by slot.
    pub tiles: Vec<u8>,
    /// Does the zone of the blank count? Else an entry is the least of all zones.
    pub zoned: bool,
}

/// Entries, two in a byte, the first one lower; kept wherever they are.
pub type Entries = Box<dyn Deref<Target = [u8]> + Send + Sync>;

impl Table {
    /// The table of a pattern, made by so many threads. `progress` is told which part is done, from 0 to 1.
    pub fn build(pattern: Pattern, threads: usize, progress: &(dyn Fn(f64) + Sync)) -> Table {
        let Pattern { size, tiles, zoned } = &pattern;
        let index = Box::new(Index::new(size.0 * size.1, tiles.len()));
        let zones = Zones::new(*size, tiles.len());
        let plan = Plan { size: *size, tiles, zoned: *zoned, threads, progress };
        let entries = build(&plan, &index, &zones);
        let zones = Some(zones).filter(|_| *zoned);
        Table { index, zones, entries: Box::new(entries), pattern }
    }

    /// The table of a pattern with entries that were made before; none if they are not as many as it has.
    pub fn with_entries(pattern: Pattern, entries: Entries) -> Option<Table> {
        let Pattern { size, tiles, zoned } = &pattern;
        let index = Box::new(Index::new(size.0 * size.1, tiles.len()));
        let zones = zoned.then(|| Zones::new(*size, tiles.len()));
        let table = Table { index, zones, entries, pattern };
        (table.entries.len() == table.count() / 2).then_some(table)
    }

    /// What it is of.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The numbers of its placements.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The zones of the blank, where they count.
    pub fn zones(&self) -> Option<&Zones> {
        self.zones.as_ref()
    }

    /// Its entries, two in a byte, the first one lower.
    pub fn entries(&self) -> &[u8] {
        &self.entries
    }

    /// How many entries it has room for.
    pub fn count(&self) -> usize {
        let blocks = self.zones.as_ref().map_or(self.index.sets().count(), Zones::count);
        blocks * self.index.stride()
    }

    /// The number of a placement's entry, with the blank on this cell.
    #[inline(always)]
    pub fn number(&self, placement: Placement, blank: usize) -> usize {
        match &self.zones {
            None => self.index.number(placement),
            Some(zones) => {
                let block = zones.number(self.index.sets().number(placement.set), blank);
                block * self.index.stride() + self.index.orders().number(placement.order)
            }
        }
    }

    /// By how much the slides of a placement exceed the Manhattan distance of the tiles, halved.
    #[inline]
    pub fn excess(&self, placement: Placement, blank: usize) -> u32 {
        let number = self.number(placement, blank);
        (self.entries[number / 2] >> (4 * (number % 2)) & 15).into()
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        self.entries.len() + self.zones.as_ref().map_or(0, Zones::bytes)
    }

    /// The placement on a board whose tiles are at these cells.
    pub fn placement(&self, cell_of_tile: impl Fn(u8) -> usize) -> Placement {
        let cells: Vec<usize> = self.pattern.tiles.iter().map(|&tile| cell_of_tile(tile)).collect();
        Placement::new(&cells)
    }
}
