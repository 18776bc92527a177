//! `referee arena brutaltester GAME`: one game as a referee program of cg-brutaltester.

use super::args::BrutaltesterArgs;
use super::clock::timed_here;
use super::listen::play_one;
use arbitre_games::diagnostics;
use arbitre_games::dialect::DialectInfo;
use arbitre_games::dialects::arbitre;
use arbitre_games::game::{ParseError, Seat};
use arbitre_games::text::{io_reason, join, HELP};
use arbitre_process::usage::tells_waits;
use arbitre_referee::config::args::ConfigArgs;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::config::from_args::{self, new_seed, Absent, Tables};
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::Contest;
use arbitre_referee::external::brutaltester::lead::{lead, scores, Lead};
use arbitre_referee::failure::Failure;
use arbitre_referee::play::record::Record;
use arbitre_referee::play::Ply;
use arbitre_referee::player::fault::Fault;
use arbitre_referee::registry::{GameInfo, Registry};
use arbitre_referee::report::game::{names, GameDocument};
use arbitre_referee::report::output::{print, write_whole};
use arbitre_referee::run::plan::{start_failure, Plan};
use arbitre_referee::run::sandboxes::SandboxPolicy;
use serde_json::{json, Map, Value};
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

/// Dialect of the bots in games that have it: those of cg-brutaltester are bots of CodinGame.
const DIALECT: &str = DialectInfo::CODINGAME.name;

/// Plays one game.
pub fn run(args: &BrutaltesterArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let info = registry.game(&args.game)?;
    if info.meta.is_solo() {
        return Err(Failure::Usage(format!(
            "expected a game of at least two seats, got {}",
            info.meta.name
        )));
    }
    let dialect = dialect(args.dialect.as_deref(), info)?;
    if args.words.is_empty() {
        return old_mode(args, info, dialect);
    }
    new_mode(&NewMode::parse(&args.words)?, args, dialect, registry)
}

/// Returns the dialect of this name, or the usual one.
fn dialect(word: Option<&str>, info: &GameInfo) -> Result<&'static DialectInfo, Failure> {
    let usual = || info.dialect(DIALECT).unwrap_or(&arbitre::INFO);
    Ok(word.map_or_else(|| Ok(usual()), |word| info.dialect(word))?)
}

/// Leads a game whose players cg-brutaltester runs.
fn old_mode(
    args: &BrutaltesterArgs,
    info: &GameInfo,
    dialect: &'static DialectInfo,
) -> Result<ExitCode, Failure> {
    if args.options != PlayerOptions::default() {
        return Err(Failure::Usage(format!(
            "expected -p1 COMMAND with limits or a sandbox, got none{HELP}without -p1 the bots are \
             run by cg-brutaltester"
        )));
    }
    let game = info.open(&args.rules)?;
    let plies = if info.hides_openings(dialect) { 0 } else { info.opening_plies };
    let seed = new_seed();
    let led = Lead { game: &*game, dialect, plies, seed };
    lead(&led, BufReader::new(io::stdin()), io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// Options of cg-brutaltester's new mode.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct NewMode {
    /// Commands of the players, by seat.
    players: Vec<String>,
    seed: Option<u64>,
    /// File for the document of the game.
    log: Option<PathBuf>,
}

impl NewMode {
    /// Parses `-p1 COMMAND -p2 COMMAND … [-d seed=N] [-l FILE]`.
    fn parse(words: &[String]) -> Result<NewMode, ParseError> {
        let (mut mode, mut words) = (NewMode::default(), words.iter());
        while let Some(option) = words.next() {
            let next = format!("-p{}", mode.players.len() + 1);
            let mut value = || {
                words
                    .next()
                    .ok_or_else(|| ParseError::new(format!("{option}: expected a value, got none")))
            };
            match option.as_str() {
                player if player == next => mode.players.push(value()?.clone()),
                "-d" => {
                    let text = value()?;
                    let seed = text.strip_prefix("seed=").and_then(|seed| seed.parse().ok());
                    let expected =
                        || ParseError::new(format!("-d: expected seed=NUMBER, got '{text}'"));
                    mode.seed = Some(seed.ok_or_else(expected)?);
                }
                "-l" => mode.log = Some(value()?.into()),
                other => {
                    return Err(ParseError::new(format!(
                        "expected {next} COMMAND, -d seed=N or -l FILE, got '{other}'"
                    )));
                }
            }
        }
        Ok(mode)
    }
}

/// Plays a game between the players of the arguments, and prints a score per player and the seed.
fn new_mode(
    mode: &NewMode,
    args: &BrutaltesterArgs,
    dialect: &'static DialectInfo,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let common = CommonArgs {
        game: Some(args.game.clone()),
        seats: Some(mode.players.len()),
        seed: mode.seed,
        rules: args.rules.clone(),
        dialect: Some(dialect.name.into()),
        ..CommonArgs::default()
    };
    let (players, games) = (mode.players.clone(), Some(1));
    let config_args = ConfigArgs { players, games, common, sprt: None };
    let absent = Absent { seed: new_seed(), games: None, tables: Tables::All };
    let resolved = from_args::resolve(&config_args, &args.options, absent, registry)?;
    let is_asked_for = args.options.limits.clock_kind().is_some();
    // The remarks are left out: text on standard error is an error to cg-brutaltester.
    let resolved = timed_here(resolved, is_asked_for, tells_waits())?;
    let policy = SandboxPolicy::new(registry.executable, None, None);
    let mut plan = Plan::new(resolved, None, registry, Some(1), &policy)?;
    plan.apply_sandboxes(&policy);
    // Not pinned, as cg-brutaltester may run several referees at once.
    let record = play_one(&plan, false, plan.stages.games().pairing(0))?;
    if let Some(path) = &mode.log {
        let text = log_of(&record, &plan.config).to_string() + "\n";
        write_whole(path, &text).map_err(|error| {
            let path = path.display();
            Failure::Data(format!("{path}: cannot be written: {}", io_reason(&error)))
        })?;
    }
    let names = names(&record, &plan.config);
    let is_start = |fault: &Fault| matches!(fault, Fault::NotStarted { .. });
    // A failure to start is the error of the whole command.
    for report in record.played.faults.iter().filter(|report| !is_start(&report.fault)) {
        diagnostics::print(format_args!("{} {}\n", names[report.seat.index()], report.fault));
    }
    plan.lack_of_resources().map_or(Ok(()), Err)?;
    print(&format!("{}\nseed={}\n", join(scores_of(&record), "\n"), plan.config.seed))?;
    start_failure(&plan.players).map_or(Ok(ExitCode::SUCCESS), Err)
}

