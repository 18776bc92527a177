//! Drawing boards to solve.

use super::rules::{Rules, Scramble};
use super::{Board, Direction};
use crate::rng::Rng;
use std::collections::HashSet;

/// So many draws in a row may bring nothing new.
const PATIENCE: usize = 1000;

/// Boards that can be solved and are not, in a random order, no two of them alike.
pub struct TaquinSetups {
    rules: Rules,
    rng: Rng,
    drawn: HashSet<Board>,
}

impl TaquinSetups {
    /// Boards for these rules.
    pub fn new(rules: Rules, rng: Rng) -> TaquinSetups {
        TaquinSetups { rules, rng, drawn: HashSet::new() }
    }

    fn draw(&mut self) -> Board {
        let (rows, columns) = (self.rules.rows(), self.rules.columns());
        match self.rules.scramble {
            Scramble::Uniform => uniform(rows, columns, &mut self.rng),
            Scramble::Walk(moves) => walk(Board::goal(rows, columns), moves, &mut self.rng),
        }
    }
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
        let back = last.map(Direction::opposite);
        let ways: Vec<Direction> = board.ways().filter(|&way| Some(way) != back).collect();
        let way = ways[rng.below(ways.len())];
        board.slide(way);
        last = Some(way);
    }
    board
}

impl Iterator for TaquinSetups {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        for _ in 0..PATIENCE {
            let board = self.draw();
            if !board.is_goal() && self.drawn.insert(board.clone()) {
                return Some(board);
            }
        }
        None
    }
}
