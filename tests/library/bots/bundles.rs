//! `scripts/bundle`: bots as one file that a bare compiler accepts.

use arbitre::rng::Rng;
use arbitre_test_support::command::{folder, json, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Number of characters that a file at CodinGame must not reach.
const LIMIT: usize = 100_000;

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: no bot was bundled, as there is no python3");
    }
    found
}

fn bundle(words: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/bundle");
    Command::new("python3").arg(script).args(words).output().unwrap()
}

/// Compiles a bundle with the compiler alone, which must report nothing. Returns the program.
fn compile(output: &Output, folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    assert!(output.status.success(), "{name}: {}", stderr(output));
    let (source, program) = (folder.join(name).with_extension("rs"), folder.join(name));
    fs::write(&source, &output.stdout).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2021", "-o"]).arg(&program).args(options).arg(&source);
    let compiled = rustc.output().expect("rustc can be started");
    assert!(compiled.status.success() && compiled.stderr.is_empty(), "{}", stderr(&compiled));
    program
}

/// The limit leaves room only for short names.
#[test]
fn a_bundle_does_what_its_bot_does() {
    if !has_python() {
        return;
    }
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bundle/main.rs");
    let output = bundle(&["--limit", "2900", bot.to_str().unwrap()]);
    assert!(stderr(&output).ends_with("with short names\n"), "{}", stderr(&output));
    let program = compile(&output, &folder("bundle"), "bot", &[]);
    let printed = stdout(&Command::new(program).output().unwrap());
    let expected = format!(
        r#"a // "b" /* {{never}} */
7 07 '"' '\'' 34
line of       2, {{len}} {{len}} 4 4
seven
3
width 12
2
{}
a "text" with a \ in it
"#,
        Rng::new(7).below(1000)
    );
    assert_eq!(printed, expected);
    assert!(!stdout(&output).contains("left out"));
}

#[test]
fn bad_input_of_bundles_gets_one_line() {
    if !has_python() {
        return;
    }
    let nowhere = "expected tron or awele or a file, got 'nowhere': No such file or directory";
    let unknown = "strategy of awele: expected best, alpha-beta, greedy, got 'minimax'";
    for (words, code, why) in [(&["nowhere"][..], 6, nowhere), (&["awele", "minimax"], 2, unknown)]
    {
        let output = bundle(words);
        assert_eq!(output.status.code(), Some(code));
        assert_eq!((stdout(&output), stderr(&output)), (String::new(), format!("error: {why}\n")));
    }
    for words in [&[][..], &["--limit", "many", "tron"], &["nowhere", "best"]] {
        let output = bundle(words);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("usage: scripts/bundle"), "{}", stderr(&output));
    }
}

/// Plays games between programs that search 500 nodes a move on the first seat's program, 1,000 on
/// the second and so on. Returns setup, moves and scores of each.
fn games(game: &str, command: &str, option: &str, seats: usize, folder: &Path) -> Vec<Value> {
    let player = |seat| {
        let nodes = 500 * seat;
        let option = if option.is_empty() { String::new() } else { format!(" {option} {nodes}") };
        format!("p{seat}[nodes={nodes}]=codingame@{command}{option}")
    };
    let players: Vec<String> = (1..=seats).map(player).collect();
    let db = folder.join("match.db").display().to_string();
    arbitre_test_support::command::remove_results(&db);
    let mut words: Vec<&str> = players.iter().map(String::as_str).collect();
    words.extend(["--game", game, "--games", "20", "--seed", "5", "--db", &db]);
    let played = run(&words);
    assert!(played.status.success(), "{}", stderr(&played));
    let games = stdout(&run(&["export", "--format", "jsonl", "--db", &db]));
    let essence = |line: &str| {
        let game = json(line);
        assert_eq!(game["faults"], Value::Array(Vec::new()), "{line}");
        Value::from(["setup", "moves", "scores"].map(|key| game[key].clone()).to_vec())
    };
    games.lines().map(essence).collect()
}

#[test]
#[ignore = "it takes minutes: .ci/full runs it"]
fn bundles_play_as_their_origins() {
    if !has_python() {
        return;
    }
    let folder = folder("bundles");
    for (game, origin, seats) in
        [("awele", "awele best --hash 16", 2..=2), ("tron", "tron best", 2..=4)]
    {
        let output = bundle(&[game]);
        let program = compile(&output, &folder, game, &["-O"]);
        let length = stdout(&output).chars().count();
        println!("{game}: {length} characters");
        assert!(length < LIMIT);
        let bundled = shell_words::quote(program.to_str().unwrap()).into_owned();
        for seats in seats {
            let expected = games(game, origin, "", seats, &folder);
            assert!(expected.len() >= 20 && expected.iter().all(|game| game[1].is_array()));
            assert_eq!(games(game, &bundled, "--nodes", seats, &folder), expected);
        }
    }
}

/// Each strategy compiles.
#[test]
#[ignore = "it takes a minute: .ci/full runs it"]
fn every_strategy_can_be_bundled() {
    if !has_python() {
        return;
    }
    let folder = folder("bundled strategies");
    let strategies = [
        ("awele", ["best", "alpha-beta", "greedy"].as_slice()),
        ("tron", &["best", "wall-hugger", "breadth", "adaptive"]),
    ];
    for (game, strategies) in strategies {
        for strategy in strategies {
            let output = bundle(&[game, strategy]);
            compile(&output, &folder, &format!("{game}-{strategy}"), &["--emit", "metadata"]);
            println!("{game} {strategy}: {}", stderr(&output).trim());
        }
    }
}
