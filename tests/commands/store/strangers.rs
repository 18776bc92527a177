//! Files of others: reading one starts nothing, and no hole of a stored sandbox holds unless it is
//! typed again.

use crate::store::format2::lay;
use crate::store::harness::{assert_fails, stderr, Folder};
use rusqlite::Connection;
use std::fs;

/// Rules that play to three turns, and leave a mark beside them when they are started.
const RULES: &str = r#"#!/bin/sh
echo started >> marks
turn=0
while read -r word rest; do
    case $word in
    rules) printf 'game count\nseats 2 2\n.\n' ;;
    draw) printf 'setup start\n.\n' ;;
    check) printf 'setup start\n.\n' ;;
    start) turn=0; printf 'turn 0\n.\n' ;;
    told) printf '.\n' ;;
    ask) printf 'state %s\nlegal a b\n.\n' $turn ;;
    state) printf 'state %s\n.\n' $turn ;;
    legal) printf 'legal a b\n.\n' ;;
    play) turn=$((turn + 1))
        case $turn in
        3) printf 'played a\nreason three turns are enough\nover 1 0\n.\n' ;;
        *) printf 'played a\nturn %s\n.\n' $((turn % 2)) ;;
        esac ;;
    picture) printf 'after %s\n\033]52;c;aGk=\a\n.\n' $turn ;;
    svg) printf '<svg><text>after %s</text></svg>\n.\n' $turn ;;
    close) printf '.\n' ;;
    *) printf 'unknown\n.\n' ;;
    esac
done
"#;

const BOT: &str = r#"#!/bin/sh
while read -r word rest; do
    case $word in
    begin) echo ready bot ;;
    go) echo a ;;
    esac
done
"#;

/// Plays a match without a sandbox.
fn played(label: &str) -> Folder {
    let folder = Folder::new(label);
    folder.script("rules", RULES);
    folder.script("bot", BOT);
    let words = ["one=./bot", "two=./bot", "--external", "./rules", "--games", "2", "--no-sandbox"];
    let limits = ["--move-time=60s", "--first-move-time=60s", "--init-time=60s", "--db", "m.db"];
    folder.done(&[&words[..], &limits].concat());
    folder
}

/// Commands, and whether they start the program of the rules.
const COMMANDS: [(&str, i32, bool); 20] = [
    ("list --db m.db", 0, false),
    ("list --games --db m.db", 0, false),
    ("show last --db m.db", 0, false),
    ("show last --json --db m.db", 0, false),
    ("show last --ply 1 --db m.db", 0, false),
    ("show last --input 0 --db m.db", 6, false),
    ("replay last --output g.html --db m.db", 0, false),
    ("report --output r.html --db m.db", 0, false),
    ("report --svg position --db m.db", 0, false),
    ("export --db m.db", 0, false),
    ("merge m.db --output copy.db", 0, false),
    ("verify --db m.db", 1, false),
    ("verify --allow-rules --db m.db", 2, false),
    ("rerun last --db m.db", 2, false),
    ("--resume --games 4 --db m.db", 2, false),
    ("one=./bot two=./bot --resume --games 4 --db m.db", 2, false),
    ("drop 0 --db m.db", 0, false),
    ("verify --allow-rules --no-sandbox --db m.db", 0, true),
    ("show last --input 0 --allow-rules --no-sandbox --db m.db", 0, true),
    ("rerun last --no-sandbox --db m.db", 0, true),
];

#[test]
fn reading_starts_nothing() {
    let folder = played("strangers");
    let marks = || fs::read_to_string(folder.join("marks")).unwrap();
    for (command, code, starts) in COMMANDS {
        let before = marks();
        let words: Vec<&str> = command.split(' ').collect();
        let output = folder.run(&words);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{command}: {told}");
        assert_eq!(marks() != before, starts, "{command}: {told}");
        let line = "m.db names these programs, which start now:\n";
        assert_eq!(told.contains(line), starts, "{command}: {told}");
        if code == 2 {
            assert!(told.contains("expected --no-sandbox again, as it is stored for "), "{told}");
        }
        if starts {
            assert!(told.contains("the rules: ./rules  (sandbox: none)"), "{told}");
        }
    }
    let resumed = folder.run(&["--resume", "--games", "4", "--no-sandbox", "--db", "m.db"]);
    let told = stderr(&resumed);
    assert_eq!(resumed.status.code(), Some(0), "{told}");
    assert!(told.contains("  one: ./bot  (sandbox: none)\n  two: ./bot"), "{told}");
}

