//! Files that grow line by line and are continued after a kill.

use super::at_line;
use arbitre_games::game::ParseError;
use arbitre_games::text::io_reason;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The file of a book in the making.
pub struct BookJournal {
    file: File,
    name: String,
    /// The lines after the header that were there when it was opened, the last one first.
    kept: Vec<(usize, String)>,
}

impl BookJournal {
    /// Opens the file and reads what an earlier run left there. A last line without its end was
    /// being written when that run ended: it is cut off. A file with another header is not changed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, has another header, or is being
    /// written by another process.
    pub fn open(path: &Path, header: &str) -> Result<BookJournal, ParseError> {
        let name = path.display().to_string();
        let refused = |error: io::Error| cannot_use(&name, &error);
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false);
        let mut file = how.open(path).map_err(refused)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(ParseError::new(format!("another process is making the book '{name}'")));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(refused)?;
        let mut journal = BookJournal { file, name, kept: Vec::new() };
        let is_new = header.starts_with(&text);
        if !is_new {
            // Checked before anything is cut, because the file may be no book at all.
            journal.check_header(header, &text)?;
        }
        let whole = if is_new { 0 } else { text.rfind('\n').map_or(0, |at| at + 1) };
        text.truncate(whole);
        journal.cut_at(whole).map_err(|error| cannot_use(&journal.name, &error))?;
        match is_new {
            true => journal.append(header.trim_end())?,
            false => journal.kept = lines_after(header, &text),
        }
        Ok(journal)
    }

    /// Cuts the file at this length, and continues there.
    fn cut_at(&mut self, length: usize) -> io::Result<()> {
        self.file.set_len(length as u64)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Returns an error unless the text begins with this header.
    fn check_header(&self, header: &str, text: &str) -> Result<(), ParseError> {
        let mut lines = text.lines();
        for expected in header.lines() {
            let line = lines.next().unwrap_or_default();
            if line != expected {
                return Err(ParseError::in_file(format!(
                    "'{}': expected '{expected}', got '{line}'; help: choose another file",
                    self.name
                )));
            }
        }
        Ok(())
    }

    /// Returns what the next line of the file says after `start`, if there is a next line.
    ///
    /// # Errors
    /// Returns an error if the line begins otherwise, or `parse` returns `None` for the rest.
    pub fn kept<T>(
        &mut self,
        start: &str,
        what: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ParseError> {
        let Some((number, line)) = self.kept.pop() else { return Ok(None) };
        match line.strip_prefix(start).and_then(parse) {
            Some(kept) => Ok(Some(kept)),
            None => Err(self.corrupt(number, &format!("{start}' and {what}"), &line)),
        }
    }

    /// Appends the last line, unless it is there.
    ///
    /// # Errors
    /// Returns an error if the file has another line there, or cannot be written.
    pub fn finish(&mut self, end: &str) -> Result<(), ParseError> {
        match self.kept.pop() {
            None => self.append(end),
            Some((_, line)) if line == end && self.kept.is_empty() => Ok(()),
            Some((number, line)) => {
                Err(self.corrupt(number, &format!("{end}' as the last"), &line))
            }
        }
    }

    /// Appends a line.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn append(&mut self, line: &str) -> Result<(), ParseError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| cannot_use(&self.name, &error))
    }

    fn corrupt(&self, number: usize, expected: &str, line: &str) -> ParseError {
        let why = format!("expected '{expected}, got '{line}'; help: choose another file");
        ParseError::in_file(format!("'{}', {}", self.name, at_line(number, why)))
    }
}

/// Returns the numbered lines after the header, the last one first.
fn lines_after(header: &str, text: &str) -> Vec<(usize, String)> {
    let lines = (1..).zip(text.lines()).skip(header.lines().count());
    let mut lines: Vec<(usize, String)> =
        lines.map(|(number, line)| (number, line.to_owned())).collect();
    lines.reverse();
    lines
}

fn cannot_use(name: &str, error: &io::Error) -> ParseError {
    ParseError::in_file(format!("'{name}' cannot be used: {}", io_reason(error)))
}

impl Drop for BookJournal {
    /// Closing the file would leave it locked while a process that is just being started by another
    /// thread still holds it.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}
