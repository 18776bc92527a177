//! Merging of the files of one match: the shards of several machines, or runs of the same match.
//!
//! Every file is read in the order of rounds and versions, which its index has, and the files are
//! merged in this order. Memory thus holds one game of each file, however many there are.

use super::archive::{Archive, Session, GAMES, GAME_COLUMNS};
use super::database::Database;
use super::error::{OpenError, StoreError};
use super::game_row::GameRow;
use super::lineup::Lineup;
use super::lock::beside;
use super::moves_row::{notes_cells, MovesRow};
use super::schema::{Format, MATCH};
use super::writer::{insert_document, insert_stages, insert_text};
use super::{cells, document, is_written};
use crate::config::{Contest, PlayerConfig};
use crate::formats::StoredStage;
use crate::play::notes::Notes;
use crate::registry::Registry;
use arbitre_games::text::join;
use rusqlite::types::Value;
use rusqlite::{params, OpenFlags, Rows, Statement, Transaction};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Pages that the cache of a file which is read may have: rows are read once. Many files are open
/// at once. Not tuned.
const CACHED_PAGES: u32 = 16;

/// Choice between two different results of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Preference {
    /// The file that was named first
    First,
    /// The game of the session that began last
    Newest,
}

/// Result of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Number of games in the merged file, those of earlier versions included.
    pub games: u64,
    /// Number of games that were in several files with the same result.
    pub repeated: u64,
    /// Number of games that were in several files with different results.
    pub replaced: u64,
    /// Files that a referee was still writing.
    pub growing: Vec<PathBuf>,
}

/// Opens a file that will be merged. Its cache stays small, also while its games are counted.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn open(path: &Path, registry: &Registry) -> Result<Archive, StoreError> {
    let archive = Archive::open(path, registry)?;
    let cache = format!("PRAGMA cache_size = {CACHED_PAGES}");
    archive.database.query(|connection| connection.execute_batch(&cache))?;
    Ok(archive)
}

/// Merges the files of `archives` to a new file `output`, which appears only once it is complete.
///
/// # Errors
/// Returns an error if a file is damaged or not of the match of the first one, or if a game has two
/// results. The output must not exist, and its folder must be writable.
pub fn merge(
    archives: &[Archive],
    output: &Path,
    prefer: Option<Preference>,
) -> Result<Merged, StoreError> {
    if output.exists() {
        return Err(OpenError::Exists.about(output));
    }
    // A single file is copied, whatever it holds.
    for archive in archives.iter().filter(|_| archives.len() > 1) {
        archive.refuse_other(&archives[0])?;
    }
    let growing = archives.iter().map(|archive| archive.path().to_owned());
    let growing = growing.filter(|path| is_written(path)).collect();
    let mut part = Partial::create(output)?;
    let merged = join_files(archives, &part, prefer)?;
    part.finish(output)?;
    Ok(Merged { growing, ..merged })
}

impl Archive {
    /// Returns the stages, without notes on the players that are absent.
    fn pairings(&self) -> Result<Vec<StoredStage>, StoreError> {
        let mut stages = self.stages()?;
        stages.retain(StoredStage::has_meetings);
        Ok(stages)
    }

    /// Refuses a file whose match or players are not those of `first`, and a match whose games
    /// depend on each other.
    fn refuse_other(&self, first: &Archive) -> Result<(), StoreError> {
        let (own, other) = (self.config(), first.config());
        let refuse = |why: String| Err(OpenError::Unmergeable(why).about(self.path()));
        let what = match own.depends_on_results() {
            _ if own.sprt.is_some() => Some("a sequential test".into()),
            true => Some(format!("a {}", own.format.word())),
            false => None,
        };
        if let Some(what) = what {
            return refuse(format!("it is {what}, whose games depend on all results before"));
        }
        let there = first.path().display();
        if let Some(difference) = other.difference(own) {
            return refuse(format!("it is another match than {there}, where {difference}"));
        }
        if own.games != other.games {
            let (own, other) = (own.games, other.games);
            return refuse(format!("expected {other} games per pairing, as in {there}, got {own}"));
        }
        if own.names() != other.names() {
            let [own, other] = [own, other].map(|config| config.names().join(", "));
            return refuse(format!("expected the players {other}, as in {there}, got {own}"));
        }
        if self.pairings()? != first.pairings()? {
            return refuse(format!(
                "expected the pairings of {there}, got those of other players; help: a player could be \
                 started for one of the files only"
            ));
        }
        let mut players = own.players.iter().zip(&other.players);
        match players.find(|(own, other)| !own.is_same_version(other)) {
            Some((own, other)) => {
                refuse(format!("{}, not that of {there}", version_difference(own, other)))
            }
            None => Ok(()),
        }
    }
}

