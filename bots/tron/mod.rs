//! The bots that play Tron.

use crate::bots::console::{Console, Foreign, Session};
use crate::bots::mind::{Mind, Random};
use crate::bots::options::Options;
use crate::bots::Bot;
use crate::game::BadText;
use crate::games::tron::Tron;

/// The program `tron`.
pub const BOT: Bot = Bot {
    name: "tron",
    strategies: &[("random", "plays any legal move")],
    options: &[],
    commands: &[],
    open,
};

/// What only this game is spoken in.
const FOREIGN: &[Foreign<Tron>] = &[];

fn open(_strategy: &str, options: &mut Options) -> Result<Box<dyn Console>, BadText> {
    console("tron-random", Random::default(), options)
}

fn console(
    name: &str,
    mind: impl Mind<Tron> + 'static,
    options: &mut Options,
) -> Result<Box<dyn Console>, BadText> {
    Ok(Box::new(Session::new(name, mind, options, FOREIGN)?))
}
