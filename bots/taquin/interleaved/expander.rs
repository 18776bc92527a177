//! What the fast search of a board needs and does not change.

use super::node::{Node, Word, LENSES, WAYS};
use crate::taquin::automaton::Automaton;
use crate::taquin::heuristic::Heuristic;
use crate::taquin::pattern::{board_with_blank, Lens, Patterns, CAP, MOST_GROUPS};
use arbitre_games::games::taquin::{Board, Direction};

/// Tables, and where the blank goes.
pub struct Expander<'p> {
    patterns: &'p Patterns,
    pub automaton: &'p Automaton,
    pub lenses: [Lens<'p>; LENSES],
    /// By tile and side: which lens sees it slide.
    pub lens_of: [[u8; 2]; CAP],
    /// What stands for the blank on a board.
    pub blank_tile: usize,
    /// By the blank's cell and direction; where it would leave the board any cell.
    pub targets: [[u8; WAYS]; CAP],
}

impl<'p> Expander<'p> {
    /// For square boards: from two sides.
    pub fn new(patterns: &'p Patterns, automaton: &'p Automaton) -> Box<Self> {
        let size = patterns.size();
        let lens = |number: usize| patterns.lens(number / MOST_GROUPS, number % MOST_GROUPS);
        let lens_of = |side: usize, tile| (side * MOST_GROUPS + patterns.group(side, tile)) as u8;
        let target = |cell: usize, way: Direction| {
            let board = (cell < size.0 * size.1).then(|| board_with_blank(size, cell));
            board.and_then(|board| board.target(way)).unwrap_or_default() as u8
        };
        Box::new(Expander {
            patterns,
            automaton,
            blank_tile: size.0 * size.1 - 1,
            lenses: std::array::from_fn(lens),
            lens_of: std::array::from_fn(|tile| [lens_of(0, tile), lens_of(1, tile)]),
            targets: std::array::from_fn(|cell| Direction::ALL.map(|way| target(cell, way))),
        })
    }

    /// A board to begin with, and its estimate, which is the bound.
    pub fn root<W: Word>(&self, board: &Board) -> (Node<W>, u32) {
        let mark = self.patterns.mark(board.cells(), board.blank());
        let bound = self.patterns.estimate(&mark);
        let mut root = Node {
            board: W::pack(board.cells()),
            state: self.automaton.start(board.blank()),
            blank: board.blank() as u8,
            ..Node::default()
        };
        for (side, sum) in mark.sums.iter().enumerate() {
            for group in 0..MOST_GROUPS {
                let lens = side * MOST_GROUPS + group;
                root.placements[lens] = sum.placement(group);
                root.slides.put(lens, sum.value_of(group));
            }
            root.spare[side] = ((bound - sum.value()) / 2) as u8;
        }
        (root, bound)
    }
}
