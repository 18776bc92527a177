//! A file that is written: by one referee, from one thread, a transaction per game.

use super::archive::{Archive, Session, PATIENCE};
use super::journal::Journal;
use super::lock::Lock;
use super::row::Row;
use super::schema::{content, lay, refuse_foreign, Content};
use super::{folder, StoreError, Why};
use crate::referee::charter::Charter;
use crate::referee::record::Record;
use rusqlite::{params, Connection, Transaction};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// How long the end of a match waits for readers before it leaves the journal as it is.
const TIDY: Duration = Duration::from_millis(100);

/// A match to which games are added.
pub struct Writer {
    archive: Archive,
    /// The number of the last session that has games.
    session: i64,
    /// The session that begins with the next game.
    next_session: Option<Session>,
    games: u64,
    digest: u32,
    /// Held as long as this lives; nothing for a database in memory.
    _lock: Option<Lock>,
}

impl Writer {
    /// Begins a match in a file that is new or empty. `holder` tells others who writes.
    ///
    /// # Errors
    /// If the file holds anything, is being written, or cannot be written.
    pub fn create(path: &Path, charter: &Charter, holder: &str) -> Result<Writer, StoreError> {
        let (connection, lock, found) = open(path, holder)?;
        match found {
            Content::Match => Err(Why::Occupied.about(path)),
            Content::Nothing => Writer::begin(connection, path, charter, Some(lock)),
        }
    }

    /// Begins a match that is forgotten when it ends.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn in_memory(charter: &Charter) -> Result<Writer, StoreError> {
        let path = Path::new(folder::IN_MEMORY);
        let connection = Connection::open_in_memory().map_err(StoreError::of(path))?;
        Writer::begin(connection, path, charter, None)
    }

    /// Goes on with the match in a file; nothing, if the file holds none yet.
    ///
    /// # Errors
    /// If the file is missing, foreign, damaged, being written, or cannot be written.
    pub fn resume(path: &Path, holder: &str) -> Result<Option<Writer>, StoreError> {
        if !path.exists() {
            return Err(Why::Missing.about(path));
        }
        let (connection, lock, found) = open(path, holder)?;
        if found == Content::Nothing {
            return Ok(None);
        }
        let archive = Archive::of(connection, path)?;
        let ledger = archive.ledger()?;
        if ledger != archive.counted()? {
            return Err(Why::Damaged("games are missing".into()).about(path));
        }
        let session = archive.sessions()?.last_key_value().map_or(0, |(&number, _)| number);
        let ((games, digest), _lock) = (ledger, Some(lock));
        Ok(Some(Writer { archive, session, next_session: None, games, digest, _lock }))
    }

    /// The file and its lock, for a match that begins.
    fn begin(
        connection: Connection,
        path: &Path,
        charter: &Charter,
        lock: Option<Lock>,
    ) -> Result<Writer, StoreError> {
        let write = |connection: &Connection| -> rusqlite::Result<()> {
            let transaction = connection.unchecked_transaction()?;
            lay(&transaction)?;
            insert_document(&transaction, "INSERT INTO charter VALUES (?, ?)", charter)?;
            transaction.commit()
        };
        write(&connection).map_err(StoreError::of(path))?;
        let archive = Archive::of(connection, path)?;
        let (games, digest, next_session) = (0, 0, None);
        Ok(Writer { archive, session: 0, next_session, games, digest, _lock: lock })
    }

    /// The match as it stands.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Makes the match longer.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn extend(&mut self, games: u64) -> Result<(), StoreError> {
        let charter = Charter { games, ..self.archive.charter.clone() };
        self.write(|transaction| {
            let sql = "UPDATE charter SET document = ?, checksum = ?";
            insert_document(transaction, sql, &charter)
        })?;
        self.archive.agree(charter);
        Ok(())
    }

    /// All games from now on belong to this session.
    pub fn begin_session(&mut self, session: Session) {
        self.next_session = Some(session);
    }

    /// Adds a game. When this returns, the game is there whatever happens to this process.
    ///
    /// # Errors
    /// If the file cannot be written; it holds what it held before.
    pub fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        let session = self.session + i64::from(self.next_session.is_some());
        let row = Row::of(record, session);
        let (games, digest) = (self.games + 1, self.digest ^ row.checksum());
        self.write(|transaction| {
            if let Some(begun) = &self.next_session {
                let sql = format!("INSERT INTO session VALUES ({session}, ?, ?)");
                insert_document(transaction, &sql, begun)?;
            }
            row.insert(transaction)?;
            let mut ledger =
                transaction.prepare_cached("UPDATE ledger SET games = ?, digest = ?")?;
            ledger.execute(params![games.cast_signed(), digest]).map(drop)
        })?;
        self.next_session = None;
        (self.session, self.games, self.digest) = (session, games, digest);
        Ok(())
    }

    /// Closes the file so that it is one file, which can be read where nothing can be written.
    pub fn close(self) {
        let connection = &self.archive.connection;
        let tidied = connection
            .busy_timeout(TIDY)
            .and_then(|()| connection.pragma_update(None, "journal_mode", "delete"));
        if let Err(error) = tidied {
            log::debug!("the journal stays beside {}: {error}", self.archive.path.display());
        }
    }

    fn write(
        &self,
        change: impl FnOnce(&Transaction) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let write = || {
            let transaction = self.archive.connection.unchecked_transaction()?;
            change(&transaction)?;
            transaction.commit()
        };
        write().map_err(StoreError::of(&self.archive.path))
    }
}

/// Opens a file to write it, and says what it is.
fn open(path: &Path, holder: &str) -> Result<(Connection, Lock, Content), StoreError> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            return Err(Why::NoFolder(folder.into()).about(path));
        }
        _ => refuse_foreign(path)?,
    }
    let lock = Lock::take(path, holder)?;
    let failed = StoreError::of(path);
    let connection = Connection::open(path).map_err(&failed)?;
    connection.busy_timeout(PATIENCE).map_err(&failed)?;
    // Nothing is changed in a file that is not ours.
    let found = content(&connection, path)?;
    let journal = Journal::choose(path);
    if journal == Journal::Delete {
        log::warn!(
            "{}: no write-ahead log here, so each game takes longer to keep",
            path.display()
        );
    }
    journal.set(&connection).map_err(&failed)?;
    Ok((connection, lock, found))
}

/// Writes a document and its checksum, the two parameters of a statement.
fn insert_document(
    transaction: &Transaction,
    sql: &str,
    document: &impl Serialize,
) -> rusqlite::Result<()> {
    let text = serde_json::to_string(document).expect("our documents have text keys only");
    transaction.execute(sql, params![text, crc32fast::hash(text.as_bytes())]).map(drop)
}
