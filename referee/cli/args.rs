//! The grammar of the command line. One definition feeds the help, the manual and the completions.

use super::defaults;
use super::limits::Limits;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    the system refused something
  2    wrong usage
  3    a player could not be started
  6    bad data in a file
  130  interrupted";

const EXAMPLES: &str = "\
Players:
  A player is a command, NAME=COMMAND, or NAME[LIMITS]=DIALECT@COMMAND. Its first word is a bundled
  bot (see referee games), a program, or human for a person at this terminal.

Examples:
  referee awele \"awele greedy\" --games 20 --move-time 20ms
  referee \"python3 my_bot.py\" \"awele greedy\" --game awele
  referee \"old[depth=6]=awele alpha-beta\" \"new[depth=8]=awele alpha-beta\"
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
    override_usage = "referee [OPTIONS] PLAYER PLAYER…\n       referee COMMAND",
    after_help = format!("{EXAMPLES}\n\n{}\n{EXIT_CODES}", defaults::table())
)]
pub struct Cli {
    /// What to do instead of a match.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Tell every game on standard error; twice: every line that players hear and say
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// The match.
    #[command(flatten)]
    pub duel: Duel,
}

/// A match between players.
#[derive(Args, Debug)]
pub struct Duel {
    /// The players: commands, see below
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// The game; not needed where a bundled bot plays
    #[arg(long)]
    pub game: Option<String>,
    /// Games per pairing, rounded up so that each player has each seat equally often
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: Option<u64>,
    /// How many sit at a table
    #[arg(long, value_name = "K")]
    pub seats: Option<usize>,
    /// The number that every random choice descends from
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Games played at once
    #[arg(long, value_name = "C", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// The length of drawn openings, or a file with one opening per line
    #[arg(long, value_name = "PLIES|FILE")]
    pub openings: Option<String>,
    /// The game's options: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// How players are spoken to
    #[arg(long, value_name = "D", default_value = "arbitre", hide_default_value = true)]
    pub dialect: String,
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
    pub limits: Limits,
}

/// What the referee can do besides a match.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// List the games with their options, presets and bundled bots
    Games {
        /// Print one JSON line per game
        #[arg(long)]
        json: bool,
    },
    /// Count the leaves of a game's tree
    Perft(Perft),
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

/// What to count.
#[derive(Args, Debug)]
pub struct Perft {
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