/// Texts of the rules are shown, escaped, and the same as by the rules themselves.
#[test]
fn texts_of_the_rules_are_shown_without_them() {
    let folder = played("told");
    let shown = |words: &[&str]| {
        let output = folder.done(&[&["show", "0", "--db", "m.db"], words].concat());
        String::from_utf8(output).unwrap()
    };
    let told = shown(&[]);
    assert!(told.contains("after 3\n") && told.contains("\\u{1b}]52;c;aGk=\\u{7}\n"), "{told}");
    assert!(!told.contains('\x1b'), "{told}");
    assert!(told.ends_with("ended by the rules: three turns are enough\n"), "{told}");
    assert_eq!(told, shown(&["--allow-rules", "--no-sandbox"]));
    folder.done(&["replay", "0", "--db", "m.db", "--output", "told.html"]);
    let rules = ["--allow-rules", "--no-sandbox"];
    let words = ["replay", "0", "--db", "m.db", "--output", "rules.html"];
    folder.done(&[&words[..], &rules].concat());
    let page = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(page("told.html") == page("rules.html"));
}

/// Files of format 2 have no texts.
#[test]
fn older_files_say_that_no_pictures_were_stored() {
    let folder = Folder::new("no texts");
    lay(&folder, "external");
    for words in [&["show", "0"][..], &["replay", "0"]] {
        let output = folder.run(&[words, &["--db", "external.db"]].concat());
        assert!(output.status.success());
        let line = "note: no pictures were stored; help: write --allow-rules";
        assert!(stderr(&output).starts_with(line), "{}", stderr(&output));
    }
}

/// Long commands and options are named whole: nothing starts unseen, and the cure can be typed.
#[test]
fn long_commands_and_options_are_named_whole() {
    let folder = Folder::new("long");
    folder.script("bot", BOT.replace("echo a", "echo 0").as_str());
    let (long, value) = ("x".repeat(400), format!("A={}", "y".repeat(400)));
    let words = [&format!("one=./bot {long} end")[..], "two=awele random", "--games", "2"];
    folder.run(&[&words[..], &["--env", &value, "--db", "m.db"]].concat());
    let resume = ["--resume", "--db", "m.db"];
    let refused = stderr(&folder.run(&resume));
    assert!(refused.contains(&format!("expected --env '{value}' again")), "{refused}");
    assert!(refused.contains(&format!("./bot {long} end'")), "{refused}");
    let told = stderr(&folder.run(&[&resume[..], &["--env", &value]].concat()));
    assert!(told.contains(&format!("one: ./bot {long} end  (sandbox: ")), "{told}");
}

/// Each hole and each larger limit is typed again, in the words of its option.
#[test]
fn holes_of_a_stored_sandbox_are_typed_again() {
    let holes = [
        "--no-sandbox",
        "--allow-read /usr/share",
        "--allow-write .",
        "--allow-device /dev/null",
        "--allow-network",
        "--env A=b",
        "--memory 2GiB",
        "--processes 300",
        "--open-files 300",
        "--scratch 128MiB",
    ];
    let narrower = ["--profile class", "--memory 64MiB", "--processes 100"];
    let folder = Folder::new("holes");
    folder.script("bot", BOT.replace("echo a", "echo 0").as_str());
    for option in holes.into_iter().chain(narrower) {
        let words: Vec<&str> = option.split(' ').collect();
        let _ = fs::remove_file(folder.join("m.db"));
        let first = ["one=./bot", "two=awele random", "--games", "2", "--db", "m.db"];
        folder.run(&[&first[..], &words].concat());
        let resume = ["--resume", "--games", "2", "--db", "m.db"];
        let named = ["one=./bot", "--resume", "--games", "2", "--db", "m.db"];
        let (again, rerun) = (folder.run(&resume), folder.run(&["rerun", "0", "--db", "m.db"]));
        if narrower.contains(&option) {
            assert!(!stderr(&again).contains("expected "), "{option}: {}", stderr(&again));
            continue;
        }
        let word = words[0];
        let part = format!("m.db: expected {word}");
        for output in [again, rerun, folder.run(&named)] {
            assert_fails(&output, 2, &part, option);
            assert!(stderr(&output).contains(" again, as it is stored for one, got none"));
        }
        // The option that the message names is the cure.
        let told = stderr(&folder.run(&resume));
        let (_, rest) = told.split_once("expected ").unwrap();
        let (cure, _) = rest.split_once(" again").unwrap();
        let cure = shell_words::split(cure).unwrap();
        let cure: Vec<&str> = cure.iter().map(String::as_str).collect();
        let typed = folder.run(&[&resume[..], &cure].concat());
        assert!(!stderr(&typed).contains("expected "), "{option}: {}", stderr(&typed));
    }
}

