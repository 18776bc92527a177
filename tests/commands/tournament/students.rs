//! Pages of the players: `--per-player`.

use crate::tournament::harness::{Folder, REFEREE};
use arbitre_test_support::command::{stderr, SHELL_BOT};
use arbitre_test_support::pages::{between, document, unpacked, HOSTILE};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

/// Formats with their options for one seat, two seats and tables of four; none where they allow no
/// such number.
const FORMATS: [(&str, [Option<&str>; 3]); 8] = [
    ("round-robin", [Some("games = 2"), Some("games = 2"), Some("games = 4")]),
    ("gauntlet", [None, Some("games = 4"), Some("games = 4")]),
    ("balanced", [None, Some("games-per-player = 4"), Some("games-per-player = 16")]),
    ("swiss", [None, Some("rounds = 3\ngames = 2"), Some("rounds = 3\ngames = 4")]),
    ("knockout", [None, Some("games = 4"), Some("games = 4")]),
    ("double-knockout", [None, Some("games = 4"), None]),
    ("ladder", [None, Some("max-games = 40"), Some("max-games = 20")]),
    ("graded", [Some(GRADED_ALONE), Some(GRADED), Some(GRADED_TABLE)]),
];
const GRADED_ALONE: &str = "games = 4\n[[grade]]\nbot = \"taquin quick\"\npoints = 1";
const GRADED: &str = "games = 4\n[[grade]]\nbot = \"a=tron random\"\npoints = 1";
const GRADED_TABLE: &str = "games = 8\n[[grade]]\nbot = \"a=tron random\"\npoints = 1\n\
     [[grade]]\nbot = \"b=tron random\"\npoints = 1\n[[grade]]\nbot = \"c=tron random\"\npoints = 1";

/// Kinds of players in a folder: the name, the answer to `go` in place of a move, and the fault.
const FAULTY: [(&str, &str, &str); 4] = [
    ("name-of-crash", "echo secret-of-crash >&2; exit 3", "crash"),
    ("name-of-timeout", "echo secret-of-timeout >&2; sleep 5", "timeout"),
    ("name-of-invalid", "echo secret-of-invalid", "invalid"),
    ("name-of-mute", "exec >&-; sleep 5", "disconnect"),
];
/// Player that is withdrawn where it fails to start in its first games.
const ONCE: &str = "name-of-once";
/// Bundled bot.
const BOT: &str = "name-of-bot";

/// Writes `cup.toml` with players of all kinds.
fn cup(folder: &Folder, seats: usize, settings: &str) {
    let game = match seats {
        1 => "game = \"taquin\"\nrules = \"eight\"".into(),
        _ => format!("game = \"tron\"\nrules = \"size=9x9\"\nseats = {seats}"),
    };
    folder.program(&format!("class/{}/bot", HOSTILE.replace('/', "-")), SHELL_BOT);
    for (name, answer, _) in FAULTY {
        // Nothing goes wrong in the trial, which has fewer turns.
        let answer = format!("if [ $((n += 1)) = 3 ]; then {answer}; else echo $move; fi");
        let bot = SHELL_BOT.replace("echo \"$move\"", &answer);
        folder.program(&format!("class/{name}/bot"), &bot);
    }
    folder.file("class/name-of-unbuilt/build.sh", "echo secret-of-unbuilt; exit 2\n");
    folder.program("class/name-of-unstarted/bot", "#!/bin/sh\necho secret-of-unstarted >&2\n");
    let once = format!("#!/bin/sh\n[ -e started ] && exit 1\n: >started\n{SHELL_BOT}");
    folder.program("once", &once);
    let bot = if seats == 1 { "taquin random" } else { "tron random" };
    // What a grade has after it is part of its table.
    let (options, grades) = settings.split_once("[[").map_or((settings, ""), |of| of);
    let grades = if grades.is_empty() { String::new() } else { format!("[[{grades}") };
    folder.file(
        "cup.toml",
        &format!(
            "[tournament]\n{game}\nseed = 7\nno-sandbox = true\ninit-time = \"60s\"\n\
             move-time = \"150ms\"\nfirst-move-time = \"150ms\"\n{options}\n[players]\n\
             from = \"class\"\n{grades}\n[[player]]\nname = \"{ONCE}\"\ncommand = \"./once\"\n\
             [[player]]\nname = \"{BOT}\"\ncommand = \"{bot}\"\n"
        ),
    );
}

