//! Methods by name, and the heuristics prepared for boards of each size.

use crate::cache;
use crate::options::Options;
use crate::taquin::best::improve::improve;
use crate::taquin::best::packed_manhattan::packed_manhattan;
use crate::taquin::best::pattern::TableOptions;
use crate::taquin::best::quick::quick;
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
use arbitre_games::text::{value_of, word_of};
use std::time::Duration;

/// Search method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// [`Method::IdaStar`] up to 16 cells, and beyond that [`Method::Improve`].
    Best,
    /// Iterative deepening A*.
    IdaStar,
    /// A* with tables of parents and distances, and a queue.
    AStar,
    /// Iterative deepening without a heuristic.
    Ids,
    /// Tile by tile: an immediate solution that may be long.
    Quick,
    /// [`Method::Quick`], then shortened piece by piece.
    Improve,
}

/// Names of the methods, the default first.
pub const METHODS: [(&str, Method); 7] = [
    ("best", Method::Best),
    ("ida-star", Method::IdaStar),
    ("a-star", Method::AStar),
    ("a-star-queue", Method::AStar),
    ("ids", Method::Ids),
    ("quick", Method::Quick),
    ("improve", Method::Improve),
];

/// Size of the 15-puzzle, which most heuristics support.
const FOUR: Size = (4, 4);

/// Use of several threads for a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadUse {
    /// None: the board may need all memory, so it is solved alone.
    Alone,
    /// One thread per board; the others solve other boards.
    Between,
    /// All threads search the same board.
    Within,
}

/// A method with its heuristic, which is prepared once for each board size.
pub struct TaquinSolver {
    method: Method,
    /// Heuristic; `None` is the best one available.
    kind: Option<HeuristicKind>,
    /// Memory limit in bytes: of the boards and tables of A*, and of the tables of other methods.
    memory: usize,
    table_options: TableOptions,
    ready: Vec<(Size, LoadedHeuristic)>,
}

impl TaquinSolver {
    /// Default memory limit in bytes. Not tuned.
    pub const MEMORY: usize = 4 << 30;

    /// Creates a solver with one thread, without prepared heuristics and without a table cache.
    pub fn new(method: Method, kind: Option<HeuristicKind>, memory: usize) -> TaquinSolver {
        TaquinSolver { method, kind, memory, table_options: TableOptions::ALONE, ready: Vec::new() }
    }

    /// Creates a solver from `--heuristic` and `--memory`; `memory` is the default in bytes.
    ///
    /// # Errors
    /// Returns an error if the value of an option is invalid, or if the method uses no heuristic.
    pub fn take(
        method: Method,
        memory: usize,
        options: &mut Options,
    ) -> Result<TaquinSolver, ParseError> {
        let kind = options.take_text("--heuristic")?;
        let kind = kind.map(|word| value_of("heuristic", &word, &HEURISTICS)).transpose()?;
        if kind.is_some() && matches!(method, Method::Ids | Method::Quick | Method::Improve) {
            return Err(ParseError::new(format!(
                "--heuristic: expected a method that uses one, best, ida-star, a-star or \
                 a-star-queue, got {}",
                word_of(method, &METHODS)
            )));
        }
        let memory = take_memory(options)?.unwrap_or_else(|| granted(memory));
        Ok(TaquinSolver::new(method, kind, memory))
    }

    /// Sets the table options; the memory limit of tables stays that of the solver.
    pub fn with(self, table_options: TableOptions) -> TaquinSolver {
        let table_options = TableOptions { memory: self.memory, ..table_options };
        TaquinSolver { table_options, ..self }
    }

    /// Prepares the solver for a player, with one thread. Unless `--heuristic` is given, it ignores
    /// cached tables, so that its answers do not depend on the machine.
    pub fn for_play(self) -> TaquinSolver {
        let folder = cache::folder().filter(|_| self.kind.is_some());
        self.with(TableOptions { folder, ..TableOptions::ALONE })
    }

    /// Replaces the heuristic by the best one available.
    pub fn use_default_heuristic(&mut self) {
        self.kind = None;
        self.ready.clear();
    }

    /// Solves a board within the limits of `limiter`.
    ///
    /// # Errors
    /// Returns an error if the method or the heuristic does not support boards of this size.
    pub fn solve(&mut self, board: &Board, limiter: &mut Limiter) -> Result<Solution, ParseError> {
        self.prepare_heuristic((board.rows(), board.columns()))?;
        self.solve_prepared(board, limiter, self.table_options.threads)
    }

