//! Arguments of `referee tune`.

use crate::config::args::DIALECT;
use crate::config::limit_args::LimitArgs;
use crate::tune::gene::Gene;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `referee tune`.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// The player to tune: a command with places such as {w} for numbers
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// What stands in a place: w=6x0..10 is six numbers from 0 to 10, joined by commas; d=1..8 is one
    #[arg(long = "gene", value_name = "GENE", value_parser = Gene::parse)]
    pub genes: Vec<Gene>,
    /// The numbers to begin with, as in w=3,2,1,100,1,100; without, the middle of each range
    #[arg(long, value_name = "[NAME=]NUMBERS")]
    pub ancestor: Vec<String>,
    /// Whom it plays against, all at one table; nobody in solo games
    #[arg(long, value_name = "PLAYER")]
    pub against: Vec<String>,
    /// The game; not needed for a bundled bot
    #[arg(long)]
    pub game: Option<String>,
    /// The game's options: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// How players are spoken to
    #[arg(long, value_name = "D", default_value = DIALECT, hide_default_value = true)]
    pub dialect: String,
    /// What each candidate plays, from every seat [default: 20, or all of a file but those held out]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub instances: Option<u64>,
    /// The length of drawn openings, or a file with an instance per line: an opening, a board
    #[arg(long, value_name = "PLIES|FILE", visible_alias = "problems")]
    pub openings: Option<String>,
    /// In the end, compare the winner and the ancestor on so many other instances
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub held_out: u64,
    /// Generations, the first one counted
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub generations: u16,
    /// Candidates of a generation; those that are no parents and not new are children
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    pub candidates: u16,
    /// How many of them are the best of the generation before
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub parents: u16,
    /// How many of them are drawn anew
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub new: u16,
    /// How likely a number of a child is drawn anew
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub mutation: f64,
    /// Let no child go beyond the upper ends of the ranges
    #[arg(long)]
    pub clamp: bool,
    /// Take no two parents with the same numbers, as long as there are others
    #[arg(long)]
    pub distinct: bool,
    /// The number that every random choice descends from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The number that instances and players' seeds descend from, where it is another one
    #[arg(long, value_name = "S")]
    pub instance_seed: Option<u64>,
    /// Games played at once
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Keep the evaluations in this file, which many tunings may share; :memory: keeps nothing
    /// [default: .arbitre/tuning.evaluations]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Draw the course into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Let players run on any processor, instead of one with their worker
    #[arg(long)]
    pub no_pin: bool,
    /// Limits for all players.
    #[command(flatten)]
    pub limits: LimitArgs,
}