/// Returns the names of the files in a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Returns all texts of a page, with those of its documents, and its facts.
fn texts(page: &str) -> (String, Value) {
    let replays = between(page, "id=\"replays\">", "</script>").split_whitespace();
    let facts = document(page);
    let replays: String = replays.map(|replay| unpacked(replay).to_string()).collect();
    (format!("{page}{facts}{replays}"), facts)
}

/// Returns all players that have a page, each with the start of its file's name.
fn authors() -> Vec<(String, String)> {
    let faulty = FAULTY.iter().map(|(name, ..)| *name);
    let names = faulty.chain(["name-of-unbuilt", "name-of-unstarted", ONCE]);
    let plain = names.map(|name| (name.to_owned(), name.to_owned()));
    // The name of a player has none of the characters that a terminal hides.
    let hostile = HOSTILE.replace('\u{202e}', "_");
    let file = "=1+1-img src=x onerror=alert(1)--'&_-";
    plain.chain([(hostile, file.to_owned())]).collect()
}

/// Checks the facts of a player's page.
fn check_facts(name: &str, facts: &Value, what: &str) {
    let what = format!("{what}, {name}: {facts}");
    assert_eq!(facts["name"], name, "{what}");
    let is_absent = ["name-of-unbuilt", "name-of-unstarted"].contains(&name);
    let result = facts["result"].as_str().unwrap();
    assert_eq!(result == "Not ranked: it played no game.", is_absent, "{what}");
    assert_eq!(
        facts["absence"].is_object(),
        is_absent || facts["absence"]["what"] == "was withdrawn",
        "{what}"
    );
    if is_absent {
        let secret = name.replace("name", "secret");
        assert!(facts["absence"]["lines"].as_str().unwrap().contains(&secret), "{what}");
    }
    let steps = facts["steps"].as_array().unwrap();
    assert!((1..=3).contains(&steps.len()), "{what}");
    assert!(steps.iter().all(|step| step["command"].as_str().unwrap().starts_with("referee ")));
    for (kind, _, word) in FAULTY.iter().filter(|(kind, ..)| *kind == name) {
        assert!(facts["fault_kinds"].as_str().unwrap().contains(word), "{what}: {kind}");
        let faults = facts["faults"].as_array().unwrap();
        assert!((1..=5).contains(&faults.len()), "{what}");
        let first = &faults[0]["number"];
        let replays = facts["replays"].as_array().unwrap();
        assert!((1..=3).contains(&replays.len()), "{what}");
        assert!(replays.iter().any(|of| of[0] == *first), "{what}");
        assert_eq!(
            facts["games"].as_array().unwrap().iter().find(|of| !of["missing"].is_null()),
            None
        );
    }
}

/// Returns the number of the game with the first fault of a player, by the page of a class.
fn first_fault(class: &Value, name: &str) -> Option<u64> {
    let faults = class["first_faults"].as_array().unwrap().iter();
    let number = |of: &Value| of["player"].as_u64().unwrap() as usize;
    let mut own = faults.filter(|of| class["summary"]["players"][number(of)]["name"] == name);
    own.next()?["game"].as_u64()
}

