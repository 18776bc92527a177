//! Damaged files: all damage is detected or harmless.

use crate::store::harness::{add_all, assert_fails, stderr, Folder, CALM, HOLES};
use arbitre::game::Seat;
use arbitre::internals::config::Contest;
use arbitre::internals::play::record::Record;
use arbitre::internals::play::FaultReport;
use arbitre::internals::player::fault::Fault;
use arbitre::internals::store::verify::verify;
use arbitre::internals::store::{Archive, Session, StoreError, Versions, Writer};
use arbitre::rng::Rng;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const DB: &str = "match.db";

/// Script of a bot that comments on every third move and writes to standard error. In games whose
/// seed ends in 3 its tenth move is invalid; in those whose seed ends in 7 it exits.
const TALKER: &str = r#"#!/bin/sh
while read word first rest; do
    case $word in
        seed) seed=$first; count=0 ;;
        begin) echo "ready talker" ;;
        legal) move=$first ;;
        go)
            count=$((count + 1))
            case $count$seed in 10*3) move=9 ;; 10*7) exit 3 ;; esac
            case $count in *[369]) move="$move # score $count \"so\"" ;; esac
            [ $count = 5 ] && echo "at five" >&2
            echo "$move" ;;
    esac
done
"#;

/// Creates a folder with a match that has comments, standard error and faults.
fn with_a_match(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.script("talker", TALKER);
    folder.play(&["./talker", "awele random"], "40", DB);
    folder
}

/// Complete contents of a file.
#[derive(PartialEq, Debug)]
struct Contents {
    config: Contest,
    sessions: BTreeMap<i64, Session>,
    records: Vec<Record>,
}

fn contents(path: &Path) -> Result<Contents, StoreError> {
    let archive = Archive::open(path, &arbitre::registry())?;
    let mut records = Vec::new();
    archive.for_each::<StoreError>(&archive.view(Versions::All), &mut |record, _| {
        records.push(record);
        Ok(())
    })?;
    Ok(Contents { config: archive.config().clone(), sessions: archive.sessions()?, records })
}

/// Returns `true` if the file is detected as damaged.
fn is_detected(path: &Path) -> bool {
    verify(path, &arbitre::registry()).map_or(true, |found| !found.problems.is_empty())
}

/// Overwrites 64 consecutive bytes.
fn a_burst(bytes: &mut [u8], rng: &mut Rng) {
    let start = rng.below(bytes.len() - 64);
    bytes[start..start + 64].fill_with(|| rng.next_u64() as u8);
}

/// Overwrites 64 bytes at random places.
fn a_scatter(bytes: &mut [u8], rng: &mut Rng) {
    for _ in 0..64 {
        let place = rng.below(bytes.len());
        bytes[place] = rng.next_u64() as u8;
    }
}

/// Flips one bit.
fn a_bit(bytes: &mut [u8], rng: &mut Rng) {
    let place = rng.below(bytes.len());
    bytes[place] ^= 1 << rng.below(8);
}

type Damage = fn(&mut [u8], &mut Rng);

