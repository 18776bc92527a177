//! The methods by their names, and what is kept ready for boards of each size.

use crate::options::Options;
use crate::taquin::best::frontier_a_star::frontier_a_star;
use crate::taquin::best::improve::improve;
use crate::taquin::best::pattern::{cache, TableOptions};
use crate::taquin::best::quick::quick;
use crate::taquin::best::specialised::{specialised_ida_star, PackedManhattan};
use crate::taquin::grid::MOST_CELLS;
use crate::taquin::heuristic_choice::{HeuristicKind, LoadedHeuristic, HEURISTICS};
use crate::taquin::heuristics::linear_conflict::LinearConflict;
use crate::taquin::heuristics::Heuristic;
use crate::taquin::sheet::a_star::a_star;
use crate::taquin::sheet::ida_star::ida_star;
use crate::taquin::sheet::iterative_deepening::ids;
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{Board, Direction, Size};
use arbitre_games::search::budget::Limiter;
use arbitre_games::text::value_of;
use std::time::Duration;

/// How boards are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// [`Method::IdaStar`] up to 16 cells, and beyond that [`Method::Improve`].
    Best,
    /// Iterative deepening A*.
    IdaStar,
    /// A* in little memory.
    AStar,
    /// A* with tables of parents and distances, and a queue.
    AStarQueue,
    /// Iterative deepening without an estimate.
    Ids,
    /// Tile by tile: a solution at once that need not be short.
    Quick,
    /// The same, and then piece by piece made shorter.
    Improve,
}

/// The words for the methods, the usual one first.
pub const METHODS: [(&str, Method); 7] = [
    ("best", Method::Best),
    ("ida-star", Method::IdaStar),
    ("a-star", Method::AStar),
    ("a-star-queue", Method::AStarQueue),
    ("ids", Method::Ids),
    ("quick", Method::Quick),
    ("improve", Method::Improve),
];

/// The size that has most of the estimates.
const FOUR: Size = (4, 4);

/// What several threads can do for a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadUse {
    /// Nothing: it may need all memory.
    Alone,
    /// Search other boards meanwhile.
    Between,
    /// Search it together.
    Within,
}

/// A method with its estimate. What an estimate needs is made once for each size of board.
pub struct TaquinSolver {
    method: Method,
    /// None is the best that is at hand.
    kind: Option<HeuristicKind>,
    /// So many bytes A* may take.
    memory: usize,
    table_options: TableOptions,
    ready: Vec<(Size, LoadedHeuristic)>,
}

impl TaquinSolver {
    /// What A* may take where nobody says.
    pub const MEMORY: usize = 4 << 30;

    /// A solver in one thread that has prepared nothing, and keeps no tables.
    pub fn new(method: Method, kind: Option<HeuristicKind>, memory: usize) -> TaquinSolver {
        TaquinSolver { method, kind, memory, table_options: TableOptions::ALONE, ready: Vec::new() }
    }

    /// A solver with what `--heuristic` and `--memory` say, or so many bytes.
    ///
    /// # Errors
    /// If a value is not what the option takes.
    pub fn take(
        method: Method,
        memory: usize,
        options: &mut Options,
    ) -> Result<TaquinSolver, ParseError> {
        let kind = options.take_text("--heuristic")?;
        let kind = kind.map(|word| value_of("heuristic", &word, &HEURISTICS)).transpose()?;
        let megabytes: Option<usize> = options.take("--memory")?;
        let memory = megabytes.map_or(memory, |count| count.saturating_mul(1 << 20));
        Ok(TaquinSolver::new(method, kind, memory))
    }

    /// With these means.
    pub fn with(self, table_options: TableOptions) -> TaquinSolver {
        TaquinSolver { table_options, ..self }
    }

    /// The solver for who plays, in one thread: what it finds does not depend on what happens to be
    /// kept on a machine, unless tables are asked for.
    pub fn for_play(self) -> TaquinSolver {
        let folder = cache::folder().filter(|_| self.kind.is_some());
        self.with(TableOptions { folder, ..TableOptions::ALONE })
    }

    /// Solves a board, as long as the limiter allows.
    ///
    /// # Errors
    /// If the method or the estimate is not for boards of this size.
    pub fn solve(&mut self, board: &Board, limiter: &mut Limiter) -> Result<Solution, ParseError> {
        self.prepare((board.rows(), board.columns()))?;
        self.solve_prepared(board, limiter, self.table_options.threads)
    }

