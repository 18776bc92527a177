//! Command-line grammar. One definition is the source of the help, the manual and the completions.

use super::condition::Condition;
use super::defaults;
use super::tune::args::TuneArgs;
use arbitre_games::exit_code::MEANINGS;
use arbitre_games::game::ParseError;
use arbitre_games::text::parse_duration;
use arbitre_process::launcher::layers::Level;
use arbitre_referee::config::arena::Arena;
use arbitre_referee::config::args::ConfigArgs;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::config::csv_dialect::CsvDialect;
use arbitre_referee::config::number::{number, word};
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::sandbox_args::{parse_level, SandboxArgs, SandboxRequirement};
use arbitre_referee::config::shard::Shard;
use arbitre_referee::config::tournament_args::TournamentOptions;
use arbitre_referee::failure::Failure;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::output::{print_json, tell};
use arbitre_referee::report::player_pages::PageFormat;
use arbitre_referee::store::{folder, Preference};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Returns the list of exit codes as help and manual page show it.
fn exit_codes() -> String {
    let line = |(code, meaning): (u8, &str)| format!("\n  {code:<4} {meaning}");
    format!("Exit codes:{}", MEANINGS.map(line).concat())
}

const EXAMPLES: &str = "\
Players:
  A player is a command, NAME=COMMAND, or NAME[OPTIONS]=DIALECT@COMMAND. Its first word is a bundled
  bot (see referee games), a program, or human for a person at this terminal. No shell runs.

Examples:
  referee awele \"awele greedy\" --games 20 --move-time 20ms
  referee \"python3 my_bot.py\" \"awele greedy\" --game awele
  referee \"old[depth=6]=awele alpha-beta\" \"new[depth=8]=awele alpha-beta\"
  referee ./new ./old --game awele --sprt elo0=0,elo1=5
  referee --resume
  referee human awele";

/// Play matches between programs and report which is stronger, by how much, and how certain that is
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
    /// Log each game to standard error; -vv: each line sent and received
    #[arg(short, long, action = clap::ArgAction::Count, global = true, help_heading = "Output")]
    pub verbose: u8,
    /// The match.
    #[command(flatten)]
    pub play: MatchArgs,
}

/// Returns the grammar of the command line.
pub fn grammar() -> clap::Command {
    // A number such as -5 is a value: its parser then says which numbers it expects.
    let negative = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    Cli::command().mut_args(negative).mut_subcommands(|sub| sub.mut_args(negative))
}

/// Returns what follows the options in the full help and the manual: examples, the defaults of
/// these games, and exit codes.
pub fn reference(registry: &Registry) -> String {
    format!("{EXAMPLES}\n\n{}\n{}", defaults::table(registry), exit_codes())
}

/// A match between players.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// Description of the match.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Limits and sandbox for all players.
    #[command(flatten)]
    pub options: PlayerOptions,
    /// Exit with code 1 unless this holds at the end, such as score>=0.9 or los>0.95
    #[arg(long, value_name = "CONDITION", value_parser = Condition::parse, help_heading = "Stopping rules and conditions")]
    pub require: Vec<Condition>,
    /// Store the games in this file; :memory: stores nothing
    #[arg(long, value_name = "FILE", help_heading = "Storage")]
    pub db: Option<PathBuf>,
    /// Continue the match in --db FILE, or the newest one
    #[arg(long, help_heading = "Storage")]
    pub resume: bool,
    /// Show earlier versions of the players too, each as a player of its own
    #[arg(long, help_heading = "Output")]
    pub all_versions: bool,
    /// Number of games played at once
    #[arg(long, value_name = "C", value_parser = number::<u16>(1..=u16::MAX.into()), help_heading = "Execution")]
    pub concurrency: Option<u16>,
    /// Settings of the run.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Settings of the run of a match or tournament, none of which is stored.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Least sandbox.
    #[command(flatten)]
    pub requirement: SandboxRequirement,
    /// Print what would be played, and the time, the file and the memory that it may take
    #[arg(long, help_heading = "Execution")]
    pub dry_run: bool,
    /// Commit each game to the disk, so that it survives a power failure too
    #[arg(long, help_heading = "Storage")]
    pub durable: bool,
    /// Print the results as one JSON document on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print one JSON line per finished game on standard output
    #[arg(long, help_heading = "Output")]
    pub events: bool,
    /// Play only part K of N, with --seed; referee merge joins the files of all parts
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, help_heading = "Execution")]
    pub shard: Option<Shard>,
    /// Let players run on any processor, not only on that of their worker
    #[arg(long, help_heading = "Execution")]
    pub no_pin: bool,
}

