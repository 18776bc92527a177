//! Reasons why a results file cannot be used.

use crate::failure::Failure;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Error about a results file, in one line that begins with its path.
#[derive(Debug, Error)]
#[error("{}: {why}", path.display())]
pub struct StoreError {
    pub(super) path: PathBuf,
    pub(super) why: OpenError,
}

/// Reason why a results file cannot be used.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// Nothing was ever stored here.
    #[error("no match is stored here: name its file with --db")]
    NothingStored,
    /// The path names a folder.
    #[error("this is a folder: name a file in it")]
    Folder,
    /// The folder of the file does not exist.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// The file is not a database of Arbitre.
    #[error("this is no database of Arbitre")]
    Foreign,
    /// The file holds other data of Arbitre.
    #[error("it holds {0}: name another file with --db")]
    Other(&'static str),
    /// The format of the file is newer than this referee.
    #[error("a newer referee wrote it (format {0}, here {1}): use that one")]
    Newer(i32, i32),
    /// Another referee wrote to the file in spite of the lock.
    #[error("somebody else wrote to it meanwhile; nothing was lost, and --resume goes on")]
    Interfered,
    /// The file was moved or removed.
    #[error("it was moved or removed during the match: move it back, and go on with --resume")]
    Gone,
    /// The match would become shorter than configured.
    #[error("{0} games are agreed there: a match can be made longer, but not shorter")]
    Shorter(u64),
    /// Another referee writes to the file.
    #[error("{0} holds it: wait until that one is done, or name another file with --db")]
    Held(String),
    /// The file already holds a match.
    #[error("it already holds a match; --resume goes on with it, or name another file with --db")]
    Occupied,
    /// The file holds another match than the one to resume.
    #[error("it holds another match: {0}")]
    AnotherMatch(String),
    /// The file holds no match yet.
    #[error("it holds no match")]
    Empty,
    /// The content of the file cannot be what was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The disk is full.
    #[error("the disk is full; all games until now are safe: make room, and go on with --resume")]
    Full,
    /// The file cannot be written.
    #[error("it cannot be written: {0}; name a file elsewhere with --db, or keep nothing with --db :memory:")]
    Forbidden(String),
    /// The file was not closed, and its journal must be applied first.
    #[error("its match was cut off, and whoever reads it first must be able to write beside it")]
    CutOff,
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Another program keeps the file locked.
    #[error("another program keeps it locked: close that one")]
    Busy,
}

/// Returns a path that SQLite does not take for a URI: a name that begins with `file:` could have
/// parameters.
pub(super) fn plain(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

impl OpenError {
    /// Attaches a path to this reason.
    pub fn about(self, path: &Path) -> StoreError {
        StoreError { path: path.into(), why: self }
    }

    /// Converts an SQLite error from opening or reading a file.
    pub(super) fn of(error: &rusqlite::Error) -> OpenError {
        let text = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => OpenError::Full,
            Some(ErrorCode::NotADatabase) => OpenError::Foreign,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => OpenError::Busy,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => OpenError::CutOff,
            Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory) => {
                OpenError::Unreadable(text)
            }
            // Our statements are always the same, so any other error lies in the file.
            _ => OpenError::Damaged(text),
        }
    }

    /// Converts an SQLite error from writing a file.
    pub(super) fn of_writing(error: &rusqlite::Error) -> OpenError {
        match (error, error.sqlite_error_code()) {
            // The ledger or a key is not as this process left it.
            (rusqlite::Error::StatementChangedRows(_), _)
            | (_, Some(ErrorCode::ConstraintViolation)) => OpenError::Interfered,
            (_, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::SystemIoFailure)) => {
                OpenError::Forbidden(error.to_string())
            }
            _ => OpenError::of(error),
        }
    }

    pub(super) fn of_io(error: &std::io::Error) -> OpenError {
        match error.kind() {
            std::io::ErrorKind::StorageFull => OpenError::Full,
            _ => OpenError::Forbidden(error.to_string()),
        }
    }
}

impl StoreError {
    pub(super) fn of(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        |error| OpenError::of(&error).about(path)
    }

    pub(super) fn forbidden(path: &Path) -> impl Fn(std::io::Error) -> StoreError + '_ {
        |error| OpenError::of_io(&error).about(path)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error.to_string())
    }
}
