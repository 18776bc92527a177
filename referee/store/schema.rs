//! The tables, and the marks by which a file is recognised as ours.

use super::database::Database;
use super::error::{OpenError, StoreError};
use super::lock::{is_locked, Lock};
use super::mark;
use crate::escape::escape;
use arbitre_games::files;
use rusqlite::{OpenFlags, Transaction};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Beginning of an SQLite database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Kind of file.
pub struct FileFormat {
    /// Content of such a file, for messages.
    what: &'static str,
    /// Application ID in its header.
    application: i32,
    /// Oldest version of its tables that is read and written.
    oldest: i32,
    /// Version of its tables in new files.
    version: i32,
    tables: &'static str,
}

/// Format of a match, with the application ID "Arbi".
pub const MATCH: FileFormat = FileFormat {
    what: "a match",
    application: 0x4172_6269,
    oldest: 2,
    version: 3,
    tables: MATCH_TABLES,
};
/// Format of the evaluations of tunings, with the application ID "ArbT".
pub const TUNING: FileFormat = FileFormat {
    what: "evaluations of tunings",
    application: 0x4172_6254,
    oldest: 1,
    version: 1,
    tables: TUNING_TABLES,
};

/// Format of a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Format {
    /// Format of the versions up to November 2026. It lacks the columns `notes` and `texts`, the
    /// table `void` and the mark of the ledger; its stages have indices of players.
    Two,
    /// Current format.
    Three,
}

