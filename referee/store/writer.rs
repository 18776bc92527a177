//! A results file opened for writing, by one referee and from one thread, with a transaction per
//! game.

use super::archive::{Archive, Session};
use super::database::Database;
use super::error::{OpenError, StoreError};
use super::journal::Journal;
use super::row::Row;
use super::schema::{Content, MATCH};
use crate::config::MatchConfig;
use crate::play::record::Record;
use crate::registry::Registry;
use rusqlite::{params, Transaction};
use serde::Serialize;
use std::path::Path;

/// Match to which games are added.
pub struct Writer {
    archive: Archive,
    /// Number of the last session with games.
    session: i64,
    /// Session that begins with the next game.
    next_session: Option<Session>,
    games: u64,
    digest: u32,
}

impl Writer {
    /// Creates a match in a file that is new or empty. `holder` describes this process to others.
    ///
    /// # Errors
    /// Returns an error if the file holds anything, is being written, or cannot be written.
    pub fn create(
        path: &Path,
        config: &MatchConfig,
        holder: &str,
        registry: &Registry,
    ) -> Result<Writer, StoreError> {
        let (database, lock, found) = MATCH.open(path, holder)?;
        if found == Content::Tables {
            return Err(OpenError::Occupied.about(path));
        }
        let mut writer = Writer::begin(database, config, registry)?;
        writer.archive.database.own(lock)?;
        Ok(writer)
    }

    /// Creates a match in memory, which is lost when it is dropped.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub fn in_memory(config: &MatchConfig, registry: &Registry) -> Result<Writer, StoreError> {
        Writer::begin(Database::in_memory()?, config, registry)
    }

    /// Resumes the match in a file. Returns `None` if the file holds none yet.
    ///
    /// # Errors
    /// Returns an error if the file is missing, foreign, damaged, being written, or cannot be
    /// written.
    pub fn resume(
        path: &Path,
        holder: &str,
        registry: &Registry,
    ) -> Result<Option<Writer>, StoreError> {
        if !path.exists() {
            return Err(OpenError::Missing.about(path));
        }
        let (database, lock, found) = MATCH.open(path, holder)?;
        if found == Content::Nothing {
            return Ok(None);
        }
        let mut archive = Archive::of(database, registry)?;
        let (games, digest) = archive.ledger()?;
        if (games, digest) != archive.counted()? {
            return Err(OpenError::Damaged("games are missing".into()).about(path));
        }
        let session = archive.sessions()?.last_key_value().map_or(0, |(&number, _)| number);
        archive.database.own(lock)?;
        Ok(Some(Writer { archive, session, next_session: None, games, digest }))
    }

    /// Writes the tables and the configuration of a new match.
    fn begin(
        database: Database,
        config: &MatchConfig,
        registry: &Registry,
    ) -> Result<Writer, StoreError> {
        database.query(|connection| {
            let transaction = connection.unchecked_transaction()?;
            MATCH.lay(&transaction)?;
            insert_document(&transaction, "INSERT INTO charter VALUES (?, ?)", config)?;
            transaction.commit()
        })?;
        let archive = Archive::of(database, registry)?;
        Ok(Writer { archive, session: 0, next_session: None, games: 0, digest: 0 })
    }

    /// Returns the match as it is stored now.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Assigns all later games to this session. Until the first of them a resumed match is not
    /// changed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn begin_session(&mut self, session: Session) -> Result<(), StoreError> {
        self.next_session = Some(session);
        let database = &self.archive.database;
        if database.is_written() && database.choose_journal()? == Journal::Delete {
            let path = database.path().display();
            log::warn!("{path}: no write-ahead log here, so each game takes longer to keep");
        }
        Ok(())
    }

    /// Extends the match to `games` games.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn extend(&mut self, games: u64) -> Result<(), StoreError> {
        let config = MatchConfig { games, ..self.archive.config.clone() };
        self.archive.database.transact(&|transaction| {
            let sql = "UPDATE charter SET document = ?, checksum = ?";
            insert_document(transaction, sql, &config)
        })?;
        self.archive.agree(config);
        Ok(())
    }

    /// Adds a finished game. Once this returns, the game is stored, whatever happens to this
    /// process. A void game is not stored.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. Its content is then unchanged.
    pub fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        let Some(outcome) = &record.played.outcome else { return Ok(()) };
        let session = self.session + i64::from(self.next_session.is_some());
        let row = Row::of(record, outcome, session);
        let checksum = row.checksum();
        let after = (self.games + 1, self.digest ^ checksum);
        self.archive.database.transact(&|transaction| {
            // The session is stored with its first game: a session without games changes nothing.
            if let Some(begun) = &self.next_session {
                let sql = format!("INSERT INTO session VALUES ({session}, ?, ?)");
                insert_document(transaction, &sql, begun)?;
            }
            row.insert(checksum, transaction)?;
            self.enter(transaction, after)
        })?;
        // Only a committed game changes our own counts.
        self.next_session = None;
        self.session = session;
        (self.games, self.digest) = after;
        Ok(())
    }

    /// Removes the games from `index` on: those that were played beyond the end of a test.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn forget_from(&mut self, index: u64) -> Result<(), StoreError> {
        let (games, digest) = self.archive.counted_from(index)?;
        if games == 0 {
            return Ok(());
        }
        let after = (self.games - games, self.digest ^ digest);
        self.archive.database.transact(&|transaction| {
            transaction.execute("DELETE FROM game WHERE number >= ?", [index.cast_signed()])?;
            self.enter(transaction, after)
        })?;
        (self.games, self.digest) = after;
        Ok(())
    }

    /// Updates the ledger, but only from the values that we know. This detects another process that
    /// wrote to the file in spite of the lock.
    fn enter(&self, transaction: &Transaction, after: (u64, u32)) -> rusqlite::Result<()> {
        let sql = "UPDATE ledger SET games = ?, digest = ? WHERE games = ? AND digest = ?";
        let (games, before) = (after.0.cast_signed(), self.games.cast_signed());
        let changed = transaction.prepare_cached(sql)?.execute(params![
            games,
            after.1,
            before,
            self.digest
        ])?;
        if changed == 1 {
            Ok(())
        } else {
            Err(rusqlite::Error::StatementChangedRows(changed))
        }
    }
}

/// Runs a statement whose two parameters are a document and its checksum.
fn insert_document(
    transaction: &Transaction,
    sql: &str,
    document: &impl Serialize,
) -> rusqlite::Result<()> {
    let text = serde_json::to_string(document).expect("our documents have text keys only");
    transaction.execute(sql, params![text, crc32fast::hash(text.as_bytes())]).map(drop)
}
