//! `referee A B`: a match from the words of a command line, and its report.

use super::layers::{finish, refuse_another, Asked};
use super::{info, lack_of_resources, rules_failure, Settings};
use crate::cli::advice::after_faults;
use crate::cli::args::{grammar, MatchArgs};
use crate::cli::stored::StoredCommand;
use crate::cli::trust::{check, programs_of, tell, StoredProgram};
use crate::cli::usage::check_players;
use arbitre_games::diagnostics;
use arbitre_games::exit_code::INTERRUPTED;
use arbitre_games::text::{io_reason, HELP};
use arbitre_referee::config::args::{ConfigArgs, DIALECT};
use arbitre_referee::config::format::FormatConfig;
use arbitre_referee::config::from_args::unique;
use arbitre_referee::config::limit_args::LimitArgs;
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::config::{Environment, PlayerConfig, ResolvedContest, Source};
use arbitre_referee::failure::Failure;
use arbitre_referee::player::fault::Fault;
use arbitre_referee::registry::Registry;
use arbitre_referee::report::summary::Summary;
use arbitre_referee::report::table;
use arbitre_referee::run::contest_run::Outcome;
use arbitre_referee::store::{Address, Archive, Versions, Wish};
use std::collections::HashSet;
use std::path::Path;
use std::process::ExitCode;

/// Plays the match that the options describe, or its remaining games.
pub fn run(args: &MatchArgs, registry: &Registry) -> Result<ExitCode, Failure> {
    let common = &args.config.common;
    let has_game = common.game.is_some() || common.external.is_some();
    check_players(&args.config.players, has_game, registry, &grammar())?;
    let address = Address::of(args.db.as_deref());
    let here = std::env::current_dir()?;
    if args.resume && address == Address::Memory {
        return Err(Failure::Usage(
            "--resume: expected --db FILE, got :memory:, which stores nothing".into(),
        ));
    }
    let wish = match (args.resume, args.config.players.is_empty()) {
        (false, _) => Wish::Begin,
        (true, true) => Wish::Continue,
        (true, false) => Wish::ContinueOrBegin,
    };
    let settings = Settings {
        run: &args.run,
        concurrency: args.concurrency,
        hidden: None,
        until: None,
        names_players: true,
        rating_interval: 0,
    };
    let played = super::play(
        address,
        wish,
        &settings,
        &|stored, policy| {
            policy.check_rules(common.external.as_deref(), &args.options.sandbox)?;
            describe(args, stored, registry)
        },
        registry,
    )?;
    played.map_or(Ok(ExitCode::SUCCESS), |outcome| report(args, outcome, &here, registry))
}

/// Returns the match of the options, over the stored one if it goes on.
fn describe(
    args: &MatchArgs,
    stored: Option<&Archive>,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    stored.map_or(Ok(()), |archive| StoredCommand::Match.check(archive))?;
    let resolved = match stored {
        Some(archive) if args.config.players.is_empty() => as_stored(args, archive, registry)?,
        _ => asked(args, stored, registry)?.resolve(stored, registry)?,
    };
    // A condition on an unknown player or an undefined quantity would only fail after the last
    // game.
    let (names, seats) = (resolved.config.names(), resolved.config.seats);
    for condition in &args.require {
        if let Some(why) = condition.objection(&names, seats) {
            return Err(Failure::Usage(format!("--require {condition}: {why}")));
        }
    }
    Ok(resolved)
}

/// Returns the stored match with the number of games that the options ask for.
fn as_stored(
    args: &MatchArgs,
    archive: &Archive,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    let stored = archive.config();
    refuse_options_without_players(args)?;
    let programs = programs_of(stored, |_| true, registry);
    let needs_none = programs.iter().all(StoredProgram::has_sandbox);
    if needs_none && !args.options.sandbox.is_empty() {
        return Err(refusal_without_players("option of the sandbox"));
    }
    check(&programs, &args.options.sandbox, archive)?;
    enter_folder(&stored.players, archive.path())?;
    tell(&programs, archive);
    let mut resolved = ResolvedContest::of_stored(stored.clone(), registry)?;
    resolved.config.games = args.config.games.unwrap_or(stored.games);
    refuse_another(&resolved.config, archive)?;
    finish(resolved, args.run.shard, true, true, Some(archive))
}

