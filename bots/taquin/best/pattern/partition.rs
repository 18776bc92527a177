//! Partition of the tiles of a board into groups. Tile `t` belongs on cell `t`, and the blank on
//! the last cell. Korf and Felner number tiles from 1, with the blank first.

use super::cell_sets::BlankZones;
use super::placement::PlacementIndex;
use super::symmetry::sharing;
use arbitre_games::games::taquin::Size;

/// Disjoint groups that contain all tiles.
#[derive(Clone, Copy, Debug)]
pub struct Partition<'p> {
    /// Size of the boards.
    pub size: Size,
    /// Tiles of each group.
    pub groups: &'p [&'p [u8]],
}

/// Memory of the tables of a partition, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableMemory {
    /// All tables.
    pub tables: usize,
    /// Peak while the tables are built, one after another.
    pub build: usize,
}

/// Subject of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Size of the boards.
    pub size: Size,
    /// Tiles of the pattern, by slot.
    pub tiles: Vec<u8>,
}

/// Groups of 6, 6 and 3 tiles of the 15-puzzle.
pub const SIX_SIX_THREE: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 4, 5, 8, 9, 12], &[6, 7, 10, 11, 13, 14], &[1, 2, 3]],
};

/// Groups of 7 and 8 tiles of the 15-puzzle, as used by Korf and Felner.
pub const SEVEN_EIGHT: Partition =
    Partition { size: (4, 4), groups: &[&[2, 3, 6, 7, 10, 11, 14], &[0, 1, 4, 5, 8, 9, 12, 13]] };

/// Four groups of 6 tiles of the 24-puzzle, as used by Korf and Felner. Three have the same shape.
pub const SIXES: Partition = Partition {
    size: (5, 5),
    groups: &[
        &[12, 17, 18, 19, 22, 23],
        &[0, 1, 2, 5, 6, 7],
        &[10, 11, 15, 16, 20, 21],
        &[3, 4, 8, 9, 13, 14],
    ],
};

impl Partition<'_> {
    /// Returns the patterns that need tables. A group that is a rotated or reflected copy of an
    /// earlier one uses the table of that group.
    pub fn patterns(&self) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = Vec::new();
        for group in self.groups {
            let pattern = Pattern { size: self.size, tiles: group.to_vec() };
            if !patterns.iter().any(|known| sharing(&known.tiles, group, self.size).is_some()) {
                patterns.push(pattern);
            }
        }
        patterns
    }

    /// Returns the memory of its tables.
    pub fn memory(&self) -> TableMemory {
        let mut memory = TableMemory::default();
        for pattern in self.patterns() {
            let own = pattern.memory();
            memory.build = memory.build.max(memory.tables + own.build);
            memory.tables += own.tables;
        }
        memory
    }
}

impl Pattern {
    /// Returns the memory of its table.
    fn memory(&self) -> TableMemory {
        let (cells, tiles) = (self.size.0 * self.size.1, self.tiles.len());
        let (index, zones) = (PlacementIndex::new(cells, tiles), BlankZones::new(self.size, tiles));
        let (sets, orders) = (index.sets.count(), index.orders.count());
        // One bit for each order in each zone, and a flag of a byte for each zone.
        let nodes = zones.count() * index.stride / 8;
        // The build lists all sets and orders, and their ranks after each possible slide.
        let lists = 4 * sets + orders * (4 + 2 * tiles * tiles);
        TableMemory {
            tables: nodes + zones.bytes(),
            build: 4 * nodes + 2 * zones.count() + zones.bytes() + lists,
        }
    }

    /// Returns the number of placements of its tiles.
    pub fn placements(&self) -> usize {
        let cells = self.size.0 * self.size.1;
        (cells - self.tiles.len() + 1..=cells).product()
    }
}
