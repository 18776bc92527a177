//! Table of one pattern: for each placement of its tiles, the number of their slides to the goal,
//! whatever the other tiles do.

use super::build::{build, TableBuild};
use super::cell_sets::BlankZones;
use super::partition::Pattern;
use super::placement::{Placement, PlacementIndex};
use std::ops::Deref;
use std::sync::Arc;

/// Pattern database of one pattern.
///
/// Without zones, an entry has four bits: half the excess of the slides over the tiles' Manhattan
/// distance. With zones, every slide changes the number of remaining slides by one. An entry is
/// then one bit that shows the direction: the second lowest bit of that number (compare T. Breyer,
/// R. Korf, "1.6-bit pattern databases", 2010).
pub struct PatternTable {
    /// The pattern.
    pub pattern: Pattern,
    /// Ranks of its placements.
    pub index: Arc<PlacementIndex>,
    /// Zones of the blank, if the table has them.
    zones: Option<Arc<BlankZones>>,
    /// Entries reserved for a block.
    pub stride: usize,
    entries: TableEntries,
}

/// Bytes of the entries, from a file or from memory. The first entry of a byte is in its lowest
/// bits.
pub type TableEntries = Box<dyn Deref<Target = [u8]> + Send + Sync>;

impl PatternTable {
    /// Builds the table of a pattern in `threads` threads. `progress` receives the share done, from
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

    /// Creates a table from existing entries. Returns `None` if their number is wrong.
    pub fn with_entries(pattern: Pattern, entries: TableEntries) -> Option<PatternTable> {
        let Pattern { size, tiles, zoned } = &pattern;
        let index = Arc::new(PlacementIndex::new(size.0 * size.1, tiles.len()));
        let zones = zoned.then(|| Arc::new(BlankZones::new(*size, tiles.len())));
        let stride = pattern.stride(&index);
        let table = PatternTable { index, zones, stride, entries, pattern };
        let bits = if table.pattern.zoned { 1 } else { 4 };
        (8 * table.entries.len() == bits * table.count()).then_some(table)
    }

    /// Shares the ranks and zones of another table with the same number of tiles, which are equal,
    /// so that a search touches less memory.
    pub fn share(&mut self, other: &PatternTable) {
        assert_eq!(self.pattern.size, other.pattern.size);
        assert_eq!(self.pattern.tiles.len(), other.pattern.tiles.len());
        assert_eq!(self.pattern.zoned, other.pattern.zoned);
        (self.index, self.zones) = (Arc::clone(&other.index), other.zones.clone());
    }

    /// Returns the zones of the blank, if the table has them.
    pub fn zones(&self) -> Option<&BlankZones> {
        self.zones.as_deref()
    }

    /// Returns the bytes of the entries. The first entry of a byte is in its lowest bits.
    pub fn entries(&self) -> &[u8] {
        &self.entries
    }

    /// Returns the number of entries for which there is room.
    pub fn count(&self) -> usize {
        let blocks = self.zones().map_or(self.index.sets.count(), BlankZones::count);
        blocks * self.stride
    }

    /// Returns the index of the entry of a placement, with the blank on cell `blank`.
    #[inline(always)]
    pub fn entry_index(&self, placement: Placement, blank: usize) -> usize {
        let set_rank = self.index.sets.rank(placement.set);
        let block = self.zones().map_or(set_rank, |zones| zones.zone_index(set_rank, blank));
        block * self.stride + self.index.orders.rank(placement.order)
    }

    /// Returns half the excess of a placement's slides over the Manhattan distance of its tiles, in
    /// a table without zones.
    #[inline]
    pub fn excess(&self, placement: Placement, blank: usize) -> u32 {
        let entry_index = self.entry_index(placement, blank);
        (self.entries[entry_index / 2] >> (4 * (entry_index % 2)) & 15).into()
    }

    /// Returns an entry of a table with zones: the second lowest bit of the slides.
    #[inline(always)]
    pub fn bit(&self, entry_index: usize) -> u32 {
        (self.entries[entry_index / 8] >> (entry_index % 8) & 1).into()
    }

    /// Returns the remaining slides after a slide, in a table with zones. `entry_index` is
    /// that of the entry after the slide.
    #[inline]
    pub fn slides_after(&self, slides: u32, entry_index: usize) -> u32 {
        // The count changed by one, and the second bit differs between the two candidates.
        match self.bit(entry_index) == second_bit(slides + 1) {
            true => slides + 1,
            false => slides - 1,
        }
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.len() + self.zones().map_or(0, BlankZones::bytes)
    }

    /// Returns the placement on a board whose tiles are on these cells.
    pub fn placement(&self, cell_of_tile: impl Fn(u8) -> usize) -> Placement {
        let cells: Vec<usize> = self.pattern.tiles.iter().map(|&tile| cell_of_tile(tile)).collect();
        Placement::new(&cells)
    }
}

/// Returns the bit that a table with zones stores for this number of slides.
#[inline(always)]
pub fn second_bit(slides: u32) -> u32 {
    slides >> 1 & 1
}
