//! Taquin solvers: the algorithms of a course sheet ("Algorithme A* : jeu du Taquin"), stronger
//! versions of them, and four kinds of heuristics.

pub mod best;
mod commands;
mod distance_census;
mod grid;
pub mod heuristic_choice;
pub mod heuristics;
mod node_bits;
mod packed_board;
mod player;
mod random;
pub mod sheet;
pub mod solution;
pub mod solver;
mod successors;

#[cfg(test)]
mod tests;

use crate::console::{Console, Session};
use crate::options::Options;
use crate::program::BotProgram;
use arbitre_games::game::ParseError;
use commands::{bench, graph, scramble, show, solve, tables, verify};
use player::TaquinPlayer;
use random::RandomPlayer;
use solver::{Method, TaquinSolver, METHODS};

/// The bot program `taquin`.
pub const BOT: BotProgram = BotProgram {
    name: "taquin",
    strategies: &[
        ("best", "ida-star up to 16 cells, improve beyond"),
        ("ida-star", "the shortest path by iterative deepening A*, if there is time for it"),
        ("a-star", "the same by A*, if there is memory as well"),
        ("a-star-queue", "the same with tables of parents and distances and a queue: twice the memory"),
        ("ids", "the same by iterative deepening without an estimate: for boards near the goal"),
        ("quick", "tile by tile: a path at once that need not be short; the others' way out"),
        ("improve", "the same, made shorter piece by piece while there is time"),
        ("random", "slides at random, and never straight back"),
    ],
    options: &[
        (
            "--heuristic H",
            "manhattan, linear-conflict, walking-distance, pattern-663, pattern-78,\n                   \
             pattern-6666, korf-felner-78 or korf-felner-6666 (players: pattern-663 on 4x4, walking-distance, or beyond 4x4\n                   \
             linear-conflict; solve and show: the largest patterns whose tables are kept)",
        ),
        ("--memory MB", "a-star: so many megabytes (solve and show: 4096, players: 512)"),
        ("--threads T", "solve, show and tables: so many threads (the processors)"),
        ("--method M", "solve and show: best, ida-star, a-star, a-star-queue, ids, quick or improve (best)"),
        ("--convention C", "commands: how boards are written, seed, korf or web, and then goal=first|last"),
    ],
    commands: &[
        (
            "solve",
            "solves the boards of FILES, or of standard input: --format text|letters|json, --json,\n                   \
             --size RxC, --move-time T, --nodes N",
            solve::run,
        ),
        ("verify", "checks --solutions FILE, or standard input, against the boards of FILES", verify::run),
        (
            "scramble",
            "makes boards that need --length N moves (50): --seed S --count K --size RxC",
            scramble::run,
        ),
        (
            "tables",
            "makes the tables of HEURISTICS ahead, and keeps them (pattern-663 pattern-78)",
            tables::run,
        ),
        (
            "graph",
            "how large the graph of a --size is (4x4), and what deepening costs; --distances counts the\n                   \
             boards at each distance from the goal (up to twelve cells)",
            graph::run,
        ),
        ("bench", "solves fixed boards and counts", bench::run),
        ("show", "shows the boards of FILES; --play [--path MOVES] [--delay T] plays them", show::run),
    ],
    open,
};

/// Default memory limit of A* in players, in bytes: less than in commands, because several players
/// may share a machine. Not tuned.
const MEMORY_OF_PLAYERS: usize = 512 << 20;

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    let Some((_, method)) = METHODS.iter().find(|(name, _)| *name == strategy) else {
        return Ok(Box::new(Session::new("taquin-random", RandomPlayer::default(), options, &[])?));
    };
    let solver = TaquinSolver::take(*method, MEMORY_OF_PLAYERS, options)?.for_play();
    let name = match method {
        Method::Best => "taquin".into(),
        _ => format!("taquin-{strategy}"),
    };
    Ok(Box::new(Session::new(&name, TaquinPlayer::new(solver), options, &[])?))
}
