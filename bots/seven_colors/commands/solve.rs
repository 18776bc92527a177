//! `seven-colors solve`: the result and a line of play for boards from standard input or random
//! ones.

use crate::options::Options;
use crate::program::{bad_line, say, state_lines, Failure, InputReport};
use crate::seven_colors::best::solve::{BoardSolver, SolvedBoard};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, ParseError, Seat};
use arbitre_games::games::seven_colors::{Position, Rules, SevenColors};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::cpu_time::Stopwatch;
use std::cmp::Ordering;

/// Solves each board and prints a line with the result for the player to move (`.`).
///
/// The line also has the plies and moves to that result, the positions visited and the CPU time.
///
/// A board is a line in the notation of `state` lines, or rows of letters up to an empty line. The
/// size follows from the board unless the rules give it. Invalid boards are reported on standard
/// error.
///
/// # Errors
/// Returns an error if an option is invalid, and at the end, if a board was.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let rules = options.take_text("--rules")?.unwrap_or_default();
    let nodes = options.take_count("--nodes")?;
    let drawn: Option<usize> = options.take_count("--boards")?;
    let seed = options.take("--seed")?.unwrap_or(1);
    let only_gains = options.take_switch("--only-gains")?;
    options.finish()?;
    let solver = BoardSolver::new(only_gains);
    let input = InputReport::default();
    let mut bench = SolveRun { solver, nodes, sums: Sums::default(), input };
    match drawn {
        Some(count) => {
            let game = SevenColors::from_rules(&rules)?;
            for board in game.setups(2, 0, Rng::new(seed)).take(count) {
                let text = game.setup_lines(&board, Seat::FIRST).join("/");
                bench.solve(&text, &game.start(&board)?);
            }
        }
        None => {
            // Wrong rules would be reported once per board.
            Rules::parse(&rules)?;
            bench.read(&rules);
        }
    }
    bench.finish();
    bench.input.finish("boards")
}

struct SolveRun {
    solver: BoardSolver,
    nodes: Option<u64>,
    sums: Sums,
    input: InputReport,
}

/// Totals over all boards.
#[derive(Default)]
struct Sums {
    boards: u64,
    /// Numbers of boards that the player to move loses, draws and wins.
    results: [u64; 3],
    nodes: u64,
    seconds: f64,
}

impl SolveRun {
    fn read(&mut self, rules: &str) {
        let mut rows: Vec<String> = Vec::new();
        let mut first = 1;
        for line in state_lines().chain([Ok((0, String::new()))]) {
            let (number, text) = match line {
                Ok(line) => line,
                // A bad line ends the board before it.
                Err(why) => {
                    self.input.take(Err::<(), _>(why));
                    (0, String::new())
                }
            };
            let is_whole = text.is_empty() || text.contains('/');
            if is_whole && !rows.is_empty() {
                self.one(rules, &rows.join("/"), first);
                rows.clear();
            }
            if text.contains('/') {
                self.one(rules, &text, number);
            } else if !text.is_empty() {
                first = if rows.is_empty() { number } else { first };
                rows.push(text);
            }
        }
    }

    fn one(&mut self, rules: &str, text: &str, line: usize) {
        let position = position(rules, text).map_err(|error| bad_line(line, error));
        if let Some(position) = self.input.take(position) {
            self.solve(&format!("line {line}"), &position);
        }
    }

    fn solve(&mut self, name: &str, position: &Position) {
        let mut limiter = Limiter::new(Budget { nodes: self.nodes, ..Budget::default() });
        let mut watch = Stopwatch::default();
        let solution = watch.measure(|| self.solver.solve(position, &mut limiter));
        let (nodes, ms) = (limiter.nodes(), watch.seconds() * 1e3);
        self.sums.boards += 1;
        self.sums.nodes += nodes;
        self.sums.seconds += watch.seconds();
        let found = match solution {
            Some(SolvedBoard { result, line }) => {
                self.sums.results[(result as i8 + 1) as usize] += 1;
                let moves: String = line.iter().map(|colour| colour.letter()).collect();
                format!("{} in {} plies {moves}", word(result), line.len())
            }
            None => "not solved".to_owned(),
        };
        say(&format!("{name}: {found} nodes {nodes} time {ms:.2} ms\n"));
    }

    /// Prints the means if there was more than one board.
    fn finish(&self) {
        let Sums { boards, results: [lost, drawn, won], nodes, seconds } = &self.sums;
        if *boards > 1 {
            let mean = |sum: f64| sum / *boards as f64;
            say(&format!(
                "{boards} boards: {won} won, {drawn} drawn, {lost} lost by the player to move; on average \
                 {:.0} nodes, {:.2} ms\n",
                mean(*nodes as f64),
                mean(seconds * 1e3)
            ));
        }
    }
}

fn word(result: Ordering) -> &'static str {
    match result {
        Ordering::Less => "loss",
        Ordering::Equal => "draw",
        Ordering::Greater => "win",
    }
}

/// Returns the position of a board with seat 0 to move.
fn position(rules: &str, text: &str) -> Result<Position, ParseError> {
    let mut options = Rules::parse(rules)?;
    if !rules.contains("size=") {
        let board = text.split_whitespace().next().unwrap_or_default();
        let rows: Vec<&str> = board.split('/').collect();
        let (width, height) = (rows[0].chars().count(), rows.len());
        if height == 1 {
            return Err(ParseError::new(format!(
                "expected a board, rows of letters joined by / or a line each up to an empty one, got \
                 '{text}'"
            )));
        }
        let size = Rules::parse(&format!("size={width}x{height} symmetric=no"))?.size;
        options = Rules { size, symmetric: false, ..options };
    }
    SevenColors::new(options).parse_state(text, Seat::FIRST)
}
