//! Games found by player, result and fault, and the reasons for their ends.

use arbitre_test_support::command;

use command::{folder, json, run, script, stderr, stdout};
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a bot that plays the first legal move until turn `at`, and then runs `instead`.
fn bot(folder: &Path, name: &str, at: usize, instead: &str) -> String {
    let text = format!(
        "#!/bin/sh\nn=0\nwhile read word first rest; do\n    case $word in\n        \
         begin) echo 'ready {name}' ;;\n        legal) move=$first ;;\n        \
         go) n=$((n+1)); if [ $n = {at} ]; then {instead}; else echo \"$move\"; fi ;;\n    \
         esac\ndone\n"
    );
    format!("{name}='{}'", script(folder, name, &text).display())
}

fn fresh(folder: &Path, name: &str) -> PathBuf {
    let db = folder.join(name);
    arbitre_test_support::command::remove_results(&db);
    db
}

fn with_db(db: &Path, words: &[&str]) -> String {
    let output = run(&[words, &["--db", &db.to_string_lossy()]].concat());
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

/// Returns the numbers of the games that a command lists, from its table and from its documents.
fn listed(db: &Path, words: &[&str]) -> Vec<u64> {
    let words = [&["list"], words].concat();
    let text = with_db(db, &words);
    let rows = text.lines().skip(1).map(|row| row.split_whitespace().next().unwrap().parse());
    let rows: Vec<u64> = rows.map(|number| number.expect("a number")).collect();
    let documents = with_db(db, &[&words[..], &["--json"]].concat());
    let numbers: Vec<u64> =
        documents.lines().map(|line| json(line)["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers, rows);
    rows
}

/// Compares each filter with a count over all documents.
#[test]
fn games_are_found_by_player_result_and_fault() {
    let folder = folder("found");
    let db = fresh(&folder, "found.db");
    let (ada, bob) = (bot(&folder, "ada", 3, "echo 9"), bot(&folder, "bob", 5, "exit 3"));
    let players = [&ada, &bob, "greedy=awele greedy", "weak=awele random"];
    let limits = ["--games", "4", "--seed", "5", "--move-time", "20s", "--rules", "max-plies=30"];
    with_db(&db, &[&players[..], &limits].concat());
    let documents = with_db(&db, &["list", "--games", "--json"]);
    let games: Vec<Value> = documents.lines().map(json).collect();
    assert_eq!(games.len(), 24);
    let numbers = |is: &dyn Fn(&Value) -> bool| -> Vec<u64> {
        games.iter().filter(|game| is(game)).map(|game| game["game"].as_u64().unwrap()).collect()
    };
    let seat = |game: &Value, name: &str| {
        game["players"].as_array().unwrap().iter().position(|player| player == name)
    };
    let rank = |game: &Value, name: &str| {
        seat(game, name).map(|seat| game["ranks"][seat].as_u64().unwrap())
    };
    let faults = |game: &Value, name: &str, word: &str| {
        let faults = game["faults"].as_array().unwrap();
        faults
            .iter()
            .any(|fault| fault["fault"] == word && (name.is_empty() || fault["player"] == name))
    };
    let is_draw = |game: &Value| game["ranks"] == json!([1, 1]);
    let mut sizes = Vec::new();
    let mut compare = |words: &[&str], is: &dyn Fn(&Value) -> bool| {
        let expected = numbers(is);
        assert_eq!(listed(&db, words), expected, "{words:?}");
        sizes.push(expected.len());
    };
    compare(&["--player", "ada"], &|game| seat(game, "ada").is_some());
    compare(&["--player", "ada", "--lost"], &|game| rank(game, "ada") == Some(2));
    compare(&["--player", "weak", "--won"], &|game| {
        rank(game, "weak") == Some(1) && !is_draw(game)
    });
    compare(&["--player", "weak", "--drawn"], &|game| {
        seat(game, "weak").is_some() && is_draw(game)
    });
    compare(&["--fault", "crash"], &|game| faults(game, "", "crash"));
    // Games in which the opponent crashed are not meant.
    compare(&["--player", "weak", "--fault", "crash"], &|game| faults(game, "weak", "crash"));
    compare(&["--player", "bob", "--fault", "crash", "--lost"], &|game| {
        faults(game, "bob", "crash")
    });
    compare(&["--player", "ada", "--faults"], &|game| faults(game, "ada", "invalid"));
    assert_eq!((sizes[0], sizes[5]), (12, 0));
    assert!(sizes[1] > 0 && sizes[2] > 0 && sizes[4] > 0 && sizes[7] > 0, "{sizes:?}");

    let shown = |game: &str| json(&with_db(&db, &["show", game, "--json"]))["game"].clone();
    assert_eq!(shown("last"), 23);
    let first = numbers(&|game| !game["faults"].as_array().unwrap().is_empty())[0];
    assert_eq!(shown("first-fault"), first);
    let again = json(&with_db(&db, &["rerun", "last", "--json", "--no-sandbox"]));
    assert_eq!(again["round"], games[23]["round"]);
}

/// An edited program is a new version, which `--player` names too.
#[test]
fn games_of_earlier_versions_are_found() {
    // The folder of a program is part of it, so the results lie elsewhere.
    let db = fresh(&folder("found"), "versions.db");
    let folder = folder("found versions");
    let limits = ["--games", "2", "--move-time", "20s", "--rules", "max-plies=10"];
    let ada = bot(&folder, "ada", 0, ":");
    with_db(&db, &[&[&ada[..], "weak=awele random"], &limits[..]].concat());
    bot(&folder, "ada", 0, "exit");
    with_db(&db, &["--resume"]);
    let current = listed(&db, &["--player", "ada"]);
    let all = listed(&db, &["--player", "ada", "--all-versions"]);
    assert_eq!((current.len(), all.len()), (2, 4), "{current:?} {all:?}");
    assert_eq!(listed(&db, &["--player", "ada@1", "--all-versions"]).len(), 2);
}

/// Returns the last lines of the transcript: the reasons.
fn reasons(db: &Path, game: &str) -> Vec<String> {
    let text = with_db(db, &["show", game]);
    let brief = with_db(db, &["show", game, "--brief"]);
    let end = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.starts_with("ended by "));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    assert_eq!(end(&text), end(&brief));
    end(&text)
}

/// Seat 0 starts in the upper left corner, seat 1 two cells to its right.
const GRID: &str = "size 6 3; start 0 0 0; start 1 2 0";

/// Plays Tron from a fixed start between two bots that play these moves and then exit, and returns
/// the file. A bot without moves never answers.
fn tron(folder: &Path, name: &str, ada_moves: &str, bob_moves: &str) -> PathBuf {
    let db = fresh(folder, &format!("{name}.db"));
    let openings = folder.join("starts.txt");
    fs::write(&openings, format!("{GRID}\n")).unwrap();
    let player = |name: &str, moves: &str| {
        let idle = if moves.is_empty() { "sleep 9" } else { "exit" };
        let text = format!(
            "#!/bin/sh\nset -- {moves}\nwhile read word rest; do\n    case $word in\n        \
             begin) echo 'ready {name}' ;;\n        \
             go) if [ $# = 0 ]; then {idle}; fi; echo \"$1\"; shift ;;\n    esac\ndone\n"
        );
        format!("{name}='{}'", script(folder, name, &text).display())
    };
    let (ada, bob) = (player("ada", ada_moves), player("bob", bob_moves));
    let openings = openings.to_string_lossy();
    let words = ["--game", "tron", "--rules", "size=6x3", "--games", "2", "--openings", &openings];
    // A generous limit, unless a bot is to exceed it.
    let time = if [ada_moves, bob_moves].contains(&"") { "300ms" } else { "20s" };
    let limits = ["--first-move-time", time, "--move-time", time];
    with_db(&db, &[&[&ada[..], &bob], &words[..], &limits[..]].concat());
    db
}

#[test]
fn tron_names_why_each_player_is_out() {
    let folder = folder("reasons");
    let cases = [
        ("wall", "UP", "RIGHT", "a fault: illegal", "ada is out after 0 moves: hit a wall"),
        (
            "own",
            "DOWN UP",
            "RIGHT",
            "a fault: illegal",
            "ada is out after 2 moves: hit its own trail",
        ),
        (
            "other",
            "RIGHT RIGHT",
            "DOWN",
            "a fault: illegal",
            "ada is out after 2 moves: hit the trail of bob",
        ),
        (
            "head-on",
            "RIGHT RIGHT",
            "LEFT",
            "a fault: illegal",
            "bob is out after 1 move: ran head-on into ada",
        ),
        (
            "walled in",
            "DOWN RIGHT UP",
            "DOWN DOWN LEFT",
            "the rules: one player is left",
            "ada is out after 6 moves: walled in",
        ),
        ("slow", "", "RIGHT", "a fault: timeout", "ada is out after 0 moves: timeout of 300ms"),
    ];
    for (name, ada, bob, end, out) in cases {
        let db = tron(&folder, name, ada, bob);
        assert_eq!(reasons(&db, "0"), [format!("ended by {end}"), out.into()], "{name}");
    }
}

#[test]
fn last_picture_of_tron_keeps_the_loser() {
    let folder = folder("last picture");
    let db = tron(&folder, "walled", "DOWN RIGHT UP", "DOWN DOWN LEFT");
    let text = with_db(&db, &["show", "0"]);
    let last = text.rsplit("+------+\n").nth(1).unwrap();
    let rows: Vec<&str> = last.lines().filter_map(|line| line.split('|').nth(1)).collect();
    assert_eq!(rows, ["0A1...", "001...", ".B1..."], "{text}");
    assert!(text.contains("A ada (out)"), "{text}");
    let document = json(&with_db(&db, &["show", "0", "--json"]));
    assert_eq!(document["end_reason"], "one player is left");
    let out = json!([{"player": "ada", "seat": 0, "moves": 6, "reason": "walled in"}]);
    assert_eq!(document["out"], out);
    assert_eq!(document["ending"], "rules");
}

#[test]
fn other_games_name_the_rule_that_ended_them() {
    let folder = folder("rules end");
    for (game, rules, bot, part) in [
        ("awele", "max-plies=20", "awele random", "the largest number of plies was played"),
        ("taquin", "max-moves=5", "taquin random", "the largest number of moves was played"),
        ("hextris", "small", "hextris random", "the next unit finds no room"),
        ("seven-colors", "size=6x6", "seven-colors greedy", "more than half of the cells"),
    ] {
        let db = fresh(&folder, &format!("{game}.db"));
        let second = format!("second={bot}");
        with_db(&db, &[bot, &second, "--games", "2", "--rules", rules, "--seed", "3"]);
        let found = reasons(&db, "0");
        assert!(
            found[0].starts_with("ended by the rules: ") && found[0].contains(part),
            "{found:?}"
        );
        let is_out = found.get(1).map(|line| line.ends_with(" is out: did not solve the board"));
        assert_eq!(is_out, (game == "taquin").then_some(true), "{game}: {found:?}");
    }
}
