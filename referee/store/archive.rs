//! A results file opened for reading.

use super::database::Database;
use super::error::{OpenError, StoreError};
use super::row::{Row, SELECT};
use super::schema::{Content, MATCH};
use crate::config::MatchConfig;
use crate::pairing::schedule::Schedule;
use crate::play::record::Record;
use crate::registry::Registry;
use rusqlite::{OpenFlags, OptionalExtension};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Session in which games of a match were played; with `--resume` there are several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Start of the session, in seconds since 1970.
    pub begun: i64,
    /// Version of the referee.
    pub referee: String,
    /// Digest of each player's files, by its name: see `Program::digest`.
    pub versions: BTreeMap<String, String>,
}

/// Stored match.
pub struct Archive {
    pub(super) database: Database,
    pub(super) config: MatchConfig,
    schedule: Schedule,
    lower_is_better: bool,
}

impl Archive {
    /// Opens a file for reading. Another process may be writing to it.
    ///
    /// # Errors
    /// Returns an error if the file is missing, foreign, damaged or empty.
    pub fn open(path: &Path, registry: &Registry) -> Result<Archive, StoreError> {
        if !path.exists() {
            return Err(OpenError::Missing.about(path));
        }
        MATCH.refuse_foreign(path)?;
        match Archive::open_with(path, OpenFlags::SQLITE_OPEN_READ_ONLY, registry) {
            // A referee was killed in a transaction, which must be rolled back first.
            Err(StoreError { why: OpenError::CutOff, .. }) => {
                Archive::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE, registry)
            }
            opened => opened,
        }
    }

    fn open_with(
        path: &Path,
        access: OpenFlags,
        registry: &Registry,
    ) -> Result<Archive, StoreError> {
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Database::connect(path, flags)?;
        match MATCH.content(&database)? {
            Content::Nothing => Err(OpenError::Empty.about(path)),
            Content::Tables => Archive::of(database, registry),
        }
    }

    /// Reads the match that a database holds.
    pub(super) fn of(database: Database, registry: &Registry) -> Result<Archive, StoreError> {
        let sql = "SELECT document, checksum FROM charter";
        let found = database.query(|connection| connection.query_row(sql, [], document))?;
        let damaged = |why| database.error(why);
        let config: MatchConfig = checked(found, "the charter").map_err(damaged)?;
        let unknown = |why| damaged(OpenError::Damaged(format!("the charter: {why}")));
        let lower_is_better = registry.game(&config.game).map_err(unknown)?.meta.lower_is_better;
        let schedule = config.schedule();
        Ok(Archive { database, config, schedule, lower_is_better })
    }

    /// Replaces the configuration by another one of the same match.
    pub(super) fn agree(&mut self, config: MatchConfig) {
        self.schedule = config.schedule();
        self.config = config;
    }

    /// Returns the configuration of the match.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// Returns the number of stored games.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM game";
        let count =
            self.database.query(|connection| connection.query_row(sql, [], |row| row.get(0)));
        count.map(i64::cast_unsigned)
    }

    /// Returns the indices of the stored games.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn games(&self) -> Result<HashSet<u64>, StoreError> {
        let numbers = self.database.column("SELECT number FROM game")?;
        Ok(numbers.into_iter().map(i64::cast_unsigned).collect())
    }

    /// Returns the game at `index`, if it is stored.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn game(&self, index: u64) -> Result<Option<Record>, StoreError> {
        let sql = format!("{SELECT} WHERE number = ?");
        let key = [index.cast_signed()];
        let found = self
            .database
            .query(|connection| connection.query_row(&sql, key, Row::read).optional())?;
        let record = found.map(|(row, checksum)| self.record(&row, checksum)).transpose();
        record.map_err(|what| self.damaged(what))
    }

    fn damaged(&self, what: impl Into<String>) -> StoreError {
        self.database.error(OpenError::Damaged(what.into()))
    }

    /// Passes all games to `take`, each with the number of its session. They come in the order of
    /// their indices, as a snapshot of one moment.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or `take` fails. Missing games are found at the
    /// end.
    pub fn for_each<E: From<StoreError>>(
        &self,
        take: &mut dyn FnMut(Record, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let _moment = self.database.moment()?;
        self.for_each_row(&mut |found| match found {
            Ok((record, session)) => take(record, session),
            Err(what) => Err(self.damaged(what).into()),
        })?;
        match self.ledger()? == self.counted()? {
            true => Ok(()),
            false => Err(self.damaged("games are missing").into()),
        }
    }

    /// Passes all rows to `take` in the order of the games: the record and the number of its
    /// session, or a description of the damage.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further, or `take` fails.
    pub fn for_each_row<E: From<StoreError>>(
        &self,
        take: &mut dyn FnMut(Result<(Record, i64), String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = StoreError::of(self.path());
        let sql = format!("{SELECT} ORDER BY number");
        let mut statement = self.database.connection.prepare(&sql).map_err(&failed)?;
        let mut rows = statement.query([]).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            let number: i64 = row.get("number").map_err(&failed)?;
            let unreadable = |error| format!("game {number}: {error}");
            take(
                Row::read(row)
                    .map_err(unreadable)
                    .and_then(|(row, checksum)| Ok((self.record(&row, checksum)?, row.session))),
            )?;
        }
        Ok(())
    }

    /// Returns the record of a row, or a description of the damage.
    fn record(&self, row: &Row, checksum: u32) -> Result<Record, String> {
        let index = row.number.cast_unsigned();
        let damaged = |what: &str| format!("game {index}: {what}");
        if row.checksum() != checksum {
            return Err(damaged("its checksum does not fit"));
        }
        if index >= self.schedule.games() {
            return Err(damaged("the match is not that long"));
        }
        let record = row.record(self.schedule.pairing(index), self.lower_is_better);
        record.map_err(|column| damaged(&format!("its {column} cannot be read")))
    }

    /// Returns the sessions of the match by number.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn sessions(&self) -> Result<BTreeMap<i64, Session>, StoreError> {
        let sql = "SELECT document, checksum, number FROM session ORDER BY number";
        let rows: Vec<(i64, (String, u32))> = self.database.query(|connection| {
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(2)?, document(row)?)))?;
            rows.collect()
        })?;
        let session = |(number, found)| Ok((number, checked(found, &format!("session {number}"))?));
        let sessions = rows.into_iter().map(session).collect::<Result<_, OpenError>>();
        sessions.map_err(|why| self.database.error(why))
    }

    /// Returns the ledger: the number of games and the digest of their checksums.
    pub fn ledger(&self) -> Result<(u64, u32), StoreError> {
        let sql = "SELECT games, digest FROM ledger";
        let read = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?));
        self.database.query(|connection| connection.query_row(sql, [], read))
    }

    /// Returns the values that the ledger should hold.
    pub fn counted(&self) -> Result<(u64, u32), StoreError> {
        self.counted_from(0)
    }

    /// Returns the number of games from `index` on, and the digest of their checksums.
    pub(super) fn counted_from(&self, index: u64) -> Result<(u64, u32), StoreError> {
        let sql = "SELECT checksum FROM game WHERE number >= ?";
        self.database.query(|connection| {
            let mut statement = connection.prepare(sql)?;
            let mut checksums =
                statement.query_map([index.cast_signed()], |row| row.get::<_, u32>(0))?;
            // XOR does not depend on the order of the games, and adds or removes a game in one
            // step.
            checksums
                .try_fold((0, 0), |(games, digest), checksum| Ok((games + 1, digest ^ checksum?)))
        })
    }

    /// Returns the errors that SQLite finds in the pages of the file, and the tables of one row
    /// that have another number of rows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub fn check_pages(&self) -> Result<Vec<String>, StoreError> {
        let lines: Vec<String> = self.database.column("PRAGMA integrity_check(20)")?;
        let lines = lines.iter().flat_map(|text| text.lines()).filter(|line| *line != "ok");
        let mut problems: Vec<String> = lines.map(|line| format!("pages: {line}")).collect();
        for table in ["charter", "ledger"] {
            let rows: Vec<i64> = self.database.column(&format!("SELECT count(*) FROM {table}"))?;
            if rows != [1] {
                problems.push(format!("{table}: expected one row, got {}", rows[0]));
            }
        }
        Ok(problems)
    }

    /// Returns the numbers of the sessions that have games.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub fn sessions_of_games(&self) -> Result<Vec<i64>, StoreError> {
        self.database.column("SELECT DISTINCT session FROM game")
    }
}

/// Reads the first two columns of a row: a document and its checksum.
fn document(row: &rusqlite::Row) -> rusqlite::Result<(String, u32)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// Parses a document after a check of its checksum.
fn checked<T: DeserializeOwned>(
    (text, checksum): (String, u32),
    what: &str,
) -> Result<T, OpenError> {
    if crc32fast::hash(text.as_bytes()) != checksum {
        return Err(OpenError::Damaged(format!("{what}: its checksum does not fit")));
    }
    serde_json::from_str(&text).map_err(|error| OpenError::Damaged(format!("{what}: {error}")))
}
