//! A player that starts in its trial only, in every format.

use crate::tournament::harness::{player, Folder, CALM};
use arbitre_test_support::command::SHELL_BOT;
use serde_json::Value;

/// Formats with their options, the number of games that count, and the status of the player that
/// fails to start in its first three games.
const FORMATS: [(&str, &str, Option<u64>, &str); 8] = [
    ("round-robin", "games = 4", Some(12), "struck"),
    ("gauntlet", "games = 8", Some(16), "struck"),
    ("gauntlet", "games = 16\nsprt = \"elo0=0,elo1=40\"", Some(32), "struck"),
    // Each of the others has eight.
    ("balanced", "games-per-player = 8", Some(12), "struck"),
    ("swiss", "rounds = 3\ngames = 4", None, "struck"),
    ("knockout", "games = 4", None, "withdrawn"),
    ("double-knockout", "games = 4", None, "withdrawn"),
    ("ladder", "max-games = 70", None, "withdrawn"),
];

fn standings(folder: &Folder, format: &str, options: &str, concurrency: &str) -> Value {
    let bot = format!("#!/bin/sh\n[ -e started ] && exit 1\n: >started\n{SHELL_BOT}");
    folder.program("once", &bot);
    let players = ["ada", "bea", "zoe", "cleo"].map(|name| {
        let command = if name == "zoe" { "./once" } else { "awele greedy" };
        format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n")
    });
    folder.file(
        "cup.toml",
        &format!(
            "[tournament]\ngame = \"awele\"\nseed = 7\nno-sandbox = true\n{CALM}\
             format = \"{format}\"\n{options}\n{}",
            players.concat()
        ),
    );
    folder.standings(&["--concurrency", concurrency])
}

#[test]
fn player_fails_to_start_after_its_trial() {
    for (number, (format, options, count, status)) in FORMATS.into_iter().enumerate() {
        let folder = Folder::new(&format!("fails {number}"));
        let found = standings(&folder, format, options, "1");
        let zoe = player(&found, "zoe");
        let number = |of: &Value, key: &str| of[key].as_f64().unwrap_or_else(|| panic!("{of}"));
        assert_eq!(
            (&zoe["status"], &found["complete"]),
            (&status.into(), &true.into()),
            "{format}"
        );
        assert_eq!(zoe["faults"]["crash"], 3, "{format}: {found}");
        if let Some(count) = count {
            assert_eq!(found["games"], count, "{format}: {found}");
        }
        if status == "struck" {
            assert_eq!((&zoe["games"], &zoe["rank"]), (&0.into(), &Value::Null), "{format}");
        } else {
            // Its three games stay, and their winners keep the points.
            assert!(number(zoe, "games") >= 3.0 && number(zoe, "points") == 0.0, "{format}: {zoe}");
        }
        if format == "swiss" {
            // The opponent of each of three rounds, or a bye, is worth four points.
            let points = |name: &str| number(player(&found, name), "points");
            let sum: f64 = ["ada", "bea", "cleo"].map(points).iter().sum();
            assert_eq!(sum, 3.0 * 8.0, "{found}");
            let games = |name: &str| number(player(&found, name), "games");
            assert_eq!(["ada", "bea", "cleo"].map(games).iter().sum::<f64>(), 24.0, "{found}");
        }
        std::fs::remove_file(folder.path("started")).unwrap();
        std::fs::remove_dir_all(folder.path(".arbitre")).unwrap();
        assert_eq!(standings(&folder, format, options, "3"), found, "{format}");
    }
}
