//! The default place of results: a file per run under `.arbitre`.

use super::archive::Session;
pub use super::database::IN_MEMORY;
pub use super::lock::files_of;
pub use crate::config::sandbox_args::RESULTS as FOLDER;

use super::database::Database;
use super::error::{OpenError, StoreError};
use super::schema::MATCH;
use arbitre_games::diagnostics;
use arbitre_games::text::io_reason;
use arbitre_process::sys::refuse_link;
use rusqlite::{params_from_iter, Connection};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folder of the programs that were copied or built, below the folder of results.
pub const BUILDS: &str = "builds";
/// Start of the names of files of tournaments.
const TOURNAMENT: &str = "tournament-";
/// Number of players in a file name; more would make it long. Not tuned.
const NAMES: usize = 3;

/// Creates an empty file for a new match between these players. No other process receives the same
/// file.
///
/// # Errors
/// Returns an error if it cannot be created.
pub fn new_file(players: &[&str]) -> Result<PathBuf, StoreError> {
    let folder = Path::new(FOLDER);
    prepare(folder).map_err(StoreError::forbidden(folder))?;
    // Local time repeats an hour in autumn, and differs between a container and its host.
    let (now, names) = (utc("%Y-%m-%d-%H%M%fZ"), file_name(players));
    let numbered = (2..).map(|number| format!("{now}-{names}-{number}.db"));
    for name in std::iter::once(format!("{now}-{names}.db")).chain(numbered) {
        let path = folder.join(name);
        // Fails if the file exists, so that two referees never share one.
        match fs::File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::forbidden(&path)(error)),
        }
    }
    unreachable!("the numbers do not run out")
}

/// Returns the files of tournaments, ordered by name.
///
/// # Errors
/// Returns an error if the folder exists but cannot be read.
pub fn tournaments() -> Result<Vec<PathBuf>, StoreError> {
    let is_one = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TOURNAMENT))
    };
    let mut files: Vec<PathBuf> = stored()?.into_iter().map(|(_, path)| path).collect();
    files.retain(is_one);
    files.sort_unstable();
    Ok(files)
}

/// Returns the names that files of tournaments from a source of this name have, in the order in
/// which they are given.
///
/// # Errors
/// Returns an error if their folder cannot be created.
pub fn tournament_files(name: &str) -> Result<impl Iterator<Item = PathBuf>, StoreError> {
    let folder = Path::new(FOLDER);
    prepare(folder).map_err(StoreError::forbidden(folder))?;
    let name = file_name(&[name]);
    let numbered = (2..).map(move |number| format!("-{number}"));
    let numbered = std::iter::once(String::new()).chain(numbered);
    Ok(numbered.map(move |number| folder.join(format!("{TOURNAMENT}{name}{number}.db"))))
}

/// Returns the file of the evaluations of all tunings: none evaluates again what another did. Its
/// extension distinguishes it from matches.
///
/// # Errors
/// Returns an error if its folder cannot be created.
pub fn tuning_file() -> Result<PathBuf, StoreError> {
    let folder = Path::new(FOLDER);
    prepare(folder).map_err(StoreError::forbidden(folder))?;
    Ok(folder.join("tuning.evaluations"))
}

