//! The methods by their names, and what is kept ready for boards of each size.

use super::a_star::a_star;
use super::conflict::LinearConflict;
use super::deepening::ids;
use super::guide::{Estimator, Guide, Means, GUIDES};
use super::heuristic::Heuristic;
use super::ida_star::ida_star;
use super::improve::improve;
use super::layered::layered;
use super::pattern::cache;
use super::quick::quick;
use super::solution::{Effort, Ending, Solution};
use super::unrolled::{unrolled, Distance};
use crate::options::Options;
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
pub enum Sharing {
    /// Nothing: it may need all memory.
    Alone,
    /// Search other boards meanwhile.
    Between,
    /// Search it together.
    Within,
}

/// A method with its estimate. What an estimate needs is made once for each size of board.
pub struct Solver {
    method: Method,
    /// None is the best that is at hand.
    guide: Option<Guide>,
    /// So many bytes A* may take.
    memory: usize,
    means: Means,
    ready: Vec<(Size, Estimator)>,
}

impl Solver {
    /// What A* may take where nobody says.
    pub const MEMORY: usize = 4 << 30;

    /// A solver in one thread that has prepared nothing, and keeps no tables.
    pub fn new(method: Method, guide: Option<Guide>, memory: usize) -> Solver {
        Solver { method, guide, memory, means: Means::ALONE, ready: Vec::new() }
    }

    /// A solver with what `--heuristic` and `--memory` say, or so many bytes.
    ///
    /// # Errors
    /// If a value is not what the option takes.
    pub fn take(
        method: Method,
        memory: usize,
        options: &mut Options,
    ) -> Result<Solver, ParseError> {
        let guide = options.take_text("--heuristic")?;
        let guide = guide.map(|word| value_of("heuristic", &word, &GUIDES)).transpose()?;
        let megabytes: Option<usize> = options.take("--memory")?;
        let memory = megabytes.map_or(memory, |count| count.saturating_mul(1 << 20));
        Ok(Solver::new(method, guide, memory))
    }

    /// With these means.
    pub fn with(self, means: Means) -> Solver {
        Solver { means, ..self }
    }

    /// The solver for who plays, in one thread: what it finds does not depend on what happens to be kept on a machine,
    /// unless tables are asked for.
    pub fn for_play(self) -> Solver {
        let folder = cache::folder().filter(|_| self.guide.is_some());
        self.with(Means { folder, ..Means::ALONE })
    }

    /// Solves a board, as long as the meter allows.
    ///
    /// # Errors
    /// If the method or the estimate is not for boards of this size.
    pub fn solve(&mut self, board: &Board, meter: &mut Limiter) -> Result<Solution, ParseError> {
        self.prepare((board.rows(), board.columns()))?;
        self.solve_prepared(board, meter, self.means.threads)
    }

    /// The same in so many threads, if boards of this size are prepared.
    ///
    /// # Errors
    /// If the method or the estimate is not for boards of this size.
    pub fn solve_prepared(
        &self,
        board: &Board,
        meter: &mut Limiter,
        threads: usize,
    ) -> Result<Solution, ParseError> {
        match self.method_for(board.cells().len()) {
            Method::Ids => Ok(ids(board, meter)),
            Method::Quick | Method::Improve if !board.is_solvable() => {
                Ok(Solution::without_path(Ending::Unsolvable, Effort::default()))
            }
            Method::Quick => Ok(unproved(board, quick(board), Effort::default())),
            Method::Improve => {
                let path = improve(board, quick(board), meter);
                let effort = Effort { expanded: meter.nodes(), ..Effort::default() };
                Ok(unproved(board, path, effort))
            }
            _ => self.search(board, meter, threads),
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
        meter: &mut Limiter,
        threads: usize,
    ) -> Result<Solution, ParseError> {
        let (method, memory) = (self.method_for(board.cells().len()), self.memory);
        match self.estimator(board).expect("boards of this size are prepared") {
            Estimator::Manhattan(_) if method == Method::IdaStar && is_four(board) => {
                Ok(unrolled(&Distance, board, meter, threads))
            }
            Estimator::Manhattan(of) => searched(method, of, board, meter, memory),
            Estimator::LinearConflict(of) => searched(method, of, board, meter, memory),
            Estimator::WalkingDistance(of) => searched(method, &**of, board, meter, memory),
            Estimator::Patterns(of) if method == Method::IdaStar && of.patterns.is_zoned() => {
                Ok(of.search(board, meter, threads))
            }
            Estimator::Patterns(of) => searched(method, &of.patterns, board, meter, memory),
        }
    }

    /// Makes what boards of this size need, if it was not made before: some seconds for patterns that are not
    /// kept yet.
    ///
    /// # Errors
    /// If the estimate is not for boards of this size.
    pub fn prepare(&mut self, size: Size) -> Result<(), ParseError> {
        self.prepare_by(size, |guide, means| match guide {
            Some(guide) => Estimator::new(guide, size, means),
            None => Estimator::usual(size, means),
        })
    }

    /// The same within this time: tables that would take longer are not begun, and do without.
    ///
    /// # Errors
    /// If the estimate is not for boards of this size.
    pub fn prepare_within(&mut self, time: Duration, size: Size) -> Result<(), ParseError> {
        self.prepare_by(size, |guide, means| Estimator::within(time, guide, size, means))
    }

    fn prepare_by(
        &mut self,
        size: Size,
        make: impl Fn(Option<Guide>, &Means) -> Result<Estimator, ParseError>,
    ) -> Result<(), ParseError> {
        let is_ready = self.ready.iter().any(|(known, _)| *known == size);
        let method = self.method_for(size.0 * size.1);
        if !is_ready && matches!(method, Method::IdaStar | Method::AStar | Method::AStarQueue) {
            self.ready.push((size, make(self.guide, &self.means)?));
        }
        Ok(())
    }

    /// The estimate for a board, if the method takes one and it is made.
    fn estimator(&self, board: &Board) -> Option<&Estimator> {
        let size = (board.rows(), board.columns());
        self.ready.iter().find(|(known, _)| *known == size).map(|(_, estimator)| estimator)
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.means.threads
    }

    /// How a board that is prepared makes use of several threads.
    pub fn sharing(&self, board: &Board) -> Sharing {
        match (self.method_for(board.cells().len()), self.estimator(board)) {
            (Method::AStar | Method::AStarQueue, _) => Sharing::Alone,
            (_, Some(Estimator::Patterns(of))) if of.patterns.is_zoned() => Sharing::Within,
            _ => Sharing::Between,
        }
    }
}

/// A path of which nothing is proved, with what linear conflict says.
fn unproved(board: &Board, path: Vec<Direction>, effort: Effort) -> Solution {
    let heuristic = LinearConflict::new(board.rows(), board.columns());
    let at_least = heuristic.estimate(&heuristic.mark(board.cells(), board.blank())) as usize;
    Solution { at_least, ..Solution::with_path(path, effort) }
}

fn is_four(board: &Board) -> bool {
    (board.rows(), board.columns()) == FOUR
}

fn searched<H: Heuristic>(
    method: Method,
    heuristic: &H,
    board: &Board,
    meter: &mut Limiter,
    memory: usize,
) -> Result<Solution, ParseError> {
    match method {
        Method::AStar => layered(heuristic, board, meter, memory),
        Method::AStarQueue => a_star(heuristic, board, meter, memory),
        _ => Ok(ida_star(heuristic, board, meter)),
    }
}
