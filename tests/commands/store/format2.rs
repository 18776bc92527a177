//! Files of format 2: they are read, and continued as what they are.
//!
//! `tests/data/store/format2` holds one of each kind, and their games as the program exported them
//! that wrote them; its script `make` says how.

use crate::store::harness::{Folder, CALM};
use arbitre_test_support::command;
use flate2::read::GzDecoder;
use serde_json::Value::{self, Null};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

/// Way to continue a file.
#[derive(Clone, Copy)]
enum Continued {
    /// `--resume` with this number of games, and the number of games that it adds.
    More(&'static str, usize),
    /// The command of its tournament, which adds this number of games.
    Tournament(usize),
    /// None: its players were named in a folder that is gone.
    Nowhere,
}

/// Files by name.
const FILES: [(&str, Continued); 17] = [
    ("balanced", Continued::Tournament(0)),
    ("double-knockout", Continued::Tournament(0)),
    ("external", Continued::Nowhere),
    ("gauntlet", Continued::Tournament(0)),
    ("knockout", Continued::Tournament(0)),
    ("ladder", Continued::Tournament(0)),
    ("match", Continued::More("8", 2)),
    ("merged", Continued::More("6", 6)),
    ("round-robin", Continued::Tournament(0)),
    ("shard", Continued::More("8", 6)),
    ("solo", Continued::More("4", 2)),
    ("swiss", Continued::Tournament(0)),
    ("table", Continued::More("9", 3)),
    ("test", Continued::More("100", 0)),
    ("tested-gauntlet", Continued::Tournament(0)),
    ("unfinished", Continued::Tournament(8)),
    ("versions", Continued::Nowhere),
];

pub fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/store/format2")
}

fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let packed = fs::File::open(data().join(format!("{name}.gz"))).unwrap();
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Writes the file of this name into a folder, with the file of its tournament.
pub fn lay(folder: &Folder, name: &str) {
    let db = format!("{name}.db");
    fs::write(folder.join(&db), unpacked(&db)).unwrap();
    let toml = data().join(format!("{name}.toml"));
    if toml.exists() {
        fs::copy(toml, folder.join(&format!("{name}.toml"))).unwrap();
    }
}

/// Returns the names of all files.
pub fn names() -> Vec<&'static str> {
    FILES.iter().map(|(name, _)| *name).collect()
}

#[test]
fn every_file_has_a_row() {
    let listed: BTreeSet<String> = names().into_iter().map(str::to_owned).collect();
    let files = fs::read_dir(data()).unwrap().flatten();
    let names = files
        .filter_map(|file| file.file_name().to_str()?.strip_suffix(".db.gz").map(str::to_owned));
    assert_eq!(names.collect::<BTreeSet<_>>(), listed);
}

#[test]
fn files_are_read_and_stay_as_they_are() {
    for name in names() {
        let folder = Folder::new(&format!("format 2 {name}"));
        lay(&folder, name);
        let db = format!("{name}.db");
        let before = fs::read(folder.join(&db)).unwrap();
        let export = folder.done(&["export", "--db", &db]);
        assert!(export == unpacked(&format!("{name}.jsonl")), "{name}: its export differs");
        for words in [
            &["verify"][..],
            &["list"],
            &["list", "--games"],
            &["show", "last"],
            &["replay", "last", "--output", "game.html"],
            &["report", "--output", "report.html"],
            &["report", "--svg", "ratings"],
        ] {
            let words = [words, &["--db", &db]].concat();
            if name == "external" && words[0] == "verify" {
                let line = "the games were not repeated";
                assert!(command::stdout(&folder.run(&words)).contains(line));
                continue;
            }
            assert!(!folder.done(&words).is_empty(), "{name}: {words:?}");
        }
        assert!(fs::read(folder.join(&db)).unwrap() == before, "{name}: it was changed");
    }
}

#[test]
fn files_are_continued_as_format_2() {
    for (name, continued) in FILES {
        let folder = Folder::new(&format!("continued {name}"));
        lay(&folder, name);
        let db = format!("{name}.db");
        let before = String::from_utf8(folder.done(&["export", "--db", &db])).unwrap();
        let more = match continued {
            Continued::Nowhere => continue,
            Continued::More(games, more) => {
                folder.done(&["--resume", "--games", games, "--db", &db]);
                more
            }
            Continued::Tournament(more) => {
                let toml = format!("{name}.toml");
                let limits: &[&str] = &CALM[..3];
                folder.done(&[&["tournament", &toml, "--db", &db], limits].concat());
                more
            }
        };
        let after = String::from_utf8(folder.done(&["export", "--db", &db])).unwrap();
        let lines: BTreeSet<&str> = after.lines().collect();
        assert!(before.lines().all(|line| lines.contains(line)), "{name}: a game is gone");
        assert_eq!(after.lines().count(), before.lines().count() + more, "{name}");
        folder.done(&["verify", "--db", &db]);
        let connection = rusqlite::Connection::open(folder.join(&db)).unwrap();
        let sql = "PRAGMA user_version";
        let format: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(format, 2, "{name}");
    }
}

