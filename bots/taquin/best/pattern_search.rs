//! Pattern databases, and the searches that they guide.

use super::batched::{BatchedSearch, BoardWord};
use super::fsm_pruning::PruningFsm;
use super::parallel_deepening::parallel_deepening;
use super::pattern::PatternDatabases;
use super::specialised::{
    specialised_ida_star, CellIndexedPatterns, CellIndexedTables, SpecialisedSearch,
};
use crate::taquin::heuristics::Heuristic;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{Board, Size};
use arbitre_games::search::budget::Limiter;
use std::sync::OnceLock;

/// Pattern databases, and what a search with them takes.
pub struct PatternSearch {
    /// The estimate.
    pub patterns: PatternDatabases,
    /// Which paths are duplicates.
    fsm: PruningFsm,
    /// Tables by cells of small groups on boards of 4x4.
    four: Option<Box<CellIndexedTables<u8, 4>>>,
    /// Those on boards of 5x5: a gigabyte, made in seconds when a board needs it.
    five: OnceLock<Option<Box<CellIndexedTables<u16, 5>>>>,
}

/// How long duplicates are that are known, at most: the longer the later they are found. Searches
/// of larger boards have more time for that.
fn longest_duplicate((rows, columns): Size) -> usize {
    if rows.max(columns) <= 4 {
        10
    } else {
        12
    }
}

/// The tables of 5x5 are worth their making for an iteration of so many nodes.
const NODES_WORTH_TABLES: u64 = 1 << 26;

impl PatternSearch {
    /// With these patterns; so many threads make what else there is to make.
    pub fn new(patterns: PatternDatabases, threads: usize) -> PatternSearch {
        let fsm = PruningFsm::new(patterns.size, longest_duplicate(patterns.size));
        let four = CellIndexedTables::new(&patterns, &fsm, threads).map(Box::new);
        PatternSearch { patterns, fsm, four, five: OnceLock::new() }
    }

    /// Solves a board by IDA* in so many threads, if the tables know the zone of the blank.
    pub fn search(&self, board: &Board, limiter: &mut Limiter, threads: usize) -> Solution {
        let PatternSearch { patterns, fsm, four, .. } = self;
        match (four, board.cells().len()) {
            (Some(tables), _) => {
                let cell_indexed = CellIndexedPatterns { patterns, fsm, tables };
                specialised_ida_star(&cell_indexed, board, limiter, threads)
            }
            (None, ..=16) => self.search_by_rank::<u64>(board, limiter, threads),
            (None, _) => self.search_by_rank::<u128>(board, limiter, threads),
        }
    }

    /// Searches by rank first, and by cells on boards of 5x5 when that is worth it.
    fn search_by_rank<W: BoardWord>(
        &self,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Solution {
        let PatternSearch { patterns, fsm, five, .. } = self;
        let by_rank = BatchedSearch::<W>::new(patterns, fsm, board);
        let make = || CellIndexedTables::new(patterns, fsm, threads).map(Box::new);
        parallel_deepening(by_rank.bound, patterns.bytes(), limiter, threads, |iteration| {
            // Where time is limited nobody can wait until they are made.
            let is_worth = iteration.expected >= NODES_WORTH_TABLES && iteration.is_unlimited();
            let tables = is_worth.then(|| five.get_or_init(make).as_deref()).flatten();
            match tables.map(|tables| CellIndexedPatterns { patterns, fsm, tables }) {
                Some(cell_indexed) => {
                    SpecialisedSearch::new(&cell_indexed, board).search(iteration)
                }
                None => by_rank.search(iteration),
            }
        })
    }
}
