//! A chamber laid out for a sweep: its cells in the order in which they are swept.

use super::frontier::Frontier;
use super::region::FreeRegion;

/// A cell of a chamber, and what a sweep must know there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// The cell's index in the region.
    pub cell: usize,
    /// Its column, from 0.
    pub column: usize,
    /// So many rows lie between it and the tile before.
    pub rows: u8,
    /// Is the next cell of its row one of the chamber?
    pub right: bool,
    /// Is the cell below?
    pub down: bool,
    /// Is the path's beginning here?
    pub is_entry: bool,
    pub is_white: bool,
    /// What ending here is worth.
    pub behind: u16,
    pub ahead: CellsAhead,
}

/// What lies ahead of a frontier, in pairs for black and for white.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct CellsAhead {
    /// How many cells.
    pub cells: [i16; 2],
    /// The most that ending on one of them is worth; nothing where there are none.
    pub behind: [Option<u16>; 2],
}

/// A chamber in the order of a sweep. The shorter side of its bounding box is the frontier's.
#[derive(Debug)]
pub(super) struct Strip {
    pub tiles: Vec<Tile>,
    pub entry_is_white: bool,
    /// From a cell to the right one and to the one below as the sweep has it: the sides may be
    /// exchanged.
    pub steps: [usize; 2],
}

impl Strip {
    /// A chamber with its entry and its other cells, where `behind` tells by cell what ending there
    /// is worth. Nothing if it is too wide for a frontier.
    pub fn new(
        region: &FreeRegion,
        entry: usize,
        cells: &[usize],
        behind: &[u32],
    ) -> Option<Strip> {
        let mut member = vec![false; region.free().len()];
        cells.iter().chain([&entry]).for_each(|&cell| member[cell] = true);
        let (place, wide) = orient(region, entry, cells);
        if wide >= Frontier::SLOTS {
            return None;
        }
        let steps = match place.exchanged {
            false => [1, region.stride()],
            true => [region.stride(), 1],
        };
        let mut order: Vec<usize> = cells.iter().copied().chain([entry]).collect();
        order.sort_unstable_by_key(|&cell| place.of(region, cell));
        let mut row = 0;
        let tile = |&cell: &usize| {
            let (tile_row, column) = place.of(region, cell);
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
        let mut tiles: Vec<Tile> = order.iter().map(tile).collect();
        look_ahead(&mut tiles);
        Some(Strip { tiles, entry_is_white: region.is_white(entry), steps })
    }
}

/// Tells each tile what lies ahead of the frontier behind it.
fn look_ahead(tiles: &mut [Tile]) {
    let mut ahead = CellsAhead::default();
    for tile in tiles.iter_mut().rev() {
        tile.ahead = ahead;
        let colour = usize::from(tile.is_white);
        ahead.cells[colour] += 1;
        if !tile.is_entry {
            ahead.behind[colour] = ahead.behind[colour].max(Some(tile.behind));
        }
    }
}

/// How a bounding box lies for a sweep.
struct StripPlace {
    exchanged: bool,
    corner: (usize, usize),
}

impl StripPlace {
    /// Row and column of a cell, from 0.
    fn of(&self, region: &FreeRegion, cell: usize) -> (usize, usize) {
        let (x, y) = region.place(cell);
        let (x, y) = (x - self.corner.0, y - self.corner.1);
        if self.exchanged {
            (x, y)
        } else {
            (y, x)
        }
    }
}

/// How a chamber's bounding box lies, and the length of its shorter side.
fn orient(region: &FreeRegion, entry: usize, cells: &[usize]) -> (StripPlace, usize) {
    let places = || cells.iter().chain([&entry]).map(|&cell| region.place(cell));
    let (left, right) = bounds(places().map(|place| place.0));
    let (top, bottom) = bounds(places().map(|place| place.1));
    let exchanged = right - left > bottom - top;
    let place = StripPlace { exchanged, corner: (left, top) };
    (place, (right - left).min(bottom - top) + 1)
}

fn bounds(values: impl Iterator<Item = usize>) -> (usize, usize) {
    values.fold((usize::MAX, 0), |(least, most), value| (least.min(value), most.max(value)))
}
