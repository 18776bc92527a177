//! `taquin solve`: boards in, solutions out, one after the other.

use super::in_order::in_order;
use super::input::{Given, Input};
use crate::options::Options;
use crate::taquin::guide::Means;
use crate::taquin::pattern::cache;
use crate::taquin::solution::{Ending, Solution};
use crate::taquin::solver::{Sharing, Solver, METHODS};
use crate::{say, Failure, DATA, UNMET};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{path_letters, Convention, Direction};
use arbitre_games::search::budget::{Budget, Limiter, Timer};
use arbitre_games::text::value_of;
use std::io::{stderr, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How a solution is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Letters,
    Json,
}

const FORMATS: [(&str, Format); 3] =
    [("text", Format::Text), ("letters", Format::Letters), ("json", Format::Json)];

/// A board that one thread solves with so many nodes is not worth the work of several.
const EASY: u64 = 1 << 20;

/// A line of words is this long at most.
const WIDTH: usize = 72;

/// Solves the boards of files, or of standard input.
///
/// # Errors
/// If an option is not what it should be or a file cannot be read; at the end, if a board was none, or was
/// not solved within the limits.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let mut solver = take_solver(&mut options)?;
    let limits = Limits::take(&mut options)?;
    let format = match (options.take_flag("--json"), options.take_text("--format")?) {
        (true, _) => Format::Json,
        (false, Some(word)) => value_of("format", &word, &FORMATS)?,
        (false, None) => Format::Text,
    };
    let input = Input::take(&mut options)?;
    options.finish()?;
    let prepared = |board: Given| {
        let (board, convention) = board?;
        solver.prepare((board.rows(), board.columns()))?;
        Ok((board, convention))
    };
    let boards: Vec<Given> = input.boards()?.into_iter().map(prepared).collect();
    let (count, mut bad, mut unsolved) = (boards.len(), 0, 0);
    solve_all(&solver, &boards, &limits, &mut |answer| {
        match &answer {
            Err(_) => bad += 1,
            Ok(Answer { solution, .. }) => {
                unsolved += usize::from(matches!(
                    solution.ending,
                    Ending::OutOfBudget | Ending::MemoryLimit
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

/// The solver that `--method`, `--heuristic`, `--memory` and `--threads` say.
///
/// # Errors
/// If a value is not what the option takes.
pub fn take_solver(options: &mut Options) -> Result<Solver, ParseError> {
    let method = options.take_text("--method")?;
    let method = method.map_or(Ok(METHODS[0].1), |word| value_of("method", &word, &METHODS))?;
    let means = take_means(options)?;
    Ok(Solver::take(method, Solver::MEMORY, options)?.with(means))
}

/// Tables in the user's folder, and as many threads as `--threads` says, or processors are there.
///
/// # Errors
/// If the value is no number from 1.
pub fn take_means(options: &mut Options) -> Result<Means, ParseError> {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.take_count("--threads")?.unwrap_or_else(processors);
    Ok(Means { folder: cache::folder(), threads, progress: bar })
}

/// What a board may cost.
struct Limits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

impl Limits {
    fn take(options: &mut Options) -> Result<Limits, ParseError> {
        let (time, nodes) = (options.take_duration("--move-time")?, options.take("--nodes")?);
        Ok(Limits { time, nodes })
    }

    fn are_any(&self) -> bool {
        self.time.is_some() || self.nodes.is_some()
    }

    fn meter(&self) -> Limiter {
        let time = self.time.map(|time| Timer::wall(Instant::now(), time));
        Limiter::new(Budget { time, nodes: self.nodes, ..Budget::default() })
    }
}

/// A solution in the board's own convention.
struct Answer {
    solution: Solution,
    convention: Convention,
    seconds: f64,
}

impl Answer {
    fn path(&self) -> Option<Vec<Direction>> {
        let path = self.solution.path.as_ref()?;
        Some(path.iter().map(|&way| self.convention.direction(way)).collect())
    }

    fn ending(&self) -> &'static str {
        match self.solution.ending {
            Ending::Solved => "solved",
            Ending::Unsolvable => "unsolvable",
            Ending::OutOfBudget => "limit reached",
            Ending::MemoryLimit => "memory limit reached",
        }
    }
}

/// Tells the answers for all boards, in their order, by all threads of the solver.
fn solve_all(
    solver: &Solver,
    boards: &[Given],
    limits: &Limits,
    tell: &mut dyn FnMut(Result<Answer, ParseError>),
) {
    let what = |at: usize| progress(&format!("board {} of {}", at + 1, boards.len()));
    let solved = |at: usize| answer(solver, &boards[at], &mut limits.meter(), solver.threads());
    let one_by_one = |at: usize| {
        what(at);
        solved(at)
    };
    if solver.threads() == 1 || boards.len() == 1 {
        return (0..boards.len()).map(one_by_one).for_each(tell);
    }
    let apart = |at: usize| apart(solver, &boards[at], limits);
    in_order(boards.len(), solver.threads(), &apart, &mut |at, answer| {
        what(at);
        tell(answer.unwrap_or_else(|| solved(at)));
    });
}

/// What a thread by itself finds out about a board; nothing if all threads are to search it.
fn apart(solver: &Solver, board: &Given, limits: &Limits) -> Option<Result<Answer, ParseError>> {
    let sharing = board.as_ref().map_or(Sharing::Between, |(board, _)| solver.sharing(board));
    match sharing {
        Sharing::Alone => None,
        Sharing::Between => Some(answer(solver, board, &mut limits.meter(), 1)),
        Sharing::Within if limits.are_any() => None,
        Sharing::Within => {
            let mut meter = Limiter::new(Budget::nodes(EASY));
            let found = answer(solver, board, &mut meter, 1);
            Some(found).filter(|_| !meter.stopped())
        }
    }
}

/// Searches a board.
fn answer(
    solver: &Solver,
    board: &Given,
    meter: &mut Limiter,
    threads: usize,
) -> Result<Answer, ParseError> {
    let (board, convention) = board.clone()?;
    let begun = Instant::now();
    let solution = solver.solve_prepared(&board, meter, threads)?;
    Ok(Answer { solution, convention, seconds: begun.elapsed().as_secs_f64() })
}

fn written(answer: &Result<Answer, ParseError>, format: Format) -> String {
    match (answer, format) {
        (Err(why), Format::Json) => format!("{{\"status\":\"error\",\"error\":{}}}\n", quoted(why)),
        (Err(why), _) => format!("error: {why}\n"),
        (Ok(answer), Format::Json) => json(answer),
        (Ok(answer), Format::Letters) => match answer.path() {
            Some(path) => path_letters(&path) + "\n",
            None => format!("{}\n", answer.ending()),
        },
        (Ok(answer), Format::Text) => text(answer),
    }
}

/// As on the sheet, and what the search cost.
fn text(answer: &Answer) -> String {
    let solution = match answer.path() {
        Some(path) => format!("Longueur {}\n{}", path.len(), wrapped(&path)),
        None => format!("{}\n", answer.ending()),
    };
    let Solution { at_least, effort, .. } = answer.solution;
    let seconds = answer.seconds;
    format!(
        "{solution}# at least {at_least} generated {} expanded {} stored {} bytes {} seconds {seconds:.3}\n",
        effort.generated, effort.expanded, effort.stored, effort.bytes
    )
}

fn wrapped(path: &[Direction]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for way in path {
        let word = way.word();
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

fn json(answer: &Answer) -> String {
    let (effort, path) = (answer.solution.effort, answer.path());
    let length = path.as_ref().map_or("null".into(), |path| path.len().to_string());
    let moves = path.map_or("null".into(), |path| format!("\"{}\"", path_letters(&path)));
    format!(
        "{{\"status\":\"{}\",\"length\":{length},\"moves\":{moves},\"at_least\":{},\"generated\":{},\"expanded\":{},\
         \"stored\":{},\"bytes\":{},\"seconds\":{:.6}}}\n",
        answer.ending(),
        answer.solution.at_least,
        effort.generated,
        effort.expanded,
        effort.stored,
        effort.bytes,
        answer.seconds
    )
}

/// A message as a JSON string.
fn quoted(message: &ParseError) -> String {
    let mut text = String::from("\"");
    for character in message.to_string().chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => text += &format!("\\u{:04x}", control as u32),
            other => text.push(other),
        }
    }
    text + "\""
}

/// Shows on standard error how far it is, where that is a terminal; no text clears the line.
pub fn progress(text: &str) {
    if stderr().is_terminal() {
        let _ = write!(stderr(), "\r\x1b[K{text}").and_then(|()| stderr().flush());
    }
}

/// The cells of the bar that shows how much of the tables is made.
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