/// Describes the first difference between two versions of a player.
fn version_difference(own: &PlayerConfig, other: &PlayerConfig) -> String {
    let name = &own.name;
    if own.version != other.version {
        let [own, other] = [own, other].map(|player| short(&player.version));
        format!("expected version {other} of {name}, got {own}")
    } else if own.dialect != other.dialect {
        format!("expected dialect {} of {name}, got {}", other.dialect, own.dialect)
    } else {
        format!("expected limits {} of {name}, got {}", other.limits, own.limits)
    }
}

/// Returns the beginning of a digest; a text of several words stays whole.
fn short(version: &str) -> &str {
    match version.contains(' ') {
        true => version,
        false => version.get(..12).unwrap_or(version),
    }
}

/// Output file under its temporary name, which is removed unless it is finished.
struct Partial {
    path: PathBuf,
    /// Connection to the file; none once it is finished.
    database: Option<Database>,
}

impl Partial {
    /// Creates the file beside the output, under a name that no other process has.
    fn create(output: &Path) -> Result<Partial, StoreError> {
        let path = beside(output, &format!("{}.merging", std::process::id()));
        File::create(&path).map_err(StoreError::forbidden(output))?;
        let mut part = Partial { path, database: None };
        let database = Database::connect(&part.path, OpenFlags::default())?;
        // An interrupted merge begins anew, so nothing has to be undone.
        let settings = "PRAGMA journal_mode = off; PRAGMA synchronous = off";
        database.query(|connection| connection.execute_batch(settings))?;
        part.database = Some(database);
        Ok(part)
    }

    fn database(&self) -> &Database {
        self.database.as_ref().expect("the file is finished at most once")
    }

    /// Gives the file its name, with all content on the disk.
    fn finish(&mut self, output: &Path) -> Result<(), StoreError> {
        drop(self.database.take());
        let publish = || {
            File::open(&self.path)?.sync_all()?;
            // Unlike a rename, a link does not replace a file that another process made meanwhile.
            match fs::hard_link(&self.path, output) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
                // Some file systems have no links.
                Err(_) => fs::rename(&self.path, output),
                Ok(()) => Ok(()),
            }
        };
        publish().map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenError::Exists.about(output),
            _ => OpenError::of_io(&error).about(output),
        })
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        drop(self.database.take());
        // After a rename there is no such file any more.
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes the match of `archives` with all of their games.
fn join_files(
    archives: &[Archive],
    part: &Partial,
    prefer: Option<Preference>,
) -> Result<Merged, StoreError> {
    let failed = |error: rusqlite::Error| OpenError::of_writing(&error).about(&part.path);
    let to = part.database().connection.unchecked_transaction().map_err(failed)?;
    let copied = if let [only] = archives { Some(only) } else { None };
    let shard = copied.and_then(|archive| archive.config().shard);
    let config = Contest { shard, ..archives[0].config().clone() };
    let mut lineup = copied.map_or_else(Lineup::default, |archive| archive.lineup.clone());
    let before = archives[0].document()?;
    let lay = |lineup: &mut Lineup| {
        MATCH.lay(&to)?;
        let text = document::write(&config, Format::Three, Some(&before));
        insert_text(&to, "INSERT INTO match VALUES (?, ?)", &text)?;
        if copied.is_some() {
            lineup.write(&to)?;
            return Ok(vec![lineup.same()]);
        }
        lineup.enrol(&config.players, &to)?;
        lineup.join(archives.iter().map(|archive| &archive.lineup), &to)
    };
    let versions = lay(&mut lineup).map_err(failed)?;
    // Each file is read as it is at one moment.
    let _moments = archives.iter().map(Archive::moment).collect::<Result<Vec<_>, _>>()?;
    let sessions = join_sessions(archives, &to, &failed)?;
    join_attempts(archives, &versions, &sessions, &to, &failed)?;
    let mut statements = archives.iter().map(identities).collect::<Result<Vec<_>, _>>()?;
    let sources = archives.iter().zip(&versions).zip(&sessions).zip(&mut statements);
    let mut sources = sources
        .map(|(((archive, versions), sessions), statement)| {
            let rows = statement.query([]).map_err(StoreError::of(archive.path()))?;
            Ok(Source::new(archive, versions, sessions, rows))
        })
        .collect::<Result<Vec<_>, StoreError>>()?;
    let mut heads = BinaryHeap::new();
    for (place, source) in sources.iter_mut().enumerate() {
        heads.extend(source.next()?.map(|head| Reverse((head, place))));
    }
    let (mut merged, mut digest) = (Merged::default(), 0);
    while let Some(Reverse(first)) = heads.pop() {
        let mut same = vec![first];
        while heads.peek().is_some_and(|Reverse((head, _))| head.is_same_game(&same[0].0)) {
            same.extend(heads.pop().map(|Reverse(other)| other));
        }
        for (_, place) in &same {
            heads.extend(sources[*place].next()?.map(|head| Reverse((head, *place))));
        }
        let copies = same.into_iter().map(|(head, place)| sources[place].read(head));
        let copies = copies.collect::<Result<Vec<StoredCopy>, StoreError>>()?;
        let game = choose(copies, &lineup, prefer, &mut merged)?;
        let number = copied.map_or(merged.games, |_| game.game.number);
        digest ^= game.write(number, &to).map_err(failed)?;
        merged.games += 1;
    }
    let mut next = merged.games;
    copy_stages(common_stages(archives)?, &lineup, &to).map_err(failed)?;
    if let Some(archive) = copied {
        next = archive.ledger()?.next;
    }
    let sql = "UPDATE ledger SET games = ?, digest = ?, next = ?";
    let (games, next) = (merged.games.cast_signed(), next.cast_signed());
    to.execute(sql, params![games, digest, next]).map_err(failed)?;
    drop(sources);
    to.commit().map_err(failed)?;
    Ok(merged)
}

