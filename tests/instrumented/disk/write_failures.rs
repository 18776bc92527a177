//! Every write of a match fails once, for lack of space or for an error of the disk: no
//! acknowledged game is lost, none is there twice, and the match goes on once the disk is mended.
//!
//! `WRITE_POINTS=500 cargo test --test instrumented write_failures` tries 500 writes of each kind.

use super::failing_disk::{FailingDisk, Trouble, MARK};
use arbitre::game::{Outcome, Seat};
use arbitre::internals::config::format::FormatConfig;
use arbitre::internals::config::{Contest, OpeningSource, PlayerConfig, Seeding, Source};
use arbitre::internals::play::record::Record;
use arbitre::internals::play::{PlayedGame, Ply};
use arbitre::internals::store::{Archive, Session, StoreError, Versions, Writer};
use arbitre_process::launcher::layers::Level;
use arbitre_process::stopwatch::AnswerTime;
use arbitre_test_support::command;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

const GAMES: u64 = 60;

fn config() -> Contest {
    let player = |name: &str| PlayerConfig { name: name.into(), ..PlayerConfig::default() };
    Contest {
        game: "awele".into(),
        rules: String::new(),
        external: None,
        seats: 2,
        games: GAMES,
        seed: 1,
        openings: OpeningSource::Drawn(0),
        players: vec![player("a"), player("b")],
        format: FormatConfig::RoundRobin,
        sprt: None,
        adjudication: None,
        shard: None,
        seeding: Seeding::default(),
        source: Source::Words,
    }
}

/// Returns games of a hundred moves.
fn records() -> Vec<Record> {
    let ply = |number: usize| Ply {
        seat: Seat::new(number % 2),
        mv: (number % 6).to_string(),
        spent: Duration::from_micros(700),
        time: AnswerTime::of_wall(Duration::from_micros(700)),
        comment: None,
        stderr: String::new(),
    };
    let outcome = Outcome { scores: vec![26, 20], out: Vec::new(), lower_is_better: false };
    let played = PlayedGame {
        outcome: Some(outcome),
        plies: (0..100).map(ply).collect(),
        ..PlayedGame::not_started(2, Vec::new())
    };
    let record = |pairing| Record {
        number: None,
        pairing,
        setup: "opening 1 2".into(),
        played: played.clone(),
        duration: Duration::from_millis(70),
        sandbox: Level::None,
    };
    config().schedule().pairings().map(record).collect()
}

/// Opens the match as the referee does with `--resume`.
fn open(path: &Path) -> Result<Writer, StoreError> {
    let registry = arbitre::registry();
    let resumed = if path.exists() { Writer::resume(path, "a test", &registry)? } else { None };
    let mut writer = match resumed {
        Some(writer) => writer,
        None => Writer::create(path, &config(), "a test", &registry)?,
    };
    writer.begin_session(Session { begun: 0, referee: String::new(), machine: None }, false)?;
    Ok(writer)
}

/// Adds the games that `stored` lacks, with their numbers, until one cannot be stored.
fn play(
    path: &Path,
    records: &[Record],
    stored: &mut BTreeMap<u64, Record>,
) -> Result<(), StoreError> {
    let mut writer = open(path)?;
    for record in records {
        if !stored.values().any(|known| known.pairing == record.pairing) {
            let number = writer.add(record)?;
            let record = Record { number, ..record.clone() };
            assert_eq!(stored.insert(number.expect("it is finished"), record), None);
        }
    }
    Ok(())
}

/// Returns the stored games by number.
fn read(path: &Path) -> Result<BTreeMap<u64, Record>, StoreError> {
    let archive = Archive::open(path, &arbitre::registry())?;
    let mut games = BTreeMap::new();
    archive.for_each::<StoreError>(&archive.view(Versions::All), &mut |record, _| {
        games.insert(record.number.expect("it is stored"), record);
        Ok(())
    })?;
    Ok(games)
}

#[test]
fn no_write_that_fails_loses_a_game() {
    let points: i64 =
        std::env::var("WRITE_POINTS").map_or(60, |text| text.parse().expect("a number"));
    let (disk, records) = (FailingDisk::new(), records());
    let folder = command::cleared(command::scratch().join(MARK));
    fs::create_dir_all(&folder).unwrap();
    for trouble in [Trouble::Full, Trouble::Broken] {
        for lasts in [false, true] {
            let mut failed = 0;
            for point in 0..points {
                // With few points, they are spread over the writes of the whole match.
                let after = if points < 500 { point * 500 / points } else { point };
                let what = format!("{trouble:?} after {after} writes, lasts {lasts}");
                let path = folder.join(format!("{trouble:?} {lasts} {point}.db"));
                let mut acknowledged = BTreeMap::new();
                disk.fail_after(after, trouble, lasts);
                let ended = play(&path, &records, &mut acknowledged);
                failed += u32::from(disk.mend());
                if lasts {
                    assert!(ended.is_err() || acknowledged.len() == records.len(), "{what}");
                }
                // A game that was not acknowledged may be there: its commit failed at its end.
                let kept = match read(&path) {
                    Ok(kept) => kept,
                    Err(error) => {
                        assert!(acknowledged.is_empty(), "{what}: {error}");
                        BTreeMap::new()
                    }
                };
                for (number, record) in &acknowledged {
                    assert_eq!(kept.get(number), Some(record), "{what}: game {number} is lost");
                }
                let mut whole = kept;
                play(&path, &records, &mut whole).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(read(&path).unwrap() == whole, "{what}: other games");
                assert_eq!(whole.len() as u64, GAMES, "{what}");
                fs::remove_file(&path).unwrap();
            }
            println!("{trouble:?}, lasts {lasts}: {failed} of {points} matches met the failure");
            assert!(i64::from(failed) > points / 2, "{trouble:?}: {failed} failed");
        }
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left");
}
