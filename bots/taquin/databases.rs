//! Pattern databases, and the searches that they guide.

use super::automaton::Automaton;
use super::deepen::deepen;
use super::interleaved::{interleaved, Interleaved};
use super::pattern::Patterns;
use super::solution::Solution;
use super::unrolled::{unrolled, ByCells, Guided, Unrolled};
use arbitre_games::games::taquin::{Board, Size};
use arbitre_games::search::budget::Limiter;
use std::sync::OnceLock;

/// Pattern databases, and what a search with them takes.
pub struct Databases {
    /// The estimate.
    pub patterns: Patterns,
    /// Which paths are duplicates.
    automaton: Automaton,
    by_cells: Tables,
}

/// The tables of small groups once more, by cells.
enum Tables {
    None,
    /// Of boards of 4x4: made beforehand.
    Four(Box<ByCells<u8, 4>>),
    /// Of boards of 5x5: a gigabyte, which is made in seconds when a board needs it.
    Five(OnceLock<Option<Box<ByCells<u16, 5>>>>),
}

/// How long duplicates are that are known, at most: the longer the later they are found. Searches of larger boards have
/// more time for that.
fn longest_duplicate((rows, columns): Size) -> usize {
    if rows.max(columns) <= 4 {
        10
    } else {
        12
    }
}

/// The tables of 5x5 are worth their making for an iteration of so many nodes.
const WORTH_TABLES: u64 = 1 << 26;

impl Databases {
    /// With these patterns; so many threads make what else there is to make.
    pub fn new(patterns: Patterns, threads: usize) -> Databases {
        let automaton = Automaton::new(patterns.size(), longest_duplicate(patterns.size()));
        let by_cells = match ByCells::new(&patterns, &automaton, threads) {
            Some(by_cells) => Tables::Four(Box::new(by_cells)),
            None if patterns.size() == (5, 5) => Tables::Five(OnceLock::new()),
            None => Tables::None,
        };
        Databases { patterns, automaton, by_cells }
    }

    /// Solves a board by IDA* in so many threads, if the tables know the zone of the blank.
    pub fn search(&self, board: &Board, meter: &mut Limiter, threads: usize) -> Solution {
        let Databases { patterns, automaton, by_cells } = self;
        match by_cells {
            Tables::Four(by_cells) => {
                unrolled(&Guided { patterns, automaton, by_cells }, board, meter, threads)
            }
            Tables::Five(by_cells) if board.is_solvable() => {
                self.search_five(by_cells, board, meter, threads)
            }
            _ => interleaved(patterns, automaton, board, meter, threads),
        }
    }

    /// The same by rank first, and by cells when that is worth it.
    fn search_five(
        &self,
        by_cells: &OnceLock<Option<Box<ByCells<u16, 5>>>>,
        board: &Board,
        meter: &mut Limiter,
        threads: usize,
    ) -> Solution {
        let (patterns, automaton) = (&self.patterns, &self.automaton);
        let by_rank = Interleaved::<u128>::new(patterns, automaton, board);
        let make = || ByCells::new(patterns, automaton, threads).map(Box::new);
        deepen(&by_rank.start(), meter, threads, |iteration| {
            // Where time is limited nobody can wait until they are made.
            let is_worth = iteration.expected >= WORTH_TABLES && iteration.is_unlimited();
            let by_cells = is_worth.then(|| by_cells.get_or_init(make).as_deref()).flatten();
            match by_cells.map(|by_cells| Guided { patterns, automaton, by_cells }) {
                Some(guided) => Unrolled::new(&guided, board).search(iteration),
                None => by_rank.search(iteration),
            }
        })
    }
}
