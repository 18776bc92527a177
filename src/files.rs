//! Reading of files that a user, a program or a folder of others names, and writing of whole ones.

use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Read, Write};
use std::path::Path;
use std::{process, thread};

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

/// Reads a text of at most [`MOST`] bytes, as [`plain`] gives it.
///
/// # Errors
/// Returns the errors of [`read`], and an error if it is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(plain(read(path)?)).map_err(|_| ErrorKind::InvalidData.into())
}

/// Writes a file in parts, and creates its folder. A rename makes it appear complete or not at all,
/// after a kill, and even if two processes write it at once.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn write_whole(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let (process, thread) = (process::id(), thread::current().id());
    let unfinished = path.with_extension(format!("{process}-{thread:?}.tmp"));
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = File::create(&unfinished)?;
        parts.iter().try_for_each(|part| file.write_all(part))?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

/// Returns a text without a byte order mark at its start, and with LF at the end of each line. Some
/// editors write the mark, and CR LF or CR.
pub fn plain(mut text: Vec<u8>) -> Vec<u8> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    if !text.contains(&b'\r') {
        return text;
    }
    let next = text.iter().skip(1).map(Some).chain([None]);
    let lines = text.iter().zip(next).filter_map(|pair| match pair {
        (b'\r', Some(b'\n')) => None,
        (b'\r', _) => Some(b'\n'),
        (&byte, _) => Some(byte),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_mark_and_ends_lines_with_lf() {
        for (text, expected) in [
            ("", ""),
            ("a\nb\n", "a\nb\n"),
            ("\u{feff}a\r\nb\r\n", "a\nb\n"),
            ("a\rb\r", "a\nb\n"),
            ("a\r\r\n\nb", "a\n\n\nb"),
            ("\u{feff}\u{feff}a", "\u{feff}a"),
        ] {
            assert_eq!(String::from_utf8(plain(text.into())).unwrap(), expected, "{text:?}");
        }
    }
}
