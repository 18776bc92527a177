//! Cell-indexed tables, for searches too fast to compute ranks: entries are numbered by the cells
//! of a pattern's tiles, including impossible placements. The cells are the digits of the number,
//! so a slide adds a known step to it. The tables are larger than those by rank.

use super::cell_sets::{ones, BlankZones, CellSet, CombinationIndex};
use super::databases::{PatternDatabases, MOST_GROUPS};
use super::parts::for_each_part;
use super::placement::{count_below, put_in, TileOrder};
use super::table::PatternTable;
use crate::taquin::grid::{CAP, DIRECTIONS};
use arbitre_games::games::taquin::Board;
use arbitre_games::search::prefetch::prefetch;

/// Number of orientations of a board: plain, and reflected at the main diagonal.
const ORIENTATIONS: usize = 2;
/// Largest number of tiles of a group; tables of larger groups would be too large.
pub const MOST_TILES: usize = 6;

/// Entry with one bit for each pair of cells, between which the blank moves at no cost. The bit
/// is the second lowest bit of the slides.
pub trait PairBits: Copy + Default + Into<u32> + TryFrom<u16> + Send + Sync {}

/// Entry for boards up to 4x4.
impl PairBits for u8 {}

/// Entry for boards up to 5x5.
impl PairBits for u16 {}

/// Returns the bit of a cell in an entry; two adjacent cells share one.
pub fn pair(columns: usize, cell: usize) -> usize {
    // Odd rows are numbered backwards, so that the last cell of a row is adjacent to the next
    // number.
    let (row, column) = (cell / columns, cell % columns);
    (row * columns + if row % 2 == 0 { column } else { columns - 1 - column }) / 2
}

/// Cell-indexed tables of all groups, one after another, for square boards.
pub struct CellIndexedTables<E> {
    entries: Vec<E>,
    /// Step that a slide adds to the index of an entry, by direction of the blank and tile.
    steps: [[[u32; ORIENTATIONS]; CAP]; DIRECTIONS],
    /// Bit of the entry, by the blank's cell after a slide and tile.
    bits: [[[u8; ORIENTATIONS]; CAP]; CAP],
}

impl<E: PairBits> CellIndexedTables<E> {
    /// Builds the tables in `threads` threads. Returns `None` if a group has too many
    /// tiles, or the boards are not square.
    ///
    /// # Panics
    /// Panics if an entry has too few bits for the cells.
    pub fn new(patterns: &PatternDatabases, threads: usize) -> Option<Self> {
        let (side, columns) = patterns.size;
        let is_small = patterns.groups().all(|tiles| tiles.len() <= MOST_TILES);
        if side != columns || !is_small {
            return None;
        }
        let mut tables = CellIndexedTables {
            entries: vec![
                E::default();
                patterns.tables.iter().map(PatternTable::room_by_cells).sum()
            ],
            steps: Default::default(),
            bits: Default::default(),
        };
        let mut rest = &mut tables.entries[..];
        for table in &patterns.tables {
            let own;
            (own, rest) = rest.split_at_mut(table.room_by_cells());
            write(table, own, threads);
        }
        for lookup in lookups(patterns) {
            let (orientation, (view, _)) = (lookup / MOST_GROUPS, patterns.view_by_cells(lookup));
            for (slot, tile) in (0..).zip(view.tiles.iter().map(|&tile| usize::from(tile))) {
                for cell in 0..side * side {
                    tables.bits[cell][tile][orientation] = pair(side, view.cell(cell)) as u8;
                }
                // All slides in a direction have the same step, so one from each is enough.
                let slides = [(0, side), (0, 1), (1, 0), (side, 0)];
                for ((to, from), steps) in slides.into_iter().zip(&mut tables.steps) {
                    let step = view.cell(to).wrapping_sub(view.cell(from)) as u32;
                    let weight = (side * side).pow(slot) as u32;
                    steps[tile][orientation] = step.wrapping_mul(weight);
                }
            }
        }
        Some(tables)
    }

