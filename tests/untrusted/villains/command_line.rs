//! Villains against the referee program: its output, exit code and memory.

use crate::villains::harness::{adopt_orphans, Diary, NET, REFEREE};
use rustix::process::{kill_process, Pid, Signal};
use serde_json::Value;
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Creates the command `referee VILLAIN "awele random"` with limits that catch silent villains.
fn referee(diary: &Diary, villain: &str, options: &[&str]) -> Command {
    let mut command = bare_referee(diary, villain);
    command.args(["--games=2", "--move-time=150ms", "--first-move-time=150ms"]).args(options);
    command
}

fn bare_referee(diary: &Diary, villain: &str) -> Command {
    let mut command = Command::new(REFEREE);
    command.current_dir(arbitre_test_support::command::scratch());
    command.arg(diary.command(villain)).arg("honest=awele random");
    command.args(["--seed=1", "--openings=0", "--concurrency=1"]);
    // Villains write to their diaries.
    command.arg("--allow-write").arg(arbitre_test_support::command::scratch());
    command
}

fn run(diary: &Diary, villain: &str, options: &[&str]) -> Output {
    let begun = Instant::now();
    let output = referee(diary, villain, options).output().expect("the referee can be started");
    println!("{villain} {options:?}: {} in {:?}", output.status, begun.elapsed());
    diary.wait_until_gone().unwrap();
    output
}

fn json_lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Villains with the word of their fault and the exit code.
const WORDS: &[(&str, &str, i32)] = &[
    ("hang", "timeout", 0),
    ("crash", "crash", 3),
    ("illegal", "illegal", 0),
    ("bad-utf-8", "invalid", 0),
    ("close-stdout", "disconnect", 3),
    ("endless-bytes", "output-limit", 0),
    ("crash-at-start", "not-started", 3),
];

#[test]
fn events_and_exit_code_name_the_fault() {
    for &(villain, word, code) in WORDS {
        let diary = Diary::new();
        let output = run(&diary, villain, &["--events"]);
        assert_eq!(output.status.code(), Some(code), "{villain}: {output:?}");
        let games = json_lines(&output);
        // A villain that ends before it has played a move plays no game.
        let is_there = code == 0;
        assert_eq!(games.len(), if is_there { 2 } else { 0 }, "{villain}");
        for game in games {
            let faults = game["faults"].as_array().expect("a list");
            assert_eq!(faults.len(), 1, "{villain}: {game}");
            assert_eq!(faults[0]["fault"], word, "{game}");
            assert_eq!(faults[0]["player"], "villain", "{game}");
            assert!(!game["ranks"].is_null(), "{game}");
        }
    }
}

#[test]
fn the_summary_counts_the_faults() {
    for &(villain, word, code) in WORDS {
        let diary = Diary::new();
        let summary = &json_lines(&run(&diary, villain, &["--json"]))[0];
        let [bad, good] = [&summary["players"][0], &summary["players"][1]];
        let (faults, wins) = match code {
            0 => (serde_json::json!({ word: 2 }), 2),
            _ => (serde_json::json!({}), 0),
        };
        assert_eq!(bad["not_started"].is_string(), code != 0, "{summary}");
        assert_eq!(bad["faults"], faults, "{summary}");
        assert_eq!(good["faults"], serde_json::json!({}), "{summary}");
        assert_eq!([&bad["wins"], &good["wins"]], [0, wins], "{summary}");
    }
}

/// No output of a villain reaches a terminal unescaped, in any form of report.
#[test]
fn hostile_text_is_printed_escaped() {
    let is_raw = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    for villain in ["ansi", "nul", "c1", "right-to-left", "ansi-on-stderr", "comment"] {
        for options in [&["-vvv"][..], &["--json"], &["--events"]] {
            let diary = Diary::new();
            let output = run(&diary, villain, options);
            for text in [output.stdout, output.stderr] {
                let text = String::from_utf8(text).expect("the referee speaks UTF-8");
                assert!(!text.contains(is_raw), "{villain} {options:?}: {text:?}");
            }
        }
    }
}

/// Returns the peak memory of a process in KiB, as far as it was visible while the process ran.
fn peak_memory(mut referee: Child) -> u64 {
    let status = format!("/proc/{}/status", referee.id());
    let mut peak = 0;
    while referee.try_wait().expect("it is our child").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        sleep(Duration::from_millis(1));
    }
    peak
}

/// The system keeps the peak, so one look after the first game sees everything. The match has many
/// games, so that there is such a look.
#[test]
fn floods_do_not_fill_the_referees_memory() {
    let peak = |villain| {
        let diary = Diary::new();
        let mut command = bare_referee(&diary, villain);
        command.args(["--json", "--games=20"]).stdout(Stdio::null()).stderr(Stdio::null());
        let peak = peak_memory(command.spawn().expect("the referee can be started"));
        println!("{villain}: the referee held {peak} KiB at most");
        diary.wait_until_gone().unwrap();
        peak
    };
    let usual = peak("honest");
    assert!(usual > 0, "the peak was visible");
    for villain in ["endless-bytes", "long-line-100mb", "flood", "wide-pipe", "stderr-20mb"] {
        let grown = peak(villain).saturating_sub(usual);
        assert!(grown < 8 * 1024, "{villain}: {grown} KiB more than usual");
    }
}

/// Two signals stop the referee at once, together with a villain that ignores them.
#[test]
fn stopping_the_referee_stops_its_players() {
    adopt_orphans();
    let diary = Diary::new();
    let mut command = bare_referee(&diary, "hang-ignoring-signals");
    command.args(["--no-timeout", "--json"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut referee = command.spawn().expect("the referee can be started");
    let begun = Instant::now();
    while diary.asked().is_empty() && begun.elapsed() < NET {
        sleep(Duration::from_millis(2));
    }
    // A second signal may overtake the first, so it is repeated until the referee ends.
    while referee.try_wait().expect("it is our child").is_none() && begun.elapsed() < 2 * NET {
        kill_process(Pid::from_child(&referee), Signal::INT).expect("it is our child");
        sleep(Duration::from_millis(50));
    }
    assert_eq!(referee.wait().expect("it is our child").code(), Some(130));
    println!("gone {:?} after its referee", diary.wait_until_buried().unwrap());
}

/// Solves no board: goes to and fro for 8192 moves, then plays an illegal one.
const LONG_PATH: &str = r#"#!/bin/sh
while read word rest; do
    case $word in
        begin) echo ready long ;;
        legal) legal=$rest ;;
        go)
            move=${legal%% *}
            case $move in U) back=D ;; D) back=U ;; L) back=R ;; R) back=L ;; esac
            path=$move$back
            for i in 1 2 3 4 5 6 7 8 9 10 11 12; do path=$path$path; done
            echo "${path}Z" ;;
    esac
done
"#;

/// The start of an answer may be legal, so its verdict is not derived from what is kept of it.
#[test]
fn fault_of_a_clipped_answer_is_verified() {
    let folder = arbitre_test_support::command::folder("long path");
    let bot = arbitre_test_support::command::script(&folder, "bot", LONG_PATH);
    let db = folder.join("games.db");
    arbitre_test_support::command::remove_results(&db);
    let run = |words: &[&str]| {
        let output = Command::new(REFEREE).args(words).arg("--db").arg(&db).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let bot = format!("'{}'", bot.display());
    let options = ["--game=taquin", "--rules=max-moves=10000", "--games=2", "--move-time=20s"];
    let table = run(&[&[bot.as_str()], &options[..]].concat());
    assert!(table.contains("(4096 of 8193 bytes kept)"), "{table}");
    assert!(run(&["verify"]).contains("all as they were played"));
}
