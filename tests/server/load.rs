//! A class of browsers at once.

use crate::http::{quick, Served};
use arbitre::internals::formats::room::Draw;
use arbitre::internals::statistics::plackett_luce::ratings;
use arbitre::internals::statistics::ranking::{Ranking, Rankings};
use arbitre::internals::store::{Archive, Session, Writer};
use arbitre::rng::Rng;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Browsers, each with a stream of events.
const BROWSERS: usize = 200;
/// Page views of all browsers in a minute.
const VIEWS: u64 = 1000;

/// Games of a room that has run for weeks.
const GAMES: u64 = 100_000;

/// Adds copies of the first game of a room to its file, between its players in turn.
fn fill(folder: &Path, games: u64) {
    let registry = arbitre::registry();
    let path = folder.join("games.db");
    let archive = Archive::open(&path, &registry).unwrap();
    let (record, _) = archive.game(0, archive.current()).unwrap().unwrap();
    let players = archive.config().players.len();
    drop(archive);
    let mut writer = Writer::resume(&path, "the test", &registry).unwrap().unwrap();
    writer
        .begin_session(Session { begun: 0, referee: String::new(), machine: None }, false)
        .unwrap();
    for game in 0..games {
        let mut copy = record.clone();
        let round = 1000 + game;
        let one = game as usize % players;
        let other = (one + 1 + game as usize / players % (players - 1)) % players;
        copy.number = None;
        copy.pairing.round = round;
        copy.pairing.players = vec![one, other];
        writer.add(&copy).unwrap();
    }
}

/// Costs of a room that outgrows one laptop: the draw, the ratings and a page, for a million games.
#[test]
#[ignore = "it measures for minutes: .ci/full serve"]
fn costs_of_large_rooms() {
    for players in [100, 300, 1_000, 10_000] {
        let (mut rng, mut rankings) = (Rng::new(1), Rankings::default());
        for _ in 0..1_000_000 {
            let one = rng.below(players);
            let other = (one + 1 + rng.below(players - 1)) % players;
            // A lower number is stronger.
            let is_won = rng.below(one + other + 2) < other + 1;
            let ranks = if is_won { [1, 2] } else { [2, 1] };
            rankings.add(Ranking::new(&[one, other], &ranks));
        }
        let mut draw = Draw::new(2);
        let begun = Instant::now();
        draw.rate(&rankings, players);
        let rated = begun.elapsed();
        let present: Vec<usize> = (0..players).collect();
        let begun = Instant::now();
        (0..100).for_each(|_| drop(draw.next(&present)));
        let drawn = begun.elapsed() / 100;
        let begun = Instant::now();
        let dense = (players <= 300).then(|| (ratings(&rankings, players), begun.elapsed()).1);
        eprintln!(
            "{players} players: {rated:.1?} for the strengths of the draw, {drawn:.1?} for a table, \
             {dense:.1?} for ratings with all covariances"
        );
    }
}

/// Two hundred browsers, each with a stream of events and a page now and then, while house bots
/// play. The times of the pages are printed; they are judged by people.
#[test]
#[ignore = "it measures for a minute: .ci/full serve"]
fn class_of_browsers() {
    let bots = ["awele random", "awele greedy", "awele alpha-beta --depth 3", "awele best"];
    let folder = quick("load", "game = \"awele\"", &bots);
    let served = Served::of(&folder, &[]);
    served.wait_for_games(4);
    assert!(served.stop().0.success());
    fill(&folder, GAMES);
    let begun = Instant::now();
    let served = Served::of(&folder, &[]);
    eprintln!("a room with {GAMES} games is open after {:.1?}", begun.elapsed());
    let stop = AtomicBool::new(false);
    let address = served.address;
    let events = thread::scope(|scope| {
        let readers: Vec<_> = (0..BROWSERS)
            .map(|_| {
                let stop = &stop;
                scope.spawn(move || {
                    let mut stream = TcpStream::connect(address).unwrap();
                    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
                    let head = format!("GET /events/room HTTP/1.1\r\nHost: {address}\r\n\r\n");
                    stream.write_all(head.as_bytes()).unwrap();
                    let (mut buffer, mut bytes) = (vec![0; 64 * 1024], 0);
                    while !stop.load(Ordering::Relaxed) {
                        bytes += stream.read(&mut buffer).unwrap_or(0);
                    }
                    bytes
                })
            })
            .collect();
        let mut rng = Rng::new(1);
        let pages =
            ["/", "/projector", "/player/1", "/game/1", "/game/1/data", "/rules", "/address"];
        let (begun, mut times) = (Instant::now(), Vec::new());
        let between = Duration::from_secs(60) / VIEWS as u32;
        for view in 0..VIEWS {
            let due = begun + between * view as u32;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            let page = pages[rng.below(pages.len())];
            // From the moment at which the view was due, so that a stall delays those behind it.
            let reply = served.client().get(page);
            assert_eq!(reply.status, 200, "{page}");
            times.push(due.elapsed());
        }
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 1000];
        eprintln!(
            "{VIEWS} views in {:.0?}, {BROWSERS} streams: median {:.1?}, p99 {:.1?}, longest {:.1?}",
            begun.elapsed(),
            at(500),
            at(990),
            times[times.len() - 1]
        );
        stop.store(true, Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().unwrap()).sum::<usize>()
    });
    eprintln!("{} KiB of events for each browser", events / BROWSERS / 1024);
    let status = fs::read_to_string(format!("/proc/{}/status", served.pid())).unwrap();
    let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    eprintln!("memory of the server at most: {memory}");
    let page = served.client().get("/").body;
    assert!(!page.contains("class=\"fault\">"), "no house bot lost by a fault: {page}");
}
