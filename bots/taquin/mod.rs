//! The programs that solve Taquin.

mod wanderer;

pub use wanderer::Wanderer;

use crate::bots::console::{Console, Session};
use crate::bots::options::Options;
use crate::bots::Bot;
use crate::game::BadText;

/// The program `taquin`.
pub const BOT: Bot = Bot {
    name: "taquin",
    strategies: &[("random", "slides at random, and never straight back")],
    options: &[],
    commands: &[],
    open,
};

fn open(_: &str, options: &mut Options) -> Result<Box<dyn Console>, BadText> {
    Ok(Box::new(Session::new("taquin-random", Wanderer::default(), options, &[])?))
}
