//! Sandbox of a program: profiles, holes and limits, from which its layers follow.

mod build;
pub mod command;
pub mod environment;
pub mod interpreters;
pub mod probe;
pub mod refusal;
#[cfg(test)]
mod testing;
mod view;

use crate::launcher::layers::{Access, Layers, SandboxLimits, ViewEntry};
use crate::launcher::{LaunchRequest, LauncherKind};
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{io, iter};

/// Defaults that `--help` and the README show.
pub mod defaults {
    /// Memory of all processes of a program together, in bytes. Not tuned; an idle JVM 17 has
    /// 40 MB (2026-11-25).
    pub const MEMORY: u64 = 1 << 30;
    /// Number of processes and threads of a program. Not tuned; an idle JVM 17 has 19 threads on
    /// two processors (2026-11-25).
    pub const PROCESSES: u64 = 256;
    /// Number of open files of a process. Not tuned.
    pub const FILES: u64 = 256;
    /// Size of the scratch folder, and of each written file, in bytes. Not tuned.
    pub const DISK: u64 = 64 << 20;
}

/// Rule by which paths are shown to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// All that the user may read, except hidden paths and private files of the home.
    Mine,
    /// The program's folder, system libraries and its interpreter.
    Class,
}

impl Profile {
    /// All profiles with their words.
    pub const WORDS: [(&'static str, Profile); 2] =
        [("mine", Profile::Mine), ("class", Profile::Class)];
}

/// Sandbox of a program, as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct SandboxConfig {
    /// Profile; none without a sandbox.
    pub profile: Option<Profile>,
    /// Absolute paths that may be read, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<PathBuf>,
    /// Absolute paths that may be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<PathBuf>,
    /// Devices that may be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<PathBuf>,
    /// Whether the network may be used.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// Additional environment variables, as `NAME` or `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<String>,
    /// Memory of all processes together, in bytes.
    pub memory: u64,
    /// Number of processes and threads.
    pub processes: u64,
    /// Number of open files of each process.
    pub files: u64,
    /// Size of the scratch folder, and of each written file, in bytes.
    pub disk: u64,
}

impl Default for SandboxConfig {
    fn default() -> SandboxConfig {
        SandboxConfig {
            profile: Some(Profile::Mine),
            read: Vec::new(),
            write: Vec::new(),
            devices: Vec::new(),
            network: false,
            variables: Vec::new(),
            memory: defaults::MEMORY,
            processes: defaults::PROCESSES,
            files: defaults::FILES,
            disk: defaults::DISK,
        }
    }
}

impl SandboxConfig {
    /// Returns the configuration of a program without a sandbox.
    pub fn none() -> SandboxConfig {
        SandboxConfig { profile: None, ..SandboxConfig::default() }
    }

    /// Returns the limits.
    pub fn limits(&self) -> SandboxLimits {
        let SandboxConfig { memory, processes, files, disk, .. } = *self;
        SandboxLimits { memory, processes, files, disk }
    }
}

/// Circumstances in which a program would start without a sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// Folder in which the program would start.
    pub folder: PathBuf,
    /// Whether that folder belongs to the program alone, which then starts there in any case.
    pub is_own: bool,
    /// Home of the user.
    pub home: Option<PathBuf>,
    /// Environment variables.
    pub variables: Vec<(OsString, OsString)>,
    /// Folders that are hidden except for what the program has in them.
    pub private: Vec<PathBuf>,
    /// Paths that are hidden, such as those of other programs ([`command::CommandFiles::paths`]).
    /// The program's own paths may be among them.
    pub hidden: Vec<PathBuf>,
}

impl Surroundings {
    /// Returns the circumstances of the host itself.
    pub fn here() -> Surroundings {
        let variables: Vec<_> = env::vars_os().collect();
        let folder = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let (private, hidden) = (Vec::new(), Vec::new());
        let mut here =
            Surroundings { folder, is_own: false, home: None, variables, private, hidden };
        let home = here.variable("HOME").map(PathBuf::from);
        here.home = home.filter(|home| home.is_absolute());
        here
    }

    /// Returns the circumstances of a program with a folder of its own.
    pub fn in_own_folder(self, folder: PathBuf) -> Surroundings {
        Surroundings { folder, is_own: true, ..self }
    }

    /// Returns the value of a variable.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        let found = self.variables.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_os_str())
    }

    /// Returns `true` for folders that many programs and users share. Such a folder is never shown
    /// or hidden as the folder of one program.
    pub fn is_shared(&self, folder: &Path) -> bool {
        let is_above_home = |home: &PathBuf| {
            let home = home.canonicalize().unwrap_or_else(|_| home.clone());
            home.starts_with(folder) || home.join(".local") == folder
        };
        SHARED.iter().any(|shared| Path::new(shared) == folder)
            || self.home.as_ref().is_some_and(is_above_home)
    }
}

/// Folders that many programs share, beside the home and those above it.
const SHARED: [&str; 6] = ["/", "/usr", "/home", "/tmp", "/var/tmp", "/dev/shm"];

/// Sandbox of a program with a way to start in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sandbox {
    /// Layers.
    pub layers: Layers,
    /// Environment, as `NAME=VALUE`.
    pub environment: Vec<OsString>,
    /// Folder in which the program starts.
    pub folder: PathBuf,
    /// Arguments. Files in them are absolute if the program starts in another folder than the
    /// current one.
    pub arguments: Vec<String>,
}

impl Sandbox {
    /// Returns the request to start the file `path`, which receives `name` as its own, with `more`
    /// arguments after those of the command. Files among them are shown to it: the host may hand
    /// over one for this start, such as a problem.
    ///
    /// # Errors
    /// Returns an error if a text contains NUL.
    pub fn request(&self, path: &Path, name: &OsStr, more: &[String]) -> io::Result<LaunchRequest> {
        let words = self.arguments.iter().chain(more).map(OsStr::new);
        let variables = self.environment.iter().map(OsString::as_os_str);
        let files = more.iter().map(Path::new).filter(|path| path.is_absolute() && path.is_file());
        let mut layers = self.layers.clone();
        layers.view.extend(files.map(|path| ViewEntry::new(Access::Read, path)));
        let words = iter::once(name).chain(words);
        LaunchRequest::new(path, &self.folder, words, variables, Some(&layers))
    }

    /// Returns the kind of launcher that the program needs.
    pub fn launcher(&self) -> LauncherKind {
        LauncherKind::needed_by(Some(&self.layers))
    }
}
