//! Processors of the players: one for a game, the number of its players' threads, or one for each
//! player that may think on its opponent's time.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};
use std::thread::available_parallelism;

/// Bot that tells, as its comment, the processors on which it may run, and the `clock` line.
const BOT: &str =
    "sh -c 'while read -r w f r; do case $w in begin) echo ready x;; clock) c=\"$f $r\";; \
                   legal) m=$f;; go) p=$(grep Cpus_allowed_list: /proc/self/status | cut -f 2); \
                   echo \"$m # $p/$c\";; esac; done'";

fn run(players: &[&str], options: &[&str]) -> Output {
    command(players, options).output().unwrap()
}

fn command(players: &[&str], options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command
        .current_dir(arbitre_test_support::command::scratch())
        .args(players)
        .args([
            "--game",
            "awele",
            "--rules",
            "max-plies=4",
            "--openings",
            "0",
            "--games",
            "2",
            "--concurrency",
            "1",
        ])
        .args(options)
        .args(["--move-time", "10s", "--events"])
        .stdin(Stdio::null());
    command
}

/// Returns the processors and the `clock` line of each player, as the players told them.
fn told(players: &[&str], options: &[&str]) -> Vec<(BTreeSet<usize>, String)> {
    told_by(&run(players, options))
}

fn told_by(output: &Output) -> Vec<(BTreeSet<usize>, String)> {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let game: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let comment = |ply: usize| game["comments"][ply.to_string()].as_str().unwrap();
    let parts = |comment: &str| {
        let (list, clock) = comment.split_once('/').unwrap();
        (list_of(list), clock.to_owned())
    };
    (0..2).map(|ply| parts(comment(ply))).collect()
}

/// Returns the numbers of a list such as `0,2-3`.
fn list_of(text: &str) -> BTreeSet<usize> {
    let numbers = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse().unwrap()..=last.parse::<usize>().unwrap()
    };
    text.split(',').flat_map(numbers).collect()
}

fn has_two_processors() -> bool {
    let enough = available_parallelism().is_ok_and(|count| count.get() >= 2);
    if !enough {
        eprintln!("SKIPPED: this machine has one processor");
    }
    enough
}

#[test]
fn players_share_the_processor_of_their_game() {
    let told = told(&[BOT, BOT], &[]);
    println!("{told:?}");
    assert_eq!((told[0].0.len(), &told[0].0), (1, &told[1].0));
    assert!(!told[0].1.contains("threads"));
}

#[test]
fn threads_of_a_player_get_processors() {
    if has_two_processors() {
        let told = told(&[&format!("a[threads=2]={BOT}"), &format!("b={BOT}")], &[]);
        println!("{told:?}");
        assert_eq!((told[0].0.len(), &told[0].0), (2, &told[1].0));
        assert!(told[0].1.ends_with("threads 2"), "{}", told[0].1);
        assert!(!told[1].1.contains("threads"), "{}", told[1].1);
    }
}

#[test]
fn pondering_players_have_processors_of_their_own() {
    if has_two_processors() {
        for players in [["a=", "b="], ["a[ponder]=", "b="]] {
            let options: &[&str] = if players[0] == "a=" { &["--ponder"] } else { &[] };
            let [a, b] = players.map(|name| format!("{name}{BOT}"));
            let told = told(&[&a, &b], options);
            println!("{told:?}");
            assert_eq!((told[0].0.len(), told[1].0.len()), (1, 1));
            assert_ne!(told[0].0, told[1].0);
        }
    }
}

#[test]
fn too_many_threads_are_refused_with_the_numbers() {
    let there = available_parallelism().unwrap().get();
    let output = run(&[BOT, BOT], &["--threads", &(there + 1).to_string()]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    let expected = format!("expected at most {there} in a game");
    assert!(error.contains(&expected) && error.contains(&format!("got {}", there + 1)), "{error}");
}

/// The table warns of a machine that has fewer processors than games.
#[test]
fn crowd_of_games_is_warned_of() {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .current_dir(arbitre_test_support::command::scratch())
        .args(["awele random", "awele random", "--games", "600", "--concurrency", "300"])
        .args(["--rules", "max-plies=2", "--openings", "0", "--move-time", "10s"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let there = available_parallelism().unwrap();
    let expected = format!(
        "warning: the games at once need 300 processors, and this machine has {there}; help: lower \
         --concurrency"
    );
    assert!(text.contains(&expected), "{text}");
    assert!(text.contains("\nmachine: "), "{text}");
}

/// Without control groups of its own, Slurm says only by a variable what a task may use. Other
/// tasks may choose the same processor, so nothing is pinned.
#[test]
fn slurm_task_has_its_own_number_of_processors() {
    if !has_two_processors() {
        return;
    }
    let mut command = command(&[BOT, BOT], &[]);
    let output = command.env("SLURM_CPUS_PER_TASK", "1").output().unwrap();
    let all = available_parallelism().unwrap().get();
    for (processors, _) in told_by(&output) {
        assert_eq!(processors.len(), all, "not pinned");
    }
    let doctor = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg("doctor")
        .env("SLURM_CPUS_PER_TASK", "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(text.contains(&format!("processors: 1 of {all}")), "{text}");
}

/// A program may choose its processors, and the report tells if it takes those of others.
#[test]
fn program_that_leaves_its_processor_is_named() {
    if available_parallelism().unwrap().get() < 2 {
        eprintln!("SKIPPED: there is one processor, which no program can leave");
        return;
    }
    // It works for longer than answers that are not read.
    let bot = "taskset -pac 0-1023 $$ >&2; n=0; while [ $n -lt 20000 ]; do n=$((n+1)); done";
    let leaving = format!(
        "leaves=sh -c '{bot}; while read -r w f r; do case $w in begin) echo ready x;; \
         legal) m=$f;; go) n=0; while [ $n -lt 20000 ]; do n=$((n+1)); done; echo \"$m\";; esac; done'"
    );
    for (player, is_told) in [(leaving.as_str(), true), (BOT, false)] {
        let db = arbitre_test_support::command::scratch().join("leaves.db");
        let _ = std::fs::remove_file(&db);
        let db = db.to_str().unwrap();
        let output = run(&[player, "awele random"], &["--db", db]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        let warning = "leaves runs on processors that it was not given; help: --threads gives it";
        assert_eq!(told.contains(warning), is_told, "{told}");
        let mut shown = Command::new(env!("CARGO_BIN_EXE_referee"));
        shown.args(["show", "0", "--db", db]);
        let shown = shown.output().unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout);
        assert_eq!(shown.contains(", and ran on processors that it was not given\n"), is_told);
    }
}
