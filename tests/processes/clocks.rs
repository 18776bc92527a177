//! Which time counts: a bot that sleeps spends time on the wall, a bot that works spends processor
//! time too. Wide nets only; the times are printed.

use std::process::{Command, Stdio};

/// A bot that does something before each answer.
fn bot(work: &str) -> String {
    format!(
        "sh -c 'while read -r w f r; do case $w in begin) echo ready x;; legal) m=$f;; \
         go) {work}; echo $m;; esac; done'"
    )
}

const SLEEP: &str = "sleep 0.3";
/// Counts as far as a shell can in a good part of a second.
const COUNT: &str = "i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done";
/// The same in a child of the bot.
const DELEGATE: &str = "(i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done)";
const HANG: &str = "sleep 60";

/// The faults of such a bot in two games of a few plies.
fn faults(work: &str, clock: &str) -> serde_json::Value {
    let limits = ["--move-time", "100ms", "--first-move-time", "100ms", "--clock", clock];
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .current_dir(arbitre_test_support::command::scratch())
        .args([&bot(work), "awele random", "--game", "awele", "--games", "2", "--json"])
        .args(["--rules", "max-plies=10"])
        .args(limits)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{clock} clock, {work}: {} s", document["seconds"]);
    document["players"][0]["faults"].clone()
}

#[test]
fn sleeping_costs_time_on_the_wall_and_no_processor_time() {
    assert_eq!(faults(SLEEP, "wall")["timeout"], 2);
    assert_eq!(faults(SLEEP, "cpu"), serde_json::json!({}));
}

#[test]
fn working_costs_both() {
    assert_eq!(faults(COUNT, "wall")["timeout"], 2);
    assert_eq!(faults(COUNT, "cpu")["timeout"], 2);
}

#[test]
fn the_work_of_a_child_is_the_bots_own() {
    assert_eq!(faults(DELEGATE, "cpu")["timeout"], 2);
}

/// Under processor time a fuse on the wall, three limits and a second, ends a bot that sleeps.
#[test]
fn a_bot_that_sleeps_for_ever_is_ended_under_every_clock() {
    assert_eq!(faults(HANG, "wall")["timeout"], 2);
    assert_eq!(faults(HANG, "cpu")["timeout"], 2);
}

/// The bundled bots measure themselves by the clock that counts: beside a busy neighbour they still
/// use their processor time, and do not overrun it.
#[test]
fn bundled_bots_keep_to_either_clock() {
    for clock in ["wall", "cpu"] {
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
            let mean = player["time_ms"]["mean"].as_f64().unwrap();
            println!("{clock}: {mean} ms a move of 50");
            assert!((20.0..500.0).contains(&mean), "{clock}: {mean} ms a move");
        }
    }
}
