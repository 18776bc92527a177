//! Files of a program, whose digest tells its versions apart.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most files of a program. Not tuned.
const MOST: usize = 999;
/// File of the other client, which is no part of a program beside it.
const CLIENT: &str = "join.py";

/// Files that the words of a command name, with all of the same ending in their folders.
pub struct Files {
    named: Vec<PathBuf>,
    seen: Vec<(PathBuf, Option<SystemTime>, u64)>,
    digest: String,
}

impl Files {
    /// Finds the files of a command.
    pub fn of<'a>(words: impl Iterator<Item = &'a Path>) -> Files {
        let named = words.filter(|word| word.is_file()).map(Path::to_owned).collect();
        let mut files = Files { named, seen: Vec::new(), digest: String::new() };
        files.look();
        files
    }

    /// Returns the digest of the files as they were at the last look.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Looks at the files. Returns `true` if their digest has changed.
    pub fn look(&mut self) -> bool {
        let mut found: BTreeSet<PathBuf> = self.named.iter().cloned().collect();
        self.named.iter().for_each(|named| found.extend(others_of(named)));
        let stamp = |path: PathBuf| {
            let known = path.metadata().ok();
            let size = known.as_ref().map_or(0, fs::Metadata::len);
            (path, known.and_then(|of| of.modified().ok()), size)
        };
        found.retain(|path| path.file_name().is_some_and(|name| name != CLIENT));
        let seen: Vec<_> = found.into_iter().take(MOST).map(stamp).collect();
        if seen == self.seen && !self.digest.is_empty() {
            return false;
        }
        let mut text = String::new();
        for (path, ..) in &seen {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let sum = hexadecimal(&fs::read(path).unwrap_or_default());
            let _ = writeln!(text, "{name} {sum}");
        }
        self.seen = seen;
        let before = std::mem::replace(&mut self.digest, hexadecimal(text.as_bytes()));
        before != self.digest
    }
}

/// Returns the files of the same ending beside a file.
fn others_of(file: &Path) -> Vec<PathBuf> {
    let (Some(ending), Some(folder)) = (file.extension(), file.parent()) else {
        return Vec::new();
    };
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(here).into_iter().flatten().flatten();
    let paths = entries.map(|entry| folder.join(entry.file_name()));
    paths.filter(|path| path.extension() == Some(ending) && path.is_file()).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_file_and_one_that_it_may_use_are_seen() {
        let folder = std::env::temp_dir().join(format!("arbitre-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("bot.py", "one");
        write("helper.py", "one");
        write("notes.txt", "one");
        let bot = folder.join("bot.py");
        let mut files = Files::of([Path::new("python3"), &bot].into_iter());
        let first = files.digest().to_owned();
        assert_eq!((first.len(), files.look()), (64, false));
        write("notes.txt", "another text");
        write("join.py", "the client");
        assert!(!files.look(), "they are no files of the program");
        write("helper.py", "another text");
        assert!(files.look() && files.digest() != first);
        write("helper.py", "one");
        assert!(files.look());
        assert_eq!(files.digest(), first, "the same program is the same version");
        write("new.py", "");
        assert!(files.look());
        fs::remove_dir_all(folder).unwrap();
    }
}