impl RunArgs {
    /// Prints a text for people: on standard error if standard output is for programs.
    ///
    /// # Errors
    /// Returns an error if standard output is closed.
    pub fn tell(&self, text: &str) -> Result<(), Failure> {
        tell(text, self.json || self.events)
    }

    /// Prints a result as a document or as a text for people. `kept` says where it is stored.
    ///
    /// # Errors
    /// Returns an error if standard output is closed.
    pub fn show(&self, document: &impl Serialize, text: &str, kept: &str) -> Result<(), Failure> {
        if self.json {
            print_json(document)?;
            return self.tell(kept);
        }
        self.tell(&(text.to_owned() + kept))
    }
}

/// Commands of the referee besides playing a match.
#[derive(Subcommand, Debug)]
pub enum RefereeCommand {
    /// Play a tournament between many programs
    Tournament(Box<TournamentArgs>),
    /// Serve a room for a class: a ladder that never stops, in the browsers of all
    Serve(Box<ServeArgs>),
    /// Join a room of referee serve with a program that runs on this machine
    Join(JoinArgs),
    /// List the games with their rules, presets, dialects and bundled bots
    Games {
        /// Print one JSON line per game
        #[arg(long)]
        json: bool,
    },
    /// List the stored matches, or with --games the games of one
    List(ListArgs),
    /// Show a stored game move by move, or the input of a player
    Show(ShowArgs),
    /// Write a page that plays a stored game in a browser
    Replay(ReplayArgs),
    /// Write a page for a browser with the standings and all games of a match
    Report(ReportArgs),
    /// Play a stored game again, with its players or with others
    Rerun(RerunArgs),
    /// Write stored games as JSON lines, CSV or PGN
    Export(ExportArgs),
    /// Remove games, a player or an earlier version from a match file
    Drop(DropArgs),
    /// Join the files of several shards, or of one match on several machines, to one
    Merge(MergeArgs),
    /// Check a match file: pages, checksums, and every game by a replay
    Verify(VerifyArgs),
    /// Measure the claims of a game's source document
    Experiment(ExperimentArgs),
    /// Tune the numbers in a player's command with a genetic algorithm
    Tune(Box<TuneArgs>),
    /// Test a bot for common mistakes and suggest fixes
    Check(Box<CheckArgs>),
    /// Show what this machine can do, and what to ask an administrator for
    Doctor(DoctorArgs),
    /// Write a bot to start from, in python, c, java, ocaml or rust
    New(NewArgs),
    /// Count the leaves of a game tree
    Perft(PerftArgs),
    /// Write two small games to start from, in python or rust
    NewGame(NewGameArgs),
    /// Serve a game to other programs and arenas: step by step, psyleague, brutaltester
    #[command(subcommand)]
    Arena(ArenaCommand),
    /// Run a bundled bot on standard input and output (referee bot NAME --help)
    Bot {
        /// Name of the bot
        name: Option<String>,
        /// Arguments of the bot
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// Shell
        shell: Shell,
    },
    /// Print the manual page (referee man | man -l -)
    Man,
    /// Print a JSON schema of a file, with which editors complete and check it
    #[command(subcommand)]
    Schema(SchemaCommand),
}

/// Files that have a schema.
#[derive(Subcommand, Clone, Copy, Debug)]
pub enum SchemaCommand {
    /// File of a tournament
    Tournament,
}

