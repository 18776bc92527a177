//! Property tests: records of any content survive storage unchanged.

use crate::store::harness::{add_all, Folder};
use arbitre::clock::{Clock, ClockKind};
use arbitre::game::{Outcome, Seat, Seats};
use arbitre::internals::config::adjudication::{Adjudication, AdjudicationRule};
use arbitre::internals::config::format::FormatConfig;
use arbitre::internals::config::limits::counting;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::config::{
    Contest, Environment, OpeningSource, PlayerConfig, Seeding, Source,
};
use arbitre::internals::play::notes::Notes;
use arbitre::internals::play::record::Record;
use arbitre::internals::play::{FaultReport, PlayedGame, Ply, StartReport};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::store::{Archive, StoreError, Versions, Writer};
use arbitre::referee::registry::drawing::PositionTexts;
use arbitre_process::exit::Exit;
use arbitre_process::launcher::layers::Level;
use arbitre_process::process::Uncharged;
use arbitre_process::sandbox::{Profile, SandboxConfig};
use arbitre_process::stopwatch::AnswerTime;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::fs;
use std::time::Duration;

const SEATS: usize = 4;

/// Characters that texts may mishandle: quotes, controls, NUL, marks of writing direction,
/// four-byte characters, and separators and digits.
const HOSTILE: &str =
    "\0\u{1}\t\n\r\u{1b}\u{7f}\u{85}\u{202e}\u{feff}\u{fffd}\u{10ffff}🦀é'\"\\`;,:{}[]-0 ";

fn text() -> impl Strategy<Value = String> {
    let hostile = select(HOSTILE.chars().collect::<Vec<char>>());
    vec(prop_oneof![hostile, any::<char>()], 0..12).prop_map(String::from_iter)
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..SEATS).prop_map(Seat::new)
}

/// Returns a time in whole microseconds, as stores keep it.
/// Returns times of up to twelve days. A file in which a game has years is damaged.
fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![Just(0), 0..1_000_000u64, 0..1u64 << 40].prop_map(Duration::from_micros)
}

fn time() -> impl Strategy<Value = AnswerTime> {
    let times = (duration(), option::of(duration()), option::of(duration()));
    times.prop_map(|(wall, cpu, wait)| AnswerTime { wall, cpu, wait })
}

/// Returns the limits of a seat: each counts another time.
fn clock(seat: usize) -> Clock {
    let kinds = [ClockKind::Wall, ClockKind::Cpu, ClockKind::Fair, ClockKind::Fair];
    let threads = [None, None, None, Some(3)];
    Clock { kind: kinds[seat], threads: threads[seat], ..Clock::default() }
}

fn fault() -> impl Strategy<Value = Fault> {
    let limit = (any::<u64>(), 0..1_000_000_000u32).prop_map(|(s, n)| Duration::new(s, n));
    prop_oneof![
        any::<i32>().prop_map(|code| Fault::Crash(Exit::Code(code))),
        any::<i32>().prop_map(|number| Fault::Crash(Exit::Signal(number))),
        Just(Fault::Disconnect),
        (limit, text(), option::of(time())).prop_map(|(limit, partial, used)| Fault::Timeout {
            limit,
            partial,
            state: None,
            used
        }),
        (text(), text()).prop_map(|(answer, why)| Fault::illegal(&answer, &why)),
        (text(), text()).prop_map(|(answer, why)| Fault::invalid(&answer, &why)),
        text().prop_map(|answer| Fault::unasked(&answer)),
        Just(Fault::Crash(Exit::ProcessLimit)),
        Just(Fault::Pondered),
        any::<usize>().prop_map(|limit| Fault::OutputLimit { limit }),
        any::<u64>().prop_map(|limit| Fault::MemoryLimit { limit }),
        (text(), any::<bool>())
            .prop_map(|(why, is_by_machine)| Fault::NotStarted { why, is_by_machine }),
    ]
}

fn ply() -> impl Strategy<Value = Ply> {
    // `GameTable` turns an empty comment into `None`.
    let comment = option::of(text().prop_filter("a comment is not empty", |it| !it.is_empty()));
    // A move may contain anything: those of Hextris contain blanks.
    (seat(), text(), time(), comment, text()).prop_map(|(seat, mv, time, comment, stderr)| {
        let Clock { kind, threads, .. } = clock(seat.index());
        let spent = time.charge(counting(kind, threads));
        Ply { seat, mv, time, spent, comment, stderr }
    })
}

fn story() -> impl Strategy<Value = FaultReport> {
    let legal = vec(text(), 0..4);
    (seat(), fault(), 0..8usize, text(), legal, text(), option::of(text())).prop_map(
        |(seat, fault, ply, position, legal, stderr, refused)| FaultReport {
            seat,
            fault,
            ply,
            position,
            legal,
            stderr,
            refused,
        },
    )
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let group = vec(seat(), 1..=SEATS).prop_map(Seats::from_iter);
    (vec(any::<i64>(), SEATS), vec(group, 0..4)).prop_map(|(scores, out)| Outcome {
        scores,
        out,
        lower_is_better: false,
    })
}

