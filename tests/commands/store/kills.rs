//! A referee killed at random moments, and the same command repeated until it succeeds.
//! `scripts/soak resume` repeats this as often as it is told.

use crate::store::harness::{game_of, Folder, GameTable, CALM, FORMATS, HOLES, PLAYERS};
use arbitre::internals::store::verify::verify;
use arbitre::internals::store::{Archive, StoreError, Versions};
use arbitre::rng::Rng;
use rusqlite::Connection;
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{ChildStdout, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Games of a match: enough to be killed at any stage.
const GAMES: u64 = 60;
const DB: &str = "match.db";
/// Time after a kill within which all programs of the match have ended. Not tuned.
const TIME_TO_END: Duration = Duration::from_secs(5);

/// Expected results of a match, and its duration without a kill.
struct Reference {
    exports: [Vec<u8>; 3],
    length: Duration,
}

impl Reference {
    fn play() -> Reference {
        let folder = Folder::new("reference");
        let begun = Instant::now();
        folder.done(&words());
        Reference { length: begun.elapsed(), exports: folder.exports(DB) }
    }
}

/// Returns the arguments of the match. One player is a bundled bot. The other is the same program
/// under its path, so that it starts through a launcher.
fn words() -> Vec<&'static str> {
    let launched: &str = concat!("b='", env!("CARGO_BIN_EXE_referee"), "' bot awele random");
    let more = ["--games", "60", "--seed", "7", "--concurrency", "2", "--events", "--db", DB];
    [&[PLAYERS[0], launched][..], &CALM, &more].concat()
}

/// Returns the processes that run in a folder.
fn running_in(folder: &Folder) -> Vec<String> {
    let folder = fs::canonicalize(folder.join("")).expect("the folder exists");
    let processes = fs::read_dir("/proc").expect("there is a /proc").flatten();
    let here = processes
        .filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder));
    here.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

/// Waits until no process runs in a folder.
fn await_the_end(folder: &Folder) -> Result<(), String> {
    let begun = Instant::now();
    while let left @ [_, ..] = &running_in(folder)[..] {
        if begun.elapsed() > TIME_TO_END {
            return Err(format!("left behind after a kill: {left:?}"));
        }
        thread::sleep(Duration::from_millis(2));
    }
    Ok(())
}

/// Returns a command that resumes: the same one, or the file alone, which must contain a match.
fn words_to_resume(rng: &mut Rng, has_match: bool) -> Vec<&'static str> {
    match has_match && rng.below(2) == 0 {
        true => [&["--resume", "--db", DB, "--events"], &HOLES[..]].concat(),
        false => [&words()[..], &["--resume"]].concat(),
    }
}

/// Moment of a kill: `delay` after `events` more games were acknowledged.
struct Moment {
    events: usize,
    delay: Duration,
}

impl Moment {
    /// Draws a moment. A third are in the first milliseconds, when the file is created; a third
    /// after a time, a third after a game.
    fn draw(rng: &mut Rng, length: Duration) -> Moment {
        let micros = length.as_micros() as usize;
        let (events, longest) = match rng.below(3) {
            0 => (0, 15_000.min(micros)),
            1 => (0, micros),
            _ => (rng.below(GAMES as usize), 3_000),
        };
        Moment { events, delay: Duration::from_micros(rng.below(longest) as u64) }
    }
}

/// Reads the acknowledged games on a thread, so that the referee never waits for the test.
fn listen(output: ChildStdout) -> Receiver<u64> {
    let (sender, games) = channel();
    thread::spawn(move || {
        let (mut output, mut line) = (BufReader::new(output), String::new());
        while output.read_line(&mut line).is_ok_and(|_| line.ends_with('\n')) {
            if let Some(game) = game_of(&line) {
                let _ = sender.send(game);
            }
            line.clear();
        }
    });
    games
}

/// Runs the referee until it ends or `moment` comes. Returns the acknowledged games.
fn run(folder: &Folder, words: &[&str], moment: Option<Moment>) -> (Vec<u64>, Option<i32>) {
    let mut referee = folder.referee(words);
    let child = referee.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut referee = GameTable(child.expect("the referee can be started"));
    let games = listen(referee.0.stdout.take().expect("it is piped"));
    let mut acknowledged = Vec::new();
    if let Some(Moment { events, delay }) = moment {
        acknowledged.extend(games.iter().take(events));
        // The sleep waits for nothing: any moment is meant.
        thread::sleep(delay);
        referee.kill();
    }
    let code = referee.0.wait().expect("the child can be waited for").code();
    acknowledged.extend(games);
    (acknowledged, code)
}

/// Returns the games in the file; `None` if it holds no match yet.
fn kept(folder: &Folder) -> Result<Option<HashSet<u64>>, String> {
    let numbers = || -> Result<HashSet<u64>, StoreError> {
        let archive = Archive::open(&folder.join(DB), &arbitre::registry())?;
        let games = archive.games(&archive.view(Versions::All))?;
        Ok(games.iter().map(|(id, _)| 2 * id.round + id.players[0] as u64).collect())
    };
    match numbers() {
        Ok(games) => Ok(Some(games)),
        Err(error) => match error.to_string() {
            text if text.ends_with("no such file") || text.ends_with("no match") => Ok(None),
            text => Err(text),
        },
    }
}