/// The pages of players of all kinds, in every format, at one, two and four seats, in both forms,
/// and with hidden names.
#[test]
fn authors_have_pages_in_every_format() {
    for (format, settings) in FORMATS {
        for (seats, settings) in [1, 2, 4].into_iter().zip(settings) {
            let Some(settings) = settings else { continue };
            let what = format!("{format} at {seats} seats");
            let folder = Folder::new(&format!("students {format} {seats}"));
            cup(&folder, seats, &format!("format = \"{format}\"\n{settings}"));
            let run = |more: &[&str]| {
                let words = ["tournament", "cup.toml", "--per-player", "pages"];
                let output = folder.run(&[&words[..], more].concat());
                assert_eq!(output.status.code(), Some(0), "{what}: {}", stderr(&output));
            };
            run(&["--output", "cup.html"]);
            let class = document(&fs::read_to_string(folder.path("cup.html")).unwrap());
            let authors = authors();
            let expected: BTreeSet<String> = authors
                .iter()
                .map(|(_, file)| format!("{file}.html"))
                .chain(["index.html".into()])
                .collect();
            assert_eq!(files(&folder.path("pages")), expected, "{what}");
            let read =
                |file: &str| fs::read_to_string(folder.path(&format!("pages/{file}"))).unwrap();
            for (name, file) in &authors {
                let facts = texts(&read(&format!("{file}.html"))).1;
                check_facts(name, &facts, &what);
                let first = facts["faults"][0]["number"].as_u64();
                assert_eq!(first, first_fault(&class, name), "{what}: {name}");
            }
            let page = texts(&read("name-of-crash.html")).1;
            let has_mark = page["result"].as_str().unwrap().starts_with("Mark ");
            assert_eq!(has_mark, format == "graded", "{what}: {page}");
            let index = document(&read("index.html"));
            let rows = index["rows"].as_array().unwrap();
            let linked = rows.iter().filter_map(|row| row["file"].as_str());
            assert_eq!(linked.count(), authors.len(), "{what}: {index}");
            let bot = rows.iter().find(|row| row["name"] == BOT).unwrap();
            assert_eq!((&bot["file"], bot["result"].is_object()), (&Value::Null, true), "{what}");

            run(&["--anonymous"]);
            assert_eq!(files(&folder.path("pages")), expected, "{what}");
            for (name, file) in &authors {
                let (text, facts) = texts(&read(&format!("{file}.html")));
                assert!(facts["shown"].as_str().unwrap().starts_with("player "), "{what}: {facts}");
                for (other, _) in authors.iter().filter(|(other, _)| other != name) {
                    let kind = other.trim_start_matches("name-of-");
                    for hidden in [other, &format!("secret-of-{kind}")] {
                        assert!(
                            !text.contains(hidden.as_str()),
                            "{what}: {name} is shown {hidden}"
                        );
                    }
                }
            }
            let index = document(&read("index.html"));
            let rows = index["rows"].as_array().unwrap();
            let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
            assert!(names.is_sorted() && rows.iter().all(|row| row["result"].is_null()), "{what}");

            run(&["--per-player-format", "md"]);
            let expected: BTreeSet<String> =
                expected.iter().map(|file| file.replace(".html", ".md")).collect();
            assert_eq!(files(&folder.path("pages")), expected, "{what}");
            let page = read("name-of-unbuilt.md");
            let parts =
                ["# name-of-unbuilt in cup", "## It could not be started", "## What to do next"];
            let places =
                parts.map(|part| page.find(part).unwrap_or_else(|| panic!("{what}: {page}")));
            assert!(places.is_sorted(), "{page}");
        }
    }
}

/// Writes a class of two players, and plays it. Returns what a run with these words did.
fn small(folder: &Folder) -> impl Fn(&[&str]) -> Output + '_ {
    for name in ["ada", "bea"] {
        folder.program(&format!("class/{name}/bot"), SHELL_BOT);
    }
    folder.file(
        "cup.toml",
        "[tournament]\ngame = \"awele\"\ngames = 2\nno-sandbox = true\nmove-time = \"60s\"\n\
         [players]\nfrom = \"class\"\n[[player]]\nname = \"bot\"\ncommand = \"awele random\"\n",
    );
    |words| folder.run(&[&["tournament", "cup.toml"], words].concat())
}

/// A page is removed with its player, and a file that no run wrote stays.
#[test]
fn pages_of_leavers_are_removed() {
    let folder = Folder::new("students gone");
    let run = small(&folder);
    let done = |words: &[&str]| {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    };
    for name in ["notes.html", "README.md", "zoe.html"] {
        folder.file(name, "mine");
    }
    let before = files(&folder.path(""));
    let own = |names: &[&str]| {
        let more: BTreeSet<String> = names.iter().map(|&name| name.to_owned()).collect();
        let now = files(&folder.path(""));
        let added = now.difference(&before).filter(|name| !name.starts_with('.'));
        assert_eq!(added.cloned().collect::<BTreeSet<_>>(), more);
        for name in ["notes.html", "README.md", "zoe.html"] {
            assert_eq!(fs::read_to_string(folder.path(name)).unwrap(), "mine");
        }
    };
    done(&["--per-player", "."]);
    own(&["ada.html", "bea.html", "index.html"]);
    fs::remove_dir_all(folder.path("class/bea")).unwrap();
    done(&["--per-player", "."]);
    own(&["ada.html", "index.html"]);
    // The list of an index is read in the other form, too.
    done(&["--per-player", ".", "--per-player-format", "md"]);
    own(&["ada.md", "index.md"]);
    // It is back.
    folder.program("class/bea/bot", SHELL_BOT);
    done(&["--per-player", "."]);
    own(&["ada.html", "bea.html", "index.html"]);
}

