//! The methods and the heuristics by their names, and what is kept ready for boards of each size.

use super::a_star::a_star;
use super::conflict::LinearConflict;
use super::deepening::ids;
use super::heuristic::{Heuristic, Manhattan};
use super::ida_star::ida_star;
use super::improve::improve;
use super::pattern::{cache, Patterns, SIX_SIX_THREE};
use super::quick::quick;
use super::solution::{Effort, Ending, Solution};
use super::unrolled::unrolled;
use super::walking::WalkingDistance;
use crate::bots::options::Options;
use crate::game::BadText;
use crate::games::taquin::{Board, Direction, Size};
use crate::search::budget::Meter;
use crate::text::value_of;
use std::path::{Path, PathBuf};

/// How boards are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// [`Method::IdaStar`] up to 16 cells, and beyond that [`Method::Improve`].
    Best,
    /// Iterative deepening A*.
    IdaStar,
    /// A*.
    AStar,
    /// Iterative deepening without an estimate.
    Ids,
    /// Tile by tile: a solution at once that need not be short.
    Quick,
    /// The same, and then piece by piece made shorter.
    Improve,
}

/// The words for the methods, the usual one first.
pub const METHODS: [(&str, Method); 6] = [
    ("best", Method::Best),
    ("ida-star", Method::IdaStar),
    ("a-star", Method::AStar),
    ("ids", Method::Ids),
    ("quick", Method::Quick),
    ("improve", Method::Improve),
];

/// Which estimate guides a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guide {
    /// Manhattan distance.
    Manhattan,
    /// Manhattan distance with linear conflicts.
    LinearConflict,
    /// Walking distance.
    WalkingDistance,
    /// Pattern databases of 6, 6 and 3 tiles.
    Pattern663,
}

/// The words for the estimates.
pub const GUIDES: [(&str, Guide); 4] = [
    ("manhattan", Guide::Manhattan),
    ("linear-conflict", Guide::LinearConflict),
    ("walking-distance", Guide::WalkingDistance),
    ("pattern-663", Guide::Pattern663),
];

impl Guide {
    /// The one that needs no long preparation and suits boards of this size.
    pub fn usual((rows, columns): Size) -> Guide {
        match rows.max(columns) <= 4 {
            true => Guide::WalkingDistance,
            false => Guide::LinearConflict,
        }
    }
}

/// An estimate for boards of one size.
enum Estimator {
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    WalkingDistance(WalkingDistance),
    Patterns(Patterns),
}

impl Estimator {
    fn new(
        guide: Guide,
        (rows, columns): Size,
        folder: Option<&Path>,
    ) -> Result<Estimator, BadText> {
        match guide {
            Guide::Manhattan => Ok(Estimator::Manhattan(Manhattan::new(rows, columns))),
            Guide::LinearConflict => {
                Ok(Estimator::LinearConflict(LinearConflict::new(rows, columns)))
            }
            Guide::WalkingDistance => {
                WalkingDistance::new(rows, columns).map(Estimator::WalkingDistance)
            }
            Guide::Pattern663 if (rows, columns) == FOUR => {
                Ok(Estimator::Patterns(Patterns::kept(rows, columns, &SIX_SIX_THREE, folder)))
            }
            Guide::Pattern663 => Err(BadText::new(format!(
                "pattern-663 is for 4x4, not for {rows}x{columns}: expected another heuristic"
            ))),
        }
    }

    /// The best that is at hand where none is named: patterns if they are kept.
    fn usual(size: Size, folder: Option<&Path>) -> Result<Estimator, BadText> {
        let folder = folder.filter(|_| size == FOUR);
        let found =
            folder.and_then(|folder| Patterns::found(size.0, size.1, &SIX_SIX_THREE, folder));
        match found {
            Some(patterns) => Ok(Estimator::Patterns(patterns)),
            None => Estimator::new(Guide::usual(size), size, None),
        }
    }
}

/// The size that has most of the estimates.
const FOUR: Size = (4, 4);

