//! Functions that run the programs of this project.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Returns the folder with the programs of this build: the parent of the folder with the tests.
fn programs() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own file");
    test.ancestors().nth(2).expect("tests lie in a folder beside the programs").into()
}

/// Returns the path of a program of this build.
pub fn program(name: &str) -> PathBuf {
    programs().join(name)
}

/// Returns the folder in which tests may write. Cargo reserves it for them.
pub fn scratch() -> PathBuf {
    let scratch = programs().with_file_name("tmp");
    fs::create_dir_all(&scratch).expect("the build folder is writable");
    scratch
}

/// Creates a command that runs the referee in the folder for tests.
pub fn referee(words: &[&str]) -> Command {
    let mut command = Command::new(program("referee"));
    command.args(words).stdin(Stdio::null()).current_dir(scratch());
    // With this variable set, Python flushes after every write.
    command.env_remove("PYTHONUNBUFFERED");
    command
}

/// Runs the referee until it ends.
pub fn run(words: &[&str]) -> Output {
    referee(words).output().expect("the referee can be started")
}

/// Returns the standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the standard error as text, without the warning that the machine gives less than a full
/// sandbox.
pub fn stderr(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("warning: the sandbox is ")).collect()
}

/// Parses a JSON document.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Removes a folder, which no other test of the program may clear, and returns its path.
///
/// # Panics
/// Panics if another test cleared it before, as tests run at once.
pub fn cleared(folder: impl Into<PathBuf>) -> PathBuf {
    static OWNERS: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let folder = folder.into();
    // The threads that a test starts have no name.
    if let Some(test) = thread::current().name() {
        let mut owners = OWNERS.lock().unwrap_or_else(PoisonError::into_inner);
        let owner = owners.entry(folder.clone()).or_insert_with(|| test.into()).clone();
        drop(owners);
        assert_eq!(owner, test, "two tests use {}", folder.display());
    }
    if let Err(error) = fs::remove_dir_all(&folder) {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{}: {error}", folder.display());
    }
    folder
}

/// Creates a folder for one test, with blanks and accents in its name.
pub fn folder(name: &str) -> PathBuf {
    let folder = scratch().join(format!("dossier élève {name}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Removes a file of results with what lies beside it. A run of the tests that was cut off may have
/// left a log, which no new match takes for its own.
pub fn remove_results(db: impl AsRef<Path>) {
    for ending in ["", "-wal", "-shm", "-journal", ".lock"] {
        let mut name = db.as_ref().as_os_str().to_owned();
        name.push(ending);
        let _ = fs::remove_file(name);
    }
}

/// Writes an executable script, a bot that needs only a shell.
///
/// A script that a process is just starting cannot be written (`ETXTBSY`), only replaced.
pub fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    let new = folder.join(format!("{name}.new"));
    fs::write(&new, text).unwrap();
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).unwrap();
    fs::rename(new, &path).unwrap();
    path
}

/// Shell script of a bot that plays the first legal move.
pub const SHELL_BOT: &str = r#"#!/bin/sh
while read word first rest; do
    case $word in
        begin) echo "ready shell" ;;
        legal) move=$first ;;
        go) echo "$move" ;;
    esac
done
"#;

/// Sends a signal to the process `pid`, with the program `kill`.
pub fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &pid.to_string()]).status().unwrap();
    assert!(sent.success());
}
