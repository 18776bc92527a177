//! Running the programs of this project.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns the folder with the programs of this build: that above the one with the tests.
fn programs() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own file");
    test.ancestors().nth(2).expect("tests lie in a folder beside the programs").into()
}

/// Returns the path of a program of this build.
pub fn program(name: &str) -> PathBuf {
    programs().join(name)
}

/// Returns the folder in which tests may write: the one that cargo makes for them.
pub fn scratch() -> PathBuf {
    let scratch = programs().with_file_name("tmp");
    fs::create_dir_all(&scratch).expect("the build folder takes another one");
    scratch
}

/// The referee, in a folder for tests.
pub fn referee(words: &[&str]) -> Command {
    let mut command = Command::new(program("referee"));
    command.args(words).stdin(Stdio::null()).current_dir(scratch());
    // Where this is set, Python flushes whatever its programs do.
    command.env_remove("PYTHONUNBUFFERED");
    command
}

/// Runs the referee to its end.
pub fn run(words: &[&str]) -> Output {
    referee(words).output().expect("the referee can be started")
}

/// What it printed.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it said on the side.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A document.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A folder of its own for a test, with blanks and accents in its name.
pub fn folder(name: &str) -> PathBuf {
    let folder = scratch().join(format!("dossier élève {name}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A bot as an executable script: it needs no more than a shell.
pub fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Plays the first legal move.
pub const SHELL_BOT: &str = r#"#!/bin/sh
while read word first rest; do
    case $word in
        begin) echo "ready shell" ;;
        legal) move=$first ;;
        go) echo "$move" ;;
    esac
done
"#;

/// Sends a signal to one process, by its number, as `kill` does.
pub fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &pid.to_string()]).status().unwrap();
    assert!(sent.success());
}
