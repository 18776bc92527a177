//! Files on the disk on which the project is built: one in memory would flatter.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is gone when this is.
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// A folder of this process's own.
    pub fn new() -> Scratch {
        let name = format!("store-{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("the target folder can be written");
        Scratch { folder }
    }

    /// The place of a file; one that was there is removed, with all that a database left beside it.
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