/// Returns the rows of stages of a merged file: those of all files, or the pairings of them if
/// their notes differ. A player that is absent in one of the runs may take part in another one.
fn common_stages(archives: &[Archive]) -> Result<Vec<StoredStage>, StoreError> {
    let stored = archives.iter().filter_map(|archive| match archive.lacks_stages() {
        Ok(true) => None,
        Ok(false) => Some(archive.stages()),
        Err(error) => Some(Err(error)),
    });
    let stored = stored.collect::<Result<Vec<_>, _>>()?;
    let Some(first) = stored.first() else { return Ok(Vec::new()) };
    let is_common = stored.iter().all(|of| of == first);
    let rows = first.iter().filter(|row| is_common || row.has_meetings());
    Ok(rows.cloned().collect())
}

/// Stores stages with the identities of their players.
fn copy_stages(
    stages: Vec<StoredStage>,
    lineup: &Lineup,
    to: &Transaction,
) -> rusqlite::Result<()> {
    let ids: Vec<usize> = lineup.identities().map(|id| id as usize).collect();
    let renumbered = |stage: StoredStage| stage.renumbered(|player| ids.get(player).copied());
    insert_stages(to, &stages.into_iter().filter_map(renumbered).collect::<Vec<_>>())
}

/// Returns the query of the identities of all games, which are the content of one index.
fn identities(archive: &Archive) -> Result<Statement<'_>, StoreError> {
    let sql = "SELECT round, versions, number FROM game ORDER BY round, versions";
    archive.database.connection.prepare(sql).map_err(StoreError::of(archive.path()))
}

/// Stores the void attempts of each session, as the first file with this session has them.
fn join_attempts(
    archives: &[Archive],
    versions: &[HashMap<i64, i64>],
    sessions: &[HashMap<i64, i64>],
    to: &Transaction,
    failed: &dyn Fn(rusqlite::Error) -> StoreError,
) -> Result<(), StoreError> {
    let mut known: BTreeSet<i64> = BTreeSet::new();
    for ((archive, versions), sessions) in archives.iter().zip(versions).zip(sessions) {
        for attempt in archive.attempts()? {
            let attempt = attempt.and_then(|attempt| attempt.renumbered(versions, sessions));
            let attempt = attempt.ok_or_else(|| archive.damaged("a void attempt"))?;
            if !known.contains(&attempt.session) {
                attempt.insert(to).map_err(failed)?;
            }
        }
        known.extend(sessions.values());
    }
    Ok(())
}