fn played() -> impl Strategy<Value = PlayedGame> {
    let start_report = (any::<bool>(), option::of(text()));
    let start_report = start_report.prop_map(|(kept, ready)| StartReport { kept, ready });
    let start_reports = vec(option::of(start_report), SEATS);
    let uncharged = (duration(), duration());
    let uncharged = uncharged.prop_map(|(init, stolen)| Uncharged { init, stolen });
    let (faults, uncharged) = (vec(story(), 0..4), vec(uncharged, SEATS));
    let adjudicated = option::of(select(&AdjudicationRule::WORDS[..]));
    let end = (option::of(outcome()), adjudicated);
    (start_reports, vec(ply(), 0..8), faults, end, uncharged, (notes(), vec(texts(), 0..9)))
        .prop_map(
            |(
                start_reports,
                plies,
                mut faults,
                (outcome, adjudicated),
                uncharged,
                (notes, texts),
            )| {
                let adjudicated = adjudicated.map(|(_, rule)| rule);
                faults.iter_mut().for_each(|story| story.ply = story.ply.min(plies.len()));
                PlayedGame {
                    start_reports,
                    plies,
                    faults,
                    outcome,
                    adjudicated,
                    rules_error: None,
                    uncharged,
                    notes,
                    texts,
                }
            },
        )
}

/// Notes, some of which a later version wrote.
fn notes() -> impl Strategy<Value = Notes> {
    let round_trips = vec(option::of(any::<u64>()), SEATS);
    (option::of(Just(HOSTILE)), any::<bool>(), round_trips).prop_map(|(reason, is_later, times)| {
        let mut notes = Notes { reason: reason.map(str::to_owned), ..Notes::default() };
        if is_later {
            notes.round_trips = times;
            notes.rest.insert("later".into(), serde_json::json!({"a": [1, HOSTILE]}));
        }
        notes
    })
}

fn texts() -> impl Strategy<Value = PositionTexts> {
    select(&["", HOSTILE, "<svg/>"][..]).prop_map(|picture| {
        let (text, picture) = (HOSTILE.into(), picture.into());
        PositionTexts { text, picture, view: HOSTILE.into() }
    })
}

/// Returns the sandbox of a player: none, the usual one, and one with every hole.
fn sandbox(number: usize) -> SandboxConfig {
    match number {
        0 => SandboxConfig::none(),
        1 => SandboxConfig::default(),
        _ => SandboxConfig {
            profile: Some(Profile::Class),
            read: vec![HOSTILE.into(), "/".into()],
            write: vec![HOSTILE.into()],
            devices: vec![HOSTILE.into()],
            network: true,
            variables: vec![HOSTILE.into()],
            memory: u64::MAX,
            processes: u64::MAX,
            files: u64::MAX,
            disk: u64::MAX,
        },
    }
}

/// Returns a match of four players, with names and commands as hostile as their games.
fn config() -> Contest {
    let player = |number: usize| PlayerConfig {
        name: format!("{number}{HOSTILE}"),
        command: HOSTILE.into(),
        dialect: "arbitre".into(),
        limits: PlayerLimits {
            margin: Duration::MAX,
            overtime: (number == 1).then_some(Duration::from_millis(50)),
            clock: clock(number),
            ponder: number == 2,
            by_rules: number == 2,
        },
        version: HOSTILE.into(),
        environment: Environment {
            folder: HOSTILE.into(),
            system: HOSTILE.into(),
            own_folder: Some(HOSTILE.into()),
        },
        sandbox: sandbox(number),
    };
    Contest {
        game: "tron".into(),
        rules: HOSTILE.into(),
        external: None,
        seats: SEATS,
        games: 1000,
        seed: u64::MAX,
        openings: OpeningSource::Listed(vec![HOSTILE.into(), String::new()]),
        players: (0..SEATS).map(player).collect(),
        sprt: None,
        adjudication: Adjudication::parse("max-plies=9,draw=3,majority").ok(),
        shard: None,
        format: FormatConfig::RoundRobin,
        seeding: Seeding::default(),
        source: Source::Words,
    }
}

