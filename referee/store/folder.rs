//! The default place of results: a file per run under `.arbitre`.

use super::error::{OpenError, StoreError};
use arbitre_games::text::io_reason;
use rusqlite::Connection;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folder of results, below the folder in which the referee runs.
pub const FOLDER: &str = ".arbitre";
/// Name of a database in memory, which is never written.
pub const IN_MEMORY: &str = ":memory:";
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
    let (now, names) = (date("now", "%Y-%m-%d-%H%M%f"), file_name(players));
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

/// Returns the file of a tournament, whose name it bears, so that the same command continues it.
///
/// # Errors
/// Returns an error if its folder cannot be created.
pub fn tournament_file(name: &str) -> Result<PathBuf, StoreError> {
    let folder = Path::new(FOLDER);
    prepare(folder).map_err(StoreError::forbidden(folder))?;
    Ok(folder.join(format!("tournament-{}.db", file_name(&[name]))))
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
    fs::create_dir_all(folder)?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    Ok(())
}

/// Returns the local time of day.
pub fn time_of_day() -> Duration {
    let seconds = date("now", "%H %M %S");
    let parts = seconds.split(' ').map(|part| part.parse::<u64>().unwrap_or(0));
    Duration::from_secs(parts.fold(0, |sum, part| 60 * sum + part))
}

/// Returns the files of a database: itself, and what SQLite keeps beside it.
pub fn files_of(database: &Path) -> Vec<PathBuf> {
    let path = std::path::absolute(database).unwrap_or_else(|_| database.into());
    let beside = |ending: &str| {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    ["", "-wal", "-shm", "-journal"].map(beside).into()
}

/// Returns the stored matches, the newest first.
///
/// # Errors
/// Returns an error if the folder exists but cannot be read.
pub fn all() -> Result<Vec<PathBuf>, StoreError> {
    let folder = Path::new(FOLDER);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(OpenError::Unreadable(io_reason(&error)).about(folder)),
    };
    // A referee that was killed at its start leaves an empty file, because its first transaction is
    // written by the rollback journal.
    let is_stored = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "db")
            && path.metadata().is_ok_and(|file| file.len() > 0)
    };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_stored).collect();
    // The names begin with the date, to the millisecond.
    files.sort_unstable_by(|a, b| b.cmp(a));
    Ok(files)
}

/// Returns the newest stored match, if there is any.
///
/// # Errors
/// Returns the error of [`all`].
pub fn newest() -> Result<Option<PathBuf>, StoreError> {
    Ok(all()?.into_iter().next())
}

/// Formats a moment in local time: `now`, or seconds since 1970.
pub fn date(moment: &str, format: &str) -> String {
    let format_with = || -> rusqlite::Result<String> {
        let epoch = if moment == "now" { "auto" } else { "unixepoch" };
        let sql = "SELECT strftime(?, ?, ?, 'localtime')";
        Connection::open_in_memory()?.query_row(sql, [format, moment, epoch], |row| row.get(0))
    };
    format_with().expect("SQLite formats dates")
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