/// Statements that make a file hostile: endless or foreign, and what is said of them.
const SCHEMAS: [(&str, &str, &str); 8] = [
    (
        "an endless view",
        "DROP TABLE game; CREATE VIEW game AS WITH RECURSIVE r(number) AS (SELECT 0 UNION ALL SELECT \
         number + 1 FROM r) SELECT number, 0 AS round FROM r",
        "it has the view 'game', which no referee makes",
    ),
    (
        "an endless view for the sessions",
        "DROP TABLE session; CREATE VIEW session AS WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT \
         n + 1 FROM r) SELECT n AS number, '' AS document, 0 AS checksum FROM r",
        "it has the view 'session', which no referee makes",
    ),
    (
        "a trigger",
        "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM game; END",
        "it has the trigger 't', which no referee makes",
    ),
    (
        "an index with an expression",
        "CREATE INDEX i ON game (length(hex(zeroblob(1000))))",
        "it has the index 'i', which no referee makes",
    ),
    (
        "a generated column",
        "ALTER TABLE player ADD COLUMN more AS (hex(zeroblob(500000000)))",
        "it has the table 'player', which no referee makes",
    ),
    (
        "a virtual table",
        "DROP TABLE moves; CREATE VIRTUAL TABLE moves USING fts5(x)",
        "it has the table 'moves', which no referee makes",
    ),
    ("a table of another program", "CREATE TABLE \"\x1b[2J\" (a)", "it has the table '\\u{1b}[2J'"),
    ("statistics", "ANALYZE", ""),
];

/// Commands that open a file, also as the newest one.
const OPENING: [&str; 8] = [
    "list",
    "list --db .arbitre/m.db",
    "show last --db .arbitre/m.db",
    "export --db .arbitre/m.db",
    "verify --db .arbitre/m.db",
    "merge .arbitre/m.db --output new.db",
    "drop 0 --db .arbitre/m.db",
    "--resume --db .arbitre/m.db",
];

#[test]
fn files_with_statements_of_others_are_refused() {
    let folder = Folder::new("schemas");
    fs::create_dir(folder.join(".arbitre")).unwrap();
    let db = folder.join(".arbitre/m.db");
    for (what, sql, said) in SCHEMAS {
        let _ = fs::remove_file(&db);
        folder.play(&["awele greedy", "awele random"], "2", ".arbitre/m.db");
        let connection = Connection::open(&db).unwrap();
        if let Err(why) = connection.execute_batch(sql) {
            assert!(why.to_string().contains("no such module"), "{what}: {why}");
            continue;
        }
        drop(connection);
        for command in OPENING {
            let words: Vec<&str> = command.split(' ').collect();
            let output = folder.run(&words);
            let (told, code) = (stderr(&output), output.status.code());
            match said {
                "" => assert_eq!(code, Some(0), "{what}: {command}: {told}"),
                _ => assert!(told.contains(said), "{what}: {command}: {told}"),
            }
            let _ = fs::remove_file(folder.join("new.db"));
        }
    }
}

/// Pages of a table that lead back to each other have more rows than any file.
#[test]
fn tables_without_end_are_damaged() {
    for table in ["session", "game"] {
        check_endless(table);
    }
}

