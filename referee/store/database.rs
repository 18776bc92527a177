//! A database: an open file, or memory. One referee writes a file, in transactions.

use super::error::{plain, OpenError, StoreError};
use super::journal::{pages_of_log, Journal};
use super::lock::{files_of, is_same_file, Lock};
use super::mark;
use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use rusqlite::types::FromSql;
use rusqlite::{Connection, OpenFlags, Transaction};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::time::Duration;

/// Name of a database in memory, which is never written.
pub const IN_MEMORY: &str = ":memory:";
/// Time that a reader or writer waits for another one. Not tuned.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time that a closing writer waits for readers before it leaves the journal as it is. Not tuned.
const TIDY: Duration = Duration::from_millis(100);

/// Number of steps of SQLite's machine between two counts. Not tuned.
const STEPS: i32 = 10_000;
/// Steps that a query may take in any file. Not tuned.
const FREE_STEPS: u64 = 1_000_000;
/// Further steps of a query for each byte of the file. Ours take less than one: a row has a hundred
/// bytes, and its reading some fifty steps.
const STEPS_PER_BYTE: u64 = 10;

/// Connection to a database, with its path.
///
/// The fields are dropped in this order, so the lock outlives the connection.
pub struct Database {
    pub(super) connection: Connection,
    /// Path for messages, as the user gave it.
    path: PathBuf,
    /// Path that stays valid when this process enters another folder.
    absolute: PathBuf,
    /// File that is written; none if the database is only read, or in memory.
    file: Option<WrittenFile>,
    /// Write-ahead log of the file.
    log: Option<WrittenLog>,
    /// Steps of the current query, in units of [`STEPS`].
    steps: Arc<AtomicU64>,
}

/// Write-ahead log that this process writes.
struct WrittenLog {
    /// Number of pages after the last commit.
    pages: Arc<AtomicI64>,
    /// Number of pages before a checkpoint.
    most: i64,
    /// Whether the ledger has a mark of it.
    is_marked: bool,
}

/// File that only this process writes to.
struct WrittenFile {
    /// Metadata when the file was opened, to detect that its path names another file.
    metadata: Metadata,
    _lock: Lock,
}

