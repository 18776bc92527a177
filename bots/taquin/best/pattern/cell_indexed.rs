//! Cell-indexed tables, for searches too fast to compute ranks: entries are numbered by the cells
//! of a pattern's tiles, including impossible placements.

use super::cell_sets::{ones, BlankZones, CellSet, CombinationIndex};
use super::parts::for_each_part;
use super::placement::{count_below, put_in, TileOrder};
use super::table::PatternTable;
use crate::taquin::heuristics::Manhattan;
use std::ops::Not;

/// Entry with one bit for each [`pair`] of cells, between which the blank moves at no cost. The bit
/// is the lowest bit of half the excess of the slides over the Manhattan distance.
pub trait PairBits: Copy + Default + Not<Output = Self> + Into<u64> + Send + Sync {
    /// Creates an entry from its bits.
    fn of(bits: u16) -> Self;
}

/// Entry for boards up to 4x4.
impl PairBits for u8 {
    fn of(bits: u16) -> u8 {
        bits as u8
    }
}

/// Entry for boards up to 5x5.
impl PairBits for u16 {
    fn of(bits: u16) -> u16 {
        bits
    }
}

/// Returns the bit of a cell in an entry; two adjacent cells share one.
pub fn pair(columns: usize, cell: usize) -> usize {
    // Odd rows are numbered backwards, so that the last cell of a row is adjacent to the next
    // number.
    let (row, column) = (cell / columns, cell % columns);
    (row * columns + if row % 2 == 0 { column } else { columns - 1 - column }) / 2
}

/// Returns the number of entries of a table.
pub fn room(table: &PatternTable) -> usize {
    let (size, tiles) = (table.pattern.size, &table.pattern.tiles);
    (size.0 * size.1).pow(tiles.len() as u32)
}

/// Writes the entries of a table with zones, in `threads` threads. The cell of the first slot is
/// the last digit of an entry's index.
pub fn write<E: PairBits>(table: &PatternTable, entries: &mut [E], threads: usize) {
    let writer = CellIndexWriter::new(table);
    assert!(writer.cells.div_ceil(2) <= 8 * size_of::<E>() && entries.len() == room(table));
    let Some(slot) = table.pattern.tiles.len().checked_sub(2) else {
        return writer.place_first(&PlacedTiles::default(), entries);
    };
    // The cell of the last tile divides the entries into contiguous parts.
    let parts = entries.chunks_mut(entries.len() / writer.cells).enumerate();
    for_each_part(threads, parts, |(cell, entries)| {
        writer.place(slot, &writer.with(&PlacedTiles::default(), slot + 1, cell), entries);
    });
}

struct CellIndexWriter<'w> {
    table: &'w PatternTable,
    zones: &'w BlankZones,
    /// Entries of the table.
    entries: &'w [u8],
    cells: usize,
    /// Bits of the zone in an entry, by block of the table.
    masks: Vec<u16>,
    /// Manhattan distances by slot and cell.
    distances: Vec<u32>,
}

/// Tiles of the last slots.
#[derive(Clone, Copy, Default)]
struct PlacedTiles {
    set: CellSet,
    order: TileOrder,
    distance: u32,
}

impl<'w> CellIndexWriter<'w> {
    fn new(table: &'w PatternTable) -> CellIndexWriter<'w> {
        let (size, tiles) = (table.pattern.size, &table.pattern.tiles);
        let (cells, manhattan) = (size.0 * size.1, Manhattan::new(size.0, size.1));
        let zones = table.zones().expect("the zone of the blank counts");
        let mut masks = Vec::new();
        for (set_rank, set) in CombinationIndex::all(cells, tiles.len()).enumerate() {
            for zone in 0..zones.of_set(set_rank).len() {
                let cells = ones(zones.cells(set, set_rank, zone));
                masks.push(cells.fold(0, |mask, cell| mask | 1 << pair(size.1, cell)));
            }
        }
        let places = tiles.iter().flat_map(|&tile| (0..cells).map(move |cell| (tile, cell)));
        let distances =
            places.map(|(tile, cell)| manhattan.tile_distance(tile.into(), cell)).collect();
        CellIndexWriter { table, zones, entries: table.entries(), cells, masks, distances }
    }

    /// Returns `placed` with the tile of slot `slot` on the free cell `cell` as well.
    fn with(&self, placed: &PlacedTiles, slot: usize, cell: usize) -> PlacedTiles {
        PlacedTiles {
            set: placed.set | 1 << cell,
            order: put_in(placed.order, slot, count_below(placed.set, cell)),
            distance: placed.distance + self.distances[slot * self.cells + cell],
        }
    }

    /// Places the tiles of the slots up to `slot` on all cells, and writes the entries in order.
    fn place<E: PairBits>(&self, slot: usize, placed: &PlacedTiles, entries: &mut [E]) {
        if slot == 0 {
            return self.place_first(placed, entries);
        }
        let parts = entries.chunks_mut(entries.len() / self.cells);
        for (cell, entries) in parts.enumerate().filter(|(cell, _)| placed.set >> cell & 1 == 0) {
            self.place(slot - 1, &self.with(placed, slot, cell), entries);
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
            // Half the excess is `(slides - distance) / 2`. Both have the same parity, so its
            // lowest bit is the XOR of their second bits.
            let distance_bit = (placed.distance + self.distances[cell]) & 2 != 0;
            *entry = if distance_bit { !E::of(bits) } else { E::of(bits) };
        }
    }

    /// Returns the second lowest bit of the slides for each pair of cells, as stored in the table.
    #[inline(always)]
    fn bits(&self, set: CellSet, order_rank: usize) -> u16 {
        let set_rank = self.table.index.sets.rank(set);
        let blocks = self.zones.of_set(set_rank);
        let bit = |block: usize| {
            let at = block * self.table.stride + order_rank;
            self.masks[block] * u16::from(self.entries[at / 8] >> (at % 8) & 1)
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
            let manhattan = Manhattan::new(size.0, size.1);
            let table = PatternTable::build(Pattern { size, tiles, zoned: true }, 1, &|_| ());
            let descent = Descent::new(&table);
            let mut entries = vec![0u16; room(&table)];
            write(&table, &mut entries, threads);
            for _ in 0..2_000 {
                let mut places: Vec<usize> = (0..cells).collect();
                (0..=slots).for_each(|at| places.swap(at, at + rng.below(cells - at)));
                let (blank, places) = (places[slots], &places[..slots]);
                let slot = |tile: u8| table.pattern.tiles.iter().position(|&of| of == tile);
                let placement = table.placement(|tile| places[slot(tile).expect("own tile")]);
                let tile_distance = |(slot, &cell): (usize, &usize)| {
                    manhattan.tile_distance(table.pattern.tiles[slot].into(), cell)
                };
                let distance: u32 = places.iter().enumerate().map(tile_distance).sum();
                let excess = descent.slides(&table, placement, blank) - distance;
                let index = places.iter().rev().fold(0, |index, cell| index * cells + cell);
                let bit = entries[index] >> pair(size.1, blank) & 1;
                assert_eq!(u32::from(bit), (excess / 2) & 1, "{places:?} {blank}");
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
