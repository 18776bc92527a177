//! Is a file what it was when it was written, and do its games follow from their moves?

use super::archive::Archive;
use super::row::{Row, SELECT};
use super::StoreError;
use crate::referee::openings::Openings;
use crate::referee::record::Record;
use crate::referee::registry::Hosted;
use crate::referee::replay::Replay;
use std::path::Path;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    /// The games that were looked at.
    pub games: u64,
    /// What is wrong, one line each.
    pub problems: Vec<String>,
}

/// Looks at everything: the pages of the file, the checksum of every row, the ledger, and every
/// game, which is played again from its setup and moves.
///
/// # Errors
/// If the file is so far from a database of ours that there is nothing to look at.
pub fn verify(path: &Path) -> Result<Verification, StoreError> {
    let archive = Archive::open(path)?;
    let mut verification = Verification::default();
    for look in [pages, ledger, sessions, games] {
        if let Err(error) = look(&archive, &mut verification) {
            verification.problems.push(error.to_string());
        }
    }
    Ok(verification)
}

fn pages(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let read = || -> rusqlite::Result<Vec<String>> {
        let mut statement = archive.connection.prepare("PRAGMA integrity_check(20)")?;
        let lines = statement.query_map([], |row| row.get(0))?;
        lines.collect()
    };
    let lines = read().map_err(StoreError::of(&archive.path))?;
    let lines = lines.iter().flat_map(|text| text.lines());
    found.problems.extend(lines.filter(|line| *line != "ok").map(|line| format!("pages: {line}")));
    Ok(())
}

fn ledger(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let (written, counted) = (archive.ledger()?, archive.counted()?);
    if written.0 != counted.0 {
        let (written, counted) = (written.0, counted.0);
        found.problems.push(format!("ledger: {written} games were written, {counted} are here"));
    } else if written != counted {
        found.problems.push("ledger: the checksums of the games do not add up".into());
    }
    Ok(())
}

fn sessions(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let known = archive.sessions()?;
    let read = || -> rusqlite::Result<Vec<i64>> {
        let mut statement = archive.connection.prepare("SELECT DISTINCT session FROM game")?;
        let numbers = statement.query_map([], |row| row.get(0))?;
        numbers.collect()
    };
    let used = read().map_err(StoreError::of(&archive.path))?;
    let missing = used.into_iter().filter(|number| !known.contains_key(number));
    found.problems.extend(missing.map(|number| format!("session {number} is missing")));
    Ok(())
}

fn games(archive: &Archive, found: &mut Verification) -> Result<(), StoreError> {
    let game = match archive.charter.open_game() {
        Ok(game) => game,
        Err(why) => {
            found.problems.push(format!("the charter: {why}"));
            return Ok(());
        }
    };
    let openings = archive.charter.openings(&*game);
    let failed = StoreError::of(&archive.path);
    let sql = format!("{SELECT} ORDER BY number");
    let mut statement = archive.connection.prepare(&sql).map_err(&failed)?;
    let mut rows = statement.query([]).map_err(&failed)?;
    while let Some(row) = rows.next().map_err(&failed)? {
        found.games += 1;
        let (row, checksum) = Row::read(row).map_err(&failed)?;
        match archive.record(&row, checksum) {
            Ok(record) => {
                let problem = problem_of(archive, &record, &*game, &openings);
                let number = record.fixture.index;
                found.problems.extend(problem.map(|problem| format!("game {number}: {problem}")));
            }
            Err(error) => found.problems.push(error.why.to_string()),
        }
    }
    Ok(())
}

/// What is wrong with a record whose row is whole.
fn problem_of(
    archive: &Archive,
    record: &Record,
    game: &dyn Hosted,
    openings: &Openings,
) -> Option<String> {
    let planned = openings.setup(record.fixture.round);
    if record.setup != planned {
        return Some(format!("it starts from '{}', not '{planned}'", record.setup));
    }
    match Replay::of(record, game, &archive.charter, false) {
        Ok(replay) => replay.difference(record).map(|what| format!("played again, {what}")),
        Err(why) => Some(format!("it cannot be played again: {why}")),
    }
}
