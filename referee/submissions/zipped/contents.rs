//! Files of a zip file that others filled, read without trust: all is written below one new folder,
//! and sizes are those that were read, not those that it states.

use super::encoding::{decode, RawName};
use crate::escape::escape;
use crate::failure::Failure;
use crate::submissions::tree::TreeLimits;
use arbitre_games::text::{io_reason, HELP};
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Cursor, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use zip::result::ZipError;
use zip::ZipArchive;

/// Flag of an entry whose name is UTF-8: bit 11.
const UTF8: u16 = 1 << 11;
/// Bits of a mode that say what kind of file it is, and the kinds.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

/// File or folder of a zip file.
#[derive(Debug)]
struct Entry {
    /// Path in the zip file. None of its parts leads upwards.
    path: PathBuf,
    is_folder: bool,
    is_executable: bool,
}

/// Writes the files of a zip file into an empty folder, and takes them from the limits.
///
/// # Errors
/// Returns a failure of the data if the zip file is damaged, exceeds a limit or holds a link or the
/// like. A file that cannot be written is a failure of the store.
pub fn unpack(bytes: &[u8], folder: &Path, limits: &mut TreeLimits) -> Result<(), Failure> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| {
        refuse(format!("expected a zip file, got another or a damaged one{HELP}download it again"))
    })?;
    let most = *limits;
    let entries = entries(&archive, most)?;
    let mut target = Target { folder, most, limits, made: HashSet::new() };
    for (index, entry) in entries.iter().enumerate() {
        if entry.is_folder {
            target.make_folder(&entry.path)?;
        } else {
            let file = archive.by_index(index).map_err(|error| unreadable(&entry.path, &error))?;
            target.make_file(entry, file)?;
        }
    }
    Ok(())
}

/// Reads the list of entries.
fn entries(archive: &ZipArchive<Cursor<&[u8]>>, most: TreeLimits) -> Result<Vec<Entry>, Failure> {
    if archive.len() > most.entries {
        return Err(too_many(most));
    }
    if archive.has_duplicate_names() {
        return Err(refuse("expected each file once, got one twice".into()));
    }
    let data = (0..archive.len()).map(|index| archive.by_index_data(index));
    let data = data.collect::<Result<Vec<_>, _>>();
    let data = data.map_err(|error| unreadable(Path::new("an entry"), &error))?;
    let raw = data.iter().map(|entry| RawName {
        bytes: entry.name_raw().to_vec(),
        is_utf8: entry.flags().as_u16() & UTF8 != 0,
    });
    let names = decode(&raw.collect::<Vec<_>>());
    let mut entries = Vec::new();
    for (entry, name) in data.iter().zip(&names) {
        let shown = escape(name);
        let mode = entry.unix_mode().unwrap_or_default();
        let is_folder = name.ends_with(is_separator) || mode & KIND == FOLDER;
        match mode & KIND {
            0 | FOLDER | FILE => {}
            LINK => return Err(refuse(format!("expected no links, got {shown}"))),
            _ => return Err(refuse(format!("expected files and folders, got {shown}"))),
        }
        if entry.encrypted() {
            return Err(refuse(format!("expected files without a password, got {shown}")));
        }
        let path = path_of(name, most.depth)?;
        if name.contains('\0') || path.as_os_str().is_empty() && !is_folder {
            return Err(refuse(format!("expected the name of a file, got '{shown}'")));
        }
        entries.push(Entry { path, is_folder, is_executable: mode & 0o111 != 0 });
    }
    Ok(entries)
}

/// Returns the path of an entry. Old programs for Windows write `\` in place of `/`.
fn path_of(name: &str, depth: usize) -> Result<PathBuf, Failure> {
    let shown = escape(name);
    let is_drive = |part: &str| part.len() == 2 && part.ends_with(':');
    let parts: Vec<&str> = name.split(is_separator).filter(|part| *part != ".").collect();
    if name.starts_with(is_separator)
        || parts.first().is_some_and(|part| is_drive(part))
        || parts.contains(&"..")
    {
        return Err(refuse(format!("expected paths inside of the zip file, got {shown}")));
    }
    if parts.len() > depth {
        return Err(refuse(format!(
            "expected at most {depth} folders within each other, got {shown}"
        )));
    }
    Ok(parts.into_iter().filter(|part| !part.is_empty()).collect())
}

fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// Folder that is filled.
struct Target<'a> {
    folder: &'a Path,
    most: TreeLimits,
    /// Rest of the limits.
    limits: &'a mut TreeLimits,
    /// Paths of the files and folders in it.
    made: HashSet<PathBuf>,
}

impl Target<'_> {
    /// Makes a folder, after those that contain it, unless it is there.
    fn make_folder(&mut self, path: &Path) -> Result<(), Failure> {
        let above: Vec<&Path> = path.ancestors().filter(|of| !of.as_os_str().is_empty()).collect();
        for folder in above.into_iter().rev() {
            if !self.made.contains(folder) {
                self.count(folder)?;
                fs::create_dir(self.folder.join(folder)).map_err(|error| unmade(folder, &error))?;
            }
        }
        Ok(())
    }

    fn make_file(&mut self, entry: &Entry, mut content: impl Read) -> Result<(), Failure> {
        let path = &entry.path;
        self.make_folder(path.parent().unwrap_or(Path::new("")))?;
        if self.made.contains(path) {
            let shown = escape(&path.to_string_lossy());
            return Err(refuse(format!("expected each file once, got {shown} twice")));
        }
        self.count(path)?;
        // No other right is taken from the zip file.
        let mode = if entry.is_executable { 0o755 } else { 0o644 };
        let mut options = OpenOptions::new();
        let options = options.write(true).create_new(true).mode(mode);
        let file = options.open(self.folder.join(path));
        let mut file = file.map_err(|error| unmade(path, &error))?;
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let count = content.read(&mut chunk).map_err(|_| damaged(path))?;
            let Some(left) = self.limits.bytes.checked_sub(count as u64) else {
                let most = self.most.bytes >> 20;
                return Err(refuse(format!("expected at most {most} MiB unpacked, got more")));
            };
            self.limits.bytes = left;
            if count == 0 {
                return Ok(());
            }
            file.write_all(&chunk[..count]).map_err(|error| unmade(path, &error))?;
        }
    }

    /// Counts a new file or folder.
    fn count(&mut self, path: &Path) -> Result<(), Failure> {
        let left = self.limits.entries.checked_sub(1);
        self.limits.entries = left.ok_or_else(|| too_many(self.most))?;
        self.made.insert(path.into());
        Ok(())
    }
}

fn refuse(why: String) -> Failure {
    Failure::Data(why)
}

fn too_many(most: TreeLimits) -> Failure {
    refuse(format!("expected at most {} files and folders, got more", most.entries))
}

fn damaged(path: &Path) -> Failure {
    let shown = escape(&path.to_string_lossy());
    refuse(format!("expected whole files, got {shown}, which is damaged{HELP}download it again"))
}

fn unreadable(path: &Path, error: &ZipError) -> Failure {
    match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            let shown = escape(&path.to_string_lossy());
            refuse(format!(
                "expected files that are stored or deflated, got {shown}{HELP}pack them by zip"
            ))
        }
        _ => damaged(path),
    }
}

/// Returns the failure to make a file or folder, whose path is new.
fn unmade(path: &Path, error: &io::Error) -> Failure {
    let shown = escape(&path.to_string_lossy());
    match error.kind() {
        io::ErrorKind::AlreadyExists => refuse(format!(
            "expected names that differ in more than case, got {shown} and another{HELP}use a \
             file system that distinguishes case"
        )),
        io::ErrorKind::NotADirectory => {
            refuse(format!("expected each name once, got a file and a folder in {shown}"))
        }
        io::ErrorKind::InvalidFilename => refuse(format!("expected a shorter name, got {shown}")),
        _ => Failure::Store(format!("{shown}: {}", io_reason(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::zipped::LIMITS;
    use zip::write::SimpleFileOptions;
    use zip::ZipWriter;

    /// On a file system that ignores case, the folder or file of the other name is there.
    #[test]
    fn names_that_differ_in_case_are_refused_where_they_are_equal() {
        for (there, path) in [("ada", "ada/main.py"), ("main.py", "main.py")] {
            let name = format!("arbitre-case-{}-{}", std::process::id(), there.len());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(folder.join(there)).unwrap();
            let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
            writer.start_file(path, SimpleFileOptions::default()).unwrap();
            let bytes = writer.finish().unwrap().into_inner();
            let why = unpack(&bytes, &folder, &mut LIMITS.clone()).unwrap_err().to_string();
            fs::remove_dir_all(&folder).unwrap();
            assert!(why.contains("expected names that differ in more than case, got "), "{why}");
        }
    }
}
