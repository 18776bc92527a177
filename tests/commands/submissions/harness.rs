//! Folders of submissions.

use arbitre::internals::submissions::build::{BuildEvent, BuildLimits};
use arbitre::internals::submissions::entry::Stated;
use arbitre::internals::submissions::{scan, Broken, Builder, Prepared, Ready, Scan, Submission};
use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::probe::probe;
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_test_support::command;
use std::fs::{self, Permissions};
use std::ops::ControlFlow;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// Path of the referee, whose executable is the launcher.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Makefile that makes the program `bot`, which needs only a shell.
pub const MAKEFILE: &str = "bot: body\n\tcp body bot\n\tchmod +x bot\n";

/// Folder of submissions, removed at the end of its test.
pub struct Class(pub PathBuf);

impl Class {
    /// Creates an empty folder, with blanks and accents in its name.
    pub fn new(name: &str) -> Class {
        let folder = command::cleared(command::folder(&format!("class {name}")));
        fs::create_dir_all(folder.join("class")).unwrap();
        Class(folder.canonicalize().unwrap())
    }

    /// Returns the path of a file of a submission.
    pub fn path(&self, path: &str) -> PathBuf {
        self.0.join("class").join(path)
    }

    /// Writes a file of a submission.
    pub fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes an executable file of a submission.
    pub fn program(&self, path: &str, text: &str) -> PathBuf {
        let path = self.file(path, text);
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Writes a symbolic link of a submission.
    pub fn link(&self, path: &str, target: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    /// Reads the submissions.
    pub fn scan(&self) -> Scan {
        scan(&self.path("")).unwrap()
    }

    /// Reads the submission of this name.
    pub fn submission(&self, name: &str) -> Submission {
        let mut submissions = self.scan().submissions.into_iter();
        submissions.find(|submission| submission.name == name).unwrap()
    }

    /// Returns the means to prepare these submissions.
    pub fn builder(&self) -> Builder {
        let profile = Some(Profile::Class);
        Builder {
            executable: REFEREE.into(),
            builds: self.0.join("builds"),
            sandbox: SandboxConfig { profile, ..SandboxConfig::default() },
            level: level(),
            limits: BuildLimits { time: Duration::from_secs(30), ..BuildLimits::default() },
            removes_others: true,
            in_use: std::cell::OnceCell::new(),
        }
    }

    /// Prepares the submission of this name.
    pub fn prepare(&self, name: &str) -> Prepared {
        self.builder().prepare(&self.submission(name), &Stated::default(), &go_on)
    }

    /// Returns the names of the copies.
    pub fn copies(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.join("builds")).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Class {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Lets a build go on, whatever happens.
pub fn go_on(_: BuildEvent) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns the protection that this machine gives.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| probe(Path::new(REFEREE)).level)
}

pub fn ready(prepared: Prepared) -> Ready {
    match prepared {
        Prepared::Ready(ready) => ready,
        Prepared::Broken(Broken { name, reason, output }) => {
            panic!("{name} is broken: {reason}\n{output}")
        }
    }
}

pub fn broken(prepared: Prepared) -> Broken {
    match prepared {
        Prepared::Broken(broken) => broken,
        Prepared::Ready(ready) => panic!("{ready:?}"),
    }
}

/// Returns `true` if a program is installed. Says that a test is skipped otherwise.
pub fn is_there(program: &str, skipped: &str) -> bool {
    let is_there = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let is_there = is_there.is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("SKIPPED: {skipped}, as there is no {program}");
    }
    is_there
}