/// Arguments of `referee serve`.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Folder of the room, which is made if it is not there; several rooms have one server
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub folders: Vec<PathBuf>,
    /// Game of a new room, with its options; they are written into its class.toml.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Listen at this address of this machine; 0.0.0.0:8000 for all others in its network
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8000", value_parser = parse_address, help_heading = "Server")]
    pub listen: SocketAddr,
    /// Address of a proxy with a certificate on this machine, which is in front: see
    /// docs/class-server.md
    #[arg(long, value_name = "URL", value_parser = parse_url, help_heading = "Server")]
    pub behind_proxy: Option<String>,
    /// Print another teacher's link; the one before leads nowhere
    #[arg(long, help_heading = "Server")]
    pub new_link: bool,
    /// Take uploads where this machine gives no sandbox that keeps them from your files
    #[arg(long, help_heading = "Server")]
    pub i_trust_my_students: bool,
    /// Copy the room into this zip file and end, also while another process serves it
    #[arg(long, value_name = "FILE.zip", help_heading = "Server")]
    pub backup: Option<PathBuf>,
    /// Number of games played at once
    #[arg(long, value_name = "C", value_parser = number::<u16>(1..=u16::MAX.into()), help_heading = "Execution")]
    pub concurrency: Option<u16>,
    /// Least sandbox.
    #[command(flatten)]
    pub requirement: SandboxRequirement,
    /// Name of the room on a server of several, whose front starts this process
    #[arg(long, hide = true)]
    pub below: Option<String>,
    /// Number of rooms of that server
    #[arg(long, hide = true, requires = "below")]
    pub rooms: Option<u16>,
}

/// Arguments of `referee join`.
#[derive(Args, Debug)]
pub struct JoinArgs {
    /// Your link, which leads to your page: http://192.0.2.2:8000/enter/…
    #[arg(value_name = "LINK")]
    pub link: String,
    /// Command of the program, in quotes; it is started for each game
    #[arg(value_name = "COMMAND")]
    pub command: String,
    /// Play this number of games at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = number::<u16>(1..=64))]
    pub tables: u16,
    /// Play one round against this house bot, then end
    #[arg(long, value_name = "BOT")]
    pub once: Option<String>,
    /// Print each line to and from the program
    #[arg(long)]
    pub watch: bool,
}

fn parse_url(text: &str) -> Result<String, ParseError> {
    let url = text.trim_end_matches('/');
    let is_url = url.starts_with("https://") || url.starts_with("http://");
    is_url.then(|| url.to_owned()).ok_or_else(|| {
        ParseError::new(format!("expected a URL, such as https://room.example.org, got '{text}'"))
    })
}

fn parse_address(text: &str) -> Result<SocketAddr, ParseError> {
    text.parse().map_err(|_| {
        ParseError::new(format!(
            "expected ADDR:PORT, such as 0.0.0.0:8000 or [::]:8000, got '{text}'"
        ))
    })
}

/// Arguments of `referee tournament`.
#[derive(Args, Debug)]
pub struct TournamentArgs {
    /// File of the tournament, or a folder or zip file with a folder or source file per player
    #[arg(value_name = "FILE.toml|DIR|ZIP")]
    pub source: PathBuf,
    /// Settings, which replace those of the file.
    #[command(flatten)]
    pub options: TournamentOptions,
    /// Stop after the round that is played at this time of day, such as 21:30
    #[arg(long, value_name = "HH:MM", value_parser = parse_time_of_day, help_heading = "Tournament")]
    pub until: Option<Duration>,
    /// Stop after the round that is played after this time, such as 45min
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Tournament")]
    pub max_time: Option<Duration>,
    /// Store the games in this file [default: one below .arbitre with the name of FILE, DIR or ZIP]
    #[arg(long, value_name = "FILE", help_heading = "Storage")]
    pub db: Option<PathBuf>,
    /// Continue the tournament of this file, folder or zip file, which has moved or has a successor
    #[arg(long = "source", value_name = "FILE.toml|DIR|ZIP", help_heading = "Storage")]
    pub moved_from: Option<PathBuf>,
    /// Write the standings into a file .html (with all games), .md, .csv or .json; may be repeated
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Vec<PathBuf>,
    /// Write a page per player and an index into this folder, and remove those of earlier runs
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub per_player: Option<PathBuf>,
    /// Form of these pages: html, with games to look at, or md
    #[arg(
        long,
        value_name = "FORM",
        default_value = "html",
        hide_default_value = true,
        hide_possible_values = true,
        requires = "per_player",
        help_heading = "Output"
    )]
    pub per_player_format: PageFormat,
    /// Show numbers in place of names; the page of a player has its number
    #[arg(long, help_heading = "Output")]
    pub anonymous: bool,
    /// Print a line of standings every N games; 0 for none
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = number::<u64>(0..=u64::MAX), help_heading = "Output")]
    pub rating_interval: u64,
    /// Settings of the run.
    #[command(flatten)]
    pub run: RunArgs,
}

