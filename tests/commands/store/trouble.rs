//! Unusable files: one error line, exit code 4, and no change to the file.

use crate::store::harness::{assert_fails, stderr, Folder, CALM, HOLES, PLAYERS, REFEREE};
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

const DB: &str = "match.db";

/// Returns the arguments of the match in `DB`, and `more`.
fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&PLAYERS[..], &CALM, &["--games", "20", "--seed", "7", "--concurrency", "2"], more].concat()
}

/// Creates a folder with a finished match of twenty games.
fn with_a_match(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.play(&PLAYERS, "20", DB);
    folder
}

/// Returns every command that opens a file, for `db`.
fn commands(db: &str) -> Vec<Vec<&str>> {
    vec![
        words(&["--db", db]),
        words(&["--db", db, "--resume"]),
        vec!["--resume", "--db", db],
        vec!["export", "--db", db],
        vec!["show", "0", "--db", db],
        vec!["list", "--db", db],
        vec!["verify", "--db", db],
    ]
}

#[test]
fn foreign_files_are_rejected_and_unchanged() {
    let folder = Folder::new("foreign");
    fs::write(folder.join("notes.txt"), "Buy milk.\n".repeat(200)).unwrap();
    fs::write(folder.join("short.txt"), "xy").unwrap();
    let other = Connection::open(folder.join("other.db")).unwrap();
    other.execute_batch("CREATE TABLE game (number); INSERT INTO game VALUES (1)").unwrap();
    other.close().unwrap();
    let other = Connection::open(folder.join("named.db")).unwrap();
    other.execute_batch("PRAGMA application_id = 7; CREATE TABLE match (document)").unwrap();
    other.close().unwrap();
    // An empty database, but marked by another program.
    let other = Connection::open(folder.join("claimed.db")).unwrap();
    other.execute_batch("PRAGMA user_version = 1").unwrap();
    other.close().unwrap();
    let names = folder.names();
    for name in &names {
        let before = fs::read(folder.join(name)).unwrap();
        for words in commands(name) {
            let output = folder.run(&words);
            assert_fails(&output, 4, "expected a database of Arbitre", &format!("{words:?}"));
        }
        assert!(fs::read(folder.join(name)).unwrap() == before, "{name} was changed");
    }
    assert_eq!(folder.names(), names, "no file is left beside them");
}

/// SQLite itself accepts a file of one byte as empty.
#[test]
fn a_file_of_one_byte_is_foreign_too() {
    let folder = Folder::new("one byte");
    fs::write(folder.join("x"), "x").unwrap();
    for words in commands("x") {
        let output = folder.run(&words);
        assert_fails(&output, 4, "expected a database of Arbitre", &format!("{words:?}"));
    }
    assert_eq!(fs::read(folder.join("x")).unwrap(), b"x");
}

#[test]
fn newer_format_is_rejected() {
    let folder = with_a_match("newer");
    let path = folder.join(DB);
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&4u32.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    for words in commands(DB) {
        let output = folder.run(&words);
        assert_fails(&output, 4, "expected format 3, got 4 of a newer referee", "newer");
    }
    assert!(fs::read(&path).unwrap() == bytes, "the file was changed");
}

#[test]
fn match_is_not_mixed_with_another() {
    let folder = with_a_match("another");
    let before = fs::read(folder.join(DB)).unwrap();
    let pair = ["--db", DB, "--resume", "--seed", "7", "--games", "20"];
    let with = |words: &[&'static str]| [words, &CALM, &pair].concat();
    let [first, second] = PLAYERS;
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (with(&[first, second, "--rules", "max-plies=50"]), "its list of rules"),
        (with(&[first, second, "--openings", "2"]), "its openings' source is drawn, 8 plies"),
        (words(&["--db", DB]), "it already holds a match"),
        (vec!["--resume", "--db", DB, "--games", "18"], "expected at least its 20 games"),
    ];
    for (words, part) in &cases {
        assert_fails(&folder.run(words), 4, part, &format!("{words:?}"));
    }
    let players = [&PLAYERS[..], &CALM].concat();
    let seed = ["--seed", "8", "--games", "20", "--db", DB, "--resume"];
    let output = folder.run(&[&players[..], &seed].concat());
    assert_fails(&output, 4, "its seed is 7, not 8", "seed");
    let fewer = ["--seed", "7", "--games", "10", "--db", DB, "--resume"];
    let output = folder.run(&[&players[..], &fewer].concat());
    assert_fails(&output, 4, "expected at least its 20 games", "fewer games");
    assert!(fs::read(folder.join(DB)).unwrap() == before, "the file was changed");
    assert_eq!(folder.names(), [DB]);
}

#[test]
fn longer_match_resumes_where_it_ended() {
    let (folder, whole) = (with_a_match("longer"), Folder::new("whole"));
    folder.done(&["--resume", "--db", DB, "--games", "40"]);
    whole.play(&PLAYERS, "40", DB);
    assert!(folder.exports(DB) == whole.exports(DB));
}

#[test]
fn resume_and_read_need_a_match() {
    let folder = Folder::new("nothing");
    fs::write(folder.join("empty.db"), "").unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["--resume"], "no match is stored here"),
        (&["--resume", "--db", "none.db"], "none.db: there is no such file"),
        (&["--resume", "--db", "empty.db"], "empty.db: it holds no match"),
        (&["export"], "no match is stored here"),
        (&["show", "0"], "no match is stored here"),
        (&["verify"], "no match is stored here"),
        (&["export", "--db", "none.db"], "there is no such file"),
        (&["verify", "--db", "empty.db"], "it holds no match"),
        (&["list", "--db", "empty.db"], "it holds no match"),
    ];
    for (words, part) in cases {
        // A missing file has the same code in every command.
        let code = if part.contains("it holds no match") { 4 } else { 6 };
        assert_fails(&folder.run(words), code, part, &format!("{words:?}"));
    }
    assert_eq!(folder.names(), ["empty.db"], "reading creates no file");
}

