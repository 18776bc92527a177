//! Tests of the Taquin solvers against exact distances and published counts.

mod heuristics;
mod korf;
mod memory;
mod pattern_searches;
mod pruning;
mod searches;

use crate::taquin::best::parallel_deepening::{BoundedIteration, DepthReached};
use crate::taquin::best::pattern::{Partition, PatternDatabases, TableOptions};
use crate::taquin::packed_board::PackedBoard;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{Board, Size};
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::hash::BuildFoldHasher;
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

/// Groups whose tables are built quickly.
pub const FIVES: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[9, 10, 12, 13, 14]],
};

/// Builds tables without a cache.
pub fn patterns(partition: &Partition) -> PatternDatabases {
    PatternDatabases::new(partition, &TableOptions::ALONE)
}

pub fn unlimited() -> Limiter {
    Limiter::new(Budget::default())
}

/// Calls `search` with an iteration without limits in `threads` threads.
pub fn with_iteration<T>(
    (bound, expected, threads): (u32, u64, usize),
    previous: &DepthReached,
    search: impl FnOnce(&BoundedIteration) -> T,
) -> T {
    let mut limiter = unlimited();
    let limiter = &Mutex::new(&mut limiter);
    search(&BoundedIteration { bound, expected, threads, previous, limiter })
}

/// Returns the length of the path, after checking that it leads to the goal.
pub fn checked_length(board: &Board, solution: &Solution) -> Option<usize> {
    let path = solution.path.as_ref()?;
    let mut after = board.clone();
    path.iter().for_each(|&direction| assert!(after.slide(direction), "{board:?} {path:?}"));
    assert!(after.is_goal(), "{board:?} {path:?}");
    Some(path.len())
}

/// Returns the reflection of a 4x4 board at the diagonal.
pub fn reflected(board: &Board) -> Board {
    let mirror = |cell: u8| cell % 4 * 4 + cell / 4;
    let cells = (0..16).map(|cell| mirror(board.cells()[usize::from(mirror(cell))]));
    Board::new(4, 4, cells.collect())
}

/// Distances of all solvable boards of a size, by breadth-first search from the goal.
pub struct Distances {
    size: Size,
    by_word: HashMap<u64, u32, BuildFoldHasher>,
}

impl Distances {
    pub fn new(rows: usize, columns: usize) -> Distances {
        let goal = Board::goal(rows, columns);
        let mut by_word = HashMap::from_iter([(u64::pack(goal.cells()), 0)]);
        let mut queue = VecDeque::from([goal]);
        while let Some(board) = queue.pop_front() {
            let distance = 1 + by_word[&u64::pack(board.cells())];
            for next in board.successors() {
                by_word.entry(u64::pack(next.cells())).or_insert_with(|| {
                    queue.push_back(next);
                    distance
                });
            }
        }
        Distances { size: (rows, columns), by_word }
    }

    pub fn of(&self, board: &Board) -> u32 {
        self.by_word[&u64::pack(board.cells())]
    }

    /// Returns every `step`-th board with its distance.
    pub fn each(&self, step: usize) -> impl Iterator<Item = (Board, u32)> + '_ {
        let (rows, columns) = self.size;
        self.by_word.iter().step_by(step).map(move |(word, &distance)| {
            let mut cells = vec![0; rows * columns];
            word.unpack(&mut cells);
            (Board::new(rows, columns, cells), distance)
        })
    }
}
