//! The command line as users see it: the output streams and the exit codes.

use arbitre_test_support::command;

use command::{folder, json, referee, run, script, signal, stderr, stdout, SHELL_BOT};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

const QUICK: [&str; 4] = ["--move-time", "30s", "--games", "4"];

#[test]
fn bad_input_gets_one_clear_line_and_its_code() {
    let folder = folder("bad input");
    let not_executable = folder.join("bot.py");
    fs::write(&not_executable, "print('hello')").unwrap();
    let no_program = script(&folder, "no program", "print('hello')");
    let openings = folder.join("openings.txt");
    fs::write(&openings, "opening 2 5\nopening 7\n").unwrap();
    let [not_executable, no_program, openings] =
        [not_executable, no_program, openings].map(|path| path.to_string_lossy().into_owned());
    let cases: &[(&[&str], i32, &str)] = &[
        (&[], 2, "expected two players or a command"),
        (&["awele"], 2, "expected at least 2 players, got 1"),
        (&["awele", "awele gredy"], 2, "did you mean greedy?"),
        (&["awele", "awele --deth 3"], 2, "did you mean --depth?"),
        (&["awele", "awele --depth deep"], 2, "expected a whole number"),
        (&["awele", "awele --depth 0"], 2, "--depth: expected a number from 1, got '0'"),
        (
            &["seven-colors", "seven-colors oracle --depth 0"],
            2,
            "expected a number from 1, got '0'",
        ),
        (&["tron", "tron best --nodes 0"], 2, "--nodes: expected a number from 1, got '0'"),
        (
            &["awele", "awele", "--depth", "0"],
            2,
            "--depth: expected a number from 1 to 4294967295, got '0'",
        ),
        (&["awele", "awelle"], 3, "did you mean awele?"),
        (&["awele", "./no/such/bot"], 3, "there is no folder"),
        (&["awele", &not_executable], 3, "chmod +x"),
        (&["awele", &no_program], 3, "#!/usr/bin/env python3"),
        (&["awele", "sh -c 'echo oh no >&2; exit 7'"], 3, "exit code 7"),
        (&["awele", "sh -c 'unclosed"], 2, "expected closed quotes"),
        (&["awele", "arbitr@awele"], 2, "did you mean arbitre?"),
        (&["awele", "awele", "--dialect", "arbiter"], 2, "did you mean arbitre?"),
        (&["awele", "me[mov-time=3ms]=awele"], 2, "did you mean move-time?"),
        (&["awele", "me[move-time=1s]=human"], 2, "expected no limits for a person"),
        (&["awele", "awele", "--game", "awale"], 2, "did you mean awele?"),
        (&["sh", "sh"], 2, "--game: expected awele"),
        (&["awele", "awele", "--rules", "abappa"], 2, "did you mean abapa?"),
        (&["awele", "awele", "--rules", "grand-slam=nothin"], 2, "did you mean nothing?"),
        (&["awele", "awele", "--seats", "3"], 2, "expected 2 seats, got 3"),
        (&["awele", "awele", "--openings", "no/file"], 6, "a number of plies or a file"),
        (&["awele", "awele", "--openings", &openings], 6, "line 2"),
        (&["awele", "awele", "--move-time", "100"], 2, "write 100ms or 100s"),
        (&["awele", "awele", "--gmaes", "3"], 2, "did you mean --games?"),
        (&["perft"], 2, "expected GAME and DEPTH"),
        (&["completions", "fissh"], 2, "did you mean fish?"),
        (&["awele", "awele", "--games", "0"], 2, "--games: expected a number from 1 to 1000000000"),
        (&["awele", "awele", "--games", "18446744073709551615"], 2, "from 1 to 1000000000"),
        (&["awele", "awele", "--tc", "fast"], 2, "8+0.08"),
        (&["awele", "awele", "--tc", "0"], 2, "8+0.08"),
        (&["awele", "awele", "--increment", "1s"], 2, "expected --game-time beside"),
        (&["awele", "awele", "--init-time", "0ms"], 2, "expected at least 1ms"),
        (&["awele", "awele", "--clock", "cpu", "--move-time", "9223372036854775807s"], 2, "1000h"),
        (&["awele", "awele", "--openings", "200"], 2, "try --openings 0"),
        (
            &["awele", "awele", "--rules", "max-plies=8"],
            2,
            "--openings: expected a possible length under these rules, got 8",
        ),
        (&["awele", "awele", "--openings", "/dev/zero"], 6, "it is a pipe or a device"),
        (&["awele", "awele --depth 3 --depth 4"], 2, "--depth: expected once, got twice"),
        (&["perft", "awale", "3"], 2, "did you mean awele?"),
        (&["perft", "awele", "3", "--position", "1 2 3"], 6, "twelve"),
        (&["bot"], 2, "bot: expected awele"),
        (&["bot", "awelle"], 2, "did you mean awele?"),
        (&["bot", "awele", "--dialect", "relais"], 2, "did you mean relay?"),
    ];
    for (words, code, part) in cases {
        let output = run(words);
        let text = stderr(&output);
        let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(output.status.code(), Some(*code), "{words:?}: {text}");
        assert_eq!(errors.len(), 1, "{words:?}: {text}");
        let is_help = |line: &str| line.starts_with("error: ") || line.starts_with("help: ");
        assert!(text.lines().all(is_help), "{words:?}: {text}");
        assert!(text.contains(part), "{words:?}: '{part}' is not in: {text}");
    }
}

