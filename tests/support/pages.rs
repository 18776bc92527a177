//! Pages of matches, written by the programs of this build.

use crate::command::{run, script, stderr, stdout};
use base64::prelude::{Engine, BASE64_STANDARD};
use flate2::read::DeflateDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Markup, formulas, and characters that turn the writing direction, as the name of a player.
pub const HOSTILE: &str = "=1+1<img src=x onerror=alert(1)>\"'&\u{202e}|";

/// Plays a match with a player of that name, whose moves, comments and standard error are like it.
/// Returns the path of its file.
pub fn hostile_match(folder: &Path) -> String {
    let bot = "#!/bin/sh\nwhile read w r; do case $w in legal) m=${r%% *};; \
               begin) echo 'ready <b>';; \
               go) n=$((n+1)); printf '%065000d' 0 | tr 0 '<' >&2; \
               printf '</script>\\033[31m\\r\\n' >&2; if [ $n = 9 ]; then \
               printf '<script>alert(2)</script>\\033[2J\\n'; else \
               echo \"$m # </script><script>alert(1)</script> =cmd() \u{202e}\"; fi;; esac; done";
    let program = script(folder, HOSTILE, bot).to_string_lossy().into_owned();
    let player = format!("'{}'", program.replace('\'', "'\\''"));
    let words = ["awele random", "--games", "4", "--move-time", "30s", "--seed", "3"];
    played(folder, &[&[&player[..]], &words[..]].concat())
}

/// Plays a match into a new file in `folder`, and returns its path.
pub fn played(folder: &Path, words: &[&str]) -> String {
    let db = folder.join("match.db").to_string_lossy().into_owned();
    crate::command::remove_results(&db);
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

/// Returns the text between two parts of a page.
pub fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    page.split_once(before).unwrap().1.split_once(after).unwrap().0
}

/// Returns the document in a page.
pub fn document(page: &str) -> Value {
    unpacked(between(page, "id=\"data\">", "</script>").trim())
}

/// Returns a document that is deflated, in letters.
pub fn unpacked(letters: &str) -> Value {
    let data = BASE64_STANDARD.decode(letters).unwrap();
    let mut text = String::new();
    DeflateDecoder::new(&data[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}
