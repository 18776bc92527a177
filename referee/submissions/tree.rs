//! Files of a folder that others filled, read without trust: nothing outside the folder is opened,
//! and no pipe or device in it.

use crate::player::digest::{add, add_content, hexadecimal, is_made_file, is_made_folder};
use rustix::fs::{
    fchmod, openat2, readlinkat, statat, AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, Stat,
    CWD,
};
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{symlink, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Limits of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    /// Number of files, folders and links.
    pub entries: usize,
    /// Size of all files together, in bytes.
    pub bytes: u64,
    /// Number of folders within each other.
    pub depth: usize,
}

/// Limits of a submission. Not tuned.
pub const SUBMISSION: TreeLimits = TreeLimits { entries: 10_000, bytes: 256 << 20, depth: 32 };
/// Limits of a folder in which a program is built. Not tuned; the target folder of a program of one
/// crate had 30 files and 10 MB (2026-11-25).
pub const BUILD: TreeLimits = TreeLimits { entries: 50_000, bytes: 1 << 30, depth: 64 };

/// Files of a submission, except hidden ones and those that running or building it makes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// Files and links, sorted by path.
    pub files: Vec<TreeFile>,
    /// Folders, each after the one that contains it. Those that building makes are among them,
    /// without their files.
    folders: Vec<PathBuf>,
    /// Whether it is one file in a folder that others share.
    is_one_file: bool,
    /// Digest of paths, rights and contents, in hexadecimal.
    pub digest: String,
}

/// File or link of a tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TreeFile {
    /// Path in the folder.
    pub path: PathBuf,
    /// Whether it is a symbolic link, which leads to a place in the folder.
    pub is_link: bool,
    /// Whether it may be executed.
    pub is_executable: bool,
}

/// Kind of an entry that a walk meets.
enum Met {
    Folder,
    File(Stat),
    Link,
}

impl Tree {
    /// Reads the tree of a submission.
    ///
    /// # Errors
    /// Returns the reason why it cannot be used: a limit, a link that leads out of it, or a pipe,
    /// socket or device.
    pub fn read(folder: &Path) -> Result<Tree, String> {
        let real = folder.canonicalize().map_err(|error| of_path(Path::new("."), error))?;
        let root = open_root(&real).map_err(|error| of_path(Path::new("."), error))?;
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        walk(&root, SUBMISSION, |path, met| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match met {
                Met::Folder if name.starts_with('.') => Ok(false),
                Met::Folder => {
                    folders.push(path.to_owned());
                    Ok(!is_made_folder(&name))
                }
                _ if is_made_file(path, &name) => Ok(false),
                Met::File(stat) => {
                    let is_executable = stat.st_mode & 0o111 != 0;
                    files.push(TreeFile { path: path.into(), is_link: false, is_executable });
                    Ok(false)
                }
                Met::Link => {
                    let target = real.join(path).canonicalize();
                    if !target.is_ok_and(|target| target.starts_with(&real)) {
                        let link = path.display();
                        return Err(format!("expected links within the folder, got {link}"));
                    }
                    let (path, is_link) = (path.into(), true);
                    files.push(TreeFile { path, is_link, is_executable: false });
                    Ok(false)
                }
            }
        })?;
        files.sort_unstable();
        let mut tree = Tree { files, folders, ..Tree::default() };
        tree.digest = tree.digest_in(&root)?;
        Ok(tree)
    }

    /// Reads the tree of a submission of one file in a folder that others share. Its digest depends
    /// on the ending of its name only, so that equal programs are found.
    ///
    /// # Errors
    /// Returns the reason why it cannot be used: a limit, or no file.
    pub fn of_file(folder: &Path, name: &Path) -> Result<Tree, String> {
        let read = || {
            let root = open_root(folder)?;
            let size = open_file(&root, name)?.metadata()?.len();
            Ok((root, size))
        };
        let (root, size) = read().map_err(|error| of_path(name, error))?;
        if size > SUBMISSION.bytes {
            return Err(format!("expected at most {} MiB, got more", SUBMISSION.bytes >> 20));
        }
        let file = TreeFile { path: name.into(), is_link: false, is_executable: false };
        let mut tree = Tree { files: vec![file], is_one_file: true, ..Tree::default() };
        tree.digest = tree.digest_in(&root)?;
        Ok(tree)
    }

    /// Returns the digest of the contents in the open folder `root`, each with a part of its path.
    fn digest_in(&self, root: &OwnedFd) -> Result<String, String> {
        let part: fn(&Path) -> &OsStr = match self.is_one_file {
            true => |path| path.extension().unwrap_or_default(),
            false => Path::as_os_str,
        };
        let mut hasher = Sha256::new();
        let mut left = SUBMISSION.bytes;
        for TreeFile { path, is_link, is_executable } in &self.files {
            let content = if *is_link {
                link_text(root, path)
            } else {
                open_file(root, path).and_then(|file| digest_of(file, &mut left))
            };
            let content = content.map_err(|error| of_path(path, error))?;
            add(&mut hasher, part(path).as_bytes());
            hasher.update([u8::from(*is_link), u8::from(*is_executable)]);
            add(&mut hasher, content);
        }
        Ok(hexadecimal(&hasher.finalize()))
    }

    /// Copies the tree from `folder` to `target`, which is created. Returns `true` if the copy has
    /// the digest of this tree: no file has changed since the tree was read.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written, or `target` exists.
    pub fn copy(&self, folder: &Path, target: &Path) -> io::Result<bool> {
        let root = open_root(&folder.canonicalize()?)?;
        fs::create_dir(target)?;
        self.folders.iter().try_for_each(|path| fs::create_dir(target.join(path)))?;
        let mut left = SUBMISSION.bytes;
        for TreeFile { path, is_link, is_executable } in &self.files {
            let copy = target.join(path);
            if *is_link {
                symlink(OsStr::from_bytes(&link_text(&root, path)?), copy)?;
                continue;
            }
            let mode = if *is_executable { 0o755 } else { 0o644 };
            let mut options = OpenOptions::new();
            let mut to = options.write(true).create_new(true).mode(mode).open(copy)?;
            let mut from = open_file(&root, path)?.take(left);
            left -= io::copy(&mut from, &mut to)?;
        }
        let copied = self.digest_in(&open_root(target)?).map_err(io::Error::other)?;
        Ok(copied == self.digest)
    }

    /// Returns `true` if there is a file of this name beside no other folder.
    pub fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.path == Path::new(name) && !file.is_link)
    }

    /// Returns the files in the folder itself, except links.
    pub fn top(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.iter().filter(|file| file.path.parent() == Some(Path::new("")) && !file.is_link)
    }

    /// Returns `true` if there is a folder that neither running nor building a program makes.
    pub fn has_folder(&self) -> bool {
        self.folders.iter().any(|folder| !is_made_folder(&folder.to_string_lossy()))
    }

    /// Returns the only folder, if there is nothing beside it.
    pub fn only_folder(&self) -> Option<&Path> {
        let mut top = self.folders.iter().filter(|path| path.components().count() == 1);
        match (top.next(), top.next(), self.top().next()) {
            (Some(only), None, None) => Some(only),
            _ => None,
        }
    }
}