/// A method with its estimate. What an estimate needs is made once for each size of board.
pub struct Solver {
    method: Method,
    /// None is the best that is at hand.
    guide: Option<Guide>,
    /// So many bytes A* may take.
    memory: usize,
    /// Where tables are kept, if they are.
    folder: Option<PathBuf>,
    ready: Vec<(Size, Estimator)>,
}

impl Solver {
    /// What A* may take where nobody says.
    pub const MEMORY: usize = 4 << 30;

    /// A solver that has prepared nothing, and keeps no tables.
    pub fn new(method: Method, guide: Option<Guide>, memory: usize) -> Solver {
        Solver { method, guide, memory, folder: None, ready: Vec::new() }
    }

    /// A solver with what `--heuristic` and `--memory` say, or so many bytes. It keeps tables in the user's
    /// folder.
    ///
    /// # Errors
    /// If a value is not what the option takes.
    pub fn take(method: Method, memory: usize, options: &mut Options) -> Result<Solver, BadText> {
        let guide = options.take_text("--heuristic")?;
        let guide = guide.map(|word| value_of("heuristic", &word, &GUIDES)).transpose()?;
        let megabytes: Option<usize> = options.take("--memory")?;
        let memory = megabytes.map_or(memory, |count| count.saturating_mul(1 << 20));
        Ok(Solver { folder: cache::folder(), ..Solver::new(method, guide, memory) })
    }

    /// The solver for who plays: what it finds does not depend on what happens to be kept on a machine, unless
    /// tables are asked for.
    pub fn for_play(self) -> Solver {
        let folder = self.folder.filter(|_| self.guide.is_some());
        Solver { folder, ..self }
    }

    /// Solves a board, as long as the meter allows.
    ///
    /// # Errors
    /// If the method or the estimate is not for boards of this size.
    pub fn solve(&mut self, board: &Board, meter: &mut Meter) -> Result<Solution, BadText> {
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
            _ => self.search(board, meter),
        }
    }

    fn method_for(&self, cells: usize) -> Method {
        match self.method {
            Method::Best if cells <= FOUR.0 * FOUR.1 => Method::IdaStar,
            Method::Best => Method::Improve,
            method => method,
        }
    }

    fn search(&mut self, board: &Board, meter: &mut Meter) -> Result<Solution, BadText> {
        let (method, memory) = (self.method_for(board.cells().len()), self.memory);
        match self.estimator((board.rows(), board.columns()))? {
            Estimator::Manhattan(_) if method == Method::IdaStar && is_four(board) => {
                Ok(unrolled(board, meter))
            }
            Estimator::Manhattan(of) => searched(method, of, board, meter, memory),
            Estimator::LinearConflict(of) => searched(method, of, board, meter, memory),
            Estimator::WalkingDistance(of) => searched(method, of, board, meter, memory),
            Estimator::Patterns(of) => searched(method, of, board, meter, memory),
        }
    }

    /// Makes what boards of this size need, if it was not made before: some seconds for patterns that are not
    /// kept yet.
    ///
    /// # Errors
    /// If the estimate is not for boards of this size.
    pub fn prepare(&mut self, size: Size) -> Result<(), BadText> {
        let is_ready = self.ready.iter().any(|(known, _)| *known == size);
        let method = self.method_for(size.0 * size.1);
        if !is_ready && matches!(method, Method::IdaStar | Method::AStar) {
            let folder = self.folder.as_deref();
            let estimator = match self.guide {
                Some(guide) => Estimator::new(guide, size, folder)?,
                None => Estimator::usual(size, folder)?,
            };
            self.ready.push((size, estimator));
        }
        Ok(())
    }

    /// The estimate for this size, made now if it was not before.
    fn estimator(&mut self, size: Size) -> Result<&Estimator, BadText> {
        self.prepare(size)?;
        let ready = self.ready.iter().find(|(known, _)| *known == size);
        Ok(&ready.expect("it is prepared").1)
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
    meter: &mut Meter,
    memory: usize,
) -> Result<Solution, BadText> {
    match method {
        Method::AStar => a_star(heuristic, board, meter, memory),
        _ => Ok(ida_star(heuristic, board, meter)),
    }
}
