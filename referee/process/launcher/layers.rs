//! Description of a sandbox: what the launcher lets a program see and use.

use std::ffi::{CStr, OsStr};
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Protection that a sandbox gives, from none to all layers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Level {
    /// No protection.
    #[default]
    None,
    /// A session, resource limits and an environment of its own.
    Weak,
    /// Also Landlock rules and a system call filter.
    Partial,
    /// Also namespaces.
    Full,
}

impl Level {
    /// All levels with their words.
    pub const WORDS: [(&'static str, Level); 4] = [
        ("none", Level::None),
        ("weak", Level::Weak),
        ("partial", Level::Partial),
        ("full", Level::Full),
    ];

    /// Returns the level of this word.
    pub fn parse(word: &str) -> Option<Level> {
        Level::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, level)| level)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Level::WORDS[*self as usize].0)
    }
}

/// Rights of a program on a path and on all that is below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Access {
    /// Read and execute.
    Read,
    /// Read, execute and write.
    Write,
    /// Use as a device.
    Device,
    /// None.
    Hidden,
    /// None. An empty folder is shown instead, and each that the program reads is counted.
    Watched,
}

impl Access {
    const LETTERS: [(u8, Access); 5] = [
        (b'r', Access::Read),
        (b'w', Access::Write),
        (b'd', Access::Device),
        (b'h', Access::Hidden),
        (b'o', Access::Watched),
    ];

    /// Returns `true` if there are no rights.
    pub fn is_none(self) -> bool {
        matches!(self, Access::Hidden | Access::Watched)
    }
}

/// Path that a program may use, or that is hidden from it.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct ViewEntry {
    /// Rights.
    pub access: Access,
    /// Absolute path.
    pub path: PathBuf,
}

impl ViewEntry {
    /// Creates an entry.
    pub fn new(access: Access, path: impl Into<PathBuf>) -> ViewEntry {
        ViewEntry { access, path: path.into() }
    }

    /// Returns a letter for the rights, then the path.
    pub fn encode(&self) -> Vec<u8> {
        let letters = Access::LETTERS.into_iter();
        let letter = letters.filter(|(_, access)| *access == self.access).map(|(letter, _)| letter);
        letter.chain(self.path.as_os_str().as_bytes().iter().copied()).collect()
    }

    /// Parses the text of [`ViewEntry::encode`].
    pub fn decode(text: &[u8]) -> Option<ViewEntry> {
        let (letter, path) = text.split_first()?;
        let (_, access) = Access::LETTERS.into_iter().find(|(known, _)| known == letter)?;
        Some(ViewEntry::new(access, Path::new(OsStr::from_bytes(path))))
    }
}

/// Limits of all processes of a program together, except `files`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SandboxLimits {
    /// Resident memory in bytes.
    pub memory: u64,
    /// Number of processes and threads.
    pub processes: u64,
    /// Number of open files of each process.
    pub files: u64,
    /// Size of the scratch folder, and of each file that is written, in bytes.
    pub disk: u64,
}

/// Description of a sandbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// Protection. A launcher that cannot give it does not start the program.
    pub level: Level,
    /// Paths in the order in which they apply: a later entry overrides an earlier one above it. Up
    /// to [`Level::Partial`] nothing is hidden, as only what is listed can be used.
    pub view: Vec<ViewEntry>,
    /// Whether the program may use the network.
    pub has_network: bool,
    /// Limits.
    pub limits: SandboxLimits,
}

impl Layers {
    /// Returns the numbers of the sandbox as text, without the view.
    pub fn encode(&self) -> String {
        let SandboxLimits { memory, processes, files, disk } = self.limits;
        let (level, network) = (self.level as u8, u8::from(self.has_network));
        format!("{level} {network} {memory} {processes} {files} {disk}")
    }

    /// Parses the text of [`Layers::encode`], to which `view` belongs.
    ///
    /// # Errors
    /// Returns an error for any other text.
    pub fn decode(text: &CStr, view: Vec<ViewEntry>) -> io::Result<Layers> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidData);
        let text = text.to_str().map_err(|_| invalid())?;
        let numbers: Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
        let numbers = numbers.map_err(|_| invalid())?;
        let [level, network, memory, processes, files, disk] = numbers[..] else {
            return Err(invalid());
        };
        let levels = Level::WORDS.into_iter().map(|(_, level)| level);
        let level = levels.into_iter().find(|&of| of as u64 == level).ok_or_else(invalid)?;
        let limits = SandboxLimits { memory, processes, files, disk };
        Ok(Layers { level, view, has_network: network == 1, limits })
    }
}
