//! The bots that play Awélé: `best`, the strategies of a course report, and a random one.

mod best;
pub mod book;
pub mod claims;
pub mod commands;
pub mod endgame;
mod ifips2005;

pub(crate) use ifips2005::found_text;
pub use ifips2005::{AlphaBeta, Depths, Greedy, Heuristic, SearchGoal};

use crate::console::{ArenaDialect, Console, Session};
use crate::engine::{Engine, Random};
use crate::options::Options;
use crate::program::BotProgram;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{codingame, Awele};

/// Names, options and commands of the program `awele`.
pub const BOT: BotProgram = BotProgram {
    name: "awele",
    strategies: &[
        ("best", "the strongest of them: alpha-beta that counts seeds won, and a book"),
        ("alpha-beta", "searches as deep as the limits allow"),
        ("greedy", "captures as much as it can at once"),
        ("random", "plays any legal move"),
    ],
    options: &[
        ("--heuristic H", "alpha-beta: rows (default; seeds in own row), captures or complex"),
        ("--weights W", "complex: rows,own seeds,moves,longest run of empty pits (1,1,1,1)"),
        (
            "--threshold N",
            "alpha-beta: a line ends beyond N seeds of a side (24, the default, to 48)",
        ),
        ("--maximise on", "alpha-beta: search past a won game, for the score (off)"),
        ("--book FILE", "best, alpha-beta: the opening book, or none (the bundled one)"),
        (
            "--tables DIR",
            "the endgame tables, or none (best: small ones made at the start; alpha-beta: none)",
        ),
        ("--killer on", "alpha-beta: answer the expected reply without a search (off)"),
    ],
    commands: &[
        ("bench", "searches fixed positions and counts (--depth D)", commands::bench::run),
        (
            "book",
            "makes an opening book, or goes on with it: --output FILE --own-moves N (4)\n                   \
             --depth D (14) --seat 0, 1 or both (both) --rules R (codingame), and\n                   \
             --heuristic, --weights, --threshold and --maximise as below",
            commands::book::run,
        ),
        (
            "analyse",
            "searches positions from standard input, 14 numbers a line, within --move-time,\n                   \
             --nodes or --depth (1s), by captures, with --tables DIR and --rules R",
            commands::analyse::run,
        ),
        (
            "tables",
            "makes endgame tables in a folder: --seeds N (12) --threads T (all) --format lh DIR;\n                   \
             tables verify DIR checks them",
            commands::tables::tables,
        ),
        ("probe", "what both sides force on a board: 12 pits, or 14 numbers (--tables DIR)", commands::tables::probe),
    ],
    open,
};

/// Arena dialects of this game only: that of Oware Abapa.
const ARENA_DIALECTS: &[ArenaDialect<Awele>] = &[(
    codingame::INFO.name,
    |knows| Box::new(codingame::Bot::new(knows)),
    "wall first 1000 move 50",
)];

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    match strategy {
        "best" => console("awele", best::engine(options)?, options),
        "alpha-beta" => {
            let engine = AlphaBeta::take(options)?;
            console("awele-alpha-beta", engine, options)
        }
        "greedy" => console("awele-greedy", Greedy::default(), options),
        _ => console("awele-random", Random::default(), options),
    }
}

fn console(
    name: &str,
    engine: impl Engine<Awele> + 'static,
    options: &mut Options,
) -> Result<Box<dyn Console>, ParseError> {
    Ok(Box::new(Session::new(name, engine, options, ARENA_DIALECTS)?))
}
