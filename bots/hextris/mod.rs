//! The programs that play Hextris.

mod commands;
mod wanderer;

pub use wanderer::Wanderer;

use crate::bots::console::{Console, Session};
use crate::bots::options::Options;
use crate::bots::Bot;
use crate::game::BadText;
use commands::score;

/// The program `hextris`.
pub const BOT: Bot = Bot {
    name: "hextris",
    strategies: &[("random", "any command that is allowed, each equally likely")],
    options: &[("-p PHRASE", "commands: a phrase of power, again for each (those of the contest)")],
    commands: &[(
        "score",
        "PROBLEM… SOLUTION: what the solutions of a file are worth, and why: --json",
        score::run,
    )],
    open,
};

fn open(_: &str, options: &mut Options) -> Result<Box<dyn Console>, BadText> {
    Ok(Box::new(Session::new("hextris-random", Wanderer::default(), options, &[])?))
}
