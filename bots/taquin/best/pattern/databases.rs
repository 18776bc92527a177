//! Heuristic of additive pattern databases.

use super::cache;
use super::descent::Descent;
use super::group_view::{views, GroupView};
use super::move_lookup::MoveLookup;
use super::partition::Partition;
use super::partition::Pattern;
use super::placement::Placement;
use super::table::PatternTable;
use crate::taquin::grid::{CAP, MOST_CELLS};
use crate::taquin::heuristics::{Heuristic, Slide};
use arbitre_games::games::taquin::Size;
use std::path::PathBuf;

/// Largest number of groups: their values share a word of four bytes.
pub const MOST_GROUPS: usize = 4;

/// Additive pattern databases for boards of one size.
pub struct PatternDatabases {
    /// Size of the boards.
    pub size: Size,
    /// Tables, one for all groups of a shape.
    pub tables: Vec<PatternTable>,
    /// Descents by table.
    descents: Vec<Descent>,
    /// Views of the groups on the board, and on its reflection at the main diagonal if that has the
    /// same shape.
    orientations: Vec<OrientedGroups>,
}

/// Views of the groups on the board, or on its reflection at the main diagonal.
struct OrientedGroups {
    views: Vec<GroupView>,
    /// Group of each tile.
    groups: [u8; CAP],
}

impl OrientedGroups {
    /// Creates the views of boards of `cells` cells.
    fn new(views: Vec<GroupView>, cells: usize) -> OrientedGroups {
        assert!(views.len() <= MOST_GROUPS);
        let mut groups = [u8::MAX; CAP];
        for (group, view) in (0..).zip(&views) {
            for &tile in &view.tiles {
                let known = std::mem::replace(&mut groups[usize::from(tile)], group);
                assert_eq!(known, u8::MAX, "tile {tile} is in two groups");
            }
        }
        let is_complete = !groups[..cells - 1].contains(&u8::MAX);
        assert!(is_complete, "every tile is in a group");
        OrientedGroups { views, groups }
    }
}

/// Estimate of the board, or of its reflection at the main diagonal.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrientedEstimate {
    placements: [Placement; MOST_GROUPS],
    /// Slides of the groups, one byte each.
    values: u32,
}

impl OrientedEstimate {
    /// Returns the sum of all values.
    #[inline]
    pub fn value(&self) -> u32 {
        // The multiplication adds all four bytes in the highest one. The sum is at most the length
        // of a shortest solution, so it fits in a byte: 4x4 boards need at most 80 moves, 5x5
        // boards at most 210 (F. Karlemo, P. Östergård, "On sliding block puzzles", 2000).
        self.values.wrapping_mul(0x0101_0101) >> 24
    }

    /// Returns the value of a group.
    #[inline]
    pub fn value_of(&self, group: usize) -> u32 {
        self.values >> (8 * group) & 0xff
    }

    /// Sets the placement and the value of a group.
    #[inline]
    fn put(&mut self, group: usize, placement: Placement, value: u32) {
        // Masked to avoid a bounds check.
        let group = group % MOST_GROUPS;
        self.placements[group] = placement;
        self.values = self.values & !(0xff << (8 * group)) | value << (8 * group);
    }

    /// Returns the placement of a group.
    #[inline]
    pub fn placement(&self, group: usize) -> Placement {
        self.placements[group % MOST_GROUPS]
    }
}

/// Estimates of the board and of its reflection at the main diagonal.
#[derive(Clone, Copy, Debug)]
pub struct PatternEstimate {
    /// Estimate in each orientation.
    pub oriented: [OrientedEstimate; 2],
}

/// Options of building tables.
#[derive(Clone)]
pub struct TableOptions {
    /// Cache folder of the tables, if there is one.
    pub folder: Option<PathBuf>,
    /// Number of threads that build tables.
    pub threads: usize,
    /// Memory limit of the tables and of their build, in bytes.
    pub memory: usize,
    /// Receives the share of the tables built, from 0 to 1.
    pub progress: fn(f64),
}

impl TableOptions {
    /// One thread, no cache and no memory limit.
    pub const ALONE: TableOptions =
        TableOptions { folder: None, threads: 1, memory: usize::MAX, progress: |_| () };
}

impl PatternDatabases {
    /// Creates the heuristic of these groups. Tables that are not in the cache are built and
    /// written to it.
    ///
    /// # Panics
    /// Panics if a tile is not in exactly one group, or if there are more than [`MOST_GROUPS`]
    /// groups. Also panics if a group is too large, or the board has more than 25 cells.
    pub fn new(partition: &Partition, options: &TableOptions) -> PatternDatabases {
        let folder = options.folder.as_deref();
        let patterns = partition.patterns();
        let all: usize = patterns.iter().map(Pattern::placements).sum();
        let mut done = 0.0;
        let mut table = |pattern: Pattern| {
            let (before, part) = (done, pattern.placements() as f64 / all as f64);
            done += part;
            let kept = folder.and_then(|folder| cache::read(folder, &pattern, options.threads));
            kept.unwrap_or_else(|| {
                let progress = |of_part: f64| (options.progress)(before + part * of_part);
                let table = PatternTable::build(pattern, options.threads, &progress);
                folder.inspect(|folder| cache::write(folder, &table));
                table
            })
        };
        let tables = patterns.into_iter().map(&mut table).collect();
        PatternDatabases::of_tables(partition, tables)
    }

