//! Merging of a hundred shards: time, and largest memory, for ten thousand to a million games. The
//! games are real ones of random players in this process.

use crate::matches::{awele, config, random_players, store, Match};
use crate::scratch::Scratch;
use arbitre::internals::config::shard::Shard;
use arbitre::internals::config::{Contest, PlayerConfig, Source, TournamentSource};
use arbitre::internals::formats::schedule::Schedule;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Number of files.
const SHARDS: u64 = 100;
/// Numbers of games.
const GAMES: [u64; 3] = [10_000, 100_000, 1_000_000];

/// Players of the tournament.
const PLAYERS: usize = 30;
/// Games of each of its 435 pairings.
const GAMES_PER_PAIRING: [u64; 3] = [24, 230, 2300];

/// Makes the shards of matches and tournaments in this process, and merges them.
pub fn measure(scratch: &Scratch) {
    println!("{SHARDS} shards of games of random players; referee merge with its table\n");
    println!("match of two players");
    title();
    let game = awele();
    for games in GAMES {
        let config = config(&*game, games);
        let schedule = config.schedule();
        merge(scratch, &config, &schedule);
    }
    println!("\nround robin of {PLAYERS} players");
    title();
    for games in GAMES_PER_PAIRING {
        let mut config = config(&*game, games);
        let player = config.players[0].clone();
        let names = (1..=PLAYERS).map(|number| format!("p{number}"));
        config.players = names.map(|name| PlayerConfig { name, ..player.clone() }).collect();
        config.source = Source::Tournament(TournamentSource::default());
        let schedule = Schedule::new(PLAYERS, 2, games, config.seed);
        merge(scratch, &config, &schedule);
    }
}

fn title() {
    println!(
        "  {:>9} {:>8} {:>8} {:>12} {:>10} {:>9}",
        "games", "played s", "merged s", "µs per game", "MB of file", "MB"
    );
}

/// Makes the shards of a match and merges them. `schedule` has its games.
fn merge(scratch: &Scratch, whole: &Contest, schedule: &Schedule) {
    let game = awele();
    let (begun, mut files) = (Instant::now(), Vec::new());
    for number in 1..=SHARDS {
        let shard = Shard::parse(&format!("{number}/{SHARDS}")).expect("a shard");
        let path = scratch.file(&format!("{number}.db"));
        let config = Contest { shard: Some(shard), ..whole.clone() };
        let writer = store(&path, &config);
        let (schedule, source) = (schedule.clone().of_shard(Some(shard)), random_players());
        Match { game: &*game, config: &config, schedule, source }.play(Some(writer));
        files.push(path);
    }
    let played = begun.elapsed().as_secs_f64();
    let output = scratch.file("merged.db");
    let mut merge = Command::new(Path::new(env!("CARGO_BIN_EXE_referee")));
    merge.arg("merge").args(&files).arg("--output").arg(&output).stdout(Stdio::null());
    let (seconds, memory) = run(merge);
    let file = output.metadata().expect("it was written").len() as f64 / 1e6;
    let games = schedule.games();
    let micros = seconds * 1e6 / games as f64;
    println!("  {games:>9} {played:>8.1} {seconds:>8.2} {micros:>12.2} {file:>10.1} {memory:>9.1}");
    scratch.file("merged.db");
}

/// Runs a command to its end. Returns its wall time in seconds, and its largest memory in MB. The
/// kernel keeps that, and it is read every 5 ms, so only growth in the last moment is missed.
fn run(mut command: Command) -> (f64, f64) {
    let begun = Instant::now();
    let mut child = command.spawn().expect("the referee can be started");
    let status = format!("/proc/{}/status", child.id());
    let mut kib = 0;
    let code = loop {
        if let Some(code) = child.try_wait().expect("it is our child") {
            break code;
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        kib = number.unwrap_or(kib);
        thread::sleep(Duration::from_millis(5));
    };
    assert!(code.success(), "the merge failed");
    (begun.elapsed().as_secs_f64(), f64::from(kib) * 1024.0 / 1e6)
}
