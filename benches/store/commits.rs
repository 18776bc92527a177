//! Cost of storing a finished game and of reading it back.

use crate::matches::{awele, config, random_players, store, Match};
use crate::scratch::Scratch;
use arbitre::game::{Outcome, Seat};
use arbitre::internals::config::Contest;
use arbitre::internals::play::pairing::Pairing;
use arbitre::internals::play::record::Record;
use arbitre::internals::play::{PlayedGame, Ply, StartReport};
use arbitre::internals::store::verify::verify;
use arbitre::internals::store::{Archive, StoreError, Versions, Writer};
use arbitre_process::launcher::layers::Level;
use arbitre_process::stopwatch::AnswerTime;
use arbitre_test_support::median::median;
use rusqlite::Connection;
use std::time::{Duration, Instant};

/// Games of one measurement.
const GAMES: u64 = 1000;
/// Real games that are verified, that is, replayed.
const VERIFIED: u64 = 200;

/// Measurements of one file.
struct Kept {
    commits_per_second: f64,
    bytes_per_game: f64,
    micros_to_read: f64,
    millis_to_open: f64,
    millis_to_close: f64,
}

/// Prints all measurements.
pub fn compare(scratch: &Scratch, rounds: usize) {
    let kinds = [("200 plies, a comment on each second one", 200, true), ("110 plies", 110, false)];
    let records = kinds.map(|(_, plies, talks)| records(plies, talks));
    let (mut kept, mut floor, mut verified) = ([const { Vec::new() }; 2], vec![], vec![]);
    for _ in 0..rounds {
        for (kept, records) in kept.iter_mut().zip(&records) {
            kept.push(keep(scratch, records));
        }
        floor.push(commit_numbers(scratch));
        verified.push(verify_games(scratch));
    }
    println!("{GAMES} games that were made up, a transaction for each\n");
    for ((title, ..), kept) in kinds.iter().zip(&kept) {
        let of = |value: fn(&Kept) -> f64| median(kept.iter().map(value));
        println!("{title}");
        row("commits per second", of(|kept| kept.commits_per_second));
        row("bytes per game", of(|kept| kept.bytes_per_game));
        row("µs to read a game", of(|kept| kept.micros_to_read));
        row("ms to begin a file", of(|kept| kept.millis_to_open));
        row("ms to close it", of(|kept| kept.millis_to_close));
    }
    println!("floor: SQLite alone, a row of one number");
    row("commits per second", median(floor.into_iter()));
    println!("real games: {VERIFIED} of awele between random engines");
    row("µs to verify a game", median(verified.into_iter()));
    println!();
}

fn row(name: &str, value: f64) {
    println!("  {name:<40} {value:>10.1}");
}

/// Stores records as the referee does, closes the file and reads them back.
fn keep(scratch: &Scratch, records: &[Record]) -> Kept {
    let path = scratch.file("kept.db");
    let config = awele_config(GAMES);
    let (opened, mut writer) = timed(|| store(&path, &config));
    let (added, ()) = timed(|| add_all(&mut writer, records));
    let (closed, ()) = timed(|| drop(writer));
    let bytes = path.metadata().expect("the file was written").len();
    let archive = Archive::open(&path, &arbitre::registry()).expect("the file was written");
    let (read, plies) = timed(|| plies(&archive));
    assert_eq!(plies, records.iter().map(|record| record.played.plies.len()).sum::<usize>());
    scratch.file("kept.db");
    Kept {
        commits_per_second: per(GAMES, added).recip(),
        bytes_per_game: bytes as f64 / GAMES as f64,
        micros_to_read: per(GAMES, read) * 1e6,
        millis_to_open: opened.as_secs_f64() * 1e3,
        millis_to_close: closed.as_secs_f64() * 1e3,
    }
}

fn add_all(writer: &mut Writer, records: &[Record]) {
    for record in records {
        writer.add(record).expect("there is room");
    }
}