impl Database {
    /// Connects to a file, without becoming its writer.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened.
    pub fn connect(path: &Path, flags: OpenFlags) -> Result<Database, StoreError> {
        let open = || {
            let connection = Connection::open_with_flags(plain(path), flags)?;
            connection.busy_timeout(PATIENCE)?;
            // A file of others may have any of these; ours have none.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
            // Only a writer removes the log, as it clears the mark of the file.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            Ok(connection)
        };
        let mut connection = open().map_err(StoreError::of(path))?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.into());
        let steps = limit_steps(&mut connection, &absolute).map_err(StoreError::of(path))?;
        Ok(Database { connection, path: path.into(), absolute, file: None, log: None, steps })
    }

    /// Opens a file and reads it. A referee that was killed in a transaction left one that must be
    /// rolled back first.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, and the errors of `read`.
    pub fn reading<T>(
        path: &Path,
        read: impl Fn(Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let read_with = |access: OpenFlags| {
            read(Database::connect(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?)
        };
        match read_with(OpenFlags::SQLITE_OPEN_READ_ONLY) {
            Err(StoreError { why: OpenError::CutOff, .. }) => {
                read_with(OpenFlags::SQLITE_OPEN_READ_WRITE)
            }
            read => read,
        }
    }

    /// Copies a file as it is at one moment to a new file. Another process may be writing it.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or the copy written.
    pub fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
        Database::reading(from, |mut database| {
            // Every page is read and written, which is no sign of a hostile file.
            let unbounded = database.connection.progress_handler(0, None::<fn() -> bool>);
            unbounded.map_err(StoreError::of(from))?;
            let sql = "VACUUM INTO ?";
            let copied = database.connection.execute(sql, [to.to_string_lossy()]);
            copied.map(drop).map_err(StoreError::of(from))
        })?;
        // The copy has no log.
        Connection::open(to).and_then(|copy| mark::clear(&copy)).map_err(StoreError::of(to))
    }

    /// Creates a database in memory, which is lost when it is dropped.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub fn in_memory() -> Result<Database, StoreError> {
        let path = PathBuf::from(IN_MEMORY);
        let connection = Connection::open_in_memory().map_err(StoreError::of(&path))?;
        let (absolute, steps) = (path.clone(), Arc::default());
        Ok(Database { connection, absolute, path, file: None, log: None, steps })
    }

    /// Makes this the only writer of its file, as long as it lives.
    ///
    /// # Errors
    /// Returns an error if the file is gone.
    pub fn own(&mut self, lock: Lock) -> Result<(), StoreError> {
        let metadata = fs::metadata(&self.path).map_err(StoreError::forbidden(&self.path))?;
        self.file = Some(WrittenFile { metadata, _lock: lock });
        Ok(())
    }

    /// Returns `true` if this is the writer of a file.
    pub fn is_written(&self) -> bool {
        self.file.is_some()
    }

    /// Returns the path of the file, or a word for memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Chooses the journal mode that the place of the file allows, and sets it. If `durable`, every
    /// commit survives a power failure. If `marked`, the ledger has the mark of a log.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn choose_journal(&mut self, durable: bool, marked: bool) -> Result<Journal, StoreError> {
        let journal = Journal::choose(&self.absolute);
        self.query(|connection| match marked && journal == Journal::Wal {
            true => mark::begin(connection, &|| journal.set(connection, durable)),
            false => journal.set(connection, durable),
        })?;
        if journal == Journal::Wal {
            let (pages, most) = (Arc::new(AtomicI64::new(0)), pages_of_log(&self.connection));
            let counted = pages.clone();
            // In place of the library's own checkpoints, which write no mark before.
            let count = move |_: &mut Wal, pages| {
                counted.store(i64::from(pages), Relaxed);
                Ok(())
            };
            self.connection.wal_hook(Some(count)).map_err(StoreError::of(&self.path))?;
            self.log = Some(WrittenLog { pages, most, is_marked: marked });
        }
        Ok(journal)
    }

    /// Begins a read-only transaction, which sees a snapshot of one moment.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn moment(&self) -> Result<Transaction<'_>, StoreError> {
        self.connection.unchecked_transaction().map_err(StoreError::of(&self.path))
    }

    /// Runs statements without opening a transaction.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn query<T>(
        &self,
        run: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.steps.store(0, Relaxed);
        run(&self.connection).map_err(StoreError::of(&self.path))
    }

    /// Returns the first column of the only row.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn value<T: FromSql>(&self, sql: &str) -> Result<T, StoreError> {
        self.query(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// Returns the first column of all rows.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn column<T: FromSql>(&self, sql: &str) -> Result<Vec<T>, StoreError> {
        self.query(|connection| {
            let mut statement = connection.prepare(sql)?;
            let values = statement.query_map([], |row| row.get(0))?;
            values.collect()
        })
    }

    /// Runs a transaction, if the path still names the file that was opened.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or is gone.
    pub fn transact<T>(
        &self,
        change: &dyn Fn(&Transaction) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        // Writes to a removed file would succeed, and be lost.
        let is_still_there = |file: &WrittenFile| {
            fs::metadata(&self.absolute).is_ok_and(|there| is_same_file(&file.metadata, &there))
        };
        if !self.file.as_ref().is_none_or(is_still_there) {
            return Err(self.error(OpenError::Gone));
        }
        self.steps.store(0, Relaxed);
        let write = || {
            let transaction = self.connection.unchecked_transaction()?;
            let changed = change(&transaction)?;
            transaction.commit().map(|()| changed)
        };
        let is_full = |error: &rusqlite::Error| {
            error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
        };
        let written = match write() {
            // The log may hold more pages than the file needs: once they are in the file, the log
            // begins anew.
            Err(error) if is_full(&error) && self.checkpoint() => write(),
            written => written,
        };
        let changed = written.map_err(|error| self.error(OpenError::of_writing(&error)))?;
        self.shorten_log();
        Ok(changed)
    }

    /// Moves the pages of a long log to the file. The log stays as it is if that is not possible.
    fn shorten_log(&self) {
        let Some(log) = self.log.as_ref().filter(|log| log.pages.load(Relaxed) >= log.most) else {
            return;
        };
        let noted = if log.is_marked { mark::note_checkpoint(&self.connection) } else { Ok(()) };
        let moved = noted.and_then(|()| {
            self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))
        });
        if let Err(error) = moved {
            log::debug!("the log of {} stays long: {error}", self.path.display());
        }
    }

    /// Moves the pages of the write-ahead log to the file. Returns `false` if that is not possible.
    fn checkpoint(&self) -> bool {
        let busy = |row: &rusqlite::Row| row.get::<_, i64>(0);
        self.connection
            .query_row("PRAGMA wal_checkpoint(RESTART)", [], busy)
            .is_ok_and(|busy| busy == 0)
    }

    /// Attaches the path of this database to a reason.
    pub fn error(&self, why: OpenError) -> StoreError {
        why.about(&self.path)
    }
}

/// Ends queries that take more steps than the rows of the file at `path` can need. Pages that lead
/// back to others make a table endless. Returns the count of the current query.
fn limit_steps(connection: &mut Connection, path: &Path) -> rusqlite::Result<Arc<AtomicU64>> {
    let steps = Arc::new(AtomicU64::new(0));
    let (counted, files) = (steps.clone(), files_of(path));
    let (mut limit, unit) = (0, u64::from(STEPS.unsigned_abs()));
    let is_too_far = move || {
        let taken = counted.fetch_add(1, Relaxed) * unit;
        if taken >= limit {
            // The file may have grown.
            let bytes = files.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len());
            limit = FREE_STEPS + bytes.sum::<u64>().saturating_mul(STEPS_PER_BYTE);
        }
        taken >= limit
    };
    connection.progress_handler(STEPS, Some(is_too_far))?;
    Ok(steps)
}

/// Returns a written database to one file, which can be read where nothing can be written.
impl Drop for Database {
    fn drop(&mut self) {
        if !self.is_written() {
            return;
        }
        // A log whose mark stays, for example on a full disk, stays too.
        let cleared = match mark::clear(&self.connection) {
            Err(_) if self.checkpoint() => mark::clear(&self.connection),
            cleared => cleared,
        };
        let tidied = cleared
            .and_then(|()| self.connection.busy_timeout(TIDY))
            .and_then(|()| self.connection.pragma_update(None, "journal_mode", "delete"));
        if let Err(error) = tidied {
            log::debug!("the journal stays beside {}: {error}", self.path.display());
        }
    }
}