    /// Returns the index of the entry of each group in both orientations.
    pub fn indices(&self, patterns: &PatternDatabases, board: &Board) -> [u32; 2 * MOST_GROUPS] {
        let (cells, mut indices) = (board.cells(), [0; 2 * MOST_GROUPS]);
        for lookup in lookups(patterns) {
            let (view, first) = patterns.view_by_cells(lookup);
            let digit = |tile: &u8| {
                let cell = cells.iter().position(|other| other == tile);
                view.cell(cell.expect("every tile is on the board"))
            };
            let digits = view.tiles.iter().map(digit).rev();
            indices[lookup] =
                (first + digits.fold(0, |index, digit| index * cells.len() + digit)) as u32;
        }
        indices
    }

    /// Returns the index of a group's entry after a slide of `tile` from cell `from`, which is
    /// prefetched, and the bit in it. The blank moves in `direction`.
    #[inline(always)]
    pub fn look(
        &self,
        index: u32,
        lookup: usize,
        tile: usize,
        (from, direction): (usize, usize),
    ) -> (u32, u8) {
        let (orientation, tile) = (lookup / MOST_GROUPS % ORIENTATIONS, tile % CAP);
        let index = index.wrapping_add(self.steps[direction % DIRECTIONS][tile][orientation]);
        prefetch(self.entries.as_ptr().wrapping_add(index as usize));
        (index, self.bits[from % CAP][tile][orientation])
    }

    /// Returns a bit of an entry.
    #[inline(always)]
    pub fn bit(&self, index: u32, bit: u8) -> u32 {
        self.entries[index as usize].into() >> (bit & 15) & 1
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.entries[..])
    }
}

/// Returns the lookups of all groups in both orientations.
fn lookups(patterns: &PatternDatabases) -> impl Iterator<Item = usize> {
    let groups = patterns.groups().count();
    (0..2 * MOST_GROUPS).filter(move |lookup| lookup % MOST_GROUPS < groups)
}

/// Writes the entries of a table, in `threads` threads. The cell of the first slot is
/// the last digit of an entry's index.
fn write<E: PairBits>(table: &PatternTable, entries: &mut [E], threads: usize) {
    let writer = CellIndexWriter::new(table);
    assert!(
        writer.cells.div_ceil(2) <= 8 * size_of::<E>() && entries.len() == table.room_by_cells()
    );
    let Some(slot) = table.pattern.tiles.len().checked_sub(2) else {
        return writer.place_first(&PlacedTiles::default(), entries);
    };
    // The cell of the last tile divides the entries into contiguous parts.
    let parts = entries.chunks_mut(entries.len() / writer.cells).enumerate();
    for_each_part(threads, parts, |(cell, entries)| {
        writer.place(slot, &PlacedTiles::default().with(slot + 1, cell), entries);
    });
}

struct CellIndexWriter<'w> {
    table: &'w PatternTable,
    zones: &'w BlankZones,
    cells: usize,
    /// Bits of the zone in an entry, by block of the table.
    masks: Vec<u16>,
}

/// Tiles of the last slots.
#[derive(Clone, Copy, Default)]
struct PlacedTiles {
    set: CellSet,
    order: TileOrder,
}

impl PlacedTiles {
    /// Returns the tiles with that of slot `slot` on the free cell `cell` as well.
    fn with(self, slot: usize, cell: usize) -> PlacedTiles {
        let order = put_in(self.order, slot, count_below(self.set, cell));
        PlacedTiles { set: self.set | 1 << cell, order }
    }
}

