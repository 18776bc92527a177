//! A file of a hundred thousand games: its size, and the time until commands on it are done.

use crate::commits::record_of;
use crate::matches::{config, store};
use crate::scratch::Scratch;
use arbitre_test_support::median::median;
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
