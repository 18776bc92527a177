//! Preparation of submissions: those that need a build or files of ours, or have no folder of their
//! own, are copied once and built there. The folder of results keeps the copy, and what came of it.

use super::build::{self, BuildFailure, BuildLimits, Tell, SCRATCH};
use super::entry::{Recipe, Stated};
use super::is_folder;
use super::language::{find_program, is_in_path};
use super::tree::{make_executable, programs, Tree};
use super::{open_kept, Broken, Prepared, Ready, Submission};
use crate::config::PlayerConfig;
use crate::escape::escape;
use crate::player::digest::hexadecimal;
use arbitre_games::files;
use arbitre_games::text::{io_reason, HELP};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::SandboxConfig;
use arbitre_process::sys::open_lock;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Number of characters of a player's name in the name of its copy. Not tuned.
const NAME: usize = 24;
/// Number of digits of a digest: 64 bits.
const DIGITS: usize = 16;
/// File that each referee locks, shared with others, while it plays copies of its folder.
const IN_USE: &str = "in-use";

/// Means to prepare submissions.
pub struct Builder {
    /// Executable of the referee, which is the launcher.
    pub executable: PathBuf,
    /// Folder of the copies, for example `.arbitre/builds`.
    pub builds: PathBuf,
    /// Sandbox of the players. A build has the holes for reading and the variables, but profile
    /// `class` and no network.
    pub sandbox: SandboxConfig,
    /// Protection that this machine gives.
    pub level: Level,
    /// Limits of a build.
    pub limits: BuildLimits,
    /// Whether copies of earlier versions are removed once no other referee plays. `check` leaves
    /// them to a tournament, which may build the same files by other commands.
    pub removes_others: bool,
    /// Lock of the copies that this referee plays, once it has opened their folder. As long as this
    /// value lives, no other referee removes any.
    pub in_use: OnceCell<File>,
}

/// Result of a build, in the file beside the copy.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Folder of the submission.
    source: PathBuf,
    result: KeptResult,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KeptResult {
    Ready {
        words: Vec<String>,
    },
    Broken {
        reason: String,
        output: String,
        /// Digest of what the failure depends on beside the submission.
        #[serde(default)]
        machine: String,
    },
}

/// Reason why a submission is not ready.
enum Unready {
    /// Files have changed since they were read.
    Changed,
    /// Failure of its build, or of the search for its program.
    Failed(BuildFailure),
}

impl Builder {
    /// Prepares a submission: finds its entry point and, if it needs a build that is not there yet,
    /// builds it. Its program may be played as long as this builder lives. Tells the events of the
    /// build as they come.
    pub fn prepare(&self, submission: &Submission, stated: &Stated, tell: &Tell) -> Prepared {
        let name = submission.name.clone();
        let prepare = |submission: &Submission| {
            let (words, folder) = self.try_prepare(submission, stated, tell)?;
            let digest = submission.digest().unwrap_or_default().to_owned();
            Ok(Ready { name: name.clone(), words, folder, digest })
        };
        let prepared = match prepare(submission) {
            // A student may send it at this moment.
            Err(Unready::Changed) => prepare(&submission.read_again()),
            prepared => prepared,
        };
        match prepared {
            Ok(ready) => Prepared::Ready(ready),
            Err(Unready::Changed) => Prepared::Broken(Broken {
                name,
                reason: format!(
                    "expected files that stay as they are while they are copied, got changes\
                     {HELP}run the command again once they are complete"
                ),
                output: String::new(),
            }),
            Err(Unready::Failed(BuildFailure { reason, output })) => {
                Prepared::Broken(Broken { name, reason: escape(&reason), output })
            }
        }
    }

    /// Returns the remark for people that the build of a player takes long.
    pub fn slow_note(&self, name: &str) -> String {
        let BuildLimits { slow, time, .. } = self.limits;
        format!(
            "the build of {name} takes longer than {slow:?}; after {time:?} it is stopped, and tried \
             again each time"
        )
    }

    /// Returns command and folder of a submission.
    fn try_prepare(
        &self,
        submission: &Submission,
        stated: &Stated,
        tell: &Tell,
    ) -> Result<(Vec<String>, PathBuf), Unready> {
        let Submission { name, folder, file, tree } = submission;
        let tree = tree.as_ref().map_err(Clone::clone)?;
        let recipe = Recipe::find(name, folder, tree, stated)?;
        if recipe.build.is_some() || !recipe.added.is_empty() || file.is_some() {
            return self.copied(submission, tree, &recipe, tell);
        }
        if self.builds.is_dir() {
            let (builds, _lock) = self.open()?;
            self.remove_others(&builds, folder, None);
        }
        let words = recipe.start.command(name, folder, &[])?;
        find_program(folder, &words)?;
        Ok((words, folder.clone()))
    }

