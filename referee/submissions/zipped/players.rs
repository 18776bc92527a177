//! Players in the files of a zip file, which may be that of Moodle or have a folder per player.

use super::contents::unpack;
use super::reading;
use crate::escape::escape;
use crate::failure::{about, Failure};
use crate::submissions::build::remove;
use crate::submissions::entry::is_player;
use crate::submissions::tree::{Tree, TreeLimits, SUBMISSION};
use crate::submissions::NO_PLAYERS;
use arbitre_games::text::HELP;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Words between the name of a student and the kind of the submission in names of Moodle.
const MOODLE: &str = "_assignsubmission_";
/// Kind of a submission of Moodle that consists of files. The others are texts and comments.
const FILES: &str = "file";

/// Name of Moodle: `Ada Lovelace_4711_assignsubmission_file_`, and the name of a file after it
/// where the zip file has no folders.
#[derive(PartialEq, Eq, Debug)]
struct MoodleName<'a> {
    student: &'a str,
    number: &'a str,
    kind: &'a str,
    file: &'a str,
}

impl MoodleName<'_> {
    fn parse(name: &str) -> Option<MoodleName<'_>> {
        let (student, rest) = name.split_once(MOODLE)?;
        let (student, number) = student.rsplit_once('_')?;
        let (kind, file) = rest.split_once('_')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && !student.is_empty()).then_some(MoodleName { student, number, kind, file })
    }
}

/// Player before it has a folder: its name, and the number of Moodle.
type Student = (String, Option<String>);
/// Path of a player's folder, or of a file with its name in that folder.
type Part = (PathBuf, Option<String>);

/// Moves the files of players below `unpacked` into the new folder `players`: a folder or source
/// file each, named after the player. A zip file among them is unpacked, too, within the limits.
/// The folder `inner` is used on the way.
/// Returns remarks for people.
///
/// # Errors
/// Returns a failure if two players have the same name, or a file cannot be moved.
pub fn arrange(
    unpacked: &Path,
    players: &Path,
    inner: &Path,
    limits: &mut TreeLimits,
) -> Result<Vec<String>, Failure> {
    fs::create_dir(players).map_err(about(players, Failure::Store))?;
    let top = top_folder(unpacked)?;
    let (mut students, mut notes) = (BTreeMap::<Student, Vec<Part>>::new(), Vec::new());
    let mut without_files = Vec::new();
    for path in visible(&top)? {
        let name = text(&path);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (student, part) = match MoodleName::parse(&name) {
            Some(MoodleName { student, number, kind, .. }) if kind != FILES => {
                without_files.push((student.to_owned(), Some(number.to_owned())));
                continue;
            }
            Some(MoodleName { student, number, file, .. }) => {
                let file = (!path.is_dir()).then(|| file.to_owned());
                ((student.to_owned(), Some(number.to_owned())), (path, file))
            }
            None if path.is_dir() => ((name, None), (path, None)),
            None if reading::has_ending(&path) => ((stem, None), (path, Some(name))),
            None => {
                fs::rename(&path, players.join(&name)).map_err(about(&path, Failure::Store))?;
                continue;
            }
        };
        if student.1.is_none() && students.contains_key(&student) {
            return Err(equal_names(&student.0));
        }
        students.entry(student).or_default().push(part);
    }
    without_files.retain(|student| !students.contains_key(student));
    without_files.sort_unstable();
    without_files.dedup();
    for (student, _) in without_files {
        notes.push(format!("{} sent no file, and does not play", escape(&student)));
    }
    let lower: Vec<String> = students.keys().map(|(name, _)| name.to_lowercase()).collect();
    let mut left = students.len();
    for ((name, number), parts) in students {
        let is_shared = lower.iter().filter(|of| **of == name.to_lowercase()).count() > 1;
        let name = match number.filter(|_| is_shared) {
            Some(number) => {
                notes.push(format!(
                    "several students have the name {}: one plays as '{} {number}'",
                    escape(&name),
                    escape(&name)
                ));
                format!("{name} {number}")
            }
            None => name,
        };
        let home = players.join(&name);
        fs::create_dir(&home).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => equal_names(&name),
            _ => about(&home, Failure::Store)(error),
        })?;
        for (from, file) in parts {
            let to = file.map_or_else(|| home.clone(), |file| home.join(file));
            fs::rename(&from, to).map_err(about(&from, Failure::Store))?;
        }
        // The zip file of one student must not take the place of the others.
        let share = TreeLimits {
            entries: (limits.entries / left).min(SUBMISSION.entries),
            bytes: (limits.bytes / left as u64).min(SUBMISSION.bytes),
            ..*limits
        };
        left -= 1;
        notes.extend(settle(&home, inner, share, limits)?);
    }
    Ok(notes)
}