/// Creates the folder, and keeps it out of Git repositories.
fn prepare(folder: &Path) -> io::Result<()> {
    refuse_link(folder)?;
    fs::create_dir_all(folder)?;
    match fs::File::create_new(folder.join(".gitignore")) {
        Ok(mut ignore) => ignore.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns the local time of day.
pub fn time_of_day() -> Duration {
    let seconds = date("now", "%H %M %S");
    let parts = seconds.split(' ').map(|part| part.parse::<u64>().unwrap_or(0));
    Duration::from_secs(parts.fold(0, |sum, part| 60 * sum + part))
}

/// Returns the files of stored contests, each with the second of its last change, the last one
/// first.
fn stored() -> Result<Vec<(i64, PathBuf)>, StoreError> {
    let folder = Path::new(FOLDER);
    let entries = match refuse_link(folder).and_then(|()| fs::read_dir(folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(OpenError::Unreadable(io_reason(&error)).about(folder)),
    };
    let mut changed: HashMap<String, (i64, i64)> = HashMap::new();
    let mut names = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Until it is closed, a file changes in its log.
        let base = name.strip_suffix("-wal").unwrap_or(&name);
        // A link counts as the file to which it leads.
        let file = fs::metadata(entry.path()).ok();
        let Some(file) = file.filter(|_| base.ends_with(".db")) else { continue };
        let time = changed.entry(base.to_owned()).or_default();
        *time = (file.mtime(), file.mtime_nsec()).max(*time);
        // A referee that was killed at its start leaves an empty file, because the rollback journal
        // has its first transaction.
        if base.len() == name.len() && file.len() > 0 {
            names.push(name);
        }
    }
    names.sort_unstable_by_key(|name| Reverse(changed[name]));
    Ok(names.into_iter().map(|name| (changed[&name].0, folder.join(name))).collect())
}

/// Returns the start of the last session of a file; the time of its last change if no game has been
/// played.
fn begun(path: &Path, changed: i64) -> Result<i64, StoreError> {
    MATCH.refuse_foreign(path)?;
    Database::reading(path, |database| {
        MATCH.content(&database)?;
        let sql = "SELECT document FROM session ORDER BY number DESC LIMIT 1";
        let last: Vec<String> = database.column(sql)?;
        match last.first().map(|text| serde_json::from_str::<Session>(text)) {
            None => Ok(changed),
            Some(Ok(session)) => Ok(session.begun),
            Some(Err(error)) => Err(OpenError::Damaged(error.to_string()).about(path)),
        }
    })
}

/// Returns the stored contests, that whose last session began last first. A file that cannot be
/// read comes last.
///
/// # Errors
/// Returns an error if the folder exists but cannot be read.
pub fn all() -> Result<Vec<PathBuf>, StoreError> {
    let begun = |(changed, path): &(i64, PathBuf)| begun(path, *changed).unwrap_or(i64::MIN);
    let mut files = stored()?;
    files.sort_by_cached_key(|file| Reverse(begun(file)));
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// Returns the stored contest whose last session began last, if there is any. Files that cannot be
/// read are named on standard error.
///
/// # Errors
/// Returns the error of [`all`].
pub fn newest() -> Result<Option<PathBuf>, StoreError> {
    let mut newest: Option<(i64, PathBuf)> = None;
    for (changed, path) in stored()? {
        let begun_last = newest.as_ref().map_or(i64::MIN, |(begun, _)| *begun);
        // A session begins before the last change of its file, so none of the others began later.
        if begun_last > changed {
            break;
        }
        match begun(&path, changed) {
            Ok(begun) if begun > begun_last => newest = Some((begun, path)),
            Ok(_) => {}
            Err(error) => diagnostics::print(format_args!("warning: {error}\n")),
        }
    }
    Ok(newest.map(|(_, path)| path))
}

/// Formats a moment in local time: `now`, or seconds since 1970.
pub fn date(moment: &str, format: &str) -> String {
    let epoch = if moment == "now" { "auto" } else { "unixepoch" };
    formatted("SELECT strftime(?, ?, ?, 'localtime')", &[format, moment, epoch])
}

/// Formats the time now in UTC.
fn utc(format: &str) -> String {
    formatted("SELECT strftime(?, 'now')", &[format])
}

fn formatted(sql: &str, words: &[&str]) -> String {
    let format = || -> rusqlite::Result<String> {
        Connection::open_in_memory()?.query_row(sql, params_from_iter(words), |row| row.get(0))
    };
    format().expect("SQLite formats dates")
}

/// Returns the players as part of a file name.
fn file_name(players: &[&str]) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let name = |player: &&str| player.chars().take(24).map(plain).collect::<String>();
    let mut names: Vec<String> = players.iter().take(NAMES).map(name).collect();
    if players.len() > NAMES {
        names.push(format!("and-{}-more", players.len() - NAMES));
    }
    names.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        assert_eq!(file_name(&["awele", "mon bot/é"]), "awele-mon-bot--");
        assert_eq!(file_name(&["a", "b", "c", "d", "e"]), "a-b-c-and-2-more");
    }

    #[test]
    fn dates_are_formatted() {
        assert_eq!(date("now", "%Y").len(), 4);
        assert_eq!(date("10000000", "%Y"), "1970");
    }
}
