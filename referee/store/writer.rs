//! A file that is written: by one referee, from one thread, a transaction per game.

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

/// A match to which games are added.
pub struct Writer {
    archive: Archive,
    /// The number of the last session that has games.
    session: i64,
    /// The session that begins with the next game.
    next_session: Option<Session>,
    games: u64,
    digest: u32,
}

impl Writer {
    /// Begins a match in a file that is new or empty. `holder` tells others who writes.
    ///
    /// # Errors
    /// If the file holds anything, is being written, or cannot be written.
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

    /// Begins a match that is forgotten when it ends.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn in_memory(config: &MatchConfig, registry: &Registry) -> Result<Writer, StoreError> {
        Writer::begin(Database::in_memory()?, config, registry)
    }

    /// Goes on with the match in a file; nothing, if the file holds none yet.
    ///
    /// # Errors
    /// If the file is missing, foreign, damaged, being written, or cannot be written.
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

    /// The tables and the charter of a match that begins.
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

    /// The match as it stands.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// All games from now on belong to this session. Until then nothing of a match that goes on is
    /// changed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin_session(&mut self, session: Session) -> Result<(), StoreError> {
        self.next_session = Some(session);
        let database = &self.archive.database;
        if database.is_written() && database.choose_journal()? == Journal::Delete {
            let path = database.path().display();
            log::warn!("{path}: no write-ahead log here, so each game takes longer to keep");
        }
        Ok(())
    }

    /// Makes the match longer.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn extend(&mut self, games: u64) -> Result<(), StoreError> {
        let config = MatchConfig { games, ..self.archive.config.clone() };
        self.archive.database.transact(&|transaction| {
            let sql = "UPDATE charter SET document = ?, checksum = ?";
            insert_document(transaction, sql, &config)
        })?;
        self.archive.agree(config);
        Ok(())
    }

    /// Adds a game that ended. When this returns, the game is there whatever happens to this
    /// process. A void game is none, and is not kept.
    ///
    /// # Errors
    /// If the file cannot be written; it holds what it held before.
    pub fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        let Some(outcome) = &record.played.outcome else { return Ok(()) };
        let session = self.session + i64::from(self.next_session.is_some());
        let row = Row::of(record, outcome, session);
        let checksum = row.checksum();
        let after = (self.games + 1, self.digest ^ checksum);
        self.archive.database.transact(&|transaction| {
            if let Some(begun) = &self.next_session {
                let sql = format!("INSERT INTO session VALUES ({session}, ?, ?)");
                insert_document(transaction, &sql, begun)?;
            }
            row.insert(checksum, transaction)?;
            self.enter(transaction, after)
        })?;
        self.next_session = None;
        self.session = session;
        (self.games, self.digest) = after;
        Ok(())
    }

    /// Forgets the games from this index on: those that were played beyond the end of a test.
    ///
    /// # Errors
    /// If the file cannot be written.
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

    /// Brings the ledger from what we know to what follows, and from nothing else: whoever else
    /// wrote to the file in spite of the lock is noticed.
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

/// Writes a document and its checksum, the two parameters of a statement.
fn insert_document(
    transaction: &Transaction,
    sql: &str,
    document: &impl Serialize,
) -> rusqlite::Result<()> {
    let text = serde_json::to_string(document).expect("our documents have text keys only");
    transaction.execute(sql, params![text, crc32fast::hash(text.as_bytes())]).map(drop)
}
