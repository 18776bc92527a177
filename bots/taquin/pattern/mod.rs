//! Additive pattern databases (R. Korf, A. Felner, "Disjoint pattern database heuristics", 2002): the tiles
//! are split into groups, and the slides that each group alone needs are added up. On a square board the
//! same tables serve the board reflected at its diagonal, and the larger of the two sums counts.

mod bits;
mod build;
mod by_cells;
pub mod cache;
mod descent;
mod index;
mod lens;
mod map;
pub mod partition;
mod sets;
mod table;
mod view;

#[cfg(test)]
mod tests;

pub use by_cells::{pair, Entry};
pub use index::Placement;
pub use lens::Lens;
pub use map::ask_for;
pub use partition::Partition;
pub use table::{Pattern, Table};
pub use view::View;

use super::heuristic::{Heuristic, Manhattan, Slide};
use arbitre_games::games::taquin::{Board, Size};
use descent::Descent;
use std::path::Path;
use view::views;

/// The most groups.
pub const MOST_GROUPS: usize = 4;
/// The most cells, and a power of two that is no less, so that a masked index needs no check.
pub const MOST_CELLS: usize = 25;
/// See there.
pub const CAP: usize = 32;

/// The heuristic for boards of one size.
pub struct Patterns {
    size: Size,
    manhattan: Manhattan,
    tables: Vec<Table>,
    /// By table, where the zone of the blank counts.
    descents: Vec<Descent>,
    /// A side of views for the board, and one for its reflection, if that has the same shape.
    sides: Vec<Side>,
}

/// The groups as seen from one side.
struct Side {
    views: Vec<View>,
    /// By tile: its group.
    groups: [u8; CAP],
}

/// The estimate from one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    placements: [Placement; MOST_GROUPS],
    /// Of each group a byte: where the blank's zone counts its slides, else by how much they exceed its Manhattan
    /// distance, halved.
    values: u32,
}

impl Sum {
    /// The values of all groups added up.
    #[inline]
    pub fn value(&self) -> u32 {
        self.values.wrapping_mul(0x0101_0101) >> 24
    }

    /// The value of a group.
    #[inline]
    pub fn value_of(&self, group: usize) -> u32 {
        self.values >> (8 * group) & 0xff
    }

    /// Puts a group's placement in, and its value.
    #[inline]
    fn put(&mut self, group: usize, placement: Placement, value: u32) {
        let group = group % MOST_GROUPS;
        self.placements[group] = placement;
        self.values = self.values & !(0xff << (8 * group)) | value << (8 * group);
    }

    /// Where a group is.
    #[inline]
    pub fn placement(&self, group: usize) -> Placement {
        self.placements[group % MOST_GROUPS]
    }
}

/// An estimate.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The Manhattan distance, where it is not a part of the values.
    pub distance: u32,
    /// From each side.
    pub sums: [Sum; 2],
}

/// How tables are made that are not kept yet.
pub struct Making<'m> {
    /// Where tables are kept, if they are.
    pub folder: Option<&'m Path>,
    /// How many threads make them.
    pub threads: usize,
    /// Is told which part is done, from 0 to 1.
    pub progress: &'m (dyn Fn(f64) + Sync),
}

impl Making<'_> {
    /// By one thread, for this process alone.
    pub const QUIETLY: Making<'static> = Making { folder: None, threads: 1, progress: &|_| () };
}

impl Patterns {
    /// The heuristic of these groups; tables that are not kept are made, and kept.
    ///
    /// # Panics
    /// If a tile is in no group or in two, or there are too many groups or too large ones, or more than 25
    /// cells.
    pub fn new(partition: &Partition, making: &Making) -> Patterns {
        let patterns = partition.patterns();
        let weight = |pattern: &Pattern| pattern.count() as f64;
        let all: f64 = patterns.iter().map(weight).sum();
        let mut done = 0.0;
        let mut table = |pattern: Pattern| {
            let (before, part) = (done, weight(&pattern) / all);
            done += part;
            let kept =
                making.folder.and_then(|folder| cache::read(folder, &pattern, making.threads));
            kept.unwrap_or_else(|| {
                let progress = |of_part: f64| (making.progress)(before + part * of_part);
                let table = Table::build(pattern, making.threads, &progress);
                making.folder.inspect(|folder| cache::write(folder, &table));
                table
            })
        };
        let tables = patterns.into_iter().map(&mut table).collect();
        Patterns::of_tables(partition, tables)
    }

    /// The same with tables that are all kept in this folder; none if one is not there.
    pub fn found(partition: &Partition, folder: &Path, threads: usize) -> Option<Patterns> {
        let patterns = partition.patterns();
        let tables = patterns.iter().map(|pattern| cache::read(folder, pattern, threads));
        tables.collect::<Option<_>>().map(|tables| Patterns::of_tables(partition, tables))
    }

    fn of_tables(partition: &Partition, mut tables: Vec<Table>) -> Patterns {
        let size = partition.size;
        for at in 1..tables.len() {
            let (before, [table, ..]) = tables.split_at_mut(at) else { break };
            let tiles = |of: &Table| of.pattern().tiles.len();
            if let Some(other) = before.iter().find(|other| tiles(other) == tiles(table)) {
                table.share(other);
            }
        }
        let sides = views(partition, &tables).into_iter().map(|views| {
            let mut groups = [u8::MAX; CAP];
            for (group, view) in (0..).zip(&views) {
                for &tile in &view.tiles {
                    let known = std::mem::replace(&mut groups[usize::from(tile)], group);
                    assert_eq!(known, u8::MAX, "tile {tile} is in two groups");
                }
            }
            let tiles = &groups[..size.0 * size.1 - 1];
            assert!(tiles.iter().all(|&group| group != u8::MAX), "every tile is in a group");
            assert!(views.len() <= MOST_GROUPS);
            Side { views, groups }
        });
        let sides = sides.collect();
        let zoned = tables.iter().filter(|table| table.pattern().zoned);
        let descents = zoned.map(Descent::new).collect();
        Patterns { size, manhattan: Manhattan::new(size.0, size.1), tables, descents, sides }
    }

