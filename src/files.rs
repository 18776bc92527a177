//! Reading of files that a user, a program or a folder of others names.

use std::fs::File;
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;

/// Most bytes of a text that is read as a whole: 64 MiB. Not tuned.
pub const MOST: u64 = 64 << 20;

/// Opens a file for reading. A pipe or a device is refused: a read from it could wait, or never
/// end.
///
/// # Errors
/// Returns an error if it cannot be opened, or is no regular file.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    // Before it is opened, which waits for the other end of a pipe.
    match path.metadata()?.file_type() {
        kind if kind.is_file() => File::open(path),
        kind if kind.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(Error::other("it is a pipe or a device, and no file")),
    }
}

/// Reads a file of at most [`MOST`] bytes.
///
/// # Errors
/// Returns an error if it cannot be read, is larger, or is no regular file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed, to distinguish a full file from one that is too large.
    open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST {
        true => Err(Error::other(format!("it is larger than {} MiB", MOST >> 20))),
        false => Ok(bytes),
    }
}

/// Reads a text of at most [`MOST`] bytes.
///
/// # Errors
/// Returns the errors of [`read`], and an error if it is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| ErrorKind::InvalidData.into())
}
