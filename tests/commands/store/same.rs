//! Exports are deterministic: the same match gives the same bytes.

use crate::store::harness::{assert_fails, Folder, CALM, FORMATS, PLAYERS, REFEREE};
use std::fs;

const GAMES: &str = "60";

fn exports(folder: &Folder, players: &[&str; 2], concurrency: &str) -> [Vec<u8>; 3] {
    let db = format!("{concurrency}.db");
    let more = ["--game=awele", "--seed=7", "--games", GAMES, "--concurrency", concurrency];
    folder.done(&[&players[..], &CALM, &more, &["--db", &db]].concat());
    folder.exports(&db)
}

/// Returns a bundled bot without the word `again`, so that each game has a fresh process.
fn fresh(name: &str, arguments: &str) -> String {
    let script = format!("exec \"$0\" bot {arguments} | sed -u s/again//");
    format!("{name}=sh -c '{script}' '{REFEREE}'")
}

#[test]
fn exports_are_the_same_bytes_at_any_concurrency() {
    let folder = Folder::new("concurrency");
    let reference = exports(&folder, &PLAYERS, "1");
    assert_eq!(reference[0].iter().filter(|&&byte| byte == b'\n').count(), 60);
    for concurrency in ["2", "8"] {
        assert!(exports(&folder, &PLAYERS, concurrency) == reference, "{concurrency} at once");
    }
}

/// Returns exports without the versions of the players: a script that starts a bot is another
/// program than the bot.
fn without_versions(exports: &[Vec<u8>; 3]) -> [String; 3] {
    let texts = exports.each_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let game: serde_json::Value = serde_json::from_str(texts[0].lines().next().unwrap()).unwrap();
    let versions: Vec<&str> =
        game["versions"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    texts.each_ref().map(|text| versions.iter().fold(text.clone(), |text, v| text.replace(v, "?")))
}

#[test]
fn exports_are_the_same_bytes_for_kept_and_fresh_processes() {
    let (kept, new) = (Folder::new("kept"), Folder::new("fresh"));
    let [strong, weak] = PLAYERS;
    let players = [format!("a={strong}"), format!("b={weak}")];
    let reference = exports(&kept, &[&players[0], &players[1]], "2");
    let players = [fresh("a", strong), fresh("b", weak)];
    let others = exports(&new, &[&players[0], &players[1]], "2");
    assert!(without_versions(&reference) == without_versions(&others));
    let is_fresh = |folder: &Folder| {
        let sent = folder.done(&["show", "59", "--db", "2.db", "--input", "0"]);
        sent.starts_with(b"arbitre ")
    };
    assert_eq!([is_fresh(&kept), is_fresh(&new)], [false, true], "one of them was kept");
}

/// An export to a file is all or nothing.
#[test]
fn exported_file_appears_only_once_it_is_complete() {
    let folder = Folder::new("output");
    folder.play(&PLAYERS, "20", "match.db");
    for (format, expected) in FORMATS.iter().zip(folder.exports("match.db")) {
        let words = ["export", "--db", "match.db", "--format", format, "--output", "games"];
        assert_eq!(folder.done(&words), b"");
        assert!(fs::read(folder.join("games")).unwrap() == expected, "{format}");
        assert_eq!(folder.names(), ["games", "match.db"]);
    }
    let before = fs::read(folder.join("games")).unwrap();
    let connection = rusqlite::Connection::open(folder.join("match.db")).unwrap();
    connection.execute("UPDATE game SET scores = '' WHERE number = 11", []).unwrap();
    drop(connection);
    let words = ["export", "--db", "match.db", "--output", "games"];
    assert_fails(&folder.run(&words), 4, "game 11: its checksum", "a damaged match");
    assert!(fs::read(folder.join("games")).unwrap() == before, "the earlier file is unchanged");
    assert_eq!(folder.names(), ["games", "match.db"]);
    let words = ["export", "--db", "match.db", "--output", "none/games"];
    assert_fails(&folder.run(&words), 4, "none/games: it cannot be written", "no folder");
}