    /// Returns command and folder of a submission that is copied and built, now or before.
    fn copied(
        &self,
        submission: &Submission,
        tree: &Tree,
        recipe: &Recipe,
        tell: &Tell,
    ) -> Result<(Vec<String>, PathBuf), Unready> {
        let name = &submission.name;
        let of_io = |error: io::Error| self.failure(&error);
        let (builds, _lock) = self.open()?;
        let source = submission.path();
        let key = key(&submission.name, &source, &tree.digest, recipe);
        let (copy, record) = (builds.join(&key), builds.join(format!("{key}.json")));
        self.remove_others(&builds, &source, Some(&record));
        let machine_now = self.machine(recipe);
        match read(&record) {
            // A player without a sandbox may have changed its copy.
            Some(KeptResult::Ready { words })
                if is_folder(&copy) && recipe.start.gives(&words, name, &copy) =>
            {
                match find_program(&copy, &words) {
                    Ok(_) => return Ok((words, copy)),
                    // A referee with another `PATH` may play this copy.
                    Err(why) if is_missing_tool(&words[0]) => return Err(why.into()),
                    Err(_) => {}
                }
            }
            Some(KeptResult::Broken { reason, output, machine }) if machine == machine_now => {
                let output = build::end_of(&output);
                return Err(BuildFailure { reason, output }.into());
            }
            _ => {}
        }
        build::remove(&copy).map_err(of_io)?;
        let _ = fs::remove_file(&record);
        let tried = self.build(submission, tree, recipe, &copy, tell);
        let unused = if matches!(tried, Ok(Ok(_))) { copy.join(SCRATCH) } else { copy.clone() };
        if let Err(error) = build::remove(&unused) {
            log::warn!("{}: {error}", unused.display());
        }
        let result = tried?;
        let kept = match &result {
            Ok(words) => KeptResult::Ready { words: words.clone() },
            Err(BuildFailure { reason, output }) => {
                let (reason, output) = (reason.clone(), output.clone());
                KeptResult::Broken { reason, output, machine: machine_now }
            }
        };
        write(&record, &Kept { source, result: kept }).map_err(of_io)?;
        Ok((result?, copy))
    }

    /// Returns a digest of what a build may find on this machine.
    fn machine(&self, recipe: &Recipe) -> String {
        let Builder { sandbox, level, .. } = self;
        let words = recipe.build.as_deref().unwrap_or_default();
        format!("{} {level} {}", build::programs_in_path(words), digest_of(&format!("{sandbox:?}")))
    }

    /// Returns the folder of the copies, and the lock that keeps other referees from building the
    /// same. From now on they remove none.
    fn open(&self) -> Result<(PathBuf, File), String> {
        let of_io = |error: io::Error| self.failure(&error);
        let (builds, lock) = open_kept(&self.builds).map_err(of_io)?;
        if self.in_use.get().is_none() {
            let _ = self.in_use.set(hold_in(&builds).map_err(of_io)?);
        }
        Ok((builds, lock))
    }

    /// Removes the copies of earlier versions of the submission in `source`: all except that of
    /// `record`. While another referee plays any copy, this is left to a later one.
    fn remove_others(&self, builds: &Path, source: &Path, record: Option<&Path>) {
        let Some(in_use) = self.in_use.get().filter(|_| self.removes_others) else { return };
        // A lock that is shared with others cannot become one of our own.
        let alone = in_use.unlock().is_ok() && in_use.try_lock().is_ok();
        if alone {
            remove_others(builds, source, record);
        }
        if let Err(error) = in_use.unlock().and_then(|()| in_use.lock_shared()) {
            log::warn!("{}: {error}", builds.display());
        }
    }

    fn failure(&self, error: &io::Error) -> String {
        format!("{}: {}", self.builds.display(), io_reason(error))
    }

