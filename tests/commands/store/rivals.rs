//! Several referees with one file: one writes, all read.

use crate::store::harness::{assert_fails, game_of, stderr, Folder, GameTable, CALM, HOLES};
use arbitre::internals::store::verify::verify;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{ChildStdout, Stdio};

const DB: &str = "match.db";

/// Script of a bot that plays the first legal move. From the third game on, which is its fourth
/// start after a trial, it waits for a file `open`.
const GATED: &str = r#"#!/bin/sh
echo >>begun
while read word first rest; do
    case $word in
        begin) echo "ready gated" ;;
        legal) move=$first ;;
        go)
            while [ "$(wc -l <begun)" -gt 3 ] && [ ! -e open ]; do
                sleep 0.05
            done
            echo "$move" ;;
    esac
done
"#;

fn words() -> Vec<&'static str> {
    let more = ["--games", "6", "--seed", "7", "--concurrency", "1", "--events", "--db", DB];
    [&["./gated", "awele random"][..], &CALM, &more].concat()
}

/// Starts a match: two games are stored, and the third ends only after `open_gate`.
fn begun(name: &str) -> (Folder, GameTable, BufReader<ChildStdout>) {
    let folder = Folder::new(name);
    folder.script("gated", GATED);
    let mut referee = folder.referee(&words());
    let child = referee.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut referee = GameTable(child.expect("the referee can be started"));
    let mut output = BufReader::new(referee.0.stdout.take().expect("it is piped"));
    for game in 0..2 {
        let mut line = String::new();
        output.read_line(&mut line).expect("it prints");
        assert_eq!(game_of(&line), Some(game));
    }
    (folder, referee, output)
}

fn open_gate(folder: &Folder) {
    fs::write(folder.join("open"), "").expect("the folder is writable");
}

fn assert_whole(folder: &Folder) {
    let found = verify(&folder.join(DB), &arbitre::registry()).expect("it is a match");
    assert_eq!((found.games, found.problems), (6, Vec::new()));
}

#[test]
fn second_referee_gets_the_pid_of_the_holder() {
    let (folder, mut first, mut output) = begun("second");
    let holder = format!("the referee with pid {} on ", first.0.id());
    let (same, alone) = ([&words()[..], &["--resume"]].concat(), ["--resume", "--db", DB]);
    for words in [&words()[..], &same, &alone] {
        assert_fails(&folder.run(words), 4, &holder, &format!("{words:?}"));
    }
    open_gate(&folder);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    let games: Vec<Option<u64>> = rest.lines().map(game_of).collect();
    assert_eq!(games, [Some(2), Some(3), Some(4), Some(5)], "the first one is not disturbed");
    assert_eq!(first.0.wait().unwrap().code(), Some(0));
    assert_whole(&folder);
}

#[test]
fn killed_referee_does_not_hold_the_file() {
    let (folder, mut first, _output) = begun("killed");
    first.kill();
    assert!(folder.join("match.db.lock").exists(), "a killed referee leaves its lock file");
    open_gate(&folder);
    folder.done(&[&["--resume", "--db", DB], &HOLES[..]].concat());
    assert!(!folder.join("match.db.lock").exists());
    assert_whole(&folder);
}

#[test]
fn readers_work_while_a_referee_writes() {
    let (folder, mut first, output) = begun("readers");
    let lines = |words: &[&str]| {
        let text = String::from_utf8(folder.done(words)).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(lines(&["list", "--db", DB, "--games", "--json"]).len(), 2);
    assert_eq!(lines(&["export", "--db", DB]).len(), 2);
    assert_eq!(lines(&["export", "--db", DB, "--format", "csv"]).len(), 3);
    assert!(lines(&["show", "1", "--db", DB, "--brief"]).len() > 2);
    assert!(lines(&["verify", "--db", DB])[0].contains("2 games, all as they were"));
    let missing = folder.run(&["show", "2", "--db", DB]);
    assert_fails(&missing, 2, "expected one of its 2 games, from 0 to 1, got 2", "show 2");
    open_gate(&folder);
    drop(output);
    assert_eq!(first.0.wait().unwrap().code(), Some(0), "a closed output is not a failure");
}

#[test]
fn referees_that_start_at_once_play_every_game_once() {
    let folder = Folder::new("crowd");
    let more = ["--games", "60", "--seed", "7", "--db", DB, "--resume", "--events"];
    let words = [&["awele random", "awele random"][..], &CALM, &more].concat();
    let start = |_| {
        let mut referee = folder.referee(&words);
        referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let crowd: Vec<_> = (0..6).map(start).collect();
    let mut played = Vec::new();
    for referee in crowd {
        let output = referee.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => played.extend(String::from_utf8_lossy(&output.stdout).lines().map(game_of)),
            _ => assert_fails(&output, 4, "holds it", &stderr(&output)),
        }
    }
    played.sort_unstable();
    assert_eq!(played, (0..60).map(Some).collect::<Vec<_>>());
    let found = verify(&folder.join(DB), &arbitre::registry()).unwrap();
    assert_eq!((found.games, found.problems), (60, Vec::new()));
}

/// Another name of the same file does not avoid the lock.
#[test]
fn link_to_a_file_shares_its_lock() {
    let (folder, mut first, _output) = begun("linked");
    std::os::unix::fs::symlink(DB, folder.join("link.db")).unwrap();
    let second = folder.run(&["--resume", "--db", "link.db"]);
    assert_fails(&second, 4, "the referee with pid", "by a link");
    fs::hard_link(folder.join(DB), folder.join("second.db")).unwrap();
    let second = folder.run(&["--resume", "--db", "second.db"]);
    assert_fails(&second, 4, "another referee holds it", "by another name");
    assert!(!folder.join("second.db.lock").exists());
    first.kill();
}

/// Data written to a deleted file is lost, so the match is not reported as kept.
#[test]
fn removed_file_is_detected() {
    for away in ["removed", "moved off"] {
        let (folder, mut first, _output) = begun(away);
        match away {
            "removed" => fs::remove_file(folder.join(DB)).unwrap(),
            _ => fs::rename(folder.join(DB), folder.join("elsewhere.db")).unwrap(),
        }
        open_gate(&folder);
        assert_eq!(first.0.wait().unwrap().code(), Some(4), "{away}");
    }
}
