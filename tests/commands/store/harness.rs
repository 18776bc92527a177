//! Helpers of these tests: a folder per test, matches that any machine load leaves unchanged, and
//! the one-line error.

use arbitre::internals::play::record::Record;
use arbitre::internals::store::Writer;
use std::fs;
use std::path::PathBuf;
use std::process::{id, Child, Command, Output, Stdio};

use arbitre_test_support::command;
pub use arbitre_test_support::command::stderr;

/// Path of the referee.
pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Deterministic players that never play the same game twice.
pub const PLAYERS: [&str; 2] = ["awele alpha-beta --depth 2", "awele random"];
/// Limits so generous that the load of the machine changes no game.
pub const CALM: [&str; 8] = [
    "--move-time=60s",
    "--first-move-time=60s",
    "--init-time=60s",
    // Scripts of these tests leave files in their folder, and execute the referee.
    "--allow-write",
    ".",
    "--allow-read",
    REFEREE,
    "--profile=mine",
];
/// Holes of [`CALM`], which a command types again that resumes programs as they are stored.
pub const HOLES: [&str; 4] = [CALM[3], CALM[4], CALM[5], CALM[6]];
/// Export formats.
pub const FORMATS: [&str; 3] = ["jsonl", "csv", "pgn"];

/// A folder that is removed after the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = command::scratch().join(format!("store {name} {}", id()));
        let path = command::cleared(path);
        fs::create_dir_all(&path).expect("cargo's folder is writable");
        Folder(path)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Creates a command that runs the referee in this folder.
    pub fn referee(&self, words: &[&str]) -> Command {
        let mut command = Command::new(REFEREE);
        command.args(words).stdin(Stdio::null()).current_dir(&self.0);
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.referee(words).output().expect("the referee can be started")
    }

    /// Runs a command that must succeed, and returns its output.
    pub fn done(&self, words: &[&str]) -> Vec<u8> {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        output.stdout
    }

    /// Plays `games` games of `players` into the file `db`.
    pub fn play(&self, players: &[&str], games: &str, db: &str) {
        let more = ["--seed", "7", "--concurrency", "2", "--games", games, "--db", db];
        self.done(&[players, &CALM[..], &more[..]].concat());
    }

    /// Exports a file in all formats.
    pub fn exports(&self, db: &str) -> [Vec<u8>; 3] {
        FORMATS.map(|format| self.done(&["export", "--db", db, "--format", format]))
    }

    /// Writes a bot as a script.
    pub fn script(&self, name: &str, text: &str) {
        command::script(&self.0, name, text);
    }

    /// Returns the names of the files in this folder.
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

/// A program that is killed after its test.
pub struct GameTable(pub Child);

impl GameTable {
    /// Kills the program abruptly, like a power cut, and waits for its end.
    pub fn kill(&mut self) {
        self.0.kill().expect("the child can be killed");
        self.0.wait().expect("the child can be waited for");
    }
}

impl Drop for GameTable {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Adds records to a store.
pub fn add_all(writer: &mut Writer, records: &[Record]) {
    for record in records {
        writer.add(record).expect("there is room");
    }
}

/// Checks that a command failed with `code` and one line that contains `part`, after the names of
/// stored programs.
pub fn assert_fails(output: &Output, code: i32, part: &str, what: &str) {
    let text = stderr(output);
    let names = |line: &&str| line.ends_with(" which start now:\n") || line.starts_with("  ");
    let text: String = text.split_inclusive('\n').skip_while(names).collect();
    assert_eq!(output.status.code(), Some(code), "{what}: {text}");
    assert_eq!(
        text.lines().filter(|line| !line.starts_with("help: ")).count(),
        1,
        "{what}: {text}"
    );
    assert!(text.starts_with("error: ") && text.contains(part), "{what}: no '{part}' in: {text}");
}

/// Returns the games acknowledged by complete lines of `--events`.
pub fn acknowledged(printed: &str) -> Vec<u64> {
    let whole = printed.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.filter_map(game_of).collect()
}

/// Returns the game of an event in a match of two: its index in the order of the schedule, whatever
/// its number is.
pub fn game_of(line: &str) -> Option<u64> {
    let event: serde_json::Value = serde_json::from_str(line).expect("an event is JSON");
    (event["event"] == "game").then(|| index_of(&event))
}

/// Returns the index of a game in the order of the schedule, in a match of two.
pub fn index_of(game: &serde_json::Value) -> u64 {
    let [round, rotation] = ["round", "rotation"].map(|key| game[key].as_u64().expect("a number"));
    2 * round + rotation
}
