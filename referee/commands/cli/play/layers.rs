//! The layers of a contest: what a command asks for, over the stored contest, over the defaults.

use crate::cli::clock::timed_here;
use crate::cli::trust::{refuse_retired, tell, StoredProgram};
use arbitre_games::clock::ClockKind;
use arbitre_games::diagnostics;
use arbitre_games::text::HELP;
use arbitre_process::sandbox::SandboxConfig;
use arbitre_process::usage::tells_waits;
use arbitre_referee::config::arena::Arena;
use arbitre_referee::config::args::ConfigArgs;
use arbitre_referee::config::common_args::CommonArgs;
use arbitre_referee::config::format::FormatConfig;
use arbitre_referee::config::from_args::{self, new_seed, Absent, Tables};
use arbitre_referee::config::limit_args::LimitArgs;
use arbitre_referee::config::limits::PlayerLimits;
use arbitre_referee::config::player_arg::{CommandKind, PlayerArg};
use arbitre_referee::config::player_options::PlayerOptions;
use arbitre_referee::config::sandbox_args::SandboxArgs;
use arbitre_referee::config::shard::Shard;
use arbitre_referee::config::{
    Contest, OpeningSource, PlayerConfig, ResolvedContest, Seeding, Source,
};
use arbitre_referee::failure::Failure;
use arbitre_referee::formats::stages::Stages;
use arbitre_referee::registry::Registry;
use arbitre_referee::store::{Archive, OpenError};
use std::collections::HashSet;

/// Contest that a command asks for. Options that it leaves out are those of the stored contest, or
/// the defaults.
pub struct Asked {
    /// Players in the order of the stored ones, new ones last.
    pub players: Vec<PlayerArg>,
    /// Names of the players that the command describes. Other players are as they are stored.
    pub named: HashSet<String>,
    /// Game, openings, number of games and test.
    pub args: ConfigArgs,
    /// Limits and sandbox of the players.
    pub options: PlayerOptions,
    /// Choice of who plays whom.
    pub format: FormatConfig,
    /// Origin of the contest.
    pub source: Source,
    /// Part that this run plays.
    pub shard: Option<Shard>,
}

impl Asked {
    /// Returns the contest.
    ///
    /// # Errors
    /// Returns an error if it is another contest than the stored one, or cannot be played.
    pub fn resolve(
        self,
        stored: Option<&Archive>,
        registry: &Registry,
    ) -> Result<ResolvedContest, Failure> {
        if let Some(archive) = stored {
            name_stored(archive, &self.players, &self.named, &self.args, &self.options)?;
        }
        let resolved = self.contest(stored, registry)?;
        let has_seed = self.args.common.seed.is_some();
        let asks_for_fair = self.options.limits.clock_kind() == Some(ClockKind::Fair)
            || self.players.iter().any(|of| of.options.iter().any(|word| word == "clock=fair"));
        finish(resolved, self.shard, has_seed, asks_for_fair, stored)
    }

    /// Checks options, limits and format, which need no program.
    ///
    /// # Errors
    /// Returns an error as [`Asked::resolve`] does, or if the players do not fit the format.
    pub fn check(&self, stored: Option<&Archive>, registry: &Registry) -> Result<(), Failure> {
        Stages::of(&self.contest(stored, registry)?.config, Vec::new()).map(drop)
    }

