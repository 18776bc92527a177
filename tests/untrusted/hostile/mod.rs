//! Hostile programs: each attack of the list gets its verdict, changes nothing outside of its
//! sandbox, and leaves no process.
//!
//! **The attacks run only in namespaces that these tests make.**

// Included for its constants and for the tools; the tests run it as a separate program.
#[allow(dead_code)]
mod attacks;
mod inside;
mod namespaces;
mod paths;

use arbitre_process::launcher::layers::Level;
use arbitre_process::sandbox::Profile;
use namespaces::{attack, Namespaces, Programs, SHORT};
use serde_json::Value;
use std::fmt::Write;
use std::process::Command;

/// Attack, its description, its verdicts at the levels partial and full, and what may succeed at
/// the level partial.
type Expected = (&'static str, &'static str, [&'static str; 2], &'static [&'static str]);

/// Verdict on an attack that was refused, or had no effect.
const FINE: &str = "-";

#[rustfmt::skip]
const EXPECTED: &[Expected] = &[
    ("honest", "plays, and attempts nothing", [FINE; 2], &[]),
    ("fork-bomb", "starts processes that start processes", ["crash", FINE], &["start processes"]),
    ("fork-bomb-in-sessions", "likewise, each in a session of its own", ["crash", FINE], &["start processes"]),
    ("daemon", "leaves a process in a session of its own", [FINE; 2], &[]),
    ("thread-bomb", "starts threads without end", ["crash", FINE], &["start threads"]),
    ("memory-bomb", "fills memory", ["memory-limit"; 2], &[]),
    ("reserve-64-gib", "reserves 64 GiB of addresses, which is allowed", [FINE; 2], &[]),
    ("shared-memory", "fills memory that counts for no process: memfd, System V, `/dev/zero`, `/dev/shm`", [FINE; 2], &[]),
    ("zombies", "leaves ten thousand zombies", ["crash", FINE], &["leave zombies"]),
    ("disk-flood", "fills every folder that it can write to", [FINE; 2], &[]),
    ("inode-flood", "creates empty files without end", [FINE; 2], &[]),
    ("signals", "sends signals to launcher, referee, opponent and groups", [FINE; 2], &[]),
    ("kill-all", "kills every process that it may, by `kill(-1)`", [FINE; 2], &[]),
    ("trace", "uses ptrace, `/proc/PID/mem`, process_vm_writev, pidfd_getfd on others", [FINE; 2], &[]),
    ("opponents-pipes", "opens `/proc/PID/fd` of others", [FINE; 2], &[]),
    ("priorities", "changes limits, processors and priorities of others", [FINE; 2], &[]),
    ("read-files", "reads files of the opponent, of the user and of the match", [FINE; 2], &[]),
    ("stat-files", "asks for size and times of the same files", [FINE; 2], &["stat "]),
    ("stored-match", "appends to, truncates, renames and deletes the match", [FINE; 2], &[]),
    ("plant-files", "creates files in 15 folders", [FINE; 2], &[]),
    ("change-files", "changes modes, owners, times, attributes and contents of files", [FINE; 2], &[]),
    ("leave-links", "leaves links, a FIFO, a device and a folder", [FINE; 2], &[]),
    ("replace-itself", "changes its own program", [FINE; 2], &[]),
    ("sockets", "opens sockets of 16 kinds, and names those of a pair", [FINE; 2], &[]),
    ("rendezvous", "meets its opponent by locks, System V, keys, queues, sockets, files or `/proc`", [FINE; 2], &[]),
    ("watch", "meets its opponent by watching a file", [FINE; 2], &[]),
    ("system-calls", "unshares, clones, mounts; io_uring, bpf, perf, userfaultfd, keys and others", [FINE; 2], &[]),
    ("x32", "calls the system with 32-bit pointers", [FINE; 2], &[]),
    ("int-0x80", "calls the system as a 32-bit program", ["crash"; 2], &[]),
    ("setuid", "runs the setuid program `mount`, and looks for privileges", [FINE; 2], &[]),
    ("core-dump", "leaves a memory image", ["crash"; 2], &[]),
    ("descriptors", "looks for inherited descriptors", [FINE; 2], &[]),
    ("exec", "executes another program, which is allowed", [FINE; 2], &[]),
    ("referee", "is the referee itself", ["not-started"; 2], &[]),
    ("referee-match", "is a referee that plays a match", ["not-started"; 2], &[]),
    ("fork-server", "is the launcher", ["not-started"; 2], &[]),
];

/// Returns what is wrong with the result of an attack.
fn problem(result: &Value, verdict: &str, may_succeed: &[&str]) -> Option<String> {
    let words = |key: &str| -> Vec<String> {
        result[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    };
    let mut wrong = Vec::new();
    // The referee as a player prints its help.
    let lines = words("said").into_iter().filter(|_| verdict != "not-started");
    for line in lines {
        let is_allowed = ["refused: ", "done: "].iter().any(|start| line.starts_with(start));
        let may = |part: &&str| line.starts_with(&format!("SUCCEEDED: {part}"));
        if !is_allowed && !may_succeed.iter().any(may) {
            wrong.push(line);
        }
    }
    let faults = result["faults"].as_array().unwrap();
    let found = faults.first().map_or(FINE, |fault| fault["word"].as_str().unwrap());
    // A filter refuses with these errors. Others could be those of wrong arguments.
    let is_by_filter = |line: &String| {
        !line.starts_with("refused")
            || [1, 13, 38].iter().any(|error| line.ends_with(&format!("(os error {error})")))
    };
    if result["attack"] == "system-calls" {
        wrong.extend(words("said").into_iter().filter(|line| !is_by_filter(line)));
    }
    if found != verdict || faults.iter().any(|fault| fault["seat"] != 0) || faults.len() > 1 {
        wrong.push(format!("expected {verdict}, got {:?}", faults));
    }
    if found == FINE && result["places"].is_null() {
        wrong.push("the game was not played to its end".into());
    }
    let is_silent = words("said").is_empty() && found == FINE && result["attack"] != "honest";
    wrong.extend(is_silent.then(|| "it attempted nothing".into()));
    for key in ["changed", "left"] {
        // The first ones tell enough.
        wrong.extend(words(key).iter().take(5).map(|what| format!("{key}: {what}")));
    }
    (!wrong.is_empty()).then(|| wrong.join("\n    "))
}

/// Largest growth of the referee's memory over all games in the same namespaces, in bytes.
const GROWTH: u64 = 8 << 20;

/// Returns the names of all attacks, or the one of the variable `ATTACK`.
fn names() -> Vec<&'static str> {
    let wanted = std::env::var("ATTACK").ok();
    let is_wanted = |name: &&str| wanted.as_deref().is_none_or(|wanted| wanted == *name);
    EXPECTED.iter().map(|(name, ..)| *name).filter(is_wanted).collect()
}

/// Plays all attacks in namespaces, and checks each. `ATTACK=signals` plays one of them.
fn check_all(namespaces: Namespaces, rounds: u32) {
    let programs = Programs::new();
    if !programs.make_namespaces() {
        return;
    }
    let names = names();
    let played = programs.play(namespaces, &names, rounds);
    let mut wrong = String::new();
    for result in &played.results {
        let name = result["attack"].as_str().unwrap();
        let (_, _, verdicts, successes) =
            EXPECTED.iter().find(|(known, ..)| *known == name).unwrap();
        let (verdict, successes) = match namespaces.level {
            Level::Partial => (verdicts[0], *successes),
            _ => (verdicts[1], &[][..]),
        };
        if let Some(why) = problem(result, verdict, successes) {
            writeln!(wrong, "{name}:\n    {why}").unwrap();
        }
    }
    let values = |key: &str| -> Vec<u64> {
        played.results.iter().map(|result| result[key].as_u64().unwrap()).collect()
    };
    let (descriptors, memory) = (values("descriptors"), values("memory"));
    if descriptors.iter().any(|count| *count != descriptors[0]) {
        writeln!(wrong, "the number of open descriptors changes: {descriptors:?}").unwrap();
    }
    // After the first round everything is in memory that the games need.
    let growth = memory
        .iter()
        .max()
        .zip(memory.get(names.len() - 1))
        .map_or(0, |(most, first)| most - first);
    if growth > GROWTH {
        writeln!(wrong, "the memory of the referee grew by {growth} bytes").unwrap();
    }
    println!("{} games in {namespaces:?}, memory grew by {growth} bytes", played.results.len());
    let error = played.error.unwrap_or_default();
    assert!(wrong.is_empty() && error.is_empty(), "{namespaces:?}\n{wrong}{error}");
    assert_eq!(played.results.len(), names.len() * rounds as usize);
}

fn namespaces(is_root: bool, level: Level) -> Namespaces {
    // Each profile is tried by one of the users at each level.
    let profile = if is_root == (level == Level::Full) { Profile::Mine } else { Profile::Class };
    Namespaces { is_root, level, profile, patience: SHORT }
}

#[test]
fn attacks_of_a_user_are_contained_at_full() {
    check_all(namespaces(false, Level::Full), 1);
}

#[test]
fn attacks_of_a_user_are_contained_at_partial() {
    check_all(namespaces(false, Level::Partial), 1);
}

#[test]
fn attacks_of_root_are_contained_at_full() {
    check_all(namespaces(true, Level::Full), 1);
}

#[test]
fn attacks_of_root_are_contained_at_partial() {
    check_all(namespaces(true, Level::Partial), 1);
}

/// Plays `HOSTILE_GAMES` games, half of them at each level.
#[test]
#[ignore = "scripts/soak hostile runs it"]
fn referee_keeps_its_size() {
    let games: u32 = std::env::var("HOSTILE_GAMES").unwrap().parse().unwrap();
    let rounds = games.div_ceil(2 * EXPECTED.len() as u32);
    for level in [Level::Full, Level::Partial] {
        check_all(Namespaces { patience: 3600, ..namespaces(false, level) }, rounds);
    }
}

/// Attacks without an effect on others, also without a sandbox, or that end the namespaces.
const HARMLESS: [&str; 11] = [
    "honest",
    "daemon",
    "reserve-64-gib",
    "x32",
    "setuid",
    "descriptors",
    "exec",
    "referee",
    "referee-match",
    "fork-server",
    "kill-all",
];

/// An attack that fails without a sandbox would show nothing.
#[test]
fn attacks_succeed_without_a_sandbox() {
    let programs = Programs::new();
    if !programs.make_namespaces() {
        return;
    }
    let namespaces = Namespaces { profile: Profile::Mine, ..namespaces(false, Level::None) };
    let names = EXPECTED.iter().map(|(name, ..)| *name).filter(|name| !HARMLESS.contains(name));
    let names: Vec<&str> = names.collect();
    let played = programs.play(namespaces, &names, 1);
    let has_no_effect = |result: &&Value| {
        let mut said = result["said"].as_array().unwrap().iter();
        !said.any(|line| line.as_str().unwrap().starts_with("SUCCEEDED: "))
    };
    let failed: Vec<&Value> = played.results.iter().filter(has_no_effect).collect();
    assert!(
        failed.is_empty() && played.results.len() == names.len(),
        "{failed:#?}{:?}",
        played.error
    );
    // Some depend on the machine.
    for (result, line) in played.results.iter().flat_map(|result| {
        result["said"].as_array().unwrap().iter().map(move |line| (result, line.as_str().unwrap()))
    }) {
        if line.starts_with("refused: ") {
            println!("without a sandbox, {} is {line}", result["attack"]);
        }
    }
    // This one ends the namespaces.
    assert!(programs.play(namespaces, &["kill-all"], 1).error.is_some());
}

/// An attack that is started by mistake does nothing.
#[test]
fn attacks_refuse_to_run_outside_of_namespaces() {
    let output = Command::new(attack()).arg("honest").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("an attack runs only inside the namespaces of its test"), "{text}");
}

/// Every attack has a verdict.
#[test]
fn no_attack_is_forgotten() {
    let listed = |name: &str| EXPECTED.iter().any(|(known, ..)| *known == name);
    let missing: Vec<&str> =
        attacks::ATTACKS.iter().map(|(name, _)| *name).filter(|name| !listed(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Levels of the table.
const LEVELS: [Level; 4] = [Level::None, Level::Weak, Level::Partial, Level::Full];

/// Prints the table of `docs/sandbox.md`: each attack at each level, in namespaces of its own.
#[test]
#[ignore = "scripts/hostile prints it"]
fn table() {
    let programs = Programs::new();
    assert!(programs.make_namespaces());
    println!("| attack | | none | weak | partial | full |\n|---|---|---|---|---|---|");
    for name in names().into_iter().filter(|name| *name != "honest") {
        let cells = LEVELS.map(|level| {
            let namespaces =
                Namespaces { is_root: false, level, profile: Profile::Class, patience: 30 };
            let played = programs.play(namespaces, &[name], 1);
            played.results.first().map_or("**ends the referee**".into(), cell)
        });
        let (_, description, ..) = EXPECTED.iter().find(|(known, ..)| *known == name).unwrap();
        println!("| `{name}` | {description} | {} |", cells.join(" | "));
    }
}

/// Returns the outcome of an attack in a few words.
fn cell(result: &Value) -> String {
    let words = |key: &str| result[key].as_array().unwrap().iter();
    let said = words("said").any(|line| line.as_str().unwrap().starts_with("SUCCEEDED: "));
    let has_trace = ["changed", "left"].iter().any(|key| words(key).count() > 0)
        || words("faults").any(|fault| fault["seat"] == 1);
    let verdict = words("faults").find(|fault| fault["seat"] == 0);
    let verdict = verdict.map(|fault| format!("`{}`", fault["word"].as_str().unwrap()));
    match verdict {
        // A limit may end what it has begun.
        Some(verdict) if !has_trace => verdict,
        Some(verdict) => format!("**succeeds**, {verdict}"),
        None if said || has_trace => "**succeeds**".into(),
        None => "no effect".into(),
    }
}
