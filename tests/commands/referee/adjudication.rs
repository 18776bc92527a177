//! Adjudicated matches, as users see them.

use arbitre_test_support::command;

use command::{folder, json, run, script, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a match file that does not exist yet.
fn fresh_db(name: &str) -> PathBuf {
    let db = folder("adjudicated").join(format!("{name}.db"));
    arbitre_test_support::command::remove_results(&db);
    db
}

/// Returns the output of a successful command on a match file.
fn ask(db: &Path, words: &[&str]) -> String {
    let output = run(&[words, &["--db", &db.to_string_lossy()]].concat());
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

fn games(db: &Path) -> Vec<Value> {
    ask(db, &["export"]).lines().map(json).collect()
}

const PLAYERS: [&str; 2] = ["a=awele alpha-beta --depth 3", "b=awele random"];

/// A match that was interrupted and continued is the match that was played at once. Its games are
/// whole to `verify`, `show` and `rerun`, and all documents name the reason for the end.
#[test]
fn adjudicated_match_is_stored_resumed_and_verified() {
    let (db, whole) = (fresh_db("resumed"), fresh_db("whole"));
    let rules = "max-plies=30,resign=2,resign-score=600";
    let base = [&PLAYERS[..], &["--seed", "5", "--adjudicate", rules]].concat();
    ask(&db, &[&base[..], &["--games", "6"]].concat());
    ask(&db, &["--resume", "--games", "10"]);
    ask(&db, &[&PLAYERS[..], &["--resume", "--games", "12"]].concat());
    ask(&db, &[&base[..], &["--resume", "--games", "12"]].concat());
    ask(&whole, &[&base[..], &["--games", "12"]].concat());
    assert_eq!(ask(&db, &["export"]), ask(&whole, &["export"]));
    let long = games(&db).into_iter().filter(|game| game["ending"] == "max-plies");
    let lengths: Vec<usize> = long.map(|game| game["moves"].as_array().unwrap().len()).collect();
    assert!(lengths.len() > 3 && lengths.iter().all(|length| *length == 30), "{lengths:?}");
    ask(&db, &["verify"]);
    let number = games(&db).iter().position(|game| game["ending"] == "max-plies").unwrap();
    let number = number.to_string();
    let shown = ask(&db, &["show", &number]);
    assert!(shown.contains(", adjudicated by max-plies, after "), "{shown}");
    assert!(ask(&db, &["rerun", &number]).contains("the same game as before, move for move"));
    let pgn = ask(&db, &["export", "--format", "pgn"]);
    assert_eq!(
        pgn.matches("[Termination \"adjudication\"]").count(),
        pgn.matches("[Adjudication ").count()
    );
    assert!(pgn.matches("[Adjudication \"max-plies\"]").count() > 3, "{pgn}");
    assert!(ask(&db, &["export", "--format", "csv"]).contains(",max-plies,30,"));
    for (words, code, part) in [
        (&["--resume", "--adjudicate", "majority"][..], 2, "expected no --adjudicate beside"),
        (
            &[PLAYERS[0], PLAYERS[1], "--resume", "--adjudicate", "majority"],
            4,
            "its adjudication is max-plies=30,resign=2,resign-score=600, not majority",
        ),
    ] {
        let output = run(&[words, &["--db", &db.to_string_lossy()]].concat());
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        assert!(stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    }
}

/// A bot that plays the first legal move and always says the same.
fn says(folder: &Path, name: &str, said: &str) -> String {
    let text = format!(
        "#!/bin/sh\nwhile read word first rest; do\n    case $word in\n        \
         begin) echo 'ready x again' ;;\n        legal) move=$first ;;\n        \
         go) echo \"$move # {said}\" ;;\n    esac\ndone\n"
    );
    format!("{name}='{}'", script(folder, name, &text).display())
}

#[test]
fn scores_of_programs_end_games() {
    // A file of a match beside the programs would count as a part of them.
    let folder = folder("adjudicated bots");
    let bots = [("level", "score 0"), ("lost", "score -9.5"), ("won", "score 9 depth 2")];
    let [level, lost, won] = bots.map(|(name, said)| says(&folder, name, said));
    let rules = "draw=4,draw-from=6,resign=5,resign-score=9";
    let base = ["--game", "awele", "--adjudicate", rules, "--games", "2", "--move-time", "30s"];
    for (players, ending, plies, ranks) in [
        ([&level, &level], "draw", 10, [[1, 1], [1, 1]]),
        ([&lost, &won], "resign", 5, [[2, 1], [1, 2]]),
    ] {
        let db = fresh_db(ending);
        let words = [&players.map(String::as_str)[..], &base].concat();
        ask(&db, &words);
        let games = games(&db);
        for (game, ranks) in games.iter().zip(ranks) {
            assert_eq!(game["ending"], ending);
            assert_eq!(game["moves"].as_array().unwrap().len(), plies);
            assert_eq!(game["ranks"], Value::from(ranks.to_vec()));
        }
        assert_eq!(games.len(), 2);
        ask(&db, &["verify"]);
    }
}

/// Random bots of every game play the same moves with the rule, to an earlier end, and the same
/// players win.
#[test]
fn majority_changes_no_winner() {
    let mut shortened = 0;
    for (game, rules) in [
        ("awele", "abapa"),
        ("tron", "size=12x10"),
        ("seven-colors", "size=12x12"),
        ("seven-colors", "filler"),
        ("seven-colors", "gamos,size=12x12"),
    ] {
        let bot = format!("{game} random");
        let base = [&*bot, &bot, "--rules", rules, "--games", "60", "--seed", "3"];
        let (with, without) = (fresh_db("with"), fresh_db("without"));
        ask(&with, &[&base[..], &["--adjudicate", "majority"]].concat());
        ask(&without, &base);
        ask(&with, &["verify"]);
        let (with, without) = (games(&with), games(&without));
        assert_eq!((with.len(), without.len()), (60, 60));
        for (with, without) in with.iter().zip(&without) {
            assert_eq!(with["ranks"], without["ranks"], "{with}\n{without}");
            let [early, late] = [with, without].map(|game| game["moves"].as_array().unwrap());
            assert!(late.starts_with(early), "{with}\n{without}");
            let is_early = early.len() < late.len();
            assert_eq!(with["ending"], if is_early { "majority" } else { "rules" });
            shortened += u32::from(is_early);
        }
    }
    assert!(shortened > 20, "{shortened} games ended early");
}

#[test]
fn tournament_file_has_a_table_of_rules() {
    let folder = folder("adjudicated tournament");
    let file = folder.join("class.toml");
    let write = |rules: &str| {
        fs::write(
            &file,
            format!(
                "[tournament]\nseed = 4\ngames = 2\nadjudicate = {rules}\n\n\
                 [[player]]\nname = \"a\"\ncommand = \"awele greedy\"\n\n\
                 [[player]]\nname = \"b\"\ncommand = \"awele random\"\n"
            ),
        )
        .unwrap();
    };
    for rules in ["{ max-plies = 9, majority = true }", "\"max-plies=9,majority\""] {
        write(rules);
        let db = fresh_db("tournament");
        ask(&db, &["tournament", &file.to_string_lossy()]);
        let games = games(&db);
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game["ending"] == "max-plies"), "{games:?}");
        // Continued with the same file, it is the same tournament.
        ask(&db, &["tournament", &file.to_string_lossy()]);
        ask(&db, &["verify"]);
        write("{ max-plies = 8 }");
        let words = ["tournament", &file.to_string_lossy(), "--db", &db.to_string_lossy()];
        let output = run(&words);
        assert!(
            stderr(&output).contains("its adjudication is max-plies=9,majority, not"),
            "{}",
            stderr(&output)
        );
    }
    write("{ max-plys = 8 }");
    let output = run(&["tournament", &file.to_string_lossy()]);
    let error = stderr(&output);
    assert!(
        error.contains("class.toml:4:14: adjudicate: ")
            && error.contains("did you mean max-plies?"),
        "{error}"
    );
}