    fn contest(
        &self,
        stored: Option<&Archive>,
        registry: &Registry,
    ) -> Result<ResolvedContest, Failure> {
        let Asked { players, named, args, options, format, source, .. } = self;
        let players = players.clone();
        let seed = stored.map_or_else(new_seed, |archive| archive.config().seed);
        let games = stored.map(|archive| archive.config().games);
        let tables = if *source == Source::Words { Tables::All } else { Tables::Two };
        let absent = Absent { seed, games, tables };
        let mut resolved = match stored {
            None => from_args::resolve_players(players, args, options, absent, registry)?,
            Some(archive) => {
                over(archive.config(), players, named, args, options, absent, registry)?
            }
        };
        (resolved.config.format, resolved.config.source) = (format.clone(), source.clone());
        resolved.config.seeding = match stored {
            Some(archive) => archive.config().seeding,
            None => {
                let Contest { format, players, seats, .. } = &resolved.config;
                Seeding::of_new(format, players.len(), *seats)
            }
        };
        if let Some(archive) = stored {
            resolved.config.continue_test(archive.config());
            refuse_another(&resolved.config, archive)?;
        }
        Ok(resolved)
    }
}

/// Names the stored programs that play on as they are stored. The stored sandbox of a player holds
/// only if it is typed again, also if the command names the player.
fn name_stored(
    archive: &Archive,
    players: &[PlayerArg],
    named: &HashSet<String>,
    args: &ConfigArgs,
    options: &PlayerOptions,
) -> Result<(), Failure> {
    refuse_retired(archive)?;
    let (stored, typed) = (archive.config(), options.sandbox.on(SandboxConfig::default())?);
    let mut told = Vec::new();
    for arg in players.iter().filter(|arg| matches!(arg.kind, CommandKind::External(_))) {
        let before = stored.players.iter().find(|player| player.name == arg.name);
        let Some(program) = before.map(StoredProgram::of_player) else { continue };
        if !named.contains(&arg.name) {
            program.check(&typed, archive)?;
            told.push(program);
        } else if options.sandbox.is_empty() {
            let own = PlayerOptions::parse_words(&arg.options)?.sandbox;
            program.check(&own.on(typed.clone())?, archive)?;
        }
    }
    if let (None, Some(rules)) = (&args.common.external, &stored.external) {
        told.push(StoredProgram::of_rules(rules, &typed));
    }
    tell(&told, archive);
    Ok(())
}

/// Completes a contest: its part, and its clock.
pub fn finish(
    mut resolved: ResolvedContest,
    shard: Option<Shard>,
    has_seed: bool,
    asks_for_fair: bool,
    stored: Option<&Archive>,
) -> Result<ResolvedContest, Failure> {
    resolved.config.shard = match stored {
        Some(archive) => continued_shard(shard, archive)?,
        None => {
            shard.map_or(Ok(()), |_| check_shard(&resolved.config, has_seed)).map(|()| shard)?
        }
    };
    let resolved = timed_here(resolved, stored.is_some() || asks_for_fair, tells_waits())?;
    if let Some(note) = &resolved.note {
        diagnostics::print(format_args!("{note}\n"));
    }
    Ok(resolved)
}

/// Refuses a contest that does not continue the stored one.
pub fn refuse_another(contest: &Contest, archive: &Archive) -> Result<(), Failure> {
    let stored = archive.config();
    let why = match stored.difference(contest) {
        Some(difference) => {
            let path = |of: &Contest| of.tournament().and_then(|of| of.path.clone());
            let help = match (&contest.source, path(stored)) {
                (Source::Words | Source::Room(_), _) => String::new(),
                (Source::Tournament(_), Some(source))
                    if path(contest).as_ref() != Some(&source) =>
                {
                    let source = source.display();
                    format!("{HELP}write --source '{source}' if it has moved, or --db NEW")
                }
                (Source::Tournament(_), _) => {
                    format!("{HELP}repeat the options, or name another file by --db")
                }
            };
            OpenError::AnotherMatch(difference + &help)
        }
        None if contest.games != stored.games && contest.counts_all_versions() => {
            match archive.stages()?.is_empty() {
                true => return Ok(()),
                false => OpenError::AnotherMatch(format!(
                    "a meeting has {} games, not {}, and its stages have begun{HELP}repeat the \
                     options, or name another file by --db",
                    stored.games, contest.games
                )),
            }
        }
        None if contest.games < stored.games => OpenError::Shorter(stored.games),
        None => return Ok(()),
    };
    Err(why.about(archive.path()).into())
}

