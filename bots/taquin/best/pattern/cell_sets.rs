//! Sets of as many cells as a pattern has tiles, as numbers without gaps; and the zones into which
//! a set divides the other cells.

use crate::taquin::grid::{blank_targets, DIRECTIONS, MOST_CELLS};
use arbitre_games::games::taquin::Size;

/// A set of cells, a bit each.
pub type CellSet = u32;

/// The cells of a set's lower part, and of its upper part, at most.
const LOW: usize = MOST_CELLS.div_ceil(2);
const HIGH: usize = MOST_CELLS - LOW;

/// Numbers for the sets of so many cells, in ascending order: that of the upper part's first set,
/// and the place of the lower part among those that are as large.
pub struct CombinationIndex {
    split: u32,
    first: [u32; 1 << HIGH],
    within: [u16; 1 << LOW],
    count: usize,
}

impl CombinationIndex {
    /// The sets of `tiles` of `cells` cells.
    pub fn new(cells: usize, tiles: usize) -> CombinationIndex {
        let split = cells.div_ceil(2);
        let mut seen = [0; LOW + 1];
        let mut within = [0; 1 << LOW];
        for low in 0..1 << split {
            let seen = &mut seen[(low as CellSet).count_ones() as usize];
            within[low] = *seen;
            *seen += 1;
        }
        let mut first = [0; 1 << HIGH];
        let mut count = 0;
        for (high, first) in first.iter_mut().enumerate().take(1 << (cells - split)) {
            *first = count as u32;
            let left = tiles.checked_sub((high as CellSet).count_ones() as usize);
            count += left.and_then(|left| seen.get(left)).map_or(0, |&count| usize::from(count));
        }
        CombinationIndex { split: split as u32, first, within, count }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of a set.
    #[inline(always)]
    pub fn number(&self, set: CellSet) -> usize {
        let (low, high) = (set & ((1 << self.split) - 1), set >> self.split);
        let first = self.first[high as usize % (1 << HIGH)];
        first as usize + usize::from(self.within[low as usize % (1 << LOW)])
    }

    /// The sets of `tiles` of `cells` cells, by their numbers.
    pub fn all(cells: usize, tiles: usize) -> impl Iterator<Item = CellSet> {
        (0..1 << cells).filter(move |set: &CellSet| set.count_ones() as usize == tiles)
    }
}

/// For each cell, the cells beside it.
pub fn neighbours(size: Size) -> Vec<CellSet> {
    let set = |targets: [Option<usize>; DIRECTIONS]| {
        targets.into_iter().flatten().fold(0, |set, cell| set | 1 << cell)
    };
    blank_targets(size).into_iter().map(set).collect()
}

/// For each set, the zones of the other cells: the blank goes about in one of them while no tile of
/// the pattern slides.
pub struct BlankZones {
    cells: usize,
    /// By the number of a set, and one more at the end.
    divisions: Vec<ZoneDivision>,
}

/// How a set divides the other cells.
#[derive(Clone, Copy, Default)]
struct ZoneDivision {
    /// How many zones the sets before have.
    first: u32,
    /// The number of a cell's zone among the set's own: a bit of it in each.
    zone_bits: [CellSet; ZONE_BITS],
}

const ZONE_BITS: usize = 3;

impl BlankZones {
    /// The zones of all sets of `tiles` cells on boards of this size.
    ///
    /// # Panics
    /// If a set divides the board into more than eight zones.
    pub fn new(size: Size, tiles: usize) -> BlankZones {
        let (cells, beside) = (size.0 * size.1, neighbours(size));
        let (mut divisions, mut first) = (Vec::new(), 0);
        for set in CombinationIndex::all(cells, tiles) {
            let mut zone_bits = [0; ZONE_BITS];
            let mut free = !set & ((1 << cells) - 1);
            let mut zone = 0;
            while free != 0 {
                assert!(zone < 1 << ZONE_BITS);
                let reached = flood(&beside, free);
                for (bit, bits) in zone_bits.iter_mut().enumerate() {
                    *bits |= reached * (zone >> bit & 1);
                }
                free &= !reached;
                zone += 1;
            }
            divisions.push(ZoneDivision { first, zone_bits });
            first += zone;
        }
        divisions.push(ZoneDivision { first, ..ZoneDivision::default() });
        BlankZones { cells, divisions }
    }

    /// How many there are in all.
    pub fn count(&self) -> usize {
        self.before(self.divisions.len() - 1)
    }

    /// How many the sets before this one have.
    pub fn before(&self, set_number: usize) -> usize {
        self.divisions[set_number].first as usize
    }

    /// The numbers of a set's zones.
    pub fn of_set(&self, number: usize) -> std::ops::Range<usize> {
        self.before(number)..self.before(number + 1)
    }

    /// The number of the zone in which the blank is.
    #[inline(always)]
    pub fn number(&self, set_number: usize, blank: usize) -> usize {
        let ZoneDivision { first, zone_bits: [low, middle, high] } = self.divisions[set_number];
        let bit = |bits: CellSet| bits >> (blank as u32) & 1;
        (first + bit(low) + 2 * bit(middle) + 4 * bit(high)) as usize
    }

    /// The cells of a set's zone, by its place among the set's.
    pub fn cells(&self, set: CellSet, set_number: usize, zone: usize) -> CellSet {
        let free = !set & ((1 << self.cells) - 1);
        let zone_bits = self.divisions[set_number].zone_bits.iter().enumerate();
        zone_bits.fold(free, |cells, (bit, bits)| match zone >> bit & 1 {
            0 => cells & !bits,
            _ => cells & bits,
        })
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> usize {
        std::mem::size_of::<ZoneDivision>() * self.divisions.len()
    }
}

/// The cells that are joined to the first of these.
pub fn flood(beside: &[CellSet], free: CellSet) -> CellSet {
    let mut reached = free & free.wrapping_neg();
    loop {
        let next = ones(reached).fold(reached, |next, cell| next | beside[cell] & free);
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// The cells of a set.
pub fn ones(mut set: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        cell
    })
}
