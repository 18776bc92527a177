//! What tunings evaluated, for ever: a row per game, found again by all that it depends on.

use super::database::Database;
use super::error::{OpenError, StoreError};
use super::schema::{Content, TUNING};
use arbitre_games::text::join;
use rusqlite::{params, OptionalExtension};
use std::path::Path;
use std::time::Duration;

/// What came of a game, for the player that is tuned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// In a game of one its score, or nothing if it did not come to the end; else half points.
    pub score: Option<i64>,
    /// The time of all its answers.
    pub spent: Duration,
    /// The word for its first fault.
    pub fault: Option<String>,
}

/// Where a game began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start<'a> {
    /// The setup in its own words.
    pub setup: &'a str,
    /// The seat of the player that is tuned.
    pub seat: u8,
    /// The seeds of all seats.
    pub seeds: &'a [u64],
}

/// A file of evaluations, each of a context: a document that says which game is played by whom.
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
    /// Opens a file to add to it, or makes it. `holder` tells others who writes.
    ///
    /// # Errors
    /// If it holds something else, is being written, or cannot be written.
    pub fn open(path: &Path, holder: &str) -> Result<Evaluations, StoreError> {
        let (mut database, lock, content) = TUNING.open(path, holder)?;
        if content == Content::Nothing {
            database.transact(&|transaction| TUNING.lay(transaction))?;
        }
        database.choose_journal()?;
        database.own(lock)?;
        Ok(Evaluations { database })
    }

    /// Evaluations that are forgotten in the end.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn in_memory() -> Result<Evaluations, StoreError> {
        let database = Database::in_memory()?;
        database.transact(&|transaction| TUNING.lay(transaction))?;
        Ok(Evaluations { database })
    }

    /// Where it lies; nothing if it is forgotten in the end.
    pub fn path(&self) -> Option<&Path> {
        self.database.is_written().then(|| self.database.path())
    }

    /// What came of this game, if it was played.
    ///
    /// # Errors
    /// If the file is damaged.
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

    /// Adds a game. When this returns it is there, whatever happens to this process.
    ///
    /// # Errors
    /// If the file cannot be written, or has it already.
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
    /// A checksum of what came of a game together with which it was.
    fn checksum(&self, context: &str, start: &Start) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let score = self.score.map_or("none".into(), |score| score.to_string());
        let (seat, spent) = (start.seat.to_string(), nanos(self.spent).to_string());
        let fault = self.fault.as_deref().unwrap_or_default();
        for text in [context, start.setup, &seat, &start.seeds(), &score, &spent, fault] {
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
    fn a_game_is_found_by_all_that_it_depends_on() {
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
        assert!(all.add("bot 1", &START, &evaluation(Some(-5))).is_err(), "once is enough");
    }

    #[test]
    fn what_was_changed_is_not_believed() {
        let all = Evaluations::in_memory().unwrap();
        all.add("bot", &START, &evaluation(Some(5))).unwrap();
        all.database.connection.execute("UPDATE evaluation SET score = 6", []).unwrap();
        let error = all.find("bot", &START).unwrap_err().to_string();
        assert!(error.contains("it is damaged"), "{error}");
    }
}