impl TournamentArgs {
    /// Returns the instant after which no further round begins, in a run that began at `begun`.
    pub fn deadline(&self, begun: Instant) -> Option<Instant> {
        let of_day = self.until.map(|until| {
            let now = folder::time_of_day();
            // A time that is past is one of tomorrow.
            let left = if until > now { until - now } else { until + DAY - now };
            Instant::now() + left
        });
        let after = self.max_time.map(|time| begun + time);
        of_day.into_iter().chain(after).min()
    }
}

/// Duration of a day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn parse_time_of_day(text: &str) -> Result<Duration, ParseError> {
    let parsed = text.split_once(':').and_then(|(hours, minutes)| {
        let hours = hours.parse::<u64>().ok().filter(|hours| *hours < 24)?;
        let minutes = minutes.parse::<u64>().ok().filter(|minutes| *minutes < 60)?;
        Some(Duration::from_secs(60 * (60 * hours + minutes)))
    });
    parsed.ok_or_else(|| ParseError::new(format!("expected a time like 21:30, got '{text}'")))
}

/// Arguments of `referee doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Exit with code 5 unless programs have at least this sandbox: weak, partial or full
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub require_sandbox: Option<Level>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Location of a stored match.
#[derive(Args, Debug)]
pub struct MatchFile {
    /// File of the match [default: the newest below .arbitre]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// Leave to start the program with the rules that a file names.
#[derive(Args, Debug, Default)]
pub struct RulesArgs {
    /// Start the program of the rules that the file names, in its sandbox
    #[arg(long)]
    pub allow_rules: bool,
    /// Options of its sandbox, which hold only if they are stored, too.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// Choice of a stored game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameArg {
    /// The game with this number.
    Number(u64),
    /// The game that began last.
    Last,
    /// The first game in which a player had a fault.
    FirstFault,
}

impl GameArg {
    fn parse(text: &str) -> Result<GameArg, ParseError> {
        let expected =
            || ParseError::new(format!("expected a number, last or first-fault, got '{text}'"));
        match text {
            "last" => Ok(GameArg::Last),
            "first-fault" => Ok(GameArg::FirstFault),
            number => number.parse().map(GameArg::Number).map_err(|_| expected()),
        }
    }
}

/// Arguments of `referee list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// File of a match, may be repeated [default: all below .arbitre; for games the newest]
    #[arg(long, value_name = "FILE")]
    pub db: Vec<PathBuf>,
    /// List the games of the match
    #[arg(long)]
    pub games: bool,
    /// List only games with faults
    #[arg(long)]
    pub faults: bool,
    /// Games that the list shows.
    #[command(flatten)]
    pub filter: GameFilterArgs,
    /// List the games of earlier versions of the players too
    #[arg(long)]
    pub all_versions: bool,
    /// Print one JSON line per item
    #[arg(long)]
    pub json: bool,
}