    /// Solves a board in `threads` threads. Boards of its size must be prepared.
    ///
    /// # Errors
    /// Returns an error if the method or the heuristic does not support boards of this size.
    pub fn solve_prepared(
        &self,
        board: &Board,
        limiter: &mut Limiter,
        threads: usize,
    ) -> Result<Solution, ParseError> {
        if !board.is_solvable() {
            return Ok(Solution::without_path(SolveStatus::Unsolvable, 0, SearchStats::default()));
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
        let size = (board.rows(), board.columns());
        match self.heuristic(board).expect("boards of this size are prepared") {
            LoadedHeuristic::Manhattan(_) if method == Method::IdaStar && size == FOUR => {
                Ok(packed_manhattan(board, limiter))
            }
            LoadedHeuristic::Manhattan(of) => searched(method, of, board, limiter, memory),
            LoadedHeuristic::LinearConflict(of) => searched(method, of, board, limiter, memory),
            LoadedHeuristic::WalkingDistance(of) => searched(method, &**of, board, limiter, memory),
            LoadedHeuristic::PatternDatabases(of) if method == Method::IdaStar => {
                Ok(of.search(board, limiter, threads))
            }
            LoadedHeuristic::PatternDatabases(of) => {
                searched(method, &of.patterns, board, limiter, memory)
            }
        }
    }

    /// Prepares the heuristic for boards of this size, unless it is prepared already. Pattern
    /// databases that are not in the cache take some seconds.
    ///
    /// # Errors
    /// Returns an error if the heuristic does not support boards of this size, would not be used,
    /// or does not fit into memory.
    pub fn prepare(&mut self, size: Size) -> Result<(), ParseError> {
        self.check_heuristic(size)?;
        self.prepare_heuristic(size)
    }

    /// Returns an error if a heuristic was chosen that the method does not use for this size.
    fn check_heuristic(&self, (rows, columns): Size) -> Result<(), ParseError> {
        let (kind, method) = (self.kind, self.method_for(rows * columns));
        match kind.filter(|_| method == Method::Improve && self.method != method) {
            Some(kind) => Err(ParseError::new(format!(
                "{} expects boards of at most {} cells with method best, got {rows}x{columns}; \
                 help: choose method ida-star",
                kind.word(),
                FOUR.0 * FOUR.1
            ))),
            None => Ok(()),
        }
    }

    fn prepare_heuristic(&mut self, size: Size) -> Result<(), ParseError> {
        self.prepare_by(size, |kind, table_options| match kind {
            Some(kind) => LoadedHeuristic::new(kind, size, table_options),
            None => LoadedHeuristic::default_for(size, table_options),
        })
    }

    /// Prepares the heuristic within `time`. Default tables that would take longer to build are
    /// replaced by a heuristic without them.
    ///
    /// # Errors
    /// Returns an error in the cases of [`TaquinSolver::prepare`], and if a heuristic was chosen
    /// whose tables would take longer.
    pub fn prepare_within(&mut self, time: Duration, size: Size) -> Result<(), ParseError> {
        self.check_heuristic(size)?;
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
        if !is_ready && matches!(method, Method::IdaStar | Method::AStar) {
            self.ready.push((size, make(self.kind, &self.table_options)?));
        }
        Ok(())
    }

    /// Returns the prepared heuristic for a board, if there is one.
    fn heuristic(&self, board: &Board) -> Option<&LoadedHeuristic> {
        let size = (board.rows(), board.columns());
        self.ready.iter().find(|(known, _)| *known == size).map(|(_, heuristic)| heuristic)
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.table_options.threads
    }

    /// Returns the use of several threads for a board whose size is prepared.
    pub fn thread_use(&self, board: &Board) -> ThreadUse {
        match (self.method_for(board.cells().len()), self.heuristic(board)) {
            (Method::AStar, _) => ThreadUse::Alone,
            (_, Some(LoadedHeuristic::PatternDatabases(_))) => ThreadUse::Within,
            _ => ThreadUse::Between,
        }
    }
}

/// Takes `--memory MB`. Returns bytes.
///
/// # Errors
/// Returns an error if the value is not a number from 1.
pub fn take_memory(options: &mut Options) -> Result<Option<usize>, ParseError> {
    let megabytes: Option<usize> = options.take_count("--memory")?;
    Ok(megabytes.map(|count| granted(count.saturating_mul(1 << 20))))
}

/// Returns the part of a memory limit that the system gives. A search then ends at its limit, and
/// not with the program at the first refusal.
fn granted(mut bytes: usize) -> usize {
    while bytes > 0 && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        bytes -= bytes.div_ceil(8);
    }
    bytes
}

/// Returns a solution with a path that may not be shortest. Its lower bound is linear conflict.
fn unproved(board: &Board, path: Vec<Direction>, stats: SearchStats) -> Solution {
    let heuristic = LinearConflict::new(board.rows(), board.columns());
    let lower_bound = heuristic.value(&heuristic.estimate(board.cells(), board.blank())) as usize;
    Solution { lower_bound, ..Solution::with_path(path, stats) }
}

fn searched<H: Heuristic>(
    method: Method,
    heuristic: &H,
    board: &Board,
    limiter: &mut Limiter,
    memory: usize,
) -> Result<Solution, ParseError> {
    // A `u64` holds 16 tiles of four bits, a `u128` 25 tiles of five bits.
    Ok(match (method, board.cells().len()) {
        (Method::AStar, ..=16) => a_star::<u64, H>(heuristic, board, limiter, memory),
        (Method::AStar, ..=MOST_CELLS) => a_star::<u128, H>(heuristic, board, limiter, memory),
        (Method::AStar, cells) => {
            return Err(ParseError::new(format!(
                "{} expects at most {MOST_CELLS} cells, got {cells}; help: \
                 choose another method",
                word_of(method, &METHODS)
            )));
        }
        _ => ida_star(heuristic, board, limiter),
    })
}
