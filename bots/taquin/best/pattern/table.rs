//! One pattern's table: for each placement of its tiles, how many of their slides bring them home,
//! whatever the other tiles do.

use super::build::{build, TableBuild};
use super::cell_sets::BlankZones;
use super::partition::Pattern;
use super::placement::{Placement, PlacementIndex};
use std::ops::Deref;
use std::sync::Arc;

/// A table. Where the blank's zone does not count an entry is by how much the slides exceed the
/// tiles' Manhattan distance, halved, in four bits. Where it counts a slide changes the slides that
/// are left by one, either way, and an entry is the one bit that tells which: the second lowest of
/// their number (compare T. Breyer, R. Korf, "1.6-bit pattern databases", 2010).
pub struct PatternTable {
    /// What it is of.
    pub pattern: Pattern,
    /// The numbers of its placements.
    pub index: Arc<PlacementIndex>,
    /// Where the blank's zone counts.
    zones: Option<Arc<BlankZones>>,
    /// The numbers of a block's entries.
    pub stride: usize,
    entries: TableEntries,
}

/// Entries, the first one of a byte lowest; kept wherever they are.
pub type TableEntries = Box<dyn Deref<Target = [u8]> + Send + Sync>;

impl PatternTable {
    /// The table of a pattern, made by so many threads. `progress` is told which part is done, from
    /// 0 to 1.
    pub fn build(
        pattern: Pattern,
        threads: usize,
        progress: &(dyn Fn(f64) + Sync),
    ) -> PatternTable {
        let Pattern { size, tiles, zoned } = &pattern;
        let index = Arc::new(PlacementIndex::new(size.0 * size.1, tiles.len()));
        let zones = BlankZones::new(*size, tiles.len());
        let plan = TableBuild { pattern: &pattern, threads, progress };
        let entries = build(&plan, &index, &zones);
        let (zones, stride) = (zoned.then(|| Arc::new(zones)), pattern.stride(&index));
        PatternTable { index, zones, stride, entries: Box::new(entries), pattern }
    }

    /// The table of a pattern with entries that were made before; none if they are not as many as
    /// it has.
    pub fn with_entries(pattern: Pattern, entries: TableEntries) -> Option<PatternTable> {
        let Pattern { size, tiles, zoned } = &pattern;
        let index = Arc::new(PlacementIndex::new(size.0 * size.1, tiles.len()));
        let zones = zoned.then(|| Arc::new(BlankZones::new(*size, tiles.len())));
        let stride = pattern.stride(&index);
        let table = PatternTable { index, zones, stride, entries, pattern };
        let bits = if table.pattern.zoned { 1 } else { 4 };
        (8 * table.entries.len() == bits * table.count()).then_some(table)
    }

    /// Uses the numbers and zones of another table with as many tiles, which are the same, so that
    /// less memory is looked at.
    pub fn share(&mut self, other: &PatternTable) {
        assert_eq!(self.pattern.size, other.pattern.size);
        assert_eq!(self.pattern.tiles.len(), other.pattern.tiles.len());
        assert_eq!(self.pattern.zoned, other.pattern.zoned);
        (self.index, self.zones) = (Arc::clone(&other.index), other.zones.clone());
    }

    /// The zones of the blank, where they count.
    pub fn zones(&self) -> Option<&BlankZones> {
        self.zones.as_deref()
    }

    /// Its entries, the first one of a byte lowest.
    pub fn entries(&self) -> &[u8] {
        &self.entries
    }

    /// How many entries it has room for.
    pub fn count(&self) -> usize {
        let blocks = self.zones().map_or(self.index.sets.count(), BlankZones::count);
        blocks * self.stride
    }

    /// The number of a placement's entry, with the blank on this cell.
    #[inline(always)]
    pub fn number(&self, placement: Placement, blank: usize) -> usize {
        let set_number = self.index.sets.number(placement.set);
        let block = self.zones().map_or(set_number, |zones| zones.number(set_number, blank));
        block * self.stride + self.index.orders.number(placement.order)
    }

    /// By how much the slides of a placement exceed the Manhattan distance of the tiles, halved, in
    /// a table that leaves the blank's zone out.
    #[inline]
    pub fn excess(&self, placement: Placement, blank: usize) -> u32 {
        let number = self.number(placement, blank);
        (self.entries[number / 2] >> (4 * (number % 2)) & 15).into()
    }

    /// The second lowest bit of the slides, where the blank's zone counts, by the number of the
    /// entry.
    #[inline(always)]
    pub fn bit(&self, number: usize) -> u32 {
        (self.entries[number / 8] >> (number % 8) & 1).into()
    }

    /// The slides that are left after one, where the blank's zone counts, by the number of the
    /// entry after it.
    #[inline]
    pub fn slides_after(&self, slides: u32, number: usize) -> u32 {
        match self.bit(number) == second_bit(slides + 1) {
            true => slides + 1,
            false => slides - 1,
        }
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        self.entries.len() + self.zones().map_or(0, BlankZones::bytes)
    }

    /// The placement on a board whose tiles are at these cells.
    pub fn placement(&self, cell_of_tile: impl Fn(u8) -> usize) -> Placement {
        let cells: Vec<usize> = self.pattern.tiles.iter().map(|&tile| cell_of_tile(tile)).collect();
        Placement::new(&cells)
    }
}

/// What a table whose entries are bits keeps of so many slides.
#[inline(always)]
pub fn second_bit(slides: u32) -> u32 {
    slides >> 1 & 1
}
