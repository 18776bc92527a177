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
pub mod sheet;
pub mod solution;
pub mod solver;

#[cfg(test)]
mod tests;

use crate::console::{ArenaDialect, Console, Session};
use crate::engine::Random;
use crate::options::Options;
use crate::program::BotProgram;
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{codingame, Taquin};
use commands::{bench, graph, scramble, show, solve, tables, verify};
use solver::{Method, TaquinSolver, METHODS};

/// The bot program `taquin`.
pub const BOT: BotProgram = BotProgram {
    name: "taquin",
    signature: 150_226_073,
    strategies: &[
        ("best", "ida-star up to 16 cells, improve beyond"),
        ("ida-star", "shortest path by iterative deepening A*"),
        ("a-star", "shortest path by A* as on the course sheet, within --memory"),
        ("a-star-queue", "another name of a-star"),
        ("ids", "shortest path by iterative deepening without a heuristic: near the goal only"),
        ("quick", "a path at once, tile by tile, not the shortest"),
        ("improve", "a quick path, improved piece by piece while time remains"),
        ("random", "random slides, never straight back"),
    ],
    options: &[
        (
            "--heuristic H",
            "manhattan, linear-conflict, walking-distance, pattern-663, pattern-78 or pattern-6666\n\
             [default: players pattern-663 on 4x4, else walking-distance, beyond 4x4\n\
             linear-conflict; solve and show the largest patterns whose tables are stored]",
        ),
        (
            "--memory MB",
            "memory limit of pattern tables, and of all boards in a-star\n\
             [default: 4096 in commands, 512 in players]",
        ),
        ("--threads T", "solve, show, tables: number of threads [default: the processors]"),
        (
            "--method M",
            "solve, show: best, ida-star, a-star, a-star-queue, ids, quick or improve\n\
             [default: best]",
        ),
        (
            "--convention C",
            "commands: notation of boards, seed, korf or web, optionally with goal=first|last",
        ),
    ],
    commands: &[
        (
            "solve",
            "solve boards of FILES or standard input: --format text|letters|json, --json,\n\
             --size RxC, --move-time T, --nodes N; a board proved unsolvable is a result, with exit\n\
             code 0",
            solve::run,
        ),
        (
            "verify",
            "check --solutions FILE, or standard input, against the boards of FILES",
            verify::run,
        ),
        (
            "scramble",
            "make boards at a distance of --length N moves (50): --seed S --count K --size RxC,\n\
             --move-time T per board (60s)",
            scramble::run,
        ),
        (
            "tables",
            "build and store the tables of HEURISTICS [default: pattern-663 pattern-78]",
            tables::run,
        ),
        (
            "graph",
            "print the size of the graph of --size RxC (4x4) and the cost of deepening;\n\
             --distances counts the boards at each distance (up to 12 cells)",
            graph::run,
        ),
        ("bench", "count the nodes of fixed boards", bench::run),
        (
            "show",
            "show the boards of FILES; --play [--path MOVES] [--delay T] animates a solution",
            show::run,
        ),
    ],
    open,
};

/// CodinGame's 11-puzzle.
const ARENA: ArenaDialect<Taquin> = (
    codingame::INFO.name,
    |knows| Box::new(codingame::Bot::new(knows)),
    "wall first 1000 move 100",
);

/// Default memory limit of A* in players, in bytes: less than in commands, because several players
/// may share a machine. Not tuned.
const MEMORY_OF_PLAYERS: usize = 512 << 20;

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    let Some((_, method)) = METHODS.iter().find(|(name, _)| *name == strategy) else {
        let engine =
            Random::<Taquin>::of(|state, _, last| (state.board().ways_after(last).collect(), 0));
        return Ok(Box::new(Session::new("taquin-random", engine, options, &[ARENA])?));
    };
    let solver = TaquinSolver::take(*method, MEMORY_OF_PLAYERS, options)?.for_play();
    let name = match method {
        Method::Best => "taquin".into(),
        _ => format!("taquin-{strategy}"),
    };
    Ok(Box::new(Session::new(&name, solver, options, &[ARENA])?))
}