#[test]
fn the_result_is_one_document() {
    let words = ["awele --depth 2", "awele random", "--json", "--seed", "7", "--concurrency", "2"];
    let output = run(&[&words[..], &QUICK].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let document = json(&stdout(&output));
    assert_eq!(document["game"], "awele");
    assert_eq!(document["seed"], 7);
    assert_eq!((&document["games"], &document["complete"]), (&4.into(), &true.into()));
    let players = document["players"].as_array().unwrap();
    assert_eq!(players[0]["name"], "awele");
    assert_eq!(players[1]["name"], "awele random");
    assert_eq!(players[1]["command"], "awele random");
    let points: f64 = players.iter().map(|player| player["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 4.0);
    // Each of the two pairs is complete, so the score by pairs is the share of points.
    let [first, second] = [0, 1].map(|player| &players[player]["score"]);
    assert_eq!(first["share"].as_f64(), players[0]["points"].as_f64().map(|points| points / 4.0));
    assert_eq!(first["share"].as_f64().unwrap(), 1.0 - second["share"].as_f64().unwrap());
    assert!(players[0]["first"].is_null(), "places are shares at larger tables only: {document}");
    let pairs = document["pairs"].as_object().unwrap();
    assert_eq!(pairs.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 2);
    for key in ["rules", "seconds", "moves", "los"] {
        assert!(!document[key].is_null(), "{key}");
    }
    for key in ["mean", "p99", "max"] {
        assert!(players[0]["time_ms"][key].is_number(), "{key}");
    }
    assert!(stderr(&output).starts_with("1 pairing x 4 games, seed 7\n"));
}

#[test]
fn every_game_is_an_event_and_the_document_comes_last() {
    let output =
        run(&[&["awele random", "awele greedy", "--events", "--json", "--seed=1"][..], &QUICK]
            .concat());
    let text = stdout(&output);
    let lines: Vec<Value> = text.lines().map(json).collect();
    assert_eq!(lines.len(), 5);
    let mut games: Vec<u64> =
        lines[..4].iter().map(|event| event["game"].as_u64().unwrap()).collect();
    games.sort_unstable();
    assert_eq!(games, [0, 1, 2, 3]);
    assert!(lines[0]["moves"].as_array().unwrap().len() > 10);
    assert_eq!(lines[4]["games"], 4);
}

#[test]
fn first_line_counts_the_games() {
    let games = |words: &[&str]| {
        let output = run(&[words, &["--move-time", "30s", "--seed", "3"]].concat());
        stdout(&output).lines().next().unwrap_or_default().to_owned()
    };
    let random = "awele random";
    assert_eq!(games(&[random, random, "--games", "3"]), "1 pairing x 4 games, seed 3");
    assert_eq!(games(&[random, random, random, "--games", "2"]), "3 pairings x 2 games, seed 3");
}

#[test]
fn notes_below_the_table_explain_faults() {
    let folder = folder("notes");
    let late = script(&folder, "late", "#!/bin/sh\nread a; echo ready late; sleep 9\n");
    let wrong =
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo 9;; esac; done";
    let wrong = script(&folder, "wrong", wrong);
    let (late, wrong) = (late.to_string_lossy(), wrong.to_string_lossy());
    let words = [&wrong[..], "awele random", "--games", "40", "--openings", "1", "--seed", "5"];
    let output = run(&words);
    let text = stdout(&output);
    for part in [
        "faults of wrong: 40 invalid",
        "first fault of wrong: invalid, in game 0 at ply 1",
        "it said '9': expected a pit from 0 to 5",
        "legal moves: ",
        "games are identical to an earlier one",
        "the openings ran out: there are 6",
        "wrong: Elo under",
        "LOS 0.00 %",
    ] {
        assert!(text.contains(part), "'{part}' is not in:\n{text}");
    }
    assert_eq!(output.status.code(), Some(0), "faults of a bot do not fail the match");
    assert!(!text.contains("flushed"), "only a missing answer may be unflushed: {text}");
    let few = stdout(&run(&[&wrong[..], "awele random", "--games", "4"]));
    assert!(few.contains("awele random won 4 of 4 games; play at least 10"), "{few}");
    let words = [&late[..], "awele random", "--games", "2", "--first-move-time", "20ms"];
    let text = stdout(&run(&[&words[..], &["--move-time", "20ms"]].concat()));
    assert!(text.contains("it did not answer within 20ms"), "{text}");
    assert!(text.contains("is its output flushed?"), "{text}");
}

/// Below ten games a sentence replaces all that is computed from them. Documents stay as they are.
#[test]
fn few_games_have_a_sentence_and_no_figures() {
    let figures = ["Elo", "LOS", "DrawRatio", "Ptnml", "virtual draw", "disturbed", "rating  "];
    let (random, greedy) = ("r=awele random", "g=awele greedy");
    let cases = [
        (&[random, greedy, "--games", "6"][..], "g won 6 of 6 games; play at least 10"),
        (&[greedy, random, "--games", "6"], "g won 6 of 6 games; play at least 10"),
        (
            &[
                random,
                "s=awele random",
                "--games",
                "4",
                "--rules",
                "max-plies=2",
                "--openings",
                "0",
            ],
            "r and s drew all of 4 games; play at least 10 for a rating",
        ),
        (
            &[greedy, "h=awele greedy", "--games", "8"],
            "h won 4 of 8 games, g 3, and 1 was drawn; play at least 10 for a rating",
        ),
        (
            &[random, "s=awele random", "--games", "8", "--seed=4"],
            "r and s won 4 of 8 games each; play at least 10 for a rating",
        ),
        (
            &[random, greedy, "s=awele random", "--games", "4"],
            "too few games to rate every player: 8 of one, of at least 10",
        ),
        (
            &["q=taquin quick", "p=taquin quick", "--rules", "eight", "--games", "3"],
            "q and p drew all of 3 games; play at least 10",
        ),
    ];
    for (words, sentence) in cases {
        let seed: &[&str] = if words.contains(&"--seed=4") { &[] } else { &["--seed=1"] };
        let words = [words, seed, &["--move-time", "60s"]].concat();
        let text = stdout(&run(&words));
        assert!(text.contains(&format!("\n{sentence}")), "{sentence}: {text}");
        for figure in figures {
            assert!(!text.contains(figure), "{figure}: {text}");
        }
        let document = json(&stdout(&run(&[&words[..], &["--json"]].concat())));
        assert!(document["players"][0]["rating"].is_number(), "{document}");
    }
    let ten = stdout(&run(&[random, greedy, "--games", "10", "--seed", "1"]));
    for figure in figures {
        assert!(ten.contains(figure), "{figure}: {ten}");
    }
}

#[test]
fn paths_with_blanks_and_accents_work() {
    let bot = script(&folder("paths"), "mon bot.sh", SHELL_BOT);
    let whole = bot.to_string_lossy().into_owned();
    let quoted = format!("'{whole}' --some=option");
    let named = format!("moi='{whole}'");
    for command in [&whole, &quoted, &named] {
        let words = [command, "awele random", "--json", "--games", "2", "--move-time", "30s"];
        let output = run(&words);
        let document = json(&stdout(&output));
        assert_eq!(document["players"][0]["faults"], serde_json::json!({}), "{command}");
        let name = if command == &named { "moi" } else { "mon_bot" };
        assert_eq!(document["players"][0]["name"], name);
    }
}

#[test]
fn each_player_can_have_limits_of_its_own() {
    let folder = folder("limits");
    let heard = folder.join("heard.txt");
    let bot = format!(
        "#!/bin/sh\ntee -a '{}' | while read w f r; do case $w in begin) echo ready x;; \
         legal) m=$f;; go) echo $m;; esac; done\n",
        heard.display()
    );
    let bot = script(&folder, "listens", &bot);
    let _ = fs::remove_file(&heard);
    let player = format!("me[tc=30+1,init-time=20s]='{}'", bot.display());
    let open = ["--allow-write", folder.to_str().unwrap()];
    let words = [&player, "awele random", "--games", "2", "--depth", "3", "--rules", "max-plies=9"];
    let output = run(&[&words[..], &open].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let heard = fs::read_to_string(heard).unwrap();
    let clock = "clock fair init 20000 game 30000 increment 1000\n";
    assert!(heard.contains(clock), "{heard}");
    assert!(heard.contains("\ngo 30000 1000\n"), "{heard}");
}

#[test]
fn closed_output_is_not_a_failure() {
    let words =
        ["awele random", "awele random", "--events", "--games", "500", "--move-time", "30s"];
    let mut child = referee(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with('{'));
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).contains("error")), (Some(0), false));
}

/// Starts a match of slow games. Returns the referee and its output after the first game.
fn slow_match(folder: &Path) -> (Child, BufReader<ChildStdout>, BufReader<ChildStderr>) {
    let slow = SHELL_BOT.replace("go) ", "go) sleep 0.2; ");
    let slow = script(folder, "slow", &slow);
    let words = [&*slow.to_string_lossy(), "awele random", "--rules", "max-plies=12"];
    let more =
        ["--move-time", "30s", "--concurrency", "1", "--games", "1000", "--events", "--json"];
    let mut referee = referee(&[&words[..], &more].concat());
    let mut child = referee.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let (mut announced, mut event) = (String::new(), String::new());
    while !announced.contains("\nsandbox: ") {
        errors.read_line(&mut announced).unwrap();
    }
    output.read_line(&mut event).unwrap();
    assert!(announced.starts_with("1 pairing") && event.starts_with('{'), "{announced}{event}");
    (child, output, errors)
}

#[test]
fn the_first_ctrl_c_finishes_the_running_games() {
    let (mut child, mut output, mut errors) = slow_match(&folder("first"));
    signal(child.id(), "INT");
    let (mut printed, mut said) = (String::new(), String::new());
    output.read_to_string(&mut printed).unwrap();
    errors.read_to_string(&mut said).unwrap();
    assert!(said.contains("finishing the games that run"), "{said}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let document = json(printed.lines().last().unwrap());
    assert_eq!(document["complete"], false);
    let games = document["games"].as_u64().unwrap();
    assert!(games <= 4, "{games} games were played after the signal");
    assert_eq!(document["players"][0]["faults"], serde_json::json!({}));
}

#[test]
fn the_second_ctrl_c_stops_at_once() {
    let (mut child, mut output, mut errors) = slow_match(&folder("second"));
    signal(child.id(), "INT");
    let mut said = String::new();
    while !said.contains("finishing the games that run") {
        errors.read_line(&mut said).unwrap();
    }
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut printed = String::new();
    output.read_to_string(&mut printed).unwrap();
    assert!(!printed.contains("\"complete\""), "no result is printed: {printed}");
}

#[test]
fn games_and_perft_describe_the_rules() {
    let text = stdout(&run(&["games"]));
    for part in
        ["awele: Awélé", "abapa", "grand-slam", "awele greedy", "tron: Tron", "seven-colors mix"]
    {
        assert!(text.contains(part), "{text}");
    }
    let listed = stdout(&run(&["games", "--json"]));
    let games: Vec<String> = listed.lines().map(|line| json(line)["game"].to_string()).collect();
    assert_eq!(games, ["\"awele\"", "\"tron\"", "\"seven-colors\"", "\"taquin\"", "\"hextris\""]);
    assert_eq!(stdout(&run(&["perft", "awele", "6"])), "27332\n");
    let start = "4 4 4 4 4 4 4 4 4 4 4 4 0 0";
    assert_eq!(stdout(&run(&["perft", "awele", "4", "--position", start])), "1014\n");
    let document = json(&stdout(&run(&["perft", "awele", "5", "--rules", "abapa", "--json"])));
    assert_eq!(document["leaves"], 5219);
    let square = ["perft", "tron", "3", "--rules", "size=3x3", "--position", "A../.../..B"];
    assert_eq!(stdout(&run(&square)), "8\n");
    let nowhere = run(&["perft", "tron", "3"]);
    let message = "expected --position TEXT for tron, which has no usual start";
    assert!(stderr(&nowhere).contains(message), "{}", stderr(&nowhere));
    assert_eq!(nowhere.status.code(), Some(6));
}

#[test]
fn help_manual_and_completions_are_there() {
    for (words, part) in [
        (&["--help"][..], "--move-time"),
        (&["help", "all"], "--no-timeout"),
        (&["perft", "--help"], "--position"),
        (&["help", "perft"], "--position"),
        (&["bot", "--help"], "NAME"),
        (&["bot", "awele", "--help"], "--heuristic"),
        (&["man"], ".TH referee"),
        (&["man"], "completions"),
        (&["completions", "bash"], "--concurrency"),
        (&["completions", "fish"], "first-move-time"),
        (&["--version"], "referee "),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(stdout(&output).contains(part), "{words:?}: {}", stdout(&output));
    }
    let help = stdout(&run(&["help", "all"]));
    assert!(help.contains(&arbitre::internals::cli::defaults_table(&arbitre::registry())));
}

/// A bundled bot that is thinking when its referee is killed must end.
#[test]
fn bundled_bots_end_with_their_referee() {
    let words = ["awele", "awele", "--move-time", "1h", "--games", "2", "-vv"];
    let mut referee = referee(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(referee.stderr.take().unwrap()).lines();
    let asked = lines.map_while(Result::ok).find(|line| line.contains("> go"));
    assert!(asked.is_some());
    let children = fs::read_dir(format!("/proc/{}/task", referee.id())).unwrap().flatten();
    let children = children.map(|task| fs::read_to_string(task.path().join("children")).unwrap());
    let bots: Vec<String> =
        children.flat_map(|list| list.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
    let bots: Vec<&String> = bots.iter().filter(|pid| !pid.is_empty()).collect();
    assert!(!bots.is_empty());
    referee.kill().unwrap();
    referee.wait().unwrap();
    let begun = std::time::Instant::now();
    let gone = |pid: &&String| {
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        !command.contains("awele")
    };
    while !bots.iter().all(gone) {
        assert!(begun.elapsed().as_secs() < 20, "{bots:?} still run");
        std::thread::yield_now();
    }
}

/// The stand-alone program is the same bot.
#[test]
fn bundled_bot_runs_as_a_program() {
    let talk =
        "arbitre 1\ngame awele\nseats 2 you 0\nclock depth 5\nseed 1\nsetup opening\nbegin\ngo\n";
    let said = |program: &str, words: &[&str]| {
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(talk.as_bytes()).unwrap();
        stdout(&child.wait_with_output().unwrap())
    };
    let alone = said(env!("CARGO_BIN_EXE_awele"), &[]);
    assert!(alone.starts_with("ready awele terse again\n"), "{alone}");
    assert_eq!(alone.lines().count(), 2);
    assert_eq!(alone, said(env!("CARGO_BIN_EXE_referee"), &["bot", "awele"]));
}

/// Started by an arena, a bot without `--dialect` detects its dialect.
#[test]
fn bundled_bot_detects_its_dialect() {
    let said = |words: &[&str], heard: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_awele"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A bot that rejects its arguments does not read its input.
        let _ = child.stdin.take().unwrap().write_all(heard.as_bytes());
        let output = child.wait_with_output().unwrap();
        (stdout(&output), stderr(&output))
    };
    let moves = |text: &str| text.lines().filter(|line| "012345".contains(line)).count();
    let first = said(&["greedy", "0"], "").0;
    assert_eq!((moves(&first), first.lines().count()), (1, 1), "the first seat opens: {first}");
    assert_eq!(said(&["greedy", "1"], "").0, "");
    assert_eq!(moves(&said(&["greedy", "1"], "3\n").0), 1);
    let boards = "4 4 4 4 4 4 4 4 4 4 4 4\n5 5 0 5 5 5 5 4 4 0 5 5\n";
    assert_eq!(moves(&said(&["greedy"], boards).0), 2);
    let talk = "game awele\nseats 2 you 0\nbegin\ngo\n";
    assert!(said(&["greedy"], talk).0.starts_with("ready awele-greedy"), "a word begins arbitre");
    for (words, part) in [
        (&["greedy", "2"][..], "expected seat 0 or 1 as last argument, got 2"),
        (&["--dialect", "relay"], "relay: expected seat 0 or 1 as last argument"),
        (&["--dialect", "codingam"], "did you mean codingame?"),
        (&["--rules", "abappa", "0"], "did you mean abapa?"),
        (&["--depth", "3", "1", "1"], "got '1'"),
    ] {
        let (_, error) = said(words, "");
        assert!(error.contains(part), "{words:?}: {error}");
    }
}
