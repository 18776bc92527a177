//! A block prepared for the dynamic programme: its cells in the order of processing.

use super::frontier::Frontier;
use super::region::FreeRegion;
use std::ops::Range;

/// A cell of a block with the data that a search needs there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// Index of the cell in the region.
    pub cell: usize,
    /// Column of the cell, from 0.
    pub column: usize,
    /// Number of rows from the previous tile to this one.
    pub rows: u8,
    /// Whether the next cell of its row belongs to the block.
    pub right: bool,
    /// Whether the cell below belongs to the block.
    pub down: bool,
    /// Whether the path begins here.
    pub is_entry: bool,
    pub is_white: bool,
    /// Number of moves behind this cell, gained by ending here.
    pub behind: u16,
    pub ahead: CellsAhead,
}

/// Cells ahead of a frontier, in pairs for black and for white.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct CellsAhead {
    /// Number of cells.
    pub cells: [i16; 2],
    /// Largest value of ending on one of them; `None` where there are none.
    pub behind: [Option<u16>; 2],
}

/// A block in the order of processing. The frontier runs along the shorter side of its bounding
/// box.
#[derive(Debug)]
pub(super) struct Strip {
    pub tiles: Vec<Tile>,
    pub entry_is_white: bool,
    /// Index differences to the cell on the right and to the one below; rows and columns may be
    /// exchanged.
    pub steps: [usize; 2],
}

impl Strip {
    /// Creates the strip of a block with its entry and its other cells, or `None` if it is too wide
    /// for a frontier. `behind` holds the value of ending at each cell.
    pub fn new(
        region: &FreeRegion,
        entry: usize,
        cells: &[usize],
        behind: &[u32],
    ) -> Option<Strip> {
        let all = cells.iter().copied().chain([entry]);
        let (order, is_transposed) = lay_out(region, all.clone())?;
        let mut steps = [1, region.stride()];
        if is_transposed {
            steps.reverse();
        }
        let mut member = vec![false; region.free().len()];
        all.for_each(|cell| member[cell] = true);
        let mut row = 0;
        let tile = |(tile_row, column, cell): PlacedCell| {
            let rows = tile_row - std::mem::replace(&mut row, tile_row);
            Tile {
                cell,
                column,
                rows: rows as u8,
                right: member[cell + steps[0]],
                down: member[cell + steps[1]],
                is_entry: cell == entry,
                is_white: region.is_white(cell),
                behind: behind[cell] as u16,
                ahead: CellsAhead::default(),
            }
        };
        let mut tiles: Vec<Tile> = order.into_iter().map(tile).collect();
        look_ahead(&mut tiles);
        Some(Strip { tiles, entry_is_white: region.is_white(entry), steps })
    }
}

/// Row, column and index of a cell.
type PlacedCell = (usize, usize, usize);

/// Returns the cells row by row, and whether rows and columns are exchanged, so that a row is the
/// shorter side of the bounding box. Returns `None` if even that is too wide for a frontier.
fn lay_out(
    region: &FreeRegion,
    cells: impl Iterator<Item = usize> + Clone,
) -> Option<(Vec<PlacedCell>, bool)> {
    let columns = extent(cells.clone().map(|cell| region.place(cell).0));
    let rows = extent(cells.clone().map(|cell| region.place(cell).1));
    if columns.len().min(rows.len()) >= Frontier::SLOTS {
        return None;
    }
    let is_transposed = columns.len() > rows.len();
    let placed = |cell: usize| {
        let (x, y) = region.place(cell);
        let (x, y) = (x - columns.start, y - rows.start);
        if is_transposed {
            (x, y, cell)
        } else {
            (y, x, cell)
        }
    };
    let mut order: Vec<_> = cells.map(placed).collect();
    order.sort_unstable();
    Some((order, is_transposed))
}

/// Fills in the cells ahead of the frontier after each tile.
fn look_ahead(tiles: &mut [Tile]) {
    let mut ahead = CellsAhead::default();
    for tile in tiles.iter_mut().rev() {
        tile.ahead = ahead;
        let colour = usize::from(tile.is_white);
        ahead.cells[colour] += 1;
        // A path has at least one move, so it cannot end on its entry.
        if !tile.is_entry {
            ahead.behind[colour] = ahead.behind[colour].max(Some(tile.behind));
        }
    }
}

/// Returns the range from the least to the largest of these values.
fn extent(values: impl Iterator<Item = usize> + Clone) -> Range<usize> {
    let last = values.clone().max().map_or(0, |last| last + 1);
    values.min().unwrap_or(last)..last
}