/// Options of `referee list` that select games.
#[derive(Args, Debug)]
pub struct GameFilterArgs {
    /// List only games of this player
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// List only games that --player won: it alone is first
    #[arg(long, requires = "player")]
    pub won: bool,
    /// List only games that --player drew: it shares the first place
    #[arg(long, requires = "player", conflicts_with = "won")]
    pub drawn: bool,
    /// List only games that --player lost: another player is first
    #[arg(long, requires = "player", conflicts_with_all = ["won", "drawn"])]
    pub lost: bool,
    /// List only games with this fault, of --player if one is named: timeout, crash, illegal, …
    #[arg(long, value_name = "WORD")]
    pub fault: Option<String>,
}

/// Arguments of `referee show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Number of the game, last, or first-fault
    #[arg(value_parser = GameArg::parse)]
    pub game: GameArg,
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Print the exact bytes that this seat received
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["json", "brief", "ply"], value_parser = number::<usize>(0..=u64::MAX))]
    pub input: Option<usize>,
    /// With --input: print what a newly started program would receive
    #[arg(long, requires = "input")]
    pub fresh: bool,
    /// Omit the boards
    #[arg(long)]
    pub brief: bool,
    /// Play the game in this terminal
    #[arg(long, conflicts_with_all = ["json", "brief", "ply", "input"])]
    pub play: bool,
    /// With --play: moves per second
    #[arg(long, value_name = "N", requires = "play", default_value_t = 2, value_parser = number::<u32>(1..=1000))]
    pub speed: u32,
    /// Draw only the position after N moves
    #[arg(long, value_name = "N", conflicts_with = "brief", value_parser = number::<usize>(0..=u64::MAX))]
    pub ply: Option<usize>,
    /// Print one JSON document
    #[arg(long, conflicts_with_all = ["brief", "ply"])]
    pub json: bool,
    /// Leave to start the rules.
    #[command(flatten)]
    pub rules: RulesArgs,
}

/// Arguments of `referee replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// Number of the game, last, or first-fault
    #[arg(value_parser = GameArg::parse)]
    pub game: GameArg,
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Write the page to this file [default: game-N.html]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Leave to start the rules.
    #[command(flatten)]
    pub rules: RulesArgs,
}

/// Arguments of `referee report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Write to this file, which appears only once it is complete [default with --svg: NAME.svg]
    #[arg(short, long, value_name = "FILE", required_unless_present = "svg")]
    pub output: Option<PathBuf>,
    /// Write the page every 2 seconds while the games are played; in a browser it reloads itself
    #[arg(long, conflicts_with = "svg")]
    pub follow: bool,
    /// Write a page in large type: the top ten or the bracket, and the last game on its board
    #[arg(long, conflicts_with = "svg")]
    pub projector: bool,
    /// Show numbers in place of names, and nothing that the players wrote but their moves
    #[arg(long)]
    pub anonymous: bool,
    /// Write one picture instead of the page
    #[arg(long, value_enum, value_name = "NAME")]
    pub svg: Option<Picture>,
    /// With --svg position: number of the game, last, or first-fault
    #[arg(long, requires = "svg", value_parser = GameArg::parse, default_value = "last")]
    pub game: GameArg,
    /// With --svg position: number of moves played [default: all]
    #[arg(long, value_name = "N", requires = "svg", value_parser = number::<usize>(0..=u64::MAX))]
    pub turn: Option<usize>,
    /// Count the games of earlier versions of the players too
    #[arg(long)]
    pub all_versions: bool,
    /// Leave to start the rules.
    #[command(flatten)]
    pub rules: RulesArgs,
}

/// Picture of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Picture {
    /// Ratings with their intervals
    Ratings,
    /// Points of the players against each other
    CrossTable,
    /// Numbers of moves of the games
    Lengths,
    /// Times per move of each player
    Times,
    /// Position of a game
    Position,
}

/// Arguments of `referee rerun`.
#[derive(Args, Debug)]
pub struct RerunArgs {
    /// Number of the game, last, or first-fault
    #[arg(value_parser = GameArg::parse)]
    pub game: GameArg,
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Seat another player: 0=./my_bot, or with limits 0=mine[move-time=1s]=./my_bot
    #[arg(long, value_name = "SEAT=PLAYER", value_parser = parse_replacement)]
    pub replace: Vec<(usize, String)>,
    /// Omit the boards
    #[arg(long)]
    pub brief: bool,
    /// Print one JSON document
    #[arg(long, conflicts_with = "brief")]
    pub json: bool,
    /// Changes of the programs' sandboxes.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// Least sandbox.
    #[command(flatten)]
    pub requirement: SandboxRequirement,
}

