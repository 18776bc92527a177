//! Empty folders in place of those of other programs. Their times show whether they were read.

use rustix::fs::{lstat, utimensat, AtFlags, Timespec, Timestamps, CWD, UTIME_OMIT};
use std::path::PathBuf;

/// Empty folder that is shown in place of another program's.
pub struct WatchedPath {
    path: PathBuf,
    /// Time of its last change, in seconds and nanoseconds. No call can set it.
    changed: (i64, u64),
}

impl WatchedPath {
    /// Has the first read show in the times of a path. Inotify would see each use, but takes
    /// milliseconds to end, in which the end of a program waits (2026-11-29).
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn new(path: PathBuf) -> rustix::io::Result<WatchedPath> {
        let never = Timespec { tv_sec: 0, tv_nsec: 0 };
        let same = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let times = Timestamps { last_access: never, last_modification: same };
        utimensat(CWD, &path, &times, AtFlags::SYMLINK_NOFOLLOW)?;
        let found = lstat(&path)?;
        Ok(WatchedPath { path, changed: (found.st_ctime, found.st_ctime_nsec) })
    }

    /// Returns `true` once the folder was read, changed or removed.
    pub fn is_read(&self) -> bool {
        lstat(&self.path).map_or(true, |found| {
            found.st_atime != 0 || (found.st_ctime, found.st_ctime_nsec) != self.changed
        })
    }
}
