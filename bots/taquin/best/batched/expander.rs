//! Batched search of one board: its tables, which do not change, and its root.

use super::lookup::{GroupLookup, SLIDES_SHIFT};
use super::node::{BatchNode, BoardWord, LOOKUPS};
use crate::taquin::best::fsm_pruning::PruningFsm;
use crate::taquin::best::pattern::{
    CellIndexedTables, MoveLookup, PairBits, PatternDatabases, PatternEstimate, Placement,
    MOST_GROUPS,
};
use crate::taquin::grid::{blank_targets, CAP, DIRECTIONS};
use crate::taquin::heuristics::Heuristic;
use arbitre_games::games::taquin::Board;

/// Batched search of one board, with its tables.
pub struct BatchedSearch<'p, W: BoardWord, L: GroupLookup> {
    /// FSM that prunes duplicates.
    pub fsm: &'p PruningFsm,
    /// Tables of the groups.
    pub lookup: L,
    /// Lookup of each tile in both orientations.
    pub lookup_of: [[u8; 2]; CAP],
    /// Number of the blank, which counts as the last tile.
    pub blank_tile: usize,
    /// Target of the blank by its cell and direction; arbitrary if it would leave the board.
    pub targets: [[u8; DIRECTIONS]; CAP],
    /// First board, with its estimate as bound.
    pub(super) root: BatchNode<W, L::Group>,
    /// Estimate of the root.
    pub bound: u32,
}

impl<'p, W: BoardWord> BatchedSearch<'p, W, [MoveLookup<'p>; LOOKUPS]> {
    /// Prepares the search of a solvable board in the tables of the pattern databases.
    ///
    /// # Panics
    /// Panics if the board is not square.
    pub fn by_rank(patterns: &'p PatternDatabases, fsm: &'p PruningFsm, board: &Board) -> Self {
        let lookup = std::array::from_fn(|lookup| patterns.move_lookup(lookup));
        BatchedSearch::new(patterns, fsm, lookup, board, |estimate| {
            std::array::from_fn(|lookup| {
                let oriented = &estimate.oriented[lookup / MOST_GROUPS];
                let Placement { set, order } = oriented.placement(lookup % MOST_GROUPS);
                let slides = oriented.value_of(lookup % MOST_GROUPS);
                Placement { set, order: order | slides << SLIDES_SHIFT }
            })
        })
    }
}

impl<'p, W: BoardWord, E: PairBits> BatchedSearch<'p, W, &'p CellIndexedTables<E>> {
    /// Prepares the search of a solvable board in copies of the tables that are indexed by cells.
    pub fn by_cells(
        patterns: &'p PatternDatabases,
        fsm: &'p PruningFsm,
        tables: &'p CellIndexedTables<E>,
        board: &Board,
    ) -> Self {
        BatchedSearch::new(patterns, fsm, tables, board, |estimate| {
            let indices = tables.indices(patterns, board);
            std::array::from_fn(|lookup| {
                let oriented = &estimate.oriented[lookup / MOST_GROUPS];
                indices[lookup] << 2 | oriented.value_of(lookup % MOST_GROUPS) & 3
            })
        })
    }
}

impl<'p, W: BoardWord, L: GroupLookup> BatchedSearch<'p, W, L> {
    fn new(
        patterns: &'p PatternDatabases,
        fsm: &'p PruningFsm,
        lookup: L,
        board: &Board,
        groups: impl FnOnce(&PatternEstimate) -> [L::Group; LOOKUPS],
    ) -> Self {
        let size = patterns.size;
        let lookup_of = |orientation: usize, tile| {
            (orientation * MOST_GROUPS + patterns.group(orientation, tile)) as u8
        };
        let mut targets = [[0; DIRECTIONS]; CAP];
        for (to, from) in targets.iter_mut().zip(blank_targets(size)) {
            *to = from.map(|target| target.unwrap_or_default() as u8);
        }
        let estimate = patterns.estimate(board.cells(), board.blank());
        let bound = patterns.value(&estimate);
        let mut root = BatchNode {
            board: W::pack(board.cells()),
            groups: groups(&estimate),
            state: fsm.start(board.blank()),
            blank: board.blank() as u8,
            ..BatchNode::default()
        };
        for (orientation, sum) in estimate.oriented.iter().enumerate() {
            root.slack[orientation] = ((bound - sum.value()) / 2) as u8;
        }
        let lookup_of = std::array::from_fn(|tile| [lookup_of(0, tile), lookup_of(1, tile)]);
        let blank_tile = size.0 * size.1 - 1;
        BatchedSearch { fsm, lookup, lookup_of, blank_tile, targets, root, bound }
    }
}
