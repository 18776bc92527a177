//! A folder per player, some of them broken.

use crate::tournament::harness::{names, player, Folder, REFEREE};
use arbitre_test_support::command::stderr;
use arbitre_test_support::pages::document;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Bot that plays the legal move at PLACE.
pub const BOT: &str = "\
legal = []
for line in iter(input, ''):
    word, _, rest = line.partition(' ')
    if word == 'begin':
        print('ready bot', flush=True)
    elif word == 'legal':
        legal = rest.split()
    elif word == 'go':
        print(legal[PLACE], flush=True)
";

/// Broken players are named and last. Once they are fixed, and another one is added, the same
/// command plays only their games.
#[test]
fn broken_players_are_last_until_they_are_fixed() {
    let folder = Folder::new("class");
    let bot = |place: &str| BOT.replace("PLACE", place);
    folder.file("class/ada/main.py", &bot("0"));
    folder.file("class/zoé de la cruz/main.py", &bot("-1"));
    folder.file("class/leo/main.py", &bot("0"));
    folder.file("class/two/main.py", &bot("0"));
    folder.program("class/two/run", "#!/bin/sh\n");
    folder.file("class/two/index.js", "");
    folder.file("class/two/package.json", "{\"main\": \"index.js\"}");
    folder.file("class/empty/notes.txt", "I will do it");
    folder.file("class/ends/main.py", "raise SystemExit(3)\n");
    let words = ["tournament", "class", "--game", "awele", "--games", "2", "--seed", "3", "--json"];
    let output = folder.run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("note: ada and leo submitted the same program"));
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(names(&standings)[3..], ["empty", "ends", "two"]);
    for (name, part) in [
        ("empty", "expected an entry point"),
        ("two", "expected one entry point, got package.json and main.py"),
        ("ends", "exit code 3"),
    ] {
        let player = player(&standings, name);
        assert_eq!((&player["status"], &player["rank"]), (&"not-started".into(), &Value::Null));
        assert!(player["reason"].as_str().unwrap().contains(part), "{player}");
    }
    assert_eq!((&standings["games"], &standings["complete"]), (&6.into(), &true.into()));
    folder.file("class/ends/main.py", &bot("0"));
    folder.file("class/new/main.py", &bot("-1"));
    let output = folder.run(&words);
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(standings["games"], 20, "{}", stderr(&output));
    assert_eq!(player(&standings, "new")["games"], 8);
    let text = folder.done(&words[..words.len() - 1]);
    assert!(text.contains("20 games, ") && text.contains("; 0 games now, "), "{text}");
}

