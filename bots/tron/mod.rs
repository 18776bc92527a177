//! The bots that play Tron.

pub mod best;
mod commands;
pub mod endgame;
mod seats;
mod thomasnzo;
mod wall_hugger;
mod window;

pub use thomasnzo::{ThomasNzo, Version};
pub use wall_hugger::along_walls;

use crate::console::{ArenaDialect, Console, Session};
use crate::engine::{Engine, Random};
use crate::options::Options;
use crate::program::BotProgram;
use arbitre_games::game::ParseError;
use arbitre_games::games::tron::{codingame, google2010, Tron};

/// The program `tron`.
pub const BOT: BotProgram = BotProgram {
    name: "tron",
    signature: 10_612,
    strategies: &[
        ("best", "alpha-beta for two players, paranoid search and MCTS for more; the strongest"),
        ("wall-hugger", "move along walls and avoid dead ends"),
        ("breadth", "breadth-first minimax by Voronoi regions, in 70 % of the time"),
        ("adaptive", "alpha-beta by Voronoi regions, to a depth that adapts to the time"),
        ("fixed", "alpha-beta by Voronoi regions, to --depth plies (5)"),
        ("random", "play any legal move"),
    ],
    options: &[],
    commands: &[
        ("bench", "count the nodes of fixed positions: --depth D", commands::bench::run),
        (
            "fit",
            "fit the evaluation weights of best to games against itself: --games N (400)\n\
             --nodes N (3000) --seed S (1)",
            commands::fit::run,
        ),
        (
            "endgame",
            "play alone in random boxes: --boxes N (200) --seed S (1) --move-time T (100ms)\n\
             --size WxH (8x8 to 12x12) --obstacles PERCENT (8 to 20)",
            commands::endgame::run,
        ),
    ],
    open,
};

/// CodinGame's Tron Battle.
pub const ARENA: ArenaDialect<Tron> = (
    codingame::INFO.name,
    |knows| Box::new(codingame::Bot::new(knows)),
    "wall first 1000 move 100",
);

/// Dialects of Tron alone. Without `--dialect` the first line selects `arbitre` or the first of
/// these. The first lines of `google2010` and `codingame` look alike, so
/// `google2010` needs the option.
const ARENA_DIALECTS: &[ArenaDialect<Tron>] = &[
    ARENA,
    (
        google2010::INFO.name,
        |knows| Box::new(google2010::Bot::new(knows)),
        "wall first 3000 move 1000",
    ),
];

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, ParseError> {
    match strategy {
        "best" => console("tron", best::Best::default(), options),
        "wall-hugger" => console("tron-wall-hugger", Random::<Tron>::of(along_walls), options),
        "breadth" => console("tron-breadth", ThomasNzo::new(Version::Breadth), options),
        "adaptive" => console("tron-adaptive", ThomasNzo::new(Version::Adaptive), options),
        "fixed" => console("tron-fixed", ThomasNzo::new(Version::Fixed), options),
        _ => console("tron-random", Random::<Tron>::default(), options),
    }
}

fn console(
    name: &str,
    engine: impl Engine<Tron> + 'static,
    options: &mut Options,
) -> Result<Box<dyn Console>, ParseError> {
    Ok(Box::new(Session::new(name, engine, options, ARENA_DIALECTS)?))
}