/// Stores the sessions that have games or attempts, each once, by their beginning. Returns their
/// new numbers by file.
fn join_sessions(
    archives: &[Archive],
    to: &Transaction,
    failed: &dyn Fn(rusqlite::Error) -> StoreError,
) -> Result<Vec<HashMap<i64, i64>>, StoreError> {
    let mut of_files = Vec::new();
    for archive in archives {
        let mut used = archive.sessions_of_games()?;
        used.extend(archive.attempts()?.iter().flatten().map(|attempt| attempt.session));
        let mut sessions = archive.sessions()?;
        sessions.retain(|number, _| used.contains(number));
        of_files.push(sessions);
    }
    let all: BTreeSet<&Session> = of_files.iter().flat_map(|sessions| sessions.values()).collect();
    let numbers: HashMap<&Session, i64> = all.into_iter().zip(1..).collect();
    let mut by_number: Vec<(&Session, i64)> = numbers.iter().map(|(of, at)| (*of, *at)).collect();
    by_number.sort_unstable();
    for (session, number) in by_number {
        let sql = format!("INSERT INTO session VALUES ({number}, ?, ?)");
        insert_document(to, &sql, session).map_err(failed)?;
    }
    let renumbered = of_files.iter().map(|sessions| {
        sessions.iter().map(|(before, session)| (*before, numbers[session])).collect()
    });
    Ok(renumbered.collect())
}

/// Identity of a game in a file, with the versions of the merged file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Head {
    round: i64,
    versions: String,
    /// Number in its own file.
    number: i64,
}

impl Head {
    fn is_same_game(&self, other: &Head) -> bool {
        (self.round, &self.versions) == (other.round, &other.versions)
    }
}

/// File that is read game by game.
struct Source<'a> {
    archive: &'a Archive,
    /// Version of the merged file for each of this one.
    versions: &'a HashMap<i64, i64>,
    /// Session of the merged file for each of this one.
    sessions: &'a HashMap<i64, i64>,
    rows: Rows<'a>,
    /// Whether all versions have the same identity in the merged file. Otherwise the games of a
    /// round have another order there, and are sorted anew.
    is_sorted: bool,
    /// Games that were read and not passed on.
    ready: VecDeque<Head>,
    /// First game of the round after those.
    ahead: Option<Head>,
}

impl<'a> Source<'a> {
    fn new(
        archive: &'a Archive,
        versions: &'a HashMap<i64, i64>,
        sessions: &'a HashMap<i64, i64>,
        rows: Rows<'a>,
    ) -> Source<'a> {
        let is_sorted = versions.iter().all(|(own, merged)| own == merged);
        let (ready, ahead) = (VecDeque::new(), None);
        Source { archive, versions, sessions, rows, is_sorted, ready, ahead }
    }

    /// Returns the next game in the order of the merged file.
    fn next(&mut self) -> Result<Option<Head>, StoreError> {
        if self.is_sorted {
            return self.pull();
        }
        if self.ready.is_empty() {
            let first = match self.ahead.take() {
                Some(first) => Some(first),
                None => self.pull()?,
            };
            let Some(first) = first else { return Ok(None) };
            let mut round = vec![first];
            while let Some(head) = self.pull()? {
                if head.round != round[0].round {
                    self.ahead = Some(head);
                    break;
                }
                round.push(head);
            }
            round.sort_unstable();
            self.ready = round.into();
        }
        Ok(self.ready.pop_front())
    }

    /// Reads the next game in the order of this file.
    fn pull(&mut self) -> Result<Option<Head>, StoreError> {
        let failed = StoreError::of(self.archive.path());
        let Some(row) = self.rows.next().map_err(&failed)? else { return Ok(None) };
        let cells: (i64, String, i64) =
            row.get(0).and_then(|round| Ok((round, row.get(1)?, row.get(2)?))).map_err(&failed)?;
        let (round, versions, number) = cells;
        let own: Option<Vec<i64>> = cells::numbers(&versions);
        let merged = own.and_then(|own| own.iter().map(|id| self.versions.get(id)).collect());
        let merged: Vec<&i64> = merged.ok_or_else(|| {
            self.archive.damaged(format!("game {number}: its versions are unknown"))
        })?;
        Ok(Some(Head { round, versions: join(merged, " "), number }))
    }

    /// Reads a whole game.
    fn read(&self, head: Head) -> Result<StoredCopy, StoreError> {
        let (archive, number) = (self.archive, head.number);
        let sessions = self.sessions;
        let parse = |row: &rusqlite::Row| -> rusqlite::Result<Result<StoredCopy, String>> {
            let parse = || -> Result<GameRow, String> {
                let game = GameRow::read(row, archive.lower_is_better)?;
                MovesRow::of(row, GAME_COLUMNS, &game)?;
                Ok(game)
            };
            let game = match parse() {
                Ok(game) => game,
                Err(what) => return Ok(Err(what)),
            };
            let Some(&session) = sessions.get(&game.session) else {
                return Ok(Err(format!("game {number}: its session is missing")));
            };
            let of_game = (0..GAME_COLUMNS).map(|column| row.get(column));
            let of_moves =
                (GAME_COLUMNS..row.as_ref().column_count()).map(|column| row.get(column));
            let cells = of_game.collect::<rusqlite::Result<Vec<Value>>>()?;
            let mut moves_cells = of_moves.collect::<rusqlite::Result<Vec<Value>>>()?;
            if archive.format < Format::Three {
                moves_cells.extend(notes_cells(&Notes::default(), Vec::new()));
            }
            let path = archive.path().to_owned();
            Ok(Ok(StoredCopy { path, head: head.clone(), session, game, cells, moves_cells }))
        };
        let sql = format!("{GAMES} WHERE game.number = +?");
        let read = archive
            .database
            .query(|connection| connection.prepare_cached(&sql)?.query_row([number], parse))?;
        read.map_err(|what| archive.damaged(what))
    }
}

