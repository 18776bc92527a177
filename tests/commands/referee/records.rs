//! Stored matches, as users see them: resume, list, show, rerun and export.

use arbitre_test_support::command;

use command::{folder, json, referee, run, script, stderr, stdout, SHELL_BOT};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const STRONG: &str = "strong=awele alpha-beta --depth 3";
const WEAK: &str = "weak=awele random";

/// Returns the path of a match file that does not exist yet.
fn fresh_db(name: &str) -> PathBuf {
    let db = folder("records").join(format!("{name}.db"));
    arbitre_test_support::command::remove_results(&db);
    db
}

/// Runs a command on a match file.
fn with_db(db: &Path, words: &[&str]) -> Output {
    run(&[words, &["--db", &db.to_string_lossy()]].concat())
}

fn play(db: &Path, words: &[&str]) -> Output {
    let output = with_db(db, &[words, &["--move-time", "30s"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

/// Returns the output of a successful command on a match file.
fn ask(db: &Path, words: &[&str]) -> String {
    let output = with_db(db, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

fn games(db: &Path) -> Vec<Value> {
    ask(db, &["export", "--times"]).lines().map(json).collect()
}

#[test]
fn a_match_can_be_listed_and_its_games_too() {
    let folder = folder("listed");
    let _ = fs::remove_dir_all(folder.join(".arbitre"));
    let here = |words: &[&str]| {
        let output = referee(words).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
        (stdout(&output), stderr(&output))
    };
    assert!(here(&["list"]).1.contains("no matches are stored"));
    let (text, _) = here(&[
        STRONG,
        "wrong=sh -c 'read a; echo ready x; sleep 0; echo z; read b'",
        "--games",
        "2",
    ]);
    let last = text.lines().last().unwrap();
    let file = last.strip_prefix("kept in ").unwrap_or_else(|| panic!("{text}"));
    assert!(file.starts_with(".arbitre/") && file.ends_with("-strong-wrong.db"), "{file}");
    here(&[STRONG, WEAK, "--games", "4"]);
    let (list, _) = here(&["list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[1].contains("4 of 4") && lines[2].contains("-strong-weak"), "{list}");
    assert!(
        lines[3].contains("2 of 2") && lines[4].contains(file),
        "the newest match comes first: {list}"
    );
    let document = json(here(&["list", "--json"]).0.lines().next().unwrap());
    assert_eq!(document["players"][0]["command"], "awele alpha-beta --depth 3");
    assert_eq!((&document["games"], &document["asked"]), (&4.into(), &4.into()));
    let (newest, _) = here(&["list", "--games"]);
    assert_eq!(newest.lines().count(), 5, "a line for each game: {newest}");
    assert_eq!(here(&["list", "--faults"]).0.lines().count(), 1);
    let (faults, _) = here(&["list", "--faults", "--db", file]);
    assert!(faults.contains("invalid of wrong"), "{faults}");
    assert_eq!(fs::read_to_string(folder.join(".arbitre/.gitignore")).unwrap(), "*\n");
}

#[test]
fn a_game_is_shown_move_by_move() {
    let db = fresh_db("shown");
    play(&db, &[STRONG, WEAK, "--games", "2", "--seed", "7"]);
    let text = ask(&db, &["show", "1"]);
    for part in [
        "game 1 of awele",
        "seat 0: weak  (awele random)",
        "seat 1: strong  (awele alpha-beta --depth 3)  said 'ready awele-alpha-beta terse again'",
        "starts from opening ",
        "# score ",
        "strong: 0",
        "strong wins",
    ] {
        assert!(text.contains(part), "'{part}' is not in:\n{text}");
    }
    let moves = games(&db)[1]["moves"].as_array().unwrap().len();
    assert_eq!(text.matches(" ms").count(), moves);
    assert_eq!(text.matches("  weak: ").count(), moves + 1, "a board for each move and the start");
    let brief = ask(&db, &["show", "1", "--brief"]);
    assert_eq!((brief.matches(" ms").count(), brief.contains("+--")), (moves, false));
    let board = ask(&db, &["show", "1", "--ply", "2"]);
    assert!(text.contains(&board) && board.lines().count() == 7, "{board}");
    let document = json(&ask(&db, &["show", "1", "--json"]));
    assert_eq!(document["moves"].as_array().unwrap().len(), moves);
    assert!(document["comments"]["1"].as_str().unwrap().contains("depth 3"));
}

/// Writes a bot that records each line before it answers. It sends `ready` with these words and
/// plays the first legal move, or 0 without a list. At turn `at` it sends `other` instead.
fn listener(folder: &Path, name: &str, ready: &str, at: usize, other: &str) -> (String, PathBuf) {
    let heard = folder.join(format!("{name}.heard"));
    let _ = fs::remove_file(&heard);
    let text = format!(
        r#"#!/bin/sh
n=0 move=0
while IFS= read -r line; do
    printf '%s\n' "$line" >> '{}'
    case $line in
        begin) echo 'ready {ready}' ;;
        legal*) set -- $line; move=$2 ;;
        go*) n=$((n+1)); if [ $n = {at} ]; then printf '{other}'; else echo "$move"; fi ;;
    esac
done
"#,
        heard.display()
    );
    let path = script(folder, name, &text);
    (format!("{name}='{}'", path.display()), heard)
}

/// The records hold the input of every seat to the last byte: of new and kept processes, on game
/// clocks, of bots that fail and of their winning opponents.
#[test]
fn recorded_input_is_exact() {
    let folder = folder("heard");
    let cases: [(&str, &str, usize, &str, &[&str]); 7] = [
        ("fresh", "x # hello", 0, "", &["--move-time", "30s"]),
        ("kept", "x again", 0, "", &["--tc", "100+0.5"]),
        ("failing", "x", 5, "wrong\\n", &["--tc", "100"]),
        ("kept-failing", "x again", 30, "7\\n", &["--tc", "100+1"]),
        ("unasked", "x", 3, "$move\\n1\\n", &["--tc", "100+1"]),
        ("leaving", "x", 2, "'; exit 3; echo '", &["--move-time", "30s"]),
        ("terse", "x again terse", 2, "wrong\\n", &["--depth", "3"]),
    ];
    for (case, ready, at, other, limit) in cases {
        let (bot, heard) = listener(&folder, case, ready, at, other);
        let db = fresh_db(case);
        let words = [&bot, WEAK, "--games", "6", "--rules", "max-plies=40", "--concurrency", "1"];
        let open = ["--allow-write", folder.to_str().unwrap()];
        let output = with_db(&db, &[&words[..], limit, &open].concat());
        assert_eq!(output.status.code(), Some(0), "{case}: {}", stderr(&output));
        let seats = games(&db).into_iter().map(|game| {
            let is_bot = |player: &Value| player == case;
            game["players"].as_array().unwrap().iter().position(is_bot).unwrap().to_string()
        });
        let sent = seats
            .enumerate()
            .map(|(game, seat)| ask(&db, &["show", &game.to_string(), "--input", &seat]));
        let sent: String = sent.collect();
        let heard = fs::read_to_string(heard).unwrap();
        // The first of seven conversations is the trial before the match.
        let trial = heard.find("game awele").unwrap();
        let first = heard[trial + 1..].find("game awele").unwrap() + trial + 1;
        // The words `arbitre 1` stand before the game where its process was not kept.
        let first = heard[..first].strip_suffix("arbitre 1\n").map_or(first, str::len);
        let heard = &heard[first..];
        assert_eq!(sent, heard, "{case}");
        assert_eq!(heard.contains("state "), case != "terse", "{case}");
        assert_eq!(heard.matches("\nbegin\n").count(), 6, "{case}: {heard}");
        ask(&db, &["verify"]);
    }
}

/// `referee show … --input SEAT --fresh | ./bot` repeats the game of the bot.
#[test]
fn bot_repeats_its_answers_to_the_recorded_input() {
    let db = fresh_db("answers");
    play(&db, &[STRONG, WEAK, "--games", "4", "--seed", "2", "--concurrency", "1"]);
    let kept = with_db(&db, &["show", "3", "--input", "1"]);
    assert!(stderr(&kept).contains("--fresh"), "a kept bot never heard the first line");
    assert!(stdout(&kept).starts_with("game awele"));
    let input = ask(&db, &["show", "3", "--input", "1", "--fresh"]);
    assert!(input.starts_with("arbitre 1\ngame awele"), "{input}");
    let path = folder("records").join("input.txt");
    fs::write(&path, input).unwrap();
    let bot = Command::new(env!("CARGO_BIN_EXE_awele"))
        .args(["alpha-beta", "--depth", "3"])
        .stdin(fs::File::open(path).unwrap())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let said = stdout(&bot);
    let said = said.lines().skip(1).map(|line| line.split(' ').next().unwrap());
    let game = &games(&db)[3];
    let own = game["moves"].as_array().unwrap().iter().zip(game["movers"].as_array().unwrap());
    let own = own.filter(|(_, mover)| **mover == 1).map(|(mv, _)| mv.as_str().unwrap());
    assert_eq!(said.collect::<Vec<_>>(), own.collect::<Vec<_>>());
}

#[test]
fn game_can_be_rerun_with_other_players() {
    let db = fresh_db("again");
    play(&db, &[STRONG, WEAK, "--games", "4", "--seed", "3"]);
    let same = ask(&db, &["rerun", "2", "--brief"]);
    assert!(same.ends_with("the same game as before, move for move\n"), "{same}");
    let other = ask(&db, &["rerun", "2", "--brief", "--replace", "1=awele greedy"]);
    assert!(other.contains("another game than before from move 2: "), "{other}");
    assert!(other.contains("seat 1: awele greedy  (awele greedy)"), "{other}");
    let named = ask(&db, &["rerun", "2", "--json", "--replace", "0=strong[depth=1]=awele"]);
    let document = json(&named);
    assert_eq!(document["players"], serde_json::json!(["strong", "weak"]));
    assert!(document["differs_at"].is_u64(), "{document}");
    let absent = with_db(&db, &["rerun", "2", "--replace", "0=sh -c 'exit 3'"]);
    assert_eq!(absent.status.code(), Some(3), "{}", stderr(&absent));
}

#[test]
fn exports_contain_the_requested_fields() {
    let db = fresh_db("exports");
    play(&db, &[STRONG, "wrong=sh -c 'read a; echo ready x; echo =z; read b'", "--games", "2"]);
    let bare = ask(&db, &["export", "--format", "jsonl"]);
    let game = json(bare.lines().next().unwrap());
    for key in [
        "round", "rotation", "setup", "players", "versions", "dialects", "limits", "scores",
        "ranks", "ending", "moves", "movers", "faults",
    ] {
        assert!(game.get(key).is_some(), "{key}: {game}");
    }
    assert!(game.get("game").is_none(), "a number depends on the order of the games: {game}");
    for key in ["seconds", "times_ms", "comments", "stderr"] {
        assert!(game.get(key).is_none(), "{key}: {game}");
        assert!(games(&db)[0].get(key).is_some(), "{key}");
    }
    let csv = ask(&db, &["export", "--format", "csv"]);
    assert!(csv.starts_with("round,rotation,setup,player0,player1,version0,version1,dialect0,"));
    assert_eq!(csv.lines().count(), 3);
    assert!(csv.contains("invalid of wrong"), "{csv}");
    let pgn = ask(&db, &["export", "--format", "pgn"]);
    assert_eq!(pgn.matches("[White \"").count(), 2);
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("[Result \"0-1\"]"), "{pgn}");
    assert!(pgn.contains("[Termination \"rules infraction\"]"), "{pgn}");
    assert!(pgn.contains("[Date \"????.??.??\"]"), "{pgn}");
    let dated = ask(&db, &["export", "--format", "pgn", "--times"]);
    assert!(!dated.contains("[Date \"?"), "{dated}");
}

#[test]
fn unmet_condition_sets_the_exit_code() {
    let required = |conditions: &[&str]| {
        let mut words = vec![STRONG, WEAK, "--games", "8", "--seed", "1", "--db", ":memory:"];
        conditions.iter().for_each(|condition| words.extend(["--require", condition]));
        let output = run(&words);
        (output.status.code(), stderr(&output), stdout(&output))
    };
    let (code, _, text) = required(&["score>=0.7", "weak.score<0.3", "weak.faults=0"]);
    assert_eq!(code, Some(0));
    assert!(!text.contains("kept in"), "no file is kept: {text}");
    for (conditions, part) in [
        (&["score>0.5", "faults>0"][..], "expected faults>0, got faults 0"),
        (&["llr>0"], "got games that do not determine llr"),
        (&["weak.los>0.5"], "expected weak.los>0.5, got los 0."),
    ] {
        let (code, error, text) = required(conditions);
        assert_eq!(code, Some(1), "{conditions:?}");
        assert!(error.contains(part), "{error}");
        assert!(text.contains("weak  "), "the table is still shown: {text}");
    }
    assert_eq!(required(&["bob.wins>0"]).0, Some(2));
}

#[test]
fn resumed_match_keeps_its_settings() {
    let db = fresh_db("agreed");
    play(&db, &[STRONG, WEAK, "--games", "4", "--seed", "5"]);
    let short = ask(&db, &["export"]);
    let again = play(&db, &[STRONG, WEAK, "--games", "4", "--resume"]);
    assert!(stdout(&again).contains("(4 of these are in "), "{}", stdout(&again));
    assert_eq!(ask(&db, &["export"]), short, "no game was left to play");
    // More games of the same match, with and without its players.
    play(&db, &[STRONG, WEAK, "--games", "8", "--resume"]);
    let output = with_db(&db, &["--resume", "--games", "10"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let long = ask(&db, &["export"]);
    assert!(long.starts_with(&short) && long.lines().count() == 10, "{long}");
    let whole = fresh_db("agreed-whole");
    play(&whole, &[STRONG, WEAK, "--games", "10", "--seed", "5"]);
    assert_eq!(ask(&whole, &["export"]), long);
    for (words, code, part) in [
        (&["--resume", "--seed", "5"][..], 2, "expected no --seed beside --resume"),
        (&["--resume", "--depth", "5"], 2, "expected no limit beside --resume"),
        (&["--resume", "--games", "9"], 4, "expected at least its 10 games"),
        (&[STRONG, WEAK, "--resume", "--seed", "6"], 4, "its seed is 5, not 6"),
        (&[STRONG, WEAK, "--resume", "--rules", "abapa"], 4, "its list of rules is"),
        (&[STRONG, WEAK, "--resume", "--openings", "2"], 4, "drawn, 8 plies, not drawn, 2 plies"),
        (&[STRONG, WEAK, "--resume", "--sprt", "elo1=9"], 4, "its test is none, not elo0=0"),
        (&[STRONG, WEAK, "--resume", "--seats", "1"], 2, "expected 2 seats, got 1"),
        (&[STRONG, WEAK], 4, "already holds a match"),
    ] {
        let output = with_db(&db, words);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(part), "{words:?}: {error}");
    }
    assert_eq!(ask(&db, &["export"]), long, "the file is unchanged");
}

#[test]
fn versions_of_a_program_are_distinguished() {
    let (db, folder) = (fresh_db("changed"), folder("changed"));
    let bot = script(&folder, "bot", SHELL_BOT);
    let bot = format!("bot='{}'", bot.display());
    play(&db, &[&bot, WEAK, "--games", "2", "--rules", "max-plies=9"]);
    script(&folder, "bot", &format!("{SHELL_BOT}# changed\n"));
    let output = with_db(&db, &["--resume", "--games", "4"]);
    assert!(
        stderr(&output).contains("bot is another version than in its 2 games so far"),
        "{}",
        stderr(&output)
    );
    let listed = run(&["list", "--json", "--db", &db.to_string_lossy()]);
    let versions = |player: usize| json(&stdout(&listed))["players"][player]["versions"].clone();
    assert_eq!(versions(0).as_array().unwrap().len(), 2, "{}", versions(0));
    assert_eq!(versions(1).as_array().unwrap().len(), 1, "{}", versions(1));
}

/// The sequential test ends with the same game at any concurrency, and the file is the same.
#[test]
fn a_sequential_test_ends_at_the_same_pair_at_any_concurrency() {
    let mut exports = Vec::new();
    for concurrency in ["1", "2", "5"] {
        let db = fresh_db(&format!("sprt-{concurrency}"));
        let words = ["shallow=awele alpha-beta --depth 2", WEAK, "--seed", "4", "--json"];
        let test = ["--sprt", "elo0=0,elo1=60", "--concurrency", concurrency];
        let output = play(&db, &[&words[..], &test].concat());
        let document = json(&stdout(&output));
        assert_eq!(document["sprt"]["accepted"], "H1", "{document}");
        assert_eq!(document["complete"], true);
        let llr = document["sprt"]["llr"].as_f64().unwrap();
        assert!(llr >= document["sprt"]["upper"].as_f64().unwrap());
        let games = document["games"].as_u64().unwrap();
        assert!(games < 1000 && games.is_multiple_of(2), "{games} games");
        exports.push(ask(&db, &["export"]));
        assert_eq!(exports[0].lines().count() as u64, games);
        // A decided test needs no more games.
        let again = with_db(&db, &["--resume", "--json"]);
        assert_eq!(json(&stdout(&again))["games"], games);
        ask(&db, &["verify"]);
    }
    assert_eq!(exports[0], exports[1]);
    assert_eq!(exports[0], exports[2]);
}

#[test]
fn invalid_sequential_test_is_rejected() {
    for (words, part) in [
        (
            &[STRONG, WEAK, "awele", "--sprt", "elo1=5"][..],
            "--sprt: expected 2 players at tables of 2, got 3",
        ),
        (&[STRONG, WEAK, "--sprt", "elo2=5"], "did you mean"),
        (&[STRONG, WEAK, "--sprt", "elo0=5,elo1=0"], "elo1"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    }
    // The match ends early, without a hundred thousand games of a player that cannot start.
    let output = run(&["sh -c 'exit 1'", WEAK, "--sprt", "elo1=5", "--db", ":memory:"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}
