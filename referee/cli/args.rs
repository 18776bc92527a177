//! Command-line grammar. One definition is the source of the help, the manual and the completions.

use super::condition::Condition;
use super::defaults;
use super::tune::args::TuneArgs;
use crate::config::args::{ConfigArgs, DIALECT};
use crate::config::limit_args::LimitArgs;
use crate::registry::Registry;
use arbitre_games::exit_code::MEANINGS;
use arbitre_games::game::ParseError;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Returns the list of exit codes as help and manual page show it.
fn exit_codes() -> String {
    let line = |(code, meaning): (u8, &str)| format!("\n  {code:<4} {meaning}");
    format!("Exit codes:{}", MEANINGS.map(line).concat())
}

const EXAMPLES: &str = "\
Players:
  A player is a command, NAME=COMMAND, or NAME[LIMITS]=DIALECT@COMMAND. Its first word is a bundled
  bot (see referee games), a program, or human for a person at this terminal.

Examples:
  referee awele \"awele greedy\" --games 20 --move-time 20ms
  referee \"python3 my_bot.py\" \"awele greedy\" --game awele
  referee \"old[depth=6]=awele alpha-beta\" \"new[depth=8]=awele alpha-beta\"
  referee ./new ./old --game awele --sprt elo0=0,elo1=5
  referee --resume
  referee human awele";

/// A referee for programs that play.
///
/// It starts them, passes lines between them under time limits, and says who is better, by how
/// much, and how sure that is.
#[derive(Parser, Debug)]
#[command(
    name = "referee",
    version,
    args_conflicts_with_subcommands = true,
    override_usage = "referee [OPTIONS] PLAYER PLAYER…\n       referee COMMAND"
)]
pub struct Cli {
    /// Subcommand to run instead of a match.
    #[command(subcommand)]
    pub command: Option<RefereeCommand>,
    /// Tell every game on standard error; twice: every line that players hear and say
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// The match.
    #[command(flatten)]
    pub play: MatchArgs,
}

/// Returns the grammar of the command line, with the defaults of these games in its help.
pub fn command(registry: &Registry) -> clap::Command {
    let after = format!("{EXAMPLES}\n\n{}\n{}", defaults::table(registry), exit_codes());
    Cli::command().after_help(after)
}

/// A match between players.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// Description of the match.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Games played at once
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Keep the games in this file; :memory: keeps nothing
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Go on with the match in --db FILE, or with the newest one; without players, as it was agreed
    #[arg(long)]
    pub resume: bool,
    /// Exit with code 1 unless this holds in the end, as in score>=0.9 or los>0.95
    #[arg(long, value_name = "CONDITION", value_parser = Condition::parse)]
    pub require: Vec<Condition>,
    /// Print one JSON document on standard output
    #[arg(long)]
    pub json: bool,
    /// Print one JSON line per finished game on standard output
    #[arg(long)]
    pub events: bool,
    /// Let players run on any processor, instead of one with their worker
    #[arg(long)]
    pub no_pin: bool,
    /// Limits for all players.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Commands of the referee besides playing a match.
