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
/// With the zones of the blank, every slide changes the number of remaining slides by one. An entry
/// is one bit that shows the direction: the second lowest bit of that number (compare T. Breyer, R.
/// Korf, "1.6-bit pattern databases", 2010).
pub struct PatternTable {
    /// The pattern.
    pub pattern: Pattern,
    /// Ranks of its placements.
    pub index: Arc<PlacementIndex>,
    /// Zones of the blank.
    pub zones: Arc<BlankZones>,
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
        let (index, zones) = PatternTable::ranks(&pattern);
        let entries = build(&TableBuild { pattern: &pattern, threads, progress }, &index, &zones);
        PatternTable { index, zones, entries: Box::new(entries), pattern }
    }

    /// Creates a table from existing entries. Returns `None` if their number is wrong.
    pub fn with_entries(pattern: Pattern, entries: TableEntries) -> Option<PatternTable> {
        let (index, zones) = PatternTable::ranks(&pattern);
        let table = PatternTable { index, zones, entries, pattern };
        (8 * table.entries.len() == table.count()).then_some(table)
    }

    fn ranks(Pattern { size, tiles }: &Pattern) -> (Arc<PlacementIndex>, Arc<BlankZones>) {
        let index = PlacementIndex::new(size.0 * size.1, tiles.len());
        (Arc::new(index), Arc::new(BlankZones::new(*size, tiles.len())))
    }

    /// Shares the ranks and zones of another table with the same number of tiles, which are equal,
    /// so that a search touches less memory.
    pub fn share(&mut self, other: &PatternTable) {
        assert_eq!(self.pattern.size, other.pattern.size);
        assert_eq!(self.pattern.tiles.len(), other.pattern.tiles.len());
        (self.index, self.zones) = (Arc::clone(&other.index), Arc::clone(&other.zones));
    }

    /// Returns the bytes of the entries. The first entry of a byte is in its lowest bits.
    pub fn entries(&self) -> &[u8] {
        &self.entries
    }

    /// Returns the number of entries for which there is room.
    pub fn count(&self) -> usize {
        self.zones.count() * self.index.stride
    }

    /// Returns the number of entries of a copy that is indexed by cells.
    pub fn room_by_cells(&self) -> usize {
        let Pattern { size, tiles } = &self.pattern;
        (size.0 * size.1).pow(tiles.len() as u32)
    }

    /// Returns the index of the entry of a placement, with the blank on cell `blank`.
    #[inline(always)]
    pub fn entry_index(&self, placement: Placement, blank: usize) -> usize {
        let set_rank = self.index.sets.rank(placement.set);
        let block = self.zones.zone_index(set_rank, blank);
        block * self.index.stride + self.index.orders.rank(placement.order)
    }

    /// Returns an entry: the second lowest bit of the slides.
    #[inline(always)]
    pub fn bit(&self, entry_index: usize) -> u32 {
        (self.entries[entry_index / 8] >> (entry_index % 8) & 1).into()
    }

    /// Returns the remaining slides after a slide. `entry_index` is that of the entry after it.
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
        self.entries.len() + self.zones.bytes()
    }

    /// Returns the placement on a board whose tiles are on these cells.
    pub fn placement(&self, cell_of_tile: impl Fn(u8) -> usize) -> Placement {
        let cells: Vec<usize> = self.pattern.tiles.iter().map(|&tile| cell_of_tile(tile)).collect();
        Placement::new(&cells)
    }
}

/// Returns the bit that a table stores for this number of slides.
#[inline(always)]
pub fn second_bit(slides: u32) -> u32 {
    slides >> 1 & 1
}
