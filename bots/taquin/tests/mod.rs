//! The solvers of Taquin against exact distances and published counts.

mod batched;
mod cell_indexed;
mod heuristics;
mod korf;
mod searches;

use crate::taquin::best::pattern::Partition;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::Board;
use arbitre_games::search::budget::{Budget, Limiter};

/// Groups whose tables are made in a moment.
pub const FIVES: Partition = Partition {
    size: (4, 4),
    groups: &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 11], &[9, 10, 12, 13, 14]],
    zoned: true,
};

pub fn unlimited() -> Limiter {
    Limiter::new(Budget::default())
}

/// Returns the length of a path, which leads to the goal.
pub fn checked_length(board: &Board, solution: &Solution) -> Option<usize> {
    let path = solution.path.as_ref()?;
    let mut after = board.clone();
    path.iter().for_each(|&direction| assert!(after.slide(direction), "{board:?} {path:?}"));
    assert!(after.is_goal(), "{board:?} {path:?}");
    Some(path.len())
}

/// The distances of all boards of a size, by breadth-first search from the goal: by the rank of the
/// board among all permutations of its tiles. Boards that cannot be reached have `u8::MAX`.
pub struct Distances {
    rows: usize,
    columns: usize,
    by_rank: Vec<u8>,
}

impl Distances {
    pub fn new(rows: usize, columns: usize) -> Distances {
        let goal = Board::goal(rows, columns);
        let mut by_rank = vec![u8::MAX; (1..=rows * columns).product()];
        by_rank[rank(goal.cells())] = 0;
        let (mut layer, mut distance) = (vec![goal], 0);
        while !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for after in layer
                .iter()
                .flat_map(|board| board.ways().filter_map(|direction| board.after(direction)))
            {
                let known = &mut by_rank[rank(after.cells())];
                if *known == u8::MAX {
                    *known = distance;
                    next.push(after);
                }
            }
            layer = next;
        }
        Distances { rows, columns, by_rank }
    }

    pub fn of(&self, board: &Board) -> u8 {
        self.by_rank[rank(board.cells())]
    }

    /// How far the farthest board is away, and how many boards there are.
    pub fn radius_and_count(&self) -> (u8, usize) {
        let reached = || self.by_rank.iter().filter(|&&distance| distance < u8::MAX);
        (*reached().max().expect("the goal is there"), reached().count())
    }

    /// Each so-manieth of the boards that can be reached, with its distance.
    pub fn each(&self, step: usize) -> impl Iterator<Item = (Board, u32)> + '_ {
        let reached = self.by_rank.iter().enumerate().filter(|(_, &distance)| distance < u8::MAX);
        let board =
            |rank| Board::new(self.rows, self.columns, unranked(rank, self.rows * self.columns));
        reached.step_by(step).map(move |(rank, &distance)| (board(rank), distance.into()))
    }
}

/// The number of a permutation in lexicographic order.
fn rank(tiles: &[u8]) -> usize {
    let mut left = (1u32 << tiles.len()) - 1;
    tiles.iter().enumerate().fold(0, |rank, (at, &tile)| {
        let smaller = (left & ((1 << tile) - 1)).count_ones() as usize;
        left &= !(1 << tile);
        rank * (tiles.len() - at) + smaller
    })
}

fn unranked(mut rank: usize, count: usize) -> Vec<u8> {
    let mut digits: Vec<usize> = (1..=count).map(|base| (rank % base, rank /= base).0).collect();
    digits.reverse();
    let mut left: Vec<u8> = (0..count as u8).collect();
    digits.into_iter().map(|digit| left.remove(digit)).collect()
}
