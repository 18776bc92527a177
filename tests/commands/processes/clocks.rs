//! Wall time and CPU time: a bot that sleeps uses only wall time, a bot that works uses both.
//! Bounds are wide; the times are printed.

use crate::processes::absences::descendants;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Returns the command of a bot that runs `work` before each answer.
fn bot(work: &str) -> String {
    format!(
        "sh -c 'while read -r w f r; do case $w in begin) echo ready x;; legal) m=$f;; \
         go) {work}; echo $m;; esac; done'"
    )
}

const SLEEP: &str = "sleep 0.3";
/// Counts for a good part of a second in a shell.
const COUNT: &str = "i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done";
/// Counts in a child of the bot.
const DELEGATE: &str = "(i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done)";
/// Counts in an orphan of the bot, which waits for the end of the orphan's output.
const DETACH: &str =
    "end=$( ( (i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done; echo end) & ) )";
const HANG: &str = "sleep 60";

/// Plays two games of a few plies with such a bot.
fn play(work: &str, clock: &str) -> Output {
    let limits = ["--move-time", "100ms", "--first-move-time", "100ms", "--clock", clock];
    Command::new(env!("CARGO_BIN_EXE_referee"))
        .current_dir(arbitre_test_support::command::scratch())
        .args([&bot(work), "awele random", "--game", "awele", "--games", "2", "--json"])
        .args(["--rules", "max-plies=10"])
        .args(limits)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Returns the faults of such a bot in two games.
fn faults(work: &str, clock: &str) -> serde_json::Value {
    let output = play(work, clock);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{clock} clock, {work}: {} s", document["seconds"]);
    document["players"][0]["faults"].clone()
}

#[test]
fn sleep_uses_wall_time_only() {
    assert_eq!(faults(SLEEP, "wall")["timeout"], 2);
    assert_eq!(faults(SLEEP, "cpu"), serde_json::json!({}));
}

#[test]
fn work_uses_wall_and_cpu_time() {
    assert_eq!(faults(COUNT, "wall")["timeout"], 2);
    assert_eq!(faults(COUNT, "cpu")["timeout"], 2);
}

#[test]
fn work_of_a_child_counts_for_the_bot() {
    assert_eq!(faults(DELEGATE, "cpu")["timeout"], 2);
}

#[test]
fn work_of_an_orphan_counts_for_the_bot() {
    assert_eq!(faults(DETACH, "cpu")["timeout"], 2);
}

#[test]
fn bot_that_hangs_is_late() {
    assert_eq!(faults(HANG, "fair")["timeout"], 2);
    assert_eq!(faults(HANG, "wall")["timeout"], 2);
}

/// A bot that uses no CPU time cannot be judged by it. It does not lose, but is withdrawn after
/// three attempts of ten limits and five seconds each.
#[test]
fn bot_that_cannot_be_judged_is_withdrawn() {
    let output = play(HANG, "cpu");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let reason = document["players"][0]["not_started"].as_str().unwrap();
    assert!(reason.starts_with("it used too little processor time to be judged"), "{reason}");
    assert_eq!((&document["games"], output.status.code()), (&0.into(), Some(3)));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("was withdrawn: it used too little"), "{told}");
}

/// The bundled bots measure themselves by the clock of the match. Beside a busy process they still
/// use at least half of their time, and do not exceed it.
#[test]
fn bundled_bots_keep_to_each_clock() {
    for clock in ["fair", "wall", "cpu"] {
        let output = Command::new(env!("CARGO_BIN_EXE_referee"))
            .current_dir(arbitre_test_support::command::scratch())
            .args(["awele", "awele", "--games", "2", "--rules", "max-plies=40", "--json"])
            .args(["--move-time", "50ms", "--first-move-time", "50ms", "--margin", "5s"])
            .args(["--clock", clock])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for player in document["players"].as_array().unwrap() {
            assert_eq!(player["faults"], serde_json::json!({}), "{clock}");
            // Decided positions take no time, so that the mean depends on the game.
            let longest = player["time_ms"]["p99"].as_f64().unwrap();
            println!("{clock}: {longest} ms in the longest moves of 50");
            assert!((25.0..500.0).contains(&longest), "{clock}: {longest} ms a move");
        }
    }
}

