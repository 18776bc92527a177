//! Results that last: one SQLite file per match, one writer, a game counted when its row is
//! committed.
//!
//! A file holds the charter of the match, a row for each time the match was played at (a *session*), a row per
//! game with its checksum, and a ledger that says how many games there are and what their checksums
//! add up to, so that a row cannot vanish unseen either. Ratings and schedules follow from these and
//! are never stored.

mod archive;
pub mod folder;
mod journal;
mod lock;
mod row;
mod schema;
mod verify;
mod writer;

pub use archive::{Archive, Session};
pub use verify::{verify, Verification};
pub use writer::Writer;

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file does not serve, in one line that begins with its name.
#[derive(Debug, Error)]
#[error("{}: {why}", path.display())]
pub struct StoreError {
    path: PathBuf,
    why: Why,
}

/// Why a file does not serve.
#[derive(Debug, Error)]
pub enum Why {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// Nothing was ever stored here.
    #[error("no match is stored here: name its file with --db")]
    NothingStored,
    /// It is a folder.
    #[error("this is a folder: name a file in it")]
    Folder,
    /// Its folder does not exist.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// It is something else.
    #[error("this is no database of Arbitre")]
    Foreign,
    /// It is of a format that is not known yet.
    #[error("a newer referee wrote it (format {0}, here {1}): use that one")]
    Newer(i32, i32),
    /// Another referee writes to it.
    #[error("{0} holds it: wait until that one is done, or name another file with --db")]
    Held(String),
    /// It holds a match already.
    #[error("it already holds a match; --resume goes on with it, or name another file with --db")]
    Occupied,
    /// It holds another match than the one that should go on.
    #[error("it holds another match: {0}")]
    AnotherMatch(String),
    /// It holds no match yet.
    #[error("it holds no match")]
    Empty,
    /// What it holds cannot be what was written.
    #[error("it is damaged: {0}; referee verify tells all")]
    Damaged(String),
    /// There is no room for more.
    #[error("the disk is full; all games until now are safe: make room, and go on with --resume")]
    Full,
    /// It may not be written.
    #[error("it cannot be written: {0}; name a file elsewhere with --db, or keep nothing with --db :memory:")]
    Forbidden(String),
    /// It may not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Another program keeps it locked.
    #[error("another program keeps it locked: close that one")]
    Busy,
}

impl Why {
    /// This reason, about this file.
    pub fn about(self, path: &Path) -> StoreError {
        StoreError { path: path.into(), why: self }
    }

    fn of(error: &rusqlite::Error) -> Why {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Why::Full,
            Some(ErrorCode::NotADatabase) => Why::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Why::Damaged(text),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Why::Busy,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Why::Forbidden(text),
            Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => Why::Unreadable(text),
            // Whatever else goes wrong with statements that are always the same is in the file.
            _ => Why::Damaged(text),
        }
    }
}

impl StoreError {
    /// Is it that the file is not what it was when it was written?
    pub fn is_damage(&self) -> bool {
        matches!(self.why, Why::Damaged(_) | Why::Foreign | Why::Newer(..) | Why::Empty)
    }

    fn of(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        |error| Why::of(&error).about(path)
    }

    fn forbidden(path: &Path) -> impl Fn(std::io::Error) -> StoreError + '_ {
        |error| match error.kind() {
            std::io::ErrorKind::StorageFull => Why::Full.about(path),
            _ => Why::Forbidden(error.to_string()).about(path),
        }
    }
}