/// Refuses options that would be ignored.
fn refuse_options_without_players(args: &MatchArgs) -> Result<(), Failure> {
    let ConfigArgs { common, sprt, .. } = &args.config;
    let words = [
        ("--game", common.game.is_some()),
        ("--external", common.external.is_some()),
        ("--arena", common.arena.is_some()),
        ("--seats", common.seats.is_some()),
        ("--seed", common.seed.is_some()),
        ("--openings", common.openings.is_some()),
        ("--rules", !common.rules.is_empty()),
        ("--sprt", sprt.is_some()),
        ("--adjudicate", common.adjudicate.is_some()),
        ("--dialect", args.config.dialect() != DIALECT),
        ("limit", args.options.limits != LimitArgs::default()),
    ];
    match words.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((word, _)) => Err(refusal_without_players(word)),
    }
}

fn refusal_without_players(word: &str) -> Failure {
    Failure::Usage(format!(
        "expected no {word} beside --resume without players{HELP}the stored match has its own"
    ))
}

/// Returns what the options ask for. Stored players that they do not name play on as they are.
fn asked(
    args: &MatchArgs,
    stored: Option<&Archive>,
    registry: &Registry,
) -> Result<Asked, Failure> {
    let mut players = PlayerArg::parse_all(&args.config.players, registry)?;
    let mut named = HashSet::new();
    if let Some(archive) = stored {
        let mut new = std::mem::take(&mut players);
        new.iter_mut().for_each(|arg| arg.name = unique(&arg.name, &mut named));
        let before = &archive.config().players;
        let unnamed = before.iter().filter(|player| !named.contains(&player.name));
        refuse_other_folders(unnamed, archive.path())?;
        for player in before {
            let again = new.iter().position(|arg| arg.name == player.name);
            let mut arg = match again {
                Some(at) => new.remove(at),
                None => arg_of(player, registry)?,
            };
            let common = args.config.common.dialect.clone().filter(|_| again.is_some());
            let is_program = arg.kind != CommandKind::Human;
            let dialect = arg.dialect.or(common).or(Some(player.dialect.clone()));
            arg.dialect = dialect.filter(|_| is_program);
            players.push(arg);
        }
        players.extend(new);
    }
    let (args, options, shard) = (args.config.clone(), args.options.clone(), args.run.shard);
    let (format, source) = (FormatConfig::RoundRobin, Source::Words);
    Ok(Asked { players, named, args, options, format, source, shard })
}

/// Returns the argument that describes a stored player.
fn arg_of(player: &PlayerConfig, registry: &Registry) -> Result<PlayerArg, Failure> {
    let kind = player.kind(registry)?;
    let PlayerConfig { name, command, dialect, environment, .. } = player.clone();
    let (dialect, folder) = (Some(dialect), environment.own_folder);
    Ok(PlayerArg { dialect, folder, ..PlayerArg::of(&name, command, kind) })
}

/// Continues in the folder in which the players were named: their commands may have paths that are
/// relative to it.
fn enter_folder(players: &[PlayerConfig], path: &Path) -> Result<(), Failure> {
    let mut folders = players.iter().filter(|player| depends_on_folder(player));
    let Some(PlayerConfig { environment: Environment { folder, .. }, .. }) = folders.next() else {
        return Ok(());
    };
    let refuse = |why: &str| {
        Failure::Data(format!(
            "{}: its players were named in {folder}{why}{HELP}name the players again",
            path.display()
        ))
    };
    if let Some(other) = folders.find(|player| player.environment.folder != *folder) {
        return Err(refuse(&format!(" and in {}", other.environment.folder)));
    }
    if *folder != Environment::here().folder {
        let entered = std::env::set_current_dir(folder);
        entered.map_err(|error| refuse(&format!(": {}", io_reason(&error))))?;
        diagnostics::print(format_args!(
            "note: the players run in {folder}, where they were named\n"
        ));
    }
    Ok(())
}