#[derive(Subcommand, Debug)]
pub enum RefereeCommand {
    /// List the games with their options, presets and bundled bots
    Games {
        /// Print one JSON line per game
        #[arg(long)]
        json: bool,
    },
    /// List the stored matches; with --db or --games, the games of one
    List(ListArgs),
    /// Show a stored game move by move, or what a player was sent
    Show(ShowArgs),
    /// Play a stored game again with its players, or with others in their seats
    Rerun(RerunArgs),
    /// Write stored games as JSON lines, CSV or PGN, the same bytes for every honest run
    Export(ExportArgs),
    /// Check a file of results: its pages, its checksums, and every game by playing it again
    Verify(VerifyArgs),
    /// Measure again what a game's source document claims
    Experiment(ExperimentArgs),
    /// Tune the numbers in a player's command by a genetic scheme
    Tune(Box<TuneArgs>),
    /// Play a program through what goes wrong, and say what to mend
    Check(CheckArgs),
    /// Write a bot to begin with, which plays any legal move: in python, c, java, ocaml or rust
    New(NewArgs),
    /// Count the leaves of a game's tree
    Perft(PerftArgs),
    /// Run a bundled bot on standard input and output (referee bot NAME --help)
    Bot {
        /// The bot's name
        name: Option<String>,
        /// The bot's own arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Print a script that completes commands in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page (referee man | man -l -)
    Man,
}

/// Location of a stored match.
#[derive(Args, Debug)]
pub struct MatchFile {
    /// The file of the match; without it, the newest below .arbitre
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// Arguments of `referee list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// The files of matches to list; without any, those below .arbitre
    #[arg(value_name = "FILE", conflicts_with_all = ["db", "games", "faults"])]
    pub files: Vec<PathBuf>,
    /// The match whose games are listed
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// List the games of the newest match
    #[arg(long)]
    pub games: bool,
    /// List only games with faults
    #[arg(long)]
    pub faults: bool,
    /// Print one JSON line per item
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `referee show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The game's number
    pub game: u64,
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Print exactly the bytes that this seat was sent
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["json", "brief", "ply"])]
    pub input: Option<usize>,
    /// With --input: as a newly started program would be sent them
    #[arg(long, requires = "input")]
    pub fresh: bool,
    /// Leave the boards out
    #[arg(long)]
    pub brief: bool,
    /// Draw the position after so many moves, and nothing else
    #[arg(long, value_name = "N", conflicts_with = "brief")]
    pub ply: Option<usize>,
    /// Print one JSON document
    #[arg(long, conflicts_with_all = ["brief", "ply"])]
    pub json: bool,
}

/// Arguments of `referee rerun`.
#[derive(Args, Debug)]
pub struct RerunArgs {
    /// The game's number
    pub game: u64,
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Seat another player: 0=./my_bot, with limits as 0=mine[move-time=1s]=./my_bot
    #[arg(long, value_name = "SEAT=PLAYER", value_parser = parse_replacement)]
    pub replace: Vec<(usize, String)>,
    /// Leave the boards out
    #[arg(long)]
    pub brief: bool,
    /// Print one JSON document
    #[arg(long, conflicts_with = "brief")]
    pub json: bool,
}

/// Parses `SEAT=PLAYER`.
fn parse_replacement(text: &str) -> Result<(usize, String), ParseError> {
    let expected =
        || ParseError::new(format!("expected SEAT=PLAYER like 0=./my_bot, not '{text}'"));
    let (seat, player) = text.split_once('=').ok_or_else(expected)?;
    Ok((seat.parse().map_err(|_| expected())?, player.to_owned()))
}

/// Arguments of `referee export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// The form in which games are written
    #[arg(long, value_enum, default_value = "jsonl")]
    pub format: ExportFormat,
    /// Add what two runs of the same games differ in: times, comments, standard error, dates
    #[arg(long)]
    pub times: bool,
}

/// Format of exported games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExportFormat {
    /// One JSON document per line
    Jsonl,
    /// A table with one line per game
    Csv,
    /// Portable Game Notation
    Pgn,
}

/// Arguments of `referee verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `referee experiment`.
#[derive(Args, Debug)]
pub struct ExperimentArgs {
    /// The game
    pub game: String,
    /// A claim to measure, by its name; without any, all of them
    #[arg(long, value_name = "NAME")]
    pub claim: Vec<String>,
    /// Games per match
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..))]
    pub games: u64,
    /// Plies that players look ahead in matches
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// The number that every random choice descends from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Games played at once
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Write the table as Markdown too
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Print one JSON line per claim
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `referee check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The program: a player, as in a match
    pub command: String,
    /// The game; not needed for a bundled bot
    #[arg(long)]
    pub game: Option<String>,
    /// How it is spoken to
    #[arg(long, value_name = "D", default_value = DIALECT)]
    pub dialect: String,
    /// The game's options: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// How many games to play at the most; fewer, if they take long
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// The number that every random choice descends from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Print JUnit XML, as continuous integration reads it
    #[arg(long, conflicts_with = "json")]
    pub junit: bool,
    /// The program's limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Arguments of `referee new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The language: python, c, java, ocaml or rust
    pub language: String,
    /// The folder for it, made if it is not there; nothing in it is overwritten
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The game
    #[arg(long)]
    pub game: String,
}

/// Arguments of `referee perft`.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// The game
    pub game: String,
    /// How many plies to go
    pub depth: u32,
    /// The game's options: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Count from this position instead of the start
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
