//! Which file of results a command is about: one that begins, one that goes on, one that is read.

use super::args::Duel;
use super::charter;
use super::failure::Failure;
use super::limits::Limits;
use super::plan::Plan;
use crate::config::Charter;
use crate::store::{folder, Archive, Session, StoreError, Why, Writer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Opens the match that a command reads: of the file that was named, or the newest.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn open(db: Option<&Path>) -> Result<Archive, Failure> {
    Ok(Archive::open(&path_of(db)?)?)
}

/// The file that was named, or the newest.
///
/// # Errors
/// If there is none.
pub fn path_of(db: Option<&Path>) -> Result<PathBuf, StoreError> {
    match db {
        Some(path) => Ok(path.into()),
        None => {
            folder::newest()?.ok_or_else(|| Why::NothingStored.about(Path::new(folder::FOLDER)))
        }
    }
}

/// The match that the words describe, and the file that keeps it: a new one, or with `--resume` the
/// one that was begun.
///
/// # Errors
/// If the words describe no match, or another one than the file's, or the file does not serve.
pub fn begin(args: &Duel) -> Result<(Plan, Writer), Failure> {
    // Short enough to be read out, and exact in every JSON reader.
    let seed = rand::random::<u32>().into();
    let begun = if args.resume { resumed(args)? } else { None };
    let (plan, mut writer) = match begun {
        Some(writer) => (planned(agreed(args, &writer)?, args)?, writer),
        None => {
            let plan = planned(charter::read(args, seed, None)?, args)?;
            let writer = create(args.db.as_deref(), &plan.charter)?;
            (plan, writer)
        }
    };
    let versions = plan.versions();
    warn_of_changes(writer.archive(), &versions)?;
    let begun = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs().cast_signed());
    let referee = env!("CARGO_PKG_VERSION").into();
    writer.begin_session(Session { begun, referee, versions })?;
    if plan.charter.games > writer.archive().charter().games {
        writer.extend(plan.charter.games)?;
    }
    Ok((plan, writer))
}

/// A plan of what is agreed, once nothing speaks against it.
fn planned(charter: Charter, args: &Duel) -> Result<Plan, Failure> {
    check_conditions(args, &charter)?;
    Plan::new(charter, args.concurrency)
}

/// The file with a match to go on with. Nothing, where the players are named and there is no match
/// yet: the same command may be given until it succeeds.
fn resumed(args: &Duel) -> Result<Option<Writer>, Failure> {
    if args.db.as_deref() == Some(Path::new(folder::IN_MEMORY)) {
        return Err(Failure::Usage(
            "--db :memory: keeps nothing, so there is nothing to resume".into(),
        ));
    }
    let is_described = !args.players.is_empty();
    let path = match (path_of(args.db.as_deref()), is_described) {
        (Ok(path), true) if !path.exists() => return Ok(None),
        (Err(_), true) => return Ok(None),
        (path, _) => path?,
    };
    match Writer::resume(&path, &holder())? {
        None if !is_described => Err(Why::Empty.about(&path).into()),
        writer => Ok(writer),
    }
}

/// What was agreed, which the words must not contradict; they may ask for more games.
fn agreed(args: &Duel, writer: &Writer) -> Result<Charter, Failure> {
    let stored = writer.archive().charter().clone();
    let refuse = |why: Why| Err(why.about(writer.archive().path()).into());
    if args.players.is_empty() {
        refuse_words_without_players(args)?;
    } else {
        let described = charter::read(args, stored.seed, Some(stored.games))?;
        if let Some(difference) = stored.difference(&described) {
            return refuse(Why::AnotherMatch(difference));
        }
    }
    match args.games {
        Some(fewer) if fewer < stored.games => refuse(Why::Shorter(stored.games)),
        games => Ok(Charter { games: games.unwrap_or(stored.games), ..stored }),
    }
}

/// What would be passed over in silence.
fn refuse_words_without_players(args: &Duel) -> Result<(), Failure> {
    let words = [
        ("--game", args.game.is_some()),
        ("--seats", args.seats.is_some()),
        ("--seed", args.seed.is_some()),
        ("--openings", args.openings.is_some()),
        ("--rules", !args.rules.is_empty()),
        ("--sprt", args.sprt.is_some()),
        ("--dialect", args.dialect != super::args::DIALECT),
        ("a limit", args.limits != Limits::default()),
    ];
    match words.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((word, _)) => Err(Failure::Usage(format!(
            "--resume without players goes on as it was agreed, so {word} has no place here"
        ))),
    }
}

fn create(db: Option<&Path>, charter: &Charter) -> Result<Writer, Failure> {
    let path = match db {
        Some(path) if path == Path::new(folder::IN_MEMORY) => {
            return Ok(Writer::in_memory(charter)?);
        }
        Some(path) => path.into(),
        None => folder::new_file(&charter.names())?,
    };
    Ok(Writer::create(&path, charter, &holder())?)
}

/// A condition about nobody, or on what the match has not, would only fail after the last game.
fn check_conditions(args: &Duel, charter: &Charter) -> Result<(), Failure> {
    let names = charter.names();
    for condition in &args.require {
        if let Some(why) = condition.objection(&names, charter.seats) {
            return Err(Failure::Usage(format!("{condition}: {why}")));
        }
    }
    Ok(())
}

/// Games of two versions of a program say little about either.
///
/// # Errors
/// If the file is damaged.
pub fn warn_of_changes(
    archive: &Archive,
    versions: &BTreeMap<String, String>,
) -> Result<(), StoreError> {
    let sessions = archive.sessions()?;
    let Some((_, last)) = sessions.last_key_value() else { return Ok(()) };
    for (name, version) in versions {
        if last.versions.get(name).is_some_and(|before| before != version) {
            eprintln!("warning: {name} is not the program that played the games before");
        }
    }
    Ok(())
}

/// Who writes, for others that come to the same file.
pub fn holder() -> String {
    let (pid, since) = (std::process::id(), folder::date("now", "%Y-%m-%d %H:%M:%S"));
    let host = rustix::system::uname();
    format!("the referee with pid {pid} on {}, since {since},", host.nodename().to_string_lossy())
}
