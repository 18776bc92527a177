//! Successors of packed boards, for searches that store boards.

use crate::taquin::grid::{BoardGrid, CAP, DIRECTIONS};
use crate::taquin::heuristics::{Heuristic, Slide};
use crate::taquin::packed_board::PackedBoard;
use arbitre_games::games::taquin::Board;

/// Generator of the successors of boards of one size.
pub struct SuccessorGenerator<'h, H, K> {
    /// Heuristic that values the boards.
    pub heuristic: &'h H,
    grid: BoardGrid<CAP>,
    cells: usize,
    /// The goal, packed.
    pub goal: K,
}

/// Board after a slide.
#[derive(Clone, Copy, Default)]
pub struct Successor<K> {
    /// The packed board.
    pub board: K,
    /// Heuristic value of the board.
    pub value: u32,
    /// Index of the direction of the blank.
    pub direction: u8,
}

/// Successors of an expanded board.
pub struct Expansion<K> {
    successors: [Successor<K>; DIRECTIONS],
    count: usize,
}

impl<K> Expansion<K> {
    /// Returns the successors, in the order of the directions.
    #[inline]
    pub fn successors(&self) -> &[Successor<K>] {
        &self.successors[..self.count]
    }
}

impl<'h, H: Heuristic, K: PackedBoard> SuccessorGenerator<'h, H, K> {
    /// Creates the generator for boards of the size of `board`.
    pub fn new(heuristic: &'h H, board: &Board) -> Self {
        let goal = Board::goal(board.rows(), board.columns());
        let grid = BoardGrid::new((board.rows(), board.columns()));
        let (cells, goal) = (goal.cells().len(), K::pack(goal.cells()));
        SuccessorGenerator { heuristic, grid, cells, goal }
    }

    /// Returns the heuristic value of a board.
    pub fn value(&self, board: &Board) -> u32 {
        self.heuristic.value(&self.heuristic.estimate(board.cells(), board.blank()))
    }

    /// Expands a board that the blank entered in direction `came`, by its index. No slide goes
    /// straight back.
    #[inline]
    pub fn expand(&self, board: K, came: usize) -> Expansion<K> {
        let (heuristic, mut cells) = (self.heuristic, [0; CAP]);
        let cells = &mut cells[..self.cells];
        let blank = board.unpack(cells);
        let estimate = heuristic.estimate(cells, blank);
        let (mut successors, mut count) = ([Successor::default(); DIRECTIONS], 0);
        let moves = self.grid.moves(blank, came);
        for (blank_move, successor) in moves.list().iter().zip(&mut successors) {
            let from = usize::from(blank_move.to);
            let tile = usize::from(cells[from]);
            // The cell the tile left is not cleared: heuristics ignore the blank's cell.
            cells[blank] = tile as u8;
            let slide = Slide { tile, from, to: blank, cells };
            let next = heuristic.after(&estimate, &slide, u32::MAX).expect("there is no limit");
            *successor = Successor {
                board: board.slid(tile, self.cells - 1, from, blank),
                value: heuristic.value(&next),
                direction: blank_move.direction,
            };
            count += 1;
        }
        Expansion { successors, count }
    }
}
