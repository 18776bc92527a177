//! A group's table once more, for searches that have no time for ranks: numbered by the cells of its tiles, four bits
//! each, with room for placements that do not exist.

use super::index::{put_in, Order};
use super::sets::{ones, Cells, Sets};
use super::table::Table;
use super::view::View;
use crate::bots::taquin::heuristic::Manhattan;

/// The bits of a cell in a number, and how many cells there are.
const CELL_BITS: usize = 4;
const CELLS: usize = 1 << CELL_BITS;

/// How many entries there are of so many tiles.
pub fn room(tiles: usize) -> usize {
    1 << (CELL_BITS * tiles)
}

/// Writes the entries of a group on boards of 4x4, from a table that knows the zones of the blank. Each has
/// a bit for each two cells beside each other, the first two lowest, between which the blank goes about for nothing: by
/// how much the slides exceed the Manhattan distance, halved, the lowest bit.
pub fn write(table: &Table, view: &View, entries: &mut [u8]) {
    assert!(table.pattern().size == (4, 4) && entries.len() == room(view.tiles.len()));
    let (manhattan, mut masks) = (Manhattan::new(4, 4), Vec::new());
    let zones = table.zones().expect("the zone of the blank counts");
    let cell_of: [usize; CELLS] = std::array::from_fn(|seen| view.cell_seen(seen));
    for (number, set) in Sets::all(CELLS, view.tiles.len()).enumerate() {
        for zone in 0..zones.of_set(number).len() {
            let cells = ones(zones.cells(set, number, zone));
            masks.push(cells.fold(0, |mask, seen| mask | 1 << (cell_of[seen] / 2)));
        }
    }
    let distances = view
        .tiles
        .iter()
        .map(|&tile| std::array::from_fn(|seen| manhattan.of_tile(tile.into(), cell_of[seen])));
    let distances = distances.collect();
    let bits = table.entries();
    let mut writer = Writer { table, bits, entries, cell_of, masks, distances };
    writer.place(view.tiles.len(), &Placed::default());
}

struct Writer<'w> {
    table: &'w Table,
    /// The table's.
    bits: &'w [u8],
    entries: &'w mut [u8],
    /// By cell of the table's board: the cell of this one.
    cell_of: [usize; CELLS],
    /// By block of the table: which bits of an entry are its zone's.
    masks: Vec<u8>,
    /// By slot and cell of the table's board.
    distances: Vec<[u32; CELLS]>,
}

/// The tiles of the last slots on the table's board.
#[derive(Clone, Copy, Default)]
struct Placed {
    set: Cells,
    order: Order,
    /// Their part of the number of an entry, and of the distance.
    number: usize,
    distance: u32,
}

impl Writer<'_> {
    /// Places the tiles of so many slots everywhere; that of the first slot last, so that entries are written one after
    /// the other.
    fn place(&mut self, slots: usize, placed: &Placed) {
        let slot = slots - 1;
        if slot == 0 {
            return self.write(placed);
        }
        let mut passed = 0;
        for seen in 0..CELLS {
            if placed.set >> seen & 1 != 0 {
                passed += 1;
                continue;
            }
            let next = Placed {
                set: placed.set | 1 << seen,
                order: put_in(placed.order, slot, passed),
                number: placed.number | self.cell_of[seen] << (CELL_BITS * slot),
                distance: placed.distance + self.distances[slot][seen],
            };
            self.place(slot, &next);
        }
    }

    /// Places the tile of the first slot, and writes the entries.
    fn write(&mut self, placed: &Placed) {
        let (index, zones) = (self.table.index(), self.table.zones().expect("they count"));
        let number = |passed| index.orders().number(put_in(placed.order, 0, passed));
        let mut order = number(0);
        let mut passed = 0;
        for seen in 0..CELLS {
            if placed.set >> seen & 1 != 0 {
                passed += 1;
                order = number(passed);
                continue;
            }
            let set_number = index.sets().number(placed.set | 1 << seen);
            // The entry of the table is the second lowest bit of the slides.
            let mut entry = 0;
            for block in zones.of_set(set_number) {
                let number = block * self.table.stride() + order;
                entry |= self.masks[block] * (self.bits[number / 8] >> (number % 8) & 1);
            }
            let is_odd = (placed.distance + self.distances[0][seen]) & 2 != 0;
            self.entries[placed.number | self.cell_of[seen]] = if is_odd { !entry } else { entry };
        }
    }
}
