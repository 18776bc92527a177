//! Pattern databases, and the searches that they guide.

use super::batched::{batched_ida_star, BatchedSearch};
use super::fsm_pruning::PruningFsm;
use super::parallel_deepening::parallel_deepening;
use super::pattern::PatternDatabases;
use super::specialised::{
    specialised_ida_star, CellIndexedPatterns, CellIndexedTables, SpecialisedSearch,
};
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
    tables: CellTables,
}

/// The tables of small groups once more, by cells.
enum CellTables {
    None,
    /// Of boards of 4x4: made beforehand.
    Four(Box<CellIndexedTables<u8, 4>>),
    /// Of boards of 5x5: a gigabyte, which is made in seconds when a board needs it.
    Five(OnceLock<Option<Box<CellIndexedTables<u16, 5>>>>),
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
        let tables = match CellIndexedTables::new(&patterns, &fsm, threads) {
            Some(tables) => CellTables::Four(Box::new(tables)),
            None if patterns.size == (5, 5) => CellTables::Five(OnceLock::new()),
            None => CellTables::None,
        };
        PatternSearch { patterns, fsm, tables }
    }

    /// Solves a board by IDA* in so many threads, if the tables know the zone of the blank.
    pub fn search(&self, board: &Board, limiter: &mut Limiter, threads: usize) -> Solution {
        let PatternSearch { patterns, fsm, tables } = self;
        match tables {
            CellTables::Four(tables) => specialised_ida_star(
                &CellIndexedPatterns { patterns, fsm, tables },
                board,
                limiter,
                threads,
            ),
            CellTables::Five(tables) => self.search_five(tables, board, limiter, threads),
            _ => batched_ida_star(patterns, fsm, board, limiter, threads),
        }
    }

    /// The same by rank first, and by cells when that is worth it.
    fn search_five(
        &self,
        tables: &OnceLock<Option<Box<CellIndexedTables<u16, 5>>>>,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Solution {
        let (patterns, fsm) = (&self.patterns, &self.fsm);
        let by_rank = BatchedSearch::<u128>::new(patterns, fsm, board);
        let make = || CellIndexedTables::new(patterns, fsm, threads).map(Box::new);
        parallel_deepening(&by_rank.params(), limiter, threads, |iteration| {
            // Where time is limited nobody can wait until they are made.
            let is_worth = iteration.expected >= NODES_WORTH_TABLES && iteration.is_unlimited();
            let tables = is_worth.then(|| tables.get_or_init(make).as_deref()).flatten();
            match tables.map(|tables| CellIndexedPatterns { patterns, fsm, tables }) {
                Some(cell_indexed) => {
                    SpecialisedSearch::new(&cell_indexed, board).search(iteration)
                }
                None => by_rank.search(iteration),
            }
        })
    }
}
