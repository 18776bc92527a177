//! Groups as their tables see them: a table may be that of another group of the same shape, seen
//! through a turn or a reflection of the board.

use super::partition::Partition;
use super::placement::Placement;
use super::symmetry::{sharing, symmetries, Symmetry, DIAGONAL};
use super::table::PatternTable;
use crate::taquin::grid::CAP;

/// A group.
pub struct GroupView {
    /// The number of its table.
    pub table: usize,
    /// Its tiles, by the table's slots.
    pub tiles: Vec<u8>,
    /// By cell: which cell of the table's board it is.
    cells: [u8; CAP],
}

impl GroupView {
    /// The cell of the table's board that is this one.
    #[inline]
    pub fn cell(&self, cell: usize) -> usize {
        self.cells[cell % CAP].into()
    }

    /// The cell that is this one on the table's board.
    pub fn cell_seen(&self, seen: usize) -> usize {
        let cell = self.cells.iter().position(|&cell| usize::from(cell) == seen);
        cell.expect("a symmetry leaves no cell out")
    }

    /// Where the tiles are, which are by number on these cells.
    pub fn placement(&self, cell_of: &[u8]) -> Placement {
        let cell = |&tile: &u8| self.cell(cell_of[usize::from(tile)].into());
        Placement::new(&self.tiles.iter().map(cell).collect::<Vec<_>>())
    }
}

/// The views of all groups: of the board, and of its reflection at the diagonal if that has the
/// same shape.
pub fn views(partition: &Partition, tables: &[PatternTable]) -> Vec<Vec<GroupView>> {
    let size = partition.size;
    let side = |reflection: &Symmetry| {
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
    [Some(plain), reflected].into_iter().flatten().map(side).collect()
}