#[test]
fn damage_is_detected_or_harmless() {
    let folder = with_a_match("damage");
    let (original, copy) = (folder.join(DB), folder.join("copy.db"));
    let bytes = fs::read(&original).unwrap();
    let whole = contents(&original).unwrap();
    assert!(!is_detected(&original));
    let plies = || whole.records.iter().flat_map(|record| &record.played.plies);
    let faults = whole.records.iter().map(|record| record.played.faults.len()).sum::<usize>();
    let comments = plies().filter(|ply| ply.comment.is_some()).count();
    let asides = plies().filter(|ply| !ply.stderr.is_empty()).count();
    assert!(faults > 2 && comments > 100 && asides > 20, "{faults}, {comments}, {asides}");
    let kinds: [(&str, Damage); 3] =
        [("64 bytes in a row", a_burst), ("64 bytes anywhere", a_scatter), ("one bit", a_bit)];
    for (kind, damage) in kinds {
        let mut detected = 0;
        for seed in 0..200 {
            let mut bytes = bytes.clone();
            damage(&mut bytes, &mut Rng::new(seed));
            // With a header that names a log, a reader may create one.
            for ending in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(folder.join(&format!("copy.db{ending}")));
            }
            fs::write(&copy, &bytes).unwrap();
            if is_detected(&copy) {
                detected += 1;
            } else {
                let read = contents(&copy).unwrap_or_else(|error| panic!("{kind} {seed}: {error}"));
                assert!(read == whole, "{kind}, seed {seed}: undetected damage");
            }
        }
        println!("{kind}: {detected} of 200 detected, {} harmless, 0 silent", 200 - detected);
        assert!(detected > 50, "{kind}: {detected}");
    }
}

/// Creates a copy of the match and changes it by SQL.
fn changed(folder: &Folder, sql: &str) -> &'static str {
    fs::copy(folder.join(DB), folder.join("copy.db")).unwrap();
    let connection = Connection::open(folder.join("copy.db")).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    "copy.db"
}

#[test]
fn changes_by_another_program_are_found() {
    let folder = with_a_match("changed");
    let cases = [
        ("DELETE FROM game WHERE number = 17", "ledger: 40 games were written, 39 are here"),
        ("DELETE FROM game", "ledger: 40 games were written, 0 are here"),
        ("UPDATE moves SET moves = moves || ' 0' WHERE number = 4", "game 4: the checksum of its"),
        ("UPDATE game SET moves = moves + 1 WHERE number = 4", "game 4: its checksum"),
        ("DELETE FROM moves WHERE number = 4", "game 4: the checksum of its moves"),
        (
            "INSERT INTO moves SELECT 99, setup, starts, seats, moves, wall, cpu, wait, comments,
          stderr, faults, notes, texts FROM moves WHERE number = 4",
            "game 99: it has only moves",
        ),
        ("UPDATE game SET number = 400 WHERE number = 4", "game 400: its checksum"),
        ("UPDATE game SET number = -1 WHERE number = 4", "its checksum does not fit"),
        ("UPDATE game SET scores = '' WHERE number = 4", "game 4: its checksum"),
        ("UPDATE game SET scores = x'00ff' WHERE number = 4", "game 4: its checksum"),
        ("UPDATE game SET session = 2", "session 2 is missing"),
        ("UPDATE game SET duration = duration + 1 WHERE number = 9", "game 9: its checksum"),
        ("UPDATE moves SET comments = '' WHERE comments <> ''", "moves does not fit"),
        ("UPDATE ledger SET digest = digest + 1", "the checksums of the games do not add up"),
        ("UPDATE ledger SET games = -40", "games were written, 40 are here"),
        ("DELETE FROM ledger", "damaged"),
        ("DELETE FROM session", "session 1 is missing"),
        ("UPDATE session SET document = '{}'", "session 1: its checksum"),
        (
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'session',
          CAST(x'ff' AS TEXT)) WHERE name = 'game'; UPDATE game SET session = 'x'",
            "invalid utf-8",
        ),
        ("DROP TABLE game", "no such table"),
        ("DROP TABLE match", "no such table"),
        ("DELETE FROM match", "damaged"),
        ("UPDATE match SET checksum = 5000000000", "damaged"),
        ("UPDATE match SET document = replace(document, '\"seed\":7', '\"seed\":8')", "the match"),
        ("UPDATE player SET name = 'x' WHERE id = 1", "player 1: its checksum"),
        ("UPDATE player SET version = 9 WHERE id = 1", "player 1: its checksum"),
        ("UPDATE version SET command = 'x' WHERE id = 2", "version 2: its checksum"),
        ("DELETE FROM version WHERE id = 2", "player 2 has no version"),
        ("DELETE FROM player", "fewer players than seats"),
    ];
    for (sql, part) in cases {
        let db = changed(&folder, sql);
        let told = match verify(&folder.join(db), &arbitre::registry()) {
            Ok(found) => found.problems.join("\n"),
            Err(error) => error.to_string(),
        };
        assert!(told.contains(part), "{sql}: no '{part}' in: {told}");
    }
}