    /// The tables, one for all groups of a shape.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The tiles of each group, by slot.
    pub fn groups(&self) -> impl Iterator<Item = &[u8]> {
        self.sides[0].views.iter().map(|view| &view.tiles[..])
    }

    /// All tables numbered by cells, after each other, made by so many threads: see there.
    ///
    /// # Panics
    /// If the zone of the blank does not count, or an entry has too few bits for the cells.
    pub fn by_cells<E: Entry>(&self, threads: usize) -> Vec<E> {
        let mut entries = vec![E::default(); self.tables.iter().map(by_cells::room).sum()];
        let mut rest = &mut entries[..];
        for table in &self.tables {
            let own;
            (own, rest) = rest.split_at_mut(by_cells::room(table));
            by_cells::write(table, own, threads);
        }
        entries
    }

    /// How a group is seen, on the board or on its reflection, and where its entries begin among those by cells.
    pub fn view_by_cells(&self, side: usize, group: usize) -> (&View, usize) {
        let view = &self.sides[side].views[group];
        (view, self.tables[..view.table].iter().map(by_cells::room).sum())
    }

    /// From scratch.
    fn sum(&self, side: &Side, cell_of: &[u8], blank: usize) -> Sum {
        let mut sum = Sum::default();
        for (group, view) in side.views.iter().enumerate() {
            let placement = view.placement(cell_of);
            let (table, blank) = (&self.tables[view.table], view.cell(blank));
            let value = match self.descents.get(view.table) {
                Some(descent) => descent.slides(table, placement, blank),
                None => table.excess(placement, blank),
            };
            sum.put(group, placement, value);
        }
        sum
    }

    /// After a slide, which leaves the blank where the tile was.
    #[inline]
    fn moved(&self, side: &Side, sum: &mut Sum, slide: &Slide) {
        let group = usize::from(side.groups[slide.tile % CAP]);
        let view = &side.views[group];
        let [from, to] = [slide.from, slide.to].map(|cell| view.cell(cell));
        let placement = sum.placement(group).after(from, to);
        let table = &self.tables[view.table];
        let value = match self.is_zoned() {
            true => table.slides_after(sum.value_of(group), table.number(placement, from)),
            false => table.excess(placement, from),
        };
        sum.put(group, placement, value);
    }

    /// Does the zone of the blank count?
    #[inline]
    pub fn is_zoned(&self) -> bool {
        !self.descents.is_empty()
    }

    /// An estimate by the Manhattan distance, where it counts apart, and the value of a sum.
    #[inline]
    fn weighed(&self, distance: u32, value: u32) -> u32 {
        match self.is_zoned() {
            true => value,
            false => distance + 2 * value,
        }
    }

    /// The lens of a group, of the board or of its reflection; another one's where there are not so many groups.
    pub fn lens(&self, side: usize, group: usize) -> Lens<'_> {
        let views = &self.sides[side].views;
        let view = &views[group % views.len()];
        Lens::new(view, &self.tables[view.table])
    }

    /// The group of a tile on that side; the first one for what is no tile.
    pub fn group(&self, side: usize, tile: usize) -> usize {
        let group = self.sides[side].groups[tile % CAP];
        if group == u8::MAX {
            0
        } else {
            group.into()
        }
    }
}

impl Heuristic for Patterns {
    type Mark = Mark;

    fn mark(&self, cells: &[u8], blank: usize) -> Mark {
        let mut cell_of = [0; MOST_CELLS];
        let tiles = (0..).zip(cells).filter(|&(cell, _)| usize::from(cell) != blank);
        tiles.for_each(|(cell, &tile)| cell_of[usize::from(tile)] = cell);
        let mut sums = [Sum::default(); 2];
        for (sum, side) in sums.iter_mut().zip(&self.sides) {
            *sum = self.sum(side, &cell_of, blank);
        }
        Mark { distance: self.manhattan.of(cells, blank), sums }
    }

    #[inline]
    fn estimate(&self, mark: &Mark) -> u32 {
        self.weighed(mark.distance, mark.sums[0].value().max(mark.sums[1].value()))
    }

    #[inline]
    fn after(&self, mark: &Mark, slide: &Slide, most: u32) -> Option<Mark> {
        let distance = mark.distance.wrapping_add_signed(self.manhattan.delta(slide));
        let mut next = Mark { distance, ..*mark };
        for (side, sum) in self.sides.iter().zip(&mut next.sums) {
            self.moved(side, sum, slide);
            if self.weighed(distance, sum.value()) > most {
                return None;
            }
        }
        Some(next)
    }

    /// The least over all places of the blank can be one here and another one a slide further.
    fn is_consistent(&self) -> bool {
        self.is_zoned()
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(Table::bytes).sum()
    }
}

/// The goal of this size, but that the blank and the tile of this cell are exchanged.
pub fn board_with_blank((rows, columns): Size, cell: usize) -> Board {
    let mut tiles: Vec<u8> = (0..(rows * columns) as u8).collect();
    tiles.swap(cell, rows * columns - 1);
    Board::new(rows, columns, tiles)
}
