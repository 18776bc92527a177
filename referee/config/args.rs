//! Command-line options that describe a match: the game, its players and its openings.

use crate::statistics::sprt::Sprt;
use clap::Args;

/// Dialect of players for which no other one is named.
pub const DIALECT: &str = arbitre_games::dialects::arbitre::INFO.name;

/// A match between players.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// The players: commands, see below
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// The game; not needed where a bundled bot plays
    #[arg(long)]
    pub game: Option<String>,
    /// Games per pairing or group, rounded up so that each player has each seat equally often
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: Option<u64>,
    /// How many sit at a table
    #[arg(long, value_name = "K")]
    pub seats: Option<usize>,
    /// The number that every random choice descends from
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// The length of drawn openings, or a file with one opening, board or problem per line
    #[arg(long, value_name = "PLIES|FILE", visible_alias = "problems")]
    pub openings: Option<String>,
    /// The game's options: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// How players are spoken to
    #[arg(long, value_name = "D")]
    pub dialect: Option<String>,
    /// End as soon as a sequential test tells which difference is true:
    /// elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse)]
    pub sprt: Option<Sprt>,
}

impl ConfigArgs {
    /// Returns the dialect of players that name none.
    pub fn dialect(&self) -> &str {
        self.dialect.as_deref().unwrap_or(DIALECT)
    }
}
