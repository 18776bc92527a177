//! Drawing boards to solve.

use super::rules::{Rules, Scramble};
use super::{Board, Direction};
use crate::rng::Rng;
use std::collections::HashSet;

/// Draws in a row without a new board after which the setups end. Not tuned.
const PATIENCE: usize = 1000;

/// Returns boards that can be solved and are not, in a random order, no two of them alike.
pub fn setups(rules: Rules, mut rng: Rng) -> impl Iterator<Item = Board> + Send {
    let (rows, columns) = (rules.rows(), rules.columns());
    let mut draw = move || match rules.scramble {
        Scramble::Uniform => uniform(rows, columns, &mut rng),
        Scramble::Walk(moves) => walk(Board::goal(rows, columns), moves, &mut rng),
    };
    let mut drawn = HashSet::new();
    let mut is_new = move |board: &Board| !board.is_goal() && drawn.insert(board.clone());
    std::iter::from_fn(move || (0..PATIENCE).map(|_| draw()).find(|board| is_new(board)))
}

/// Any board of this size that can be solved, each equally likely.
pub fn uniform(rows: usize, columns: usize, rng: &mut Rng) -> Board {
    let mut cells = Board::goal(rows, columns).cells().to_vec();
    rng.shuffle(&mut cells);
    let board = Board::new(rows, columns, cells);
    if board.is_solvable() {
        return board;
    }
    // Exchanging the first two tiles pairs the boards that cannot be solved with those that can.
    let mut cells = board.cells().to_vec();
    let mut tiles = (0..cells.len()).filter(|&cell| cell != board.blank());
    let pair = tiles.next().zip(tiles.next()).expect("the smallest board has three tiles");
    cells.swap(pair.0, pair.1);
    Board::new(rows, columns, cells)
}

/// The board after so many random moves, none of which takes the one before back.
pub fn walk(mut board: Board, moves: u32, rng: &mut Rng) -> Board {
    let mut last: Option<Direction> = None;
    for _ in 0..moves {
        let ways: Vec<Direction> = board.ways_after(last).collect();
        let way = ways[rng.below(ways.len())];
        board.slide(way);
        last = Some(way);
    }
    board
}