/// The standings in each form have the error that a program or its build printed, in one safe line.
#[test]
fn reason_has_the_error_of_the_program() {
    let folder = Folder::new("reasons");
    for (name, place) in [("ada", "0"), ("leo", "-1")] {
        folder.file(&format!("class/{name}/main.py"), &BOT.replace("PLACE", place));
    }
    let ended = "it never said that it is ready; it ended before it answered (exit code 1)";
    let python = |text: &str| format!("import sys\nsys.stderr.write({text})\nsys.exit(1)\n");
    let built = "its build ended with exit code 2 after ";
    let cases = [
        ("wrong", "main.py", "def f(:\n".into(), ended, ": SyntaxError: invalid syntax"),
        (
            "lost",
            "main.py",
            "import nimpy\n".into(),
            ended,
            ": ModuleNotFoundError: No module named 'nimpy'",
        ),
        ("silent", "main.py", python("''"), ended, "--dialect codingame"),
        (
            "long",
            "main.py",
            python("'a|' + 'b' * 300"),
            ended,
            &format!(": a|{}…", "b".repeat(198)),
        ),
        ("hostile", "main.py", python(r"'one\n\x1b[31m<b>two\n\n'"), ended, r": \u{1b}[31m<b>two"),
        (
            "unbuilt",
            "build.sh",
            "echo 'bot.c:3:1: error: no x'; echo; echo Error 1; exit 2\n".into(),
            built,
            ": bot.c:3:1: error: no x",
        ),
    ];
    for (name, file, text, ..) in &cases {
        folder.program(&format!("class/{name}/{file}"), text);
    }
    let outputs = ["s.json", "s.csv", "s.md", "s.html"];
    let words = ["tournament", "class", "--game", "awele", "--games", "2", "--per-player", "pages"];
    let words = [&words[..], &["--per-player-format", "md"]].concat();
    folder.done(
        &outputs
            .iter()
            .fold(words.to_vec(), |words, output| [&words[..], &["--output", output]].concat()),
    );
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let standings: Value = serde_json::from_str(&read("s.json")).unwrap();
    let mut rows = csv::Reader::from_path(folder.path("s.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    for (name, _, _, start, end) in &cases {
        let reason = player(&standings, name)["reason"].as_str().unwrap();
        assert!(reason.starts_with(start) && reason.ends_with(end), "{name}: {reason}");
        let row = rows.iter().find(|row| &row[1] == *name).unwrap();
        assert_eq!(&row[8], reason);
        let cell: String = reason.chars().take(150).collect();
        let cell = cell.replace('\\', r"\\").replace('[', r"\[").replace('|', r"\|");
        let cell = cell.replace('<', "&lt;");
        assert!(read("s.md").contains(&cell), "{cell}: {}", read("s.md"));
        // The page of a player has all lines.
        let page = read(&format!("pages/{name}.md"));
        let last = end.trim_start_matches(": ");
        assert!(page.contains(last), "{page}");
    }
    let page = document(&read("s.html"));
    for player in page["summary"]["players"].as_array().unwrap() {
        let name = player["name"].as_str().unwrap();
        assert_eq!(player["not_started"], self::player(&standings, name)["reason"]);
    }
}

/// A class of thirty in five languages, from `scripts/class`: one command ranks those that work and
/// names the others. Then one is fixed, another one is added, and the same command plays only their
/// games.
#[test]
#[ignore = "it takes two minutes: .ci/full runs it"]
fn class_of_thirty_is_ranked() {
    let folder = Folder::new("thirty");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/class");
    let written = Command::new("bash")
        .arg(script)
        .args(["--game", "tron", "--referee", REFEREE])
        .arg(folder.path("class"))
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", stderr(&written));
    let words = ["tournament", "class", "--game", "tron", "--rules", "size=12x9", "--games", "2"];
    let play = || -> Value {
        serde_json::from_str(&folder.done(&[&words[..], &["--seed", "1", "--json"]].concat()))
            .unwrap()
    };
    let status = |standings: &Value, name: &str| {
        player(standings, name)["status"].as_str().unwrap().to_owned()
    };
    let first = play();
    assert_eq!(
        (first["standings"].as_array().unwrap().len(), &first["complete"]),
        (30, &true.into())
    );
    for name in ["carol", "evelyn", "shafi"] {
        assert_eq!(status(&first, name), "not-started");
    }
    assert_eq!(status(&first, "brian"), "struck", "it never answers");
    let crashes = &player(&first, "adele")["faults"]["crash"];
    assert!(crashes.as_u64().is_some_and(|count| count > 10), "{first}");
    // The other 26 meet each other.
    assert_eq!(first["games"], 26 * 25);
    assert!(player(&first, "zoé de la cruz")["rank"].is_u64());
    let bot = std::fs::read_to_string(folder.path("class/guido/main.py")).unwrap();
    std::fs::remove_dir_all(folder.path("class/carol")).unwrap();
    folder.file("class/carol/main.py", &bot);
    folder.file("class/zora/main.py", &bot);
    let second = play();
    assert_eq!(second["games"], 28 * 27);
    assert_eq!(status(&second, "carol"), "ranked");
    // Two join 26 others, and the one that never answers loses three more games.
    let stored = |standings: &Value| standings["games"].as_u64().unwrap();
    assert_eq!(stored(&second) - stored(&first), 2 * (26 * 2 + 1));
}
