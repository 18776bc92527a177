//! Programs that can be started.

use crate::launcher::layers::Level;
use crate::sandbox::Sandbox;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Program that can be started as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Absolute path of the file.
    pub path: PathBuf,
    /// Name that the program receives as its own (`argv[0]`).
    pub arg0: OsString,
    /// Arguments of the command.
    pub arguments: Vec<String>,
    /// Folder that belongs to the program alone, and in which it starts; none for that of this
    /// process.
    pub folder: Option<PathBuf>,
    /// Executable of the launcher that starts the program; none to start it directly. Only a
    /// trusted program is, which computes, starts no others and ends by itself.
    pub launcher: Option<PathBuf>,
    /// Sandbox of a launched program; none for the folder and the environment of this process.
    pub sandbox: Option<Arc<Sandbox>>,
}

impl Program {
    /// Creates a program that is started directly in the folder of this process, by its path.
    pub fn new(path: impl Into<PathBuf>, arguments: Vec<String>) -> Program {
        let path = path.into();
        let arg0 = path.clone().into();
        Program { path, arg0, arguments, folder: None, launcher: None, sandbox: None }
    }

    /// Returns the path that an argument names, from the folder in which the program starts.
    pub fn path_of(&self, argument: &str) -> PathBuf {
        self.folder.as_deref().unwrap_or(Path::new("")).join(argument)
    }

    /// Returns the same program, started through the launcher in `executable`, which calls
    /// [`crate::launcher::serve_if_asked`].
    pub fn launched_by(self, executable: &Path) -> Program {
        Program { launcher: Some(executable.into()), ..self }
    }

    /// Returns the same program, to be started in a sandbox.
    pub fn in_sandbox(self, sandbox: Sandbox) -> Program {
        Program { sandbox: Some(Arc::new(sandbox)), ..self }
    }

    /// Returns the program and every argument that is a file.
    pub fn files(&self) -> Vec<PathBuf> {
        let arguments = self.arguments.iter().map(|argument| self.path_of(argument));
        let arguments = arguments.filter(|path| path.is_file());
        std::iter::once(self.path.clone()).chain(arguments).collect()
    }

    /// Returns `true` if the program could be executed outside of its sandbox.
    pub fn is_hidden(&self) -> bool {
        let is_refused = |sandbox: &Sandbox| sandbox.layers.level > Level::Weak;
        self.sandbox.as_deref().is_some_and(is_refused)
            && interpreter(&self.path).is_none_or(|interpreter| interpreter.exists())
    }
}

/// Returns the interpreter in the first line of a script.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut start = [0; 256];
    let file = File::open(script).ok().filter(|_| script.is_file());
    let count = file?.read(&mut start).ok()?;
    let line = start[..count].strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    Some(PathBuf::from(OsStr::from_bytes(words.next()?)))
}
