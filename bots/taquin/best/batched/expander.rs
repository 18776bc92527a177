//! Tables of the batched search, which do not change during it.

use super::node::{BatchNode, BoardWord, LOOKUPS};
use crate::taquin::best::fsm_pruning::PruningFsm;
use crate::taquin::best::pattern::{MoveLookup, PatternDatabases, MOST_GROUPS};
use crate::taquin::grid::{blank_targets, CAP, DIRECTIONS};
use crate::taquin::heuristics::Heuristic;
use arbitre_games::games::taquin::Board;

/// Tables for the expansion of boards of one size.
pub struct Expander<'p> {
    patterns: &'p PatternDatabases,
    pub fsm: &'p PruningFsm,
    pub lookups: [MoveLookup<'p>; LOOKUPS],
    /// Lookup of each tile in both orientations.
    pub lookup_of: [[u8; 2]; CAP],
    /// Number of the blank, which counts as the last tile.
    pub blank_tile: usize,
    /// Target of the blank by its cell and direction; arbitrary if it would leave the board.
    pub targets: [[u8; DIRECTIONS]; CAP],
}

impl<'p> Expander<'p> {
    /// Creates the tables for square boards, which have two orientations.
    pub fn new(patterns: &'p PatternDatabases, fsm: &'p PruningFsm) -> Box<Self> {
        let size = patterns.size;
        let lookup =
            |lookup: usize| patterns.move_lookup(lookup / MOST_GROUPS, lookup % MOST_GROUPS);
        let lookup_of = |orientation: usize, tile| {
            (orientation * MOST_GROUPS + patterns.group(orientation, tile)) as u8
        };
        let mut targets = [[0; DIRECTIONS]; CAP];
        for (to, from) in targets.iter_mut().zip(blank_targets(size)) {
            *to = from.map(|target| target.unwrap_or_default() as u8);
        }
        Box::new(Expander {
            patterns,
            fsm,
            blank_tile: size.0 * size.1 - 1,
            lookups: std::array::from_fn(lookup),
            lookup_of: std::array::from_fn(|tile| [lookup_of(0, tile), lookup_of(1, tile)]),
            targets,
        })
    }

    /// Returns the root of a search, and its estimate, which is the first bound.
    pub fn root<W: BoardWord>(&self, board: &Board) -> (BatchNode<W>, u32) {
        let estimate = self.patterns.estimate(board.cells(), board.blank());
        let bound = self.patterns.value(&estimate);
        let mut root = BatchNode {
            board: W::pack(board.cells()),
            state: self.fsm.start(board.blank()),
            blank: board.blank() as u8,
            ..BatchNode::default()
        };
        for (orientation, sum) in estimate.oriented.iter().enumerate() {
            for group in 0..MOST_GROUPS {
                let lookup = orientation * MOST_GROUPS + group;
                root.placements[lookup] = sum.placement(group);
                root.slides.put(lookup, sum.value_of(group));
            }
            root.slack[orientation] = ((bound - sum.value()) / 2) as u8;
        }
        (root, bound)
    }
}
