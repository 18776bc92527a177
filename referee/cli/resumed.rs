//! The match that `--resume` continues: the stored one, with the players that the options add or
//! change.

use super::args::MatchArgs;
use crate::config::arena::Arena;
use crate::config::args::{ConfigArgs, DIALECT};
use crate::config::common_args::CommonArgs;
use crate::config::from_args::{self, Absent};
use crate::config::limit_args::LimitArgs;
use crate::config::limits::PlayerLimits;
use crate::config::player_arg::{CommandKind, PlayerArg};
use crate::config::player_options::PlayerOptions;
use crate::config::sandbox_args::SandboxArgs;
use crate::config::{Environment, MatchConfig, OpeningSource, PlayerConfig, ResolvedMatch};
use crate::failure::Failure;
use crate::registry::Registry;
use crate::sandbox::SandboxConfig;
use crate::store::{Archive, OpenError};
use arbitre_games::diagnostics;
use arbitre_games::text::{io_reason, HELP};
use std::collections::HashSet;
use std::path::Path;

/// Returns the stored match with the players that the options add or change, and with the number of
/// games that they ask for. Game, rules, seed, openings and test stay.
///
/// # Errors
/// Returns an error if the options describe another match or fewer games, or if the programs of
/// the stored match cannot be found from here.
pub fn resumed(
    args: &MatchArgs,
    archive: &Archive,
    registry: &Registry,
) -> Result<ResolvedMatch, Failure> {
    let stored = archive.config();
    let refuse = |why: OpenError| Err(why.about(archive.path()).into());
    let mut resolved = if args.config.players.is_empty() {
        refuse_options_without_players(args)?;
        enter_folder(&stored.players, archive.path())?;
        ResolvedMatch::of_stored(stored.clone(), registry)?
    } else {
        let joined = with_named_players(args, stored, archive.path(), registry)?;
        if let Some(difference) = stored.difference(&joined.config) {
            return refuse(OpenError::AnotherMatch(difference));
        }
        joined
    };
    match args.config.games {
        Some(fewer) if fewer < stored.games => refuse(OpenError::Shorter(stored.games)),
        games => {
            resolved.config.games = games.unwrap_or(stored.games);
            Ok(resolved)
        }
    }
}

/// Refuses options that would be ignored.
fn refuse_options_without_players(args: &MatchArgs) -> Result<(), Failure> {
    let words = [
        ("--game", args.config.common.game.is_some()),
        ("--external", args.config.common.external.is_some()),
        ("--arena", args.config.common.arena.is_some()),
        ("--seats", args.config.common.seats.is_some()),
        ("--seed", args.config.common.seed.is_some()),
        ("--openings", args.config.common.openings.is_some()),
        ("--rules", !args.config.common.rules.is_empty()),
        ("--sprt", args.config.sprt.is_some()),
        ("--adjudicate", args.config.common.adjudicate.is_some()),
        ("--dialect", args.config.dialect() != DIALECT),
        ("limit", args.options.limits != LimitArgs::default()),
        ("option of the sandbox", !args.options.sandbox.is_empty()),
    ];
    match words.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((word, _)) => Err(Failure::Usage(format!(
            "expected no {word} beside --resume without players{HELP}the stored match has its own"
        ))),
    }
}

/// Returns the match of the stored players and those that the options name. Stored players that
/// are not named play on as they are. What the options leave out is taken from the stored match.
fn with_named_players(
    args: &MatchArgs,
    stored: &MatchConfig,
    path: &Path,
    registry: &Registry,
) -> Result<ResolvedMatch, Failure> {
    let mut named = PlayerArg::parse_all(&args.config.players, registry)?;
    let mut names = HashSet::new();
    named.iter_mut().for_each(|arg| arg.name = from_args::unique(&arg.name, &mut names));
    let unnamed = stored.players.iter().filter(|player| !names.contains(&player.name));
    refuse_other_folders(unnamed, path)?;
    let mut players = Vec::new();
    for player in &stored.players {
        let again = named.iter().position(|arg| arg.name == player.name);
        let mut arg = match again {
            Some(at) => named.remove(at),
            None => arg_of(player, registry)?,
        };
        let common = args.config.common.dialect.clone().filter(|_| again.is_some());
        let is_program = arg.kind != CommandKind::Human;
        let dialect = arg.dialect.or(common).or(Some(player.dialect.clone()));
        arg.dialect = dialect.filter(|_| is_program);
        players.push(arg);
    }
    players.extend(named);
    let (config, listed) = completed(&args.config, stored);
    let absent = Absent { seed: stored.seed, games: Some(stored.games) };
    let is_program =
        |player: &&PlayerConfig| matches!(player.kind(registry), Ok(CommandKind::External(_)));
    let programs: Vec<&PlayerConfig> = stored.players.iter().filter(is_program).collect();
    let (mut limits, mut sandboxes) = (Vec::new(), Vec::new());
    for arg in &players {
        let is_named = names.contains(&arg.name);
        limits.push(limits_of(arg, stored, is_named, &args.options.limits)?);
        sandboxes.push(sandbox_of(arg, &programs, is_named, &args.options.sandbox)?);
    }
    let mut resolved =
        from_args::resolve_players(players, &config, &args.options, absent, registry)?;
    if let (Some(openings), None) = (listed, &resolved.note) {
        resolved.config.openings = openings;
    }
    let chosen = limits.into_iter().zip(sandboxes);
    for (player, (limits, sandbox)) in resolved.config.players.iter_mut().zip(chosen) {
        player.limits = limits;
        player.sandbox = sandbox;
    }
    Ok(resolved)
}

