//! A results file opened for writing, by one referee and from one thread, with a transaction per
//! game.

use super::archive::{Archive, Ledger, Session};
use super::attempt::{Attempt, NO_ROUND};
use super::database::Database;
use super::error::{OpenError, StoreError};
use super::journal::Journal;
use super::lineup::{Lineup, Versions};
use super::mark;
use super::schema::{Content, Format, MATCH};
use super::{attempt, cells, document, game_row, moves_row};
use crate::config::{Contest, PlayerConfig};
use crate::formats::StoredStage;
use crate::play::record::Record;
use crate::registry::Registry;
use rusqlite::{params, OptionalExtension, Transaction};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// Match to which games are added.
pub struct Writer {
    archive: Archive,
    /// Number of the last session with games.
    session: i64,
    /// Session that begins with the next game.
    next_session: Option<Session>,
    /// Ledger as this process left it.
    ledger: Ledger,
    /// Identity of the version that each number of a player stands for.
    versions: Vec<i64>,
    /// Number of games that another program removed before this session.
    lost: u64,
}

impl Writer {
    /// Creates a match in a file that is new or empty. `holder` describes this process to others.
    ///
    /// # Errors
    /// Returns an error if the file holds anything, is being written, or cannot be written.
    pub fn create(
        path: &Path,
        config: &Contest,
        holder: &str,
        registry: &Registry,
    ) -> Result<Writer, StoreError> {
        let (database, lock, found) = MATCH.open(path, holder)?;
        if found != Content::Nothing {
            let (what, command) = match Archive::open(path, registry)?.config().tournament() {
                None => ("match", "--resume"),
                Some(_) => ("tournament", "referee tournament"),
            };
            return Err(OpenError::Occupied { what, command }.about(path));
        }
        let mut writer = Writer::begin(database, config, registry)?;
        writer.archive.database.own(lock)?;
        Ok(writer)
    }

