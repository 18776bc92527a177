//! Options that a match and a tournament share.

use crate::config::adjudication::Adjudication;
use crate::config::arena::Arena;
use crate::config::number::{number, word};
use clap::Args;

/// Game, its openings, and the dialect of the players.
#[derive(Args, Clone, PartialEq, Debug, Default)]
pub struct CommonArgs {
    // First of its group in the help.
    /// Game; not needed where a bundled bot plays
    #[arg(long, display_order = 0, help_heading = "Match")]
    pub game: Option<String>,
    /// Play by the rules of a program: see docs/external.md
    #[arg(long, value_name = "COMMAND", conflicts_with = "game", help_heading = "Match")]
    pub external: Option<String>,
    /// Compile the folder of --external by javac with these folders and jars
    #[arg(long, value_name = "PATHS", help_heading = "Match")]
    pub classpath: Option<String>,
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
    /// Play as in this arena: codingame or google2010 (its dialect, rules and limits), or
    /// brutaltester or codingame-sdk, for which the program of --external was written
    #[arg(long, value_name = "ARENA", value_parser = word("arena", &Arena::WORDS), help_heading = "Match")]
    pub arena: Option<Arena>,
    /// Dialect of the players
    #[arg(long, value_name = "D", help_heading = "Match")]
    pub dialect: Option<String>,
    /// End games early, such as max-plies=400,draw=8,majority; off by default
    #[arg(long, value_name = "RULES", value_parser = Adjudication::parse, help_heading = "Match")]
    pub adjudicate: Option<Adjudication>,
}

impl CommonArgs {
    /// Returns these options on top of others.
    pub fn over(&self, base: &CommonArgs) -> CommonArgs {
        let rules = if self.rules.is_empty() { &base.rules } else { &self.rules };
        CommonArgs {
            game: self.game.clone().or_else(|| base.game.clone()),
            external: self.external.clone().or_else(|| base.external.clone()),
            classpath: self.classpath.clone().or_else(|| base.classpath.clone()),
            seats: self.seats.or(base.seats),
            seed: self.seed.or(base.seed),
            openings: self.openings.clone().or_else(|| base.openings.clone()),
            rules: rules.clone(),
            arena: self.arena.or(base.arena),
            dialect: self.dialect.clone().or_else(|| base.dialect.clone()),
            adjudicate: self.adjudicate.or(base.adjudicate),
        }
    }
}
