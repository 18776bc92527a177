//! Random generation of setups.

use super::rules::{Rules, Scramble};
use super::{Board, Direction};
use crate::rng::Rng;
use std::collections::HashSet;

/// Consecutive draws without a new board after which no more setups are generated. Not tuned.
const PATIENCE: usize = 1000;

/// Returns distinct boards that are solvable and not yet solved, in random order.
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

/// Returns a random solvable board of this size; all are equally likely.
pub fn uniform(rows: usize, columns: usize, rng: &mut Rng) -> Board {
    let mut cells = Board::goal(rows, columns).cells().to_vec();
    rng.shuffle(&mut cells);
    let board = Board::new(rows, columns, cells);
    if board.is_solvable() {
        return board;
    }
    // Swapping the first two tiles pairs each unsolvable board with a solvable one.
    let mut cells = board.cells().to_vec();
    let mut tiles = (0..cells.len()).filter(|&cell| cell != board.blank());
    let pair = tiles.next().zip(tiles.next()).expect("the smallest board has three tiles");
    cells.swap(pair.0, pair.1);
    Board::new(rows, columns, cells)
}

/// Returns the board after `moves` random moves, none of which undoes the previous one.
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