/// Checks that a folder in which a program was built, with all that is hidden, keeps to [`BUILD`].
///
/// # Errors
/// Returns the limit that it exceeds.
pub fn check_build(folder: &Path, limits: TreeLimits) -> Result<(), String> {
    let root = open_root(folder).map_err(|error| of_path(Path::new("."), error))?;
    walk(&root, limits, |_, met| Ok(matches!(met, Met::Folder)))
}

/// Executable file in a folder in which a program was built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuiltFile {
    /// Name in its folder.
    pub name: String,
    /// Facts that change when it is written.
    pub stamp: (u64, i64, i64),
}

/// Returns the programs in the folder `inside` of `folder`, sorted by name: executable files that
/// begin like a program or a script.
pub fn programs(folder: &Path, inside: &Path) -> Vec<BuiltFile> {
    let opened = open_root(folder)
        .and_then(|root| Ok(open(&root, inside, OFlags::DIRECTORY)?))
        .and_then(|opened| Ok((Dir::read_from(&opened)?, opened)));
    let Ok((entries, opened)) = opened else { return Vec::new() };
    let program = |name: &OsStr| {
        let stat = statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !is_file || stat.st_mode & 0o111 == 0 {
            return None;
        }
        let begins = is_program(&open_file(&opened, Path::new(name)).ok()?);
        let stamp = (stat.st_ino, stat.st_ctime as i64, stat.st_ctime_nsec as i64);
        begins.then_some(BuiltFile { name: name.to_str()?.to_owned(), stamp })
    };
    let names = entries.take(BUILD.entries).filter_map(Result::ok);
    let found = names.filter_map(|entry| program(OsStr::from_bytes(entry.file_name().to_bytes())));
    let mut found: Vec<BuiltFile> = found.filter(|file| !is_library(&file.name)).collect();
    found.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    found
}

/// Makes the programs and scripts in `folder` executable that are not in the tree from which it was
/// copied. Without namespaces the sandbox lets a compiler change no rights.
pub fn make_executable(folder: &Path, copied: &Tree) -> Result<(), String> {
    let root = open_root(folder).map_err(|error| of_path(Path::new("."), error))?;
    walk(&root, BUILD, |path, met| {
        let Met::File(stat) = met else { return Ok(matches!(met, Met::Folder)) };
        let is_new = || !copied.files.iter().any(|file| file.path == path);
        if stat.st_mode & 0o111 == 0 && is_new() {
            let file = open_file(&root, path).map_err(|error| of_path(path, error))?;
            if is_program(&file) {
                fchmod(&file, Mode::RWXU).map_err(|error| of_path(path, error.into()))?;
            }
        }
        Ok(false)
    })
}

