//! What all of these tests share: a folder each, matches that go the same way under any load, and
//! the one clear line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{id, Child, Command, Output, Stdio};

/// The referee's program.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Deterministic players, no two of whose games are alike.
pub const PLAYERS: [&str; 2] = ["awele alpha-beta --depth 2", "awele random"];
/// Limits so wide that no load of the machine changes a game.
pub const CALM: [&str; 6] =
    ["--move-time", "60s", "--first-move-time", "60s", "--init-time", "60s"];
/// The ways to export.
pub const FORMATS: [&str; 3] = ["jsonl", "csv", "pgn"];

/// A folder that goes away with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = arbitre_test_support::command::scratch().join(format!("store {name} {}", id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("cargo's folder can be written");
        Folder(path)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The referee, run from here.
    pub fn referee(&self, words: &[&str]) -> Command {
        let mut command = Command::new(REFEREE);
        command.args(words).stdin(Stdio::null()).current_dir(&self.0);
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.referee(words).output().expect("the referee can be started")
    }

    /// Runs what must succeed, and returns what it prints.
    pub fn done(&self, words: &[&str]) -> Vec<u8> {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        output.stdout
    }

    /// Plays these players' games into this file.
    pub fn play(&self, players: &[&str], games: &str, db: &str) {
        let more = ["--seed", "7", "--concurrency", "2", "--games", games, "--db", db];
        self.done(&[players, &CALM[..], &more[..]].concat());
    }

    /// A file in all formats.
    pub fn exports(&self, db: &str) -> [Vec<u8>; 3] {
        FORMATS.map(|format| self.done(&["export", "--db", db, "--format", format]))
    }

    /// A bot as a script.
    pub fn script(&self, name: &str, text: &str) {
        let path = self.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The names of what lies here.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into()).collect();
        names.sort_unstable();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program that does not outlive its test.
pub struct GameTable(pub Child);

impl GameTable {
    /// Kills it as a power cut would, and waits until it is gone.
    pub fn kill(&mut self) {
        self.0.kill().expect("it is ours");
        self.0.wait().expect("it is ours");
    }
}

impl Drop for GameTable {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The one clear line that a failure is, with this in it.
pub fn assert_fails(output: &Output, code: i32, part: &str, what: &str) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{what}: {text}");
    assert_eq!(text.lines().count(), 1, "{what}: {text}");
    assert!(text.starts_with("error: ") && text.contains(part), "{what}: no '{part}' in: {text}");
}

/// The games that were acknowledged by whole lines of `--events`.
pub fn acknowledged(printed: &str) -> Vec<u64> {
    let whole = printed.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.filter_map(game_of).collect()
}

/// The game of an event.
pub fn game_of(line: &str) -> Option<u64> {
    let event: serde_json::Value = serde_json::from_str(line).expect("an event is JSON");
    (event["event"] == "game").then(|| event["game"].as_u64().expect("a game has a number"))
}
