//! Estimates of the distance to the goal that never exceed it. All have its parity, so that a slide
//! changes them by an odd number.

/// A slide as the tile sees it.
#[derive(Clone, Copy, Debug)]
pub struct Slide<'a> {
    /// The tile.
    pub tile: usize,
    /// The cell that it leaves, where the blank is now.
    pub from: usize,
    /// The cell to which it goes, where the blank was.
    pub to: usize,
    /// What is on each cell after the slide. What the blank's cell holds does not matter.
    pub cells: &'a [u8],
}

/// An estimate that is carried along a path.
pub trait Heuristic: Sync {
    /// What is kept of a board.
    type Estimate: Copy;

    /// What is kept of the board with these tiles and the blank on this cell, from scratch.
    fn estimate(&self, cells: &[u8], blank: usize) -> Self::Estimate;

    /// The least number of moves that is still needed.
    fn value(&self, estimate: &Self::Estimate) -> u32;

    /// What is kept of a board after a slide; nothing if its estimate is more than `most`.
    fn after(&self, estimate: &Self::Estimate, slide: &Slide, most: u32) -> Option<Self::Estimate>;

    /// Does a slide never change the estimate by more than one?
    fn is_consistent(&self) -> bool {
        true
    }

    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// The rows and columns of a board's tiles from their places, added up (the sheet's h).
pub struct Manhattan {
    cells: usize,
    /// By tile and cell.
    distances: Vec<u8>,
}

impl Manhattan {
    /// The heuristic for boards of this size.
    pub fn new(rows: usize, columns: usize) -> Manhattan {
        let cells = rows * columns;
        let distance = |a: usize, b: usize| {
            (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns)
        };
        let pairs = (0..cells).flat_map(|tile| (0..cells).map(move |cell| (tile, cell)));
        Manhattan { cells, distances: pairs.map(|(a, b)| distance(a, b) as u8).collect() }
    }

    /// How far a tile on this cell is from its place.
    #[inline]
    pub fn tile_distance(&self, tile: usize, cell: usize) -> u32 {
        self.distances[tile * self.cells + cell].into()
    }

    /// The change of the estimate by a slide: 1 or -1 (the sheet's `delta_h`).
    #[inline]
    pub fn delta(&self, slide: &Slide) -> i32 {
        self.tile_distance(slide.tile, slide.to) as i32
            - self.tile_distance(slide.tile, slide.from) as i32
    }

    /// The estimate of a board, from scratch (the sheet's `calcule_h`).
    pub fn distance(&self, cells: &[u8], blank: usize) -> u32 {
        let tiles = (0..).zip(cells).filter(|&(cell, _)| cell != blank);
        tiles.map(|(cell, &tile)| self.tile_distance(tile.into(), cell)).sum()
    }
}

impl Heuristic for Manhattan {
    type Estimate = u32;

    fn estimate(&self, cells: &[u8], blank: usize) -> u32 {
        self.distance(cells, blank)
    }

    fn value(&self, estimate: &u32) -> u32 {
        *estimate
    }

    #[inline]
    fn after(&self, estimate: &u32, slide: &Slide, most: u32) -> Option<u32> {
        Some(estimate.wrapping_add_signed(self.delta(slide))).filter(|&value| value <= most)
    }

    fn bytes(&self) -> usize {
        self.distances.len()
    }
}