/// Tables of a match. Every row ends with its checksum; that of a row of `moves` is a column of
/// its game.
///
/// `stage` has the meetings of each stage of a tournament in which they depend on results or on the
/// players of the day. A row without meetings notes the players that take part no more from then
/// on. Both have the identities of the players. `void` has the attempts that are no game. `token`
/// and `log` are the mark of the file: see `mark.rs`.
///
/// A game is identified by its round and the versions on its seats. In `game`, `versions`,
/// `seeds`, `clock`, `scores`, `ranks` and `times` have a value per seat. `ending` is `rules`, or
/// the word of a fault or of an adjudication. `times` is the number of
/// moves, their total and the longest in microseconds. In `moves`, `wall`, `cpu` and `wait` are
/// variable-length numbers of microseconds per ply; `comments` and `stderr` are JSON by ply,
/// `faults`, `starts` and `notes` are JSON; `texts` is compressed JSON by position.
const MATCH_TABLES: &str = "
    CREATE TABLE match (document TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE player (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
        checksum INTEGER NOT NULL);
    CREATE TABLE version (
        id INTEGER PRIMARY KEY, player INTEGER NOT NULL, digest TEXT NOT NULL,
        command TEXT NOT NULL, dialect TEXT NOT NULL, limits TEXT NOT NULL,
        environment TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE session (
        number INTEGER PRIMARY KEY, document TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE game (
        number INTEGER PRIMARY KEY, round INTEGER NOT NULL, rotation INTEGER NOT NULL,
        versions TEXT NOT NULL, seeds BLOB NOT NULL, session INTEGER NOT NULL,
        clock TEXT NOT NULL, sandbox TEXT NOT NULL, scores TEXT NOT NULL, out TEXT NOT NULL,
        ranks TEXT NOT NULL, ending TEXT NOT NULL, faults TEXT NOT NULL, times TEXT NOT NULL,
        fingerprint INTEGER NOT NULL, duration INTEGER NOT NULL, moves INTEGER NOT NULL,
        checksum INTEGER NOT NULL, UNIQUE (round, versions));
    CREATE TABLE moves (
        number INTEGER PRIMARY KEY, setup TEXT NOT NULL, starts TEXT NOT NULL, seats TEXT NOT NULL,
        moves TEXT NOT NULL, wall BLOB NOT NULL, cpu BLOB NOT NULL, wait BLOB NOT NULL,
        comments TEXT NOT NULL, stderr TEXT NOT NULL, faults TEXT NOT NULL, notes TEXT NOT NULL,
        texts BLOB NOT NULL);
    CREATE TABLE void (
        round INTEGER NOT NULL, versions TEXT NOT NULL, session INTEGER NOT NULL,
        reason TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE stage (
        number INTEGER PRIMARY KEY, document TEXT NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE ledger (
        games INTEGER NOT NULL, digest INTEGER NOT NULL, next INTEGER NOT NULL,
        token INTEGER NOT NULL, log INTEGER NOT NULL);
    INSERT INTO ledger VALUES (0, 0, 0, 0, 0);
";

/// Tables of format 2 that are others.
const TABLES_OF_FORMAT_2: &str = "
    CREATE TABLE moves (
        number INTEGER PRIMARY KEY, setup TEXT NOT NULL, starts TEXT NOT NULL, seats TEXT NOT NULL,
        moves TEXT NOT NULL, wall BLOB NOT NULL, cpu BLOB NOT NULL, wait BLOB NOT NULL,
        comments TEXT NOT NULL, stderr TEXT NOT NULL, faults TEXT NOT NULL);
    CREATE TABLE ledger (games INTEGER NOT NULL, digest INTEGER NOT NULL, next INTEGER NOT NULL);
";

/// Tables of SQLite itself, which other programs may add.
const TABLES_OF_SQLITE: &str = "
    CREATE TABLE sqlite_stat1(tbl,idx,stat);
    CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample);
";

/// Tables of evaluations. A trial is everything that an evaluation depends on, except its start:
/// the document names game, command and opponents. `score` is NULL where the end was not reached,
/// and in half points in games of several seats. `spent` is in nanoseconds.
const TUNING_TABLES: &str = "
    CREATE TABLE trial (number INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE);
    CREATE TABLE instance (number INTEGER PRIMARY KEY, setup TEXT NOT NULL UNIQUE);
    CREATE TABLE evaluation (
        trial INTEGER NOT NULL, instance INTEGER NOT NULL, seat INTEGER NOT NULL,
        seeds TEXT NOT NULL, score INTEGER, spent INTEGER NOT NULL, fault TEXT,
        checksum INTEGER NOT NULL, PRIMARY KEY (trial, instance, seat, seeds)) WITHOUT ROWID;
";

/// Content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// No tables: the file is new, or was cut off at its start.
    Nothing,
    /// The tables of this version of its format.
    Tables(i32),
}

impl FileFormat {
    /// Opens a file for writing, and returns its content. The file is not changed yet: see
    /// [`Database::own`]. `holder` describes this process to others.
    ///
    /// # Errors
    /// Returns an error if it is of another format, is being written, or cannot be written.
    pub fn open(&self, path: &Path, holder: &str) -> Result<(Database, Lock, Content), StoreError> {
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                return Err(OpenError::NoFolder(folder.into()).about(path));
            }
            _ => self.refuse_foreign(path)?,
        }
        mark::refuse_orphan(&real(path)).map_err(|why| why.about(path))?;
        // The canonical path gives all names of a file the same lock.
        let lock = Lock::take(&real(path), holder).map_err(|why| why.about(path))?;
        mark::check(&real(path), false).map_err(|why| why.about(path))?;
        let database = Database::connect(path, OpenFlags::default())?;
        let content = self.content(&database)?;
        Ok((database, lock, content))
    }

    /// Creates the tables.
    pub fn lay(&self, transaction: &Transaction) -> rusqlite::Result<()> {
        transaction.pragma_update(None, "application_id", self.application)?;
        transaction.pragma_update(None, "user_version", self.version)?;
        transaction.execute_batch(self.tables)
    }

    /// Refuses files that are visibly not ours, before anything is opened, locked or written: a
    /// folder, another kind of file, another program's database. A missing file is accepted.
    ///
    /// # Errors
    /// Returns an error if the path is one of these, or cannot be read.
    pub fn refuse_foreign(&self, path: &Path) -> Result<(), StoreError> {
        if path.is_dir() {
            return Err(OpenError::Folder.about(path));
        }
        // A read from a pipe or a device would wait, or never end.
        if path.exists() && !path.is_file() {
            return Err(OpenError::Foreign.about(path));
        }
        let header = match read_header(path) {
            Ok(header) => header,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(OpenError::Unreadable(error.to_string()).about(path)),
        };
        // The header has the application ID at byte 68. It is 0 as long as everything is in the
        // journal.
        let application = header.get(68..72).map(|bytes| bytes.try_into().map(i32::from_be_bytes));
        match application {
            None if header.is_empty() => Ok(()),
            Some(Ok(application)) if header.starts_with(MAGIC) => self.recognise(application, path),
            _ => Err(OpenError::Foreign.about(path)),
        }
    }

    /// Refuses the file of another application. A file that names none may still be ours.
    fn recognise(&self, application: i32, path: &Path) -> Result<(), StoreError> {
        if application == 0 || application == self.application {
            return Ok(());
        }
        let other = [&MATCH, &TUNING].into_iter().find(|other| other.application == application);
        Err(other.map_or(OpenError::Foreign, |other| OpenError::Other(other.what)).about(path))
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Returns an error if it is not ours, or if its format is not the current one.
    pub fn content(&self, database: &Database) -> Result<Content, StoreError> {
        let path = database.path();
        let (application, version, parts) = database.query(|connection| {
            let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
            // The library panics at the name of a column that is not UTF-8.
            let mut parts = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
            let parts = parts.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let parts =
                parts.collect::<rusqlite::Result<Vec<(String, String, Option<String>)>>>()?;
            Ok((number("PRAGMA application_id")?, number("PRAGMA user_version")?, parts))
        })?;
        match (application, version, parts.len()) {
            (0, 0, 0) => return Ok(Content::Nothing),
            (0, ..) => return Err(OpenError::Foreign.about(path)),
            _ => self.recognise(application, path)?,
        }
        if version > self.version {
            Err(OpenError::Newer(version, self.version).about(path))
        } else if version < self.oldest {
            Err(OpenError::Older(version, self.version).about(path))
        } else if let Some((kind, name, _)) = parts.iter().find(|part| !self.has(part)) {
            let what = format!("it has the {kind} '{name}', which no referee makes");
            Err(OpenError::Damaged(escape(&what)).about(path))
        } else {
            Ok(Content::Tables(version))
        }
    }

    /// Returns `true` if a row of the schema is ours. A view, a trigger, a generated column or an
    /// index with an expression would run statements of others.
    fn has(&self, (kind, name, sql): &(String, String, Option<String>)) -> bool {
        let plain = |sql: &str| sql.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let lists = [self.tables, TABLES_OF_FORMAT_2, TABLES_OF_SQLITE];
        let mut own = lists.into_iter().flat_map(|tables| tables.split(';'));
        match (&kind[..], sql) {
            ("index", None) => name.starts_with("sqlite_autoindex_"),
            ("table", Some(sql)) => own.any(|table| plain(table) == plain(sql)),
            _ => false,
        }
    }
}

/// Returns `true` if the file holds results or evaluations.
pub fn is_ours(path: &Path) -> bool {
    let header = read_header(path).unwrap_or_default();
    let ids = [&MATCH, &TUNING].map(|other| other.application.to_be_bytes());
    header.starts_with(MAGIC)
        && header.get(68..72).is_some_and(|id| ids.iter().any(|own| own == id))
}

/// Returns `true` if a referee is writing this file.
pub fn is_written(path: &Path) -> bool {
    is_locked(&real(path))
}

/// Returns the first hundred bytes, or all of a shorter file.
fn read_header(path: &Path) -> io::Result<Vec<u8>> {
    let mut header = Vec::new();
    files::open(path)?.take(100).read_to_end(&mut header)?;
    Ok(header)
}

/// Returns the canonical path of a file that may have several names.
pub(super) fn real(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // The file may not exist yet: then its folder is resolved.
    let in_real_folder =
        || Some(fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(name));
    fs::canonicalize(path).ok().or_else(in_real_folder).unwrap_or_else(|| path.into())
}
