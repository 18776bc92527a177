//! Pages of matches, written by the programs of this build.

use crate::command::{run, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};

/// Plays a match into a new file in `folder`, and returns its path.
pub fn played(folder: &Path, words: &[&str]) -> String {
    let db = folder.join("match.db").to_string_lossy().into_owned();
    let _ = fs::remove_file(&db);
    let output = run(&[words, &["--db", &db]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    db
}

/// Writes the page of a match into `folder`, and returns its path.
pub fn report(folder: &Path, words: &[&str]) -> PathBuf {
    written(folder.join("report.html"), &[&["report"], words].concat())
}

/// Writes the page of a game into `folder`, and returns its path.
pub fn replay(folder: &Path, words: &[&str]) -> PathBuf {
    written(folder.join("game.html"), &[&["replay"], words].concat())
}

fn written(page: PathBuf, words: &[&str]) -> PathBuf {
    let path = page.to_string_lossy().into_owned();
    let output = run(&[words, &["--output", &path]].concat());
    assert_eq!(stdout(&output), format!("{path}\n"), "{}", stderr(&output));
    page
}
