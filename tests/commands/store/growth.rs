//! Matches that grow: more players, changed programs, other folders, removed games.

use crate::store::harness::{
    assert_fails, game_of, stderr, Folder, GameTable, CALM, HOLES, REFEREE,
};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

const DB: &str = "match.db";
/// Players of the match that grows; `c` is a script that changes.
const FOUR: [&str; 4] =
    ["a=awele alpha-beta --depth 1", "b=awele greedy", "c=./changing", "d=awele random"];
/// Players that join later.
const TWO: [&str; 2] = ["e=awele random", "f=awele greedy"];

/// Writes the script `changing`, which starts a bundled bot.
fn change(folder: &Folder, bot: &str) {
    folder.script("changing", &format!("#!/bin/sh\nexec '{REFEREE}' bot awele {bot}\n"));
}

/// Returns the arguments of a match of six games, unless `more` asks for another number.
fn words<'a>(players: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let mut words = [players, &CALM, &["--game", "awele", "--db", DB, "--seed", "7"]].concat();
    if !more.contains(&"--games") {
        words.extend(["--games", "6"]);
    }
    if !more.contains(&"--concurrency") {
        words.extend(["--concurrency", "2"]);
    }
    [words, more.to_vec()].concat()
}

/// Returns a command that resumes all programs as they are stored.
fn resume() -> Vec<&'static str> {
    [&["--resume", "--db", DB], &HOLES[..]].concat()
}

/// Runs a match until `events` games are stored, and kills it.
fn interrupted(folder: &Folder, words: &[&str], events: usize) {
    let mut referee = folder.referee(words);
    let child = referee.arg("--events").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut referee = GameTable(child.expect("the referee can be started"));
    let output = BufReader::new(referee.0.stdout.take().expect("it is piped"));
    let games = output.lines().map_while(Result::ok).filter(|line| game_of(line).is_some());
    assert_eq!(games.take(events).count(), events, "{words:?} ended before");
    referee.kill();
}

