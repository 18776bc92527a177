//! Admissible estimates of the distance to the goal. All have the parity of the distance, so a
//! slide changes them by an odd number.

/// A slide, described by the tile that moves.
#[derive(Clone, Copy, Debug)]
pub struct Slide<'a> {
    /// Tile that slides.
    pub tile: usize,
    /// Cell that the tile leaves; the blank is there after the slide.
    pub from: usize,
    /// Cell that the tile enters; the blank was there before the slide.
    pub to: usize,
    /// Tile on each cell after the slide. The value on the blank's cell is arbitrary.
    pub cells: &'a [u8],
}

/// Heuristic that is updated slide by slide along a path.
pub trait Heuristic: Sync {
    /// State kept for a board.
    type Estimate: Copy;

    /// Computes the state of the board with these tiles and the blank on cell `blank`.
    fn estimate(&self, cells: &[u8], blank: usize) -> Self::Estimate;

    /// Returns the lower bound of the number of moves to the goal.
    fn value(&self, estimate: &Self::Estimate) -> u32;

    /// Returns the state after a slide, or `None` if its estimate exceeds `most`.
    fn after(&self, estimate: &Self::Estimate, slide: &Slide, most: u32) -> Option<Self::Estimate>;

    /// Returns the size of its tables in bytes.
    fn bytes(&self) -> usize;
}

/// Manhattan distance: the sum over all tiles of the rows and columns to their places (the sheet's
/// h).
pub struct Manhattan {
    cells: usize,
    /// Distances by tile and cell.
    distances: Vec<u8>,
}

impl Manhattan {
    /// Creates the heuristic for boards of this size.
    pub fn new(rows: usize, columns: usize) -> Manhattan {
        let cells = rows * columns;
        let distance = |a: usize, b: usize| {
            (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns)
        };
        let pairs = (0..cells).flat_map(|tile| (0..cells).map(move |cell| (tile, cell)));
        Manhattan { cells, distances: pairs.map(|(a, b)| distance(a, b) as u8).collect() }
    }

    /// Returns the distance of a tile on cell `cell` from its place.
    #[inline]
    pub fn tile_distance(&self, tile: usize, cell: usize) -> u32 {
        self.distances[tile * self.cells + cell].into()
    }

    /// Returns the change of the estimate by a slide: 1 or -1 (the sheet's `delta_h`).
    #[inline]
    pub fn delta(&self, slide: &Slide) -> i32 {
        self.tile_distance(slide.tile, slide.to) as i32
            - self.tile_distance(slide.tile, slide.from) as i32
    }

    /// Computes the estimate of a board (the sheet's `calcule_h`).
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