/// A game as one file has it.
struct StoredCopy {
    path: PathBuf,
    head: Head,
    /// Session in the merged file. Sessions are numbered in the order in which they began.
    session: i64,
    game: GameRow,
    cells: Vec<Value>,
    moves_cells: Vec<Value>,
}

impl StoredCopy {
    /// Returns `true` if both are the same game, move for move. Times may differ.
    fn has_result_of(&self, other: &StoredCopy) -> bool {
        let result = |copy: &StoredCopy| {
            let GameRow { outcome, ending, faults, fingerprint, seeds, .. } = copy.game.clone();
            (outcome, ending, faults, fingerprint, seeds)
        };
        result(self) == result(other)
    }

    /// Writes the game under this number. Returns the checksum of its row.
    fn write(mut self, number: u64, to: &Transaction) -> rusqlite::Result<u32> {
        let number = Value::Integer(number.cast_signed());
        self.moves_cells[0] = number.clone();
        let moves = cells::checksum_of(&self.moves_cells);
        let checksum = self.cells.len() - 1;
        self.cells[0] = number;
        self.cells[3] = Value::Text(self.head.versions);
        self.cells[5] = Value::Integer(self.session);
        self.cells[checksum - 1] = Value::Integer(moves.into());
        let sum = cells::checksum_of(&self.cells[..checksum]);
        self.cells[checksum] = Value::Integer(sum.into());
        cells::insert(to, "game", &self.cells)?;
        cells::insert(to, "moves", &self.moves_cells)?;
        Ok(sum)
    }

    fn described(&self, players: &str) -> String {
        let GameRow { outcome, ending, .. } = &self.game;
        let scores = join(&outcome.scores, "-");
        let (round, path) = (self.head.round, self.path.display());
        format!("round {round} of {players} ended {scores} ({ending}) in {path}")
    }

    fn scores_here(&self) -> String {
        format!("{} ({}) here", join(&self.game.outcome.scores, "-"), self.game.ending)
    }
}

/// Returns the copy of a game to keep, which does not depend on the order of the files unless their
/// order was asked for.
fn choose(
    copies: Vec<StoredCopy>,
    lineup: &Lineup,
    prefer: Option<Preference>,
    merged: &mut Merged,
) -> Result<StoredCopy, StoreError> {
    let differing = copies.iter().find(|copy| !copy.has_result_of(&copies[0]));
    let repeated = copies.len() as u64 - 1;
    let Some(other) = differing else {
        merged.repeated += repeated;
        let oldest = copies.into_iter().min_by_key(|copy| copy.session);
        return Ok(oldest.expect("a game has a copy"));
    };
    let own: Vec<i64> = cells::numbers(&copies[0].head.versions).unwrap_or_default();
    let players: Vec<&PlayerConfig> = own.iter().filter_map(|id| lineup.version_of(*id)).collect();
    let is_fixed = |player: &&PlayerConfig| {
        let clock = &player.limits.clock;
        !clock.is_timed() && (clock.nodes.is_some() || clock.depth.is_some())
    };
    let names = join(players.iter().map(|player| &player.name), " - ");
    let both = format!("{}, and {}", copies[0].described(&names), other.scores_here());
    if players.iter().all(is_fixed) {
        return Err(OpenError::TwoResults(both).about(&other.path));
    }
    merged.replaced += repeated;
    let kept = match prefer {
        None => return Err(OpenError::NoPreference(both).about(&other.path)),
        // Copies come in the order of the files.
        Some(Preference::First) => copies.into_iter().next(),
        Some(Preference::Newest) => copies.into_iter().max_by_key(|copy| copy.session),
    };
    Ok(kept.expect("a game has a copy"))
}