/// Returns `true` if a file begins like a program or a script.
fn is_program(mut file: &File) -> bool {
    let mut start = [0; 4];
    file.read_exact(&mut start).is_ok() && (start == *b"\x7fELF" || start.starts_with(b"#!"))
}

/// Returns `true` for hidden files, and for libraries, which are executable too.
fn is_library(name: &str) -> bool {
    name.starts_with('.') || name.ends_with(".so") || name.contains(".so.")
}

/// Reads the beginning of a text in a folder: up to `most` bytes.
///
/// # Errors
/// Returns an error if it is no file within the folder.
pub fn beginning(folder: &Path, path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    open_file(&open_root(folder)?, path)?.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Calls `visit` with each entry below an open folder, and enters the folders for which it returns
/// `true`.
fn walk(
    root: &OwnedFd,
    limits: TreeLimits,
    mut visit: impl FnMut(&Path, Met) -> Result<bool, String>,
) -> Result<(), String> {
    let (mut count, mut bytes) = (0, 0);
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        if folder.components().count() > limits.depth {
            return Err(format!("expected at most {} folders within each other", limits.depth));
        }
        let refuse = |error: Errno| of_path(&folder, error.into());
        let opened = match open(root, &folder, OFlags::DIRECTORY) {
            // A build that is still running has removed or replaced it.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) if count > 0 => continue,
            opened => opened.map_err(refuse)?,
        };
        for entry in Dir::read_from(&opened).map_err(refuse)? {
            let entry = match entry {
                Err(Errno::NOENT) => break,
                entry => entry.map_err(refuse)?,
            };
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let path = folder.join(name);
            let stat = match statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                stat => stat.map_err(|error| of_path(&path, error.into()))?,
            };
            count += 1;
            if count > limits.entries {
                return Err(format!("expected at most {} files, got more", limits.entries));
            }
            let met = match FileType::from_raw_mode(stat.st_mode) {
                FileType::Directory => Met::Folder,
                FileType::RegularFile => {
                    // Blocks, so that a file with holes counts as what it takes.
                    let size = u64::try_from(stat.st_size).unwrap_or(0);
                    bytes += size.max(u64::try_from(stat.st_blocks).unwrap_or(0) * 512);
                    Met::File(stat)
                }
                FileType::Symlink => Met::Link,
                other => {
                    let kind = kind_of(other);
                    return Err(format!(
                        "expected files and folders, got the {kind} {}",
                        path.display()
                    ));
                }
            };
            if bytes > limits.bytes {
                return Err(format!("expected at most {} MiB, got more", limits.bytes >> 20));
            }
            if visit(&path, met)? {
                waiting.push(path);
            }
        }
    }
    Ok(())
}

fn kind_of(kind: FileType) -> &'static str {
    match kind {
        FileType::Fifo => "named pipe",
        FileType::Socket => "socket",
        _ => "device",
    }
}

fn open_root(folder: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat2(CWD, folder, flags, Mode::empty(), ResolveFlags::empty())?)
}

/// Opens a path below an open folder. No symbolic link on the way is followed.
fn open(root: &OwnedFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    openat2(root, path, flags, Mode::empty(), resolve)
}

/// Opens a file below an open folder. A pipe or device is refused before it is opened, and again
/// afterwards.
fn open_file(root: &OwnedFd, path: &Path) -> io::Result<File> {
    let is_file = |mode| FileType::from_raw_mode(mode) == FileType::RegularFile;
    let stat = statat(root, path, AtFlags::SYMLINK_NOFOLLOW)?;
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "it is no file");
    if !is_file(stat.st_mode) {
        return Err(refused());
    }
    let file = File::from(open(root, path, OFlags::empty())?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(refused()),
    }
}

fn link_text(root: &OwnedFd, path: &Path) -> io::Result<Vec<u8>> {
    Ok(readlinkat(root, path, Vec::new())?.into_bytes())
}

/// Returns the digest of a file, which may have `left` bytes.
fn digest_of(file: File, left: &mut u64) -> io::Result<Vec<u8>> {
    let (mut hasher, mut file) = (Sha256::new(), file.take(*left));
    add_content(&mut hasher, &mut file)?;
    *left = file.limit();
    Ok(hasher.finalize().to_vec())
}

fn of_path(path: &Path, error: io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn no_link_is_followed_to_a_program() {
        let folder = std::env::temp_dir().join(format!("arbitre-tree-{}", std::process::id()));
        fs::create_dir_all(folder.join("real")).unwrap();
        let bot = folder.join("real/bot");
        fs::write(&bot, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
        symlink("real", folder.join("link")).unwrap();
        symlink("bot", folder.join("real/other")).unwrap();
        let names = |inside: &str| -> Vec<String> {
            let found = programs(&folder, Path::new(inside)).into_iter();
            found.map(|file| file.name).collect()
        };
        assert_eq!((names("real"), names("link")), (vec!["bot".into()], vec![]));
        let read = |path: &str| beginning(&folder, Path::new(path), 3).ok();
        assert_eq!(
            ["real/bot", "real/other", "link/bot"].map(read),
            [Some("#!/".into()), None, None]
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
