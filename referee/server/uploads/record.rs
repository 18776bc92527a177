//! Uploads in the file of the people.

use crate::people::Refused;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use rusqlite::{params, Connection};

/// Stage of an upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Turn that has not come.
    Waiting,
    /// Build or test that goes on; the file says that it waits.
    Testing,
    /// No mistake was found.
    Passed,
    /// A mistake was found.
    Failed,
    /// A newer one of the same person came before its turn.
    Replaced,
}

impl Stage {
    const WORDS: [(&'static str, Stage); 5] = [
        ("waiting", Stage::Waiting),
        ("testing", Stage::Testing),
        ("passed", Stage::Passed),
        ("failed", Stage::Failed),
        ("replaced", Stage::Replaced),
    ];

    /// Returns `true` if the work on it is not over.
    pub fn is_open(self) -> bool {
        matches!(self, Stage::Waiting | Stage::Testing)
    }

    /// Returns the word of the stage, in the file and for programs.
    pub fn word(self) -> &'static str {
        Stage::WORDS.iter().find(|(_, of)| *of == self).map_or("failed", |(word, _)| word)
    }
}

impl FromSql for Stage {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Stage> {
        let word = value.as_str()?;
        let found = Stage::WORDS.iter().find(|(of, _)| *of == word);
        Ok(found.map_or(Stage::Failed, |(_, stage)| *stage))
    }
}

/// Upload as it is stored.
#[derive(Clone, Debug)]
pub struct Row {
    /// Number, which is never used again.
    pub id: i64,
    /// Number of the person.
    pub person: i64,
    /// Time at which it came, in seconds since 1970.
    pub made: i64,
    /// Names of its files.
    pub files: String,
    /// Name of its folder.
    pub folder: String,
    /// Stage.
    pub stage: Stage,
    /// Output of its build, and findings of its test.
    pub log: String,
}

impl Row {
    /// Creates an upload that waits, and has no number yet.
    pub fn new(person: i64, made: i64, files: String, folder: String) -> Row {
        Row { id: 0, person, made, files, folder, stage: Stage::Waiting, log: String::new() }
    }
}

/// Returns all uploads.
pub fn all(file: &Connection) -> Result<Vec<Row>, Refused> {
    let sql = "SELECT id, person, made, files, folder, stage, log FROM upload ORDER BY id";
    let mut rows = file.prepare(sql)?;
    let rows = rows.query_map([], |row| {
        Ok(Row {
            id: row.get(0)?,
            person: row.get(1)?,
            made: row.get(2)?,
            files: row.get(3)?,
            folder: row.get(4)?,
            stage: row.get(5)?,
            log: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds an upload, and returns it with its number.
pub fn add(file: &Connection, row: Row) -> Result<Row, Refused> {
    let Row { person, made, files, folder, stage, log, .. } = &row;
    // A person that was deleted meanwhile leaves none.
    let sql = "INSERT INTO upload (person, made, files, folder, stage, log) \
               SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM person WHERE id = ?1)";
    let added = file.execute(sql, params![person, made, files, folder, stage.word(), log])?;
    match added {
        0 => Err(Refused::Unknown),
        _ => Ok(Row { id: file.last_insert_rowid(), ..row }),
    }
}

/// Notes how an upload ended.
pub fn end(file: &Connection, id: i64, stage: Stage, log: &str) -> Result<(), Refused> {
    let sql = "UPDATE upload SET stage = ?, log = ? WHERE id = ?";
    file.execute(sql, params![stage.word(), log, id])?;
    Ok(())
}

/// Deletes these uploads.
pub fn delete(file: &Connection, ids: &[i64]) -> Result<(), Refused> {
    let mut statement = file.prepare("DELETE FROM upload WHERE id = ?")?;
    ids.iter().try_for_each(|id| statement.execute([id]).map(drop))?;
    Ok(())
}

/// Deletes the uploads of a person.
pub fn forget(file: &Connection, person: i64) -> Result<(), Refused> {
    file.execute("DELETE FROM upload WHERE person = ?", [person])?;
    Ok(())
}
