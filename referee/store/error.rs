//! Why a file of results cannot be used.

use crate::failure::Failure;
use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file does not serve, in one line that begins with its name.
#[derive(Debug, Error)]
#[error("{}: {why}", path.display())]
pub struct StoreError {
    pub(super) path: PathBuf,
    pub(super) why: OpenError,
}

/// Why a file does not serve.
#[derive(Debug, Error)]
pub enum OpenError {
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
    /// It is ours, and for something else.
    #[error("it holds {0}: name another file with --db")]
    Other(&'static str),
    /// It is of a format that is not known yet.
    #[error("a newer referee wrote it (format {0}, here {1}): use that one")]
    Newer(i32, i32),
    /// Another referee wrote to it in spite of the lock.
    #[error("somebody else wrote to it meanwhile; nothing was lost, and --resume goes on")]
    Interfered,
    /// It is no longer where it was.
    #[error("it was moved or removed during the match: move it back, and go on with --resume")]
    Gone,
    /// It should be shorter than was agreed.
    #[error("{0} games are agreed there: a match can be made longer, but not shorter")]
    Shorter(u64),
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
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// There is no room for more.
    #[error("the disk is full; all games until now are safe: make room, and go on with --resume")]
    Full,
    /// It may not be written.
    #[error("it cannot be written: {0}; name a file elsewhere with --db, or keep nothing with --db :memory:")]
    Forbidden(String),
    /// It was not closed, and what is in its journal must be worked in first.
    #[error("its match was cut off, and whoever reads it first must be able to write beside it")]
    CutOff,
    /// It may not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Another program keeps it locked.
    #[error("another program keeps it locked: close that one")]
    Busy,
}

/// A path that SQLite takes for one: a name that begins with `file:` would be an address with
/// parameters.
pub(super) fn plain(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

impl OpenError {
    /// This reason, about this file.
    pub fn about(self, path: &Path) -> StoreError {
        StoreError { path: path.into(), why: self }
    }

    /// What SQLite says while a file is opened or read.
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
            // Whatever else goes wrong with statements that are always the same is in the file.
            _ => OpenError::Damaged(text),
        }
    }

    /// What SQLite says while a file is written.
    pub(super) fn of_writing(error: &rusqlite::Error) -> OpenError {
        match (error, error.sqlite_error_code()) {
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
