//! Files of format 2: they are read, and continued as what they are.
//!
//! `tests/data/store/format2` holds one of each kind, and their games as the program exported them
//! that wrote them; its script `make` says how.

use crate::harness::{Folder, CALM};
use arbitre_test_support::command;
use flate2::read::GzDecoder;
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
