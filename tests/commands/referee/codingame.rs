//! Bots of CodinGame: the conditions of the arena, starters in its dialect, and hints.

use arbitre_test_support::command;

use command::{cleared, folder, json, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Creates an empty folder.
fn new_folder(name: &str) -> PathBuf {
    cleared(folder("codingame").join(name))
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED: a bot of CodinGame was not played, as there is no {program}");
    }
    found
}

/// Returns a bot as a command: a Python program with this text.
fn python(name: &str, text: &str) -> String {
    let folder = new_folder(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bot.py"), text).unwrap();
    format!("python3 '{}'", folder.join("bot.py").display())
}

/// Bot as people write it for the arena: it reads without end, and crashes there.
const OWARE: &str = "
while True:
    pits = [int(word) for word in input().split()]
    empty = not any(pits[6:])
    print(next(i for i in range(6) if pits[i] > (5 - i if empty else 0)), flush=True)
";

#[test]
fn arena_sets_dialect_rules_and_limits() {
    let db = new_folder("conditions").with_extension("db");
    arbitre_test_support::command::remove_results(&db);
    let db = db.to_str().unwrap();
    let play = |game: &str, more: &[&str]| {
        arbitre_test_support::command::remove_results(db);
        let players = [format!("{game} random"), format!("other={game} random")];
        let words = [players[0].as_str(), &players[1], "--arena", "codingame"];
        let end = ["--games", "2", "--seed", "1", "--db", db];
        let output = run(&[&words, more, &end].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(stdout(&run(&["export", "--db", db])).lines().next().unwrap())
    };
    let game = play("tron", &[]);
    assert_eq!(game["dialects"][0], "codingame");
    let limits = "fair first 1000 move 100, margin 10ms, overtime 50ms";
    assert_eq!(game["limits"][0], limits, "{game:#}");
    let limits = "fair first 1000 move 50, margin 10ms, overtime 50ms";
    assert_eq!(play("awele", &[])["limits"][0], limits);
    // What is said beside it holds.
    let game = play("awele", &["--move-time", "2s", "--overtime", "1ms", "--dialect", "arbitre"]);
    assert_eq!(game["limits"][0], "fair first 2000 move 2000, margin 10ms, overtime 1ms");
    assert_eq!(game["dialects"][0], "arbitre");
}

#[test]
fn arena_needs_one_of_its_games() {
    let output = run(&["hextris", "hextris", "--arena", "codingame"]);
    assert_eq!(output.status.code(), Some(2));
    let said = "error: --arena: expected a game of codingame, got hextris\n";
    assert!(stderr(&output).starts_with(said), "{}", stderr(&output));
    let output = run(&["check", "./my_bot", "--game", "tron", "--arena", "codingames"]);
    assert!(stderr(&output).contains("did you mean codingame?"), "{}", stderr(&output));
}

/// The arena ends its programs, so a crash at the end of the input is no mistake there, and
/// nothing is said of `ready`.
#[test]
fn bot_of_the_arena_passes_its_check() {
    if !has("python3") {
        return;
    }
    let bot = python("crashes-at-the-end", OWARE);
    let times = ["--move-time", "20s", "--first-move-time", "20s", "--games", "4"];
    let check = |more: &[&str]| run(&[&["check", &bot, "--game", "awele"], more, &times].concat());
    let output = check(&["--arena", "codingame"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("here with exit code 1, when its input ended"), "{text}");
    assert!(!text.contains("ready") && !text.contains("again'"), "{text}");
    // The same bot does not understand the greeting of the default dialect.
    let output = check(&[]);
    assert_eq!(output.status.code(), Some(1));
    let hint = "if it was written for an arena, add --dialect codingame";
    assert!(stdout(&output).contains(hint), "{}", stdout(&output));
    let output = run(&[&bot, "awele random", "--games", "2", "--db", ":memory:"]);
    assert_eq!(output.status.code(), Some(3));
    let hint = "a bot for an arena needs --dialect codingame";
    assert!(stderr(&output).contains(hint), "{}", stderr(&output));
}

/// Bot as the examples of the contest of 2010: it reads a map for each move, and ends with an error
/// when there is none.
const TRON_2010: &str = "
import sys
while True:
    line = sys.stdin.readline()
    if not line:
        sys.exit(CODE)
    width, height = map(int, line.split())
    rows = [sys.stdin.readline().rstrip('\\n') for row in range(height)]
    y = next(y for y in range(height) if '1' in rows[y])
    x = rows[y].index('1')
    cells = {1: (x, y - 1), 2: (x + 1, y), 3: (x, y + 1), 4: (x - 1, y)}
    free = [way for way, (x, y) in cells.items() if rows[y][x] == ' ']
    print((free + [1])[0], flush=True)
";

#[test]
fn contest_of_2010_has_its_limits_and_ends_its_bots() {
    if !has("python3") {
        return;
    }
    let db = new_folder("google2010").with_extension("db");
    arbitre_test_support::command::remove_results(&db);
    let db = db.to_str().unwrap();
    for code in ["0", "1"] {
        let bot = python(&format!("tron-2010-{code}"), &TRON_2010.replace("CODE", code));
        let arena = ["--game", "tron", "--arena", "google2010"];
        let times = ["--move-time", "20s", "--first-move-time", "20s", "--games", "4"];
        let output = run(&[&["check", &bot][..], &arena, &times].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
        let ended = format!("here with exit code {code}, when its input ended");
        assert!(stdout(&output).contains(&ended), "{}", stdout(&output));
        arbitre_test_support::command::remove_results(db);
        let other = format!("other={bot}");
        let words = [&bot, &other, "--games", "2", "--db", db];
        let output = run(&[&words[..], &arena].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let game = json(stdout(&run(&["export", "--db", db])).lines().next().unwrap());
        assert_eq!(game["limits"][0], "fair first 3000 move 1000, margin 10ms", "{game:#}");
        assert_eq!(game["dialects"][0], "google2010", "{game:#}");
    }
}

/// A bot of the 11-puzzle that prints these answers at once, after it has read the board.
fn puzzle(name: &str, answers: &str) -> String {
    let text = format!(
        "board = [input().split() for row in range(3)]\nfor line in '{answers}'.split(','):\n    \
         print(line, flush=True)\nwhile True: input()\n"
    );
    format!("{name}={}", python(&format!("puzzle-{name}"), &text))
}

/// The puzzle ends once it is solved, after 50 turns, and with a tile that cannot slide.
#[test]
fn puzzle_of_the_arena_ends_as_there() {
    if !has("python3") {
        return;
    }
    let folder = new_folder("puzzle");
    fs::create_dir_all(&folder).unwrap();
    let (board, db) = (folder.join("boards.txt"), folder.join("puzzle.db"));
    // In the arena: 4 1 2 3 / 0 5 6 7 / 8 9 10 11.
    fs::write(&board, "0 1 2 3 / 4 5 6 _ / 8 9 10 7\n").unwrap();
    let db = db.to_str().unwrap();
    let to_and_fro = vec!["1 1,1 0"; 30].join(",");
    let players = [
        ("solves", puzzle("solves", "0 0,0 1,0 0,0 0"), 1, None),
        ("wanders", puzzle("wanders", &to_and_fro), 50, None),
        ("jumps", puzzle("jumps", "1 1,2 3"), 1, Some("illegal")),
        ("blank", puzzle("blank", "1 0"), 0, Some("illegal")),
        ("beyond", puzzle("beyond", "3 0"), 0, Some("illegal")),
        ("talks", puzzle("talks", "1 1 please"), 0, Some("invalid")),
    ];
    let words: Vec<&str> = players.iter().map(|(_, command, ..)| command.as_str()).collect();
    let more = ["--arena", "codingame", "--game", "taquin", "--openings", board.to_str().unwrap()];
    let end = ["--games", "1", "--move-time", "20s", "--db", db];
    let output = run(&[&words[..], &more, &end].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let games: Vec<Value> = stdout(&run(&["export", "--db", db])).lines().map(json).collect();
    for (name, _, moves, fault) in players {
        let game = games.iter().find(|game| game["players"][0] == name).unwrap();
        assert_eq!(game["moves"].as_array().unwrap().len(), moves, "{game:#}");
        assert_eq!(game["faults"][0]["fault"].as_str(), fault, "{game:#}");
        assert_eq!(game["faults"].as_array().unwrap().len(), usize::from(fault.is_some()));
    }
    let bundled = ["taquin best", "quick=taquin quick", "random=taquin random"];
    let words = ["--arena", "codingame", "--games", "6", "--seed", "1", "--move-time", "20s"];
    let output = run(&[&bundled[..], &words, &["--db", ":memory:", "--json"]].concat());
    let summary = json(&stdout(&output));
    let best = &summary["players"][0];
    assert_eq!(
        (&best["name"], &best["faults"]),
        (&"taquin best".into(), &json("{}")),
        "{summary:#}"
    );
    assert!(stdout(&run(&["verify", "--db", db])).contains("all as they were played"));
}

/// A bot that says what is wrong with it gets no guess about its dialect.
#[test]
fn named_error_is_no_matter_of_the_dialect() {
    if !has("python3") {
        return;
    }
    let bot = python("names-its-error", "import sys\nfor line in sys.stdin: prnt(line)\n");
    for words in [&["check", &bot, "--game", "awele"][..], &[&bot, "awele random", "--games", "2"]]
    {
        let output = run(&[words, &["--move-time", "20s"]].concat());
        let told = stdout(&output) + &stderr(&output);
        assert!(told.contains("NameError") && !told.contains("--dialect"), "{told}");
    }
}

#[test]
fn answer_beyond_the_buffer_of_the_arena_is_a_fault() {
    if !has("python3") {
        return;
    }
    let played = |length: usize| {
        // Not the first answer: a bot that never answered counts as not started.
        let blanks = format!("print(' ' * (sum(pits) < 44) * {length}, end='')\n    print(");
        let text = OWARE.replace("print(", &blanks);
        let bot = format!("bot={}", python(&format!("long-{length}"), &text));
        let limits = ["--move-time", "20s", "--games", "2", "--events", "--db", ":memory:"];
        let words = [&bot[..], "awele random", "--arena", "codingame", "--seed", "1"];
        stdout(&run(&[&words[..], &limits].concat()))
    };
    let check = |events: &str, fault: &str| {
        let games: Vec<Value> = events.lines().map(json).collect();
        assert_eq!(games.len(), 2, "{events}");
        for game in games {
            let faults = game["faults"].as_array().unwrap().iter();
            let faults: Vec<&Value> = faults.map(|fault| &fault["fault"]).collect();
            assert_eq!(faults, fault.split_whitespace().collect::<Vec<_>>(), "{events}");
        }
    };
    check(&played(9_999), "");
    check(&played(10_000), "output-limit");
}

/// Starters, with the programs that build and run them.
const STARTERS: [(&str, &str); 5] =
    [("python", "python3"), ("c", "cc"), ("java", "javac"), ("ocaml", "ocamlc"), ("rust", "rustc")];

#[test]
fn starters_of_the_arena_play() {
    let play = |language: &str, game: &str| {
        let folder = new_folder(&format!("{language}-{game}"));
        let place = folder.to_str().unwrap();
        let words = ["new", language, place, "--game", game, "--dialect", "codingame"];
        let output = run(&words);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let said = stdout(&output);
        if folder.join("build.sh").is_file() {
            let built = Command::new("sh").arg(folder.join("build.sh")).output().unwrap();
            assert!(built.status.success(), "{language}: {}", stderr(&built));
            assert_eq!(stderr(&built), "", "{language}");
        }
        let last = said.lines().last().unwrap().trim();
        let words = shell_words::split(last.strip_prefix("referee ").unwrap()).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words[2..], ["--games", "20", "--arena", "codingame"], "{said}");
        let limits = ["--games", "2", "--move-time", "20s", "--json", "--db", ":memory:"];
        let output = run(&[&words[..2], &words[4..], &limits].concat());
        let document = json(&stdout(&output));
        assert_eq!((&document["games"], &document["void"]), (&2.into(), &0.into()), "{document:#}");
        for player in document["players"].as_array().unwrap() {
            assert_eq!(player["faults"], serde_json::json!({}), "{language}, {game}");
        }
    };
    std::thread::scope(|scope| {
        for (language, _) in STARTERS.into_iter().filter(|(_, program)| has(program)) {
            scope.spawn(move || ["tron", "awele"].map(|game| play(language, game)));
        }
    });
    let words = ["new", "python", "x", "--game", "taquin", "--dialect", "codingame"];
    let output = run(&words);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("dialect of a starter: expected arbitre, got 'codingame'"), "{said}");
}
