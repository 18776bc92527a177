//! Versions of programs: a digest of the files that a program consists of, and whether they have
//! changed since.
//!
//! A program in a folder of its own consists of the files of that folder, except what running or
//! building it makes. Any other program consists of the files that its command names, except those
//! of the system.

use arbitre_games::files;
use arbitre_process::program::Program;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Folders of the system, whose files are not part of a player.
const SYSTEM: [&str; 9] =
    ["/bin", "/dev", "/etc", "/lib", "/lib64", "/nix/store", "/proc", "/sbin", "/usr"];
/// Folders that running or building a program makes.
const MADE_FOLDERS: [&str; 9] =
    ["__pycache__", "_build", "build", "dist", "node_modules", "obj", "out", "target", "venv"];
/// Endings of files that running or building a program makes.
const MADE_FILES: [&str; 9] = ["class", "log", "o", "obj", "pyc", "pyo", "swp", "tmp", "d"];
/// Beginning of an SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Beginning of the application ID of a file of results: see `store::schema`.
const RESULTS: &[u8] = b"Arb";
/// Largest number of files of a folder. A folder with more is not a program's own. Not tuned.
const MOST_FILES: usize = 10_000;

/// Number of bytes of each file that enter a checksum: 64 MiB, more than programs have.
const CHECKED: u64 = 64 << 20;
/// Number of bytes of each file that enter a digest: 1 GiB, which takes some seconds to read. Not
/// tuned.
const DIGESTED: u64 = 1 << 30;
/// Number of digits of a checksum.
const CHECKSUM_DIGITS: usize = 8;

/// Way to compute the version of a program from the files that its command names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionKind {
    /// CRC-32, which rules and tunings had before SHA-256.
    Checksum,
    /// SHA-256 of the command's words, and of the files among them.
    Digest,
}

impl VersionKind {
    /// Returns the kind of a stored version, so that the version of today can be compared with it.
    pub fn of(stored: &str) -> VersionKind {
        match stored.len() == CHECKSUM_DIGITS {
            true => VersionKind::Checksum,
            false => VersionKind::Digest,
        }
    }

    /// Returns the version of a program, in hexadecimal.
    pub fn version(self, program: &Program) -> String {
        match self {
            VersionKind::Checksum => checksum(program),
            VersionKind::Digest => ProgramFiles::in_folder(program, None).digest,
        }
    }
}

fn checksum(program: &Program) -> String {
    let mut hasher = crc32fast::Hasher::new();
    for path in program.files() {
        // A file that cannot be read is reported when the program is started.
        let mut bytes = Vec::new();
        let _ = files::open(path).and_then(|file| file.take(CHECKED).read_to_end(&mut bytes));
        hasher.update(&bytes);
    }
    format!("{:0CHECKSUM_DIGITS$x}", hasher.finalize())
}

/// Files of a program with their digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramFiles {
    program: Program,
    /// Folder of the program, if it has one of its own.
    folder: Option<PathBuf>,
    stamps: Vec<(PathBuf, Option<Stamp>)>,
    digest: String,
}

/// Facts of a file that change whenever its content does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let file = fs::metadata(path).ok()?;
        Some(Stamp {
            file: (file.dev(), file.ino()),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }
}

impl ProgramFiles {
    /// Reads the files of a program. `others` are the files that the other players name.
    pub fn of(program: &Program, others: &[PathBuf]) -> ProgramFiles {
        ProgramFiles::in_folder(program, own_folder(program, others))
    }

    fn in_folder(program: &Program, folder: Option<PathBuf>) -> ProgramFiles {
        let (program, stamps, digest) = (program.clone(), Vec::new(), String::new());
        let mut files = ProgramFiles { program, folder, stamps, digest };
        files.read();
        files
    }

    /// Returns the digest, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the new digest if the files have changed since they were read.
    pub fn new_digest(&mut self) -> Option<String> {
        if self.stamps.iter().all(|(path, stamp)| Stamp::of(path) == *stamp) {
            return None;
        }
        let before = self.digest.clone();
        self.read();
        (self.digest != before).then(|| self.digest.clone())
    }

    fn read(&mut self) {
        let own = self.folder.as_deref().and_then(|folder| files_of(folder).ok());
        let mut hasher = Sha256::new();
        self.stamps.clear();
        for word in words(&self.program) {
            match word {
                // A path says nothing about the program: it may be moved or copied.
                Word::File(path) => self.add(&mut hasher, "file", &path),
                Word::Text(text) => add(&mut hasher, text),
            }
        }
        for path in own.into_iter().flatten() {
            let folder = self.folder.as_deref().unwrap_or(Path::new(""));
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            self.add(&mut hasher, &name, &path);
        }
        self.digest = hexadecimal(&hasher.finalize());
    }

