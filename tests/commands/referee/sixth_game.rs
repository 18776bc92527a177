//! The game and the bot that `examples/tictactoe.rs` adds to the registry.

use arbitre_test_support::command::{folder, program, remove_results, script, stderr, stdout};
use arbitre_test_support::pages::document;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the example in a folder.
fn run_in(folder: &Path, words: &[&str]) -> Output {
    // Beside the programs, where `cargo test` builds it.
    let example = program("referee").with_file_name("examples").join("tictactoe");
    let mut command = Command::new(example);
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command.output().expect("the example is built")
}

/// Plays 18 games, one from each start on each seat. Returns their table and their export.
fn games(folder: &Path, db: &str, words: &[&str]) -> [String; 2] {
    remove_results(folder.join(db));
    let match_of = ["--games", "18", "--seed", "5", "--db", db];
    let played = run_in(folder, &[words, &match_of].concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let verified = run_in(folder, &["verify", "--allow-rules", "--db", db]);
    assert!(verified.status.success(), "{}", stderr(&verified));
    [played, run_in(folder, &["export", "--db", db])].map(|output| stdout(&output))
}

#[test]
fn sixth_game_is_played_as_the_five() {
    let folder = folder("sixth-game");
    let [table, own] = games(&folder, "own.db", &["tictactoe", "tictactoe"]);
    assert_eq!(own.lines().count(), 18);
    let elsewhere = format!(
        "'{}' arena step tictactoe",
        program("referee").with_file_name("examples").join("tictactoe").display()
    );
    let bots = ["tictactoe", "tictactoe", "--external", &elsewhere];
    assert_eq!(own, games(&folder, "elsewhere.db", &bots)[1], "rules in another process");
    // Both seats play alike, so that the first cell decides.
    assert!(table.contains("tictactoe         9  50.0"), "{table}");
    let page = run_in(&folder, &["replay", "0", "--db", "own.db", "--output", "game.html"]);
    assert!(page.status.success(), "{}", stderr(&page));
    let page = std::fs::read_to_string(folder.join("game.html")).unwrap();
    let board = &document(&page)["board"];
    assert_eq!(board["shape"], "picture");
    let kinds = board["kinds"].as_array().unwrap().iter();
    let texts: Vec<&str> = kinds.map(|kind| kind["text"].as_str().unwrap()).collect();
    assert!(texts.iter().all(|text| text.len() == 9 && text.contains('x')), "{texts:?}");
    let listed = stdout(&run_in(&folder, &["games"]));
    assert!(listed.contains("three cells in a row win"), "{listed}");
}

#[test]
fn faults_in_the_sixth_game_are_named() {
    let folder = folder("sixth-game-faults");
    // No cell, and one that is taken by the second move.
    for (answer, fault) in [("9", "invalid"), ("0", "illegal")] {
        let bot = format!(
            "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo {answer};; esac; \
             done"
        );
        let bot = script(&folder, "wrong", &bot);
        let (bot, db) = (format!("'{}'", bot.display()), format!("{fault}.db"));
        remove_results(folder.join(&db));
        let played = run_in(&folder, &[&bot, "tictactoe", "--games", "18", "--db", &db]);
        let expected = format!("faults of wrong: 18 {fault}");
        assert!(stdout(&played).contains(&expected), "{}{}", stdout(&played), stderr(&played));
    }
    let refused = run_in(&folder, &["tictactoe", "tictactoe", "--rules", "large"]);
    assert_eq!(stderr(&refused), "error: preset: expected standard, got 'large'\n");
}

#[test]
fn tournament_of_the_sixth_game_goes_on_without_a_broken_player() {
    let folder = folder("sixth-game-cup");
    let broken = script(&folder, "broken", "#!/bin/sh\nexit 3\n");
    let players = ["tictactoe", "tictactoe", &format!("'{}'", broken.display())];
    for (format, options) in [
        ("round-robin", "games = 18"),
        ("swiss", "rounds = 2"),
        ("knockout", "games = 4"),
        ("balanced", "games-per-player = 4"),
    ] {
        let mut text =
            format!("[tournament]\ngame = \"tictactoe\"\nformat = \"{format}\"\n{options}\n");
        for (name, command) in ["one", "two", "broken"].iter().zip(&players) {
            text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
        }
        std::fs::write(folder.join("cup.toml"), text).unwrap();
        remove_results(folder.join("cup.db"));
        // The second run finds nothing to play.
        for _ in 0..2 {
            let words = ["tournament", "cup.toml", "--json", "--db", "cup.db"];
            let output = run_in(&folder, &words);
            let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(standings["complete"], true, "{format}: {}", stderr(&output));
            let status = |at: usize| standings["standings"][at]["status"].clone();
            assert_eq!([0, 1, 2].map(status), ["ranked", "ranked", "not-started"], "{format}");
        }
        let report = ["report", "--db", "cup.db", "--output", "cup.html"];
        let report = run_in(&folder, &report);
        assert!(report.status.success(), "{format}: {}", stderr(&report));
    }
}
