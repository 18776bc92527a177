//! A results file opened for reading.

use super::attempt::{Attempt, NO_ROUND};
use super::cells;
use super::database::Database;
use super::error::{OpenError, StoreError};
use super::game_row::GameRow;
use super::lineup::{Lineup, Versions, View};
use super::machine::Machine;
use super::moves_row::MovesRow;
use super::schema::{is_written, real, Content, Format, MATCH};
use super::{document, mark};
use crate::config::format::Course;
use crate::config::{Contest, Kind};
use crate::formats::stages::Stages;
use crate::formats::StoredStage;
use crate::play::pairing::GameId;
use crate::play::record::{Details, GameResult, Record};
use crate::registry::Registry;
use arbitre_process::launcher::layers::Level;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Results alone: all columns of `game`.
const RESULTS: &str = "SELECT * FROM game";
/// Results with moves: all columns of `game`, then those of `moves`, which are NULL where its row
/// is missing.
pub(super) const GAMES: &str = "SELECT * FROM game LEFT JOIN moves ON moves.number = game.number";
/// Number of a document, its text and its checksum.
type NumberedDocument = (i64, (String, u32));
/// Number of columns of `game`.
pub(super) const GAME_COLUMNS: usize = 18;

/// Order in which games are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Order of their numbers, in which they are stored. Nothing has to be sorted.
    Number,
    /// Order of round, rotation and number.
    Schedule,
}

/// Session in which games of a match were played; with `--resume` there are several.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Start of the session, in seconds since 1970.
    pub begun: i64,
    /// Version of the referee.
    pub referee: String,
    /// Machine of the session; unknown to earlier versions of the referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

/// Stored match.
pub struct Archive {
    pub(super) database: Database,
    /// Configuration without the players.
    config: Contest,
    pub(super) lineup: Lineup,
    current: View,
    pub(super) lower_is_better: bool,
    /// Format of the file.
    pub(super) format: Format,
    /// Number of games of a file whose log is missing, and may have held more.
    cut_off: Option<u64>,
}

impl Archive {
    /// Opens a file for reading. Another process may be writing to it.
    ///
    /// # Errors
    /// Returns an error if the file is missing, foreign, damaged or empty.
    pub fn open(path: &Path, registry: &Registry) -> Result<Archive, StoreError> {
        if !path.exists() {
            return Err(mark::of_missing(path).about(path));
        }
        MATCH.refuse_foreign(path)?;
        let cut_off = match mark::check(&real(path), is_written(path)) {
            Err(OpenError::NoLog(games)) => Some(games),
            checked => checked.map(|()| None).map_err(|why| why.about(path))?,
        };
        let archive = Database::reading(path, |database| match MATCH.content(&database)? {
            Content::Nothing => Err(OpenError::Empty.about(path)),
            Content::Tables(_) => Archive::of(database, registry),
        });
        archive.map(|archive| Archive { cut_off, ..archive })
    }

    /// Returns the reason why the last games of the file are not here, if its log is missing.
    pub fn cut_off(&self) -> Option<StoreError> {
        Some(self.database.error(OpenError::NoLog(self.cut_off?)))
    }

    /// Reads the match that a database holds.
    pub(super) fn of(database: Database, registry: &Registry) -> Result<Archive, StoreError> {
        let sql = "SELECT document, checksum FROM match";
        let found = database.query(|connection| connection.query_row(sql, [], document))?;
        let damaged = |why| database.error(why);
        let text = whole(found, "the match").map_err(damaged)?;
        let unknown = |why: String| damaged(OpenError::Damaged(format!("the match: {why}")));
        let config = document::read(&text).map_err(unknown)?;
        let meta = config.meta(registry).map_err(|why| unknown(why.to_string()))?;
        let ((fewest, most), seats) = (meta.seats, config.seats);
        if !(fewest..=most).contains(&seats) {
            // To draw a setup for another number of seats may take seconds per game.
            return Err(unknown(format!("expected {fewest} to {most} seats, got {seats}")));
        }
        let format = match MATCH.content(&database)? {
            Content::Tables(2) => Format::Two,
            _ => Format::Three,
        };
        let lineup = database.query(Lineup::read)?;
        let lineup = lineup.map_err(|what| damaged(OpenError::Damaged(what)))?;
        let current = lineup.view(&config, Versions::Current);
        // A room may wait for its players.
        let fills = current.config.players.len() >= config.seats || config.kind() == Kind::Room;
        if !fills || config.seats == 0 {
            return Err(damaged(OpenError::Damaged("it has fewer players than seats".into())));
        }
        let (cut_off, lower_is_better) = (None, meta.lower_is_better);
        Ok(Archive { database, config, lineup, current, lower_is_better, format, cut_off })
    }

