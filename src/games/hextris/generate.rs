//! Drawing problems of our own making.

use super::hexes::Cell;
use super::rules::Rules;
use super::{AxialCoord, Play, Problem, Setup, Terrain, Unit};
use crate::rng::Rng;
use std::collections::HashSet;
use std::sync::Arc;

/// So many draws in a row may bring nothing new.
const PATIENCE: usize = 1000;
/// Units have at most so many cells.
const LARGEST_UNIT: usize = 5;
/// A problem has at most so many units.
const MOST_UNITS: usize = 12;

/// Problems with one seed each, no two of them alike, numbered from 0.
pub struct HextrisSetups {
    rules: Rules,
    rng: Rng,
    drawn: HashSet<String>,
}

impl HextrisSetups {
    /// Problems for these rules.
    pub fn new(rules: Rules, rng: Rng) -> HextrisSetups {
        HextrisSetups { rules, rng, drawn: HashSet::new() }
    }
}

impl Iterator for HextrisSetups {
    type Item = Setup;

    fn next(&mut self) -> Option<Setup> {
        for _ in 0..PATIENCE {
            let mut problem = problem(&self.rules, &mut self.rng);
            if self.drawn.insert(problem.to_json()) {
                problem.id = self.drawn.len() as u32 - 1;
                let seed = problem.source_seeds[0];
                return Some(Setup { problem: Arc::new(problem), seed });
            }
        }
        None
    }
}

/// A problem with one seed, whose first unit finds room to appear.
pub fn problem(rules: &Rules, rng: &mut Rng) -> Problem {
    let (width, height) = rules.size.unwrap_or_else(|| (8 + rng.below(17), 10 + rng.below(16)));
    let units = (0..1 + rng.below(MOST_UNITS)).map(|_| unit((width, height), rng)).collect();
    let problem = Problem {
        id: 0,
        width,
        height,
        units,
        filled: rubble(width, height, rng),
        source_length: rules.length,
        source_seeds: vec![rng.below(1 << 15) as u32],
    };
    let terrain = Terrain::new(problem);
    let has_room = Play::new(&terrain, terrain.problem().source_seeds[0]).end().is_none();
    let problem = terrain.problem().clone();
    match has_room {
        true => problem,
        false => Problem { filled: Vec::new(), ..problem },
    }
}

/// In half of all problems, cells in the lower third; no row of them is full.
fn rubble(width: usize, height: usize, rng: &mut Rng) -> Vec<Cell> {
    let mut filled = Vec::new();
    if rng.below(2) == 0 {
        return filled;
    }
    for y in height - height / 3..height {
        let gap = rng.below(width);
        let is_filled = |x: &usize| *x != gap && rng.below(5) < 2;
        filled.extend((0..width).filter(is_filled).map(|x| Cell { x: x as i32, y: y as i32 }));
    }
    filled
}

/// A connected unit that fits on a board of these columns and rows.
fn unit(board: (usize, usize), rng: &mut Rng) -> Unit {
    let mut cells = 1 + rng.below(LARGEST_UNIT);
    loop {
        let unit = connected(cells, rng);
        let (columns, rows, _) = unit.raised();
        if columns <= board.0 && rows <= board.1 {
            return unit;
        }
        cells = cells.max(2) - 1;
    }
}

/// A unit that grows cell by cell. Its pivot is one of its cells or beside one.
fn connected(count: usize, rng: &mut Rng) -> Unit {
    let mut cells = vec![AxialCoord { y: 0, q: 0 }];
    while cells.len() < count {
        let next = neighbour(cells[rng.below(cells.len())], rng);
        if !cells.contains(&next) {
            cells.push(next);
        }
    }
    let pivot = cells[rng.below(cells.len())];
    let pivot = if rng.below(3) > 0 { pivot } else { neighbour(pivot, rng) };
    let top = cells.iter().map(|cell| cell.y).min().unwrap_or(0);
    let raise = |cell: AxialCoord| AxialCoord { y: cell.y - top, q: cell.q }.cell();
    let left = cells.iter().map(|&cell| raise(cell).x).min().unwrap_or(0);
    let place = |cell: AxialCoord| Cell { x: raise(cell).x - left, y: raise(cell).y };
    Unit { members: cells.into_iter().map(place).collect(), pivot: place(pivot) }
}

fn neighbour(cell: AxialCoord, rng: &mut Rng) -> AxialCoord {
    let mut way = AxialCoord { y: 0, q: 1 };
    (0..rng.below(6)).for_each(|_| way = way.clockwise());
    cell.plus(way)
}