/// Returns the argument that describes a stored player.
fn arg_of(player: &PlayerConfig, registry: &Registry) -> Result<PlayerArg, Failure> {
    let kind = player.kind(registry)?;
    let PlayerConfig { name, command, dialect, environment, .. } = player.clone();
    let (options, dialect, folder) = (Vec::new(), Some(dialect), environment.own_folder);
    Ok(PlayerArg { name, is_named: true, options, dialect, command, kind, folder })
}

/// Returns the options with what they leave out taken from the stored match, and its list of
/// openings if they leave that out.
fn completed(args: &ConfigArgs, stored: &MatchConfig) -> (ConfigArgs, Option<OpeningSource>) {
    let (openings, listed) = match (&args.common.openings, &stored.openings) {
        (None, OpeningSource::Drawn(plies)) => (Some(plies.to_string()), None),
        (None, listed) => (None, Some(listed.clone())),
        (Some(_), _) => (None, None),
    };
    let before = CommonArgs {
        game: Some(stored.game.clone()),
        external: stored.external.as_ref().map(|rules| rules.command.clone()),
        arena: stored.external.as_ref().and_then(|rules| Arena::of(rules.protocol)),
        seats: Some(stored.seats),
        rules: stored.rules.clone(),
        openings,
        adjudicate: stored.adjudication,
        ..CommonArgs::default()
    };
    let (common, sprt) = (args.common.over(&before), args.sprt.or(stored.sprt));
    (ConfigArgs { common, sprt, ..args.clone() }, listed)
}

/// Returns the limits of a player: its own words, on top of the common limits of the options. If
/// these set none, a stored player keeps its limits, and a new one gets those that all stored
/// players share.
fn limits_of(
    arg: &PlayerArg,
    stored: &MatchConfig,
    is_named: bool,
    limits: &LimitArgs,
) -> Result<PlayerLimits, Failure> {
    let before = stored.players.iter().find(|player| player.name == arg.name);
    let sets_none = *limits == LimitArgs::default();
    let base = match before {
        Some(before) if !is_named || sets_none => before.limits.clone(),
        _ if arg.kind == CommandKind::Human => PlayerLimits::untimed(),
        None if sets_none => shared_limits(stored).unwrap_or_default(),
        _ => limits.on(PlayerLimits::default())?,
    };
    PlayerOptions::parse_words(&arg.options)?.limits.on(base)
}

/// Returns the sandbox of a player by the rule of [`limits_of`], from the stored `programs`. A new
/// player does not inherit that there is none, and only programs have one.
fn sandbox_of(
    arg: &PlayerArg,
    programs: &[&PlayerConfig],
    is_named: bool,
    common: &SandboxArgs,
) -> Result<SandboxConfig, Failure> {
    if !matches!(arg.kind, CommandKind::External(_)) {
        return Ok(SandboxConfig::none());
    }
    let shared = || {
        let (first, others) = programs.split_first()?;
        let is_shared = others.iter().all(|other| other.sandbox == first.sandbox);
        Some(first.sandbox.clone()).filter(|first| is_shared && first.profile.is_some())
    };
    let base = match programs.iter().find(|player| player.name == arg.name) {
        Some(before) if !is_named || common.is_empty() => before.sandbox.clone(),
        None if common.is_empty() => shared().unwrap_or_default(),
        _ => common.on(SandboxConfig::default())?,
    };
    PlayerOptions::parse_words(&arg.options)?.sandbox.on(base)
}

fn shared_limits(stored: &MatchConfig) -> Option<PlayerLimits> {
    let (first, others) = stored.players.split_first()?;
    let is_shared = others.iter().all(|other| other.limits == first.limits);
    is_shared.then(|| first.limits.clone())
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
