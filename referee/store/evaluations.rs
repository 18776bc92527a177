//! The evaluations of all tunings, kept for ever: a row per game, found by everything that it
//! depends on.

use super::database::Database;
use super::error::{OpenError, StoreError};
use super::schema::{Content, TUNING};
use arbitre_games::text::join;
use rusqlite::{params, OptionalExtension};
use std::path::Path;
use std::time::Duration;

/// Result of a game for the tuned player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// Score of a solo game, none if it did not reach the end. In other games, half points.
    pub score: Option<i64>,
    /// Total time of its answers.
    pub spent: Duration,
    /// Word of its first fault.
    pub fault: Option<String>,
}

/// Start of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start<'a> {
    /// Setup in the game's notation.
    pub setup: &'a str,
    /// Seat of the tuned player.
    pub seat: u8,
    /// Seeds of all seats.
    pub seeds: &'a [u64],
}

/// File of evaluations. Each belongs to a context: a document that names the game and its players.
pub struct Evaluations {
    database: Database,
}

const FIND: &str = "
    SELECT score, spent, fault, checksum FROM evaluation
    WHERE trial = (SELECT number FROM trial WHERE document = ?)
    AND instance = (SELECT number FROM instance WHERE setup = ?) AND seat = ? AND seeds = ?";
const ADD: &str = "
    INSERT INTO evaluation
    SELECT trial.number, instance.number, ?, ?, ?, ?, ?, ? FROM trial, instance
    WHERE document = ? AND setup = ?";

impl Evaluations {
    /// Opens a file to add evaluations, or creates it. `holder` describes this process to others.
    ///
    /// # Errors
    /// Returns an error if the file holds something else, is being written, or cannot be written.
    pub fn open(path: &Path, holder: &str) -> Result<Evaluations, StoreError> {
        let (mut database, lock, content) = TUNING.open(path, holder)?;
        if content == Content::Nothing {
            database.transact(&|transaction| TUNING.lay(transaction))?;
        }
        database.choose_journal(false, false)?;
        database.own(lock)?;
        Ok(Evaluations { database })
    }

    /// Creates a file of evaluations in memory, which is lost when it is dropped.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub fn in_memory() -> Result<Evaluations, StoreError> {
        let database = Database::in_memory()?;
        database.transact(&|transaction| TUNING.lay(transaction))?;
        Ok(Evaluations { database })
    }

    /// Returns the path of the file, or `None` for memory.
    pub fn path(&self) -> Option<&Path> {
        self.database.is_written().then(|| self.database.path())
    }

    /// Returns `true` if versions of programs are checksums in this file, as they were at first.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn has_checksums(&self) -> Result<bool, StoreError> {
        self.database.value(
            "SELECT EXISTS (SELECT * FROM trial WHERE document GLOB '*\"version\":\"????????\"*')",
        )
    }

    /// Returns the result of this game, if it was played.
    ///
    /// # Errors
    /// Returns an error if the file is damaged.
    pub fn find(&self, context: &str, start: &Start) -> Result<Option<Evaluation>, StoreError> {
        let key = params![context, start.setup, start.seat, start.seeds()];
        let found = self.database.query(|connection| {
            let found = connection.prepare_cached(FIND)?.query_row(key, |row| {
                let spent = Duration::from_nanos(row.get::<_, i64>(1)?.unsigned_abs());
                let evaluation = Evaluation { score: row.get(0)?, spent, fault: row.get(2)? };
                Ok((evaluation, row.get::<_, u32>(3)?))
            });
            found.optional()
        })?;
        match found {
            Some((evaluation, checksum)) if evaluation.checksum(context, start) != checksum => {
                let what = "the checksum of an evaluation does not fit";
                Err(self.database.error(OpenError::Damaged(what.into())))
            }
            found => Ok(found.map(|(evaluation, _)| evaluation)),
        }
    }

    /// Adds a game. Once this returns, the game is stored, whatever happens to this process.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or already holds the game.
    pub fn add(
        &self,
        context: &str,
        start: &Start,
        evaluation: &Evaluation,
    ) -> Result<(), StoreError> {
        let Evaluation { score, spent, fault } = evaluation;
        let (checksum, nanos) = (evaluation.checksum(context, start), nanos(*spent));
        let Start { setup, seat, .. } = start;
        self.database.transact(&|transaction| {
            let sql = "INSERT OR IGNORE INTO trial (document) VALUES (?)";
            transaction.prepare_cached(sql)?.execute([context])?;
            let sql = "INSERT OR IGNORE INTO instance (setup) VALUES (?)";
            transaction.prepare_cached(sql)?.execute([setup])?;
            let seeds = start.seeds();
            let values = params![seat, seeds, score, nanos, fault, checksum, context, setup];
            transaction.prepare_cached(ADD)?.execute(values).map(drop)
        })
    }
}

impl Start<'_> {
    fn seeds(&self) -> String {
        join(self.seeds, " ")
    }
}

impl Evaluation {
    /// Returns a checksum of the result together with the key of the game.
    fn checksum(&self, context: &str, start: &Start) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let score = self.score.map_or("none".into(), |score| score.to_string());
        let (seat, spent) = (start.seat.to_string(), nanos(self.spent).to_string());
        let fault = self.fault.as_deref().unwrap_or_default();
        for text in [context, start.setup, &seat, &start.seeds(), &score, &spent, fault] {
            // With its length, no text can move into the next field unnoticed.
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.finalize()
    }
}

fn nanos(spent: Duration) -> i64 {
    i64::try_from(spent.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Start = Start { setup: "0 1 / _ 2", seat: 0, seeds: &[7, u64::MAX] };

    fn evaluation(score: Option<i64>) -> Evaluation {
        Evaluation { score, spent: Duration::from_nanos(1234), fault: Some("illegal".into()) }
    }

    #[test]
    fn evaluation_is_found_by_its_whole_key() {
        let all = Evaluations::in_memory().unwrap();
        all.add("bot 1", &START, &evaluation(Some(-5))).unwrap();
        all.add("bot 2", &START, &evaluation(None)).unwrap();
        assert_eq!(all.find("bot 1", &START).unwrap(), Some(evaluation(Some(-5))));
        assert_eq!(all.find("bot 2", &START).unwrap(), Some(evaluation(None)));
        for other in [
            Start { setup: "1 0 / _ 2", ..START },
            Start { seat: 1, ..START },
            Start { seeds: &[7], ..START },
        ] {
            assert_eq!(all.find("bot 1", &other).unwrap(), None, "{other:?}");
        }
        assert_eq!(all.find("bot 3", &START).unwrap(), None);
        assert!(all.add("bot 1", &START, &evaluation(Some(-5))).is_err(), "a key is unique");
    }

    #[test]
    fn changed_evaluation_is_rejected() {
        let all = Evaluations::in_memory().unwrap();
        all.add("bot", &START, &evaluation(Some(5))).unwrap();
        all.database.connection.execute("UPDATE evaluation SET score = 6", []).unwrap();
        let error = all.find("bot", &START).unwrap_err().to_string();
        assert!(error.contains("it is damaged"), "{error}");
    }
}
