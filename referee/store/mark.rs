//! Mark in a file that is written through a write-ahead log (WAL). It reveals a log that is missing
//! or belongs to another file.
//!
//! The row of the ledger has a random number for each time that a log is begun. Each commit writes
//! this row, so that every log has it, and the main file has it before the first game is
//! acknowledged. Therefore the row of the main file alone and the row read through the log agree.
//!
//! Before each checkpoint, the referee writes the number of games to the row, and a clean close
//! clears it. A main file without a log whose number is that of its games may thus lack the games
//! that followed the checkpoint. One with another number has been closed by another program, which
//! moved all games from the log to the file.

use super::error::{plain, OpenError};
use super::lock::with_ending;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Number of looks at a file that may be closed or begun meanwhile. Not tuned.
const LOOKS: usize = 5;
/// Byte of the header of a database with the version of its journal: 2 for a write-ahead log.
const JOURNAL_BYTE: usize = 18;

/// State of a log that is begun. A larger number is that of the games at the last checkpoint, plus
/// [`CHECKPOINT`].
const BEGINNING: i64 = 1;
/// State of a log whose last checkpoint was without games.
const CHECKPOINT: i64 = 2;

/// Marks the file as having a log, which is begun.
pub fn begin(
    connection: &Connection,
    begin: &dyn Fn() -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let sql = "SELECT token FROM ledger";
    let mut token: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    // The log of a referee that was killed goes on.
    if token == 0 {
        token = i64::from(getrandom::u32().expect("Linux has random numbers")) + 1;
        connection.execute("UPDATE ledger SET token = ?, log = ?", [token, BEGINNING])?;
    }
    begin()?;
    note_checkpoint(connection)?;
    // The main file must have the mark before the first game is acknowledged.
    connection.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(()))
}

/// Writes the number of games to the mark. A checkpoint of the log must follow.
pub fn note_checkpoint(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("UPDATE ledger SET log = games + ?", [CHECKPOINT]).map(drop)
}

/// Clears the mark before a clean close. Files without one stay as they are.
pub fn clear(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "UPDATE ledger SET token = 0, log = 0 WHERE token <> 0";
    match connection.execute(sql, []) {
        // No such column, or no such table.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => Ok(()),
        cleared => cleared.map(drop),
    }
}

/// Returns the path of the log of a database.
pub fn log_of(database: &Path) -> PathBuf {
    with_ending(database, "-wal")
}

/// Returns `true` if there is a log with content.
fn has_log(database: &Path) -> bool {
    log_of(database).metadata().is_ok_and(|log| log.len() > 0)
}

/// Checks that a new database does not take the log of another one for its own.
///
/// # Errors
/// Returns an error if there is a log without its database.
pub fn refuse_orphan(database: &Path) -> Result<(), OpenError> {
    let is_new = database.metadata().map_or(true, |file| file.len() == 0);
    match is_new && has_log(database) {
        true => Err(OpenError::Orphan(log_of(database))),
        false => Ok(()),
    }
}

/// Returns the reason for a database that is not there, whose log may have stayed.
pub fn of_missing(database: &Path) -> OpenError {
    refuse_orphan(database).err().unwrap_or(OpenError::Missing)
}

/// Checks the log of a database, named by its canonical path, that this process has not opened yet.
/// `is_written` says whether another referee may write it.
///
/// # Errors
/// Returns an error if the log belongs to another file, or if it is missing and held games.
pub fn check(database: &Path, is_written: bool) -> Result<(), OpenError> {
    let mut header = [0; JOURNAL_BYTE + 1];
    let is_logged = File::open(database).and_then(|mut file| file.read_exact(&mut header)).is_ok()
        && header[JOURNAL_BYTE] == 2;
    if !is_logged && !has_log(database) {
        return Ok(());
    }
    let mut found = Ok(());
    for _ in 0..LOOKS {
        let Some(alone) = read(database, true) else { return Ok(()) };
        let Mark { token, state, games, next } = alone;
        found = match has_log(database) {
            false if state == CHECKPOINT + games.cast_signed() => Err(OpenError::NoLog(games)),
            false => Ok(()),
            true => match read(database, false) {
                // A close that was cut off has cleared the mark in the log alone.
                Some(through) if through.token != token && through.token != 0 => {
                    Err(OpenError::ForeignLog(log_of(database)))
                }
                // Numbers of games only grow.
                Some(through) if through.next < next => Err(OpenError::OldLog(log_of(database))),
                _ => Ok(()),
            },
        };
        // The writer may have closed the file, or begun its log, between the two looks.
        if found.is_ok() || is_written && !has_log(database) {
            return Ok(());
        }
    }
    found
}

/// Mark of a log, with the counts of the ledger.
struct Mark {
    /// Random number of the log; 0 without one.
    token: i64,
    /// State of the log.
    state: i64,
    /// Number of games.
    games: u64,
    /// Number above all that games have had.
    next: i64,
}

/// Reads the mark in the main file alone, or through its log. `None` where there is none, as in
/// files of format 2.
fn read(database: &Path, alone: bool) -> Option<Mark> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match alone {
        false => Connection::open_with_flags(plain(database), flags),
        true => {
            let path = fs::canonicalize(database).ok()?;
            let text: String = path.to_str()?.chars().map(escaped).collect();
            let uri = format!("file:{text}?immutable=1");
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)
        }
    };
    let sql = "SELECT token, log, games, next FROM ledger";
    let read = |row: &rusqlite::Row| {
        let games = row.get::<_, i64>(2)?.cast_unsigned();
        Ok(Mark { token: row.get(0)?, state: row.get(1)?, games, next: row.get(3)? })
    };
    match connection.and_then(|connection| connection.query_row(sql, [], read)) {
        Ok(found) => Some(found),
        // Pages of another file need not even be a database.
        Err(error) if !alone && is_damage(&error) => {
            Some(Mark { token: -1, state: 0, games: 0, next: i64::MAX })
        }
        Err(_) => None,
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

/// Returns a character of a path as a URI has it.
fn escaped(c: char) -> String {
    match c {
        '%' | '?' | '#' => format!("%{:02x}", c as u32),
        c => c.to_string(),
    }
}
