//! Selection of the match file of a command: a new one, one to resume, or one to read.

use super::args::MatchArgs;
use crate::config::args::DIALECT;
use crate::config::from_args::{self, Absent};
use crate::config::limit_args::LimitArgs;
use crate::config::{MatchConfig, ResolvedMatch};
use crate::failure::Failure;
use crate::registry::Registry;
use crate::store::{folder, Archive, OpenError, Session, StoreError, Writer};
use crate::tournament::plan::MatchPlan;
use arbitre_games::diagnostics;
use arbitre_games::text::HELP;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Opens the match that a command reads: the file `db`, or the newest match.
///
/// # Errors
/// Returns an error if there is no match, or it cannot be read.
pub fn open(db: Option<&Path>, registry: &Registry) -> Result<Archive, Failure> {
    Ok(Archive::open(&path_of(db)?, registry)?)
}

/// Returns the path `db`, or that of the newest match.
///
/// # Errors
/// Returns an error if there is no match.
pub fn path_of(db: Option<&Path>) -> Result<PathBuf, StoreError> {
    match db {
        Some(path) => Ok(path.into()),
        None => folder::newest()?
            .ok_or_else(|| OpenError::NothingStored.about(Path::new(folder::FOLDER))),
    }
}

/// Opens the file of the match that `--resume` continues. Returns `None` without `--resume`, and if
/// players are named and there is no match yet. The same command can then be repeated until it
/// succeeds.
///
/// # Errors
/// Returns an error if there is no such file, or it cannot be used.
pub fn resumed(args: &MatchArgs, registry: &Registry) -> Result<Option<Writer>, Failure> {
    if !args.resume {
        return Ok(None);
    }
    if args.db.as_deref() == Some(Path::new(folder::IN_MEMORY)) {
        return Err(Failure::Usage(
            "--resume: expected --db FILE, got :memory:, which stores nothing".into(),
        ));
    }
    let is_described = !args.config.players.is_empty();
    // With players named, a missing file means that the match starts now.
    let path = match (path_of(args.db.as_deref()), is_described) {
        (Ok(path), true) if !path.exists() => return Ok(None),
        (Err(_), true) => return Ok(None),
        (path, _) => path?,
    };
    match Writer::resume(&path, &holder(), registry)? {
        None if !is_described => Err(OpenError::Empty.about(&path).into()),
        writer => Ok(writer),
    }
}

/// Returns the stored match, which the options must not contradict; they may only ask for more
/// games.
///
/// # Errors
/// Returns an error if the options describe another match or fewer games.
pub fn agreed(
    args: &MatchArgs,
    archive: &Archive,
    registry: &Registry,
) -> Result<ResolvedMatch, Failure> {
    let stored = archive.config().clone();
    let refuse = |why: OpenError| Err(why.about(archive.path()).into());
    let mut resolved = if args.config.players.is_empty() {
        refuse_options_without_players(args)?;
        ResolvedMatch::of_stored(stored.clone(), registry)?
    } else {
        let absent = Absent { seed: stored.seed, games: Some(stored.games) };
        let described = from_args::resolve(&args.config, &args.limits, absent, registry)?;
        if let Some(difference) = stored.difference(&described.config) {
            return refuse(OpenError::AnotherMatch(difference));
        }
        described
    };
    match args.config.games {
        Some(fewer) if fewer < stored.games => refuse(OpenError::Shorter(stored.games)),
        games => {
            resolved.config = MatchConfig { games: games.unwrap_or(stored.games), ..stored };
            Ok(resolved)
        }
    }
}

/// Starts a session in the resumed file, or in a new one.
///
/// # Errors
/// Returns an error if the file cannot be used.
pub fn begin_session(
    args: &MatchArgs,
    resumed: Option<Writer>,
    plan: &MatchPlan,
    registry: &Registry,
) -> Result<Writer, Failure> {
    let mut writer = match resumed {
        Some(writer) => writer,
        None => create(args.db.as_deref(), &plan.config, registry)?,
    };
    let versions = plan.versions();
    // Compared before the new session is stored, which becomes the last one.
    warn_of_changes(writer.archive(), &versions)?;
    let begun = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs().cast_signed());
    let referee = env!("CARGO_PKG_VERSION").into();
    writer.begin_session(Session { begun, referee, versions })?;
    if plan.config.games > writer.archive().config().games {
        writer.extend(plan.config.games)?;
    }
    Ok(writer)
}

/// Refuses options that would be ignored.
fn refuse_options_without_players(args: &MatchArgs) -> Result<(), Failure> {
    let words = [
        ("--game", args.config.game.is_some()),
        ("--seats", args.config.seats.is_some()),
        ("--seed", args.config.seed.is_some()),
        ("--openings", args.config.openings.is_some()),
        ("--rules", !args.config.rules.is_empty()),
        ("--sprt", args.config.sprt.is_some()),
        ("--dialect", args.config.dialect() != DIALECT),
        ("limit", args.limits != LimitArgs::default()),
    ];
    match words.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((word, _)) => Err(Failure::Usage(format!(
            "expected no {word} beside --resume without players{HELP}the stored match has its own"
        ))),
    }
}

fn create(db: Option<&Path>, config: &MatchConfig, registry: &Registry) -> Result<Writer, Failure> {
    let path = match db {
        Some(path) if path == Path::new(folder::IN_MEMORY) => {
            return Ok(Writer::in_memory(config, registry)?);
        }
        Some(path) => path.into(),
        None => folder::new_file(&config.names())?,
    };
    Ok(Writer::create(&path, config, &holder(), registry)?)
}

/// Warns of players whose program changed since the last session: a result that mixes two versions
/// says little about either.
///
/// # Errors
/// Returns an error if the file is damaged.
pub fn warn_of_changes(
    archive: &Archive,
    versions: &BTreeMap<String, String>,
) -> Result<(), StoreError> {
    let sessions = archive.sessions()?;
    let Some((_, last)) = sessions.last_key_value() else { return Ok(()) };
    for (name, version) in versions {
        if last.versions.get(name).is_some_and(|before| before != version) {
            diagnostics::print(format_args!(
                "warning: the program of {name} has changed since the earlier games\n"
            ));
        }
    }
    Ok(())
}

/// Returns a description of this process for others that open the same file.
pub fn holder() -> String {
    let (pid, since) = (std::process::id(), folder::date("now", "%Y-%m-%d %H:%M:%S"));
    let host = rustix::system::uname();
    format!("the referee with pid {pid} on {}, since {since},", host.nodename().to_string_lossy())
}