    /// Copies a submission and builds the copy, if it has to be built. Returns its command, or the
    /// failure to keep.
    ///
    /// # Errors
    /// Returns an error that another run may not meet, and that is not kept.
    fn build(
        &self,
        submission: &Submission,
        tree: &Tree,
        recipe: &Recipe,
        copy: &Path,
        tell: &Tell,
    ) -> Result<Result<Vec<String>, BuildFailure>, Unready> {
        match tree.copy(&submission.folder, copy) {
            Ok(true) => {}
            Ok(false) => return Err(Unready::Changed),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unready::Changed),
            Err(error) => return Err(format!("its folder cannot be copied: {error}").into()),
        }
        for (name, text) in recipe.added {
            fs::write(copy.join(name), text).map_err(|error| self.failure(&error))?;
        }
        let before = programs(copy, Path::new("."));
        let Builder { sandbox, level, limits, executable, .. } = self;
        if let Some(words) = &recipe.build {
            let built = build::run(words, copy, sandbox, *level, limits, executable, tell)?;
            if let Err(failure) = built {
                return Ok(Err(failure));
            }
            if *level == Level::Partial {
                make_executable(copy, tree)?;
            }
        }
        let words = recipe.start.command(&submission.name, copy, &before);
        let found = words.and_then(|words| find_program(copy, &words).map(|_| words));
        Ok(found.map_err(BuildFailure::from))
    }
}

impl From<String> for BuildFailure {
    fn from(reason: String) -> BuildFailure {
        BuildFailure { reason, output: String::new() }
    }
}

impl From<BuildFailure> for Unready {
    fn from(failure: BuildFailure) -> Unready {
        Unready::Failed(failure)
    }
}

impl From<String> for Unready {
    fn from(reason: String) -> Unready {
        Unready::Failed(reason.into())
    }
}

/// Keeps other referees from removing the copies that are among the folders of stored players, as
/// long as the returned files live.
pub fn hold(players: &[PlayerConfig]) -> Vec<File> {
    let folder = |of: &PlayerConfig| {
        let own = of.environment.own_folder.as_ref()?;
        Some(Path::new(&of.environment.folder).join(own).parent()?.to_owned())
    };
    let folders: BTreeSet<PathBuf> = players.iter().filter_map(folder).collect();
    let builds = folders.iter().filter(|folder| folder.join(IN_USE).is_file());
    builds.filter_map(|builds| hold_in(builds).ok()).collect()
}

/// Shares the lock of the copies in a folder.
fn hold_in(builds: &Path) -> io::Result<File> {
    let in_use = open_lock(&builds.join(IN_USE))?;
    in_use.lock_shared()?;
    Ok(in_use)
}

/// Returns `true` if a command names a tool that `PATH` does not find.
fn is_missing_tool(word: &str) -> bool {
    !word.contains('/') && !is_in_path(word)
}

/// Returns the name of the copy: the player's, and a digest of what its build depends on. No two
/// players share a copy, as that of an earlier version is removed.
fn key(name: &str, source: &Path, digest: &str, recipe: &Recipe) -> String {
    // Some build programs cannot work in a folder with blanks in its name.
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let shown: String = name.chars().take(NAME).map(plain).collect();
    format!("{shown}-{}", digest_of(&format!("{name:?} {source:?} {digest} {recipe:?}")))
}

/// Returns the beginning of the digest of a text.
fn digest_of(text: &str) -> String {
    let mut digest = hexadecimal(&Sha256::digest(text));
    digest.truncate(DIGITS);
    digest
}

fn read(record: &Path) -> Option<KeptResult> {
    let kept: Kept = serde_json::from_slice(&files::read(record).ok()?).ok()?;
    Some(kept.result)
}

/// Writes a record. A referee that is killed leaves none, or all of it.
fn write(record: &Path, kept: &Kept) -> io::Result<()> {
    let part = record.with_extension("part");
    // One that is there may be a link to another file.
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::create_new(&part)?.write_all(&serde_json::to_vec(kept)?)?;
    fs::rename(part, record)
}

/// Removes the copies of a submission: all except that of `record`.
fn remove_others(builds: &Path, source: &Path, record: Option<&Path>) {
    let entries = fs::read_dir(builds).into_iter().flatten().flatten();
    let records = entries.map(|entry| entry.path());
    let records = records.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    for other in records.filter(|path| Some(path.as_path()) != record) {
        let kept =
            files::read(&other).ok().and_then(|text| serde_json::from_slice::<Kept>(&text).ok());
        if kept.is_some_and(|kept| kept.source == source) {
            let copy = other.with_extension("");
            match build::remove(&copy).and_then(|()| fs::remove_file(&other)) {
                Ok(()) => log::debug!("removed {}", copy.display()),
                Err(error) => log::warn!("{}: {error}", copy.display()),
            }
        }
    }
}
