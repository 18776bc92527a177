//! The programs that play Hextris.

pub mod best;
mod commands;
mod wanderer;

pub use wanderer::Wanderer;

use crate::bots::console::{Console, Session};
use crate::bots::options::Options;
use crate::bots::Bot;
use crate::game::BadText;
use commands::{score, solve_all};

/// The program `hextris`.
pub const BOT: Bot = Bot {
    name: "hextris",
    strategies: &[
        ("best", "a beam search over boards, with the best phrases on the way to every place"),
        ("random", "any command that is allowed, each equally likely"),
    ],
    options: &[("-p PHRASE", "commands: a phrase of power, again for each (those of the contest)")],
    commands: &[(
        "score",
        "PROBLEM… SOLUTION: what the solutions of a file are worth, and why: --json",
        score::run,
    ), (
        "solve-all",
        "plays the games of DIR, a folder of problems: -t SECONDS a game (20), of --cpu time,\n                   \
         --nodes N, -c CORES, -p PHRASE…, --seeds N, --best FILE, --output DIR [--resume]",
        solve_all::run,
    )],
    open,
};

fn open(strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, BadText> {
    if strategy == "best" {
        return Ok(Box::new(Session::new("hextris", best::Player::default(), options, &[])?));
    }
    Ok(Box::new(Session::new("hextris-random", Wanderer::default(), options, &[])?))
}
