//! The game and the bot that `examples/tictactoe.rs` adds to the registry.

use arbitre_test_support::command::{folder, program, remove_results, script, stderr, stdout};
use arbitre_test_support::pages::document;
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
