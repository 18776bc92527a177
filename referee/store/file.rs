//! A file that is opened to be written: by one referee, in transactions.

use super::archive::PATIENCE;
use super::error::plain;
use super::error::{OpenError, StoreError};
use super::lock::{is_same_file, Lock};
use super::schema::{Content, Format};
use rusqlite::{Connection, Transaction};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the end waits for readers before it leaves the journal as it is.
const TIDY: Duration = Duration::from_millis(100);

/// A file that only we write to.
pub struct Opened {
    /// What it was when it was opened, to see whether it is still the file of this name.
    metadata: Metadata,
    _lock: Lock,
}

impl Opened {
    /// The file of this name, as it is now.
    ///
    /// # Errors
    /// If it is not there.
    pub fn of(path: &Path, lock: Lock) -> Result<Opened, StoreError> {
        let metadata = fs::metadata(path).map_err(StoreError::forbidden(path))?;
        Ok(Opened { metadata, _lock: lock })
    }

    fn is_still(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|there| is_same_file(&self.metadata, &there))
    }
}

/// Opens a file to write it, and says what it is. Nothing in it is changed yet. `holder` tells others
/// who writes.
///
/// # Errors
/// If it is of another format, is being written, or cannot be written.
pub fn open(
    path: &Path,
    holder: &str,
    format: &Format,
) -> Result<(Connection, Lock, Content), StoreError> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            return Err(OpenError::NoFolder(folder.into()).about(path));
        }
        _ => format.refuse_foreign(path)?,
    }
    let lock = Lock::take(&real(path), holder).map_err(|why| why.about(path))?;
    let failed = StoreError::of(path);
    let connection = Connection::open(plain(path)).map_err(&failed)?;
    connection.busy_timeout(PATIENCE).map_err(&failed)?;
    let found = format.content(&connection, path)?;
    Ok((connection, lock, found))
}

/// The one name of a file that may have several.
fn real(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let in_real_folder =
        || Some(fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(name));
    fs::canonicalize(path).ok().or_else(in_real_folder).unwrap_or_else(|| path.into())
}

/// A transaction, on the file that still has the name under which it was opened; without one, on a
/// database in memory.
///
/// # Errors
/// If it cannot be written, or is gone.
pub fn transact(
    connection: &Connection,
    path: &Path,
    file: Option<&Opened>,
    change: impl FnOnce(&Transaction) -> rusqlite::Result<()>,
) -> Result<(), StoreError> {
    if file.is_some_and(|file| !file.is_still(path)) {
        return Err(OpenError::Gone.about(path));
    }
    let write = || {
        let transaction = connection.unchecked_transaction()?;
        change(&transaction)?;
        transaction.commit()
    };
    write().map_err(|error| OpenError::of_writing(&error).about(path))
}

/// Puts a database back to one file, which can be read where nothing can be written.
pub fn tidy(connection: &Connection, path: &Path) {
    let tidied = connection
        .busy_timeout(TIDY)
        .and_then(|()| connection.pragma_update(None, "journal_mode", "delete"));
    if let Err(error) = tidied {
        log::debug!("the journal stays beside {}: {error}", path.display());
    }
}