impl<'w> CellIndexWriter<'w> {
    fn new(table: &'w PatternTable) -> CellIndexWriter<'w> {
        let (size, tiles) = (table.pattern.size, &table.pattern.tiles);
        let cells = size.0 * size.1;
        let zones = &table.zones;
        let mut masks = Vec::new();
        for (set_rank, set) in CombinationIndex::all(cells, tiles.len()).enumerate() {
            for zone in 0..zones.of_set(set_rank).len() {
                let cells = ones(zones.cells(set, set_rank, zone));
                masks.push(cells.fold(0, |mask, cell| mask | 1 << pair(size.1, cell)));
            }
        }
        CellIndexWriter { table, zones, cells, masks }
    }

    /// Places the tiles of the slots up to `slot` on all cells, and writes the entries in order.
    fn place<E: PairBits>(&self, slot: usize, placed: &PlacedTiles, entries: &mut [E]) {
        if slot == 0 {
            return self.place_first(placed, entries);
        }
        let parts = entries.chunks_mut(entries.len() / self.cells);
        for (cell, entries) in parts.enumerate().filter(|(cell, _)| placed.set >> cell & 1 == 0) {
            self.place(slot - 1, &placed.with(slot, cell), entries);
        }
    }

    /// Places the tile of the first slot on all cells. The rank of the order changes less often
    /// than the cell.
    fn place_first<E: PairBits>(&self, placed: &PlacedTiles, entries: &mut [E]) {
        let orders = &self.table.index.orders;
        let rank = |passed| orders.rank(put_in(placed.order, 0, passed));
        let (mut order_rank, mut passed) = (rank(0), 0);
        for (cell, entry) in entries.iter_mut().enumerate() {
            if placed.set >> cell & 1 != 0 {
                passed += 1;
                order_rank = rank(passed);
                continue;
            }
            let bits = self.bits(placed.set | 1 << cell, order_rank);
            *entry = E::try_from(bits).unwrap_or_default();
        }
    }

    /// Returns the second lowest bit of the slides for each pair of cells, as stored in the table.
    #[inline(always)]
    fn bits(&self, set: CellSet, order_rank: usize) -> u16 {
        let set_rank = self.table.index.sets.rank(set);
        let blocks = self.zones.of_set(set_rank);
        let bit = |block: usize| {
            let at = block * self.table.index.stride + order_rank;
            self.masks[block] * u16::from(self.table.entries()[at / 8] >> (at % 8) & 1)
        };
        blocks.fold(0, |bits, block| bits | bit(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::taquin::best::pattern::descent::Descent;
    use crate::taquin::best::pattern::partition::Pattern;
    use arbitre_games::rng::Rng;

    /// Entries must agree with the slides that a descent counts, wherever the blank is.
    #[test]
    fn entries_agree_with_descents() {
        let mut rng = Rng::new(7);
        for (size, tiles, threads) in
            [((5, 5), vec![7, 6, 12], 2), ((4, 4), vec![0, 1, 4, 14], 1), ((5, 5), vec![3], 1)]
        {
            let (cells, slots) = (size.0 * size.1, tiles.len());
            let table = PatternTable::build(Pattern { size, tiles }, 1, &|_| ());
            let descent = Descent::new(&table);
            let mut entries = vec![0u16; table.room_by_cells()];
            write(&table, &mut entries, threads);
            for _ in 0..2_000 {
                let mut places: Vec<usize> = (0..cells).collect();
                (0..=slots).for_each(|at| places.swap(at, at + rng.below(cells - at)));
                let (blank, places) = (places[slots], &places[..slots]);
                let slot = |tile: u8| table.pattern.tiles.iter().position(|&of| of == tile);
                let placement = table.placement(|tile| places[slot(tile).expect("own tile")]);
                let slides = descent.slides(&table, placement, blank);
                let index = places.iter().rev().fold(0, |index, cell| index * cells + cell);
                let bit = entries[index] >> pair(size.1, blank) & 1;
                assert_eq!(u32::from(bit), (slides / 2) & 1, "{places:?} {blank}");
            }
        }
    }

    #[test]
    fn paired_cells_are_adjacent() {
        for side in [4, 5] {
            for cell in 0..side * side {
                let (row, column) = (cell / side, cell % side);
                let others =
                    (0..side * side).filter(|&other| pair(side, other) == pair(side, cell));
                let apart =
                    |other: usize| (other / side).abs_diff(row) + (other % side).abs_diff(column);
                let apart: usize = others.map(apart).sum();
                assert!(apart == 1 || cell == side * side - 1 && apart == 0, "{cell}");
            }
        }
    }
}
