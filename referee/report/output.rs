//! Writing to standard output.

use crate::escape::visible;
use crate::failure::Failure;
use crate::report::json_line;
use crate::store::is_ours;
use arbitre_games::diagnostics;
use arbitre_games::text::{io_reason, HELP};
use rustix::termios::tcgetwinsize;
use serde::Serialize;
use signal_hook::consts::SIGINT;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

/// Prints a text, in which nothing acts on a terminal.
///
/// # Errors
/// Returns an error if the pipe is closed, or the text cannot be written.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    print_unchanged(&diagnostics::visible(text))
}

/// Prints a text, in which only colours act on a terminal. What others have a part in is escaped
/// before, as a colour can hide it.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_coloured(text: &str) -> Result<ExitCode, Failure> {
    print_unchanged(&visible(text))
}

/// Prints a text as [`print_coloured`] does. On a terminal, one with more lines than that goes
/// through the program of `PAGER`, by default `less`.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_paged(text: &str) -> Result<ExitCode, Failure> {
    let text = visible(text);
    let size = tcgetwinsize(io::stdout());
    let is_long = size.is_ok_and(|size| (1..=text.lines().count()).contains(&size.ws_row.into()));
    if is_long {
        // Ctrl-C is the pager's, which the terminal would otherwise not be given back by.
        signal_hook::flag::register(SIGINT, Arc::default())?;
    }
    let started = if is_long { pager().and_then(|mut pager| pager.spawn().ok()) } else { None };
    let Some(mut pager) = started else { return print_unchanged(&text) };
    if let Some(mut input) = pager.stdin.take() {
        // A reader may leave before the end.
        let _ = input.write_all(text.as_bytes());
    }
    match pager.wait()?.success() {
        true => Ok(ExitCode::SUCCESS),
        false => print_unchanged(&text),
    }
}

/// Returns the command of the user's pager; none if `PAGER` is empty.
fn pager() -> Option<Command> {
    let words = env::var("PAGER").unwrap_or_else(|_| "less".into());
    let words = shell_words::split(&words).ok()?;
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // As git sets it: end with a short text, show colours, leave the text on the terminal.
        command.env("LESS", "FRX");
    }
    Some(command)
}

/// Prints bytes for programs, which a terminal shows as [`print()`] does.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_exact(text: &str) -> Result<ExitCode, Failure> {
    match io::stdout().is_terminal() {
        true => print(text),
        false => print_unchanged(text),
    }
}

/// Prints a text unchanged. It has nothing of others, or is escaped.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_unchanged(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    printed.map(|()| ExitCode::SUCCESS).map_err(unwritten)
}

/// File that appears under its name only once it is complete.
pub struct NewFile {
    path: PathBuf,
    /// Path under which it is written, in the same folder.
    temporary: PathBuf,
    out: BufWriter<File>,
}

impl NewFile {
    /// Creates the file under a temporary name.
    ///
    /// # Errors
    /// Returns an error if its folder cannot be written, or if it would replace results.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        if is_ours(path) {
            return Err(io::Error::other(format!(
                "expected a new file, got one of results{HELP}name another file"
            )));
        }
        let mut name = path.as_os_str().to_owned();
        // A pipe or a device such as /dev/stdout is written as it is.
        if path.metadata().map_or(true, |existing| existing.is_file()) {
            name.push(format!(".{}.part", std::process::id()));
        }
        let temporary = PathBuf::from(name);
        let out = BufWriter::new(File::create(&temporary)?);
        Ok(NewFile { path: path.into(), temporary, out })
    }

    /// Returns the writer of the content.
    pub fn writer(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Gives the file its name, with all content on the disk.
    ///
    /// # Errors
    /// Returns an error if the content cannot be written. A file of that name is then unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        if self.temporary == self.path {
            return Ok(());
        }
        self.out.get_ref().sync_all()?;
        fs::rename(&self.temporary, &self.path)
    }
}

/// Writes a file that appears under its name only once it is complete.
///
/// # Errors
/// Returns an error if it cannot be written. A file of that name is then unchanged.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.writer().write_all(text.as_bytes())?;
    file.finish()
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename there is no such file any more.
        if self.temporary != self.path {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Returns the failure of a file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Store(format!("{}: it cannot be written: {}", path.display(), io_reason(error)))
}

/// Prints the path of a file that was written, unless it is standard output itself.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_path(path: &Path) -> Result<ExitCode, Failure> {
    match path == Path::new("/dev/stdout") {
        true => Ok(ExitCode::SUCCESS),
        false => print(&format!("{}\n", path.display())),
    }
}

/// Returns the failure of a write to standard output.
pub fn unwritten(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => error.into(),
    }
}

/// Prints a value as one line of JSON.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_json(value: &impl Serialize) -> Result<ExitCode, Failure> {
    print_unchanged(&json_line(value))
}

/// Prints a value as one line of JSON, or its text for people.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn print_either(
    value: &impl Serialize,
    text: &str,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    match as_json {
        true => print_json(value),
        false => print(text),
    }
}

/// Prints a text for people: on standard error if standard output is for programs.
///
/// # Errors
/// Returns the errors of [`print()`].
pub fn tell(text: &str, is_for_programs: bool) -> Result<(), Failure> {
    match is_for_programs {
        true => diagnostics::print(text),
        false => drop(print(text)?),
    }
    Ok(())
}
