//! Placements of a few tiles as numbers, without gaps.

/// The cells of up to eight tiles, four bits each, the first tile lowest.
pub type Key = u32;

/// The most tiles of a pattern: with one more, half of all numbers would be left out.
pub const MOST_TILES: usize = 7;

/// The cell of a tile in a key.
#[inline]
pub fn cell_of(key: Key, slot: usize) -> usize {
    (key >> (4 * slot) & 15) as usize
}

/// Numbers for the placements of a pattern's tiles on `cells` cells, at most 16.
///
/// A key's halves are numbered apart from each other, each by a look into a small table. So some numbers
/// stand for two tiles on one cell: half of all for six tiles, which costs less than it spares.
pub struct Index {
    /// The bits of the first half.
    bits: u32,
    /// How many placements the second half has.
    of_second: usize,
    count: usize,
    first: Vec<u16>,
    second: Vec<u16>,
}

impl Index {
    /// The index of so many tiles on so many cells.
    ///
    /// # Panics
    /// If there are more than [`MOST_TILES`] tiles or 16 cells, or no cell for the blank.
    pub fn new(cells: usize, tiles: usize) -> Index {
        assert!(cells <= super::MOST_CELLS && (1..=MOST_TILES).contains(&tiles) && tiles < cells);
        let split = tiles.div_ceil(2);
        let (first, of_first) = numbers(cells, split);
        let (second, of_second) = numbers(cells, tiles - split);
        let (bits, count) = (4 * split as u32, of_first * of_second);
        Index { bits, of_second, count, first, second }
    }

    /// All numbers are below this.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a placement.
    #[inline]
    pub fn number(&self, key: Key) -> usize {
        let (first, second) = (key & ((1 << self.bits) - 1), key >> self.bits);
        usize::from(self.first[first as usize]) * self.of_second
            + usize::from(self.second[second as usize])
    }

    /// The bytes of its tables.
    pub fn bytes(&self) -> usize {
        2 * (self.first.len() + self.second.len())
    }
}

/// The keys of all placements of so few tiles, in ascending order.
fn placements(cells: usize, tiles: usize) -> impl Iterator<Item = Key> {
    let is_placement = move |key: &Key| {
        let mut taken = 0u16;
        (0..tiles).all(|slot| {
            let cell = cell_of(*key, slot);
            let is_free = cell < cells && taken >> cell & 1 == 0;
            taken |= 1 << cell;
            is_free
        })
    };
    (0..1 << (4 * tiles)).filter(is_placement)
}

/// By key, the numbers of the placements of so few tiles, and how many there are.
fn numbers(cells: usize, tiles: usize) -> (Vec<u16>, usize) {
    let mut numbers = vec![0; 1 << (4 * tiles)];
    let mut count = 0;
    for key in placements(cells, tiles) {
        numbers[key as usize] = count as u16;
        count += 1;
    }
    (numbers, count)
}
