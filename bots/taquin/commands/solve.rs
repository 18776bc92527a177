//! `taquin solve`: reads boards and writes solutions in the same order.

use super::input::{BoardInput, ParsedBoard};
use crate::cache;
use crate::options::Options;
use crate::program::{progress, say, Failure, DATA, UNMET};
use crate::taquin::best::pattern::TableOptions;
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use crate::taquin::solver::{TaquinSolver, ThreadUse, METHODS};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{path_letters, Convention, Direction};
use arbitre_games::parallel;
use arbitre_games::search::budget::{Budget, Limiter, Timer};
use arbitre_games::text::{value_of, write_json_string};
use std::time::{Duration, Instant};

/// Output format of a solution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SolutionFormat {
    Text,
    Letters,
    Json,
}

const SOLUTION_FORMATS: [(&str, SolutionFormat); 3] = [
    ("text", SolutionFormat::Text),
    ("letters", SolutionFormat::Letters),
    ("json", SolutionFormat::Json),
];

/// Node limit of the attempt in one thread, before all threads search the board. Not tuned.
const EASY: u64 = 1 << 20;

/// Largest length of a line of words, in columns. Not tuned.
const WIDTH: usize = 72;

/// Solves the boards of files, or of standard input.
///
/// # Errors
/// Returns an error if an option is invalid or a file cannot be read. Also returns one at the end,
/// if a board was invalid or not solved within the limits.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let mut solver = take_solver(&mut options)?;
    let limits = SolveLimits::take(&mut options)?;
    let format = match (options.take_flag("--json"), options.take_text("--format")?) {
        (true, _) => SolutionFormat::Json,
        (false, Some(word)) => value_of("format", &word, &SOLUTION_FORMATS)?,
        (false, None) => SolutionFormat::Text,
    };
    let input = BoardInput::take(&mut options)?;
    options.finish()?;
    let prepared = |board: ParsedBoard| {
        let (board, convention) = board?;
        solver.prepare((board.rows(), board.columns()))?;
        Ok((board, convention))
    };
    let boards: Vec<ParsedBoard> = input.boards()?.into_iter().map(prepared).collect();
    let (count, mut bad, mut unsolved) = (boards.len(), 0, 0);
    solve_all(&solver, &boards, &limits, |answer| {
        match &answer {
            Err(_) => bad += 1,
            Ok(SolvedBoard { solution, .. }) => {
                unsolved += usize::from(matches!(
                    solution.status,
                    SolveStatus::OutOfBudget | SolveStatus::MemoryLimit
                ));
            }
        }
        progress("");
        say(&written(&answer, format));
    });
    match (bad, unsolved) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::new(UNMET, format!("{unsolved} of {count} boards were not solved"))),
        _ => Err(Failure::new(DATA, format!("{bad} of {count} boards could not be searched"))),
    }
}

/// Creates the solver from `--method`, `--heuristic`, `--memory` and `--threads`.
///
/// # Errors
/// Returns an error if the value of an option is invalid.
pub fn take_solver(options: &mut Options) -> Result<TaquinSolver, ParseError> {
    let method = options.take_text("--method")?;
    let method = method.map_or(Ok(METHODS[0].1), |word| value_of("method", &word, &METHODS))?;
    let table_options = take_table_options(options)?;
    Ok(TaquinSolver::take(method, TaquinSolver::MEMORY, options)?.with(table_options))
}

/// Returns table options with the user's cache folder and `--threads` threads, by default one per
/// processor.
///
/// # Errors
/// Returns an error if the value is not a number from 1.
pub fn take_table_options(options: &mut Options) -> Result<TableOptions, ParseError> {
    let threads = options.take_threads()?;
    Ok(TableOptions { folder: cache::folder(), threads, progress: bar, ..TableOptions::ALONE })
}

/// Limits of the search of one board.
struct SolveLimits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl SolveLimits {
    fn take(options: &mut Options) -> Result<SolveLimits, ParseError> {
        let (time, nodes) = (options.take_duration("--move-time")?, options.take("--nodes")?);
        Ok(SolveLimits { time, nodes })
    }

    fn is_limited(&self) -> bool {
        self.time.is_some() || self.nodes.is_some()
    }

    fn limiter(&self) -> Limiter {
        let time = self.time.map(Timer::wall);
        Limiter::new(Budget { time, nodes: self.nodes, ..Budget::default() })
    }
}

/// Solution with the convention of its board.
struct SolvedBoard {
    solution: Solution,
    convention: Convention,
    seconds: f64,
}

impl SolvedBoard {
    fn path(&self) -> Option<Vec<Direction>> {
        let path = self.solution.path.as_ref()?;
        Some(path.iter().map(|&direction| self.convention.direction(direction)).collect())
    }

    fn status(&self) -> &'static str {
        match self.solution.status {
            SolveStatus::Solved => "solved",
            SolveStatus::Unsolvable => "unsolvable",
            SolveStatus::OutOfBudget => "limit reached",
            SolveStatus::MemoryLimit => "memory limit reached",
        }
    }
}

