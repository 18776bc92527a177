//! Files of an upload, written below one new folder.

use arbitre_games::text::{io_reason, HELP};
use arbitre_referee::escape::{escape, needs_escape};
use arbitre_referee::failure::Failure;
use arbitre_referee::submissions::zipped::unpack_player;
use arbitre_referee::submissions::{TreeLimits, ENDINGS};
use std::collections::HashSet;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Bytes of an upload. Not tuned.
pub const MOST_BYTES: usize = 16 << 20;
/// Files of an upload that is no zip file. Not tuned.
const MOST_FILES: usize = 100;
/// Limits of a zip file. Not tuned.
const LIMITS: TreeLimits = TreeLimits { entries: 2000, bytes: 64 << 20, depth: 16 };
/// Bytes of the name of a file. Not tuned.
const LONGEST_NAME: usize = 100;
/// Names of files that a summary has. Not tuned.
const NAMED: usize = 3;
/// Folder of the uploads, in that of the room.
pub const FOLDER: &str = "uploads";
/// Folder of the files of an upload, and the one that is used while a zip file is unpacked.
pub const FILES: &str = "files";
const INNER: &str = "inner";

/// File that was sent: its name and its bytes.
pub type Sent = (String, Vec<u8>);

/// Returns the last part of a name, as browsers send it: with `/` or `\` before it, or without.
fn plain(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Refuses names that no source file has.
fn check(name: &str) -> Result<(), String> {
    let is_good = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with(['.', '-'])
        && !name.chars().any(needs_escape);
    match is_good {
        true => Ok(()),
        false => Err(format!(
            "expected the name of a file, such as bot.py, got '{}'",
            escape(&name.chars().take(LONGEST_NAME).collect::<String>())
        )),
    }
}

/// Returns the names of sent files in one line.
pub fn summary(sent: &[Sent]) -> String {
    let names: Vec<&str> = sent.iter().map(|(name, _)| plain(name)).collect();
    match names.len() {
        count if count > NAMED => format!("{}, +{}", names[..NAMED].join(", "), count - NAMED),
        _ => names.join(", "),
    }
}

/// Writes what was sent below the new folder `to`: files, or those in one zip file.
///
/// # Errors
/// Returns a failure of the data if a name or a zip file is refused, and one of the store if the
/// disk refuses.
pub fn write(sent: &[Sent], to: &Path) -> Result<(), Failure> {
    let folder = to.join(FILES);
    let of_io = |error: std::io::Error| Failure::Store(io_reason(&error));
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(of_io)?;
    if let [(name, bytes)] = sent {
        if plain(name).to_lowercase().ends_with(".zip") {
            return unpack_player(bytes, &folder, &to.join(INNER), LIMITS);
        }
    }
    if sent.is_empty() || sent.len() > MOST_FILES {
        return Err(Failure::Data(format!(
            "expected 1 to {MOST_FILES} files, got {}{HELP}pack them into one zip file",
            sent.len()
        )));
    }
    let mut taken = HashSet::new();
    for (name, bytes) in sent {
        let name = plain(name);
        check(name).map_err(Failure::Data)?;
        if !taken.insert(name.to_lowercase()) {
            return Err(Failure::Data(format!("expected each file once, got {name} twice")));
        }
        // A program that was built elsewhere is started as it is.
        let mode =
            if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"#!") { 0o755 } else { 0o644 };
        let file =
            OpenOptions::new().write(true).create_new(true).mode(mode).open(folder.join(name));
        file.and_then(|mut file| file.write_all(bytes)).map_err(of_io)?;
    }
    Ok(())
}

/// Removes the folder of an upload, and all that its build left there.
pub fn remove(folder: &Path) {
    if let Err(error) = arbitre_referee::submissions::build::remove(folder) {
        log::warn!("{}: {error}", folder.display());
    }
}

/// Returns the folders below `folder` that have none of these names, and are to be removed.
pub fn others(folder: &Path, names: &HashSet<String>) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let other = |entry: &fs::DirEntry| !names.contains(&*entry.file_name().to_string_lossy());
    entries.filter(other).map(|entry| entry.path()).collect()
}

/// Returns the paths of the files of all uploads in the folder of a room, without what was built.
pub fn sources(room: &Path) -> Vec<PathBuf> {
    let uploads = others(&room.join(FOLDER), &HashSet::new());
    uploads.iter().flat_map(|upload| files_below(&upload.join(FILES))).collect()
}

/// Returns the paths of all files below a folder, sorted. Links are no files.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut waiting, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = waiting.pop() {
        for path in others(&folder, &HashSet::new()) {
            match path.symlink_metadata() {
                Ok(of) if of.is_dir() => waiting.push(path),
                Ok(of) if of.is_file() => files.push(path),
                _ => {}
            }
        }
    }
    files.sort_unstable();
    files
}

/// Bytes of a program that are compared with those of others. Not tuned.
const COMPARED: usize = 64 << 10;

/// Returns the beginning of the source files below a folder, one after another.
pub fn text_of(folder: &Path) -> String {
    let is_source = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default();
        ENDINGS.iter().chain(&["h", "hpp"]).any(|known| ending == *known)
    };
    let mut text = Vec::new();
    for path in files_below(folder).into_iter().filter(is_source) {
        let left = COMPARED.saturating_sub(text.len());
        let file = fs::File::open(path).map(|file| file.take(left as u64));
        // One that cannot be read is like no other.
        let _ = file.and_then(|mut file| file.read_to_end(&mut text));
        text.push(b'\n');
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, sent: &[(&str, &[u8])]) -> Result<Vec<String>, String> {
        let folder =
            std::env::temp_dir().join(format!("arbitre-sent-{name}-{}", std::process::id()));
        remove(&folder);
        let sent: Vec<Sent> =
            sent.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec())).collect();
        let result = write(&sent, &folder).map_err(|failure| failure.to_string());
        let names = others(&folder.join(FILES), &HashSet::new());
        let beside = others(&folder, &HashSet::from([FILES.to_owned()]));
        assert!(beside.is_empty(), "{beside:?}");
        remove(&folder);
        let mut names: Vec<String> =
            names.iter().map(|of| of.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        result.map(|()| names)
    }

    #[test]
    fn names_lead_to_no_other_folder() {
        assert_eq!(
            written("plain", &[("bot.py", b"1"), ("é b.txt", b"2")]),
            Ok(vec!["bot.py".into(), "é b.txt".into()])
        );
        assert_eq!(written("path", &[("C:\\x\\bot.py", b"1")]), Ok(vec!["bot.py".into()]));
        assert_eq!(written("up", &[("../../bot.py", b"1")]), Ok(vec!["bot.py".into()]));
        let long = "x".repeat(LONGEST_NAME + 1);
        for name in ["", "..", "../..", ".bashrc", "-rf", "a\nb", "a\u{202e}b", "a\0b", "/", &long]
        {
            let refused = written("bad", &[(name, b"1")]).unwrap_err();
            assert!(refused.starts_with("expected the name of a file"), "{name:?}: {refused}");
        }
        let twice = written("twice", &[("bot.py", b"1"), ("x/BOT.py", b"2")]).unwrap_err();
        assert!(twice.starts_with("expected each file once"), "{twice}");
        assert!(written("none", &[]).unwrap_err().starts_with("expected 1 to 100 files, got 0"));
        assert!(written("zip", &[("a.zip", b"no")])
            .unwrap_err()
            .starts_with("expected a zip file"));
    }
}