/// Lays a balanced file of this format without stages, as earlier versions wrote it.
fn lay_without_stages(folder: &Folder, format: u8) {
    lay(folder, "balanced");
    if format == 3 {
        folder.done(&["merge", "balanced.db", "--output", "copy.db"]);
        fs::rename(folder.join("copy.db"), folder.join("balanced.db")).unwrap();
    }
}

/// Returns the standings that a command prints as JSON.
fn standings(folder: &Folder, words: &[&str]) -> Value {
    serde_json::from_slice(&folder.done(words)).unwrap()
}

/// Earlier versions did not store the stage of a balanced tournament, which followed from all
/// players. It stays when others play.
#[test]
fn stage_of_an_old_balanced_file_stays() {
    let player = |name: &str, bot: &str| {
        format!("[[player]]\nname = \"{name}\"\ncommand = \"awele {bot}\"\n")
    };
    let [dan, eve] = ["dan", "eve"].map(|name| player(name, "random"));
    for format in [2, 3] {
        // A joiner has eight games, with one of the others each. One that changes has eight again.
        for (what, players, counted, more, stages) in [
            ("same", dan.clone(), 16, 0, 1),
            ("joins", format!("{dan}{eve}"), 24, 8, 5),
            ("joins for another one", eve.clone(), 24, 8, 5),
            ("changes", player("dan", "greedy"), 16, 8, 1),
        ] {
            let what = format!("format {format}: {what}");
            let folder = Folder::new(&format!("old balanced {what}"));
            lay_without_stages(&folder, format);
            let toml = fs::read_to_string(folder.join("balanced.toml")).unwrap();
            assert!(toml.contains(&dan));
            fs::write(folder.join("balanced.toml"), toml.replace(&dan, &players)).unwrap();
            let export = || {
                let words = ["export", "--all-versions", "--db", "balanced.db"];
                String::from_utf8(folder.done(&words)).unwrap()
            };
            let before = export().lines().count();
            let words = ["tournament", "balanced.toml", "--json", "--db", "balanced.db"];
            let first = standings(&folder, &words);
            assert_eq!((&first["games"], &first["complete"]), (&counted.into(), &true.into()));
            assert_eq!(export().lines().count(), before + more, "{what}");
            assert_eq!(standings(&folder, &words)["standings"], first["standings"], "{what}");
            let connection = rusqlite::Connection::open(folder.join("balanced.db")).unwrap();
            let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, u32>(0));
            assert_eq!(count("SELECT count(*) FROM stage"), Ok(stages), "{what}");
            folder.done(&["verify", "--db", "balanced.db"]);
        }
    }
}

/// In an old file the games of a player that did not start were left out, and not replaced.
#[test]
fn old_balanced_file_is_complete_without_a_broken_player() {
    for format in [2, 3] {
        let folder = Folder::new(&format!("old broken {format}"));
        lay_without_stages(&folder, format);
        let list =
            folder.done(&["list", "--games", "--json", "--player", "dan", "--db", "balanced.db"]);
        let games = String::from_utf8(list).unwrap();
        let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].to_string();
        let games: Vec<String> = games.lines().map(number).collect();
        let words: Vec<&str> = games.iter().map(String::as_str).collect();
        folder.done(&[&["drop", "--db", "balanced.db"][..], &words].concat());
        for (db, copy) in [("balanced.db", "copy.db"), ("copy.db", "again.db")] {
            let merged = standings(&folder, &["merge", db, "--output", copy, "--json"]);
            let results = &merged["results"];
            assert_eq!((&results["complete"], &merged["missing"]), (&true.into(), &0.into()));
            let of = |name: &str| {
                let players = results["standings"].as_array().unwrap();
                players.iter().find(|player| player["name"] == name).unwrap()
            };
            assert_eq!((&of("dan")["status"], &of("dan")["rank"]), (&"not-started".into(), &Null));
            assert_eq!([&of("ada")["games"], &of("bea")["games"]], [6, 4]);
        }
        let list = standings(&folder, &["list", "--json", "--db", "balanced.db"]);
        assert_eq!([&list["games"], &list["asked"]], [8, 8]);
    }
}
