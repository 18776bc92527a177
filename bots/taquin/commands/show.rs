//! `taquin show`: displays boards as on the sheet, and plays solutions.

use super::input::BoardInput;
use super::solve::take_solver;
use crate::options::Options;
use crate::program::{say, say_unchanged, Failure, InputReport, DATA};
use crate::taquin::heuristics::Manhattan;
use crate::taquin::solver::TaquinSolver;
use arbitre_games::games::taquin::{parse_path, path_words, Board, Convention, Direction};
use arbitre_games::search::budget::{Budget, Limiter};
use std::io::{stdout, IsTerminal};
use std::time::Duration;

/// Default time that a board stays on the terminal. Not tuned.
const DELAY: Duration = Duration::from_millis(300);

/// Shows each board. With `--play`, also shows the boards along `--path`, or along a solution.
///
/// # Errors
/// Returns an error if an option or a board is invalid, or a path leaves the board.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let is_played = options.take_flag("--play");
    let path = options.take_text("--path")?.map(|text| parse_path(&text)).transpose()?;
    let delay = options.take_duration("--delay")?.unwrap_or(DELAY);
    let mut solver = take_solver(&mut options)?;
    let input = BoardInput::take(&mut options)?;
    options.finish()?;
    let mut report = InputReport::default();
    for board in input.boards()? {
        let Some((board, convention)) = report.take(board) else { continue };
        if !is_played {
            say(&described(&board, convention));
            continue;
        }
        let path = match &path {
            Some(path) => path.iter().map(|&direction| convention.direction(direction)).collect(),
            None => solved(&mut solver, &board)?,
        };
        play(board, convention, &path, delay)?;
    }
    report.finish("boards")
}

fn solved(solver: &mut TaquinSolver, board: &Board) -> Result<Vec<Direction>, Failure> {
    let solution = solver.solve(board, &mut Limiter::new(Budget::default()))?;
    solution.path.ok_or_else(|| Failure::new(DATA, "this board is not solved"))
}

/// Returns the board, its moves, its Manhattan distance and whether it is solvable.
fn described(board: &Board, convention: Convention) -> String {
    let ways: Vec<Direction> =
        board.ways().map(|direction| convention.direction(direction)).collect();
    let manhattan = Manhattan::new(board.rows(), board.columns());
    let solvable = if board.is_solvable() { "solvable" } else { "unsolvable" };
    format!(
        "{}moves: {}\nManhattan distance {}, {solvable}\n",
        grid(board, convention),
        path_words(&ways),
        manhattan.distance(board.cells(), board.blank())
    )
}

/// Returns the board as on the sheet: numbers of two columns, the blank omitted.
fn grid(board: &Board, convention: Convention) -> String {
    let text = convention.write(board, arbitre_games::games::taquin::Layout::Slashes);
    let cell = |word: &str| match word == convention.blank.to_string() {
        true => "  ".into(),
        false => format!("{word:>2}"),
    };
    let row = |row: &str| row.split(' ').map(cell).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = text.split(" / ").map(row).collect();
    format!("Grille :\n{}\n", rows.join("\n"))
}

/// Shows board after board; on a terminal each replaces the previous one.
fn play(
    mut board: Board,
    convention: Convention,
    path: &[Direction],
    delay: Duration,
) -> Result<(), Failure> {
    let is_terminal = stdout().is_terminal();
    say(&grid(&board, convention));
    for (number, &direction) in (1..).zip(path) {
        if !board.slide(direction) {
            let direction = convention.direction(direction);
            return Err(Failure::new(
                DATA,
                format!("move {number}, {direction}, leaves the board"),
            ));
        }
        if is_terminal {
            std::thread::sleep(delay);
            // Moves the cursor to the first line of the board and clears from there.
            say_unchanged(&format!("\x1b[{}A\r\x1b[J", board.rows() + 1));
        }
        say(&grid(&board, convention));
    }
    let state = if board.is_goal() { "solved" } else { "not solved" };
    say(&format!("{} moves, {state}\n", path.len()));
    Ok(())
}