/// Returns the folder of the players: that which was unpacked, or the only folder in it, unless
/// that is a player.
fn top_folder(unpacked: &Path) -> Result<PathBuf, Failure> {
    Ok(match only_folder(unpacked)? {
        Some(only) if MoodleName::parse(&text(&only)).is_none() && !plays(&only) => only,
        _ => unpacked.into(),
    })
}

/// Brings the files of a player into its folder: out of a zip file, and out of folders that contain
/// nothing but a folder. Its zip file may use `share` of the limits. Returns a remark if it cannot
/// be unpacked.
fn settle(
    home: &Path,
    inner: &Path,
    share: TreeLimits,
    limits: &mut TreeLimits,
) -> Result<Option<String>, Failure> {
    lift(home, inner)?;
    let mut zips = visible(home)?;
    zips.retain(|path| path.is_file() && reading::has_ending(path));
    let [zip] = zips.as_slice() else { return Ok(None) };
    if plays(home) {
        return Ok(None);
    }
    fs::create_dir(inner).map_err(about(inner, Failure::Store))?;
    let mut own = share;
    let unpacked = reading::read(zip).and_then(|bytes| unpack(&bytes, inner, &mut own));
    match unpacked {
        Ok(()) => {
            limits.entries -= share.entries - own.entries;
            limits.bytes -= share.bytes - own.bytes;
            replace(home, inner)?;
            lift(home, inner)?;
            Ok(None)
        }
        Err(Failure::Data(why)) => {
            remove(inner).map_err(about(inner, Failure::Store))?;
            let why = why.split(HELP).next().unwrap_or_default();
            let (name, zip) = (escape(&text(home)), escape(&text(zip)));
            Ok(Some(format!("{zip} of {name} was not unpacked: {why}")))
        }
        Err(other) => Err(other),
    }
}

/// Replaces a folder by the only folder in it, as long as there is nothing beside that.
///
/// # Errors
/// Returns a failure of the store if a folder cannot be moved.
pub fn lift(home: &Path, inner: &Path) -> Result<(), Failure> {
    while let Some(only) = only_folder(home)? {
        fs::rename(&only, inner).map_err(about(&only, Failure::Store))?;
        replace(home, inner)?;
    }
    Ok(())
}

/// Replaces a folder by another one.
fn replace(home: &Path, by: &Path) -> Result<(), Failure> {
    let replaced = remove(home).and_then(|()| fs::rename(by, home));
    replaced.map_err(about(home, Failure::Store))
}

fn equal_names(name: &str) -> Failure {
    Failure::Data(format!(
        "expected players of different names, got {} twice{HELP}rename one of them",
        escape(name)
    ))
}

/// Returns `true` if a folder is one player.
fn plays(folder: &Path) -> bool {
    Tree::read(folder).is_ok_and(|tree| is_player(folder, &tree))
}

/// Returns the folder in a folder that contains nothing else.
fn only_folder(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut entries = visible(folder)?;
    Ok(match entries.len() {
        1 => entries.pop().filter(|only| only.is_dir()),
        _ => None,
    })
}

/// Returns the paths of files and folders in a folder, sorted, without hidden ones and folders that
/// are no players.
fn visible(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(about(folder, Failure::Store))?.into_iter();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let name = text(path);
        !name.starts_with('.') && !NO_PLAYERS.contains(&name.as_str())
    });
    paths.sort_unstable();
    Ok(paths)
}

fn text(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_moodle_have_a_number_and_a_kind() {
        let parse =
            |name| MoodleName::parse(name).map(|of| (of.student, of.number, of.kind, of.file));
        assert_eq!(
            [
                parse("Ada Roi_4711_assignsubmission_file_"),
                parse("Group 2-Jean_Paul_1_assignsubmission_file_my_bot.py"),
                parse("Ada_2_assignsubmission_onlinetext_onlinetext.html"),
                parse("Ada_x_assignsubmission_file_"),
                parse("_3_assignsubmission_file_"),
                parse("assignsubmission_file_"),
            ],
            [
                Some(("Ada Roi", "4711", "file", "")),
                Some(("Group 2-Jean_Paul", "1", "file", "my_bot.py")),
                Some(("Ada", "2", "onlinetext", "onlinetext.html")),
                None,
                None,
                None,
            ]
        );
    }
}