/// A run replaces and removes no file that the index of an earlier run does not list.
#[test]
fn files_of_others_are_kept() {
    let folder = Folder::new("students others");
    let run = small(&folder);
    let refused = |words: &[&str], expected: &str| {
        let output = run(words);
        assert_eq!(output.status.code(), Some(4), "{words:?}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(expected), "{said}");
    };
    // The index of others is seen before any game.
    folder.file("a/index.html", "mine");
    refused(&["--per-player", "a"], "a/index.html\nhelp: move it");
    assert!(!folder.path(".arbitre/tournament-cup.toml.db").exists());
    assert_eq!(files(&folder.path("a")), BTreeSet::from(["index.html".into()]));
    // The page of a player has the name of another file.
    folder.file("b/bea.html", "mine");
    refused(&["--per-player", "b"], "b/bea.html\nhelp: move it");
    assert_eq!(files(&folder.path("b")), BTreeSet::from(["bea.html".into()]));
    assert_eq!(fs::read_to_string(folder.path("b/bea.html")).unwrap(), "mine");
    // A device would swallow a page, and a pipe would never take it.
    folder.file("f/index.html", "<!-- arbitre-pages [\"ada.html\",\"index.html\"] -->\n");
    symlink("/dev/null", folder.path("f/ada.html")).unwrap();
    refused(&["--per-player", "f"], "f/ada.html\nhelp: move it");
    folder.file("c", "mine");
    refused(&["--per-player", "c"], "expected a folder, got ");
    refused(&["--per-player", "/proc/pages"], "/proc/pages: ");
    let output = run(&["--per-player-format", "md"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));

    // Names beyond the folder, and folders, stay though an index lists them.
    folder.file("d/e.html/kept", "mine");
    folder.file("outside.html", "mine");
    folder.file("d/gone.html", "ours");
    let list = r#"["../outside.html","/tmp","..","e.html","gone.html","link.html","index.html"]"#;
    folder.file("d/index.html", &format!("<!-- arbitre-pages {list} -->\n"));
    symlink(folder.path("outside.html"), folder.path("d/link.html")).unwrap();
    let output = run(&["--per-player", "d"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let expected = ["ada.html", "bea.html", "e.html", "index.html", "link.html"];
    assert_eq!(files(&folder.path("d")), expected.map(str::to_owned).into_iter().collect());
    assert_eq!(fs::read_to_string(folder.path("outside.html")).unwrap(), "mine");
}

/// A page stays small though a player prints much.
#[test]
fn large_games_are_left_out() {
    let folder = Folder::new("students large");
    let loud =
        SHELL_BOT.replace("echo \"$move\"", "head -c 30000 /dev/urandom | base64 >&2; echo $move");
    folder.program("class/ada/bot", &loud);
    folder.program("class/bea/bot", &loud);
    let words = ["tournament", "class", "--game", "awele", "--games", "2", "--move-time", "60s"];
    folder.done(&[&words[..], &["--seed", "1", "--per-player", "pages"]].concat());
    let page = fs::read_to_string(folder.path("pages/ada.html")).unwrap();
    let (_, facts) = texts(&page);
    let games = facts["games"].as_array().unwrap();
    assert!(!games.is_empty() && facts["replays"] == serde_json::json!([]), "{facts}");
    assert!(games.iter().all(|of| of["missing"] == "it is too large for this page"), "{facts}");
    assert!(page.len() < 150_000, "{} bytes", page.len());
}

/// Each command on a page works in a folder with the program alone.
#[test]
fn commands_of_pages_work_elsewhere() {
    let folder = Folder::new("students commands");
    folder.done(&["new", "python", "--game", "tron", "new"]);
    let honest = fs::read_to_string(folder.path("new/bot.py")).unwrap();
    // It passes every trial, as it never crashes at its first move.
    let end =
        "    turns.append(1)\n    if turns[1:] and len(legal) < 3: sys.exit('oh')\n    return ";
    let crash = format!("turns = []\n{}", honest.replace("    return ", end));
    assert!(crash.contains(end));
    // Name, file, program, and the command that builds it.
    let mut players = vec![
        ("honest", "main.py", honest.as_str(), None),
        ("crash", "main.py", crash.as_str(), None),
        ("broken", "main.py", "import nimpy\n", None),
        ("script", "bot", SHELL_BOT, None),
    ];
    let c = "#include <stdio.h>\n#include <string.h>\nint main(void) { char l[9999], m[20] = \"\";\
             while (fgets(l, sizeof l, stdin)) { if (!strncmp(l, \"begin\", 5)) puts(\"ready c\");\
             sscanf(l, \"legal %19s\", m); if (!strncmp(l, \"go\", 2)) puts(m); fflush(stdout); } }\n";
    if Command::new("gcc").arg("--version").output().is_ok() {
        players.push(("built", "my bot.c", c, Some("gcc -o bot 'my bot.c'")));
    }
    for (name, file, program, _) in &players {
        folder.program(&format!("class/{name}/{file}"), program);
    }
    // A loose file, and a command with a path.
    folder.file("class/loose.py", &honest);
    folder.program("own/ida/main.py", &honest);
    folder.file(
        "cup.toml",
        "[tournament]\ngame = \"tron\"\nrules = \"size=9x9\"\ngames = 2\nseats = 2\nseed = 7\n\
         [players]\nfrom = \"class\"\n[[player]]\nname = \"ida\"\ncommand = \"python3 own/ida/main.py\"\n",
    );
    folder.done(&["tournament", "cup.toml", "--per-player", "pages"]);
    let loose = [("loose", "loose.py"), ("ida", "main.py")];
    players.extend(loose.map(|(name, file)| (name, file, honest.as_str(), None)));
    let home = folder.path("home");
    let path = Path::new(REFEREE).parent().unwrap().display().to_string();
    let path = format!("{path}:{}", std::env::var("PATH").unwrap());
    for (name, file, program, build) in players {
        let own = home.join(name);
        folder.program(&format!("home/{name}/{file}"), program);
        let page = fs::read_to_string(folder.path(&format!("pages/{name}.html"))).unwrap();
        let facts = document(&page);
        let steps = facts["steps"].as_array().unwrap();
        assert_eq!(steps.len(), if name == "broken" { 1 } else { 2 }, "{name}: {facts}");
        for step in steps {
            let command = step["command"].as_str().unwrap();
            let is_check = command.starts_with("referee check ");
            if let Some(build) = build.filter(|_| !is_check) {
                assert!(step["text"].as_str().unwrap().starts_with("Build it"), "{step}");
                let built = Command::new("sh").args(["-c", build]).current_dir(&own).status();
                assert!(built.unwrap().success());
            }
            let mut shell = Command::new("sh");
            let output = shell.args(["-c", command]).env("PATH", &path).current_dir(&own).output();
            let output = output.unwrap();
            let expected = match name {
                "crash" | "broken" if is_check => 1,
                _ => 0,
            };
            assert_eq!(
                output.status.code(),
                Some(expected),
                "{name}: {command}: {}{}",
                stderr(&output),
                String::from_utf8_lossy(&output.stdout)
            );
        }
    }
}

/// Without the rules no command works elsewhere, and the page has none. It shows the games.
#[test]
fn page_of_other_rules_has_no_commands() {
    let folder = Folder::new("students rules");
    for name in ["ada", "bea"] {
        let bot = SHELL_BOT.replace("echo \"$move\"", "echo a");
        folder.program(&format!("class/{name}/bot"), &bot);
    }
    let rules = "#!/bin/sh\nwhile read w r; do case $w in\nrules) echo game odd; echo seats 2 \
             2;;\ndraw) echo setup x;;\nstart) echo turn 0;;\nask|state) echo state x;;\nplay) echo \
             played a; echo over 1 0;;\npicture|svg|decided) echo unknown;;\nesac; echo .; done";
    folder.program("rules", rules);
    let words = ["tournament", "class", "--external", "./rules", "--games", "2"];
    folder.done(&[&words[..], &["--per-player", "pages"]].concat());
    let page = fs::read_to_string(folder.path("pages/bea.html")).unwrap();
    let (_, facts) = texts(&page);
    let steps = facts["steps"].as_array().unwrap();
    assert!(!steps.is_empty() && steps.iter().all(|step| step["command"].is_null()), "{facts}");
    let games = facts["games"].as_array().unwrap();
    assert!(!games.is_empty() && games.iter().all(|of| of["missing"].is_null()), "{facts}");
    assert!(!facts["replays"].as_array().unwrap().is_empty(), "{facts}");
}
