//! Views of groups as their tables see them. Groups of the same shape share a table, seen through a
//! rotation or reflection of the board.

use super::partition::Partition;
use super::placement::Placement;
use super::symmetry::{sharing, symmetries, Symmetry, DIAGONAL};
use super::table::PatternTable;
use crate::taquin::grid::CAP;

/// View of one group.
pub struct GroupView {
    /// Index of its table.
    pub table: usize,
    /// Tiles of the group, by slot of the table.
    pub tiles: Vec<u8>,
    /// Cell of the table's board for each cell.
    cells: [u8; CAP],
}

impl GroupView {
    /// Returns the cell of the table's board that corresponds to `cell`.
    #[inline]
    pub fn cell(&self, cell: usize) -> usize {
        self.cells[cell % CAP].into()
    }

    /// Returns the cell that corresponds to cell `seen` of the table's board.
    pub fn cell_seen(&self, seen: usize) -> usize {
        let cell = self.cells.iter().position(|&cell| usize::from(cell) == seen);
        cell.expect("a symmetry leaves no cell out")
    }

    /// Returns the placement of the group on the table's board, from the cell of each tile.
    pub fn placement(&self, cell_of: &[u8]) -> Placement {
        let cell = |&tile: &u8| self.cell(cell_of[usize::from(tile)].into());
        Placement::new(&self.tiles.iter().map(cell).collect::<Vec<_>>())
    }
}

/// Returns the views of all groups, for the board and, if it has the same shape, for its reflection
/// at the main diagonal.
pub fn views(partition: &Partition, tables: &[PatternTable]) -> Vec<Vec<GroupView>> {
    let size = partition.size;
    let oriented_views = |reflection: &Symmetry| {
        let view = |group: &&[u8]| {
            let shared = tables.iter().map(|table| sharing(&table.pattern.tiles, group, size));
            let mut found = shared.enumerate().filter_map(|(table, how)| Some((table, how?)));
            let (table, how) = found.next().expect("every group has a table");
            let cells =
                reflection.map(|cell| how.get(usize::from(cell)).copied().unwrap_or(u8::MAX));
            let mut view = GroupView { table, tiles: Vec::new(), cells };
            let tile = |&of_table: &u8| view.cell_seen(of_table.into()) as u8;
            view.tiles = tables[table].pattern.tiles.iter().map(tile).collect();
            view
        };
        partition.groups.iter().map(view).collect()
    };
    let symmetries = symmetries(size);
    let (plain, reflected) = (&symmetries[0], symmetries.get(DIAGONAL));
    [Some(plain), reflected].into_iter().flatten().map(oriented_views).collect()
}
