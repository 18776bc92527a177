//! Additive pattern databases (R. Korf, A. Felner, "Disjoint pattern database heuristics", 2002): the tiles
//! are split into groups, and the slides that each group alone needs are added up. On a square board the
//! same tables serve the board reflected at its diagonal, and the larger of the two sums counts.

mod bits;
mod build;
pub mod cache;
mod index;
mod lens;
mod map;
pub mod partition;
mod sets;
mod table;
mod view;

#[cfg(test)]
mod tests;

pub use index::Placement;
pub use lens::Lens;
pub use map::ask_for;
pub use partition::Partition;
pub use table::{Pattern, Table};

use super::heuristic::{Heuristic, Manhattan, Slide};
use crate::games::taquin::{Board, Size};
use std::path::Path;
use view::{views, View};

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
    /// By how much each group exceeds its Manhattan distance, halved: a byte each.
    excesses: u32,
}

impl Sum {
    /// That of all groups: the bytes added up.
    #[inline(always)]
    pub fn excess(&self) -> u32 {
        added(self.excesses)
    }

    /// What the other groups exceed.
    #[inline(always)]
    pub fn others(&self, group: usize) -> u32 {
        added(without(self.excesses, group))
    }

    /// Puts a group's placement in, and what it exceeds.
    #[inline(always)]
    pub fn put(&mut self, group: usize, placement: Placement, excess: u32) {
        let group = group % MOST_GROUPS;
        self.placements[group] = placement;
        self.excesses = without(self.excesses, group) | excess << (8 * group);
    }

    /// Where a group is.
    #[inline(always)]
    pub fn placement(&self, group: usize) -> Placement {
        self.placements[group % MOST_GROUPS]
    }
}

/// Four bytes, added up.
#[inline(always)]
fn added(bytes: u32) -> u32 {
    bytes.wrapping_mul(0x0101_0101) >> 24
}

/// Without one of four bytes.
#[inline(always)]
fn without(bytes: u32, at: usize) -> u32 {
    bytes & !(0xff << (8 * at))
}

/// An estimate.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The Manhattan distance.
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

    fn of_tables(partition: &Partition, tables: Vec<Table>) -> Patterns {
        let size = partition.size;
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
        Patterns { size, manhattan: Manhattan::new(size.0, size.1), tables, sides }
    }

    /// The tables, one for all groups of a shape.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// From scratch.
    fn sum(&self, side: &Side, cell_of: &[u8], blank: usize) -> Sum {
        let mut sum = Sum::default();
        for (group, view) in side.views.iter().enumerate() {
            let placement = view.placement(cell_of);
            let excess = self.tables[view.table].excess(placement, view.cell(blank));
            sum.placements[group] = placement;
            sum.excesses |= excess << (8 * group);
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
        sum.put(group, placement, self.tables[view.table].excess(placement, from));
    }

    /// The lenses of the groups: of the board, or of its reflection.
    pub fn lenses(&self, side: usize) -> Vec<Lens<'_>> {
        let lens = |view: &View| Lens::new(view, &self.tables[view.table]);
        self.sides[side].views.iter().map(lens).collect()
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
        mark.distance + 2 * mark.sums[0].excess().max(mark.sums[1].excess())
    }

    #[inline]
    fn after(&self, mark: &Mark, slide: &Slide, most: u32) -> Option<Mark> {
        let distance = mark.distance.wrapping_add_signed(self.manhattan.delta(slide));
        let mut next = Mark { distance, ..*mark };
        for (side, sum) in self.sides.iter().zip(&mut next.sums) {
            self.moved(side, sum, slide);
            if distance + 2 * sum.excess() > most {
                return None;
            }
        }
        Some(next)
    }

    /// The least over all places of the blank can be one here and another one a slide further.
    fn is_consistent(&self) -> bool {
        self.tables.iter().all(|table| table.pattern().zoned)
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
