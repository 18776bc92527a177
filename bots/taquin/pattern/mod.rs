//! Additive pattern databases (R. Korf, A. Felner, "Disjoint pattern database heuristics", 2002): the tiles
//! are split into groups, and the slides that each group alone needs are added up. On a square board the
//! same tables serve the board reflected at its diagonal, and the larger of the two sums counts.

pub mod cache;
mod index;
mod table;

#[cfg(test)]
mod tests;

pub use table::Table;

use super::heuristic::{Heuristic, Manhattan, Slide};
use index::Key;
use std::path::Path;

/// The most groups.
const MOST_GROUPS: usize = 4;
/// The most cells: each has four bits in a key.
pub const MOST_CELLS: usize = 16;

/// The groups of 6, 6 and 3 tiles of the 15-puzzle.
pub const SIX_SIX_THREE: [&[u8]; 3] = [&[0, 4, 5, 8, 9, 12], &[6, 7, 10, 11, 13, 14], &[1, 2, 3]];

/// The heuristic for boards of one size.
pub struct Patterns {
    manhattan: Manhattan,
    tables: Vec<Table>,
    /// By tile.
    slots: [Slot; MOST_CELLS],
    /// The cell, and the tile, that is this one on the reflected board; none where that has another shape.
    mirror: Option<[u8; MOST_CELLS]>,
}

/// Where a tile is in the word that holds the cells of all, and the key of its group there.
#[derive(Clone, Copy, Default)]
struct Slot {
    group: u32,
    /// By how much its cell is shifted.
    shift: u32,
    /// By how much the key is shifted, and its bits.
    start: u32,
    mask: Key,
}

/// The estimate of a board, or of its reflection.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// The cells of all tiles, four bits each: the keys of all groups, one after the other.
    word: u64,
    /// By how much each group exceeds its Manhattan distance, halved: a byte each.
    excesses: u32,
}

impl Sum {
    /// That of all groups: the bytes added up.
    #[inline]
    fn excess(&self) -> u32 {
        self.excesses.wrapping_mul(0x0101_0101) >> 24
    }
}

/// An estimate.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    distance: u32,
    plain: Sum,
    reflected: Sum,
}

impl Patterns {
    /// The heuristic of these groups, each tile in one; the tables are made now.
    ///
    /// # Panics
    /// If a tile is in no group or in two, or there are too many groups or too large ones, or more than 16
    /// cells.
    pub fn build(rows: usize, columns: usize, groups: &[&[u8]]) -> Patterns {
        Patterns::kept(rows, columns, groups, None)
    }

    /// The same with tables that are kept in this folder: those that are not there are made, each by a thread
    /// of its own, and kept.
    ///
    /// # Panics
    /// As [`Patterns::build`].
    pub fn kept(rows: usize, columns: usize, groups: &[&[u8]], folder: Option<&Path>) -> Patterns {
        let table = |tiles: &[u8]| {
            let read = folder.and_then(|folder| cache::read(folder, rows, columns, tiles));
            read.unwrap_or_else(|| {
                let table = Table::build(rows, columns, tiles);
                folder.inspect(|folder| cache::write(folder, rows, columns, &table));
                table
            })
        };
        let tables = std::thread::scope(|scope| {
            let made: Vec<_> = groups.iter().map(|tiles| scope.spawn(|| table(tiles))).collect();
            made.into_iter().map(|thread| thread.join().expect("a table is made")).collect()
        });
        Patterns::of_tables(rows, columns, tables)
    }

    /// The same with tables that are all kept in this folder; none if one is not there.
    ///
    /// # Panics
    /// As [`Patterns::build`].
    pub fn found(rows: usize, columns: usize, groups: &[&[u8]], folder: &Path) -> Option<Patterns> {
        let tables = groups.iter().map(|tiles| cache::read(folder, rows, columns, tiles));
        tables.collect::<Option<_>>().map(|tables| Patterns::of_tables(rows, columns, tables))
    }

    fn of_tables(rows: usize, columns: usize, tables: Vec<Table>) -> Patterns {
        let groups: Vec<&[u8]> = tables.iter().map(Table::tiles).collect();
        let slots = slots(rows * columns - 1, &groups);
        let reflected = |cell: usize| (cell % columns * columns + cell / columns) as u8;
        let is_cell = |cell: usize| cell < rows * columns;
        let mirror = (rows == columns)
            .then(|| std::array::from_fn(|cell| if is_cell(cell) { reflected(cell) } else { 0 }));
        Patterns { manhattan: Manhattan::new(rows, columns), tables, slots, mirror }
    }