/// Parses `SEAT=PLAYER`.
fn parse_replacement(text: &str) -> Result<(usize, String), ParseError> {
    let expected =
        || ParseError::new(format!("expected SEAT=PLAYER like 0=./my_bot, got '{text}'"));
    let (seat, player) = text.split_once('=').ok_or_else(expected)?;
    Ok((seat.parse().map_err(|_| expected())?, player.to_owned()))
}

/// Arguments of `referee export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Format of the games
    #[arg(long, value_enum, default_value = "jsonl")]
    pub format: ExportFormat,
    /// With --format csv: plain, or excel-fr for Excel with French settings [default: plain]
    #[arg(long, value_name = "DIALECT", value_parser = word("csv", &CsvDialect::WORDS))]
    pub csv: Option<CsvDialect>,
    /// Add what differs between two runs: times, comments, standard error, dates
    #[arg(long)]
    pub times: bool,
    /// Export the games of earlier versions of the players too
    #[arg(long)]
    pub all_versions: bool,
    /// Write to this file, which appears only once it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `referee drop`.
#[derive(Args, Debug)]
pub struct DropArgs {
    /// Numbers of games such as 17 or 3-9, a player, or an earlier version of one such as ada@1
    #[arg(value_name = "GAMES|PLAYER", required = true)]
    pub what: Vec<String>,
    /// File of the match.
    #[command(flatten)]
    pub stored: MatchFile,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
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

/// Arguments of `referee merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Files of one match, in any order; a game may be in several
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write to this file, which appears only once it is complete
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Keep this result where files differ: of the first file named, or the newest. Not where nodes
    /// or depth limit all players
    #[arg(long, value_enum, value_name = "WHICH")]
    pub prefer: Option<Preference>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
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
    /// Leave to start the rules.
    #[command(flatten)]
    pub rules: RulesArgs,
}

/// Arguments of `referee experiment`.
#[derive(Args, Debug)]
pub struct ExperimentArgs {
    /// Game
    pub game: String,
    /// Claim to measure, may be repeated [default: all]
    #[arg(long, value_name = "NAME")]
    pub claim: Vec<String>,
    /// Games per match
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::<u64>(2..=u64::MAX))]
    pub games: u64,
    /// Search depth of the players, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = number::<u32>(1..=u32::MAX.into()))]
    pub depth: u32,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Number of games played at once
    #[arg(long, value_name = "C", value_parser = number::<u16>(1..=u16::MAX.into()))]
    pub concurrency: Option<u16>,
    /// Also write the table as Markdown to this file
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Print one JSON line per claim
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `referee check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Players to test, as in a match, or folders, source files or a zip file of players; each
    /// gets a report
    #[arg(value_name = "PLAYER", required = true)]
    pub players: Vec<String>,
    /// Game; not needed for a bundled bot
    #[arg(long)]
    pub game: Option<String>,
    /// Play by the rules of a program: see docs/external.md
    #[arg(long, value_name = "COMMAND", conflicts_with = "game")]
    pub external: Option<String>,
    /// Compile the folder of --external by javac with these folders and jars
    #[arg(long, value_name = "PATHS")]
    pub classpath: Option<String>,
    /// Check as for this arena: its dialect, rules and limits. codingame
    #[arg(long, value_name = "ARENA", value_parser = word("arena", &Arena::WORDS))]
    pub arena: Option<Arena>,
    /// Dialect of the player [default: arbitre]
    #[arg(long, value_name = "D")]
    pub dialect: Option<String>,
    /// Rules: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Maximum number of games; fewer if they take long
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = number::<u64>(1..=1_000_000))]
    pub games: u64,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Print one JSON document per player, each on a line
    #[arg(long)]
    pub json: bool,
    /// Print JUnit XML for continuous integration
    #[arg(long, conflicts_with = "json")]
    pub junit: bool,
    /// The program's limits and sandbox.
    #[command(flatten)]
    pub options: PlayerOptions,
    /// Least sandbox.
    #[command(flatten)]
    pub requirement: SandboxRequirement,
}

impl CheckArgs {
    /// Returns the match whose games test the players.
    pub fn config_args(&self) -> ConfigArgs {
        let CheckArgs { game, external, classpath, arena, dialect, rules, .. } = self;
        let common = CommonArgs {
            game: game.clone(),
            external: external.clone(),
            classpath: classpath.clone(),
            arena: *arena,
            dialect: dialect.clone(),
            rules: rules.clone(),
            ..CommonArgs::default()
        };
        ConfigArgs { common, ..ConfigArgs::default() }
    }
}

/// Arguments of `referee new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// Language: python, c, java, ocaml or rust
    pub language: String,
    /// Folder to write to, created if missing; existing files are never overwritten
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Game
    #[arg(long)]
    pub game: String,
    /// Dialect of the bot, such as codingame [default: arbitre]
    #[arg(long, value_name = "D")]
    pub dialect: Option<String>,
}