/// Returns the log of a game. By seat it has the scores, the standard error and the answers of each
/// turn, as the logs of CodinGame's SDK. The document of the game follows.
fn log_of(record: &Record, config: &Contest) -> Value {
    let scores = scores_of(record);
    let of_seats = |of: &dyn Fn(Seat) -> Value| -> Map<String, Value> {
        (0..scores.len()).map(|seat| (seat.to_string(), of(Seat::new(seat)))).collect()
    };
    let turns = |seat: Seat, of: fn(&Ply) -> &str| -> Value {
        let plies = record.played.plies.iter().filter(|ply| ply.seat == seat);
        plies.map(of).collect::<Vec<_>>().into()
    };
    json!({
        "scores": of_seats(&|seat| scores[seat.index()].into()),
        "errors": of_seats(&|seat| turns(seat, |ply| &ply.stderr)),
        "outputs": of_seats(&|seat| turns(seat, |ply| &ply.mv)),
        "game": GameDocument::new(record, config, true),
    })
}

/// Returns the scores of a game. In a void game, those that could not be started have -1.
fn scores_of(record: &Record) -> Vec<i64> {
    let absent = |seat: usize| {
        let mut faults = record.played.faults.iter().filter(|report| report.seat.index() == seat);
        faults.any(|report| matches!(report.fault, Fault::NotStarted { .. }))
    };
    match &record.played.outcome {
        Some(outcome) => scores(outcome),
        None => (0..record.pairing.players.len()).map(|seat| -i64::from(absent(seat))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<NewMode, String> {
        let words: Vec<String> = shell_words::split(text).unwrap();
        NewMode::parse(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn options_of_the_new_mode_are_read() {
        let mode = parse("-p1 './a b' -p2 ./c -d seed=7 -l game1.json").unwrap();
        assert_eq!(mode.players, ["./a b", "./c"]);
        assert_eq!((mode.seed, mode.log), (Some(7), Some("game1.json".into())));
        for (text, message) in [
            ("-p1", "-p1: expected a value, got none"),
            ("-p2 ./a", "expected -p1 COMMAND, -d seed=N or -l FILE, got '-p2'"),
            ("-p1 ./a -p2 ./b -s", "expected -p3 COMMAND, -d seed=N or -l FILE, got '-s'"),
            ("-p1 ./a -d 7", "-d: expected seed=NUMBER, got '7'"),
        ] {
            assert_eq!(parse(text).unwrap_err(), message, "{text}");
        }
    }
}