    /// Creates a match in memory, which is lost when it is dropped.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub fn in_memory(config: &Contest, registry: &Registry) -> Result<Writer, StoreError> {
        Writer::begin(Database::in_memory()?, config, registry)
    }

    /// Resumes the match in a file. Returns `None` if the file holds none yet. Games that another
    /// program removed are no error here: they are played again.
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
            return Err(mark::of_missing(path).about(path));
        }
        let (database, lock, found) = MATCH.open(path, holder)?;
        if found == Content::Nothing {
            return Ok(None);
        }
        let archive = Archive::of(database, registry)?;
        let mut writer = Writer::of(archive)?;
        writer.archive.database.own(lock)?;
        writer.recount()?;
        Ok(Some(writer))
    }

    /// Writes the tables, the configuration and the players of a new match.
    fn begin(
        database: Database,
        config: &Contest,
        registry: &Registry,
    ) -> Result<Writer, StoreError> {
        database.query(|connection| {
            let transaction = connection.unchecked_transaction()?;
            MATCH.lay(&transaction)?;
            let text = document::write(config, Format::Three, None);
            insert_text(&transaction, "INSERT INTO match VALUES (?, ?)", &text)?;
            Lineup::default().enrol(&config.players, &transaction)?;
            transaction.commit()
        })?;
        Writer::of(Archive::of(database, registry)?)
    }

    fn of(archive: Archive) -> Result<Writer, StoreError> {
        let session = archive.sessions()?.last_key_value().map_or(0, |(&number, _)| number);
        let (ledger, versions) = (archive.ledger()?, archive.playing_versions());
        Ok(Writer { archive, session, next_session: None, ledger, versions, lost: 0 })
    }

    /// Corrects the ledger if games were removed by another program. Rows of moves without a game
    /// are removed.
    fn recount(&mut self) -> Result<(), StoreError> {
        let (games, digest) = self.archive.counted()?;
        if self.ledger.counts() == (games, digest) {
            return Ok(());
        }
        if games >= self.ledger.games {
            // A row was added or changed, which is not the same as a missing game.
            return self.archive.refuse_missing();
        }
        self.lost = self.ledger.games - games;
        let after = Ledger { games, digest, ..self.ledger };
        self.archive.database.transact(&|transaction| {
            transaction
                .execute("DELETE FROM moves WHERE number NOT IN (SELECT number FROM game)", [])?;
            self.enter(transaction, after)
        })?;
        self.ledger = after;
        Ok(())
    }

    /// Returns the number of games that another program removed before the match was resumed.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Returns the match as it is stored now.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Assigns all later games to this session. It is stored with the first of them: a session
    /// without games changes nothing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn begin_session(&mut self, session: Session, durable: bool) -> Result<(), StoreError> {
        self.next_session = Some(session);
        let (database, format) = (&mut self.archive.database, self.archive.format);
        let marked = format >= Format::Three;
        if database.is_written() && database.choose_journal(durable, marked)? == Journal::Delete {
            let path = database.path().display();
            log::warn!("{path}: no write-ahead log here, so each game takes longer to keep");
        }
        Ok(())
    }

    /// Makes this the stored contest, which may have more games, other players and versions, and a
    /// source that has moved.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn extend(&mut self, contest: &Contest) -> Result<(), StoreError> {
        let stored = self.archive.config().clone();
        let (games, source) = (contest.games, contest.source.clone());
        let config = Contest { games, source, ..stored.clone() };
        let lineup = self.archive.database.transact(&|transaction| {
            let mut new = self.archive.lineup.clone();
            new.enrol(&contest.players, transaction)?;
            new.prune(&used_versions(transaction)?, transaction)?;
            self.prune_attempts(&new, transaction)?;
            if (config.games, &config.source) == (stored.games, &stored.source) {
                return Ok(new);
            }
            let sql = "SELECT document FROM match";
            let before: String = transaction.query_row(sql, [], |row| row.get(0))?;
            let text = document::write(&config, self.archive.format, Some(&before));
            insert_text(transaction, "UPDATE match SET document = ?, checksum = ?", &text)?;
            Ok(new)
        })?;
        self.archive.agree(config, lineup);
        self.versions = self.archive.playing_versions();
        Ok(())
    }

    /// Seats a player of a room, or another version of it, and returns its number. One that is
    /// known keeps its number, and no other number changes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn join(&mut self, player: &PlayerConfig) -> Result<usize, StoreError> {
        let lineup = self.archive.database.transact(&|transaction| {
            let mut new = self.archive.lineup.clone();
            new.enrol(std::slice::from_ref(player), transaction)?;
            Ok(new)
        })?;
        let current = lineup.current_of(&player.name);
        self.archive.agree(self.archive.config().clone(), lineup);
        self.versions = self.archive.playing_versions();
        let number = self.versions.iter().position(|version| Some(*version) == current);
        number.ok_or_else(|| self.archive.damaged("a player that joined has no version"))
    }

    /// Adds a stage of a tournament, unless it is there.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add_stage(&mut self, number: usize, stage: &StoredStage) -> Result<(), StoreError> {
        let sql = format!("INSERT OR IGNORE INTO stage VALUES ({number}, ?, ?)");
        let stage = stage.clone().renumbered(|player| self.archive.id_of(player));
        let stage = stage.ok_or_else(|| self.archive.damaged("a stage names an unknown player"))?;
        self.archive.database.transact(&|transaction| insert_document(transaction, &sql, &stage))
    }

    /// Adds an attempt to play a game that is void.
    fn add_void(&mut self, record: &Record) -> Result<(), StoreError> {
        let fault = record.played.faults.first();
        let reason = match (&record.played.rules_error, fault) {
            (Some(error), _) => format!("rules: {error}"),
            (None, Some(report)) => format!("{}: {}", report.fault.word(), report.fault),
            (None, None) => String::new(),
        };
        self.add_attempt(record.pairing.round.cast_signed(), &record.pairing.players, reason)
    }

    /// Notes why a player could not be started, unless the file says it.
    ///
    /// # Errors
    /// Returns an error if the file is damaged, or cannot be written.
    pub fn add_failed_start(&mut self, player: usize, reason: String) -> Result<(), StoreError> {
        let known = self.archive.failed_starts(&self.archive.view(Versions::Current))?;
        match known.get(&player) == Some(&reason) {
            true => Ok(()),
            false => self.add_attempt(NO_ROUND, &[player], reason),
        }
    }

    fn add_attempt(
        &mut self,
        round: i64,
        players: &[usize],
        reason: String,
    ) -> Result<(), StoreError> {
        if self.archive.format < Format::Three {
            return Ok(());
        }
        let versions = players.iter().map(|&player| self.versions[player]).collect();
        let session = self.session + i64::from(self.next_session.is_some());
        let attempt = Attempt { round, versions, session, reason };
        self.archive.database.transact(&|transaction| {
            self.enter_session(transaction)?;
            attempt.insert(transaction)
        })?;
        (self.next_session, self.session) = (None, session);
        Ok(())
    }

    /// Removes the attempts of versions that have left the file.
    fn prune_attempts(&self, left: &Lineup, transaction: &Transaction) -> rusqlite::Result<()> {
        match self.archive.format {
            Format::Two => Ok(()),
            Format::Three => attempt::prune(&left.same().into_keys().collect(), transaction),
        }
    }

    /// Adds the row of a session that has none yet: it is stored with its first game or attempt.
    fn enter_session(&self, transaction: &Transaction) -> rusqlite::Result<()> {
        let Some(begun) = &self.next_session else { return Ok(()) };
        let sql = format!("INSERT INTO session VALUES ({}, ?, ?)", self.session + 1);
        insert_document(transaction, &sql, begun)
    }

    /// Adds a finished game and returns its number, which is the next one if it has none. Once this
    /// returns, the game is stored, whatever happens to this process. A void game is not stored.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. Its content is then unchanged.
    pub fn add(&mut self, record: &Record) -> Result<Option<u64>, StoreError> {
        let Some(outcome) = &record.played.outcome else {
            return self.add_void(record).map(|()| None);
        };
        let session = self.session + i64::from(self.next_session.is_some());
        let number = record.number.unwrap_or(self.ledger.next);
        let versions: Vec<i64> =
            record.pairing.players.iter().map(|&player| self.versions[player]).collect();
        let moves_cells = moves_row::cells(record, number, self.archive.format);
        let moves = cells::checksum_of(&moves_cells);
        let place = game_row::Place { number, session, versions: &versions, moves };
        let (cells, checksum) = game_row::cells(record, outcome, self.archive.config(), &place);
        let Ledger { games, digest, next } = self.ledger;
        let next = next.max(number.saturating_add(1));
        let after = Ledger { games: games + 1, digest: digest ^ checksum, next };
        self.archive.database.transact(&|transaction| {
            self.enter_session(transaction)?;
            cells::insert(transaction, "game", &cells)?;
            cells::insert(transaction, "moves", &moves_cells)?;
            self.enter(transaction, after)
        })?;
        // Only a committed game changes our own counts.
        self.next_session = None;
        self.session = session;
        self.ledger = after;
        Ok(Some(number))
    }

    /// Removes the games with these numbers. Returns how many there were.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn remove(&mut self, numbers: &[u64]) -> Result<u64, StoreError> {
        let mut found: Vec<(i64, u32)> = Vec::new();
        for number in numbers {
            let (sql, key) = ("SELECT checksum FROM game WHERE number = ?", number.cast_signed());
            let checksum = self.archive.database.query(|connection| {
                connection.query_row(sql, [key], |row| row.get::<_, u32>(0)).optional()
            })?;
            found.extend(checksum.map(|checksum| (key, checksum)));
        }
        if found.is_empty() {
            return Ok(0);
        }
        let removed = found.len() as u64;
        let digest = found.iter().fold(self.ledger.digest, |digest, (_, sum)| digest ^ sum);
        let after = Ledger { games: self.ledger.games - removed, digest, ..self.ledger };
        self.archive.database.transact(&|transaction| {
            for (number, _) in &found {
                for table in ["game", "moves"] {
                    let sql = format!("DELETE FROM {table} WHERE number = ?");
                    transaction.prepare_cached(&sql)?.execute([number])?;
                }
            }
            self.enter(transaction, after)
        })?;
        self.ledger = after;
        Ok(removed)
    }

    /// Removes a player or a version that has no games any more, and the meetings of the player.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn remove_player(&mut self, name: &str) -> Result<(), StoreError> {
        let number = self.archive.config().names().iter().position(|of| *of == name);
        let stages = self.archive.stages()?;
        let is_named = number.is_some_and(|number| stages.iter().any(|stage| stage.names(number)));
        if is_named && self.archive.config().counts_all_versions() {
            return Err(self.archive.database.error(OpenError::InAStage(name.into())));
        }
        let stages = number.filter(|_| is_named).map(|number| self.stages_without(stages, number));
        let lineup = self.archive.database.transact(&|transaction| {
            let mut new = self.archive.lineup.clone();
            new.remove(name, transaction)?;
            self.prune_attempts(&new, transaction)?;
            if let Some(stages) = &stages {
                transaction.execute("DELETE FROM stage", [])?;
                insert_stages(transaction, stages)?;
            }
            Ok(new)
        })?;
        self.archive.agree(self.archive.config().clone(), lineup);
        self.versions = self.archive.playing_versions();
        Ok(())
    }

    /// Returns the stages without a player, with the words of the file for the others.
    fn stages_without(&self, stages: Vec<StoredStage>, player: usize) -> Vec<StoredStage> {
        let word = |other: usize| match self.archive.format {
            // The players after the removed one move up.
            Format::Two => Some(other - usize::from(other > player)),
            Format::Three => self.archive.id_of(other),
        };
        let without = |stage: StoredStage| stage.without(player).renumbered(word);
        stages.into_iter().filter_map(without).collect()
    }

    /// Checks at the end of a match that no other program removed games meanwhile.
    ///
    /// # Errors
    /// Returns an error if games are missing.
    pub fn check_count(&self) -> Result<(), StoreError> {
        let (games, digest) = self.archive.counted()?;
        let Ledger { games: written, .. } = self.ledger;
        if games < written {
            let why = OpenError::Removed(written - games, written);
            return Err(self.archive.database.error(why));
        }
        match self.ledger.counts() == (games, digest) {
            true => Ok(()),
            false => self.archive.refuse_missing(),
        }
    }

    /// Updates the ledger, but only from the values that we know. This detects another process that
    /// wrote to the file in spite of the lock.
    fn enter(&self, transaction: &Transaction, after: Ledger) -> rusqlite::Result<()> {
        let sql = "UPDATE ledger SET games = ?, digest = ?, next = ?
                   WHERE games = ? AND digest = ? AND next = ?";
        let number = u64::cast_signed;
        let before = self.ledger;
        let changed = transaction.prepare_cached(sql)?.execute(params![
            number(after.games),
            after.digest,
            number(after.next),
            number(before.games),
            before.digest,
            number(before.next),
        ])?;
        if changed == 1 {
            Ok(())
        } else {
            Err(rusqlite::Error::StatementChangedRows(changed))
        }
    }
}