/// Arguments of `referee new-game`.
#[derive(Args, Debug)]
pub struct NewGameArgs {
    /// Language: python or rust
    pub language: String,
    /// Folder to write to, created if missing; existing files are never overwritten
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Arena whose lines the bots speak: codingame
    #[arg(long, value_name = "ARENA", value_parser = word("arena", &Arena::WORDS))]
    pub arena: Option<Arena>,
}

/// Interfaces to other arenas.
#[derive(Subcommand, Debug)]
pub enum ArenaCommand {
    /// Answer questions about a game: setups, turns, legal moves, positions, results
    Step(StepArgs),
    /// Play each seat once and print the results as the league manager psyleague expects them
    Psyleague(Box<PsyleagueArgs>),
    /// Referee program for cg-brutaltester: one game, in its old mode (-o) or its new mode
    Brutaltester(Box<BrutaltesterArgs>),
}

/// Arguments of `referee arena psyleague`.
#[derive(Args, Debug)]
pub struct PsyleagueArgs {
    /// Description of the games.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Limits and sandbox for all players.
    #[command(flatten)]
    pub options: PlayerOptions,
    /// Least sandbox.
    #[command(flatten)]
    pub requirement: SandboxRequirement,
}

/// Arguments of `referee arena brutaltester`.
#[derive(Args, Debug)]
pub struct BrutaltesterArgs {
    /// Game
    pub game: String,
    /// Rules: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Dialect of the bots [default: codingame if the game has it, else arbitre]
    #[arg(long, value_name = "D")]
    pub dialect: Option<String>,
    /// Limits and sandbox of the bots in the new mode.
    #[command(flatten)]
    pub options: PlayerOptions,
    /// New mode: -p1 COMMAND -p2 COMMAND … [-d seed=N] [-l FILE]; it must come last
    #[arg(value_name = "-p1 COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// Arguments of `referee arena step`.
#[derive(Args, Debug)]
pub struct StepArgs {
    /// Game
    pub game: String,
    /// Play many games at once, with a request and an answer per line of JSON
    #[arg(long)]
    pub json: bool,
    /// With --json: rules, as for a match; without it the first line has them
    #[arg(
        long,
        value_name = "RULES",
        default_value = "",
        hide_default_value = true,
        requires = "json"
    )]
    pub rules: String,
}

/// Arguments of `referee perft`.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// Game
    pub game: String,
    /// Depth in plies
    #[arg(value_parser = number::<u32>(0..=u32::MAX.into()))]
    pub depth: u32,
    /// Rules: a preset, key=value, or both, separated by commas
    #[arg(long, value_name = "RULES", default_value = "", hide_default_value = true)]
    pub rules: String,
    /// Position to count from, in the game's notation [default: the start]
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
