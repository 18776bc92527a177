//! Iterative deepening A* (R. Korf, 1985), with any heuristic: one board is changed in place, and no slide
//! is taken back at once.

use super::grid::{Grid, Steps, NOWHERE};
use super::heuristic::{Heuristic, Slide};
use super::solution::{Effort, Ending, Solution};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Nodes between two questions to the meter.
const BATCH: u64 = 1024;

/// Solves a board optimally, as long as the meter allows, which is told expanded boards and may limit the
/// length. A heuristic's estimate must be 0 only at the
/// goal.
///
/// An iteration looks at all paths whose length and estimate together are within a bound, and the next
/// bound is two more: a slide changes both by one. (The sheet's pseudo-code begins its search with `p`
/// where 0 is meant, and takes the least excess, which is these two.)
pub fn ida_star<H: Heuristic>(heuristic: &H, board: &Board, meter: &mut Limiter) -> Solution {
    if !board.is_solvable() {
        return Solution::without_path(Ending::Unsolvable, Effort::default());
    }
    let (cells, blank, size) = (board.cells(), board.blank(), (board.rows(), board.columns()));
    let task = Task { cells, blank, most: meter.depth_limit() };
    match cells.len() {
        ..=16 => iterate::<H, 16>(heuristic, &Grid::new(size), &task, meter),
        17..=32 => iterate::<H, 32>(heuristic, &Grid::new(size), &task, meter),
        _ => iterate::<H, 128>(heuristic, &Grid::new(size), &task, meter),
    }
}

/// What is to be found: a path of so many moves at most, from tiles that are numbered by the cells where they
/// are to go.
pub struct Task<'a> {
    /// The tiles.
    pub cells: &'a [u8],
    /// The cell of the blank.
    pub blank: usize,
    /// The longest path that is of use.
    pub most: u32,
}

/// [`ida_star`] for a task that has a solution, if only a longer one.
pub fn iterate<H: Heuristic, const CAP: usize>(
    heuristic: &H,
    grid: &Grid<CAP>,
    task: &Task,
    meter: &mut Limiter,
) -> Solution {
    let mut search = Search::<H, CAP>::new(heuristic, grid, task.cells, meter);
    let mark = heuristic.mark(task.cells, task.blank);
    let mut bound = heuristic.estimate(&mark);
    let mut found = bound == 0;
    while !found && !search.stopped && bound <= task.most {
        search.iterations += 1;
        found = search.visit(task.blank, NOWHERE, &mark, bound) && !search.stopped;
        bound += 2;
    }
    search.solution(found)
}

struct Search<'s, H, const CAP: usize> {
    heuristic: &'s H,
    grid: &'s Grid<CAP>,
    cells: [u8; CAP],
    meter: &'s mut Limiter,
    stopped: bool,
    generated: u64,
    expanded: u64,
    iterations: u64,
    /// The way to the goal, once it is found, its last slide first.
    path: Vec<Direction>,
}

impl<'s, H: Heuristic, const CAP: usize> Search<'s, H, CAP> {
    fn new(heuristic: &'s H, grid: &'s Grid<CAP>, tiles: &[u8], meter: &'s mut Limiter) -> Self {
        let mut cells = [0; CAP];
        cells[..tiles.len()].copy_from_slice(tiles);
        let (generated, expanded, iterations) = (0, 0, 0);
        let (stopped, path) = (false, Vec::new());
        Search { heuristic, grid, cells, meter, stopped, generated, expanded, iterations, path }
    }

    /// Looks for the goal within so many moves of a board that is not the goal. Returns whether it is
    /// found or there is no time left.
    fn visit(&mut self, blank: usize, came: usize, mark: &H::Mark, moves: u32) -> bool {
        self.expanded += 1;
        if self.expanded.is_multiple_of(BATCH) && self.must_stop() {
            return true;
        }
        let (blank, steps) = (blank & (CAP - 1), *self.grid.steps(blank, came));
        let marks = self.marks(blank, &steps, mark, moves - 1);
        for (step, next) in steps.list().iter().zip(marks) {
            self.generated += 1;
            let Some(next) = next else { continue };
            let from = usize::from(step.to) & (CAP - 1);
            let tile = self.cells[from];
            self.cells[blank] = tile;
            let is_goal = self.heuristic.estimate(&next) == 0;
            if is_goal || self.visit(from, step.way.into(), &next, moves - 1) {
                self.path.push(Direction::ALL[usize::from(step.way)]);
                return true;
            }
            self.cells[from] = tile;
        }
        false
    }

    /// What is kept of the boards after these slides, where they are within the bound. All are computed before
    /// the first of them is visited, so that looks into large tables wait for memory together.
    #[inline]
    fn marks(
        &mut self,
        blank: usize,
        steps: &Steps,
        mark: &H::Mark,
        most: u32,
    ) -> [Option<H::Mark>; Direction::ALL.len()] {
        let mut marks = [None; Direction::ALL.len()];
        for (step, next) in steps.list().iter().zip(&mut marks) {
            let from = usize::from(step.to) & (CAP - 1);
            let tile = self.cells[from];
            self.cells[blank] = tile;
            let slide = Slide { tile: tile.into(), from, to: blank, cells: &self.cells };
            *next = self.heuristic.after(mark, &slide, most);
        }
        marks
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        self.stopped |= self.meter.spend(BATCH);
        self.stopped
    }

    fn solution(mut self, found: bool) -> Solution {
        let (generated, expanded, iterations) = (self.generated, self.expanded, self.iterations);
        let effort =
            Effort { generated, expanded, iterations, stored: 0, bytes: self.heuristic.bytes() };
        if !found {
            return Solution::without_path(Ending::OutOfBudget, effort);
        }
        self.path.reverse();
        Solution::with_path(self.path, effort)
    }
}
