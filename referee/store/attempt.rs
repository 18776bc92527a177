//! Rows of the table `void`: attempts to play a game that do not count.

use super::cells;
use arbitre_games::text::join;
use rusqlite::types::Value;
use rusqlite::{Connection, Row};
use std::collections::{HashMap, HashSet};

/// Round of an attempt to start one player, which belongs to no game.
pub const NO_ROUND: i64 = -1;

/// Attempt to play a game that is void, or to start a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Round of the game, or [`NO_ROUND`].
    pub round: i64,
    /// Version on each seat.
    pub versions: Vec<i64>,
    /// Session in which it was played.
    pub session: i64,
    /// Fault, or the failure of the rules.
    pub reason: String,
}

/// Removes the attempts of versions that are not in the file any more.
///
/// # Errors
/// Returns an error of SQLite.
pub fn prune(versions: &HashSet<i64>, connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT rowid, versions FROM void")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
    for (row, text) in rows.collect::<rusqlite::Result<Vec<(i64, String)>>>()? {
        let own = cells::numbers::<i64>(&text);
        if own.is_some_and(|own| own.iter().any(|version| !versions.contains(version))) {
            connection.execute("DELETE FROM void WHERE rowid = ?", [row])?;
        }
    }
    Ok(())
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
        let (round, session, reason) = (row.get(0)?, row.get(2)?, row.get(3)?);
        Ok(cells::numbers(&versions).map(|versions| Attempt { round, versions, session, reason }))
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