fn check_endless(table: &str) {
    let folder = Folder::new(&format!("endless {table}"));
    folder.play(&["awele greedy", "awele random"], "2", "m.db");
    let connection = Connection::open(folder.join("m.db")).unwrap();
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let size = number("PRAGMA page_size") as usize;
    let mut pages = number("PRAGMA page_count") as usize;
    let root = number(&format!("SELECT rootpage FROM sqlite_schema WHERE name = '{table}'"));
    let root = root as usize;
    drop(connection);
    let mut bytes = fs::read(folder.join("m.db")).unwrap();
    let at = |page: usize| (page - 1) * size;
    // The leaf moves to the end, below pages whose children are all the next page.
    let leaf = bytes[at(root)..at(root) + size].to_vec();
    let levels = 6;
    for level in 0..levels {
        let page = if level == 0 { root } else { pages + level };
        let child = (pages + level + 1) as u32;
        let mut inner = vec![0; size];
        let cells = (size - 12) / 7;
        inner[0] = 5;
        inner[3..5].copy_from_slice(&(cells as u16).to_be_bytes());
        inner[8..12].copy_from_slice(&child.to_be_bytes());
        for cell in 0..cells {
            let start = size - 5 * (cell + 1);
            inner[start..start + 4].copy_from_slice(&child.to_be_bytes());
            inner[start + 4] = 1;
            inner[12 + 2 * cell..14 + 2 * cell].copy_from_slice(&(start as u16).to_be_bytes());
        }
        let first = (size - 5 * cells) as u16;
        inner[5..7].copy_from_slice(&first.to_be_bytes());
        bytes.resize(bytes.len().max(at(page) + size), 0);
        bytes[at(page)..at(page) + size].copy_from_slice(&inner);
    }
    bytes.resize(at(pages + levels) + size, 0);
    bytes[at(pages + levels)..at(pages + levels) + size].copy_from_slice(&leaf);
    pages += levels;
    bytes[28..32].copy_from_slice(&(pages as u32).to_be_bytes());
    fs::write(folder.join("m.db"), &bytes).unwrap();
    for command in OPENING {
        let command = command.replace(".arbitre/", "");
        let words: Vec<&str> = command.split(' ').collect();
        if words == ["list"] {
            continue;
        }
        // It ends, and where all rows are read it says why.
        let output = folder.run(&words);
        let told = arbitre_test_support::command::stdout(&output) + &stderr(&output);
        let reads_all = ["list", "verify", "merge", "--resume"].contains(&words[0]);
        let is_said = told.contains("it has more rows than it has room for");
        assert!(is_said || !reads_all, "{table}, {command}: {told}");
    }
}

/// Texts of a crafted file, a title and a name act on no terminal and in no spreadsheet.
#[test]
fn texts_of_others_act_nowhere() {
    let folder = Folder::new("texts");
    let hostile = r"\u001B]52;c;aGk=\u0007\u009B2J\u202E";
    let toml = format!(
        "[tournament]\ngame = \"awele\"\ngames = 2\nname = \"{hostile}\"\n[[player]]\nname = \
         \"=SUM(A1){hostile}\"\ncommand = \"awele random\"\n[[player]]\nname = \"b\"\ncommand = \"awele \
         greedy\"\n"
    );
    fs::write(folder.join("cup.toml"), toml).unwrap();
    let mut printed = Vec::new();
    for command in [
        "tournament cup.toml --db m.db --output st.csv --output st.md --output st.json",
        "tournament cup.toml --db m.db --json",
        "tournament cup.toml --dry-run",
        "list --db m.db",
        "list --db m.db --json",
        "list --games --db m.db",
        "show 0 --db m.db",
        "show 0 --json --db m.db",
        "rerun 0 --db m.db",
        "export --db m.db --format csv",
        "verify --db m.db",
        "report --output r.html --db m.db",
        "--resume --db m.db",
        "drop 0 --db m.db",
        "drop zoe --db m.db",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let output = folder.run(&words);
        let told = arbitre_test_support::command::stdout(&output) + &stderr(&output);
        assert!(told.len() > 5, "{command}: {told}");
        printed.push((command.to_owned(), told));
    }
    // The text of a lock that is held.
    fs::write(folder.join("m.db.lock"), "\x1b]52;c;aGk=\x07").unwrap();
    let lock = fs::File::open(folder.join("m.db.lock")).unwrap();
    lock.lock().unwrap();
    let held = folder.run(&["drop", "0", "--db", "m.db"]);
    assert_fails(&held, 4, "holds it", "a lock");
    printed.push(("a lock".into(), stderr(&held)));
    drop(lock);
    for file in ["st.csv", "st.md"] {
        printed.push((file.into(), fs::read_to_string(folder.join(file)).unwrap()));
    }
    for (what, text) in printed {
        let acts = |c: char| "\x1b\x07\u{9b}\u{202e}".contains(c);
        assert!(!text.contains(acts), "{what}: {text:?}");
        if what.ends_with("csv") {
            assert!(!text.contains(",=SUM") && text.contains("'=SUM"), "{what}: {text}");
        }
        if what.ends_with("--json") {
            let last = text.lines().last().unwrap();
            let json: Result<serde_json::Value, _> = serde_json::from_str(last);
            assert!(json.is_ok() || what.starts_with("tournament"), "{what}: {text}");
        }
    }
}