fn exported(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let text = folder.done(&[&["export", "--db", DB][..], more].concat());
    let lines = String::from_utf8(text).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn grown_match_is_the_match_played_at_once() {
    let (grown, whole) = (Folder::new("grown"), Folder::new("at once"));
    change(&grown, "random");
    interrupted(&grown, &words(&FOUR, &[]), 5);
    interrupted(&grown, &words(&FOUR, &["--resume"]), 7);
    change(&grown, "greedy");
    interrupted(&grown, &resume(), 4);
    interrupted(&grown, &words(&TWO, &["--resume"]), 30);
    change(&grown, "alpha-beta --depth 2");
    interrupted(&grown, &resume(), 9);
    grown.done(&resume());
    change(&whole, "alpha-beta --depth 2");
    whole.done(&words(&[&FOUR[..], &TWO].concat(), &[]));
    let (ours, theirs) = (grown.exports(DB), whole.exports(DB));
    assert_eq!(ours[0].iter().filter(|&&byte| byte == b'\n').count(), 15 * 6);
    assert!(ours == theirs, "the exports differ");
    grown.done(&["verify", "--db", DB]);
    let all = exported(&grown, &["--all-versions"]);
    assert!(all.len() > 90 + 8, "earlier versions keep their games: {}", all.len());
    let names: Vec<&str> = all.iter().flat_map(|game| seated(game)).collect();
    assert!(names.contains(&"c@1") && names.contains(&"c@2") && !names.contains(&"c@3"));
}

/// Waits until something holds, but not for ever.
fn wait_until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never holds");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn seated(game: &Value) -> Vec<&str> {
    game["players"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

/// A player that is named again with other limits is another version; unnamed players stay.
#[test]
fn changed_limits_are_another_version() {
    let folder = Folder::new("limits");
    folder.done(&words(&["a=awele greedy", "b=awele random"], &[]));
    let before = folder.exports(DB);
    // Neither the same players nor none of them change anything.
    folder.done(&["a=awele greedy", "--resume", "--db", DB]);
    folder.done(&["b=awele random", "a=awele greedy", "--resume", "--db", DB]);
    assert!(folder.exports(DB) == before);
    let output = folder.run(&["a[move-time=59s]=awele greedy", "--resume", "--db", DB, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("a is another version than in its 6 games"));
    let told = summary(&output);
    assert_eq!((&told["games"], &told["resumed"]), (&6.into(), &0.into()));
    let limits = |i: usize| told["players"][i]["limits"].as_str().unwrap();
    assert_eq!(limits(0), "fair init 60000 first 59000 move 59000, margin 10ms");
    assert_eq!(limits(1), "fair init 60000 first 60000 move 60000, margin 10ms");
    let all = folder.run(&["--resume", "--db", DB, "--json", "--all-versions"]);
    let names: Vec<Value> =
        summary(&all)["players"].as_array().unwrap().iter().map(|p| p["name"].clone()).collect();
    assert_eq!(names, ["a", "b", "a@1"]);
    // Back to the first version, nothing is left to play.
    let output =
        folder.run(&["a[move-time=60s,first-move-time=60s]=awele greedy", "--resume", "--db", DB]);
    assert!(stderr(&output).contains("another version"), "{}", stderr(&output));
    assert!(folder.exports(DB) == before, "the same games, not played again");
}

/// A sequential test never counts games of two versions together.
#[test]
fn sequential_test_begins_anew_with_a_new_version() {
    let folder = Folder::new("test anew");
    change(&folder, "random");
    let players = ["c=./changing", "b=awele random"];
    let test = ["--sprt", "elo0=0,elo1=100"];
    let usual = ["--game", "awele", "--games", "4000", "--db", DB, "--seed", "3"];
    let all = [&players[..], &test, &usual, &CALM].concat();
    interrupted(&folder, &all, 8);
    let before = exported(&folder, &[]).len();
    change(&folder, "alpha-beta --depth 3");
    let output = folder.run(&[&resume()[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = summary(&output);
    assert_eq!((&told["resumed"], &told["complete"]), (&0.into(), &true.into()));
    // The first version loses half of its games, the second one hardly any.
    let count = |what: &str| told["players"][0][what].as_u64().unwrap();
    assert!(count("wins") > 5 * count("losses"), "games of the weak version do not count: {told}");
    assert_eq!(exported(&folder, &[]).len() as u64, told["games"].as_u64().unwrap());
    let mixed = folder.run(&[&resume()[..], &["--all-versions", "--json"]].concat());
    assert!(summary(&mixed)["sprt"].is_null(), "no test of two versions: {}", summary(&mixed));
    let all = exported(&folder, &["--all-versions"]).len();
    assert!(all >= before + told["games"].as_u64().unwrap() as usize);
    folder.done(&["verify", "--db", DB]);
}

/// A program that is rebuilt while its match runs plays all of its games with the new version.
#[test]
fn program_that_changes_during_the_match_begins_a_new_version() {
    let folder = Folder::new("rebuilt");
    change(&folder, "random");
    let mut referee = folder.referee(&words(&FOUR, &["--games", "20", "--json"]));
    let child = referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let connect = || Connection::open(folder.join(DB)).ok();
    let count = || -> i64 {
        let sql = "SELECT count(*) FROM game";
        connect().and_then(|db| db.query_row(sql, [], |row| row.get(0)).ok()).unwrap_or(0)
    };
    wait_until(|| count() >= 20);
    // Renamed over the old one, as a build does: a script that is read while it is written breaks.
    folder.script("new", &format!("#!/bin/sh\nexec '{REFEREE}' bot awele greedy\n"));
    fs::rename(folder.join("new"), folder.join("changing")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the program of c changed"), "{}", stderr(&output));
    let told = summary(&output);
    assert_eq!((&told["complete"], &told["games"]), (&true.into(), &120.into()), "{told}");
    let whole = Folder::new("built");
    change(&whole, "greedy");
    whole.done(&words(&FOUR, &["--games", "20"]));
    assert!(folder.exports(DB) == whole.exports(DB));
}

/// Without players on the command line, the match continues in the folder where it began.
#[test]
fn match_resumes_in_its_own_folder() {
    let folder = Folder::new("home");
    fs::create_dir(folder.join("elsewhere")).unwrap();
    change(&folder, "greedy");
    folder.done(&words(&["c=./changing", "b=awele random"], &["--games", "2"]));
    let elsewhere = |words: &[&str]| {
        let mut referee = folder.referee(words);
        referee.current_dir(folder.join("elsewhere")).output().unwrap()
    };
    let holes = ["--allow-write", "..", "--allow-read", REFEREE];
    let resume = ["--resume", "--db", "../match.db", "--json"];
    let output = elsewhere(&[&resume, &holes[..], &["--games", "4"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("note: the players run in /"), "{}", stderr(&output));
    let told = summary(&output);
    assert_eq!((&told["games"], &told["resumed"]), (&4.into(), &2.into()));
    assert_eq!(told["players"][0]["faults"], serde_json::json!({}));
    // A new player does not say where the others are.
    let output =
        elsewhere(&[&["d=awele greedy", "--resume", "--db", "../match.db"], &holes[..]].concat());
    assert_fails(&output, 6, "c was named in /", "another player elsewhere");
    fs::rename(folder.join("changing"), folder.join("elsewhere/changing")).unwrap();
    let again = ["c=./changing", "--games", "6"];
    let output = elsewhere(&[&again[..], &resume, &holes].concat());
    let told = summary(&output);
    assert_eq!((&told["games"], &told["resumed"]), (&6.into(), &4.into()), "the same program");
}

#[test]
fn match_whose_folder_is_gone_is_refused() {
    let folder = Folder::new("moved away");
    fs::create_dir(folder.join("there")).unwrap();
    let bot = format!("#!/bin/sh\nexec '{REFEREE}' bot awele greedy\n");
    folder.script("there/changing", &bot);
    let hole = ["--allow-read", REFEREE];
    let words = ["c=./changing", "b=awele random", "--games", "2", "--db", DB];
    let mut first = folder.referee(&[&words[..], &hole].concat());
    assert!(first.current_dir(folder.join("there")).output().unwrap().status.success());
    fs::rename(folder.join("there"), folder.join("gone")).unwrap();
    let words = ["--resume", "--db", "gone/match.db", "--games", "4"];
    let output = folder.run(&[&words[..], &hole].concat());
    assert_fails(&output, 6, "no such file or folder", "a folder that is gone");
}

#[test]
fn dropped_games_are_played_again_and_dropped_players_are_not() {
    let folder = Folder::new("drop");
    let players = ["a=awele greedy", "b=awele random", "c=awele alpha-beta --depth 1"];
    folder.done(&words(&players, &[]));
    let whole = folder.exports(DB);
    let told = folder.done(&["drop", "3", "7-9", "--db", DB]);
    assert_eq!(String::from_utf8(told).unwrap(), "match.db: match of awele, 3 players, 18 games\nremoved 4 games from match.db; 14 are left\n");
    assert_eq!(exported(&folder, &[]).len(), 14);
    folder.done(&["verify", "--db", DB]);
    let again = folder.run(&["drop", "3", "--db", DB]);
    assert_fails(&again, 2, "expected numbers of stored games, got 3", "a game that is gone");
    folder.done(&["--resume", "--db", DB]);
    assert!(folder.exports(DB) == whole);
    let told = folder.done(&["drop", "b", "--db", DB, "--json"]);
    let told: Value = serde_json::from_slice(&told).unwrap();
    assert_eq!((&told["games"], &told["left"]), (&12.into(), &6.into()));
    folder.done(&["--resume", "--db", DB]);
    let left = exported(&folder, &[]);
    assert!(left.len() == 6 && left.iter().all(|game| !seated(game).contains(&"b")));
    folder.done(&["verify", "--db", DB]);
    for (what, part) in [
        ("a", "expected at least 2 players to be left, got 1"),
        ("ada", "expected a or c, got 'ada'"),
        ("9-3", "expected a or c, got '9-3'"),
    ] {
        assert_fails(&folder.run(&["drop", what, "--db", DB]), 2, part, what);
    }
}

/// Games that another program removes during the match are missed at its end.
#[test]
fn removed_rows_are_counted_at_the_end() {
    let folder = Folder::new("removed rows");
    let script = format!(
        "#!/bin/sh\n[ -e gate ] || {{ echo >>waits; while [ ! -e open ]; do sleep 0.05; done; }}\n\
         exec '{REFEREE}' bot awele random\n"
    );
    folder.script("gated", &script);
    fs::write(folder.join("gate"), "").unwrap();
    folder.done(&words(&["a=./gated", "b=awele random"], &["--games", "4"]));
    fs::remove_file(folder.join("gate")).unwrap();
    let mut referee = folder.referee(&[&resume()[..], &["--games", "6"]].concat());
    let child = referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let connection = Connection::open(folder.join(DB)).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    // The referee has read the file before the trial, which waits at the gate.
    wait_until(|| folder.join("waits").exists());
    connection.execute("DELETE FROM game WHERE number = 1", []).unwrap();
    fs::write(folder.join("open"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_fails(&output, 4, "1 of 6 games were removed by another program", "the end");
    drop(connection);
    folder.done(&resume());
    assert_eq!(exported(&folder, &[]).len(), 6);
    folder.done(&["verify", "--db", DB]);
}

/// A player that never starts does not keep the others from a complete match.
#[test]
fn player_that_never_starts_is_listed_last() {
    let folder = Folder::new("never");
    folder.script("broken", "#!/bin/sh\necho no such module >&2\nexit 3\n");
    let broken = "broken=./broken";
    let players = [broken, "a=awele greedy", "b=awele random"];
    let output = folder.run(&words(&players, &[]));
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{table}{}", stderr(&output));
    let rows = table.lines().map(str::trim_start).skip_while(|row| !row.starts_with("#  player "));
    let rows: Vec<&str> = rows.skip(1).take(3).collect();
    assert!(rows[2].starts_with("-  broken") && rows[2].contains("not started"), "{table}");
    assert!(table.contains("standard error: no such module"), "{table}");
    assert_eq!(exported(&folder, &[]).len(), 6);
    let told = summary(&folder.run(&[&resume()[..], &["--json"]].concat()));
    assert_eq!((&told["complete"], &told["games"]), (&true.into(), &6.into()));
    assert!(told["players"][0]["not_started"].as_str().unwrap().contains("exit code 3"));
    let required = folder.run(&[&resume()[..], &["--require", "started"]].concat());
    assert_fails(&required, 3, "could not start broken", "--require started");
    // Once it starts, it plays its games as another version. The first one had none, and is gone.
    folder.script("broken", &format!("#!/bin/sh\nexec '{REFEREE}' bot awele greedy\n"));
    let told = folder.run(&[&resume()[..], &["--json", "--all-versions"]].concat());
    assert!(!stderr(&told).contains("another version"), "{}", stderr(&told));
    assert_eq!(summary(&told)["players"].as_array().unwrap().len(), 3);
    assert_eq!(exported(&folder, &[]).len(), 18);
}