/// Only a replay detects a forged record whose checksums are correct.
#[test]
fn forged_record_is_found_by_replay() {
    let folder = with_a_match("made up");
    let whole = contents(&folder.join(DB)).unwrap();
    let calm = |record: &&Record| record.played.faults.is_empty();
    let number = whole.records.iter().position(|record| calm(&record)).unwrap();
    let faulty = whole.records.iter().position(|record| !calm(&record)).unwrap();
    let forged = |number: usize, forge: &dyn Fn(&mut Record)| {
        let mut records = whole.records.clone();
        forge(&mut records[number]);
        let path = folder.join("forged.db");
        let _ = fs::remove_file(&path);
        let mut writer =
            Writer::create(&path, &whole.config, "a forger", &arbitre::registry()).unwrap();
        writer.begin_session(whole.sessions[&1].clone(), false).unwrap();
        add_all(&mut writer, &records);
        drop(writer);
        verify(&path, &arbitre::registry()).unwrap().problems.join("\n")
    };
    assert_eq!(forged(number, &|_| {}), "", "an unchanged match has no problems");
    type Forge = fn(&mut Record);
    let cases: [(usize, Forge, &str); 9] = [
        (number, |record| record.played.plies[20].mv = "6".into(), "seat 0 said '6'"),
        (number, |record| drop(record.played.plies.remove(10)), "played again"),
        (number, |record| drop(record.played.plies.pop()), "played again"),
        (number, |record| record.played.plies[6].seat = Seat::new(1), "played again"),
        (number, |record| record.played.outcome.as_mut().unwrap().scores[0] += 1, "it ends with"),
        (number, |record| legal_move_called_illegal(record), "played again"),
        (number, |record| record.setup = "opening 0 0".into(), "it starts from"),
        (faulty, |record| record.played.faults.clear(), "played again"),
        (faulty, |record| record.played.faults[0].ply -= 1, "played again"),
    ];
    for (number, forge, part) in cases {
        let told = forged(number, &forge);
        let expected = format!("game {number}: ");
        assert!(told.starts_with(&expected) && told.contains(part), "no '{part}' in: '{told}'");
    }
}

/// Ends the game early, with a legal move recorded as an illegal one.
fn legal_move_called_illegal(record: &mut Record) {
    let last = record.played.plies.pop().unwrap();
    let fault = Fault::illegal(&last.mv, "it is not");
    let (position, legal) = (String::new(), Vec::new());
    let (seat, ply, stderr) = (last.seat, record.played.plies.len(), String::new());
    record.played.faults.push(FaultReport {
        seat,
        fault,
        ply,
        position,
        legal,
        stderr,
        refused: None,
    });
}

/// Chance cannot produce rows with a correct checksum and bad contents, yet they must not cause a
/// panic.
#[test]
fn missing_score_does_not_panic() {
    let folder = with_a_match("short");
    let whole = contents(&folder.join(DB)).unwrap();
    let mut writer = Writer::in_memory(&whole.config, &arbitre::registry()).unwrap();
    let mut record = whole.records[0].clone();
    record.played.outcome.as_mut().unwrap().scores.truncate(1);
    writer.add(&record).unwrap();
    let read = writer.archive().game(0, &writer.archive().view(Versions::All));
    assert!(
        read.is_err_and(|error| error.to_string().contains("its scores cannot be read")),
        "a table of two has two scores"
    );
}