    /// The tables, one for each group.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// From scratch.
    fn sum(&self, tiles: usize, cell_of_tile: impl Fn(usize) -> usize) -> Sum {
        let place =
            |word, tile: usize| word | (cell_of_tile(tile) as u64) << self.slots[tile].shift;
        let word = (0..tiles).fold(0, place);
        // A group is looked up by each of its tiles.
        let look = |excesses, tile: usize| self.looked_up(word, excesses, &self.slots[tile]);
        Sum { word, excesses: (0..tiles).fold(0, look) }
    }

    /// The excesses once a tile with this slot went where the word says.
    #[inline]
    fn looked_up(&self, word: u64, excesses: u32, slot: &Slot) -> u32 {
        let excess =
            self.tables[slot.group as usize].excess((word >> slot.start) as Key & slot.mask);
        excesses & !(0xff << (8 * slot.group)) | excess << (8 * slot.group)
    }

    /// The sum after a tile went from one cell to another.
    #[inline]
    fn moved(&self, sum: &Sum, tile: usize, from: usize, to: usize) -> Sum {
        let slot = &self.slots[tile % MOST_CELLS];
        let word = sum.word ^ ((from ^ to) as u64) << slot.shift;
        Sum { word, excesses: self.looked_up(word, sum.excesses, slot) }
    }
}

/// By tile.
fn slots(tiles: usize, groups: &[&[u8]]) -> [Slot; MOST_CELLS] {
    assert!(groups.len() <= MOST_GROUPS);
    let mut slots = [None; MOST_CELLS];
    let mut start = 0;
    for (group, tiles) in (0..).zip(groups) {
        let bits = 4 * tiles.len() as u32;
        for (at, &tile) in (0..).zip(*tiles) {
            let slot = Slot { group, shift: start + 4 * at, start, mask: (1 << bits) - 1 };
            let before = slots[usize::from(tile)].replace(slot);
            assert!(before.is_none(), "tile {tile} is in two groups");
        }
        start += bits;
    }
    assert!(slots[..tiles].iter().all(Option::is_some), "every tile is in a group");
    slots.map(Option::unwrap_or_default)
}

impl Heuristic for Patterns {
    type Mark = Mark;

    fn mark(&self, cells: &[u8], blank: usize) -> Mark {
        let mut cell_of = [0; MOST_CELLS];
        (0..).zip(cells).for_each(|(cell, &tile)| cell_of[usize::from(tile)] = cell);
        let tiles = cells.len() - 1;
        let plain = self.sum(tiles, |tile| cell_of[tile]);
        let reflected = self.mirror.map(|mirror| {
            let through = |cell: usize| usize::from(mirror[cell]);
            self.sum(tiles, |tile| through(cell_of[through(tile)]))
        });
        let reflected = reflected.unwrap_or_default();
        Mark { distance: self.manhattan.of(cells, blank), plain, reflected }
    }

    fn estimate(&self, mark: &Mark) -> u32 {
        mark.distance + 2 * mark.plain.excess().max(mark.reflected.excess())
    }

    #[inline]
    fn after(&self, mark: &Mark, slide: &Slide, most: u32) -> Option<Mark> {
        let Slide { tile, from, to, .. } = *slide;
        let distance = mark.distance.wrapping_add_signed(self.manhattan.delta(slide));
        let plain = self.moved(&mark.plain, tile, from, to);
        if distance + 2 * plain.excess() > most {
            return None;
        }
        let Some(mirror) = &self.mirror else {
            return Some(Mark { distance, plain, reflected: mark.reflected });
        };
        let [tile, from, to] =
            [tile, from, to].map(|number| usize::from(mirror[number % MOST_CELLS]));
        let reflected = self.moved(&mark.reflected, tile, from, to);
        (distance + 2 * reflected.excess() <= most).then_some(Mark { distance, plain, reflected })
    }

    /// The least over all places of the blank can be one here and another one a slide further.
    fn is_consistent(&self) -> bool {
        false
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }
}
