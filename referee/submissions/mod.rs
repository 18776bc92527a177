//! Players from a folder of programs: each of its folders is one submission.

pub mod build;
mod builder;
pub mod entry;
mod tree;

pub use builder::Builder;

use crate::config::player_arg::{CommandKind, PlayerArg};
use crate::escape::needs_escape;
use crate::failure::Failure;
use arbitre_games::text::{io_reason, HELP};
use std::collections::{BTreeMap, HashSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use tree::Tree;

/// Number of loose files that a note names. Not tuned.
const NAMED: usize = 3;
/// Folder that archives made on a Mac contain beside the files.
const ARCHIVE_NOTES: &str = "__MACOSX";

/// Submissions of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scan {
    /// Submissions, sorted by name.
    pub submissions: Vec<Submission>,
    /// Files beside the folders of the submissions, which are ignored.
    pub loose: Vec<String>,
}

/// Folder of one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// Name of the player: that of its folder, without the characters that no name may have.
    pub name: String,
    /// Folder, as a real path.
    pub folder: PathBuf,
    /// Files, or the reason why the folder cannot be used.
    tree: Result<Tree, String>,
}

/// Submission that was prepared to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prepared {
    /// Submission that can be started.
    Ready(Ready),
    /// Submission that cannot be started.
    Broken(Broken),
}

/// Submission that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ready {
    /// Name of the player.
    pub name: String,
    /// Command, whose paths are relative to `folder`.
    pub words: Vec<String>,
    /// Folder in which it starts: the submission, or the copy in which it was built.
    pub folder: PathBuf,
    /// Digest of the submission.
    pub digest: String,
}

/// Submission that cannot be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Name of the player.
    pub name: String,
    /// Reason, on one line.
    pub reason: String,
    /// End of the output of its build, if that failed; each line safe for a terminal.
    pub output: String,
}

impl Prepared {
    /// Returns the name of the player.
    pub fn name(&self) -> &str {
        match self {
            Prepared::Ready(Ready { name, .. }) | Prepared::Broken(Broken { name, .. }) => name,
        }
    }
}

impl Ready {
    /// Returns the argument that describes this player, to be configured with the common options.
    pub fn arg(&self) -> PlayerArg {
        let here = env::current_dir().ok().and_then(|here| here.canonicalize().ok());
        let below = here.and_then(|here| self.folder.strip_prefix(here).ok());
        let folder = below.unwrap_or(&self.folder);
        // Also for the current folder itself.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        PlayerArg {
            name: self.name.clone(),
            is_named: true,
            options: Vec::new(),
            dialect: None,
            command: shell_words::join(&self.words),
            kind: CommandKind::External(self.words.clone()),
            folder: Some(folder.to_string_lossy().into_owned()),
        }
    }
}

impl Submission {
    /// Returns the digest of its files; `None` if the folder cannot be used.
    pub fn digest(&self) -> Option<&str> {
        self.tree.as_ref().ok().map(|tree| tree.digest.as_str())
    }
}

impl Scan {
    /// Returns the names of submissions with the same files, group by group.
    pub fn equal(&self) -> Vec<Vec<&str>> {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for submission in &self.submissions {
            // Empty folders have nothing in common.
            let is_empty = submission.tree.as_ref().is_ok_and(|tree| tree.files.is_empty());
            if let Some(digest) = submission.digest().filter(|_| !is_empty) {
                groups.entry(digest).or_default().push(&submission.name);
            }
        }
        let mut equal: Vec<Vec<&str>> = groups.into_values().filter(|of| of.len() > 1).collect();
        equal.sort_unstable();
        equal
    }

    /// Returns remarks for people: loose files, and submissions with the same files.
    pub fn notes(&self) -> Vec<String> {
        let loose = match self.loose.len() {
            0 => None,
            count if count > NAMED => {
                Some(format!("{} and {} others", self.loose[..NAMED].join(", "), count - NAMED))
            }
            _ => Some(self.loose.join(", ")),
        };
        let loose = loose.map(|files| format!("ignored {files}: a player is a folder"));
        let equal = self.equal().into_iter().map(|names| match names.as_slice() {
            [init @ .., last] => {
                format!("{} and {last} submitted the same program", init.join(", "))
            }
            [] => String::new(),
        });
        loose.into_iter().chain(equal).collect()
    }
}

/// Reads the submissions in a folder: one for each of its folders that is not hidden.
///
/// # Errors
/// Returns an error if the folder cannot be read, or has no folder.
pub fn scan(folder: &Path) -> Result<Scan, Failure> {
    let shown = folder.display();
    let refuse =
        |why: &str| Failure::Data(format!("expected a folder of players, got {shown}{why}"));
    let of_io = |error: std::io::Error| refuse(&format!(": {}", io_reason(&error)));
    let real = folder.canonicalize().map_err(of_io)?;
    let (mut folders, mut loose) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&real).map_err(of_io)? {
        let path = entry.map_err(of_io)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || name == ARCHIVE_NOTES {
            continue;
        }
        // The user may have linked a folder from elsewhere.
        match path.is_dir() {
            true => folders.push((clean(&name), path)),
            false => loose.push(clean(&name)),
        }
    }
    if folders.is_empty() {
        return Err(refuse(&format!(", which has no folder{HELP}put each player into one")));
    }
    folders.sort_unstable();
    loose.sort_unstable();
    let mut taken = HashSet::new();
    let submissions = folders.into_iter().map(|(name, path)| {
        let name = crate::config::from_args::unique(&name, &mut taken);
        match path.canonicalize() {
            Ok(folder) if folder.to_str().is_some() => {
                let tree = Tree::read(&folder);
                Submission { name, folder, tree }
            }
            Ok(folder) => {
                let tree = Err("expected a path in UTF-8".into());
                Submission { name, folder, tree }
            }
            Err(error) => Submission { name, folder: path, tree: Err(io_reason(&error)) },
        }
    });
    Ok(Scan { submissions: submissions.collect(), loose })
}

/// Returns a name without control characters, and without the sign that marks earlier versions.
fn clean(name: &str) -> String {
    name.trim().chars().map(|c| if needs_escape(c) || c == '@' { '_' } else { c }).collect()
}