    fn add(&mut self, hasher: &mut Sha256, name: &str, path: &Path) {
        // Before the content, so that a change meanwhile is noticed later.
        self.stamps.push((path.into(), Stamp::of(path)));
        add(hasher, name);
        // A file that cannot be read is reported when the program is started.
        add(hasher, digest_of(path).unwrap_or_default());
    }
}

/// Word of a command.
enum Word {
    Text(String),
    File(PathBuf),
}

/// Returns the words of a command: files that belong to the player, and texts.
fn words(program: &Program) -> Vec<Word> {
    let first = match is_own(&program.path) {
        true => Word::File(program.path.clone()),
        // The name distinguishes interpreters; their versions belong to the machine.
        false => Word::Text(program.arg0.to_string_lossy().into_owned()),
    };
    let argument = |text: &String| match program.path_of(text) {
        path if path.is_file() && is_own(&path) => Word::File(path),
        _ => Word::Text(text.clone()),
    };
    std::iter::once(first).chain(program.arguments.iter().map(argument)).collect()
}

/// Returns the files of a command that belong to the player.
pub fn named_files(program: &Program) -> Vec<PathBuf> {
    let path = |word| match word {
        Word::File(path) => Some(path),
        Word::Text(_) => None,
    };
    words(program).into_iter().filter_map(path).collect()
}

fn is_own(path: &Path) -> bool {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    !SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Returns the program's own folder: the one in which it must start, else that of the first file of
/// its command. The latter must be below this folder, without files of other players.
fn own_folder(program: &Program, others: &[PathBuf]) -> Option<PathBuf> {
    if program.folder.is_some() {
        return program.folder.clone();
    }
    let here = fs::canonicalize(".").ok()?;
    let main = fs::canonicalize(named_files(program).first()?).ok()?;
    let folder = main.parent()?;
    let below = folder.strip_prefix(&here).ok()?;
    let is_made =
        below.components().any(|part| is_made_folder(&part.as_os_str().to_string_lossy()));
    let is_shared = |other: &PathBuf| {
        fs::canonicalize(other).is_ok_and(|other| other.starts_with(folder) && other != main)
    };
    let is_own = below != Path::new("") && !is_made && !others.iter().any(is_shared);
    is_own.then(|| folder.to_owned())
}

/// Returns `true` for a folder that is hidden, or that running or building a program makes.
pub fn is_made_folder(name: &str) -> bool {
    name.starts_with('.') || MADE_FOLDERS.contains(&name)
}

/// Returns the digest of words, and of the files and folders of a class path, in hexadecimal. In
/// such a folder everything counts, as what a build makes is what runs.
pub fn digest_of_paths(words: &[String], paths: &[PathBuf]) -> String {
    let mut hasher = Sha256::new();
    words.iter().for_each(|word| add(&mut hasher, word));
    for path in paths {
        let inside = files_below(path, |_, _| true, |_| true).unwrap_or_default();
        for file in if path.is_dir() { inside } else { vec![path.clone()] } {
            let name = file.strip_prefix(path).unwrap_or(&file).to_string_lossy();
            add(&mut hasher, name.as_bytes());
            // A file that cannot be read is reported when the program is started.
            add(&mut hasher, digest_of(&file).unwrap_or_default());
        }
    }
    hexadecimal(&hasher.finalize())
}

/// Returns the files of a folder and its folders in order, except what running or building makes.
///
/// # Errors
/// Returns an error if a folder cannot be read, or there are too many files.
pub fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files_below(folder, |path, name| !is_made_file(path, name), |name| !is_made_folder(name))
}

/// Returns the files of a folder and its folders in order, as far as they are wanted.
fn files_below(
    folder: &Path,
    wants_file: impl Fn(&Path, &str) -> bool,
    wants_folder: impl Fn(&str) -> bool,
) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // Links to folders are not followed: they may lead anywhere, and in circles.
            if entry.file_type()?.is_dir() {
                folders.extend(wants_folder(&name).then_some(path));
            } else if path.is_file() && wants_file(&path, &name) {
                files.push(path);
            }
            if files.len() > MOST_FILES {
                return Err(io::Error::other("it has too many files"));
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Returns `true` for a file that is hidden, or that running or building a program makes.
pub fn is_made_file(path: &Path, name: &str) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    name.starts_with('.')
        || name.ends_with('~')
        || MADE_FILES.contains(&&*ending)
        || is_of_results(path)
}

/// Returns `true` for a file of results, and for those that are beside it while it is written. With
/// each game that is stored they would make a program another version.
fn is_of_results(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let endings = ["-wal", "-shm", "-journal", ".lock"];
    let base = endings.iter().find_map(|ending| text.strip_suffix(ending)).unwrap_or(&text);
    let mut header = [0; 72];
    let read = files::open(base).and_then(|mut file| file.read_exact(&mut header));
    let is_stored = read.is_ok() && header.starts_with(SQLITE) && header[68..].starts_with(RESULTS);
    // A new file has no header yet, but a lock.
    is_stored || (Path::new(base).is_file() && Path::new(&format!("{base}.lock")).is_file())
}

