//! The lock on writing a file. Without it, SQLite would let two referees write alternately, and
//! both would play the same games.
//!
//! There are two locks. One is a byte of the database itself, far from those that SQLite locks; it
//! holds under every name of the file. The other is a file beside the database, which describes the
//! holder to others, and works where a file system has no locks on bytes.

use super::error::OpenError;
use arbitre_games::files;
use arbitre_process::sys::open_lock;
use arbitre_process::sys::try_lock_byte;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Number of bytes read of the description of a holder. Not tuned.
const HOLDER: u64 = 500;

/// Right to write to a database, as long as this value lives. The system releases it when a referee
/// is killed.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
    /// The database with its locked byte. Closing any descriptor of a file drops the locks that
    /// SQLite has on it, so this must live as long as the connection.
    database: Option<File>,
}

/// Locked byte of the database. SQLite locks 512 bytes from 0x4000_0000 on.
const LOCKED_BYTE: i64 = 0x4000_1000;

impl Lock {
    /// Takes the right to write to this database, named by its canonical path.
    ///
    /// # Errors
    /// Returns an error if another process has it, or the lock file cannot be created.
    pub fn take(database: &Path, holder: &str) -> Result<Lock, OpenError> {
        let path = beside(database, "lock");
        loop {
            let mut file = open_lock(&path).map_err(|error| OpenError::of_io(&error))?;
            let locked = patiently(|| match file.try_lock() {
                Ok(()) => Ok(true),
                Err(TryLockError::WouldBlock) => Ok(false),
                Err(TryLockError::Error(error)) => Err(error),
            });
            match locked {
                Ok(true) => {}
                Ok(false) => return Err(OpenError::Held(read_holder(&mut file))),
                Err(error) => {
                    log::warn!("{}: nothing keeps other referees out: {error}", path.display());
                }
            }
            // The last holder may have removed the file between our two calls.
            if is_still_there(&file, &path) {
                let mut lock = Lock { file, path, database: None };
                // If this fails, the lock file is removed with the value.
                lock.database = Some(lock_database(database)?);
                // On a full disk the lock holds without a description.
                if let Err(error) = lock.write_holder(holder) {
                    log::debug!("{}: {error}", lock.path.display());
                }
                return Ok(lock);
            }
        }
    }

    fn write_holder(&mut self, holder: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(holder.as_bytes())
    }
}

/// Returns `true` if a process holds the lock on this database, named by its canonical path.
pub fn is_locked(database: &Path) -> bool {
    let held = |file: File| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    files::open(beside(database, "lock")).is_ok_and(held)
}

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.database.take());
        let _ = fs::remove_file(&self.path);
    }
}

/// Time in which a process is started, also on a busy machine. Not tuned.
const START: Duration = Duration::from_millis(500);

/// Tries to take a lock for a while. A process that a killed holder was just starting shares its
/// locks until it runs its program.
fn patiently(mut try_lock: impl FnMut() -> io::Result<bool>) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        match try_lock() {
            Ok(false) if begun.elapsed() < START => sleep(START / 100),
            locked => return locked,
        }
    }
}

/// Locks the database itself, which is created if it does not exist.
fn lock_database(path: &Path) -> Result<File, OpenError> {
    let mut options = OpenOptions::new();
    let opened = options.read(true).write(true).create(true).truncate(false).open(path);
    let database = opened.map_err(|error| OpenError::of_io(&error))?;
    match patiently(|| try_lock_byte(&database, LOCKED_BYTE)) {
        Ok(true) => Ok(database),
        Ok(false) => Err(OpenError::Held("another referee".into())),
        Err(error) => {
            log::debug!("{}: only its lock file is locked: {error}", path.display());
            Ok(database)
        }
    }
}

/// Returns the path of the database with one more extension.
pub fn beside(database: &Path, ending: &str) -> PathBuf {
    with_ending(database, &format!(".{ending}"))
}

/// Returns a path with text behind it.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the files of a database: itself, and what SQLite keeps beside it.
pub fn files_of(database: &Path) -> Vec<PathBuf> {
    let path = std::path::absolute(database).unwrap_or_else(|_| database.into());
    ["", "-wal", "-shm", "-journal"].map(|ending| with_ending(&path, ending)).into()
}

fn read_holder(file: &mut File) -> String {
    let mut holder = Vec::new();
    let read = file.take(HOLDER).read_to_end(&mut holder);
    match String::from_utf8(holder) {
        Ok(holder) if read.is_ok() && !holder.is_empty() => holder,
        _ => "another referee".into(),
    }
}

fn is_still_there(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(there)) => is_same_file(&ours, &there),
        _ => false,
    }
}

/// Returns `true` if both belong to the same file.
pub fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}
