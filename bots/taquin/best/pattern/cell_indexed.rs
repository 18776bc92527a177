//! Tables once more, for searches that have no time for ranks: numbered by the cells of a pattern's
//! tiles, with room for placements that do not exist.

use super::cell_sets::{ones, BlankZones, CellSet, CombinationIndex};
use super::parts::for_each_part;
use super::placement::{count_below, put_in, TileOrder};
use super::table::PatternTable;
use crate::taquin::heuristics::Manhattan;
use std::ops::Not;

/// An entry: a bit for each [`pair`] of cells, between which the blank goes about for nothing: by
/// how much the slides exceed the Manhattan distance, halved, the lowest bit.
pub trait PairBits: Copy + Default + Not<Output = Self> + Into<u64> + Send + Sync {
    /// That of these bits.
    fn of(bits: u16) -> Self;
}

/// On boards of 4x4.
impl PairBits for u8 {
    fn of(bits: u16) -> u8 {
        bits as u8
    }
}

/// On boards of 5x5.
impl PairBits for u16 {
    fn of(bits: u16) -> u16 {
        bits
    }
}

/// The bit of a cell in an entry: two cells beside each other share one.
pub fn pair(columns: usize, cell: usize) -> usize {
    // Every other row is numbered backwards, so that the last cell of a row is beside the next one.
    let (row, column) = (cell / columns, cell % columns);
    (row * columns + if row % 2 == 0 { column } else { columns - 1 - column }) / 2
}

/// How many entries there are of a table.
pub fn room(table: &PatternTable) -> usize {
    let (size, tiles) = (table.pattern.size, &table.pattern.tiles);
    (size.0 * size.1).pow(tiles.len() as u32)
}

/// Writes the entries of a table that knows the zones of the blank, in so many threads. The cell of
/// the first slot is the last digit of an entry's number.
pub fn write<E: PairBits>(table: &PatternTable, entries: &mut [E], threads: usize) {
    let writer = CellIndexWriter::new(table);
    assert!(writer.cells.div_ceil(2) <= 8 * size_of::<E>() && entries.len() == room(table));
    let Some(slot) = table.pattern.tiles.len().checked_sub(2) else {
        return writer.place_first(&PlacedTiles::default(), entries);
    };
    // Work is dealt out by the cell of the last tile.
    let parts = entries.chunks_mut(entries.len() / writer.cells).enumerate();
    for_each_part(threads, parts, |(cell, entries)| {
        writer.place(slot, &writer.with(&PlacedTiles::default(), slot + 1, cell), entries);
    });
}

struct CellIndexWriter<'w> {
    table: &'w PatternTable,
    zones: &'w BlankZones,
    /// The table's.
    entries: &'w [u8],
    cells: usize,
    /// By block of the table: which bits of an entry are its zone's.
    masks: Vec<u16>,
    /// By slot and cell.
    distances: Vec<u32>,
}

/// The tiles of the last slots.
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
        for (number, set) in CombinationIndex::all(cells, tiles.len()).enumerate() {
            for zone in 0..zones.of_set(number).len() {
                let cells = ones(zones.cells(set, number, zone));
                masks.push(cells.fold(0, |mask, cell| mask | 1 << pair(size.1, cell)));
            }
        }
        let places = tiles.iter().flat_map(|&tile| (0..cells).map(move |cell| (tile, cell)));
        let distances =
            places.map(|(tile, cell)| manhattan.tile_distance(tile.into(), cell)).collect();
        CellIndexWriter { table, zones, entries: table.entries(), cells, masks, distances }
    }

    /// With the tile of one slot more on this free cell.
    fn with(&self, placed: &PlacedTiles, slot: usize, cell: usize) -> PlacedTiles {
        PlacedTiles {
            set: placed.set | 1 << cell,
            order: put_in(placed.order, slot, count_below(placed.set, cell)),
            distance: placed.distance + self.distances[slot * self.cells + cell],
        }
    }

    /// Places the tiles of the slots up to this one everywhere, and writes the entries, one after
    /// the other.
    fn place<E: PairBits>(&self, slot: usize, placed: &PlacedTiles, entries: &mut [E]) {
        if slot == 0 {
            return self.place_first(placed, entries);
        }
        let parts = entries.chunks_mut(entries.len() / self.cells);
        for (cell, entries) in parts.enumerate().filter(|(cell, _)| placed.set >> cell & 1 == 0) {
            self.place(slot - 1, &self.with(placed, slot, cell), entries);
        }
    }

    /// The same for the first slot, where the order of the tiles changes less often than the cell.
    fn place_first<E: PairBits>(&self, placed: &PlacedTiles, entries: &mut [E]) {
        let orders = &self.table.index.orders;
        let number = |passed| orders.number(put_in(placed.order, 0, passed));
        let (mut order, mut passed) = (number(0), 0);
        for (cell, entry) in entries.iter_mut().enumerate() {
            if placed.set >> cell & 1 != 0 {
                passed += 1;
                order = number(passed);
                continue;
            }
            let bits = self.bits(placed.set | 1 << cell, order);
            let is_odd = (placed.distance + self.distances[cell]) & 2 != 0;
            *entry = if is_odd { !E::of(bits) } else { E::of(bits) };
        }
    }

    /// The second lowest bit of the slides, for each pair of cells: that is what the table has.
    #[inline(always)]
    fn bits(&self, set: CellSet, order: usize) -> u16 {
        let set_number = self.table.index.sets.number(set);
        let blocks = self.zones.of_set(set_number);
        let bit = |block: usize| {
            let number = block * self.table.stride + order;
            self.masks[block] * u16::from(self.entries[number / 8] >> (number % 8) & 1)
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

    /// As many slides as a descent counts, wherever the blank is.
    #[test]
    fn an_entry_is_that_of_the_cell_of_the_blank() {
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
                let placement = table.placement(|tile| places[slot(tile).expect("it is one")]);
                let tile_distance = |(slot, &cell): (usize, &usize)| {
                    manhattan.tile_distance(table.pattern.tiles[slot].into(), cell)
                };
                let distance: u32 = places.iter().enumerate().map(tile_distance).sum();
                let excess = descent.slides(&table, placement, blank) - distance;
                let number = places.iter().rev().fold(0, |number, cell| number * cells + cell);
                let bit = entries[number] >> pair(size.1, blank) & 1;
                assert_eq!(u32::from(bit), (excess / 2) & 1, "{places:?} {blank}");
            }
        }
    }

    #[test]
    fn pairs_are_beside_each_other() {
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
