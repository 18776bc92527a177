//! Setups: generation of random boards, and the check of given ones.

use super::rules::Rules;
use super::state::seats;
use super::{Board, CellState, Colour};
use crate::game::{ParseError, Seat};
use crate::rng::Rng;
use std::collections::hash_map::DefaultHasher;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// Number of draws in a row without a new board after which the boards end. Not tuned.
const PATIENCE: usize = 10_000;

/// Returns the indices of the two starting corners, the upper right and the lower left one.
pub fn corners(rules: &Rules) -> [usize; 2] {
    [rules.width() - 1, rules.cells() - rules.width()]
}

/// Checks that a board is a valid setup. The options for random boards are ignored: a given board
/// is played as it is.
///
/// # Errors
/// Returns an error if the size differs, a colour is unknown, or the two seats are not exactly in
/// the corners.
pub fn check(rules: &Rules, board: &Board) -> Result<(), ParseError> {
    let size = |(width, height)| format!("{width}x{height}");
    let (asked, given) = ((rules.width(), rules.height()), (board.width(), board.height()));
    if asked != given {
        let (asked, given) = (size(asked), size(given));
        return Err(ParseError::new(format!("expected a board of {asked}, got {given}")));
    }
    let too_many =
        |cell: &&CellState| matches!(cell, CellState::Free(c) if c.index() >= rules.colours.into());
    if let Some(CellState::Free(colour)) = board.cells().iter().find(too_many) {
        let last = Colour::new(usize::from(rules.colours) - 1);
        return Err(ParseError::new(format!("expected colours from A to {last}, got {colour}")));
    }
    let at_home = corners(rules).map(|corner| board.cells()[corner]);
    let is_at_home =
        |seat: Seat| board.count(seat) == 1 && at_home.contains(&CellState::Taken(seat));
    match seats().all(is_at_home) {
        true => Ok(()),
        false => Err(ParseError::new(
            "expected the players in the upper right and the lower left corner, and nowhere else",
        )),
    }
}

/// Random boards without repetition.
pub struct SevenColorsSetups {
    rules: Rules,
    rng: Rng,
    /// Hashes of the boards drawn so far; a collision only skips a board.
    drawn: HashSet<u64>,
}

impl SevenColorsSetups {
    /// Creates the boards for `rules`.
    pub fn new(rules: Rules, rng: Rng) -> SevenColorsSetups {
        SevenColorsSetups { rules, rng, drawn: HashSet::new() }
    }

    fn draw(&mut self) -> Board {
        let (width, height) = (self.rules.width(), self.rules.height());
        let unknown = CellState::Free(Colour::new(0));
        let mut cells = vec![unknown; width * height];
        let swapped = self.rules.random_corner && self.rng.below(2) == 1;
        for (seat, corner) in seats().zip(corners(&self.rules)) {
            cells[corner] = CellState::Taken(if swapped { seat.other() } else { seat });
        }
        for row in 0..height {
            // A symmetric board is drawn above its diagonal and mirrored.
            let first = if self.rules.symmetric { row } else { 0 };
            for column in first..width {
                let index = row * width + column;
                if !corners(&self.rules).contains(&index) {
                    cells[index] = CellState::Free(self.draw_colour(&cells, row, column));
                    if self.rules.symmetric {
                        cells[column * width + row] = cells[index];
                    }
                }
            }
        }
        Board::new(width, cells)
    }

    /// Draws a colour, other than those above and to the left if neighbours must differ. On a
    /// symmetric board the left neighbour of the diagonal equals the upper one.
    fn draw_colour(&mut self, cells: &[CellState], row: usize, column: usize) -> Colour {
        let width = self.rules.width();
        let above = (row > 0).then(|| cells[(row - 1) * width + column]);
        let left = (column > 0).then(|| cells[row * width + column - 1]);
        let is_open = |colour: &Colour| {
            let is_it = |cell: Option<CellState>| cell == Some(CellState::Free(*colour));
            !self.rules.distinct_neighbours || !(is_it(above) || is_it(left))
        };
        let open: Vec<Colour> = Colour::first(self.rules.colours.into()).filter(is_open).collect();
        open[self.rng.below(open.len())]
    }
}

impl Iterator for SevenColorsSetups {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        for _ in 0..PATIENCE {
            let board = self.draw();
            let mut hasher = DefaultHasher::new();
            board.hash(&mut hasher);
            if self.drawn.insert(hasher.finish()) {
                return Some(board);
            }
        }
        None
    }
}
