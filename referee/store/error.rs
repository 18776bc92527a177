//! Reasons why a results file cannot be used.

use crate::failure::Failure;
use arbitre_games::text::io_reason;
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
    #[error("no match is stored here; help: name its file with --db FILE")]
    NothingStored,
    /// The path names a folder.
    #[error("expected a file, got a folder")]
    Folder,
    /// The folder of the file does not exist.
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    /// The file is not a database of Arbitre.
    #[error("expected a database of Arbitre, got another file")]
    Foreign,
    /// The file holds other data of Arbitre.
    #[error("it holds {0}; help: name another file with --db")]
    Other(&'static str),
    /// The format of the file is newer than this referee.
    #[error("expected format {1}, got {0} of a newer referee; help: use that referee")]
    Newer(i32, i32),
    /// The format of the file is older than this referee.
    #[error(
        "expected format {1}, got {0} of an older referee; help: read it with that referee, or play \
         the match anew"
    )]
    Older(i32, i32),
    /// Another referee wrote to the file in spite of the lock.
    #[error("another program wrote to it; help: no game is lost, --resume continues")]
    Interfered,
    /// The file was moved or removed.
    #[error("it was moved or removed during the match; help: move it back, then --resume")]
    Gone,
    /// Another program removed games while they were played.
    #[error("{0} of {1} games were removed by another program; help: --resume plays them again")]
    Removed(u64, u64),
    /// The match would become shorter than configured.
    #[error("expected at least its {0} games, got fewer; help: write --games {0} or more")]
    Shorter(u64),
    /// Another referee writes to the file.
    #[error("{0} holds it; help: wait for it, or name another file with --db")]
    Held(String),
    /// The file already holds a match, or a tournament.
    #[error(
        "it already holds a {what}; help: continue it with {command}, or name another file with --db"
    )]
    Occupied {
        /// Word for the contest.
        what: &'static str,
        /// Command or option that continues it.
        command: &'static str,
    },
    /// The file holds another match than the one to resume.
    #[error("it holds another match: {0}")]
    AnotherMatch(String),
    /// The output of a merge exists.
    #[error("it exists already; help: remove it, or name another file by --output")]
    Exists,
    /// The file cannot be merged with others.
    #[error("{0}")]
    Unmergeable(String),
    /// A game has two results although nothing in it depends on time.
    #[error("{0}, though nodes or depth limit both; help: play it again with referee rerun")]
    TwoResults(String),
    /// A game has two results.
    #[error("{0}; help: add --prefer first or --prefer newest")]
    NoPreference(String),
    /// The file holds no match yet.
    #[error("it holds no match")]
    Empty,
    /// The content of the file cannot be what was written.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The disk is full.
    #[error("the disk is full; help: all games so far are safe; make room, then --resume")]
    Full,
    /// The file cannot be written.
    #[error("it cannot be written: {0}; help: name a file elsewhere, or write --db :memory:")]
    Forbidden(String),
    /// The file was not closed, and its journal must be applied first.
    #[error("its match was cut off; help: make its folder writable for the first reader")]
    CutOff,
    /// The log that held its last games is not beside the file.
    #[error(
        "it was not closed, and its file -wal is missing: only the first {0} games are here; help: \
         put that file back beside it, or copy these games with referee merge to another file"
    )]
    NoLog(u64),
    /// The log beside the file belongs to another one.
    #[error("{} belongs to another file; help: move it away from here", .0.display())]
    ForeignLog(PathBuf),
    /// The log beside the file belongs to an earlier state of it.
    #[error("{} is older than the file beside it; help: move it away from here", .0.display())]
    OldLog(PathBuf),
    /// There is the log of a file that is gone.
    #[error(
        "{} holds games of a file that was here; help: put that file back, or name another one by \
         --db", .0.display()
    )]
    Orphan(PathBuf),
    /// The players of stored stages stay.
    #[error(
        "expected a player that no stage names, got {0}; help: take it out of the file or folder of \
         the tournament: it is withdrawn"
    )]
    InAStage(String),
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Another program keeps the file locked.
    #[error("another program keeps it locked; help: close that program")]
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
            Some(ErrorCode::OperationInterrupted) => {
                OpenError::Damaged("it has more rows than it has room for".into())
            }
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
            _ => OpenError::Forbidden(io_reason(error)),
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
        match error.why {
            OpenError::Missing | OpenError::NothingStored | OpenError::NoFolder(_) => {
                Failure::Data(error.to_string())
            }
            OpenError::Occupied { .. } => Failure::Occupied(error.to_string()),
            _ => Failure::Store(error.to_string()),
        }
    }
}