/// Refuses players that keep their command, which was given in another folder.
fn refuse_other_folders<'a>(
    mut players: impl Iterator<Item = &'a PlayerConfig>,
    path: &Path,
) -> Result<(), Failure> {
    let here = Environment::here().folder;
    let is_elsewhere =
        |player: &&PlayerConfig| depends_on_folder(player) && player.environment.folder != here;
    match players.find(is_elsewhere) {
        None => Ok(()),
        Some(PlayerConfig { name, environment, .. }) => Err(Failure::Data(format!(
            "{}: {name} was named in {}, not here{HELP}name {name} again too",
            path.display(),
            environment.folder
        ))),
    }
}

/// Returns `true` if the program's own folder, or a word of the command, may be a path that is
/// relative to its folder.
fn depends_on_folder(PlayerConfig { command, environment, .. }: &PlayerConfig) -> bool {
    if let Some(own) = &environment.own_folder {
        return Path::new(own).is_relative();
    }
    let words = shell_words::split(command).unwrap_or_default();
    let mut relative = words.iter().filter(|word| !word.starts_with('/'));
    relative.any(|word| {
        word.contains(['/', '.']) || Path::new(&environment.folder).join(word).is_file()
    })
}

/// Prints the result. Returns the exit code.
fn report(
    args: &MatchArgs,
    outcome: Outcome,
    here: &Path,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let versions = if args.all_versions { Versions::All } else { Versions::Current };
    let (tally, view) = outcome.seen(versions)?;
    let summary = Summary::new(&tally, &view.config, info(&outcome)?);
    let failure = rules_failure(&outcome);
    // The file is whole before its path is printed.
    drop(outcome);
    let text = table::text(&summary, &tally)
        + &after_faults(&view.config, &tally, summary.db.as_deref(), here, registry);
    let kept = summary.db.as_ref().map_or(String::new(), |path| format!("kept in {path}\n"));
    args.run.show(&summary, &text, &kept)?;
    failure.map_or_else(|| conclude(args, &summary), Err)
}

fn conclude(args: &MatchArgs, summary: &Summary) -> Result<ExitCode, Failure> {
    lack_of_resources(summary, "--resume").map_or(Ok(()), Err)?;
    if summary.started() < summary.seats.max(2).min(summary.players.len()) {
        let mut absent = summary.players.iter();
        let absent = absent.find_map(|player| Some((&player.name, player.not_started.as_ref()?)));
        let (name, why) = absent.expect("a player is missing");
        let fault = summary.not_started.get(name).map(|report| &report.fault);
        let what = match fault {
            Some(Fault::Unjudged { .. }) => "was withdrawn",
            _ => "could not be started",
        };
        let what = format!("{name} {what}: {why}");
        return Err(Failure::Player(what));
    }
    let starts = args.require.iter().filter(|condition| condition.is_about_starts());
    if let Some(failure) = starts.filter_map(|condition| condition.failure(summary)).next() {
        return Err(Failure::Player(failure));
    }
    if summary.void > 0 {
        let message =
            "a player could not be started or judged in every game; help: --resume plays the \
             missing games";
        return Err(Failure::Player(message.into()));
    }
    if !summary.complete {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let unmet: Vec<String> =
        args.require.iter().filter_map(|condition| condition.failure(summary)).collect();
    if !unmet.is_empty() {
        return Err(Failure::Condition(unmet.join("; ")));
    }
    Ok(ExitCode::SUCCESS)
}
