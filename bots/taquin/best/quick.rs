//! Fast solver for boards of any size, whose path need not be shortest. It places tile by tile,
//! line by line; each line shortens the longer side of the unsolved rectangle. Placed tiles stay.

use crate::taquin::grid::{BoardGrid, NO_DIRECTION};
use crate::taquin::heuristics::Manhattan;
use arbitre_games::games::taquin::{Board, Direction};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Power of two that holds the cells of all boards, 10x10 at most.
const CAP: usize = 128;
/// Largest number of tiles placed together: with the blank they fill a [`PackedCells`].
const TOGETHER: usize = 3;
/// Weight of the distance of the tiles against the moves made. On twenty boards of 10x10, weights
/// 1, 2, 3 and 5 gave 2105, 2106, 2123 and 2208 moves. They took 336, 64, 8 and 2 ms per board.
const GREED: u32 = 3;

/// Returns a path to the goal.
///
/// # Panics
/// Panics if the board is unsolvable.
pub fn quick(board: &Board) -> Vec<Direction> {
    assert!(board.is_solvable(), "a board that can be solved");
    let (rows, columns) = (board.rows(), board.columns());
    let mut solver = QuickSolver {
        grid: BoardGrid::new((rows, columns)),
        manhattan: Manhattan::new(rows, columns),
        board: board.clone(),
        placed: [false; CAP],
        path: Vec::new(),
    };
    let (mut top, mut left) = (0, 0);
    while rows - top > 2 || columns - left > 2 {
        let line: Vec<usize> = if rows - top >= columns - left {
            top += 1;
            (left..columns).map(|column| (top - 1) * columns + column).collect()
        } else {
            left += 1;
            (top..rows).map(|row| row * columns + left - 1).collect()
        };
        solver.place_line(&line);
    }
    let corner = (rows - 2) * columns + columns - 2;
    solver.place(&[corner, corner + 1, corner + columns]);
    solver.path
}

struct QuickSolver {
    grid: BoardGrid<CAP>,
    manhattan: Manhattan,
    board: Board,
    /// Whether the tile on each cell stays there.
    placed: [bool; CAP],
    path: Vec<Direction>,
}

/// Cells of the blank (lowest byte) and of the tiles being placed, one byte each.
type PackedCells = u32;

impl QuickSolver {
    /// Places the tiles of a line in order. The last two are placed together, because the last cell
    /// could not be entered once all others are fixed.
    fn place_line(&mut self, line: &[usize]) {
        let (singles, pair) = line.split_at(line.len() - 2);
        singles.iter().for_each(|&cell| self.place(&[cell]));
        self.place(pair);
    }

    /// Moves the tiles that belong on the cells `goals` there.
    fn place(&mut self, goals: &[usize]) {
        for direction in self.path_to(goals) {
            self.board.slide(direction);
            // A piece may start by undoing the last move; both cancel out.
            match self.path.last() {
                Some(last) if *last == direction.opposite() => drop(self.path.pop()),
                _ => self.path.push(direction),
            }
        }
        goals.iter().for_each(|&cell| self.placed[cell] = true);
    }

    /// Returns a short path that places the tiles, by weighted A* in which only they and the blank
    /// count.
    fn path_to(&self, goals: &[usize]) -> Vec<Direction> {
        assert!(goals.len() <= TOGETHER);
        let cell = |goal: &usize| {
            let at = self.board.cells().iter().position(|&tile| usize::from(tile) == *goal);
            at.expect("every tile is on the board")
        };
        let root = goals.iter().rev().map(cell).fold(0, |node, at| node << 8 | at as PackedCells);
        let root = root << 8 | self.board.blank() as PackedCells;
        let mut reached: HashMap<PackedCells, (PackedCells, u32, u8)> =
            HashMap::from([(root, (root, 0, 0))]);
        let mut queue = BinaryHeap::from([Reverse((0, 0, root))]);
        while let Some(Reverse((_, _, node))) = queue.pop() {
            if self.distance(node, goals) == 0 {
                return path_back(node, &reached);
            }
            let moves = reached[&node].1 + 1;
            for blank_move in self.grid.moves((node & 255) as usize, NO_DIRECTION).list() {
                if self.placed[usize::from(blank_move.to)] {
                    continue;
                }
                let next = slid(node, blank_move.to, goals.len());
                if reached.get(&next).is_none_or(|known| moves < known.1) {
                    reached.insert(next, (node, moves, blank_move.direction));
                    let guess =
                        moves + GREED * self.distance(next, goals) + self.approach(next, goals);
                    // Among equal estimates the node with the most moves comes first.
                    queue.push(Reverse((guess, u32::MAX - moves, next)));
                }
            }
        }
        unreachable!("the tiles of a board that can be solved can be brought to their places")
    }

    /// Returns the sum of the tiles' distances from their places.
    fn distance(&self, node: PackedCells, goals: &[usize]) -> u32 {
        let tiles = goals.iter().enumerate();
        tiles.map(|(slot, &goal)| self.manhattan.tile_distance(goal, tile_at(node, slot))).sum()
    }

    /// Returns the distance of the blank from the nearest tile that is not in its place.
    fn approach(&self, node: PackedCells, goals: &[usize]) -> u32 {
        let blank = (node & 255) as usize;
        let tiles = goals.iter().enumerate().map(|(slot, &goal)| (tile_at(node, slot), goal));
        let away = tiles.filter(|(at, goal)| at != goal);
        away.map(|(at, _)| self.manhattan.tile_distance(at, blank)).min().unwrap_or(0)
    }
}

fn tile_at(node: PackedCells, slot: usize) -> usize {
    (node >> (8 * (slot + 1)) & 255) as usize
}

/// Returns the node after the blank went to cell `to`. A tile on that cell moves to the blank's old
/// cell.
fn slid(node: PackedCells, to: u8, tiles: usize) -> PackedCells {
    let (blank, mut next) = (node & 255, node & !255 | PackedCells::from(to));
    for slot in 0..tiles {
        if tile_at(node, slot) == usize::from(to) {
            let shift = 8 * (slot + 1);
            next = next & !(255 << shift) | blank << shift;
        }
    }
    next
}

fn path_back(
    mut node: PackedCells,
    reached: &HashMap<PackedCells, (PackedCells, u32, u8)>,
) -> Vec<Direction> {
    let mut path = Vec::new();
    while reached[&node].0 != node {
        let (before, _, direction) = reached[&node];
        path.push(Direction::ALL[usize::from(direction)]);
        node = before;
    }
    path.reverse();
    path
}
