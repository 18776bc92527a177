//! Reading of zip files.

use crate::failure::Failure;
use arbitre_games::files;
use arbitre_games::text::io_reason;
use std::fs::Metadata;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Largest zip file in bytes: 256 MiB, which are in memory while it is unpacked. Not tuned.
const MOST: u64 = 256 << 20;

/// Returns `true` if a file has the ending or the beginning of a zip file.
pub fn is_zip(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = files::open(path).and_then(|mut file| file.read_exact(&mut start));
    has_ending(path) || read.is_ok() && [*b"PK\x03\x04", *b"PK\x05\x06"].contains(&start)
}

/// Returns `true` if the name of a file has the ending of a zip file.
pub fn has_ending(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

/// Reads a zip file as a whole. What is unpacked is what its digest belongs to.
///
/// # Errors
/// Returns an error if it cannot be read, is too large, or changes.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let refuse = |why: &str| Failure::Data(format!("{}: {why}", path.display()));
    let read = || {
        let file = files::open(path)?;
        let before = file.metadata()?;
        let mut bytes = Vec::new();
        // One byte more than allowed, to distinguish a full file from one that is too large.
        (&file).take(MOST + 1).read_to_end(&mut bytes)?;
        let after = file.metadata()?;
        let stamp = |of: &Metadata| (of.len(), of.mtime(), of.mtime_nsec());
        let is_same = stamp(&before) == stamp(&after) && bytes.len() as u64 == after.len();
        io::Result::Ok((bytes, is_same))
    };
    match read() {
        Err(error) => Err(refuse(&io_reason(&error))),
        Ok((bytes, _)) if bytes.len() as u64 > MOST => Err(refuse(&format!(
            "expected a zip file of at most {} MiB, got a larger one",
            MOST >> 20
        ))),
        Ok((_, false)) => Err(refuse(
            "expected a file that stays as it is, got one that changed while it was read",
        )),
        Ok((bytes, true)) => Ok(bytes),
    }
}
