//! Options of the sandbox on the command line, and the level in lines, documents and files. Whether
//! a sandbox holds is tested elsewhere.

use arbitre_test_support::command::{
    cleared, folder, json, referee, remove_results, script, stderr, stdout, SHELL_BOT,
};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const WORDS: [&str; 4] = ["none", "weak", "partial", "full"];

/// Creates an empty folder with a bot.
fn home(name: &str) -> PathBuf {
    let folder = cleared(folder(&format!("sandbox {name}")));
    fs::create_dir_all(&folder).unwrap();
    script(&folder, "bot.sh", SHELL_BOT);
    folder
}

fn run(folder: &Path, words: &[&str]) -> Output {
    let limits = ["--move-time", "20s", "--clock", "wall", "--game", "awele"];
    let is_new = !words.contains(&"--resume");
    let mut command = referee(words);
    command.args(limits.iter().filter(|_| is_new)).current_dir(folder);
    command.output().unwrap()
}

/// Plays two short games between a bot and a bundled one, and returns the summary.
fn summary(folder: &Path, player: &str, words: &[&str]) -> (Value, Output) {
    let usual = [player, "awele random", "--games", "2", "--rules", "max-plies=12", "--db", "m.db"];
    let output = run(folder, &[&usual, words, &["--json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    (json(&stdout(&output)), output)
}

fn sandbox_of(summary: &Value, player: usize) -> String {
    summary["players"][player]["sandbox"].as_str().unwrap().to_owned()
}

const USUAL: &str = "profile mine, memory 1GiB, processes 256, open-files 256, scratch 64MiB";

#[test]
fn one_line_names_level_and_profile() {
    let home = home("line");
    let play = |words: &[&str]| {
        let usual = ["--games", "2", "--rules", "max-plies=12", "--db", ":memory:"];
        let output = run(&home, &[words, &usual].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let line = |text: &str| {
        let lines: Vec<String> =
            text.lines().filter(|line| line.contains("sandbox")).map(str::to_owned).collect();
        assert!(lines.len() < 2, "{text}");
        lines.first().cloned()
    };
    let (printed, warned) = play(&["./bot.sh", "awele random"]);
    let told = line(&printed).expect("the level is named");
    let level = told.strip_prefix("sandbox: ").and_then(|rest| rest.strip_suffix(", profile mine"));
    let level = level.filter(|level| WORDS.contains(level)).expect(&told);
    // Less is warned of once, with the reason.
    let is_full = level == "full";
    assert_eq!(line(&warned).is_none(), is_full, "{warned}");
    assert!(is_full || warned.contains("referee doctor"), "{warned}");
    let of = |words: &[&str]| line(&play(words).0);
    assert_eq!(
        of(&["./bot.sh", "awele random", "--profile", "class"]),
        Some(format!("sandbox: {level}, profile class"))
    );
    let mixed = ["a[no-sandbox]=./bot.sh", "b[profile=class]=./bot.sh"];
    assert_eq!(of(&mixed), Some(format!("sandbox: {level}, none for a, profile class for b")));
    assert_eq!(of(&["./bot.sh", "awele random", "--no-sandbox"]), Some("sandbox: none".into()));
    assert_eq!(of(&["awele greedy", "awele random", "--profile", "class"]), None);
    let (printed, told) = play(&["./bot.sh", "awele random", "--events"]);
    assert!(told.contains("sandbox: "), "{told}");
    for event in printed.lines() {
        assert_eq!(json(event)["sandbox"], level, "{event}");
    }
}

#[test]
fn level_and_options_are_stored_and_shown() {
    let home = home("stored");
    let holes = "mine[allow-read=/usr,env=A=b,memory=2GiB]=./bot.sh";
    let (shown, _) = summary(&home, holes, &["--allow-read", "bot.sh", "--processes", "99"]);
    let path = home.join("bot.sh");
    let options = format!(
        "profile mine, memory 2GiB, processes 99, open-files 256, scratch 64MiB, \
         allow-read {}, allow-read /usr, env A=b",
        path.display()
    );
    assert_eq!((sandbox_of(&shown, 0), sandbox_of(&shown, 1)), (options.clone(), "none".into()));
    let level = shown["sandbox"].as_str().expect("a level").to_owned();
    let stored = |words: &[&str]| {
        let output = referee(words).args(["--db", "m.db"]).current_dir(&home).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(json(&stored(&["list", "--json"]))["players"][0]["sandbox"], options.as_str());
    assert_eq!(json(&stored(&["show", "0", "--json"]))["sandbox"], level.as_str());
    assert!(stored(&["show", "0"]).contains(&format!("\nsandbox: {level}\n")));
    for (format, cell) in [
        ("jsonl", format!("\"sandbox\":\"{level}\"")),
        ("csv", format!(",{level}\n")),
        ("pgn", format!("[Sandbox \"{level}\"]")),
    ] {
        let export = ["export", "--format", format];
        let with_times = stored(&[&export[..], &["--times"]].concat());
        assert_eq!(with_times.matches(&cell).count(), 2, "{with_times}");
        // Two machines may give different levels, so that the plain export has none.
        assert_eq!(stored(&export).matches(&cell).count(), 0, "{format}");
    }
    let counts = json(&stored(&["verify", "--json"]));
    assert_eq!(counts["problems"], serde_json::json!([]), "{counts}");
}

#[test]
fn a_game_of_bundled_bots_has_no_sandbox() {
    let home = home("bundled");
    let (shown, output) = summary(&home, "awele greedy", &["--require-sandbox", "full"]);
    assert_eq!((&shown["sandbox"], sandbox_of(&shown, 0)), (&Value::Null, "none".into()));
    assert!(!stderr(&output).contains("sandbox"));
    let word: String = Connection::open(home.join("m.db"))
        .unwrap()
        .query_row("SELECT DISTINCT sandbox FROM game", [], |row| row.get(0))
        .unwrap();
    assert_eq!(word, "none");
}

#[test]
fn resumed_match_keeps_its_sandboxes() {
    let home = home("resumed");
    let (shown, _) = summary(&home, "./bot.sh", &["--allow-read", "/usr", "--memory", "2GiB"]);
    let options = sandbox_of(&shown, 0);
    assert!(options.contains("memory 2GiB") && options.ends_with("allow-read /usr"), "{options}");
    let resume = |words: &[&str]| {
        let usual = ["--resume", "--db", "m.db", "--json"];
        let output = run(&home, &[&usual, words].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let shown = json(&stdout(&output));
        // Another sandbox makes no other version: all games count.
        (sandbox_of(&shown, 0), shown["games"].as_u64().unwrap())
    };
    // A hole and a larger limit are typed again, by the option or in the player's brackets.
    let again = ["--allow-read", "/usr", "--memory", "2GiB"];
    assert_eq!(resume(&[&again[..], &["--games", "4"]].concat()), (options.clone(), 4));
    assert_eq!(resume(&["bot[allow-read=/usr,memory=2GiB]=./bot.sh"]), (options.clone(), 4));
    let smaller = resume(&["bot[allow-read=/usr,memory=2GiB,scratch=1MiB]=./bot.sh"]).0;
    assert_eq!(smaller, options.replace("64MiB", "1MiB"));
    assert_eq!(resume(&["./bot.sh", "--allow-network"]), (format!("{USUAL}, allow-network"), 4));
    assert_eq!(resume(&["./bot.sh", "--no-sandbox", "--games", "6"]), ("none".into(), 6));
    assert_eq!(resume(&["--no-sandbox"]), ("none".into(), 6));
    // Only typed words leave a program without a sandbox.
    let words = ["--resume", "--db", "m.db", "--json", "new[profile=mine]=./bot.sh"];
    let refused = run(&home, &words);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    let output = run(&home, &[&words[..], &["--no-sandbox"]].concat());
    let shown = json(&stdout(&output));
    let sandboxes = [0, 1, 2].map(|player| sandbox_of(&shown, player));
    assert_eq!(sandboxes, ["none", "none", USUAL], "{}", stderr(&output));
    let confined = ["./bot.sh", "awele random", "--games", "2", "--db", "confined.db"];
    run(&home, &confined);
    let refused = run(&home, &["--resume", "--db", "confined.db", "--no-sandbox"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("expected no option of the sandbox beside --resume"));
}

#[test]
fn a_level_that_this_machine_lacks_is_exit_code_5() {
    let home = home("required");
    let words = ["./bot.sh", "awele random", "--games", "2", "--db", "m.db"];
    let output = run(&home, &[&words[..], &["--require-sandbox", "full"]].concat());
    let (said, code) = (stderr(&output), output.status.code());
    if code == Some(0) {
        assert!(stdout(&output).contains("sandbox: full, profile mine\n"));
    } else {
        assert_eq!(code, Some(5), "{said}");
        assert!(said.starts_with("error: --require-sandbox full: expected "), "{said}");
        assert!(said.contains("help: see referee doctor"), "{said}");
        assert!(!home.join("m.db").exists(), "nothing is played");
    }
    let refused = |words: &[&str]| {
        let output = run(&home, words);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    let none = refused(&["a[no-sandbox]=./bot.sh", "awele", "--require-sandbox", "weak"]);
    assert!(none.contains("expected a sandbox for each program, got none for a"), "{none}");
}

#[test]
fn options_without_effect_are_refused() {
    let home = home("refused");
    for (words, part) in [
        (&["a[profile=class]=awele", "./bot.sh"][..], "a: expected no sandbox for a bundled bot"),
        (&["./bot.sh", "awele", "--no-sandbox", "--memory", "1GiB"], "memory: expected a sandbox"),
        (&["./bot.sh", "awele", "--no-sandbox", "--profile", "mine"], "got both"),
        (&["./bot.sh", "awele", "--allow-read", "bot.hs"], "did you mean"),
        (&["./bot.sh", "awele", "--memory", "1"], "write 1MiB or 1GiB"),
        (&["./bot.sh", "awele", "--require-sandbox", "none"], "weak, partial or full"),
        (&["check", "./bot.sh", "--memory", "x"], "expected a size like"),
        (&["tune", "./bot.sh {n}", "--gene", "n=1..2", "--scratch", "x"], "expected a size like"),
    ] {
        let output = run(&home, words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{words:?}: {}", stderr(&output));
    }
}

#[test]
fn check_and_tune_name_the_level() {
    let home = home("others");
    let check = ["check", "./bot.sh", "--games", "2"];
    let printed = stdout(&run(&home, &check));
    let first = printed.lines().next().unwrap_or_default();
    assert!(first.starts_with("sandbox: ") && first.ends_with(", profile mine"), "{printed}");
    let document = json(&stdout(&run(&home, &[&check[..], &["--json"]].concat())));
    let level = document["sandbox"].as_str().unwrap();
    assert!(first.contains(level) && WORDS.contains(&level), "{document}");
    let tune = [
        "tune",
        "./bot.sh {n}",
        "--gene",
        "n=1..2",
        "--against",
        "awele random",
        "--instances",
        "1",
        "--generations",
        "1",
        "--candidates",
        "2",
        "--parents",
        "1",
        "--new",
        "1",
        "--rules",
        "max-plies=12",
        "--db",
        ":memory:",
    ];
    let printed = stdout(&run(&home, &tune));
    assert_eq!(printed.lines().nth(1), Some(first), "{printed}");
    let document = json(&stdout(&run(&home, &[&tune[..], &["--json"]].concat())));
    assert_eq!(document["sandbox"], level);
}

/// Reads a file beside its own folder, and says why that fails.
const NOSY_BOT: &str = "#!/bin/sh\nread line < ../secret/book || exit 7\nexec ./bot.sh\n";

#[test]
fn refused_access_is_named_with_its_option() {
    let root = home("refused access");
    let home = root.join("own");
    for folder in ["own", "secret"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::rename(root.join("bot.sh"), home.join("bot.sh")).unwrap();
    fs::write(root.join("secret/book"), "e4\n").unwrap();
    script(&home, "nosy", NOSY_BOT);
    let words = ["own/nosy", "awele random", "--games", "2", "--db", ":memory:"];
    let class = [&words[..], &["--profile", "class"]].concat();
    let output = run(&root, &class);
    let level = stdout(&output).lines().find(|line| line.starts_with("sandbox")).map(str::to_owned);
    if level.is_some_and(|line| line.contains("weak")) {
        eprintln!("SKIPPED: this machine gives a weak sandbox, which refuses nothing");
        return;
    }
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let book = root.canonicalize().unwrap().join("secret/book");
    let hint = format!("the sandbox hides {0}; --allow-read {0} shows it", book.display());
    assert!(stdout(&output).contains(&hint), "{}", stdout(&output));
    let checked = run(&root, &["check", "own/nosy", "--profile", "class"]);
    assert!(stdout(&checked).contains(&hint), "{}", stdout(&checked));
    let opened = [&class[..], &["--allow-read", "secret/book"]].concat();
    assert_eq!(run(&root, &opened).status.code(), Some(0));
}

/// A shell that sets this variable hides the missing flush from the bot's author.
#[test]
fn bot_without_flush_is_found_whatever_the_shell_sets() {
    let home = home("flush");
    let bot = "import sys\nfor line in sys.stdin:\n    word, *rest = line.split()\n    \
               if word == 'legal': legal = rest\n    \
               if word in ('begin', 'go'): print('ready lazy' if word == 'begin' else legal[0])\n";
    fs::write(home.join("bot.py"), bot).unwrap();
    let check = |words: &[&str]| {
        let usual =
            ["check", "python3 bot.py", "--game", "awele", "--init-time", "2s", "--games", "4"];
        let mut command = referee(&[&usual, words].concat());
        command.current_dir(&home).env("PYTHONUNBUFFERED", "1").output().unwrap()
    };
    if !std::process::Command::new("python3").arg("-V").output().is_ok_and(|it| it.status.success())
    {
        eprintln!("SKIPPED: there is no python3");
        return;
    }
    let output = check(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("flush=True"), "{}", stdout(&output));
    // With the variable it works, as in its author's shell.
    let output = check(&["--env", "PYTHONUNBUFFERED"]);
    assert!(!stdout(&output).contains("FAILED"), "{}", stdout(&output));
}

/// A bot that lies beside the folder of results sees none of them: neither the running match nor
/// another one, under each profile, also if it was built there.
#[test]
fn results_beside_a_bot_are_hidden() {
    let home = home("beside results");
    let read = "go) ls .arbitre; cat .arbitre/*.db .arbitre/builds/*/* | head -c 6";
    let spy = SHELL_BOT.replace("go) ", &format!("{read}\n").replace('\n', " >&2;"));
    let spy = spy.replace("go) ls .arbitre;", "go) ls .arbitre >&2;");
    script(&home, "spy.sh", &spy);
    let words = ["./spy.sh", "awele random", "--games", "2", "--rules", "max-plies=12", "--json"];
    run(&home, &["awele greedy", "awele random", "--games", "2"]);
    let show = |db: &str| {
        let mut show = referee(&["show", "0", "--brief", "--db", db]);
        stdout(&show.current_dir(&home).output().unwrap())
    };
    for profile in ["mine", "class"] {
        let output = run(&home, &[&words[..], &["--profile", profile]].concat());
        let told = stderr(&output);
        assert!(output.status.success(), "{told}");
        let db = json(&stdout(&output))["db"].as_str().unwrap().to_owned();
        let said = show(&db);
        assert!(!said.contains("SQLite"), "{profile}: {said}");
        assert!(!said.contains("random.db"), "{profile}: {said}");
        // It may be opened by hand.
        let hole = ["--profile", profile, "--allow-read", ".arbitre"];
        let output = run(&home, &[&words[..], &hole].concat());
        let db = json(&stdout(&output))["db"].as_str().unwrap().to_owned();
        let said = show(&db);
        assert!(said.contains("random.db"), "{profile}: {said}");
    }
}

/// Bot of a stranger that prints a file of the user on standard error. Its own files pretend that
/// the folder of that file has an interpreter.
const THIEF: &str = "import sys\n\
    try: sys.stderr.write(open('SECRET').read())\n\
    except OSError as error: sys.stderr.write('hidden\\n')\n\
    for line in sys.stdin:\n    word, *rest = line.split()\n    \
    if word == 'legal': legal = rest\n    \
    if word in ('begin', 'go'): print('ready x' if word == 'begin' else legal[0], flush=True)\n";

#[test]
fn files_of_a_stranger_open_no_folder_of_the_user() {
    let folder = home("first line");
    let home = folder.join("home");
    let secret = home.join(".ssh/key");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::create_dir_all(folder.join("bots/.venv/bin")).unwrap();
    fs::write(&secret, "the secret\n").unwrap();
    let source = THIEF.replace("SECRET", secret.to_str().unwrap());
    let near = home.join(".ssh/none").display().to_string();
    std::os::unix::fs::symlink("/usr/bin/env", folder.join("bots/.venv/bin/python")).unwrap();
    let settings = format!("home = {}\n", home.join(".ssh").display());
    fs::write(folder.join("bots/.venv/pyvenv.cfg"), settings).unwrap();
    for line in [&format!("#!{near}"), &format!("#!/usr/bin/env {near}"), "#!.venv/bin/python"] {
        script(&folder.join("bots"), "bot.py", &format!("{line}\n{source}"));
        for (profile, player) in [
            ("class", "python3 bots/bot.py"),
            ("mine", "python3 bots/bot.py"),
            ("class", "bots/.venv/bin/python python3 bots/bot.py"),
        ] {
            let mut command =
                referee(&[player, "awele random", "--profile", profile, "--db", "m.db"]);
            let limits = ["--games", "2", "--move-time", "20s", "--game", "awele"];
            let output = command.args(limits).current_dir(&folder).env("HOME", &home).output();
            let output = output.unwrap();
            assert!(output.status.success(), "{line}, {player}: {}", stderr(&output));
            let mut show = referee(&["show", "last", "--brief", "--db", "m.db"]);
            let shown = stdout(&show.current_dir(&folder).output().unwrap());
            assert!(shown.contains("| hidden"), "{line}, {profile}: {player}: {shown}");
            remove_results(folder.join("m.db"));
        }
    }
}