/// A bundled bot neither sleeps nor waits. Where it could not run, as it is stopped here, the game
/// is void and played again.
#[test]
fn bundled_bot_that_cannot_run_is_not_late() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .current_dir(arbitre_test_support::command::scratch())
        .args(["awele greedy", "awele random", "--games", "3000", "--seed", "1", "--json"])
        .args(["--move-time", "50ms", "--first-move-time", "50ms", "--db", ":memory:"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let send = |bot: u32, name: &str| {
        let mut kill = Command::new("kill");
        let sent = kill.args(["-s", name, &bot.to_string()]).stderr(Stdio::null()).status();
        sent.unwrap().success()
    };
    let mut stops = 0;
    // The bots are kept from game to game, and started anew after a void one.
    while stops < 3 && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(50));
        let Some(&bot) = descendants(child.id()).first() else { continue };
        if send(bot, "STOP") {
            stops += 1;
            sleep(Duration::from_millis(300));
            // It is killed where its game is void.
            send(bot, "CONT");
        }
    }
    let output = child.wait_with_output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{} moves in {} s", document["moves"], document["seconds"]);
    for player in document["players"].as_array().unwrap() {
        assert_eq!(player["faults"], serde_json::json!({}), "{document}");
    }
    assert_eq!((stops, &document["games"], &document["void"]), (3, &3000.into(), &0.into()));
}

/// A bundled bot that computes for too long is late, however many threads it was granted. Here it
/// makes its endgame tables before the first answer.
#[test]
fn bundled_bot_that_computes_is_late() {
    for threads in ["1", "2"] {
        let bot = format!("b[threads={threads}]=codingame@awele best --threads {threads}");
        let output = Command::new(env!("CARGO_BIN_EXE_referee"))
            .args([&bot, "awele random", "--game", "awele", "--games", "2", "--json"])
            .args(["--move-time", "20ms", "--first-move-time", "20ms", "--db", ":memory:"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("it did not answer within 20ms ("), "{threads} threads: {told}");
    }
}

/// Returns the first fault in two games of a bot without a line of readiness, which runs `start`
/// before it reads and `work` before each answer.
fn fault_of_silent_start(start: &str, work: &str) -> serde_json::Value {
    let bot = format!(
        "codingame@sh -c '{start}; while read a b c d e f r; do {work}; m=0; \
         for n in $a $b $c $d $e $f; do [ $n != 0 ] && break; m=$((m+1)); done; echo $m; done'"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .current_dir(arbitre_test_support::command::scratch())
        .args([&bot, "awele random", "--game", "awele", "--games", "2", "--json"])
        .args(["--rules", "max-plies=4", "--openings", "0", "--init-time", "5s"])
        .args(["--move-time", "150ms", "--first-move-time", "150ms"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let player = &document["players"][0];
    println!("start {start}, work {work}: {player}");
    match player.get("not_started") {
        Some(why) => why.clone(),
        None => player["faults"].clone(),
    }
}

/// Without a line of readiness, the start ends when the program first reads its input.
#[test]
fn silent_start_is_not_charged_to_the_first_move() {
    assert_eq!(fault_of_silent_start("sleep 0.4", ":"), serde_json::json!({}));
    let slow = fault_of_silent_start(":", "sleep 0.4").to_string();
    assert!(slow.contains("it never answered; it did not answer within 150ms"), "{slow}");
    let never = fault_of_silent_start("sleep 30", ":").to_string();
    assert!(never.contains("it never answered; it did not answer within 5s"), "{never}");
}
