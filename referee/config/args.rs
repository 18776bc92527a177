//! Command-line options that describe a match: the game, its players and its openings.

use crate::config::adjudication::Adjudication;
use crate::statistics::sprt::Sprt;
use arbitre_games::game::ParseError;
use arbitre_games::text::parse_number;
use clap::Args;
use std::ops::RangeInclusive;

/// Dialect of players for which no other one is named.
pub const DIALECT: &str = arbitre_games::dialects::arbitre::INFO.name;

/// Returns a parser of whole numbers of this range, which must fit into the type.
pub fn number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, ParseError> + Clone {
    move |text| {
        let number = parse_number(text, range.clone())?;
        // Only `usize` may be narrower than the range, on a machine of 32 bits.
        T::try_from(number).map_err(|_| ParseError::new(format!("expected less, got '{text}'")))
    }
}

/// A match between players.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// Players: commands, see below
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Game; not needed where a bundled bot plays
    #[arg(long, help_heading = "Match")]
    pub game: Option<String>,
    /// Games per pairing or group, rounded up to whole rotations of the seats
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000), help_heading = "Match")]
    pub games: Option<u64>,
    /// Seats at a table
    #[arg(long, value_name = "K", value_parser = number::<usize>(1..=u64::MAX), help_heading = "Match")]
    pub seats: Option<usize>,
    /// Seed of all random choices
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=u64::MAX), help_heading = "Match")]
    pub seed: Option<u64>,
    /// Length of random openings, or a file: an opening, board or problem per line
    #[arg(long, value_name = "PLIES|FILE", visible_alias = "problems", help_heading = "Openings")]
    pub openings: Option<String>,
    /// Rules: a preset, key=value, or both, separated by commas
    #[arg(
        long,
        value_name = "RULES",
        default_value = "",
        hide_default_value = true,
        help_heading = "Match"
    )]
    pub rules: String,
    /// Dialect of the players
    #[arg(long, value_name = "D", help_heading = "Match")]
    pub dialect: Option<String>,
    /// Stop when a sequential test decides, such as elo0=0,elo1=5; see Defaults
    #[arg(long, value_name = "TEST", value_parser = Sprt::parse, help_heading = "Stopping rules and conditions")]
    pub sprt: Option<Sprt>,
    /// End games early, such as max-plies=400,draw=8,majority; off by default
    #[arg(long, value_name = "RULES", value_parser = Adjudication::parse, help_heading = "Match")]
    pub adjudicate: Option<Adjudication>,
}

impl ConfigArgs {
    /// Returns the dialect of players that name none.
    pub fn dialect(&self) -> &str {
        self.dialect.as_deref().unwrap_or(DIALECT)
    }
}