fn check(holds: bool, what: impl Into<String>) -> Result<(), String> {
    holds.then_some(()).ok_or(what.into())
}

/// Kills a match up to three times and resumes it. Returns the number of stored games at each kill;
/// -1 for a file without a match.
fn round(seed: u64, reference: &Reference) -> Result<Vec<i64>, String> {
    let (folder, mut rng) = (Folder::new(&format!("kill {seed}")), Rng::new(seed));
    let (mut at_kills, mut here) = (Vec::new(), None);
    let mut command = words();
    for _ in 0..=rng.below(3) {
        let moment = Moment::draw(&mut rng, reference.length);
        let (acknowledged, _) = run(&folder, &command, Some(moment));
        await_the_end(&folder)?;
        let before = here.unwrap_or_default();
        here = kept(&folder)?;
        let there = here.clone().unwrap_or_default();
        check(acknowledged.iter().all(|game| !before.contains(game)), "a game was played twice")?;
        check(
            acknowledged.iter().all(|game| there.contains(game)),
            "an acknowledged game is lost",
        )?;
        check(before.is_subset(&there), "a game that was there is lost")?;
        at_kills.push(here.as_ref().map_or(-1, |games| games.len() as i64));
        command = words_to_resume(&mut rng, here.is_some());
    }
    let (acknowledged, code) = run(&folder, &command, None);
    check(code == Some(0), format!("{command:?} ended with {code:?}"))?;
    check_whole(&folder, reference, &here.unwrap_or_default(), &acknowledged)?;
    Ok(at_kills)
}

/// Checks that one file holds all games, each played once, as without a kill.
fn check_whole(
    folder: &Folder,
    reference: &Reference,
    before: &HashSet<u64>,
    acknowledged: &[u64],
) -> Result<(), String> {
    let all: HashSet<u64> = before.iter().chain(acknowledged).copied().collect();
    check(before.len() + acknowledged.len() == all.len(), "a game was played twice")?;
    check(all == (0..GAMES).collect(), format!("{} games, not {GAMES}", all.len()))?;
    let found =
        verify(&folder.join(DB), &arbitre::registry()).map_err(|error| error.to_string())?;
    check((found.games, &found.problems[..]) == (GAMES, &[]), format!("{found:?}"))?;
    check(folder.exports(DB) == reference.exports, "the exports are not the same bytes")?;
    check(folder.names() == [DB], format!("more is left than the file: {:?}", folder.names()))
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect(variable))
}

/// A kill within a transaction of the rollback journal. Every file uses this journal for a moment
/// when a match begins and ends, and throughout if no other journal is available.
#[test]
fn readers_open_a_file_with_a_cut_off_transaction() {
    let folder = Folder::new("cut off");
    folder.play(&PLAYERS, "20", DB);
    let reference = folder.exports(DB);
    let cut_off = |words: &[&str]| {
        fs::copy(folder.join(DB), folder.join("whole.db")).unwrap();
        let connection = Connection::open(folder.join("whole.db")).unwrap();
        connection
            .execute_batch("BEGIN; UPDATE game SET scores = ''; UPDATE moves SET moves = ''")
            .unwrap();
        connection.cache_flush().unwrap();
        for ending in ["", "-journal"] {
            let [from, to] =
                ["whole", "cut"].map(|name| folder.join(&format!("{name}.db{ending}")));
            fs::copy(from, to).unwrap();
        }
        assert_ne!(fs::read(folder.join("cut.db")).unwrap(), fs::read(folder.join(DB)).unwrap());
        folder.done(words)
    };
    for (format, reference) in FORMATS.iter().zip(&reference) {
        assert!(cut_off(&["export", "--db", "cut.db", "--format", format]) == *reference);
    }
    for words in [&["verify"][..], &["show", "7"], &["list"], &["--resume"]] {
        cut_off(&[words, &["--db", "cut.db"]].concat());
    }
}

#[test]
fn a_match_that_is_killed_and_resumed_is_the_same_match() {
    let (rounds, first) = (number("KILL_ROUNDS", 12), number("KILL_SEED", 1));
    let reference = Reference::play();
    let (mut at_kills, mut failed) = (Vec::new(), 0);
    println!("{GAMES} games in {:.0?} when nobody kills", reference.length);
    println!(" seed  games at each kill (-1: no match in the file yet)");
    for seed in first..first + rounds {
        match round(seed, &reference) {
            Ok(kills) => {
                println!("{seed:5}  {kills:?}");
                at_kills.extend(kills);
            }
            Err(why) => {
                println!("{seed:5}  FAILED: {why}");
                failed += 1;
            }
        }
    }
    at_kills.sort_unstable();
    let begun: Vec<i64> = at_kills.iter().copied().filter(|&games| games >= 0).collect();
    let (unbegun, complete) = (
        at_kills.len() - begun.len(),
        begun.iter().filter(|&&games| games == GAMES as i64).count(),
    );
    println!(
        "{} kills: {unbegun} before there was a match, {complete} after the last game; games \
         committed at the others and these: min {:?}, median {:?}, max {:?}",
        at_kills.len(),
        begun.first(),
        begun.get(begun.len() / 2),
        begun.last()
    );
    println!("{} of {rounds} rounds ok", rounds - failed);
    assert_eq!(failed, 0, "rounds failed");
}
