//! Random generation of problems.

use super::hexes::Cell;
use super::rules::Rules;
use super::{AxialCoord, Play, Problem, Setup, Terrain, Unit};
use crate::rng::Rng;
use std::collections::HashSet;
use std::sync::Arc;

/// Consecutive draws without a new problem after which generation ends. Not tuned.
const PATIENCE: usize = 1000;
/// Most cells of a drawn unit. Not tuned.
const LARGEST_UNIT: usize = 5;
/// Most kinds of units of a drawn problem. Not tuned.
const MOST_UNITS: usize = 12;

/// Draws different problems with one seed each, numbered from 0.
pub fn setups(rules: Rules, mut rng: Rng) -> impl Iterator<Item = Setup> + Send {
    let mut drawn = HashSet::new();
    std::iter::from_fn(move || {
        let mut problems = (0..PATIENCE).map(|_| problem(&rules, &mut rng));
        let mut problem = problems.find(|problem| drawn.insert(problem.to_json()))?;
        problem.id = drawn.len() as u32 - 1;
        let seed = problem.source_seeds[0];
        Some(Setup { problem: Arc::new(problem), seed })
    })
}

/// Draws a problem with one seed, in which the first unit can spawn.
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
    let terrain = Terrain::new(problem.clone());
    let has_room = Play::new(&terrain, problem.source_seeds[0]).end().is_none();
    // Every unit fits on an empty board.
    let filled = if has_room { problem.filled } else { Vec::new() };
    Problem { filled, ..problem }
}

/// Draws full cells in the lower third of the board, for half of all problems. No row is full.
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

/// Draws a connected unit that fits on a board of these columns and rows.
fn unit(board: (usize, usize), rng: &mut Rng) -> Unit {
    let mut cells = 1 + rng.below(LARGEST_UNIT);
    loop {
        let unit = connected(cells, rng);
        let (columns, rows, _) = unit.raised();
        if columns <= board.0 && rows <= board.1 {
            return unit;
        }
        // Smaller units fit sooner, and a single cell fits on every board.
        cells = cells.max(2) - 1;
    }
}

/// Draws a unit that grows cell by cell. Its pivot is one of its cells or beside one.
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
    let mut offset = AxialCoord { y: 0, q: 1 };
    (0..rng.below(6)).for_each(|_| offset = offset.clockwise());
    cell.plus(offset)
}
