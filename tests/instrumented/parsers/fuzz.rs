//! Whole programs on mutated files of six kinds, as a user runs them.
//!
//! A case is determined by its seed, which also names its kind. `FUZZ_SEED=S` runs that case alone,
//! and `FUZZ_SECONDS=N` the cases from that seed on, for N seconds. The folder of a case that fails
//! is kept, with its commands in the file `commands`. `FUZZ_KIND=NAME` skips other kinds.

mod chance;
mod inputs;
mod results;

use arbitre::exit_code::{INTERRUPTED, MEANINGS, UNMET};
use arbitre::rng::Rng;
use arbitre::text::needs_escape;
use arbitre_test_support::command::{program, scratch, stderr, stdout};
use chance::Chance;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Writes the files of a case into a folder. Returns the shell commands that read them.
type Make = fn(&Seeds, &mut Chance, &Path) -> Vec<String>;

/// Kinds of input.
const KINDS: [(&str, Make); 6] = [
    ("results", |seeds, chance, folder| results::case(&seeds.results, chance, folder)),
    ("tournament", |seeds, chance, folder| inputs::case(&seeds.tournaments, chance, folder)),
    ("external", |seeds, chance, folder| match chance.below(3) {
        0 => inputs::case(&seeds.requests, chance, folder),
        _ => inputs::external(&seeds.rules, chance, folder),
    }),
    ("openings", |seeds, chance, folder| inputs::case(&seeds.openings, chance, folder)),
    ("contest", |seeds, chance, folder| inputs::case(&seeds.contest, chance, folder)),
    ("book", |seeds, chance, folder| inputs::case(&seeds.books, chance, folder)),
];
/// Cases without `FUZZ_SEED` and `FUZZ_SECONDS`, five of each kind.
const USUAL_CASES: u64 = 30;
/// Limits of a command: address space in KiB, CPU time and wall time in seconds. Not tuned.
const LIMITS: &str = "ulimit -c 0; ulimit -v 4194304; ulimit -t 10; exec timeout -s KILL 60";

/// Valid inputs, made by the programs of this build.
struct Seeds {
    results: Vec<results::File>,
    tournaments: Vec<inputs::Input>,
    rules: Vec<inputs::Rules>,
    requests: Vec<inputs::Input>,
    openings: Vec<inputs::Input>,
    contest: Vec<inputs::Input>,
    books: Vec<inputs::Input>,
}

impl Seeds {
    fn make(folder: &Path) -> Seeds {
        Seeds {
            results: results::files(folder),
            tournaments: inputs::tournaments(folder),
            rules: inputs::rules(folder),
            requests: inputs::requests(),
            openings: inputs::openings(),
            contest: inputs::contest(),
            books: inputs::books(folder),
        }
    }
}

/// Runs a shell command within the limits, in a folder. Programs of this build are in its `PATH`.
fn run(folder: &Path, line: &str) -> Output {
    let programs = program("referee").parent().expect("it is in a folder").to_path_buf();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(programs).chain(std::env::split_paths(&inherited));
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{LIMITS} {line}")).current_dir(folder).stdin(Stdio::null());
    command.env("PATH", std::env::join_paths(paths).unwrap()).env("XDG_CACHE_HOME", folder);
    command.output().expect("a shell can be started")
}

/// Runs a command that must succeed.
fn done(folder: &Path, line: &str) {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
}

/// Returns an error if a program may not end like this, whatever its input.
fn verdict(line: &str, output: &Output) -> Result<(), String> {
    let told = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().and_then(|code| u8::try_from(code).ok());
    let code = code.ok_or_else(|| format!("{}", output.status))?;
    if told.contains("panicked at") || code != 0 && MEANINGS.iter().all(|(known, _)| *known != code)
    {
        return Err(format!("expected a documented end, got exit code {code}"));
    }
    let has_reason = told.lines().any(|line| line.starts_with("error: "));
    if code != 0 && !has_reason {
        return Err(format!("expected an error, got exit code {code} alone"));
    }
    if code == UNMET && !line.starts_with("referee verify") || code == INTERRUPTED {
        return Err(format!("expected the exit code of bad data, got {code}"));
    }
    // These print text of others unchanged, for programs.
    let is_raw = ["export", "show 0 --input", "arena step"]
        .iter()
        .any(|raw| line.starts_with(&format!("referee {raw}")));
    let shown = String::from_utf8_lossy(if is_raw { &[] } else { &output.stdout });
    match shown.chars().chain(told.chars()).find(|&c| needs_escape(c) && !"\n\t".contains(c)) {
        Some(c) => Err(format!("expected no character that acts on a terminal, got {c:?}")),
        None => Ok(()),
    }
}

/// Cases of a kind.
#[derive(Default)]
struct Tally {
    cases: u64,
    time: Duration,
    /// Number of commands by exit code.
    codes: BTreeMap<Option<i32>, u64>,
}

/// Returns the kind of the case of a seed.
fn kind_of(seed: u64) -> (&'static str, Make) {
    KINDS[(seed % KINDS.len() as u64) as usize]
}

