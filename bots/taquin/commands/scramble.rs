//! `taquin scramble`: boards that need an exact number of moves.

use crate::options::Options;
use crate::program::{say, Failure, UNMET};
use crate::taquin::solver::{Method, TaquinSolver};
use arbitre_games::games::taquin::{parse_size, walk, Board, Convention, Layout, Size};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};

/// Number of walks tried for a board. Not tuned.
const TRIES: u32 = 2_000;
/// Node limit of the search after each walk. Not tuned.
const NODES: u64 = 100_000_000;

/// Prints `--count` boards that need `--length` moves.
///
/// # Errors
/// Returns an error if an option is invalid, or no such board is found.
pub fn run(mut options: Options) -> Result<(), Failure> {
    let length = options.take("--length")?.unwrap_or(50);
    let count: u32 = options.take("--count")?.unwrap_or(1);
    let mut rng = Rng::new(options.take("--seed")?.unwrap_or(0));
    let (rows, columns) = parse_size(&options.take_text("--size")?.unwrap_or("4x4".into()))?;
    let convention = Convention::named(&options.take_text("--convention")?.unwrap_or_default())?;
    options.finish()?;
    let size = (rows.into(), columns.into());
    let mut solver = TaquinSolver::new(Method::IdaStar, None, TaquinSolver::MEMORY);
    for _ in 0..count {
        let board = scrambled(size, length, &mut solver, &mut rng).ok_or_else(|| {
            Failure::new(
                UNMET,
                format!("no board of {rows}x{columns} that needs {length} moves was found"),
            )
        })?;
        say(&format!("{}\n", convention.write(&board, Layout::Slashes)));
    }
    Ok(())
}

/// Returns a board that needs exactly `length` moves: the end of a random walk from the goal. Later
/// tries may use longer walks, by an even number of moves.
pub fn scrambled(
    size: Size,
    length: u32,
    solver: &mut TaquinSolver,
    rng: &mut Rng,
) -> Option<Board> {
    (0..TRIES).find_map(|tries| {
        // An even number of extra moves keeps the parity of the distance.
        let more = rng.below(1 + tries as usize) as u32;
        let board = walk(Board::goal(size.0, size.1), length + 2 * more, rng);
        let solution = solver.solve(&board, &mut Limiter::new(Budget::nodes(NODES))).ok()?;
        solution.path.filter(|path| path.len() as u32 == length).map(|_| board)
    })
}