/// Calls `done` with the answers for all boards in order, using all threads of the solver.
fn solve_all(
    solver: &TaquinSolver,
    boards: &[ParsedBoard],
    limits: &SolveLimits,
    mut done: impl FnMut(Result<SolvedBoard, ParseError>),
) {
    let what = |at: usize| progress(&format!("board {} of {}", at + 1, boards.len()));
    let solved = |at: usize| answer(solver, &boards[at], &mut limits.limiter(), solver.threads());
    if solver.threads() == 1 || boards.len() == 1 {
        for at in 0..boards.len() {
            what(at);
            done(solved(at));
        }
        return;
    }
    let alone = |at: usize| solve_alone(solver, &boards[at], limits);
    parallel::map_in_order(solver.threads(), boards.len(), alone, |at, answer| {
        what(at);
        done(answer.unwrap_or_else(|| solved(at)));
    });
}

/// Returns the answer that a single thread finds, or `None` if all threads are to search the board.
fn solve_alone(
    solver: &TaquinSolver,
    board: &ParsedBoard,
    limits: &SolveLimits,
) -> Option<Result<SolvedBoard, ParseError>> {
    let thread_use =
        board.as_ref().map_or(ThreadUse::Between, |(board, _)| solver.thread_use(board));
    match thread_use {
        ThreadUse::Alone => None,
        ThreadUse::Between => Some(answer(solver, board, &mut limits.limiter(), 1)),
        // The first attempt has only its own node limit, so it is skipped where limits apply.
        ThreadUse::Within if limits.is_limited() => None,
        ThreadUse::Within => {
            let mut limiter = Limiter::new(Budget::nodes(EASY));
            let found = answer(solver, board, &mut limiter, 1);
            Some(found).filter(|_| !limiter.stopped())
        }
    }
}

/// Solves a parsed board.
fn answer(
    solver: &TaquinSolver,
    board: &ParsedBoard,
    limiter: &mut Limiter,
    threads: usize,
) -> Result<SolvedBoard, ParseError> {
    let (board, convention) = board.clone()?;
    let begun = Instant::now();
    let solution = solver.solve_prepared(&board, limiter, threads)?;
    Ok(SolvedBoard { solution, convention, seconds: begun.elapsed().as_secs_f64() })
}

fn written(answer: &Result<SolvedBoard, ParseError>, format: SolutionFormat) -> String {
    match (answer, format) {
        (Err(why), SolutionFormat::Json) => {
            let mut text = String::from("{\"status\":\"error\",\"error\":");
            write_json_string(&why.to_string(), &mut text);
            text + "}\n"
        }
        (Err(why), _) => format!("error: {why}\n"),
        (Ok(answer), SolutionFormat::Json) => json(answer),
        (Ok(answer), SolutionFormat::Letters) => match answer.path() {
            Some(path) => path_letters(&path) + "\n",
            None => format!("{}\n", answer.status()),
        },
        (Ok(answer), SolutionFormat::Text) => text(answer),
    }
}

/// Returns the solution as on the sheet, with the cost of the search.
fn text(answer: &SolvedBoard) -> String {
    let solution = match answer.path() {
        Some(path) => format!("Longueur {}\n{}", path.len(), wrapped(&path)),
        None => format!("{}\n", answer.status()),
    };
    let Solution { lower_bound, stats, .. } = answer.solution;
    let SearchStats { generated, expanded, stored, bytes, .. } = stats;
    let SolvedBoard { convention, seconds, .. } = answer;
    format!(
        "{solution}# at least {lower_bound} generated {generated} expanded {expanded} stored {stored} \
         bytes {bytes} seconds {seconds:.3}\n# convention {convention}, blank {} in the goal\n",
        convention.goal()
    )
}

fn wrapped(path: &[Direction]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for direction in path {
        let word = direction.word();
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        }
        let blank = if width > 0 { " " } else { "" };
        text += blank;
        text += word;
        width += blank.len() + word.len();
    }
    text + "\n"
}

fn json(answer: &SolvedBoard) -> String {
    let SearchStats { generated, expanded, stored, bytes, .. } = answer.solution.stats;
    let path = answer.path();
    let length = path.as_ref().map_or("null".into(), |path| path.len().to_string());
    let moves = path.map_or("null".into(), |path| format!("\"{}\"", path_letters(&path)));
    format!(
        "{{\"status\":\"{}\",\"length\":{length},\"moves\":{moves},\"at_least\":{},\
         \"generated\":{generated},\"expanded\":{expanded},\"stored\":{stored},\"bytes\":{bytes},\
         \"seconds\":{:.6},\"convention\":\"{}\",\"goal\":\"{}\"}}\n",
        answer.status(),
        answer.solution.lower_bound,
        answer.seconds,
        answer.convention,
        answer.convention.goal()
    )
}

/// Width in columns of the progress bar for tables. Not tuned.
const BAR: usize = 40;

fn bar(part: f64) {
    let filled = ((part * BAR as f64) as usize).min(BAR);
    progress(&format!(
        "making tables [{}{}] {:3.0} %",
        "#".repeat(filled),
        " ".repeat(BAR - filled),
        100.0 * part
    ));
}