/// Returns the digest of a file, in hexadecimal.
fn digest_of(path: &Path) -> io::Result<String> {
    let (file, mut hasher) = (files::open(path)?, Sha256::new());
    // A larger one changes its size if it grows. What is beyond the bound is not compared.
    let size = file.metadata()?.len();
    if size > DIGESTED {
        hasher.update(size.to_le_bytes());
    }
    add_content(&mut hasher, &mut file.take(DIGESTED))?;
    Ok(hexadecimal(&hasher.finalize()))
}

/// Adds the content of a file to a digest.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn add_content(hasher: &mut Sha256, file: &mut impl Read) -> io::Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(()),
            count => hasher.update(&chunk[..count]),
        }
    }
}

/// Adds bytes with their number to a digest, so that none can move into the next ones unnoticed.
pub fn add(hasher: &mut Sha256, bytes: impl AsRef<[u8]>) {
    let bytes = bytes.as_ref();
    hasher.update((bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// Returns bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::program;
    use std::os::unix::fs::PermissionsExt;

    /// Empty folder for a test, below the folder in which tests run.
    fn scratch(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../target/tmp")
            .join(format!("digest-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn program(words: &[&str]) -> Program {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        program::find(&words, &[]).unwrap()
    }

    fn digest(words: &[&str]) -> String {
        ProgramFiles::of(&program(words), &[]).digest().to_owned()
    }

    #[test]
    fn digest_depends_on_named_files_and_words() {
        let folder = scratch("named");
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let (bot, copy) = (path("bot.sh"), path("copy.sh"));
        fs::write(&bot, "exit 1").unwrap();
        fs::write(&copy, "exit 1").unwrap();
        assert_eq!(digest(&["sh", &bot]), digest(&["sh", &copy]), "the same program elsewhere");
        assert_ne!(digest(&["sh", &bot]), digest(&["sh", &bot, "--fast"]));
        assert_ne!(digest(&["sh", &bot, "-a", "b"]), digest(&["sh", &bot, "-ab"]));
        let mut files = ProgramFiles::of(&program(&["sh", &bot]), &[]);
        assert_eq!(files.new_digest(), None);
        fs::write(&bot, "exit 2").unwrap();
        assert_ne!(digest(&["sh", &bot]), digest(&["sh", &copy]));
        assert_eq!(files.new_digest(), Some(digest(&["sh", &bot])));
        assert_eq!(files.new_digest(), None, "it changed once");
        fs::write(&bot, "exit 1").unwrap();
        fs::write(&bot, "exit 2").unwrap();
        assert_eq!(files.new_digest(), None, "the same content as before");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn stored_checksum_is_compared_with_a_checksum() {
        let folder = scratch("kinds");
        let bot = folder.join("bot.sh").to_string_lossy().into_owned();
        fs::write(&bot, "exit 1").unwrap();
        fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
        let program = program(&[&bot]);
        let (old, new) = (VersionKind::Checksum, VersionKind::Digest);
        // Python: '%08x' % zlib.crc32(b'exit 1').
        assert_eq!(old.version(&program), "f1d5c8d9");
        assert_eq!(VersionKind::of(&old.version(&program)), old);
        assert_eq!(new.version(&program).len(), 64);
        assert_eq!(VersionKind::of(&new.version(&program)), new);
        fs::write(folder.join("notes.txt"), "of no named file").unwrap();
        let before = new.version(&program);
        fs::write(&bot, "exit 2").unwrap();
        assert_ne!(new.version(&program), before);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn files_made_by_a_run_are_no_part_of_a_folder() {
        let folder = scratch("folder");
        for name in ["main.py", "engine.py", "data/book.txt", "__pycache__/engine.pyc", "run.log"] {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
        let names: Vec<String> = files_of(&folder)
            .unwrap()
            .iter()
            .map(|path| path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["data/book.txt", "engine.py", "main.py"]);
        let mut results = SQLITE.to_vec();
        results.resize(68, 0);
        results.extend(b"Arbi");
        fs::write(folder.join("match.db"), results).unwrap();
        fs::write(folder.join("match.db-wal"), "").unwrap();
        fs::write(folder.join("new.db"), "").unwrap();
        fs::write(folder.join("new.db.lock"), "").unwrap();
        assert_eq!(files_of(&folder).unwrap().len(), 3, "results are no part of a program");
        fs::write(folder.join("book.db"), SQLITE).unwrap();
        fs::write(folder.join("Cargo.lock"), "").unwrap();
        assert_eq!(files_of(&folder).unwrap().len(), 5);
        fs::remove_dir_all(folder).unwrap();
    }
}
