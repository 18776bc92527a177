//! A file that is read.

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

/// A time at which games of a match were played: with `--resume` there are several.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Session {
    /// When it began, in seconds since 1970.
    pub begun: i64,
    /// The version of the referee.
    pub referee: String,
    /// By the name of the player, what its files were: see `Program::digest`.
    pub versions: BTreeMap<String, String>,
}

/// A match as it is stored.
pub struct Archive {
    pub(super) database: Database,
    pub(super) config: MatchConfig,
    schedule: Schedule,
    lower_is_better: bool,
}

impl Archive {
    /// Opens a file to read it; somebody else may be writing to it.
    ///
    /// # Errors
    /// If it is missing, foreign, damaged or empty.
    pub fn open(path: &Path, registry: &Registry) -> Result<Archive, StoreError> {
        if !path.exists() {
            return Err(OpenError::Missing.about(path));
        }
        MATCH.refuse_foreign(path)?;
        match Archive::open_with(path, OpenFlags::SQLITE_OPEN_READ_ONLY, registry) {
            // A referee was killed in the middle of a transaction, which must be taken back first.
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

    /// The match that a database holds.
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

    /// Takes another charter of the same match.
    pub(super) fn agree(&mut self, config: MatchConfig) {
        self.schedule = config.schedule();
        self.config = config;
    }

    /// What was agreed.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// How many games there are.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM game";
        let count =
            self.database.query(|connection| connection.query_row(sql, [], |row| row.get(0)));
        count.map(i64::cast_unsigned)
    }

    /// The indices of the games that are here.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn games(&self) -> Result<HashSet<u64>, StoreError> {
        let numbers = self.database.column("SELECT number FROM game")?;
        Ok(numbers.into_iter().map(i64::cast_unsigned).collect())
    }

    /// The game of this index, if it is here.
    ///
    /// # Errors
    /// If the file is damaged.
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

    /// Hands out all games, each with its session, in the order of their indices, as they are at
    /// one moment.
    ///
    /// # Errors
    /// If the file is damaged, or `take` fails. That games are missing is known at the end.
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

    /// Hands out all rows in the order of the games: the record and its session, or what is wrong
    /// with it.
    ///
    /// # Errors
    /// If the file cannot be read on, or `take` fails.
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

    /// The record of a row, or what is wrong with it.
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

    /// When games were played, by the number of the session.
    ///
    /// # Errors
    /// If the file is damaged.
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

    /// What the ledger says: how many games there are, and the digest of their checksums.
    pub fn ledger(&self) -> Result<(u64, u32), StoreError> {
        let sql = "SELECT games, digest FROM ledger";
        let read = |row: &rusqlite::Row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?));
        self.database.query(|connection| connection.query_row(sql, [], read))
    }

    /// What the ledger should say.
    pub fn counted(&self) -> Result<(u64, u32), StoreError> {
        self.counted_from(0)
    }

    /// How many games there are from an index on, and the digest of their checksums.
    pub(super) fn counted_from(&self, index: u64) -> Result<(u64, u32), StoreError> {
        let sql = "SELECT checksum FROM game WHERE number >= ?";
        self.database.query(|connection| {
            let mut statement = connection.prepare(sql)?;
            let mut checksums =
                statement.query_map([index.cast_signed()], |row| row.get::<_, u32>(0))?;
            checksums
                .try_fold((0, 0), |(games, digest), checksum| Ok((games + 1, digest ^ checksum?)))
        })
    }

    /// What SQLite finds wrong with the pages of the file, and with the number of rows in tables
    /// that have one.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn check_pages(&self) -> Result<Vec<String>, StoreError> {
        let lines: Vec<String> = self.database.column("PRAGMA integrity_check(20)")?;
        let lines = lines.iter().flat_map(|text| text.lines()).filter(|line| *line != "ok");
        let mut problems: Vec<String> = lines.map(|line| format!("pages: {line}")).collect();
        for table in ["charter", "ledger"] {
            let rows: Vec<i64> = self.database.column(&format!("SELECT count(*) FROM {table}"))?;
            if rows != [1] {
                problems.push(format!("{table}: expected one row, not {}", rows[0]));
            }
        }
        Ok(problems)
    }

    /// The sessions to which games belong.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn sessions_of_games(&self) -> Result<Vec<i64>, StoreError> {
        self.database.column("SELECT DISTINCT session FROM game")
    }
}

/// The first two columns of a row: a document and its checksum.
fn document(row: &rusqlite::Row) -> rusqlite::Result<(String, u32)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// Reads a document whose checksum must fit.
fn checked<T: DeserializeOwned>(
    (text, checksum): (String, u32),
    what: &str,
) -> Result<T, OpenError> {
    if crc32fast::hash(text.as_bytes()) != checksum {
        return Err(OpenError::Damaged(format!("{what}: its checksum does not fit")));
    }
    serde_json::from_str(&text).map_err(|error| OpenError::Damaged(format!("{what}: {error}")))
}
