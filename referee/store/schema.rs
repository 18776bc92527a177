//! The tables, and how a file says that it is ours.

use super::{StoreError, Why};
use rusqlite::{Connection, Transaction};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What the header of our files says: "Arbi".
const APPLICATION: i32 = 0x4172_6269;
/// The format of the tables.
const FORMAT: i32 = 1;

/// A number at each ply stands for the seat in `seats`, for nanoseconds in `times`; `comments` and
/// `stderr` are JSON by ply, `faults` and `entrances` are JSON.
const TABLES: &str = "
    CREATE TABLE charter (document TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE session (
        number INTEGER PRIMARY KEY, document TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE game (
        number INTEGER PRIMARY KEY, session INTEGER NOT NULL, setup TEXT NOT NULL,
        entrances TEXT NOT NULL, seats TEXT NOT NULL, moves TEXT NOT NULL, times TEXT NOT NULL,
        comments TEXT NOT NULL, stderr TEXT NOT NULL, faults TEXT NOT NULL, scores TEXT NOT NULL,
        out TEXT NOT NULL, duration INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE ledger (games INTEGER NOT NULL, digest INTEGER NOT NULL);
    INSERT INTO ledger VALUES (0, 0);
";

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Nothing yet: a new file, or one whose first moment was cut off.
    Nothing,
    /// A match.
    Match,
}

/// Lays the tables.
pub fn lay(transaction: &Transaction) -> rusqlite::Result<()> {
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.execute_batch(TABLES)
}

/// Refuses what can be seen not to be ours before anything is opened, locked or written: a folder,
/// another kind of file, another program's database. A file that is not there is none of these.
///
/// # Errors
/// If it is one of these.
pub fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    if path.is_dir() {
        return Err(Why::Folder.about(path));
    }
    // Reading a pipe or a device would wait, or never end.
    if path.exists() && !path.is_file() {
        return Err(Why::Foreign.about(path));
    }
    let header = match read_header(path) {
        Ok(header) => header,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Why::Unreadable(error.to_string()).about(path)),
    };
    // As long as all is in the journal, the header names no application.
    let application = header.get(68..72).map(|bytes| bytes.try_into().map(i32::from_be_bytes));
    let is_ours = matches!(application, Some(Ok(0 | APPLICATION)));
    match header.is_empty() || header.starts_with(MAGIC) && is_ours {
        true => Ok(()),
        false => Err(Why::Foreign.about(path)),
    }
}

/// The first hundred bytes, or as many as there are.
fn read_header(path: &Path) -> io::Result<Vec<u8>> {
    let mut header = Vec::new();
    File::open(path)?.take(100).read_to_end(&mut header)?;
    Ok(header)
}

/// What this file is.
///
/// # Errors
/// If it is not ours, or of a newer format.
pub fn content(connection: &Connection, path: &Path) -> Result<Content, StoreError> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    let header = || -> rusqlite::Result<(i32, i32, i32)> {
        let tables = number("SELECT count(*) FROM sqlite_master")?;
        Ok((number("PRAGMA application_id")?, number("PRAGMA user_version")?, tables))
    };
    match header().map_err(StoreError::of(path))? {
        (0, 0, 0) => Ok(Content::Nothing),
        (APPLICATION, FORMAT, _) => Ok(Content::Match),
        (APPLICATION, newer, _) if newer > FORMAT => Err(Why::Newer(newer, FORMAT).about(path)),
        _ => Err(Why::Foreign.about(path)),
    }
}