/// Returns the contest of these players with the options of a command over a stored contest.
fn over(
    stored: &Contest,
    players: Vec<PlayerArg>,
    named: &HashSet<String>,
    args: &ConfigArgs,
    options: &PlayerOptions,
    absent: Absent,
    registry: &Registry,
) -> Result<ResolvedContest, Failure> {
    let (args, listed) = completed(args, stored);
    let is_program =
        |player: &&PlayerConfig| matches!(player.kind(registry), Ok(CommandKind::External(_)));
    let programs: Vec<&PlayerConfig> = stored.players.iter().filter(is_program).collect();
    let (mut limits, mut sandboxes) = (Vec::new(), Vec::new());
    for arg in &players {
        let is_named = named.contains(&arg.name);
        limits.push(limits_of(arg, stored, is_named, &options.limits)?);
        sandboxes.push(sandbox_of(arg, &programs, is_named, &options.sandbox)?);
    }
    let mut resolved = from_args::resolve_players(players, &args, options, absent, registry)?;
    if let (Some(rules), Some(before)) = (&mut resolved.config.external, &stored.external) {
        rules.keep_version(before)?;
    }
    if let (Some(openings), None) = (listed, &resolved.note) {
        resolved.config.openings = openings;
    }
    let chosen = limits.into_iter().zip(sandboxes);
    for (player, (limits, sandbox)) in resolved.config.players.iter_mut().zip(chosen) {
        player.limits = limits;
        player.sandbox = sandbox;
    }
    // A player that cannot play now keeps its version.
    let kept = stored.players.iter().zip(&mut resolved.config.players);
    for ((stored, player), kind) in kept.zip(&resolved.commands) {
        if matches!(kind, CommandKind::Absent(_)) {
            *player = stored.clone();
        }
    }
    Ok(resolved)
}

/// Returns the options with what they leave out taken from the stored contest, and its list of
/// openings if they leave that out.
fn completed(args: &ConfigArgs, stored: &Contest) -> (ConfigArgs, Option<OpeningSource>) {
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
    stored: &Contest,
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

fn shared_limits(stored: &Contest) -> Option<PlayerLimits> {
    let (first, others) = stored.players.split_first()?;
    let is_shared = others.iter().all(|other| other.limits == first.limits);
    is_shared.then(|| first.limits.clone())
}

/// Returns the part that a stored contest is, which is the one that is asked for.
fn continued_shard(asked: Option<Shard>, archive: &Archive) -> Result<Option<Shard>, Failure> {
    let found = archive.config().shard;
    match asked {
        Some(asked) if found != Some(asked) => {
            let found = found.map_or("the whole match".into(), |found| format!("shard {found}"));
            let why = OpenError::AnotherMatch(format!("it is {found}, not shard {asked}"));
            Err(why.about(archive.path()).into())
        }
        _ => Ok(found),
    }
}

/// Checks that the games of a contest can be divided. `has_seed` says whether the command names a
/// seed.
fn check_shard(contest: &Contest, has_seed: bool) -> Result<(), Failure> {
    let refuse = |what: &str, help: &str| {
        Err(Failure::Usage(format!("--shard: expected {what}{HELP}{help}")))
    };
    if !has_seed {
        return refuse(
            "--seed beside it, got none, and each shard would draw another",
            "add --seed 1 to every shard",
        );
    }
    if contest.sprt.is_some() {
        return refuse(
            "a fixed number of games, got --sprt, whose end depends on all results",
            "play all games with --games, or test on one machine",
        );
    }
    if contest.depends_on_results() {
        let with_test = if contest.format.sprt().is_some() { " with --sprt" } else { "" };
        let what = format!(
            "pairings that do not depend on results, got a {}{with_test}",
            contest.format.word()
        );
        return refuse(&what, "choose round-robin, gauntlet, balanced or graded");
    }
    Ok(())
}
