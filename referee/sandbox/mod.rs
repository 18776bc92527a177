//! Sandbox of a program: profiles, holes and limits, from which its jail follows.

pub mod probe;

use crate::launcher::jail::{Jail, JailLimits};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// Defaults that `--help` and the README show.
pub mod defaults {
    /// Memory of all processes of a program together, in bytes. Not tuned; a JVM takes a tenth.
    pub const MEMORY: u64 = 1 << 30;
    /// Number of processes and threads of a program. Not tuned; a JVM starts about 30 threads.
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
    /// All that the user may read, except stored matches, other players and private folders.
    Mine,
    /// The program's folder, system libraries and its interpreter.
    Class,
}

impl Profile {
    /// All profiles with their words.
    pub const WORDS: [(&'static str, Profile); 2] =
        [("mine", Profile::Mine), ("class", Profile::Class)];
}

/// Sandbox of a player, as it was asked for.
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
    /// Returns the limits.
    pub fn limits(&self) -> JailLimits {
        let SandboxConfig { memory, processes, files, disk, .. } = *self;
        JailLimits { memory, processes, files, disk }
    }
}

/// Jail of a program, with the surroundings in which it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confinement {
    /// Jail.
    pub jail: Jail,
    /// Arguments of the command.
    pub arguments: Vec<String>,
    /// Environment, as `NAME=VALUE`.
    pub environment: Vec<OsString>,
    /// Folder in which the program starts.
    pub folder: PathBuf,
}
