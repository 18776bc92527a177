//! Time until a verdict, measured outside the referee. `scripts/soak verdicts` runs this on an
//! idle machine.

use crate::villains::harness::{Diary, REFEREE};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const LIMIT: Duration = Duration::from_millis(50);
const MARGIN: Duration = Duration::from_millis(10);
/// Time for the referee's own work: to detect the fault, end the program, let the opponent go, and
/// write the line.
const OWN: Duration = Duration::from_millis(20);
/// Bound on verdicts that only wait for the program to end after its output has ended.
const AT_ONCE: Duration = Duration::from_millis(60);
/// Number of verdicts per villain; the slowest one counts.
const GAMES: &str = "10";

const VILLAINS: &[(&str, Duration)] = &[
    ("hang", LIMIT.saturating_add(MARGIN).saturating_add(OWN)),
    ("drip", LIMIT.saturating_add(MARGIN).saturating_add(OWN)),
    ("half-a-line", LIMIT.saturating_add(MARGIN).saturating_add(OWN)),
    ("spin", LIMIT.saturating_add(MARGIN).saturating_add(OWN)),
    ("stderr-endless", LIMIT.saturating_add(MARGIN).saturating_add(OWN)),
    ("hang-ignoring-signals", LIMIT.saturating_add(MARGIN).saturating_add(OWN)),
    ("close-stdout", AT_ONCE),
    ("crash", AT_ONCE),
    ("segv", AT_ONCE),
    ("orphan", AT_ONCE),
    ("orphan-on-stdout", AT_ONCE),
    ("orphan-on-stderr", AT_ONCE),
    ("daemon", AT_ONCE),
    ("garbage", AT_ONCE),
    ("endless-bytes", AT_ONCE),
];

#[test]
fn verdicts_come_in_time() {
    if std::env::var_os("VERDICT_TIMES").is_none() {
        eprintln!(
            "SKIPPED: verdict times mean something on an idle machine: scripts/soak verdicts"
        );
        return;
    }
    println!("{:24} {:>10} {:>10} {:>10}", "villain", "median", "slowest", "allowed");
    let mut late = Vec::new();
    for &(villain, allowed) in VILLAINS {
        let mut times = verdict_times(villain);
        times.sort();
        let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
        let verdict = if slowest > allowed { "  LATE" } else { "" };
        println!("{villain:24} {median:>10.1?} {slowest:>10.1?} {allowed:>10.1?}{verdict}");
        late.extend((slowest > allowed).then_some(villain));
    }
    assert!(late.is_empty(), "too late: {late:?}");
}

/// Returns the times from the request to the villain until its game's line was read. Its fault is
/// at its first turn, so each game asks it once.
fn verdict_times(villain: &str) -> Vec<Duration> {
    let diary = Diary::new();
    let limits = [("move-time", LIMIT), ("first-move-time", LIMIT), ("margin", MARGIN)];
    let limits = limits.map(|(name, time)| format!("--{name}={}ms", time.as_millis()));
    let mut referee = Command::new(REFEREE)
        .current_dir(arbitre_test_support::command::scratch())
        .args([&diary.command(villain), "awele random", "--games", GAMES, "--events"])
        .args(["--seed=1", "--concurrency=1"])
        .args(limits)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the referee can be started");
    let lines = BufReader::new(referee.stdout.take().expect("it is piped")).lines();
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).expect("1970 is over").as_nanos();
    let told: Vec<u128> = lines.map(|_| now()).collect();
    referee.wait().expect("it is our child");
    let asked = diary.asked();
    assert_eq!((asked.len(), told.len()), (10, 10), "{villain} was not asked once in each game");
    diary.wait_until_gone().unwrap();
    let pairs = asked.iter().zip(&told);
    pairs.map(|(asked, told)| Duration::from_nanos(told.saturating_sub(*asked) as u64)).collect()
}
