//! Files on the disk on which the project is built: files in memory would look too fast.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed when the value is dropped.
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Creates a folder for this process.
    pub fn new() -> Scratch {
        let name = format!("store-{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("the target folder is writable");
        Scratch { folder }
    }

    /// Returns the path of a file. An existing file is removed with everything that SQLite left
    /// beside it.
    pub fn file(&self, name: &str) -> PathBuf {
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.folder.join(format!("{name}{ending}")));
        }
        self.folder.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
