//! Arguments of `referee tune`.

use crate::tune::gene::Gene;
use arbitre_games::game::ParseError;
use arbitre_referee::config::args::DIALECT;
use arbitre_referee::config::number::number;
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::sandbox_args::SandboxRequirement;
use clap::Args;
use std::path::PathBuf;

/// Arguments of `referee tune`.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// Player to tune: a command with placeholders such as {w} for numbers
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// Numbers of a placeholder: w=6x0..10 is six from 0 to 10, joined by commas; d=1..8 is one
    #[arg(long = "gene", value_name = "GENE", value_parser = Gene::parse)]
    pub genes: Vec<Gene>,
    /// Initial numbers, such as w=3,2,1,100,1,100 [default: the middle of each range]
    #[arg(long, value_name = "[NAME=]NUMBERS")]
    pub ancestor: Vec<String>,
    /// Opponents, all at one table; none in solo games
    #[arg(long, value_name = "PLAYER")]
    pub against: Vec<String>,
    /// Game; not needed for a bundled bot
    #[arg(long)]
    pub game: Option<String>,
    /// Rules: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Dialect of the players
    #[arg(long, value_name = "D", default_value = DIALECT, hide_default_value = true)]
    pub dialect: String,
    /// Instances that each candidate plays from every seat
    /// [default: 20, or all of a file except those held out]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000))]
    pub instances: Option<u64>,
    /// Length of random openings, or a file with one opening, board or problem per line
    #[arg(long, value_name = "PLIES|FILE", visible_alias = "problems")]
    pub openings: Option<String>,
    /// Further instances on which the winner and the ancestor are compared at the end
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u64>(0..=1_000_000))]
    pub held_out: u64,
    /// Generations, including the first
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<u16>(1..=u16::MAX.into()))]
    pub generations: u16,
    /// Candidates of a generation: parents, new ones, and children for the rest
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = number::<u16>(1..=u16::MAX.into()))]
    pub candidates: u16,
    /// Candidates taken from the best of the previous generation
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u16>(0..=u16::MAX.into()))]
    pub parents: u16,
    /// Random candidates of each generation
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u16>(0..=u16::MAX.into()))]
    pub new: u16,
    /// Probability that a number of a child is drawn again, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    pub mutation: f64,
    /// Clamp the numbers of children to the upper ends of the ranges
    #[arg(long)]
    pub clamp: bool,
    /// Choose parents with different numbers where possible
    #[arg(long)]
    pub distinct: bool,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Seed of the instances and the players [default: the other seed]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=u64::MAX))]
    pub instance_seed: Option<u64>,
    /// Number of games played at once
    #[arg(long, value_name = "C", value_parser = number::<u16>(1..=u16::MAX.into()))]
    pub concurrency: Option<u16>,
    /// File of evaluations, which several runs may share; :memory: stores nothing
    /// [default: .arbitre/tuning.evaluations]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Draw the run to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Let players run on any processor, not only on that of their worker
    #[arg(long)]
    pub no_pin: bool,
    /// Limits and sandbox for all players.
    #[command(flatten)]
    pub options: PlayerOptions,
    /// Least sandbox.
    #[command(flatten)]
    pub requirement: SandboxRequirement,
}

fn parse_share(text: &str) -> Result<f64, ParseError> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| ParseError::new(format!("expected a number from 0 to 1, got '{text}'")))
}