/// Runs the case of a seed, and counts it. Returns its failures.
fn fails(seeds: &Seeds, seed: u64, home: &Path, tallies: &mut Tallies) -> Vec<String> {
    let begun = Instant::now();
    let (kind, make) = kind_of(seed);
    let tally = tallies.entry(kind).or_default();
    let folder = home.join("case");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let lines = make(seeds, &mut Chance::new(seed), &folder);
    fs::write(folder.join("commands"), lines.join("\n") + "\n").unwrap();
    let mut failures = Vec::new();
    for line in &lines {
        let output = run(&folder, line);
        *tally.codes.entry(output.status.code()).or_default() += 1;
        if let Err(why) = verdict(line, &output) {
            let told = stderr(&output);
            failures.push(format!("{kind}, FUZZ_SEED={seed}: {line}: {why}\n{told}"));
        }
    }
    if !failures.is_empty() {
        let kept = home.join(format!("failed {seed}"));
        fs::rename(&folder, kept).unwrap();
    }
    tally.cases += 1;
    tally.time += begun.elapsed();
    failures
}

type Tallies = BTreeMap<&'static str, Tally>;

/// Returns the number that a variable sets.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}: expected a number, got '{text}'")))
}

#[test]
fn bad_ends_are_noticed() {
    let ends = [
        "exit 7",
        "exit 101",
        "exit 2",
        "kill -SEGV $$",
        "printf '\\033[2J'",
        "echo panicked at >&2",
    ];
    for end in ends.map(|end| format!("sh -c \"{end}\"").replace('$', "\\$")) {
        assert!(verdict(&end, &run(&scratch(), &end)).is_err(), "{end}");
    }
    let fair = "sh -c 'echo error: no >&2; exit 2'";
    assert_eq!(verdict(fair, &run(&scratch(), fair)), Ok(()));
}

/// Commands that failed once, with a part of what they print now.
#[test]
fn earlier_failures_stay_away() {
    let rules = "sh -c \"referee arena step awele | sed -u s/^turn.0/play\rx/\"";
    let raw = format!("referee 'awele random' 'awele random' --games 2 --external '{rules}'");
    let (seed, step) = (Rng::new(1), "referee arena step awele");
    let cases = [
        // The service ended with the exit code 1 at bytes that are no text.
        (r"printf 'rules 1\nstate \377\nturn\n' | referee arena step awele", "error expected"),
        (r#"printf '{"":\377}\n{"drop":[]}\n' | referee arena step awele --json"#, "\"games\":0"),
        // A walk through a game without an end had none.
        (&format!("printf 'rules 1 awari\\ndraw 2 2147483648 {seed} 0\\n' | {step}"), "\n.\n.\n"),
        // The search for a schedule took a minute.
        (
            "referee tournament cup.toml --games-per-player 65536",
            "expected a number from 1 to 10000, got '65536'",
        ),
        // A warning showed an answer of the rules as it was.
        (&format!("{raw} --no-sandbox --db :memory:"), r"'play\rx'"),
    ];
    for (line, part) in cases {
        let output = run(&scratch(), line);
        assert_eq!(verdict(line, &output), Ok(()));
        let told = stdout(&output) + &stderr(&output);
        assert!(told.contains(part), "{line}: {told}");
    }
}

#[test]
fn valid_files_are_accepted() {
    let home = scratch().join("fuzz of valid files");
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(home.join("case")).unwrap();
    let Seeds { tournaments, requests, openings, contest, books, .. } = Seeds::make(&home);
    for inputs in [&tournaments[..], &requests, &openings, &contest[..1], &books] {
        inputs::check(inputs, &home.join("case"));
    }
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn programs_survive_mutated_files() {
    let seconds = number("FUZZ_SECONDS");
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(0));
    let least = if number("FUZZ_SEED").is_some() { 1 } else { USUAL_CASES };
    let usual = if seconds.is_some() { u64::from(std::process::id()) << 20 } else { 0 };
    let first = number("FUZZ_SEED").unwrap_or(usual);
    let home = scratch().join("fuzz");
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    let seeds = Seeds::make(&home);
    let (mut failed, mut tallies) = (0, Tallies::new());
    let only = std::env::var("FUZZ_KIND").ok();
    let wanted = |seed: &u64| only.as_ref().is_none_or(|only| only == kind_of(*seed).0);
    let running = |seed: &u64| seed - first < least || Instant::now() < end;
    for seed in (first..).take_while(running).filter(wanted) {
        let failures = fails(&seeds, seed, &home, &mut tallies);
        failures.iter().for_each(|failure| println!("{failure}"));
        failed += failures.len();
    }
    println!("FUZZ_SEED={first}");
    for (kind, Tally { cases, time, codes }) in &tallies {
        println!("{kind}: {cases} cases in {time:.0?}, exit codes {codes:?}");
    }
    assert_eq!(failed, 0, "failures in {}", home.display());
}
