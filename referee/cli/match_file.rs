//! Selection of the match file of a command: a new one, one to resume, or one to read.

use super::args::MatchArgs;
use crate::config::{MatchConfig, PlayerConfig};
use crate::failure::Failure;
use crate::pairing::schedule::GameId;
use crate::registry::Registry;
use crate::store::{folder, Archive, Machine, OpenError, Session, StoreError, Versions, Writer};
use crate::tournament::plan::MatchPlan;
use crate::tournament::processors::processors;
use arbitre_games::diagnostics;
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

/// Starts a session in the resumed file, or in a new one.
///
/// # Errors
/// Returns an error if the file cannot be used.
pub fn begin_session(
    db: Option<&Path>,
    durable: bool,
    resumed: Option<Writer>,
    plan: &MatchPlan,
    registry: &Registry,
) -> Result<Writer, Failure> {
    let mut writer = match resumed {
        Some(writer) => writer,
        None => create(db, &plan.config, registry)?,
    };
    if writer.lost() > 0 {
        let (path, lost) = (writer.archive().path().display(), writer.lost());
        let s = if lost == 1 { "" } else { "s" };
        diagnostics::print(format_args!(
            "warning: {path}: another program removed {lost} game{s}; resuming plays them\n"
        ));
    }
    tell_new_versions(writer.archive(), &plan.config)?;
    let begun = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs().cast_signed());
    let referee = env!("CARGO_PKG_VERSION").into();
    let machine = Some(Machine::here(processors()));
    writer.begin_session(Session { begun, referee, machine }, durable)?;
    let stored = writer.archive().config();
    if (plan.config.games, &plan.config.players) != (stored.games, &stored.players) {
        writer.extend(plan.config.games, &plan.config.players)?;
    }
    Ok(writer)
}

/// Tells which players have changed since their stored games, which do not count any more.
fn tell_new_versions(archive: &Archive, config: &MatchConfig) -> Result<(), StoreError> {
    let changed = config.players.iter().zip(&archive.config().players);
    let changed: Vec<&PlayerConfig> =
        changed.filter(|(now, before)| !now.is_same_version(before)).map(|(now, _)| now).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let names = |players: &[(&PlayerConfig, usize)]| {
        let names: Vec<&str> = players.iter().map(|(player, _)| player.name.as_str()).collect();
        names.join(", ")
    };
    let view = archive.view(Versions::Current);
    let games = archive.games(&view)?;
    let count = |player: &PlayerConfig| {
        let number = config.players.iter().position(|other| other.name == player.name);
        let own = |id: &&(GameId, u64)| number.is_some_and(|number| id.0.players.contains(&number));
        games.iter().filter(own).count()
    };
    let changed: Vec<(&PlayerConfig, usize)> =
        changed.into_iter().map(|player| (player, count(player))).collect();
    let changed: Vec<_> = changed.into_iter().filter(|(_, count)| *count > 0).collect();
    match &changed[..] {
        [] => {}
        // Where games depend on results, those of earlier versions still count.
        _ if config.counts_all_versions() => diagnostics::print(format_args!(
            "note: new versions continue the games of {}\n",
            names(&changed)
        )),
        [(PlayerConfig { name, .. }, count)] => {
            let s = if *count == 1 { "" } else { "s" };
            diagnostics::print(format_args!(
                "note: {name} is another version than in its {count} game{s} so far; they stay in \
                 the file but do not count (see --all-versions)\n"
            ));
        }
        _ => diagnostics::print(format_args!(
            "note: other versions than in their games so far, which stay in the file but do not \
             count (see --all-versions): {}\n",
            names(&changed)
        )),
    }
    Ok(())
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

/// Returns a description of this process for others that open the same file.
pub fn holder() -> String {
    let (pid, since) = (std::process::id(), folder::date("now", "%Y-%m-%d %H:%M:%S"));
    let host = rustix::system::uname();
    format!("the referee with pid {pid} on {}, since {since},", host.nodename().to_string_lossy())
}