    /// Loads the heuristic from the cache. Returns `None` if a table is missing.
    pub fn load(partition: &Partition, options: &TableOptions) -> Option<PatternDatabases> {
        let (folder, patterns) = (options.folder.as_deref()?, partition.patterns());
        let tables = patterns.iter().map(|pattern| cache::read(folder, pattern, options.threads));
        tables.collect::<Option<_>>().map(|tables| PatternDatabases::of_tables(partition, tables))
    }

    fn of_tables(partition: &Partition, mut tables: Vec<PatternTable>) -> PatternDatabases {
        let size = partition.size;
        for at in 1..tables.len() {
            let (before, [table, ..]) = tables.split_at_mut(at) else { break };
            let tiles = |of: &PatternTable| of.pattern.tiles.len();
            if let Some(other) = before.iter().find(|other| tiles(other) == tiles(table)) {
                table.share(other);
            }
        }
        let orientations = views(partition, &tables).into_iter();
        let orientations =
            orientations.map(|views| OrientedGroups::new(views, size.0 * size.1)).collect();
        let descents = tables.iter().map(Descent::new).collect();
        PatternDatabases { size, tables, descents, orientations }
    }

    /// Returns the tiles of each group, by slot.
    pub fn groups(&self) -> impl Iterator<Item = &[u8]> {
        self.orientations[0].views.iter().map(|view| &view.tiles[..])
    }

    /// Returns the size of copies indexed by cells with entries of type `E`, in bytes.
    pub fn bytes_by_cells<E>(&self) -> usize {
        self.tables.iter().map(PatternTable::room_by_cells).sum::<usize>() * size_of::<E>()
    }

    /// Returns the view of the group of a lookup, and the index of its first entry in the
    /// cell-indexed tables.
    pub fn view_by_cells(&self, lookup: usize) -> (&GroupView, usize) {
        let view = &self.orientations[lookup / MOST_GROUPS].views[lookup % MOST_GROUPS];
        (view, self.tables[..view.table].iter().map(PatternTable::room_by_cells).sum())
    }

    /// Computes the estimate of a board in one orientation.
    fn oriented_estimate(
        &self,
        orientation: &OrientedGroups,
        cell_of: &[u8],
        blank: usize,
    ) -> OrientedEstimate {
        let mut sum = OrientedEstimate::default();
        for (group, view) in orientation.views.iter().enumerate() {
            let placement = view.placement(cell_of);
            let (table, blank) = (&self.tables[view.table], view.cell(blank));
            let value = self.descents[view.table].slides(table, placement, blank);
            sum.put(group, placement, value);
        }
        sum
    }

    /// Updates the estimate after a slide, which leaves the blank where the tile was.
    #[inline]
    fn moved(&self, orientation: &OrientedGroups, sum: &mut OrientedEstimate, slide: &Slide) {
        let group = usize::from(orientation.groups[slide.tile % CAP]);
        let view = &orientation.views[group];
        let [from, to] = [slide.from, slide.to].map(|cell| view.cell(cell));
        let placement = sum.placement(group).after(from, to);
        let table = &self.tables[view.table];
        // The tile left cell `from`, so the blank is there now.
        let value = table.slides_after(sum.value_of(group), table.entry_index(placement, from));
        sum.put(group, placement, value);
    }

    /// Returns the move lookup of a group in both orientations. The caller fills an array for
    /// [`MOST_GROUPS`] groups, so indices beyond the number of groups repeat a group.
    pub fn move_lookup(&self, lookup: usize) -> MoveLookup<'_> {
        let views = &self.orientations[lookup / MOST_GROUPS].views;
        let view = &views[lookup % MOST_GROUPS % views.len()];
        MoveLookup::new(view, &self.tables[view.table])
    }

    /// Returns the group of a tile in an orientation, or 0 for the blank.
    pub fn group(&self, orientation: usize, tile: usize) -> usize {
        let group = self.orientations[orientation].groups[tile % CAP];
        if group == u8::MAX {
            0
        } else {
            group.into()
        }
    }
}

impl Heuristic for PatternDatabases {
    type Estimate = PatternEstimate;

    fn estimate(&self, cells: &[u8], blank: usize) -> PatternEstimate {
        let mut cell_of = [0; MOST_CELLS];
        let tiles = (0..).zip(cells).filter(|&(cell, _)| usize::from(cell) != blank);
        tiles.for_each(|(cell, &tile)| cell_of[usize::from(tile)] = cell);
        let mut oriented = [OrientedEstimate::default(); 2];
        for (sum, orientation) in oriented.iter_mut().zip(&self.orientations) {
            *sum = self.oriented_estimate(orientation, &cell_of, blank);
        }
        PatternEstimate { oriented }
    }

    #[inline]
    fn value(&self, estimate: &PatternEstimate) -> u32 {
        estimate.oriented[0].value().max(estimate.oriented[1].value())
    }

    #[inline]
    fn after(
        &self,
        estimate: &PatternEstimate,
        slide: &Slide,
        most: u32,
    ) -> Option<PatternEstimate> {
        let mut next = *estimate;
        for (orientation, sum) in self.orientations.iter().zip(&mut next.oriented) {
            self.moved(orientation, sum, slide);
            if sum.value() > most {
                return None;
            }
        }
        Some(next)
    }

    fn bytes(&self) -> usize {
        self.tables.iter().map(PatternTable::bytes).sum()
    }
}