/// Configures `cases` cases. A failing case is printed, to become a test of its own.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns records of a match, in order of arrival.
fn records() -> impl Strategy<Value = Vec<Record>> {
    let schedule = config().schedule();
    let indices = proptest::sample::subsequence((0..250).collect::<Vec<u64>>(), 1..6);
    let record = (text(), played(), duration());
    (indices.prop_shuffle(), vec(record, 6)).prop_map(move |(indices, parts)| {
        let pairs = indices.into_iter().zip(parts);
        let record = |(index, (setup, played, duration))| Record {
            number: None,
            // All games are played on the same seats, which count by different clocks.
            pairing: schedule.pairing(4 * index),
            setup,
            played,
            duration,
            sandbox: Level::WORDS[index as usize % Level::WORDS.len()].1,
        };
        pairs.map(record).collect()
    })
}

/// Returns the records of an archive, in the order of their numbers.
fn read(archive: &Archive) -> Vec<Record> {
    let mut read = Vec::new();
    let view = archive.view(Versions::Current);
    let all = archive.for_each::<StoreError>(&view, &mut |record, _| {
        read.push(record);
        Ok(())
    });
    all.expect("the archive is intact");
    read
}

/// Returns the expected contents: void games are not kept, and the others are numbered as they
/// came.
fn numbered(mut records: Vec<Record>) -> Vec<Record> {
    records.retain(|record| record.played.outcome.is_some());
    records.iter_mut().zip(0..).for_each(|(record, number)| record.number = Some(number));
    records
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn records_survive_in_memory(records in records()) {
        let mut writer = Writer::in_memory(&config(), &arbitre::registry()).unwrap();
        add_all(&mut writer, &records);
        prop_assert_eq!(writer.archive().config(), &config());
        prop_assert_eq!(read(writer.archive()), numbered(records));
    }
}

proptest! {
    // Each case creates and removes a file.
    #![proptest_config(cases(40))]

    #[test]
    fn records_survive_in_a_file(records in records()) {
        let folder = Folder::new("content");
        let path = folder.join("match.db");
        let (first, rest) = records.split_at(1);
        let mut writer = Writer::create(&path, &config(), HOSTILE, &arbitre::registry()).unwrap();
        add_all(&mut writer, first);
        drop(writer);
        let mut writer = Writer::resume(&path, HOSTILE, &arbitre::registry()).unwrap().unwrap();
        add_all(&mut writer, rest);
        // Reads before the writer tidies the file, and after it.
        let numbered = numbered(records);
        prop_assert_eq!(&read(&Archive::open(&path, &arbitre::registry()).unwrap()), &numbered);
        drop(writer);
        let archive = Archive::open(&path, &arbitre::registry()).unwrap();
        prop_assert_eq!(&read(&archive), &numbered);
        prop_assert_eq!(archive.config(), &config());
        let view = archive.view(Versions::All);
        for record in &numbered {
            let found = archive.game(record.number.unwrap(), &view).unwrap();
            let found = found.map(|(found, _)| found);
            prop_assert_eq!(found.as_ref(), Some(record));
        }
        drop(archive);
        fs::remove_file(path).unwrap();
        prop_assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

/// A game whose players never started was not played, and remains to be played.
#[test]
fn void_games_are_not_kept() {
    let config = config();
    let schedule = config.schedule();
    let why = |why: &str| Fault::NotStarted { why: why.into(), is_by_machine: false };
    let absent =
        [0, 3].map(|seat| FaultReport::of_absence(Seat::new(seat), why("no\0such\nprogram")));
    let never = PlayedGame::not_started(SEATS, absent.to_vec());
    let (setup, duration) = (String::new(), Duration::ZERO);
    let record = Record {
        number: None,
        pairing: schedule.pairing(999),
        setup,
        played: never,
        duration,
        sandbox: Level::None,
    };
    let mut writer = Writer::in_memory(&config, &arbitre::registry()).unwrap();
    assert_eq!(writer.add(&record).unwrap(), None);
    assert_eq!(read(writer.archive()), []);
}

/// A game is stored once; a second attempt changes nothing.
#[test]
fn a_game_is_added_once() {
    let config = config();
    let pairing = config.schedule().pairing(5);
    let (setup, duration) = (String::new(), Duration::ZERO);
    let (scores, lower_is_better) = (vec![0; SEATS], false);
    let outcome = Some(Outcome { scores, out: Vec::new(), lower_is_better });
    let played = PlayedGame { outcome, ..PlayedGame::not_started(SEATS, Vec::new()) };
    let mut record =
        Record { number: None, pairing, setup, played, duration, sandbox: Level::Full };
    let mut writer = Writer::in_memory(&config, &arbitre::registry()).unwrap();
    let number = writer.add(&record).unwrap();
    assert_eq!(number, Some(0));
    let first = Record { number, ..record.clone() };
    record.setup = "another".into();
    assert!(writer.add(&record).is_err());
    assert_eq!(read(writer.archive()), [first]);
    record.pairing = config.schedule().pairing(6);
    assert_eq!(writer.add(&record).unwrap(), Some(1));
    assert_eq!(writer.archive().count().unwrap(), 2);
}
