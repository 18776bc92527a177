//! Iterative deepening A* (R. Korf, 1985) with any heuristic. One board is changed in place, and no
//! slide goes straight back.

use crate::taquin::grid::{BlankMoves, BoardGrid, DIRECTIONS, NO_DIRECTION};
use crate::taquin::heuristics::{Heuristic, Slide};
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Nodes between two reports to the limiter. Not tuned.
const BATCH: u64 = 1024;

/// Solves a board optimally within the limits of `limiter`, which counts expanded boards and may
/// limit the length. The estimate must be 0 only at the goal.
///
/// An iteration searches all paths whose length plus estimate is within a bound. The next bound is
/// two more, because a slide changes both terms by an odd number. (The sheet's pseudo-code starts
/// its search with `p` where 0 is meant, and takes the least excess, which is two here.)
pub fn ida_star<H: Heuristic>(heuristic: &H, board: &Board, limiter: &mut Limiter) -> Solution {
    let (cells, blank, size) = (board.cells(), board.blank(), (board.rows(), board.columns()));
    let task = IdaStarTask { cells, blank, most: limiter.depth_limit() };
    match cells.len() {
        ..=16 => iterate::<H, 16>(heuristic, &BoardGrid::new(size), &task, limiter),
        17..=32 => iterate::<H, 32>(heuristic, &BoardGrid::new(size), &task, limiter),
        _ => iterate::<H, 128>(heuristic, &BoardGrid::new(size), &task, limiter),
    }
}

/// Search task: a path from `cells` to the goal. Tiles are numbered by the cells where they belong.
pub struct IdaStarTask<'a> {
    /// Tiles by cell.
    pub cells: &'a [u8],
    /// Cell of the blank.
    pub blank: usize,
    /// Largest useful length of the path.
    pub most: u32,
}

/// Runs [`ida_star`] on a task that has a solution, even if that is longer than allowed.
pub fn iterate<H: Heuristic, const CAP: usize>(
    heuristic: &H,
    grid: &BoardGrid<CAP>,
    task: &IdaStarTask,
    limiter: &mut Limiter,
) -> Solution {
    let mut search = IdaStarSearch::<H, CAP>::new(heuristic, grid, task.cells, limiter);
    let estimate = heuristic.estimate(task.cells, task.blank);
    let mut bound = heuristic.value(&estimate);
    let mut found = bound == 0;
    while !found && bound <= task.most {
        search.stats.iterations += 1;
        found = search.visit(task.blank, NO_DIRECTION, &estimate, bound) && !search.stopped;
        if search.stopped {
            break;
        }
        bound += 2;
    }
    search.solution(found, bound as usize)
}

struct IdaStarSearch<'s, H, const CAP: usize> {
    heuristic: &'s H,
    grid: &'s BoardGrid<CAP>,
    cells: [u8; CAP],
    limiter: &'s mut Limiter,
    stopped: bool,
    stats: SearchStats,
    /// Path to the goal once it is found, last slide first.
    path: Vec<Direction>,
}

impl<'s, H: Heuristic, const CAP: usize> IdaStarSearch<'s, H, CAP> {
    fn new(
        heuristic: &'s H,
        grid: &'s BoardGrid<CAP>,
        tiles: &[u8],
        limiter: &'s mut Limiter,
    ) -> Self {
        let mut cells = [0; CAP];
        cells[..tiles.len()].copy_from_slice(tiles);
        let stats = SearchStats { bytes: heuristic.bytes(), ..SearchStats::default() };
        let (stopped, path) = (false, Vec::new());
        IdaStarSearch { heuristic, grid, cells, limiter, stopped, stats, path }
    }

    /// Searches for the goal within `left` moves of a board that is not the goal. Returns `true` if
    /// it is found or the search must stop.
    fn visit(&mut self, blank: usize, came: usize, estimate: &H::Estimate, left: u32) -> bool {
        self.stats.expanded += 1;
        if self.stats.expanded.is_multiple_of(BATCH) && self.must_stop() {
            return true;
        }
        let (blank, moves) = (blank & (CAP - 1), *self.grid.moves(blank, came));
        let estimates = self.estimates(blank, &moves, estimate, left - 1);
        for (blank_move, next) in moves.list().iter().zip(estimates) {
            self.stats.generated += 1;
            let Some(next) = next else { continue };
            let from = usize::from(blank_move.to) & (CAP - 1);
            let tile = self.cells[from];
            self.cells[blank] = tile;
            let is_goal = self.heuristic.value(&next) == 0;
            if is_goal || self.visit(from, blank_move.direction.into(), &next, left - 1) {
                self.path.push(Direction::ALL[usize::from(blank_move.direction)]);
                return true;
            }
            self.cells[from] = tile;
        }
        false
    }

    /// Returns the states after these slides, or `None` where they exceed the bound. All are
    /// computed before the first board is visited, so that lookups in large tables wait for memory
    /// together.
    #[inline]
    fn estimates(
        &mut self,
        blank: usize,
        moves: &BlankMoves,
        estimate: &H::Estimate,
        most: u32,
    ) -> [Option<H::Estimate>; DIRECTIONS] {
        let mut estimates = [None; DIRECTIONS];
        for (blank_move, next) in moves.list().iter().zip(&mut estimates) {
            let from = usize::from(blank_move.to) & (CAP - 1);
            let tile = self.cells[from];
            self.cells[blank] = tile;
            let slide = Slide { tile: tile.into(), from, to: blank, cells: &self.cells };
            *next = self.heuristic.after(estimate, &slide, most);
        }
        estimates
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        self.stopped |= self.limiter.spend(BATCH);
        self.stopped
    }

    /// Returns the result. Without a path, `lower_bound` is the bound of the iteration that was not
    /// finished.
    fn solution(mut self, found: bool, lower_bound: usize) -> Solution {
        if !found {
            return Solution::without_path(SolveStatus::OutOfBudget, lower_bound, self.stats);
        }
        self.path.reverse();
        Solution::with_path(self.path, self.stats)
    }
}
