//! Command-line options that describe a match: the game, its players and its openings.

use crate::config::common_args::CommonArgs;
use crate::config::number::number;
use crate::statistics::sprt::Sprt;
use clap::Args;

/// Dialect of players for which no other one is named.
pub const DIALECT: &str = arbitre_games::dialects::arbitre::INFO.name;

/// A match between players.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// Players: commands, see below
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Games per pairing or group, rounded up to whole rotations of the seats
    #[arg(
        long,
        value_name = "N",
        value_parser = number::<u64>(1..=1_000_000_000),
        display_order = 0,
        help_heading = "Match"
    )]
    pub games: Option<u64>,
    /// Game, openings and dialect.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Stop when a sequential test decides, such as elo0=0,elo1=5; see Defaults
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse, help_heading = "Stopping rules and conditions")]
    pub sprt: Option<Sprt>,
}

impl ConfigArgs {
    /// Returns the dialect of players that name none.
    pub fn dialect(&self) -> &str {
        self.common.dialect.as_deref().unwrap_or(DIALECT)
    }
}
