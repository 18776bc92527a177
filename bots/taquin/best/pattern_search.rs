//! Pattern databases with the searches that use them.

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

/// Pattern databases, and the tables derived from them for IDA*.
pub struct PatternSearch {
    /// The pattern databases.
    pub patterns: PatternDatabases,
    /// FSM that prunes duplicates.
    fsm: PruningFsm,
    /// Cell-indexed tables of 4x4, if the groups are small.
    four: Option<Box<CellIndexedTables<u8, 4>>>,
    /// Cell-indexed tables of 5x5: a gigabyte, built in seconds when a board needs them.
    five: OnceLock<Option<Box<CellIndexedTables<u16, 5>>>>,
    /// Memory limit of all tables in bytes. Tables indexed by cells that exceed it are not built.
    memory: usize,
}

/// Returns the length of the longest duplicates that are pruned, with `memory` bytes beside the
/// pattern databases. Longer ones take more time to find, which pays off on larger boards. On 4x4
/// an FSM of 12 moves takes 0.5 s, more than it saves (2026-11-21, `docs/diary/taquin.md`).
fn longest_duplicate((rows, columns): Size, memory: usize) -> usize {
    if rows.max(columns) > 4 && memory >= LONG_FSM {
        12
    } else {
        10
    }
}

/// Memory in bytes for building an FSM of 12 moves on 5x5. Measured: 192 MB (2026-11-25).
const LONG_FSM: usize = 192 << 20;

/// Expected nodes of an iteration from which cell-indexed tables of 5x5 are worth building. At
/// 2^27, two boards of the 24-puzzle got them too late (2026-11-22, `docs/diary/taquin.md`).
const NODES_WORTH_TABLES: u64 = 1 << 26;

impl PatternSearch {
    /// Prepares a search with these patterns; `threads` threads build the other tables, within
    /// `memory` bytes for all tables.
    pub fn new(patterns: PatternDatabases, threads: usize, memory: usize) -> PatternSearch {
        let left = memory.saturating_sub(patterns.bytes());
        let fsm = PruningFsm::new(patterns.size, longest_duplicate(patterns.size, left));
        let four = fits::<u8>(&patterns, memory)
            .then(|| CellIndexedTables::new(&patterns, &fsm, threads).map(Box::new));
        PatternSearch { patterns, fsm, four: four.flatten(), five: OnceLock::new(), memory }
    }

    /// Returns `true` if it has tables of 4x4 indexed by cells.
    #[cfg(test)]
    pub fn has_copies(&self) -> bool {
        self.four.is_some()
    }

    /// Solves a board by IDA* in `threads` threads. The tables must know the blank's zone.
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

    /// Searches in rank-indexed tables first, and in cell-indexed ones on 5x5 once they are worth
    /// building.
    fn search_by_rank<W: BoardWord>(
        &self,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Solution {
        let PatternSearch { patterns, fsm, five, memory, .. } = self;
        let by_rank = BatchedSearch::<W>::new(patterns, fsm, board);
        let make = || CellIndexedTables::new(patterns, fsm, threads).map(Box::new);
        parallel_deepening(by_rank.bound, patterns.bytes(), limiter, threads, |iteration| {
            // Under a limit, the build of the tables could take longer than the search may.
            let is_worth = iteration.expected >= NODES_WORTH_TABLES && iteration.is_unlimited();
            let is_worth = is_worth && fits::<u16>(patterns, *memory);
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

/// Returns `true` if the tables and their copy indexed by cells, with entries of type `E`, fit into
/// `memory` bytes.
fn fits<E>(patterns: &PatternDatabases, memory: usize) -> bool {
    patterns.bytes() + patterns.bytes_by_cells::<E>() <= memory
}