/// Reads all games and counts their moves.
fn plies(archive: &Archive) -> usize {
    let mut plies = 0;
    let view = archive.view(Versions::Current);
    let read = archive.for_each::<StoreError>(&view, &mut |record, _| {
        plies += record.played.plies.len();
        Ok(())
    });
    read.expect("the file is intact");
    plies
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let begun = Instant::now();
    let value = work();
    (begun.elapsed(), value)
}

/// Commits `GAMES` rows of one number with SQLite alone. Returns the commits per second.
fn commit_numbers(scratch: &Scratch) -> f64 {
    let commit = |connection: &Connection| -> rusqlite::Result<Duration> {
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.execute_batch("CREATE TABLE number (number INTEGER)")?;
        let (took, committed) = timed(|| {
            (0..GAMES.cast_signed()).try_for_each(|number| {
                let transaction = connection.unchecked_transaction()?;
                transaction.prepare_cached("INSERT INTO number VALUES (?)")?.execute([number])?;
                transaction.commit()
            })
        });
        committed.map(|()| took)
    };
    let connection = Connection::open(scratch.file("floor.db")).expect("a new file");
    let took = commit(&connection).expect("the disk has room");
    drop(connection);
    scratch.file("floor.db");
    per(GAMES, took).recip()
}

/// Plays real games and verifies them. Returns the time per verified game in microseconds.
fn verify_games(scratch: &Scratch) -> f64 {
    let (game, path) = (awele(), scratch.file("real.db"));
    let config = config(&*game, VERIFIED);
    let writer = store(&path, &config);
    let (schedule, source) = (config.schedule(), random_players());
    Match { game: &*game, config: &config, schedule, source }.play(Some(writer));
    let (took, found) = timed(|| verify(&path, &arbitre::registry()).expect("it was written"));
    assert_eq!((found.games, found.problems), (VERIFIED, vec![]));
    scratch.file("real.db");
    per(VERIFIED, took) * 1e6
}

fn per(games: u64, time: Duration) -> f64 {
    time.as_secs_f64() / games as f64
}

fn awele_config(games: u64) -> Contest {
    config(&*awele(), games)
}

/// Returns records of a match with `plies` plies per game; if `talks`, every second move has a
/// comment.
fn records(plies: usize, talks: bool) -> Vec<Record> {
    let schedule = awele_config(GAMES).schedule();
    schedule.pairings().map(|pairing| record_of(pairing, plies, talks)).collect()
}

/// Returns the record of a game with `plies` plies; if `talks`, every second move has a comment.
pub fn record_of(pairing: Pairing, plies: usize, talks: bool) -> Record {
    let index = pairing.index_in_group() as usize;
    let ready = Some("ready awele terse again".into());
    let start_reports = vec![Some(StartReport { kept: index > 0, ready }); 2];
    let outcome = Outcome { scores: vec![26, 22], out: vec![], lower_is_better: false };
    let played = PlayedGame {
        start_reports,
        plies: (0..plies).map(|at| ply(index, at, talks)).collect(),
        outcome: Some(outcome),
        ..PlayedGame::not_started(2, Vec::new())
    };
    let setup = "opening 2 5 0 3 1 4 4 2".into();
    let (duration, sandbox) = (Duration::from_millis(40), Level::None);
    Record { number: None, pairing, setup, played, duration, sandbox }
}

/// Returns a ply with numbers of the usual lengths that do not repeat.
fn ply(game: usize, at: usize, talks: bool) -> Ply {
    let mixed = (game * 7919 + at * 104_729) % 1_000_003;
    // Instant bots take between 20 and 400 µs.
    let wall = Duration::from_micros(20 + mixed as u64 % 380);
    let says = || format!("depth {} score {} nodes {mixed}", 4 + mixed % 9, mixed % 31);
    Ply {
        seat: Seat::new(at % 2),
        mv: (mixed % 6).to_string(),
        spent: wall,
        time: AnswerTime::of_wall(wall),
        comment: (talks && at.is_multiple_of(2)).then(says),
        stderr: String::new(),
    }
}