    /// The same in so many threads, if boards of this size are prepared.
    ///
    /// # Errors
    /// If the method or the estimate is not for boards of this size.
    pub fn solve_prepared(
        &self,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Result<Solution, ParseError> {
        if !board.is_solvable() {
            return Ok(Solution::without_path(SolveStatus::Unsolvable, SearchStats::default()));
        }
        match self.method_for(board.cells().len()) {
            Method::Ids => Ok(ids(board, limiter)),
            Method::Quick => Ok(unproved(board, quick(board), SearchStats::default())),
            Method::Improve => {
                let path = improve(board, quick(board), limiter);
                let stats = SearchStats { expanded: limiter.nodes(), ..SearchStats::default() };
                Ok(unproved(board, path, stats))
            }
            _ => self.search(board, limiter, threads),
        }
    }

    fn method_for(&self, cells: usize) -> Method {
        match self.method {
            Method::Best if cells <= FOUR.0 * FOUR.1 => Method::IdaStar,
            Method::Best => Method::Improve,
            method => method,
        }
    }

    fn search(
        &self,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Result<Solution, ParseError> {
        let (method, memory) = (self.method_for(board.cells().len()), self.memory);
        match self.heuristic(board).expect("boards of this size are prepared") {
            LoadedHeuristic::Manhattan(_) if method == Method::IdaStar && is_four(board) => {
                Ok(specialised_ida_star(&PackedManhattan, board, limiter, threads))
            }
            LoadedHeuristic::Manhattan(of) => searched(method, of, board, limiter, memory),
            LoadedHeuristic::LinearConflict(of) => searched(method, of, board, limiter, memory),
            LoadedHeuristic::WalkingDistance(of) => searched(method, &**of, board, limiter, memory),
            LoadedHeuristic::PatternDatabases(of)
                if method == Method::IdaStar && of.patterns.is_zoned() =>
            {
                Ok(of.search(board, limiter, threads))
            }
            LoadedHeuristic::PatternDatabases(of) => {
                searched(method, &of.patterns, board, limiter, memory)
            }
        }
    }

    /// Makes what boards of this size need, if it was not made before: some seconds for patterns
    /// that are not kept yet.
    ///
    /// # Errors
    /// If the estimate is not for boards of this size.
    pub fn prepare(&mut self, size: Size) -> Result<(), ParseError> {
        self.prepare_by(size, |kind, table_options| match kind {
            Some(kind) => LoadedHeuristic::new(kind, size, table_options),
            None => LoadedHeuristic::default_for(size, table_options),
        })
    }

    /// The same within this time: tables that would take longer are not begun, and do without.
    ///
    /// # Errors
    /// If the estimate is not for boards of this size.
    pub fn prepare_within(&mut self, time: Duration, size: Size) -> Result<(), ParseError> {
        self.prepare_by(size, |kind, table_options| {
            LoadedHeuristic::within_time(time, kind, size, table_options)
        })
    }

    fn prepare_by(
        &mut self,
        size: Size,
        make: impl Fn(Option<HeuristicKind>, &TableOptions) -> Result<LoadedHeuristic, ParseError>,
    ) -> Result<(), ParseError> {
        let is_ready = self.ready.iter().any(|(known, _)| *known == size);
        let method = self.method_for(size.0 * size.1);
        if !is_ready && matches!(method, Method::IdaStar | Method::AStar | Method::AStarQueue) {
            self.ready.push((size, make(self.kind, &self.table_options)?));
        }
        Ok(())
    }

    /// The estimate for a board, if the method takes one and it is made.
    fn heuristic(&self, board: &Board) -> Option<&LoadedHeuristic> {
        let size = (board.rows(), board.columns());
        self.ready.iter().find(|(known, _)| *known == size).map(|(_, heuristic)| heuristic)
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.table_options.threads
    }

    /// How a board that is prepared makes use of several threads.
    pub fn thread_use(&self, board: &Board) -> ThreadUse {
        match (self.method_for(board.cells().len()), self.heuristic(board)) {
            (Method::AStar | Method::AStarQueue, _) => ThreadUse::Alone,
            (_, Some(LoadedHeuristic::PatternDatabases(of))) if of.patterns.is_zoned() => {
                ThreadUse::Within
            }
            _ => ThreadUse::Between,
        }
    }
}

/// A path of which nothing is proved, with what linear conflict says.
fn unproved(board: &Board, path: Vec<Direction>, stats: SearchStats) -> Solution {
    let heuristic = LinearConflict::new(board.rows(), board.columns());
    let lower_bound = heuristic.value(&heuristic.estimate(board.cells(), board.blank())) as usize;
    Solution { lower_bound, ..Solution::with_path(path, stats) }
}

fn is_four(board: &Board) -> bool {
    (board.rows(), board.columns()) == FOUR
}

fn searched<H: Heuristic>(
    method: Method,
    heuristic: &H,
    board: &Board,
    limiter: &mut Limiter,
    memory: usize,
) -> Result<Solution, ParseError> {
    Ok(match (method, board.cells().len()) {
        (Method::AStar, ..=16) => frontier_a_star::<u64, H>(heuristic, board, limiter, memory),
        (Method::AStar, ..=MOST_CELLS) => {
            frontier_a_star::<u128, H>(heuristic, board, limiter, memory)
        }
        (Method::AStarQueue, ..=16) => a_star::<u64, H>(heuristic, board, limiter, memory),
        (Method::AStarQueue, ..=MOST_CELLS) => a_star::<u128, H>(heuristic, board, limiter, memory),
        (Method::AStar | Method::AStarQueue, cells) => {
            let word = METHODS.iter().find(|(_, known)| *known == method).map(|(word, _)| word);
            return Err(ParseError::new(format!(
                "{} stores boards of {MOST_CELLS} cells at most, not of {cells}: \
                 expected another method",
                word.expect("every method has a word")
            )));
        }
        _ => ida_star(heuristic, board, limiter),
    })
}
