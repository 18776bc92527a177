//! Copies of a room, which may be taken while it is played.

use crate::people::{self, People};
use crate::uploads;
use arbitre_games::text::{io_reason, HELP};
use arbitre_referee::failure::{about, Failure};
use arbitre_referee::registry::Registry;
use arbitre_referee::run::room::{GAMES, SETTINGS};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::ZipWriter;

/// Start of the names of folders of copies.
const COPY: &str = ".copy-";

/// Removes the copies that a process left which was killed.
pub fn remove_rests(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|of| of.file_name().to_string_lossy().starts_with(COPY)) {
        if let Err(error) = fs::remove_dir_all(entry.path()) {
            log::warn!("{}: {error}", entry.path().display());
        }
    }
}

/// Files of a room in a copy.
const FILES: [&str; 3] = [SETTINGS, GAMES, people::FILE];

/// Writes a zip file with a copy of the room in a folder.
///
/// # Errors
/// Returns an error if there is no room, or the file cannot be written. A file that exists is not
/// replaced.
pub fn write(folder: &Path, to: &Path, _registry: &Registry) -> Result<(), Failure> {
    if !folder.join(GAMES).exists() {
        let (folder, expected) =
            (folder.display(), "expected the folder of a room, got one without");
        return Err(Failure::Data(format!(
            "{folder}: {expected} {GAMES}{HELP}name the folder that referee serve was given"
        )));
    }
    let made = File::create_new(to).map_err(|error| {
        Failure::Data(format!("{}: expected a new file: {}", to.display(), io_reason(&error)))
    })?;
    let beside = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let written = zip(folder, beside.unwrap_or(folder), made);
    if written.is_err() {
        let _ = fs::remove_file(to);
    }
    written.map(drop)
}

/// Returns a zip file with a copy of the room in a folder, to be read from its start.
///
/// # Errors
/// Returns an error if the room cannot be read, or its disk is full.
pub fn file(folder: &Path) -> Result<File, Failure> {
    let of_io = about(folder, Failure::Data);
    let mut zip = zip(folder, folder, unnamed(folder).map_err(&of_io)?)?;
    zip.rewind().map_err(of_io)?;
    Ok(zip)
}

/// Returns a new file on the disk of a folder, which is gone once it is closed.
///
/// # Errors
/// Returns an error if it cannot be made.
pub fn unnamed(folder: &Path) -> io::Result<File> {
    let path = folder.join(format!("{COPY}{}.zip", crate::token::Token::draw()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Folder of the copies until they are in the zip file, which is removed with them.
pub struct Copies(PathBuf);

impl Copies {
    /// Makes the folder below another one.
    ///
    /// # Errors
    /// Returns an error if it cannot be made.
    pub fn new(folder: &Path) -> Result<Copies, Failure> {
        let token = crate::token::Token::draw();
        let path = folder.join(format!("{COPY}{token}"));
        fs::create_dir(&path).map_err(about(&path, Failure::Data))?;
        Ok(Copies(path))
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a copy to `to`. Its parts are made in the folder `beside`, which is on the disk of the
/// copy.
fn zip<W: Write + Seek>(folder: &Path, beside: &Path, to: W) -> Result<W, Failure> {
    let copies = Copies::new(beside)?;
    arbitre_referee::store::copy(&folder.join(GAMES), &copies.0.join(GAMES))?;
    People::copy(folder, &copies.0.join(people::FILE))?;
    let settings = folder.join(SETTINGS);
    fs::copy(&settings, copies.0.join(SETTINGS)).map_err(about(&settings, Failure::Data))?;
    let named = FILES.iter().map(|name| ((*name).to_owned(), copies.0.join(name)));
    let uploaded = uploads::sources(folder).into_iter();
    let uploaded = uploaded.map(|path| (below(&path, folder), path));
    let packed = pack(to, named.chain(uploaded));
    packed.map_err(|error| Failure::Data(format!("the copy: {}", io_reason(&error))))
}

/// Returns the path of a file below a folder.
fn below(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned()
}

/// Writes files with these names into a zip file. One that is gone is left out.
///
/// # Errors
/// Returns an error if a file cannot be read, or the zip file cannot be written.
pub fn pack<W: Write + Seek>(
    to: W,
    files: impl Iterator<Item = (String, PathBuf)>,
) -> io::Result<W> {
    let mut zip = ZipWriter::new(to);
    let options = SimpleFileOptions::default().large_file(true);
    for (name, path) in files {
        let Ok(mut file) = File::open(&path) else { continue };
        let mode = file.metadata()?.permissions().mode();
        zip.start_file(name, options.unix_permissions(mode & 0o700 | 0o600))?;
        io::copy(&mut file, &mut zip)?;
    }
    Ok(zip.finish()?)
}

/// Writes a zip file of a folder.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn folder<W: Write + Seek>(to: W, folder: &Path) -> io::Result<W> {
    let files = uploads::files_below(folder).into_iter().map(|path| (below(&path, folder), path));
    pack(to, files)
}
