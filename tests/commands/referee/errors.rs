//! Every error that a user can cause from the command line, as `tests/data/errors.txt` records it.

use arbitre_test_support::command;

use command::{cleared, program, scratch, stderr};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// File of blocks, separated by blank lines. A shell runs the lines `$ COMMAND` in an empty folder;
/// the exit code and the standard error of the last one follow.
const SNAPSHOT: &str = "tests/data/errors.txt";

/// Runs the commands of a block. Returns what is recorded of the last one.
fn outcome(number: usize, commands: &[&str]) -> String {
    let folder = cleared(scratch().join(format!("errors-{number}")));
    fs::create_dir_all(&folder).unwrap();
    let programs = program("referee").parent().unwrap().to_owned();
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let mut text = String::new();
    for line in commands {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", line]).env("PATH", &path).env("HOME", &folder).env_remove("RUST_LOG");
        shell.env_remove("XDG_CACHE_HOME").env("COLUMNS", "100");
        let output = shell.current_dir(&folder).stdin(Stdio::null()).output().unwrap();
        text = format!("[exit code {}]\n{}", output.status.code().unwrap(), stderr(&output));
    }
    let folder = folder.canonicalize().unwrap();
    text.replace(&*folder.to_string_lossy(), "DIR").trim_end().into()
}

#[test]
fn errors_of_the_command_line_are_as_recorded() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(SNAPSHOT);
    let recorded = fs::read_to_string(&file).unwrap();
    let mut found = String::new();
    let mut count = 0;
    for block in recorded.trim_end().split("\n\n") {
        let commands: Vec<&str> =
            block.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
        let comments = block.lines().filter(|line| line.starts_with('#'));
        comments.for_each(|line| found += &format!("{line}\n"));
        commands.iter().for_each(|line| found += &format!("$ {line}\n"));
        if !commands.is_empty() {
            found += &format!("{}\n", outcome(count, &commands));
            count += 1;
        }
        found.push('\n');
    }
    let found = format!("{}\n", found.trim_end());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, &found).unwrap();
    }
    let recorded = fs::read_to_string(&file).unwrap();
    for (old, new) in recorded.split("\n\n").zip(found.split("\n\n")) {
        assert_eq!(new, old, "write {SNAPSHOT} anew with UPDATE_GOLDEN=1");
    }
    assert_eq!(found, recorded);
    assert!(count >= 115, "{count} errors are recorded");
}

/// An error is one line, a remedy another, and neither holds the words of a library.
#[test]
fn recorded_errors_have_one_form() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(SNAPSHOT);
    for block in fs::read_to_string(file).unwrap().split("\n\n") {
        let lines: Vec<&str> = block.lines().filter(|line| !line.starts_with('#')).collect();
        let errors = lines.iter().filter(|line| line.starts_with("error: ")).count();
        let helps = lines.iter().filter(|line| line.starts_with("help: ")).count();
        assert!(lines.is_empty() || (errors == 1 && helps <= 1), "{block}");
        for word in ["invalid digit", "os error", "ParseInt", "'-- ", "similar argument", "..="] {
            assert!(!block.contains(word), "'{word}': {block}");
        }
    }
}