#[test]
fn empty_file_is_treated_as_absent() {
    let folder = Folder::new("empty");
    for (name, resume) in [("a.db", false), ("b.db", true)] {
        fs::write(folder.join(name), "").unwrap();
        folder.done(&words(if resume { &["--db", "b.db", "--resume"] } else { &["--db", "a.db"] }));
    }
    folder.done(&words(&["--db", "c.db"]));
    folder.done(&words(&["--db", "d.db", "--resume"]));
    let reference = folder.exports("a.db");
    for db in ["b.db", "c.db", "d.db"] {
        assert!(folder.exports(db) == reference, "{db}");
    }
}

#[test]
fn paths_that_are_not_files_are_rejected() {
    let folder = Folder::new("places");
    fs::create_dir(folder.join("sub")).unwrap();
    fs::write(folder.join("file"), "").unwrap();
    symlink("none/there", folder.join("loose")).unwrap();
    for (db, part) in [
        ("none/there.db", "there is no folder none"),
        ("sub", "sub: expected a file, got a folder"),
        ("file/x.db", "there is no folder file"),
        ("loose", "loose: it cannot be written"),
    ] {
        let code = if part.starts_with("there is no folder") { 6 } else { 4 };
        assert_fails(&folder.run(&words(&["--db", db])), code, part, db);
        let output = folder.run(&words(&["--db", db, "--resume"]));
        assert_fails(&output, code, part, &format!("{db} --resume"));
    }
    for db in ["sub", "/dev/null"] {
        let output = folder.run(&["export", "--db", db]);
        assert_fails(&output, 4, db, &format!("export {db}"));
    }
    assert_eq!(folder.names(), ["file", "loose", "sub"], "no file is left behind");
}

/// A file name is a name, even if SQLite would parse it as a URI.
#[test]
fn file_names_are_taken_literally() {
    let folder = Folder::new("names");
    for db in ["file:results.db", "file:x.db?mode=memory", "a b'\"é%20.db", "-x.db", ":memory:.db"]
    {
        let named = format!("--db={db}");
        folder.done(&words(&[&named]));
        assert!(folder.names().contains(&db.to_owned()), "{db}: {:?}", folder.names());
        folder.done(&["verify", &named]);
        folder.done(&["--resume", &named]);
    }
    assert_eq!(folder.names().len(), 5, "{:?}", folder.names());
}

/// A rejected resume changes nothing: the file could be about to move to a read-only place.
#[test]
fn rejected_resume_changes_nothing() {
    let folder = Folder::new("refused");
    folder.play(&PLAYERS, "4", "match.db");
    let before = fs::read(folder.join("match.db")).unwrap();
    for (words, code) in [
        (vec!["--resume", "--games", "8", "--require", "nobody.wins>0"], 2),
        (vec!["--resume", "--depth", "3"], 2),
        (vec!["awele", "awele random", "--resume", "--seed", "8"], 4),
        (vec!["awele", "awele random"], 4),
    ] {
        let output = folder.run(&[&words[..], &["--db", "match.db"]].concat());
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", stderr(&output));
        assert!(fs::read(folder.join("match.db")).unwrap() == before, "{words:?}");
        assert_eq!(folder.names(), ["match.db"], "{words:?}");
    }
    let output = folder.run(&["--resume", "--db", ":memory:"]);
    assert_fails(&output, 2, ":memory:, which stores nothing", "resume nothing");
}

/// A player that was absent at first does not leave a match that never ends.
#[test]
fn void_games_are_played_once_the_player_starts() {
    let folder = Folder::new("void");
    let bot = format!("#!/bin/sh\n[ -e ok ] || exit 1\nexec '{REFEREE}' bot awele random\n");
    folder.script("flaky", &bot);
    let words = ["./flaky", "awele random", "--game", "awele", "--games", "4", "--db", "match.db"];
    let output = folder.run(&[&words[..], &CALM].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(folder.done(&["export", "--db", "match.db"]), b"", "a void game is not kept");
    fs::write(folder.join("ok"), "").unwrap();
    folder.done(&[&["--resume", "--db", "match.db"], &HOLES[..]].concat());
    let games = folder.done(&["export", "--db", "match.db"]);
    assert_eq!(String::from_utf8(games).unwrap().lines().count(), 4);
    // It is the same version, so it must start again before more games are played.
    fs::remove_file(folder.join("ok")).unwrap();
    let output = folder
        .run(&[&["--resume", "--games", "6", "--db", "match.db", "--json"], &HOLES[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["games"], &document["complete"]), (&4.into(), &false.into()));
    assert!(document["players"][0]["not_started"].as_str().unwrap().contains("exit code 1"));
}

/// A stored match is completed even if its output is closed.
#[test]
fn closed_output_loses_no_game() {
    let folder = Folder::new("unread");
    let mut words = vec!["awele random", "awele random", "--games", "6", "--db", "match.db"];
    words.extend(CALM);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = folder.referee(&words).stdout(writer).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(0));
    let games = folder.done(&["export", "--db", "match.db"]);
    assert_eq!(String::from_utf8(games).unwrap().lines().count(), 6);
}

#[test]
fn file_names_that_are_not_utf8_do_not_panic() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("odd");
    folder.play(&PLAYERS, "2", "match.db");
    let odd = std::ffi::OsStr::from_bytes(b"\xff.db");
    fs::rename(folder.join("match.db"), folder.join("").join(odd)).unwrap();
    for words in [&["verify", "--json"][..], &["list", "--games"], &["export"]] {
        let output = folder.referee(words).arg("--db").arg(odd).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    }
}
