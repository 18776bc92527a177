//! Rows of the table `void`: attempts to play a game that do not count.

use super::cells;
use arbitre_games::text::join;
use rusqlite::types::Value;
use rusqlite::{Connection, Row};
use std::collections::HashMap;

/// Attempt to play a game that is void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Round of the game.
    pub round: i64,
    /// Version on each seat.
    pub versions: Vec<i64>,
    /// Session in which it was played.
    pub session: i64,
    /// Fault, or the failure of the rules.
    pub reason: String,
}

impl Attempt {
    /// Adds the row of the attempt.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut cells = vec![
            Value::Integer(self.round),
            Value::Text(join(&self.versions, " ")),
            Value::Integer(self.session),
            Value::Text(self.reason.clone()),
        ];
        cells.push(Value::Integer(cells::checksum_of(&cells).into()));
        cells::insert(connection, "void", &cells)
    }

    /// Reads a row; `None` if it is damaged.
    ///
    /// # Errors
    /// Returns an error of SQLite.
    pub fn read(row: &Row) -> rusqlite::Result<Option<Attempt>> {
        let sum = cells::checksum(cells::columns::<4>(row, 0)?);
        if row.get::<_, u32>(4).ok() != Some(sum) {
            return Ok(None);
        }
        let versions: String = row.get(1)?;
        let versions = versions.split(' ').map(|id| id.parse().ok()).collect::<Option<_>>();
        let (round, session, reason) = (row.get(0)?, row.get(2)?, row.get(3)?);
        Ok(versions.map(|versions| Attempt { round, versions, session, reason }))
    }

    /// Returns the attempt with the identities of another file; `None` if one is unknown there.
    pub fn renumbered(
        &self,
        versions: &HashMap<i64, i64>,
        sessions: &HashMap<i64, i64>,
    ) -> Option<Attempt> {
        let own = self.versions.iter().map(|version| versions.get(version).copied());
        let (versions, session) = (own.collect::<Option<_>>()?, *sessions.get(&self.session)?);
        Some(Attempt { versions, session, ..self.clone() })
    }
}
