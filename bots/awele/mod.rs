//! The bots that play Awélé: `best`, the strategies of a course report, and a random one.

pub mod best;
pub mod book;
pub mod claims;
pub mod commands;
pub mod endgame;
mod ifips2005;
mod learning;

pub use best::Best;
pub(crate) use ifips2005::found_text;
pub use ifips2005::{largest_captures, AlphaBeta, Depths, Heuristic, SearchGoal};

use crate::console::{ArenaDialect, Console, Session};
use crate::engine::{Engine, Random};
use crate::options::Options;
use crate::program::BotProgram;
use arbitre_games::game::ParseError;
use arbitre_games::games::awele::{codingame, Awele};

/// Names, options and commands of the program `awele`.
pub const BOT: BotProgram = BotProgram {
    name: "awele",
    signature: 164_215,
    strategies: &[
        ("best", "search with a learned evaluation and endgame tables; the strongest"),
        ("alpha-beta", "alpha-beta as deep as the limits allow"),
        ("greedy", "capture the most seeds with the next move"),
        ("random", "play any legal move"),
    ],
    options: &[
        ("--heuristic H", "alpha-beta: rows (seeds in own row), captures or complex [default: rows]"),
        (
            "--weights W",
            "complex: weights of rows, own seeds, moves, and the longest run of empty pits\n\
             [default: 1,1,1,1]",
        ),
        (
            "--threshold N",
            "alpha-beta: stop a line when a side has more than N seeds, 24 to 48 [default: 24]",
        ),
        ("--maximise on", "alpha-beta: search on in won games, for the score [default: off]"),
        (
            "--book FILE",
            "best, alpha-beta: opening book, or none [default: a bundled one]",
        ),
        (
            "--tables DIR",
            "folder of endgame tables, cache (those of awele tables) or none [default: best makes\n\
             small ones, alpha-beta uses none]",
        ),
        (
            "--evaluation E",
            "best: network, linear, terms, captures, or a file of awele train [default: network]",
        ),
        (
            "--threads N",
            "best: threads of a search [default: those that the clock grants; 1 with --nodes or\n\
             --depth]",
        ),
        ("--hash M", "best: megabytes of the transposition table [default: 64]"),
        (
            "--killer on",
            "alpha-beta: answer the expected reply without a search [default: off]",
        ),
    ],
    commands: &[
        (
            "bench",
            "count the nodes of fixed positions: --depth D, and the options of best below",
            commands::bench::run,
        ),
        (
            "book",
            "make a book for alpha-beta, or continue one: --output FILE --own-moves N (4)\n\
             --depth D (14) --seat 0|1|both (both) --rules R (codingame), and --heuristic,\n\
             --weights, --threshold and --maximise as below;\n\
             book grow: a book for best, or a larger one: --journal FILE --output FILE\n\
             --positions N (2000) --nodes N (1000000) --threads T (all) --rules R",
            commands::book::run,
        ),
        (
            "analyse",
            "search positions from standard input, 14 numbers a line: --move-time T (1s), --nodes N\n\
             or --depth D; --lines N (the best N moves), --json on, --rules R, and the options of\n\
             best below",
            commands::analyse::run,
        ),
        (
            "selfplay",
            "play games for training: --output FILE --games N --depth D (9) --seed S (1)\n\
             --threads T (all) --rules R, --evaluation E; continues an unfinished file",
            commands::learning::selfplay,
        ),
        (
            "train",
            "train an evaluation: --data FILE[,FILE] --output FILE (standard output)\n\
             --kind linear|network (network) --epochs N (20) --seed S (1)",
            commands::learning::train,
        ),
        (
            "tables",
            "make endgame tables in DIR, or else in the cache: --seeds N (15) --threads T (all)\n\
             --format lh; tables verify DIR checks them",
            commands::tables::tables,
        ),
        (
            "probe",
            "print the seeds that both sides can force on a board of 12 or 14 numbers: --tables DIR",
            commands::tables::probe,
        ),
    ],
    open,
};

/// CodinGame's Oware Abapa.
pub const ARENA: ArenaDialect<Awele> =
    (codingame::INFO.name, |knows| Box::new(codingame::Bot::new(knows)), "wall first 1000 move 50");

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    match strategy {
        "best" => console("awele", Best::take(options)?, options),
        "alpha-beta" => {
            let engine = AlphaBeta::take(options)?;
            console("awele-alpha-beta", engine, options)
        }
        "greedy" => console("awele-greedy", Random::<Awele>::of(largest_captures), options),
        _ => console("awele-random", Random::<Awele>::default(), options),
    }
}

fn console(
    name: &str,
    engine: impl Engine<Awele> + 'static,
    options: &mut Options,
) -> Result<Box<dyn Console>, ParseError> {
    Ok(Box::new(Session::new(name, engine, options, &[ARENA])?))
}
