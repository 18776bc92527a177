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
    /// By tile: its group, and by how much its key is shifted.
    slots: Vec<(u8, u8)>,
    /// The cell, and the tile, that is this one on the reflected board; none where that has another shape.
    reflected: Option<Vec<u8>>,
}

/// The estimate of a board, or of its reflection.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    keys: [Key; MOST_GROUPS],
    excesses: [u8; MOST_GROUPS],
    excess: u32,
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
        let mirror = |cell: usize| (cell % columns * columns + cell / columns) as u8;
        let reflected = (rows == columns).then(|| (0..rows * columns).map(mirror).collect());
        Patterns { manhattan: Manhattan::new(rows, columns), tables, slots, reflected }
    }

    /// The tables, one for each group.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    fn sum(&self, cell_of_tile: impl Fn(u8) -> usize) -> Sum {
        let mut sum = Sum::default();
        for (group, table) in self.tables.iter().enumerate() {
            sum.keys[group] = table.key(&cell_of_tile);
            let excess = table.excess(sum.keys[group]);
            sum.excesses[group] = excess as u8;
            sum.excess += excess;
        }
        sum
    }

    /// The sum after a tile went from one cell to another.
    #[inline]
    fn moved(&self, sum: &Sum, tile: usize, from: usize, to: usize) -> Sum {
        let (group, shift) = self.slots[tile];
        let (group, mut after) = (usize::from(group) % MOST_GROUPS, *sum);
        after.keys[group] ^= ((from ^ to) as Key) << shift;
        let excess = self.tables[group].excess(after.keys[group]);
        after.excess = sum.excess + excess - u32::from(sum.excesses[group]);
        after.excesses[group] = excess as u8;
        after
    }
}

/// By tile: its group, and by how much its key is shifted.
fn slots(tiles: usize, groups: &[&[u8]]) -> Vec<(u8, u8)> {
    assert!(groups.len() <= MOST_GROUPS);
    let mut slots = vec![None; tiles];
    for (group, tiles) in groups.iter().enumerate() {
        for (slot, &tile) in tiles.iter().enumerate() {
            let before = slots[usize::from(tile)].replace((group as u8, 4 * slot as u8));
            assert!(before.is_none(), "tile {tile} is in two groups");
        }
    }
    slots.into_iter().map(|slot| slot.expect("a group for every tile")).collect()
}

impl Heuristic for Patterns {
    type Mark = Mark;

    fn mark(&self, cells: &[u8], blank: usize) -> Mark {
        let mut cell_of = [0; MOST_CELLS];
        (0..).zip(cells).for_each(|(cell, &tile)| cell_of[usize::from(tile)] = cell);
        let plain = self.sum(|tile| cell_of[usize::from(tile)]);
        let mirrored = self.reflected.as_ref().map(|mirror| {
            let through = |cell: usize| usize::from(mirror[cell]);
            self.sum(|tile| through(cell_of[through(tile.into())]))
        });
        let reflected = mirrored.unwrap_or_default();
        Mark { distance: self.manhattan.of(cells, blank), plain, reflected }
    }

    fn estimate(&self, mark: &Mark) -> u32 {
        mark.distance + 2 * mark.plain.excess.max(mark.reflected.excess)
    }

    #[inline]
    fn after(&self, mark: &Mark, slide: &Slide, most: u32) -> Option<Mark> {
        let Slide { tile, from, to, .. } = *slide;
        let distance = mark.distance.wrapping_add_signed(self.manhattan.delta(slide));
        let plain = self.moved(&mark.plain, tile, from, to);
        if distance + 2 * plain.excess > most {
            return None;
        }
        let Some(mirror) = &self.reflected else {
            return Some(Mark { distance, plain, reflected: mark.reflected });
        };
        let [tile, from, to] = [tile, from, to].map(|number| usize::from(mirror[number]));
        let reflected = self.moved(&mark.reflected, tile, from, to);
        (distance + 2 * reflected.excess <= most).then_some(Mark { distance, plain, reflected })
    }

    /// The least over all places of the blank can be one here and another one a slide further.
    fn is_consistent(&self) -> bool {
        false
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }
}