    /// Replaces the contest and its players by the same contest as it goes on.
    pub(super) fn agree(&mut self, config: Contest, lineup: Lineup) {
        self.config = config;
        self.current = lineup.view(&self.config, Versions::Current);
        self.lineup = lineup;
    }

    /// Returns the configuration of the match with the current versions of its players.
    pub fn config(&self) -> &Contest {
        &self.current.config
    }

    /// Returns the match as it counts: see [`Versions::Current`].
    pub fn current(&self) -> &View {
        &self.current
    }

    /// Returns the match as seen through these versions.
    pub fn view(&self, versions: Versions) -> View {
        self.lineup.view(&self.config, versions)
    }

    /// Returns the identity of the version that each number of a player stands for.
    pub(super) fn playing_versions(&self) -> Vec<i64> {
        self.lineup.numbered(&self.config)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// Returns the number of stored games, those of earlier versions included.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.database.value("SELECT count(*) FROM game").map(i64::cast_unsigned)
    }

    /// Returns the size of the file without its journal, in bytes.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn size(&self) -> Result<u64, StoreError> {
        let pages: i64 = self.database.value("PRAGMA page_count")?;
        let bytes: i64 = self.database.value("PRAGMA page_size")?;
        Ok((pages * bytes).cast_unsigned())
    }

    /// Returns the stored games of a view, each with its number.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn games(&self, view: &View) -> Result<Vec<(GameId, u64)>, StoreError> {
        let mut games = Vec::new();
        self.for_each_result::<StoreError>(view, &mut |result| {
            let number = result.number.expect("a stored game has a number");
            games.push((GameId { round: result.round, players: result.players }, number));
            Ok(())
        })?;
        Ok(games)
    }

    /// Returns the game with this number as a view shows it, and the number of its session. `None`
    /// if it is not stored, or the view lacks one of its players.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn game(&self, number: u64, view: &View) -> Result<Option<(Record, i64)>, StoreError> {
        let failed = StoreError::of(self.path());
        // With a bare parameter SQLite plans the query again for each value.
        let sql = format!("{GAMES} WHERE game.number = +?");
        let mut statement = self.database.connection.prepare_cached(&sql).map_err(&failed)?;
        let mut rows = statement.query([number.cast_signed()]).map_err(&failed)?;
        match rows.next().map_err(&failed)? {
            Some(row) => self.whole(row, view).map_err(|what| self.damaged(what)),
            None => Ok(None),
        }
    }

    /// Returns the numbers of all stored games.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn numbers(&self) -> Result<Vec<u64>, StoreError> {
        let numbers: Vec<i64> = self.database.column("SELECT number FROM game ORDER BY number")?;
        Ok(numbers.into_iter().map(i64::cast_unsigned).collect())
    }

    /// Returns the numbers of all games of a player, or of one version of it.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn numbers_of(&self, name: &str) -> Result<Vec<u64>, StoreError> {
        let versions = self.lineup.versions_of(name);
        let mut numbers = Vec::new();
        self.for_each_row::<StoreError>(RESULTS, &mut |row| {
            let game = GameRow::read(row, self.lower_is_better);
            let game = game.map_err(|what| self.damaged(what))?;
            let is_own = game.versions.iter().any(|version| versions.contains(version));
            numbers.extend(is_own.then_some(game.number));
            Ok(())
        })?;
        Ok(numbers)
    }

    pub(super) fn damaged(&self, what: impl Into<String>) -> StoreError {
        self.database.error(OpenError::Damaged(what.into()))
    }

    /// Begins a read-only transaction, which sees a snapshot of one moment.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn moment(&self) -> Result<impl Sized + '_, StoreError> {
        self.database.moment()
    }

    /// Passes the results of all games of a view to `take`, in the order of their numbers.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or `take` fails.
    pub fn for_each_result<E: From<StoreError>>(
        &self,
        view: &View,
        take: &mut dyn FnMut(GameResult) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_row(&format!("{RESULTS} ORDER BY number"), &mut |row| {
            let game = GameRow::read(row, self.lower_is_better);
            let game = game.map_err(|what| self.damaged(what))?;
            match view.players(&game.versions) {
                Some(players) => take(game.result(players)),
                None => Ok(()),
            }
        })
    }

    /// Passes the results of all games of a view to `take` with what a table needs besides.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or `take` fails.
    pub fn for_each_detailed<E: From<StoreError>>(
        &self,
        view: &View,
        order: Order,
        take: &mut dyn FnMut(GameResult, Details) -> Result<(), E>,
    ) -> Result<(), E> {
        let keys = match order {
            Order::Number => "game.number",
            Order::Schedule => "game.round, game.rotation, game.number",
        };
        self.for_each_row(&format!("{GAMES} ORDER BY {keys}"), &mut |row| {
            let read = || -> Result<_, String> {
                let game = GameRow::read(row, self.lower_is_better)?;
                let Some(players) = view.players(&game.versions) else { return Ok(None) };
                let details = MovesRow::of(row, GAME_COLUMNS, &game)?.details(&game)?;
                Ok(Some((game.result(players), details)))
            };
            match read().map_err(|what| self.damaged(what))? {
                Some((result, details)) => take(result, details),
                None => Ok(()),
            }
        })
    }

    /// Passes all games of a view to `take`, each with the number of its session. They come in the
    /// order of their numbers, as a snapshot of one moment.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or `take` fails. Missing games are found at the
    /// end.
    pub fn for_each<E: From<StoreError>>(
        &self,
        view: &View,
        take: &mut dyn FnMut(Record, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        let _moment = self.database.moment()?;
        self.for_each_found(view, &mut |found| match found {
            Ok((record, session)) => take(record, session),
            Err(what) => Err(self.damaged(what).into()),
        })?;
        Ok(self.refuse_missing()?)
    }

    /// Passes all games of a view to `take` in the order of their numbers: the record and the
    /// number of its session, or a description of the damage.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further, or `take` fails.
    pub fn for_each_found<E: From<StoreError>>(
        &self,
        view: &View,
        take: &mut dyn FnMut(Result<(Record, i64), String>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_row(&format!("{GAMES} ORDER BY game.number"), &mut |row| {
            self.whole(row, view).transpose().map_or(Ok(()), &mut *take)
        })
    }

    fn whole(&self, row: &rusqlite::Row, view: &View) -> Result<Option<(Record, i64)>, String> {
        let game = GameRow::read(row, self.lower_is_better)?;
        let Some(pairing) = game.pairing(view) else { return Ok(None) };
        let moves = MovesRow::of(row, GAME_COLUMNS, &game)?;
        Ok(Some((moves.record(&game, pairing)?, game.session)))
    }

    fn for_each_row<E: From<StoreError>>(
        &self,
        sql: &str,
        take: &mut dyn FnMut(&rusqlite::Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = StoreError::of(self.path());
        let mut statement = self.database.connection.prepare(sql).map_err(&failed)?;
        let mut rows = statement.query([]).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            take(row)?;
        }
        Ok(())
    }

    /// Returns an error if games are missing that were stored.
    ///
    /// # Errors
    /// Returns it.
    pub fn refuse_missing(&self) -> Result<(), StoreError> {
        // A referee that writes may add a game between the two counts.
        let is_alone = self.database.connection.is_autocommit();
        let _moment = is_alone.then(|| self.moment()).transpose()?;
        match self.ledger()?.counts() == self.counted()? {
            true => Ok(()),
            false => Err(self.damaged("games are missing")),
        }
    }

    /// Returns the sessions of the match by number.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn sessions(&self) -> Result<BTreeMap<i64, Session>, StoreError> {
        let rows =
            self.numbered("SELECT document, checksum, number FROM session ORDER BY number")?;
        let session = |(number, found)| Ok((number, checked(found, &format!("session {number}"))?));
        let sessions = rows.into_iter().map(session).collect::<Result<_, OpenError>>();
        sessions.map_err(|why| self.database.error(why))
    }

    /// Returns the stages of a tournament whose format stores them: see [`Course::is_stored`].
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn stages(&self) -> Result<Vec<StoredStage>, StoreError> {
        let rows = self.numbered("SELECT document, checksum, number FROM stage ORDER BY number")?;
        if self.lacks_stages()? {
            // Earlier versions did not store them: they followed from all players.
            return Ok(Stages::of_all_players(self.config()).into_iter().collect());
        }
        let is_complete = rows.iter().map(|(number, _)| *number).eq(0..rows.len() as i64);
        if !is_complete {
            return Err(self.damaged("a stage is missing"));
        }
        let stage = |(number, found)| {
            let what = format!("stage {number}");
            let stage: StoredStage = checked(found, &what)?;
            let unknown = || OpenError::Damaged(format!("{what}: it names an unknown player"));
            stage.renumbered(|id| self.number_of(id)).ok_or_else(unknown)
        };
        let stages = rows.into_iter().map(stage).collect::<Result<_, OpenError>>();
        stages.map_err(|why| self.database.error(why))
    }

    /// Returns `true` if a version wrote the file that did not store the stages of a balanced
    /// tournament.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn lacks_stages(&self) -> Result<bool, StoreError> {
        if self.config().format.course() != Course::Field || self.count()? == 0 {
            return Ok(false);
        }
        Ok(self.numbered("SELECT document, checksum, number FROM stage LIMIT 1")?.is_empty())
    }

    /// Returns the number of the player that a stage names, which is its identity from format 3 on.
    fn number_of(&self, id: usize) -> Option<usize> {
        match self.format {
            Format::Two => Some(id).filter(|id| *id < self.lineup.identities().count()),
            Format::Three => self.lineup.identities().position(|of| of == id as i64),
        }
    }

    /// Returns the word by which a stage names the player of this number.
    pub(super) fn id_of(&self, number: usize) -> Option<usize> {
        match self.format {
            Format::Two => Some(number),
            Format::Three => self.lineup.identities().nth(number).map(|id| id as usize),
        }
    }

    /// Returns the documents of a table with their numbers and checksums.
    fn numbered(&self, sql: &str) -> Result<Vec<NumberedDocument>, StoreError> {
        self.database.query(|connection| {
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(2)?, document(row)?)))?;
            rows.collect()
        })
    }

    /// Returns the void attempts in their order, `None` for each whose row is damaged. Files of
    /// format 2 have none.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub(super) fn attempts(&self) -> Result<Vec<Option<Attempt>>, StoreError> {
        let mut attempts = Vec::new();
        if self.format >= Format::Three {
            self.for_each_row::<StoreError>("SELECT * FROM void ORDER BY rowid", &mut |row| {
                attempts.push(Attempt::read(row).map_err(StoreError::of(self.path()))?);
                Ok(())
            })?;
        }
        Ok(attempts)
    }

    /// Returns why players of a view could not be started, by player. The last attempt decides.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn failed_starts(&self, view: &View) -> Result<BTreeMap<usize, String>, StoreError> {
        let attempts = self.attempts()?.into_iter().flatten();
        let starts = attempts.filter(|attempt| attempt.round == NO_ROUND);
        let by_player = |attempt: Attempt| match view.players(&attempt.versions)?[..] {
            [player] => Some((player, attempt.reason)),
            _ => None,
        };
        Ok(starts.filter_map(by_player).collect())
    }

    /// Returns the counts that were written with the last change.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn ledger(&self) -> Result<Ledger, StoreError> {
        let sql = "SELECT games, digest, next FROM ledger";
        let number =
            |row: &rusqlite::Row, column| row.get::<_, i64>(column).map(i64::cast_unsigned);
        let read = |row: &rusqlite::Row| {
            Ok(Ledger { games: number(row, 0)?, digest: row.get(1)?, next: number(row, 2)? })
        };
        self.database.query(|connection| connection.query_row(sql, [], read))
    }

    /// Returns the number of games that are here, and the digest of their checksums.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn counted(&self) -> Result<(u64, u32), StoreError> {
        self.database.query(|connection| {
            let mut statement = connection.prepare("SELECT checksum FROM game")?;
            let mut checksums = statement.query_map([], |row| row.get::<_, u32>(0))?;
            // XOR does not depend on the order of the games, and adds or removes a game in one
            // step.
            checksums
                .try_fold((0, 0), |(games, digest), checksum| Ok((games + 1, digest ^ checksum?)))
        })
    }

    /// Returns the errors that SQLite finds in the pages of the file. Others are tables of one row
    /// that have another number of rows, and rows of moves without a game.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub fn check_pages(&self) -> Result<Vec<String>, StoreError> {
        let lines: Vec<String> = self.database.column("PRAGMA integrity_check(20)")?;
        let lines = lines.iter().flat_map(|text| text.lines()).filter(|line| *line != "ok");
        let mut problems: Vec<String> = lines.map(|line| format!("pages: {line}")).collect();
        for table in ["match", "ledger"] {
            let rows: Vec<i64> = self.database.column(&format!("SELECT count(*) FROM {table}"))?;
            if rows != [1] {
                problems.push(format!("{table}: expected one row, got {}", rows[0]));
            }
        }
        let sql = "SELECT number FROM moves WHERE number NOT IN (SELECT number FROM game)";
        let strays: Vec<i64> = self.database.column(sql)?;
        problems.extend(strays.iter().map(|number| format!("game {number}: it has only moves")));
        Ok(problems)
    }

    /// Returns each level of protection of each session.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn sandboxes(&self) -> Result<Vec<(i64, Level)>, StoreError> {
        let rows: Vec<(i64, String)> = self.database.query(|connection| {
            let mut statement = connection.prepare("SELECT DISTINCT session, sandbox FROM game")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        let parsed = rows.into_iter().map(|(session, level)| {
            let level = Level::parse(&level).ok_or_else(|| self.damaged("a sandbox is unknown"))?;
            Ok((session, level))
        });
        parsed.collect()
    }

    /// Returns the number of games of a view that equal an earlier one, move for move.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn identical(&self, view: &View) -> Result<u64, StoreError> {
        let (mut identical, mut before) = (0, None);
        let sql = "SELECT fingerprint, versions FROM game ORDER BY fingerprint";
        self.for_each_row::<StoreError>(sql, &mut |row| {
            let failed = StoreError::of(self.path());
            let versions: String = row.get(1).map_err(&failed)?;
            let versions = cells::numbers(&versions).unwrap_or_default();
            if view.players(&versions).is_some() {
                let fingerprint: i64 = row.get(0).map_err(&failed)?;
                identical += u64::from(before == Some(fingerprint));
                before = Some(fingerprint);
            }
            Ok(())
        })?;
        Ok(identical)
    }

    /// Returns the numbers of the sessions that have games.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub fn sessions_of_games(&self) -> Result<HashSet<i64>, StoreError> {
        Ok(self.database.column("SELECT DISTINCT session FROM game")?.into_iter().collect())
    }

    /// Returns the document of the contest as it is stored.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub(super) fn document(&self) -> Result<String, StoreError> {
        self.database.value("SELECT document FROM match")
    }
}

/// Counts of the stored games, written with every change. A row can thus not vanish unnoticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ledger {
    /// Number of games.
    pub games: u64,
    /// XOR of their checksums.
    pub digest: u32,
    /// Number above all that games have had: none is used again.
    pub next: u64,
}

impl Ledger {
    /// Returns the values that follow from the games: their number and their digest.
    pub fn counts(self) -> (u64, u32) {
        (self.games, self.digest)
    }
}

/// Reads the first two columns of a row: a document and its checksum.
fn document(row: &rusqlite::Row) -> rusqlite::Result<(String, u32)> {
    Ok((row.get(0)?, row.get(1)?))
}

/// Returns the text of a document after a check of its checksum.
fn whole((text, checksum): (String, u32), what: &str) -> Result<String, OpenError> {
    match crc32fast::hash(text.as_bytes()) == checksum {
        true => Ok(text),
        false => Err(OpenError::Damaged(format!("{what}: its checksum does not fit"))),
    }
}

/// Parses a document after a check of its checksum.
fn checked<T: DeserializeOwned>(found: (String, u32), what: &str) -> Result<T, OpenError> {
    let text = whole(found, what)?;
    serde_json::from_str(&text).map_err(|error| OpenError::Damaged(format!("{what}: {error}")))
}