/// Returns the versions that have games.
fn used_versions(transaction: &Transaction) -> rusqlite::Result<HashSet<i64>> {
    let mut statement = transaction.prepare("SELECT DISTINCT versions FROM game")?;
    let texts = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut used = HashSet::new();
    for text in texts {
        used.extend(cells::numbers::<i64>(&text?).unwrap_or_default());
    }
    Ok(used)
}

/// Stores all stages of a file.
pub(super) fn insert_stages(
    transaction: &Transaction,
    stages: &[StoredStage],
) -> rusqlite::Result<()> {
    stages.iter().enumerate().try_for_each(|(number, stage)| {
        let sql = format!("INSERT INTO stage VALUES ({number}, ?, ?)");
        insert_document(transaction, &sql, stage)
    })
}

/// Runs a statement whose two parameters are a document and its checksum.
pub(super) fn insert_document(
    transaction: &Transaction,
    sql: &str,
    document: &impl Serialize,
) -> rusqlite::Result<()> {
    insert_text(transaction, sql, &cells::json(document))
}

/// Runs a statement whose two parameters are the text of a document and its checksum.
pub(super) fn insert_text(
    transaction: &Transaction,
    sql: &str,
    text: &str,
) -> rusqlite::Result<()> {
    transaction.execute(sql, params![text, crc32fast::hash(text.as_bytes())]).map(drop)
}
