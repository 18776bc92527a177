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
    /// The bits of the lower half.
    bits: u32,
    count: usize,
    low: Vec<u16>,
    /// By the upper half: its number, times how many placements the lower half has.
    high: Vec<u32>,
}

impl Index {
    /// The index of so many tiles on so many cells.
    ///
    /// # Panics
    /// If there are more than [`MOST_TILES`] tiles or 16 cells, or no cell for the blank.
    pub fn new(cells: usize, tiles: usize) -> Index {
        assert!(cells <= super::MOST_CELLS && (1..=MOST_TILES).contains(&tiles) && tiles < cells);
        let split = tiles.div_ceil(2);
        let (low, of_low) = numbers(cells, split);
        let (high, of_high) = numbers(cells, tiles - split);
        let (bits, count) = (4 * split as u32, of_low * of_high);
        let high = high.into_iter().map(|number| u32::from(number) * of_low as u32).collect();
        Index { bits, count, low, high }
    }

    /// All numbers are below this.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a placement. It grows with the key.
    #[inline]
    pub fn number(&self, key: Key) -> usize {
        let (low, high) = (key & ((1 << self.bits) - 1), key >> self.bits);
        self.high[high as usize] as usize + usize::from(self.low[low as usize])
    }

    /// The bytes of its tables.
    pub fn bytes(&self) -> usize {
        2 * self.low.len() + 4 * self.high.len()
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
