//! Estimates of the distance to the goal that never exceed it. All have its parity, so that a slide changes
//! them by an odd number.

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
    type Mark: Copy;

    /// What is kept of the board with these tiles and the blank on this cell, from scratch.
    fn mark(&self, cells: &[u8], blank: usize) -> Self::Mark;

    /// The least number of moves that is still needed.
    fn estimate(&self, mark: &Self::Mark) -> u32;

    /// What is kept of a board after a slide; nothing if its estimate is more than `most`.
    fn after(&self, mark: &Self::Mark, slide: &Slide, most: u32) -> Option<Self::Mark>;

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
    pub fn of_tile(&self, tile: usize, cell: usize) -> u32 {
        self.distances[tile * self.cells + cell].into()
    }

    /// The change of the estimate by a slide: 1 or -1 (the sheet's `delta_h`).
    #[inline]
    pub fn delta(&self, slide: &Slide) -> i32 {
        self.of_tile(slide.tile, slide.to) as i32 - self.of_tile(slide.tile, slide.from) as i32
    }

    /// The estimate of a board, from scratch (the sheet's `calcule_h`).
    pub fn of(&self, cells: &[u8], blank: usize) -> u32 {
        let tiles = (0..).zip(cells).filter(|&(cell, _)| cell != blank);
        tiles.map(|(cell, &tile)| self.of_tile(tile.into(), cell)).sum()
    }
}

impl Heuristic for Manhattan {
    type Mark = u32;

    fn mark(&self, cells: &[u8], blank: usize) -> u32 {
        self.of(cells, blank)
    }

    fn estimate(&self, mark: &u32) -> u32 {
        *mark
    }

    #[inline]
    fn after(&self, mark: &u32, slide: &Slide, most: u32) -> Option<u32> {
        Some(mark.wrapping_add_signed(self.delta(slide))).filter(|&estimate| estimate <= most)
    }

    fn bytes(&self) -> usize {
        self.distances.len()
    }
}
