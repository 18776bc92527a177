//! Villains that act on other processes: their opponent, the launcher, the referee. Each match runs
//! without a sandbox, in user and process namespaces of its own, which end with it.

use crate::villains::harness::{Diary, NET, REFEREE};
use serde_json::Value;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Creates a command that runs a shell script in new namespaces.
fn in_namespaces(script: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--pid", "--mount-proc", "--fork", "--map-root-user"]);
    // The first process ends everything after a while. Its last word names the namespaces for the
    // villains.
    command.args(["--kill-child", "timeout", "60", "sh", "-c", script, "arbitre-villains"]);
    command.current_dir(arbitre_test_support::command::scratch()).stdin(Stdio::null());
    command
}

fn namespaces_work() -> bool {
    let mut command = in_namespaces("true");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let works = command.status().is_ok_and(|status| status.success());
    if !works {
        eprintln!("SKIPPED: no namespaces can be made here, so no hostile villain played");
    }
    works
}

/// Plays a hostile villain against an honest one. The script then prints the number of processes
/// that are left, on standard error.
fn play(villain: &str, options: &str) -> (Output, Duration) {
    let diaries = [Diary::new(), Diary::new()];
    let players = [(villain, &diaries[0], "villain"), ("honest", &diaries[1], "honest")];
    let commands =
        players.map(|(bot, diary, name)| format!("\"{name}='{}'\"", diary.words(bot).join("' '")));
    let limits = "--game=awele --games=4 --move-time=150ms --first-move-time=150ms --openings=0 --concurrency=1 --no-sandbox";
    let script = format!(
        "'{REFEREE}' {} {limits} --seed=1 {options}; code=$?; sleep 0.1; \
         for process in /proc/[0-9]*; do left=\"$left ${{process#/proc/}}\"; done; \
         echo \"left:$left self: $$\" >&2; cut -d ' ' -f -5 /proc/[0-9]*/stat >&2; exit $code",
        commands.join(" ")
    );
    let begun = Instant::now();
    let output = in_namespaces(&script).output().expect("unshare can be started");
    println!("{villain}: {} in {:?}", output.status, begun.elapsed());
    (output, begun.elapsed())
}

/// Returns the events of the games, whose number is checked.
fn games(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let games: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert_eq!(games.len(), 4, "{output:?}");
    games
}

/// Checks that only the shell and the first process are left.
fn check_that_nothing_is_left(output: &Output) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("left: 1 2 self: 2"), "{text}");
}

#[test]
fn traced_opponent_does_not_stop_the_match() {
    if namespaces_work() {
        // A stop by the referee would meet the trace, and the opponent would stay stopped.
        let (output, time) = play("tracer", "--events --db=:memory: --ponder");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        for game in games(&output) {
            assert_eq!(game["faults"], serde_json::json!([]), "{game}");
        }
        assert!(time < 2 * NET, "{time:?}");
        check_that_nothing_is_left(&output);
    }
}

#[test]
fn signals_of_others_are_named_in_the_report() {
    let hints = [
        ("stopper", "timeout", "found stopped (state T) at the deadline"),
        ("killer", "crash", "killed by a signal that the referee did not send"),
    ];
    for (villain, word, hint) in hints.into_iter().filter(|_| namespaces_work()) {
        // Otherwise the referee itself stops and continues an opponent of a slow villain.
        let (output, _) = play(villain, "--events --db=:memory: --ponder");
        for game in games(&output) {
            assert_eq!(game["faults"][0]["player"], "honest", "{game}");
            assert_eq!(game["faults"][0]["fault"], word, "{game}");
            assert!(game.to_string().contains(hint), "{game}");
        }
        check_that_nothing_is_left(&output);
    }
}

/// The fork server ends the orphans of a launcher that was killed.
#[test]
fn killed_launcher_leaves_no_process() {
    if namespaces_work() {
        let (output, _) = play("launcher-killer", "--events --db=:memory:");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        check_that_nothing_is_left(&output);
    }
}

/// The referee learns the end of a program from its launcher alone.
#[test]
fn end_without_a_launcher_is_unknown() {
    if namespaces_work() {
        let (output, _) = play("launcher-killer-that-waits", "--events --db=:memory:");
        for game in games(&output) {
            let fault = &game["faults"][0];
            assert_eq!((&fault["player"], &fault["fault"]), (&"villain".into(), &"crash".into()));
            assert!(game.to_string().contains("how it ended is unknown"), "{game}");
        }
        check_that_nothing_is_left(&output);
    }
}

#[test]
fn lowered_soft_limits_are_restored() {
    for villain in ["few-files", "small-files"].into_iter().filter(|_| namespaces_work()) {
        let db = format!("{villain}-{}.db", std::process::id());
        let (output, _) = play(villain, &format!("--events --db={db}"));
        arbitre_test_support::command::remove_results(
            arbitre_test_support::command::scratch().join(&db),
        );
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        for game in games(&output) {
            assert_eq!(game["faults"], serde_json::json!([]), "{game}");
        }
    }
}

#[test]
fn lowered_hard_limits_end_the_match_with_a_reason() {
    for villain in ["few-files-for-good", "small-files-for-good"] {
        if namespaces_work() {
            let db = format!("{villain}-{}.db", std::process::id());
            let (output, _) = play(villain, &format!("--events --db={db}"));
            arbitre_test_support::command::remove_results(
                arbitre_test_support::command::scratch().join(&db),
            );
            assert_eq!(output.status.code(), Some(5), "{output:?}");
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(text.contains("another process lowered the limit on"), "{text}");
        }
    }
}
