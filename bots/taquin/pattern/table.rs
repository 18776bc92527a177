//! One pattern's table: for each placement of its tiles, how many of their slides bring them home, whatever
//! the other tiles do.

use super::index::{cell_of, Index, Key};
use crate::bots::taquin::heuristic::Manhattan;
use crate::games::taquin::Board;

/// A table. An entry is by how much the slides exceed the tiles' Manhattan distance, halved, in four bits.
pub struct Table {
    /// Its tiles, in the order of their slots in a key.
    tiles: Vec<u8>,
    index: Index,
    nibbles: Vec<u8>,
}

impl Table {
    /// The table of these tiles on boards of this size, by breadth-first search backwards from the goal.
    ///
    /// The blank goes wherever it can for nothing, so a node is a placement and the region in which the
    /// blank is. Slides can be taken back, so the search from the goal finds the distances to it.
    pub fn build(rows: usize, columns: usize, tiles: &[u8]) -> Table {
        let index = Index::new(rows * columns, tiles.len());
        let nibbles = vec![0; index.count().div_ceil(2)];
        let table = Table { tiles: tiles.to_vec(), index, nibbles };
        let mut search = Search {
            manhattan: Manhattan::new(rows, columns),
            neighbours: neighbours(rows, columns),
            reached: vec![0; table.index.count()],
            table,
        };
        let (home, last) = (search.table.home(), rows * columns - 1);
        let mut frontier = Vec::from_iter(search.enter(home, last, 0));
        let mut distance = 0;
        while !frontier.is_empty() {
            distance += 1;
            frontier = search.layer(&frontier, distance);
            // In the order of their numbers, so that what is near in the tables is looked at together.
            frontier.sort_unstable();
        }
        search.table
    }

    /// The table of these tiles with entries that were made before; none if they are not as many as it has.
    pub fn of_nibbles(
        rows: usize,
        columns: usize,
        tiles: &[u8],
        nibbles: Vec<u8>,
    ) -> Option<Table> {
        let index = Index::new(rows * columns, tiles.len());
        let is_whole = nibbles.len() == index.count().div_ceil(2);
        is_whole.then(|| Table { tiles: tiles.to_vec(), index, nibbles })
    }

    /// Its entries, two in a byte, the first one lower.
    pub fn nibbles(&self) -> &[u8] {
        &self.nibbles
    }

    /// Its tiles.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// How many entries it has.
    pub fn count(&self) -> usize {
        self.index.count()
    }

    /// By how much the slides of a placement exceed the Manhattan distance of the tiles, halved.
    #[inline]
    pub fn excess(&self, key: Key) -> u32 {
        let number = self.index.number(key);
        (self.nibbles[number / 2] >> (4 * (number % 2)) & 15).into()
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> usize {
        self.nibbles.len() + self.index.bytes()
    }

    /// The placement on a board whose tiles are at these cells.
    pub fn key(&self, cell_of_tile: impl Fn(u8) -> usize) -> Key {
        let slots = self.tiles.iter().enumerate();
        slots.fold(0, |key, (slot, &tile)| key | (cell_of_tile(tile) as Key) << (4 * slot))
    }

    fn home(&self) -> Key {
        self.key(usize::from)
    }

    fn set(&mut self, number: usize, excess: u32) {
        assert!(excess < 16, "an excess of {} does not fit", 2 * excess);
        self.nibbles[number / 2] |= (excess as u8) << (4 * (number % 2));
    }
}

/// A set of cells.
type Cells = u16;

/// For each cell, the cells beside it.
fn neighbours(rows: usize, columns: usize) -> Vec<Cells> {
    let beside = |cell: usize| {
        let mut tiles: Vec<u8> = (0..(rows * columns) as u8).collect();
        tiles.swap(cell, rows * columns - 1);
        let board = Board::new(rows, columns, tiles);
        let targets: Vec<usize> = board.ways().filter_map(|way| board.target(way)).collect();
        targets.into_iter().fold(0, |set, cell| set | 1 << cell)
    };
    (0..rows * columns).map(beside).collect()
}

/// A table in the making.
struct Search {
    manhattan: Manhattan,
    neighbours: Vec<Cells>,
    /// By placement: the cells where the blank has been.
    reached: Vec<Cells>,
    table: Table,
}

impl Search {
    /// The nodes that are one slide of a pattern's tile away from these, and were not reached before.
    fn layer(&mut self, nodes: &[(Key, Cells)], distance: u32) -> Vec<(Key, Cells)> {
        let mut next = Vec::new();
        for &(key, region) in nodes {
            for slot in 0..self.table.tiles.len() {
                let from = cell_of(key, slot);
                let mut targets = self.neighbours[from] & region;
                while targets != 0 {
                    let to = targets.trailing_zeros() as usize;
                    targets &= targets - 1;
                    let after = key ^ ((from ^ to) as Key) << (4 * slot);
                    next.extend(self.enter(after, from, distance));
                }
            }
        }
        next
    }

    /// Comes to a placement with the blank on a cell. Returns the node if it is new.
    fn enter(&mut self, key: Key, blank: usize, distance: u32) -> Option<(Key, Cells)> {
        let number = self.table.index.number(key);
        let reached = self.reached[number];
        if reached >> blank & 1 != 0 {
            return None;
        }
        if reached == 0 {
            let tiles = self.table.tiles.iter().enumerate();
            let direct = |(slot, &tile): (usize, &u8)| {
                self.manhattan.of_tile(tile.into(), cell_of(key, slot))
            };
            let direct: u32 = tiles.map(direct).sum();
            self.table.set(number, (distance - direct) / 2);
        }
        let region = self.region(key, blank);
        self.reached[number] |= region;
        Some((key, region))
    }

    /// The cells that the blank can reach from one while these tiles stay.
    fn region(&self, key: Key, blank: usize) -> Cells {
        let slots = 0..self.table.tiles.len();
        let taken = slots.fold(0, |set: Cells, slot| set | 1 << cell_of(key, slot));
        let mut region: Cells = 1 << blank;
        let mut front = region;
        while front != 0 {
            let mut beside = 0;
            while front != 0 {
                beside |= self.neighbours[front.trailing_zeros() as usize];
                front &= front - 1;
            }
            front = beside & !taken & !region;
            region |= front;
        }
        region
    }
}
