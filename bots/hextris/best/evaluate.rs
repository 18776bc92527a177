//! What a board is worth for the units that are to come.

use crate::games::hextris::{Board, Row, Terrain};

/// How a board is judged, in points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// A row that is all but full.
    pub filled: f64,
    /// An empty row at the top.
    pub empty: f64,
    /// What a cell leaves of its row's worth if it has full cells on both sides, one above, two above.
    pub shut_in: [f64; 3],
    /// A full cell where units appear, for each row of the board.
    pub spawn: f64,
    /// An empty cell to which no way leads from above.
    pub hole: f64,
    /// An empty cell below a full one, wherever in its column.
    pub covered: f64,
    /// A row with such cells.
    pub broken: f64,
    /// A change between empty and full along a row.
    pub edge: f64,
    /// A full cell right above an empty one.
    pub roof: f64,
    /// By what power of the height above the floor empty rows count less.
    pub depth: f64,
    /// So many units before the end a board begins to count less.
    pub fade: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            filled: 200.0,
            empty: 200.0,
            shut_in: [0.95, 0.8, 0.85],
            spawn: 100.0,
            hole: 10.0,
            covered: 30.0,
            broken: 50.0,
            edge: 40.0,
            roof: 50.0,
            depth: 0.56,
            fade: 10.0,
        }
    }
}

/// Judges the boards of a problem.
pub struct Evaluation {
    /// By how many cells are full, and by how many are empty.
    filled: Vec<f64>,
    empty: Vec<f64>,
    /// By how many cells are so shut in.
    shut_in: [Vec<f64>; 3],
    /// Where units appear.
    spawn: Vec<Row>,
    /// For each full cell there.
    blocked: f64,
    weights: Weights,
    /// By row.
    depth: Vec<f64>,
}

impl Evaluation {
    /// For the boards of a terrain.
    pub fn new(terrain: &Terrain, weights: &Weights) -> Evaluation {
        let (width, height) = (terrain.problem().width, terrain.problem().height);
        let square = |cells: usize| (cells as f64 / width as f64).powi(2);
        let mut spawn = vec![0; height];
        for piece in terrain.pieces() {
            spawn.iter_mut().zip(piece.rows(piece.spawn())).for_each(|(row, cells)| *row |= cells);
        }
        let powers = |factor: f64| (0..=width as i32).map(|cells| factor.powi(cells)).collect();
        Evaluation {
            filled: (0..=width).map(|cells| weights.filled * square(cells)).collect(),
            empty: (0..=width).map(|cells| weights.empty * square(cells)).collect(),
            shut_in: weights.shut_in.map(powers),
            spawn,
            blocked: weights.spawn * height as f64,
            weights: *weights,
            depth: (0..height)
                .map(|y| ((height - y) as f64 / height as f64).powf(weights.depth))
                .collect(),
        }
    }

    /// What a board promises, in points.
    pub fn promise(&self, board: &Board, left: usize) -> f64 {
        let (full, width) = (board.full_row(), board.width());
        let last = 1 << (width - 1);
        let (mut above, mut promise) = (0, 0.0);
        let (mut blocked, mut holes) = (0, 0);
        let mut reached = full;
        let mut shade = 0;
        let mut counts = [0; 4];
        for (y, &row) in board.rows().iter().enumerate() {
            let empty = !row & full;
            let cells = row.count_ones() as usize;
            let (left, right) = match y.is_multiple_of(2) {
                true => (above << 1 | 1, above),
                false => (above, above >> 1 | last),
            };
            let (left, right) = if y == 0 { (0, 0) } else { (left, right) };
            let beside = empty & (row << 1 | 1) & (row >> 1 | last) & !(left | right);
            let shut_in = [beside, empty & (left ^ right), empty & left & right];
            let mut worth = self.filled[cells];
            for (powers, cells) in self.shut_in.iter().zip(shut_in) {
                worth *= powers[cells.count_ones() as usize];
            }
            let from_above = match y.is_multiple_of(2) {
                true => reached << 1 | reached,
                false => reached >> 1 | reached,
            };
            reached = flood(empty & from_above, empty);
            holes += (empty ^ reached).count_ones();
            let covered = empty & shade;
            counts[0] += covered.count_ones();
            counts[1] += u32::from(covered != 0);
            if row != 0 {
                counts[2] += ((row ^ (row << 1 | 1)) & full).count_ones()
                    + (row >> (width - 1) & 1 ^ 1) as u32;
            }
            counts[3] += (empty & left).count_ones() + (empty & right).count_ones();
            shade |= row;
            promise += worth + self.empty[width - cells] * self.depth[y];
            blocked += (row & self.spawn[y]).count_ones();
            above = row;
        }
        let w = &self.weights;
        let sum: f64 = counts
            .iter()
            .zip([w.covered, w.broken, w.edge, w.roof])
            .map(|(c, w)| f64::from(*c) * w)
            .sum();
        let promise = promise
            - f64::from(blocked) * self.blocked
            - f64::from(holes) * self.weights.hole
            - sum;
        promise * (left as f64 / self.weights.fade).min(1.0)
    }
}

/// All of the empty cells that touch these in their row.
fn flood(mut cells: Row, empty: Row) -> Row {
    if cells == empty {
        return cells;
    }
    loop {
        let more = cells | (cells << 1 | cells >> 1) & empty;
        if more == cells {
            return cells;
        }
        cells = more;
    }
}
