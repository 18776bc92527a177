//! Symmetries of the board, which let groups of one shape share a table.

use super::cell_sets::{flood, neighbours, CellSet};
use crate::taquin::grid::CAP;
use arbitre_games::games::taquin::Size;

/// Image of each cell under a symmetry of the board.
pub type Symmetry = [u8; CAP];

/// Returns a symmetry that maps `group` onto `of_table`, if the groups need the same slides. The
/// blank's place in the goal must not matter: in the goal neither group may divide the board.
pub fn sharing(of_table: &[u8], group: &[u8], size: Size) -> Option<Symmetry> {
    let set = |tiles: &[u8]| tiles.iter().fold(0, |set: CellSet, tile| set | 1 << tile);
    if set(of_table) == set(group) {
        return Some(symmetries(size)[0]);
    }
    let free = !set(of_table) & ((1 << (size.0 * size.1)) - 1);
    let through = |how: &Symmetry, set: &[u8]| {
        set.iter().fold(0, |set: CellSet, tile| set | 1 << how[usize::from(*tile)])
    };
    let is_it = |how: &Symmetry| through(how, group) == set(of_table);
    // The free cells of the table's group are connected, so the blank can be anywhere in the goal.
    let is_whole = flood(&neighbours(size), free) == free;
    symmetries(size).into_iter().filter(|_| is_whole).find(is_it)
}

/// Index of the reflection at the diagonal, on square boards.
pub const DIAGONAL: usize = 4;

/// Returns all symmetries, the identity first: reflections of rows and columns, and on square
/// boards these after a reflection at the diagonal.
pub fn symmetries((rows, columns): Size) -> Vec<Symmetry> {
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