#[test]
fn damaged_file_gives_one_line_and_an_exit_code() {
    let folder = with_a_match("program");
    let resume = [&["./talker", "awele random"][..], &CALM, &["--games=40", "--seed=7"]].concat();
    let resume = [&resume[..], &["--db=copy.db", "--resume"]].concat();
    let commands = |show: &'static str| -> Vec<Vec<&str>> {
        vec![
            vec!["export", "--db", "copy.db"],
            vec!["export", "--db", "copy.db", "--format", "pgn", "--times"],
            vec!["list", "--db", "copy.db"],
            vec!["list", "--db", "copy.db", "--faults", "--json"],
            vec!["show", show, "--db", "copy.db"],
            [&["--resume", "--db", "copy.db"], &HOLES[..]].concat(),
            resume.clone(),
        ]
    };
    let check = |what: &str, verified: i32, parts: [&str; 2]| {
        for words in commands("4") {
            assert_fails(&folder.run(&words), 4, parts[0], &format!("{what}: {words:?}"));
        }
        let output = folder.run(&["verify", "--db", "copy.db"]);
        assert_fails(&output, verified, parts[1], &format!("{what}: verify"));
    };
    changed(&folder, "UPDATE game SET scores = substr(scores, 2) WHERE number = 4");
    check("a score", 1, ["copy.db: it is damaged: game 4: its checksum", "1 problem in 40 games"]);
    changed(&folder, "UPDATE match SET checksum = 1");
    check("the match", 4, ["it is damaged: the match", "it is damaged: the match"]);
    changed(&folder, "DROP TABLE game");
    check("no games", 1, ["no such table", "0 games"]);
    let bytes = fs::read(folder.join(DB)).unwrap();
    fs::write(folder.join("copy.db"), &bytes[..bytes.len() / 2]).unwrap();
    check("half a file", 4, ["it is damaged: ", "it is damaged: "]);
    let mut noise = bytes.clone();
    noise[4096..].fill(0xa5);
    fs::write(folder.join("copy.db"), &noise).unwrap();
    check("noise", 4, ["it is damaged: ", "it is damaged: "]);
}

#[test]
fn missing_game_is_detected() {
    let folder = with_a_match("missing");
    let db = changed(&folder, "DELETE FROM game WHERE number = 17");
    let output = folder.run(&["verify", "--db", db]);
    assert_fails(&output, 1, "2 problems in 39 games", "verify");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("40 games were written, 39 are here"), "{told}{}", stderr(&output));
    let output = folder.run(&["export", "--db", db]);
    assert_fails(&output, 4, "it is damaged: games are missing", "export");
    let output = folder.run(&["list", "--db", db]);
    assert_fails(&output, 4, "it is damaged: games are missing", "list");
    // A match that is resumed plays it again, and is whole.
    let output = folder.run(&[&["--resume", "--db", db], &HOLES[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("another program removed 1 game; resuming"),
        "{}",
        stderr(&output)
    );
    assert!(!is_detected(&folder.join(db)));
    assert!(folder.exports(db) == folder.exports(DB));
}

#[test]
fn one_damaged_match_does_not_hide_the_others() {
    let folder = Folder::new("others");
    let random = ["awele random", "awele random"];
    for seed in ["1", "2"] {
        folder.done(&[&random[..], &CALM, &["--games", "2", "--seed", seed]].concat());
    }
    let stored = fs::read_dir(folder.join(".arbitre")).unwrap().flatten();
    let mut stored: Vec<_> = stored.map(|entry| entry.path()).collect();
    stored.retain(|path| path.extension().is_some_and(|ending| ending == "db"));
    stored.sort_unstable();
    assert_eq!(stored.len(), 2);
    fs::write(&stored[0], "x".repeat(5000)).unwrap();
    let output = folder.run(&["list", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    let warning = stderr(&output);
    assert!(warning.starts_with("warning: ") && warning.lines().count() == 1, "{warning}");
    assert!(warning.contains("expected a database of Arbitre"), "{warning}");
}
