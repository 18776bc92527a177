//! Groups as their tables see them: a table may be that of another group of the same shape, seen through a
//! turn or a reflection of the board.

use super::index::Placement;
use super::partition::Partition;
use super::sets::{flood, neighbours, Cells};
use super::table::Table;
use super::CAP;
use arbitre_games::games::taquin::Size;

/// A group.
pub struct View {
    /// The number of its table.
    pub table: usize,
    /// Its tiles, by the table's slots.
    pub tiles: Vec<u8>,
    /// By cell: which cell of the table's board it is.
    cells: [u8; CAP],
}

/// Where a symmetry of the board takes each cell.
type Symmetry = [u8; CAP];

impl View {
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

/// The views of all groups: of the board, and of its reflection at the diagonal if that has the same shape.
pub fn views(partition: &Partition, tables: &[Table]) -> Vec<Vec<View>> {
    let size = partition.size;
    let side = |reflection: &Symmetry| {
        let view = |group: &&[u8]| {
            let shared = tables.iter().map(|table| sharing(&table.pattern().tiles, group, size));
            let mut found = shared.enumerate().filter_map(|(table, how)| Some((table, how?)));
            let (table, how) = found.next().expect("every group has a table");
            let cells =
                reflection.map(|cell| how.get(usize::from(cell)).copied().unwrap_or(u8::MAX));
            let mut view = View { table, tiles: Vec::new(), cells };
            let tile = |&of_table: &u8| view.cell_seen(of_table.into()) as u8;
            view.tiles = tables[table].pattern().tiles.iter().map(tile).collect();
            view
        };
        partition.groups.iter().map(view).collect()
    };
    let symmetries = symmetries(size);
    let (plain, reflected) = (&symmetries[0], symmetries.get(DIAGONAL));
    [Some(plain), reflected].into_iter().flatten().map(side).collect()
}

/// How a group's cells become those of another one, so that what the tiles of the one need are the slides that
/// those of the other need. The blank's home must not matter: at home neither group divides the board.
pub fn sharing(of_table: &[u8], group: &[u8], size: Size) -> Option<Symmetry> {
    let set = |tiles: &[u8]| tiles.iter().fold(0, |set: Cells, tile| set | 1 << tile);
    if set(of_table) == set(group) {
        return Some(symmetries(size)[0]);
    }
    let free = !set(of_table) & ((1 << (size.0 * size.1)) - 1);
    let through = |how: &Symmetry, set: &[u8]| {
        set.iter().fold(0, |set: Cells, tile| set | 1 << how[usize::from(*tile)])
    };
    let is_it = |how: &Symmetry| through(how, group) == set(of_table);
    let is_whole = flood(&neighbours(size), free) == free;
    symmetries(size).into_iter().filter(|_| is_whole).find(is_it)
}

/// Which of the symmetries is the reflection at the diagonal, on square boards.
const DIAGONAL: usize = 4;

/// All symmetries, that which changes nothing first: reflections of rows and of columns, and on square boards
/// these after a reflection at the diagonal.
fn symmetries((rows, columns): Size) -> Vec<Symmetry> {
    let image = |cell: usize, which: usize| {
        let (mut row, mut column) = (cell / columns, cell % columns);
        if which & DIAGONAL != 0 {
            (row, column) = (column, row);
        }
        row = if which & 1 != 0 { rows - 1 - row } else { row };
        column = if which & 2 != 0 { columns - 1 - column } else { column };
        (row * columns + column) as u8
    };
    let count = if rows == columns { 8 } else { 4 };
    let symmetry = |which: usize| {
        let mut symmetry = [u8::MAX; CAP];
        (0..rows * columns).for_each(|cell| symmetry[cell] = image(cell, which));
        symmetry
    };
    (0..count).map(symmetry).collect()
}
