//! A folder with a tournament, and programs that play in it.

use arbitre_test_support::command::{self, stderr};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{id, Command, Output, Stdio};

pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");
/// Limits so generous that the load of the machine changes no game.
pub const CALM: &str = "move-time = \"60s\"\nfirst-move-time = \"60s\"\ninit-time = \"60s\"\n";
/// Players of different strength that ignore the clock.
pub const PLAYERS: [(&str, &str); 6] = [
    ("ada", "awele alpha-beta --depth 3"),
    ("bea", "awele alpha-beta --depth 2"),
    ("cleo", "awele alpha-beta --depth 1"),
    ("dan", "awele greedy"),
    ("eve", "awele random"),
    ("finn", "awele random"),
];

/// Folder of a tournament, removed at the end of its test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = command::scratch().join(format!("tournament {name} {}", id()));
        let path = command::cleared(path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file of this folder.
    pub fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes an executable file of this folder.
    pub fn program(&self, name: &str, text: &str) {
        self.file(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Writes the file `cup.toml` of a tournament of these players.
    pub fn cup(&self, settings: &str, players: &[(&str, &str)]) {
        let players = players.iter().map(|(name, command)| {
            format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n")
        });
        let players: String = players.collect();
        let text = format!("[tournament]\ngame = \"awele\"\nseed = 7\n{CALM}{settings}\n{players}");
        self.file("cup.toml", &text);
    }

    pub fn referee(&self, words: &[&str]) -> Command {
        let mut command = Command::new(REFEREE);
        command.args(words).stdin(Stdio::null()).current_dir(&self.0);
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.referee(words).output().unwrap()
    }

    /// Runs a command that must succeed, and returns its output.
    #[track_caller]
    pub fn done(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Plays the tournament of `cup.toml`, and returns its standings without times.
    #[track_caller]
    pub fn standings(&self, more: &[&str]) -> Value {
        let words = [&["tournament", "cup.toml", "--json"], more].concat();
        let mut standings: Value = serde_json::from_str(&self.done(&words)).unwrap();
        for player in standings["standings"].as_array_mut().unwrap() {
            player["ms_per_move"].take();
        }
        standings
    }

    /// Plays until `events` games are stored, and kills the referee.
    pub fn interrupted(&self, more: &[&str], events: usize) {
        let words = [&["tournament", "cup.toml", "--events"], more].concat();
        let mut referee = self.referee(&words);
        let mut child = referee.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let count = output.lines().map_while(Result::ok).take(events).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(count, events, "{words:?} ended before");
    }

    /// Exports all games of `cup.toml`.
    pub fn export(&self) -> String {
        self.done(&["export", "--db", ".arbitre/tournament-cup.toml.db"])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the names of the standings in their order.
pub fn names(standings: &Value) -> Vec<&str> {
    let players = standings["standings"].as_array().unwrap();
    players.iter().map(|player| player["name"].as_str().unwrap()).collect()
}

/// Returns a player of the standings.
pub fn player<'a>(standings: &'a Value, name: &str) -> &'a Value {
    let players = standings["standings"].as_array().unwrap();
    players.iter().find(|player| player["name"] == name).unwrap()
}
