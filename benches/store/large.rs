//! A file of a hundred thousand games: its size, and the time until commands on it are done.

use crate::commits::record_of;
use crate::matches::{config, store};
use crate::scratch::Scratch;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::config::{PlayerConfig, Source, TournamentSource};
use arbitre::internals::formats::schedule::Schedule;
use arbitre_process::sandbox::SandboxConfig;
use arbitre_test_support::median::median;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Games in the file.
const GAMES: u64 = 100_000;
/// Plies of each game.
const PLIES: usize = 100;

/// Prints all measurements.
pub fn measure(scratch: &Scratch, rounds: usize) {
    let path = scratch.file("large.db");
    let registry = arbitre::registry();
    let game = registry.open("awele", "").expect("empty rules are valid");
    let mut config = config(&*game, GAMES);
    let signature = registry.bot("awele").expect("there is a bot").signature();
    for player in &mut config.players {
        player.command = "awele random".into();
        // As the referee names the version, so that --resume finds nothing changed.
        player.version = format!("awele random engine {signature}");
    }
    let mut writer = store(&path, &config);
    for pairing in config.schedule().pairings() {
        writer.add(&record_of(pairing, PLIES, false)).expect("there is room");
    }
    drop(writer);
    let bytes = path.metadata().expect("the file was written").len();
    println!("{GAMES} games of {PLIES} plies between instant bots in one file\n");
    row("bytes per game", bytes as f64 / GAMES as f64);
    let db = format!("--db={}", path.display());
    let commands: [(&str, &[&str]); 4] = [
        ("ms for the table of the whole match, by --resume", &["--resume", &db]),
        ("ms for list", &["list", &db]),
        ("ms for show 99999", &["show", "99999", "--brief", &db]),
        ("ms for export --format csv", &["export", "--format", "csv", &db]),
    ];
    for (name, words) in commands {
        row(name, median((0..rounds).map(|_| millis(words))));
    }
    // One more pair of games, which two instant bots play at once.
    let more = (0..rounds as u64).map(|round| {
        let games = (GAMES + 2 * (round + 1)).to_string();
        millis(&["--resume", "--games", &games, &db])
    });
    row("ms for --resume with one more pair of games", median(more));
    println!();
}

/// Players of the tournament.
const PLAYERS: usize = 30;
/// Games of each of its 435 pairings: 100,050 in all.
const GAMES_PER_PAIRING: u64 = 230;

/// Prints the times of a round robin of about a hundred thousand games, all of which are there.
pub fn measure_tournament(scratch: &Scratch, rounds: usize) {
    let (path, file) = (scratch.file("cup.db"), scratch.file("cup.toml"));
    let registry = arbitre::registry();
    let game = registry.open("awele", "").expect("empty rules are valid");
    let mut config = config(&*game, GAMES_PER_PAIRING);
    let signature = registry.bot("awele").expect("there is a bot").signature();
    let names: Vec<String> = (1..=PLAYERS).map(|number| format!("p{number}")).collect();
    config.players = names
        .iter()
        .map(|name| PlayerConfig {
            name: name.clone(),
            command: "awele random".into(),
            version: format!("awele random engine {signature}"),
            limits: PlayerLimits::default(),
            sandbox: SandboxConfig::none(),
            ..config.players[0].clone()
        })
        .collect();
    config.source = Source::Tournament(TournamentSource::default());
    let mut writer = store(&path, &config);
    let schedule = Schedule::new(PLAYERS, 2, GAMES_PER_PAIRING, config.seed);
    for pairing in schedule.pairings() {
        writer.add(&record_of(pairing, PLIES, false)).expect("there is room");
    }
    drop(writer);
    let players =
        names.iter().map(|name| format!("[[player]]\nname='{name}'\ncommand='awele random'\n"));
    let players: String = players.collect();
    let write = |games: u64| {
        let text = format!("[tournament]\ngame='awele'\ngames={games}\n{players}");
        std::fs::write(&file, text).expect("there is room");
    };
    println!("{} games of a round robin of {PLAYERS} players\n", schedule.games());
    write(GAMES_PER_PAIRING);
    let (db, file) = (format!("--db={}", path.display()), file.display().to_string());
    let words = ["tournament", &file, &db];
    row("ms for the standings", median((0..rounds).map(|_| millis(&words))));
    write(GAMES_PER_PAIRING + 2);
    row(
        "ms until the first game of one more round",
        median((0..rounds).map(|_| first_game(&words))),
    );
    println!();
}

/// Runs the referee until it reports a game. Returns the wall time.
fn first_game(words: &[&str]) -> f64 {
    let referee = Path::new(env!("CARGO_BIN_EXE_referee"));
    let begun = Instant::now();
    let mut command = Command::new(referee);
    command.args(words).arg("--events").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the referee can be started");
    let output = child.stdout.take().expect("it is piped");
    let line = BufReader::new(output).lines().next();
    let time = begun.elapsed().as_secs_f64() * 1e3;
    line.expect("a game is played").expect("it is text");
    child.kill().and_then(|()| child.wait()).expect("the referee can be killed");
    time
}

fn row(name: &str, value: f64) {
    println!("  {name:<52} {value:>10.1}");
}

/// Runs the referee. Returns the wall time.
fn millis(words: &[&str]) -> f64 {
    let referee = Path::new(env!("CARGO_BIN_EXE_referee"));
    let begun = Instant::now();
    let status = Command::new(referee).args(words).stdout(Stdio::null()).status();
    assert!(status.expect("the referee can be started").success(), "{words:?}");
    begun.elapsed().as_secs_f64() * 1e3
}
