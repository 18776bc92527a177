//! Pattern databases with the searches that use them.

use super::batched::{BatchedSearch, BoardWord};
use super::fsm_pruning::PruningFsm;
use super::parallel_deepening::parallel_deepening;
use super::pattern::{CellIndexedTables, PairBits, PatternDatabases};
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
    /// Copies of 4x4 indexed by cells, if the groups are small.
    four: OnceLock<Option<CellIndexedTables<u8>>>,
    /// Copies of 5x5: a gigabyte, built in seconds when a board needs them.
    five: OnceLock<Option<CellIndexedTables<u16>>>,
    /// Memory limit of all tables in bytes. Copies that exceed it are not built.
    memory: usize,
}

/// Returns the length of the longest duplicates that are pruned, with `memory` bytes beside the
/// pattern databases. Longer ones take more time to find, which pays off on larger boards. On 4x4
/// an FSM of 12 moves takes 0.5 s, more than it saves (2026-11-21, `bots/taquin/diary.md`).
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
/// 2^27, two boards of the 24-puzzle got them too late (2026-11-22, `bots/taquin/diary.md`).
const NODES_WORTH_TABLES: u64 = 1 << 26;

impl PatternSearch {
    /// Prepares a search with these patterns; `threads` threads build the other tables, within
    /// `memory` bytes for all tables.
    pub fn new(patterns: PatternDatabases, threads: usize, memory: usize) -> PatternSearch {
        let left = memory.saturating_sub(patterns.bytes());
        let fsm = PruningFsm::new(patterns.size, longest_duplicate(patterns.size, left));
        let (four, five) = (OnceLock::new(), OnceLock::new());
        let search = PatternSearch { patterns, fsm, four, five, memory };
        if search.patterns.size == (4, 4) {
            search.copies(&search.four, threads);
        }
        search
    }

    /// Returns `true` if it has tables of 4x4 indexed by cells.
    #[cfg(test)]
    pub fn has_copies(&self) -> bool {
        self.four.get().is_some_and(Option::is_some)
    }

    /// Solves a board by IDA* in `threads` threads. The length of the path does not depend on their
    /// number; the choice among several shortest paths may.
    pub fn search(&self, board: &Board, limiter: &mut Limiter, threads: usize) -> Solution {
        match board.cells().len() {
            ..=16 => self.search_with::<u64, u8>(&self.four, board, limiter, threads),
            _ => self.search_with::<u128, u16>(&self.five, board, limiter, threads),
        }
    }

    /// Returns the copies of the tables, which are built if they fit into memory.
    fn copies<'s, E: PairBits>(
        &self,
        known: &'s OnceLock<Option<CellIndexedTables<E>>>,
        threads: usize,
    ) -> Option<&'s CellIndexedTables<E>> {
        let bytes = self.patterns.bytes() + self.patterns.bytes_by_cells::<E>();
        let make = || CellIndexedTables::new(&self.patterns, threads);
        let known = known.get_or_init(|| (bytes <= self.memory).then(make).flatten());
        known.as_ref()
    }

    /// Searches in rank-indexed tables, or in copies indexed by cells once they are worth building.
    fn search_with<W: BoardWord, E: PairBits>(
        &self,
        known: &OnceLock<Option<CellIndexedTables<E>>>,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Solution {
        let PatternSearch { patterns, fsm, .. } = self;
        let by_rank = BatchedSearch::<W, _>::by_rank(patterns, fsm, board);
        let copies = known.get().and_then(Option::as_ref).map_or(0, CellIndexedTables::bytes);
        let bytes = patterns.bytes() + copies;
        parallel_deepening(by_rank.bound, bytes, limiter, threads, |iteration| {
            // Under a limit, the build of the tables could take longer than the search may.
            let is_worth = iteration.expected >= NODES_WORTH_TABLES && iteration.is_unlimited();
            let is_worth = is_worth || known.get().is_some();
            match is_worth.then(|| self.copies(known, threads)).flatten() {
                Some(tables) => {
                    BatchedSearch::<W, _>::by_cells(patterns, fsm, tables, board).search(iteration)
                }
                None => by_rank.search(iteration),
            }
        })
    }
}
