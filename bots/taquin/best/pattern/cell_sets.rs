//! Sets of cells that a pattern's tiles occupy, with ranks without gaps, and the zones into which a
//! set divides the other cells.

use crate::taquin::grid::{blank_targets, DIRECTIONS, MOST_CELLS};
use arbitre_games::games::taquin::Size;

/// Set of cells, one bit each.
pub type CellSet = u32;

/// Largest number of cells in the lower part of a set.
const LOW: usize = MOST_CELLS.div_ceil(2);
/// Largest number of cells in the upper part.
const HIGH: usize = MOST_CELLS - LOW;

/// Ranks of the sets with a given number of cells, in ascending order. A rank is the first rank of
/// the upper part, plus the rank of the lower part among those of equal size.
pub struct CombinationIndex {
    split: u32,
    first: [u32; 1 << HIGH],
    within: [u16; 1 << LOW],
    count: usize,
}

impl CombinationIndex {
    /// Creates the ranks of the sets of `tiles` out of `cells` cells.
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

    /// Returns the number of sets.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the rank of a set.
    #[inline(always)]
    pub fn rank(&self, set: CellSet) -> usize {
        let (low, high) = (set & ((1 << self.split) - 1), set >> self.split);
        let first = self.first[high as usize % (1 << HIGH)];
        first as usize + usize::from(self.within[low as usize % (1 << LOW)])
    }

    /// Returns the sets of `tiles` out of `cells` cells, by rank.
    pub fn all(cells: usize, tiles: usize) -> impl Iterator<Item = CellSet> {
        (0..1 << cells).filter(move |set: &CellSet| set.count_ones() as usize == tiles)
    }
}

/// Returns the adjacent cells of each cell.
pub fn neighbours(size: Size) -> Vec<CellSet> {
    let set = |targets: [Option<usize>; DIRECTIONS]| {
        targets.into_iter().flatten().fold(0, |set, cell| set | 1 << cell)
    };
    blank_targets(size).into_iter().map(set).collect()
}

/// Zones of the free cells for each set. The blank moves within one of them while no tile of the
/// pattern slides.
pub struct BlankZones {
    cells: usize,
    /// Division of each set, by rank, and one more at the end.
    divisions: Vec<ZoneDivision>,
}

/// Division of the free cells by one set.
#[derive(Clone, Copy, Default)]
struct ZoneDivision {
    /// Number of zones of the sets before.
    first: u32,
    /// Number of each cell's zone within the set, as bit planes.
    zone_bits: [CellSet; ZONE_BITS],
}

/// Bits of a zone's number within its set. Up to eight tiles leave at most eight zones, on boards
/// from 2x2 to 25 cells (2026-11-25, all sets). [`BlankZones::new`] checks it.
const ZONE_BITS: usize = 3;

impl BlankZones {
    /// Computes the zones of all sets of `tiles` cells on boards of this size.
    ///
    /// # Panics
    /// Panics if a set divides the board into more than eight zones.
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

    /// Returns the number of zones of all sets.
    pub fn count(&self) -> usize {
        self.before(self.divisions.len() - 1)
    }

    /// Returns the number of zones of the sets before this one.
    pub fn before(&self, set_rank: usize) -> usize {
        self.divisions[set_rank].first as usize
    }

    /// Returns the indices of a set's zones among those of all sets.
    pub fn of_set(&self, set_rank: usize) -> std::ops::Range<usize> {
        self.before(set_rank)..self.before(set_rank + 1)
    }

    /// Returns the index of the zone that contains the blank, among those of all sets.
    #[inline(always)]
    pub fn zone_index(&self, set_rank: usize, blank: usize) -> usize {
        let ZoneDivision { first, zone_bits: [low, middle, high] } = self.divisions[set_rank];
        let bit = |bits: CellSet| bits >> (blank as u32) & 1;
        (first + bit(low) + 2 * bit(middle) + 4 * bit(high)) as usize
    }

    /// Returns the cells of a zone, given by its number within the set.
    pub fn cells(&self, set: CellSet, set_rank: usize, zone: usize) -> CellSet {
        let free = !set & ((1 << self.cells) - 1);
        let zone_bits = self.divisions[set_rank].zone_bits.iter().enumerate();
        zone_bits.fold(free, |cells, (bit, bits)| match zone >> bit & 1 {
            0 => cells & !bits,
            _ => cells & bits,
        })
    }

    /// Returns the size of the tables in bytes.
    pub fn bytes(&self) -> usize {
        std::mem::size_of::<ZoneDivision>() * self.divisions.len()
    }
}

/// Returns the free cells connected to the first of them.
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

/// Returns the cells of a set.
pub fn ones(mut set: CellSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        cell
    })
}
