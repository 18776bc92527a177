//! Players from a folder of programs: each of its folders and source files is one submission.

pub mod build;
mod builder;
pub mod entry;
mod language;
mod tree;
pub mod zipped;

pub use builder::{hold, Builder};
pub use language::{ADDED, ENDINGS};
pub use tree::TreeLimits;

use crate::config::player_arg::{CommandKind, PlayerArg};
use crate::escape::needs_escape;
use crate::failure::Failure;
use arbitre_games::text::{io_reason, HELP};
use arbitre_process::sys::{open_lock, refuse_link};
pub use entry::is_source;
use entry::{is_player, Recipe, Start, Stated};
use std::collections::{BTreeMap, HashSet};
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tree::Tree;

/// Number of loose files that a note names. Not tuned.
const NAMED: usize = 3;
/// Folders that are no players: what archives made on a Mac contain, and what Python leaves.
const NO_PLAYERS: [&str; 2] = ["__MACOSX", "__pycache__"];

/// Submissions of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scan {
    /// Submissions, sorted by name.
    pub submissions: Vec<Submission>,
    /// Other files beside them, which are ignored.
    pub loose: Vec<String>,
}

/// Players behind a path that was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// The folder or source file of one player.
    Player(Submission),
    /// A folder of several players.
    Players(Scan),
}

/// Folder of one player, or its source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// Name of the player: that of its folder or file, without the characters that no name may
    /// have.
    pub name: String,
    /// Folder, as a real path.
    pub folder: PathBuf,
    /// Name of its file, if it has no folder of its own.
    pub file: Option<PathBuf>,
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

    /// Returns the argument that describes this player. One that cannot be started has the reason.
    pub fn arg(&self) -> PlayerArg {
        match self {
            Prepared::Ready(ready) => ready.arg(),
            Prepared::Broken(Broken { name, reason, output }) => {
                let output = output.lines().map(|line| format!("\n  {line}")).collect::<String>();
                PlayerArg::absent(name, &format!("{reason}{output}"))
            }
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
        let kind = CommandKind::External(self.words.clone());
        PlayerArg {
            folder: Some(folder.to_string_lossy().into_owned()),
            ..PlayerArg::of(&self.name, shell_words::join(&self.words), kind)
        }
    }
}

impl Submission {
    /// Reads the submission `name` at a path.
    pub fn read(name: String, path: PathBuf) -> Submission {
        let check = |path: &Path| path.to_str().map(drop).ok_or("expected a path in UTF-8");
        if let (true, Some(folder), Some(file)) = (path.is_file(), path.parent(), path.file_name())
        {
            let file = PathBuf::from(file);
            let tree = check(&path).map_err(str::to_owned);
            let tree = tree.and_then(|()| Tree::of_file(folder, &file));
            return Submission { name, folder: folder.into(), file: Some(file), tree };
        }
        // The user may have linked a folder from elsewhere.
        let (folder, tree) = match path.canonicalize() {
            Ok(folder) => {
                let tree = check(&folder).map_err(str::to_owned);
                let tree = tree.and_then(|()| Tree::read(&folder));
                (folder, tree)
            }
            Err(error) => (path, Err(io_reason(&error))),
        };
        Submission { name, folder, file: None, tree }
    }

    /// Reads the submission again, whose files have changed.
    fn read_again(&self) -> Submission {
        Submission::read(self.name.clone(), self.path())
    }

    /// Returns the path of its folder or file.
    pub fn path(&self) -> PathBuf {
        self.file.as_ref().map_or_else(|| self.folder.clone(), |file| self.folder.join(file))
    }

    /// Returns in words how its files are built, or started.
    ///
    /// # Errors
    /// Returns the reason if they cannot be used, or have no entry point.
    pub fn outlook(&self) -> Result<String, String> {
        let tree = self.tree.as_ref().map_err(Clone::clone)?;
        let recipe = Recipe::find(&self.name, &self.folder, tree, &Stated::default())?;
        Ok(match (&recipe.build, &recipe.start) {
            (Some(words), _) => format!("to build: {}", shell_words::join(words)),
            (None, Start::Command(words)) => format!("to start: {}", shell_words::join(words)),
            (None, Start::Made { .. }) => "to start: a program among its files".into(),
        })
    }

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
        let loose = loose.map(|files| {
            format!("ignored {files}: a player is a folder or a source file of a known language")
        });
        let equal = self.equal().into_iter().map(|names| match names.as_slice() {
            [init @ .., last] => {
                format!("{} and {last} submitted the same program", init.join(", "))
            }
            [] => String::new(),
        });
        loose.into_iter().chain(equal).collect()
    }
}

/// Reads the submissions in a folder: one for each of its folders that is not hidden, and one for
/// each source file.
///
/// # Errors
/// Returns an error if the folder cannot be read, or has no player.
pub fn scan(folder: &Path) -> Result<Scan, Failure> {
    let shown = folder.display();
    let refuse =
        |why: &str| Failure::Data(format!("expected a folder of players, got {shown}{why}"));
    let of_io = |error: std::io::Error| refuse(&format!(": {}", io_reason(&error)));
    let real = folder.canonicalize().map_err(of_io)?;
    let (mut players, mut loose) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&real).map_err(of_io)? {
        let entry = entry.map_err(of_io)?;
        let (path, is_file) = (entry.path(), entry.file_type().is_ok_and(|kind| kind.is_file()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || NO_PLAYERS.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            players.push((clean(&name), path));
        } else if is_file && is_source(&path) {
            // A link to a file could show any file of the user.
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            players.push((clean(&stem), path));
        } else {
            loose.push(clean(&name));
        }
    }
    if players.is_empty() {
        return Err(refuse(&format!(
            ", which has none{HELP}put each player into a folder, or into a file such as bot.py"
        )));
    }
    players.sort_unstable();
    loose.sort_unstable();
    let mut taken = HashSet::new();
    let submissions = players.into_iter().map(|(name, path)| {
        // Two files of a name, such as `ada.c` and `ada.py`, are rather two versions of a player.
        let name = match path.is_dir() {
            true => crate::config::from_args::unique(&name, &mut taken),
            false => name,
        };
        Submission::read(name, path)
    });
    Ok(Scan { submissions: submissions.collect(), loose })
}

/// Reads a source file, or a folder that is a player or contains players.
pub fn read(path: &Path) -> Named {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = if real.is_file() { real.file_stem() } else { real.file_name() };
    let name = clean(&name.unwrap_or_default().to_string_lossy());
    let own = Submission::read(name, real);
    // A file that cannot be used, such as a link, is no proof of a single player.
    let is_player = own.tree.as_ref().is_ok_and(|tree| is_player(&own.folder, tree));
    match scan(path) {
        Ok(scan) if !is_player => Named::Players(scan),
        _ => Named::Player(own),
    }
}

/// Opens a folder below the folder of results, which is created if it is missing. The lock keeps
/// other referees from filling it at the same time, and ends with the file.
fn open_kept(folder: &Path) -> io::Result<(PathBuf, File)> {
    folder.ancestors().take(2).try_for_each(refuse_link)?;
    fs::create_dir_all(folder)?;
    let folder = folder.canonicalize()?;
    let lock = open_lock(&folder.join("lock"))?;
    lock.lock()?;
    Ok((folder, lock))
}

/// Returns `true` if the path is a folder, and no link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Returns a name without control characters, and without the sign that marks earlier versions.
fn clean(name: &str) -> String {
    let name = if name.trim().is_empty() { "_" } else { name.trim() };
    name.chars().map(|c| if needs_escape(c) || c == '@' { '_' } else { c }).collect()
}
