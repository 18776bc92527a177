//! `taquin scramble`: boards that need an exact number of moves.

use crate::options::Options;
use crate::program::{progress, say, Failure, UNMET};
use crate::taquin::solver::{Method, TaquinSolver};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{parse_size, walk, Board, Convention, Layout, Size};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter, Timer};
use std::time::Duration;

/// Number of walks tried for a board. Not tuned.
const TRIES: u32 = 2_000;
/// Node limit of the search after each walk. Not tuned.
const NODES: u64 = 100_000_000;

/// Default time limit of a board. Not tuned.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// Most moves that a board of a size needs, the shorter side first: OEIS A151944. For 5x5 it is an
/// upper bound (F. Karlemo, P. Östergård, "On sliding block puzzles", 2000).
const MOST_MOVES: [(Size, u32); 12] = [
    ((2, 2), 6),
    ((2, 3), 21),
    ((2, 4), 36),
    ((2, 5), 55),
    ((2, 6), 80),
    ((2, 7), 108),
    ((2, 8), 140),
    ((3, 3), 31),
    ((3, 4), 53),
    ((3, 5), 84),
    ((4, 4), 80),
    ((5, 5), 210),
];

/// Prints `--count` boards that need `--length` moves.
///
/// # Errors
/// Returns an error if an option is invalid, or no board of the size is that far from the goal.
/// Also returns one if no such board is found within the time limit.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let length = options.take("--length")?.unwrap_or(50);
    let time = options.take_duration("--move-time")?.unwrap_or(USUAL_TIME);
    let count: u32 = options.take("--count")?.unwrap_or(1);
    let mut rng = Rng::new(options.take("--seed")?.unwrap_or(0));
    let (rows, columns) = parse_size(&options.take_text("--size")?.unwrap_or("4x4".into()))?;
    let convention = Convention::named(&options.take_text("--convention")?.unwrap_or_default())?;
    options.finish()?;
    let size = (rows.into(), columns.into());
    check_length(length, size)?;
    let mut solver = TaquinSolver::new(Method::IdaStar, None, TaquinSolver::MEMORY);
    for number in 1..=count {
        let timer = Timer::wall(time);
        let tell = |tries| {
            progress(&format!("board {number} of {count}: walk {tries} of {TRIES}"));
        };
        let board = scrambled(size, length, &mut solver, &mut rng, timer, tell);
        progress("");
        let board = board.ok_or_else(|| {
            let help = "help: a longer --move-time or another --seed may find one";
            let why = format!(
                "expected a board of {rows}x{columns} that needs {length} moves, got none within \
                 {TRIES} walks and {} s; {help}",
                time.as_secs_f64()
            );
            Failure::new(UNMET, why)
        })?;
        say(&format!("{}\n", convention.write(&board, Layout::Slashes)));
    }
    Ok(())
}

/// Returns an error if no board of this size needs `length` moves.
fn check_length(length: u32, (rows, columns): Size) -> Result<(), ParseError> {
    let known = MOST_MOVES.iter().find(|(of, _)| *of == (rows.min(columns), rows.max(columns)));
    match known.filter(|(_, most)| length > *most) {
        Some((_, most)) => Err(ParseError::new(format!(
            "--length: expected at most {most} moves for {rows}x{columns}, got {length}"
        ))),
        None => Ok(()),
    }
}

/// Returns a board that needs exactly `length` moves: the end of a random walk from the goal. Later
/// tries may use longer walks, by an even number of moves. Returns `None` once all tries or the
/// time is spent; `tell` receives the number of each try.
fn scrambled(
    size: Size,
    length: u32,
    solver: &mut TaquinSolver,
    rng: &mut Rng,
    mut timer: Timer,
    tell: impl Fn(u32),
) -> Option<Board> {
    for tries in 0..TRIES {
        tell(tries + 1);
        // An even number of extra moves keeps the parity of the distance.
        let more = rng.below(1 + tries as usize) as u32;
        let board = walk(Board::goal(size.0, size.1), length + 2 * more, rng);
        let budget = Budget { time: Some(timer), ..Budget::nodes(NODES) };
        let solution = solver.solve(&board, &mut Limiter::new(budget)).ok()?;
        if solution.path.is_some_and(|path| path.len() as u32 == length) {
            return Some(board);
        }
        if timer.expired() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn impossible_length_is_refused() {
        assert!(check_length(80, (4, 4)).is_ok());
        let why = check_length(81, (4, 4)).unwrap_err().to_string();
        assert_eq!(why, "--length: expected at most 80 moves for 4x4, got 81");
        assert!(check_length(22, (3, 2)).is_err() && check_length(21, (3, 2)).is_ok());
        assert!(check_length(1000, (10, 10)).is_ok(), "no limit is known");
    }

    #[test]
    fn scramble_ends_with_its_time() {
        let mut solver = TaquinSolver::new(Method::IdaStar, None, TaquinSolver::MEMORY);
        let limit = Duration::from_millis(200);
        let (begun, mut rng) = (Instant::now(), Rng::new(0));
        let timer = Timer::wall(limit);
        assert_eq!(scrambled((5, 5), 120, &mut solver, &mut rng, timer, |_| ()), None);
        assert!(begun.elapsed() < 50 * limit);
        let timer = Timer::wall(Duration::from_secs(60));
        assert!(scrambled((3, 3), 20, &mut solver, &mut rng, timer, |_| ()).is_some());
    }
}
