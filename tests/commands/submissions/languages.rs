//! Players that are one source file, in each language.

use super::harness::{broken, go_on, is_there, level, ready, Class, REFEREE};
use super::matches::{play_between, Match};
use arbitre::internals::submissions::entry::Stated;
use arbitre::internals::submissions::Builder;
use arbitre_process::launcher::layers::Level;
use arbitre_test_support::bots;
use arbitre_test_support::command::{stderr, stdout};
use std::env;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// A language, with the programs that it needs and the command of a player.
struct Language {
    ending: &'static str,
    source: &'static str,
    tools: &'static [&'static str],
    words: &'static str,
}

const LANGUAGES: [Language; 11] = [
    Language { ending: "c", source: bots::C, tools: &["gcc"], words: "./bot" },
    Language { ending: "cpp", source: bots::CPP, tools: &["g++"], words: "./bot" },
    Language {
        ending: "cs",
        source: bots::C_SHARP,
        tools: &["mcs", "mono"],
        words: "mono bot.exe",
    },
    Language { ending: "go", source: bots::GO, tools: &["go"], words: "./bot" },
    Language { ending: "java", source: bots::JAVA, tools: &["javac"], words: "java -cp . Bot" },
    Language {
        ending: "js",
        source: bots::JAVASCRIPT,
        tools: &["node"],
        words: "node --require=./.arbitre-codingame.js {file}",
    },
    Language { ending: "ml", source: bots::OCAML, tools: &["ocamlopt"], words: "./bot" },
    Language { ending: "py", source: bots::PYTHON, tools: &["python3"], words: "python3 {file}" },
    Language { ending: "rb", source: bots::RUBY, tools: &["ruby"], words: "ruby {file}" },
    Language { ending: "rs", source: bots::RUST, tools: &["rustc"], words: "./bot" },
    Language {
        ending: "ts",
        source: bots::TYPESCRIPT,
        tools: &["esbuild"],
        words: "node --require=./.arbitre-codingame.js {stem}.js",
    },
];

/// Returns the languages whose tools are installed.
fn installed() -> impl Iterator<Item = &'static Language> {
    let is_installed = |of: &&Language| {
        let mut tools = of.tools.iter();
        tools.all(|tool| is_there(tool, &format!("players in .{} were not tried", of.ending)))
    };
    LANGUAGES.iter().filter(is_installed)
}

/// In a folder beside other files, and loose in the folder of the tournament.
#[test]
fn source_file_of_each_language_plays() {
    let class = Class::new("languages");
    let mut players = Vec::new();
    for Language { ending, source, words, .. } in installed() {
        let is_java = *ending == "java";
        // No name of a crate, or of a module.
        let (inner, loose) = match is_java {
            true => ("Bot".to_owned(), "class Player".to_owned()),
            false => ("main".into(), format!("zoé 2-{ending}")),
        };
        let folder = format!("in {ending}");
        class.file(&format!("{folder}/{inner}.{ending}"), source);
        class.file(&format!("{folder}/book.txt"), "");
        // A file whose class has another name, as in an arena.
        let text = match is_java {
            true => source.replace("public class Bot", "class Player"),
            false => (*source).to_owned(),
        };
        class.file(&format!("{loose}.{ending}"), &text);
        for (name, file) in [(&folder, &inner), (&loose, &loose)] {
            let found = ready(class.prepare(name));
            let words =
                words.replace("{file}", &format!("{file}.{ending}")).replace("{stem}", file);
            let words = match is_java && *name == loose {
                true => words.replace("Bot", "Player"),
                false => words,
            };
            assert_eq!(found.words.join(" "), words, "{name}");
            players.push(found.arg());
            // Tools find what they need below full, too.
            let (partial, builds) =
                (Level::Partial.min(level()), class.0.join("builds at partial"));
            let builder = Builder { level: partial, builds, ..class.builder() };
            ready(builder.prepare(&class.submission(name), &Stated::default(), &go_on));
        }
    }
    assert_eq!(class.scan().notes(), [""; 0]);
    for pair in players.chunks(2) {
        for profile in ["class", "none"] {
            let time = Some("move-time=20s");
            let settings = Match { game: "awele", profile, time, games: 2 };
            let (db, faults) = play_between(&class, pair.to_vec(), &settings);
            assert!(faults.is_empty(), "{profile}: {faults:?}");
            std::fs::remove_file(db).unwrap();
        }
    }
}

/// A bot of CodinGame without a change: in a folder beside a file of its own, and loose.
#[test]
fn functions_of_codingame_are_there() {
    let class = Class::new("codingame");
    let mut names = Vec::new();
    for (ending, tool) in [("js", "node"), ("ts", "esbuild"), ("ts", "tsc")] {
        if !is_there(tool, &format!("bots of CodinGame in .{ending} were not tried by {tool}")) {
            continue;
        }
        let (folder, loose) = (format!("in {tool}"), format!("loose-{tool}"));
        class.file(&format!("{folder}/bot.{ending}"), bots::CODINGAME_TRON);
        class.file(&format!("{loose}.{ending}"), bots::CODINGAME_TRON);
        names.extend([folder, loose]);
    }
    if names.is_empty() {
        return;
    }
    let play = |path: &OsStr| {
        let words =
            ["tournament", "class", "--game", "tron", "--arena", "codingame", "--games", "2"];
        let calm = ["--move-time", "20s", "--first-move-time", "20s", "--db", "cup.db"];
        let mut referee = Command::new(REFEREE);
        referee.args(words).args(calm).env("PATH", path).current_dir(&class.0);
        let output = referee.output().unwrap();
        let text = format!("{}{}", stdout(&output), stderr(&output));
        assert!(output.status.success(), "{text}");
        for name in &names {
            let row = text.lines().find(|line| line.contains(&format!(" {name} "))).unwrap();
            assert!(!row.contains("not started"), "{text}");
        }
        assert!(!text.contains("crash") && !text.contains("timeout"), "{text}");
        let show = Command::new(REFEREE)
            .args(["show", "0", "--db", "cup.db"])
            .current_dir(&class.0)
            .output();
        let show = stdout(&show.unwrap());
        assert!(show.contains("cells "), "{show}");
        std::fs::remove_file(class.0.join("cup.db")).unwrap();
    };
    play(&env::var_os("PATH").unwrap());
    // The other compiler of TypeScript, alone in PATH with what it needs.
    if is_there("tsc", "TypeScript was not compiled by tsc") {
        let tools = class.0.join("tools");
        std::fs::create_dir(&tools).unwrap();
        for tool in ["tsc", "node", "env"] {
            let path = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
            symlink(stdout(&path.unwrap()).trim(), tools.join(tool)).unwrap();
        }
        play(tools.as_os_str());
    }
}

/// The input is read line by line, also after a bot has used the input of Node.
#[test]
fn lines_of_codingame_are_those_of_the_input() {
    if !is_there("node", "the functions of CodinGame were not tried alone") {
        return;
    }
    let prelude = concat!(env!("CARGO_MANIFEST_DIR"), "/referee/submissions/codingame.js");
    let long = "x".repeat(100_000);
    let input = format!("a\r\n\u{e9} %s\n\n{long}\nlast");
    for start in ["", "process.stdin.on('data', () => {}); process.stdin.pause();"] {
        let program = format!(
            "{start} for (;;) {{ const line = readline(); print('%s', line.length, line.slice(0, 4)); printErr(1); }}"
        );
        let mut node = Command::new("node");
        node.args(["--require", prelude, "-e", &program]);
        node.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut node = node.spawn().unwrap();
        let mut stdin = node.stdin.take().unwrap();
        // The program waits for the second half.
        let (first, second) = input.split_at(6);
        stdin.write_all(first.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(300));
        stdin.write_all(second.as_bytes()).unwrap();
        drop(stdin);
        let output = node.wait_with_output().unwrap();
        let lines = "%s 1 a\n%s 4 \u{e9} %s\n%s 0 \n%s 100000 xxxx\n%s 4 last\n";
        assert_eq!((stdout(&output), stderr(&output)), (lines.into(), "1\n".repeat(5)));
        assert!(output.status.success(), "the end of the input ends the program");
    }
    // A bot keeps what it names itself.
    let own =
        "const readline = require('readline'); function print() {} print(readline.clearLine);";
    let node = Command::new("node").args(["--require", prelude, "-e", own]).output().unwrap();
    assert_eq!((stdout(&node), stderr(&node)), (String::new(), String::new()));
}

#[test]
fn entry_point_is_chosen_among_source_files() {
    let class = Class::new("choice");
    if !is_there("python3", "the choice among source files was not tried") {
        return;
    }
    for (name, files, found) in [
        ("main", &["main.py", "bot.c", "x.rs"][..], Ok("main.py")),
        ("bot", &["bot.py", "a.py", "b.c"], Ok("bot.py")),
        ("only", &["ada.py", "notes.txt", "lib/other.py"], Ok("ada.py")),
        ("two", &["a.py", "b.c"], Err("a.py and b.c")),
        ("mains", &["main.py", "main.c", "bot.py"], Err("main.c and main.py")),
        ("many", &["a.c", "b.c", "c.c", "d.c"], Err("a.c, b.c, c.c and others")),
    ] {
        files.iter().for_each(|file| drop(class.file(&format!("{name}/{file}"), "")));
        match found {
            Ok(file) => assert_eq!(ready(class.prepare(name)).words, ["python3", file]),
            Err(files) => {
                let reason = broken(class.prepare(name)).reason;
                let start = format!("expected one entry point, got {files}; help: ");
                assert!(reason.starts_with(&start), "{reason}");
            }
        }
    }
    // What an earlier build left is no player; a script that starts the source is one.
    for (name, program, words) in [
        ("left", "ada", "python3 ada.py"),
        ("unnamed", "a.out", "python3 ada.py"),
        ("run", "run.sh", "./run.sh"),
    ] {
        class.file(&format!("{name}/ada.py"), "");
        class.program(&format!("{name}/{program}"), "#!/bin/sh\n");
        assert_eq!(ready(class.prepare(name)).words.join(" "), words);
    }
}

#[test]
fn loose_source_files_are_players_beside_folders() {
    let class = Class::new("loose");
    for file in ["ada.py", "leo.py", "kim/main.py", "notes.txt", "x.h", "__pycache__/ada.pyc"] {
        class.file(file, "");
    }
    class.link("eve.py", "/etc/passwd");
    let scan = class.scan();
    let names: Vec<&str> = scan.submissions.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["ada", "kim", "leo"]);
    assert_eq!(
        scan.notes(),
        [
            "ignored eve.py, notes.txt, x.h: a player is a folder or a source file of a known language",
            "ada and leo submitted the same program"
        ]
    );
    // It starts in a folder of its own, which a change replaces.
    let first = ready(class.prepare("ada"));
    assert!(first.folder.starts_with(class.0.join("builds")), "{first:?}");
    assert_eq!(ready(class.prepare("ada")), first);
    class.file("ada.py", "pass\n");
    let second = ready(class.prepare("ada"));
    assert_ne!((&second.folder, &second.digest), (&first.folder, &first.digest));
    assert_eq!(class.copies().len(), 1);
    let command = Some(vec!["sh".into(), "ada.py".into()]);
    let stated = Stated { build: None, command };
    assert_eq!(
        ready(class.builder().prepare(&class.submission("ada"), &stated, &go_on)).words,
        ["sh", "ada.py"]
    );
    // A tournament of files alone, and one in which a player is there twice.
    let play = || {
        let words = ["tournament", "class", "--game", "awele", "--games", "2"];
        Command::new(REFEREE).args(words).current_dir(&class.0).output().unwrap()
    };
    std::fs::remove_dir_all(class.path("kim")).unwrap();
    class.file("ada.py", bots::PYTHON);
    class.file("leo.py", &bots::PYTHON.replace("ready p", "ready l"));
    let output = play();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains(" ada ") && text.contains(" leo ") && !text.contains("not started"));
    class.file("ada/main.py", "");
    let (output, error) = (play(), "expected players of different names, got 'ada' twice");
    assert_eq!(output.status.code(), Some(6));
    assert!(stderr(&output).contains(error), "{}", stderr(&output));
}

/// A missing tool is named with its package, and the failure is not kept.
#[test]
fn missing_tool_is_named_with_its_package() {
    let class = Class::new("missing");
    for Language { ending, .. } in &LANGUAGES {
        class.file(&format!("in {ending}/bot.{ending}"), "");
        class.file(&format!("{ending}.{ending}"), "");
    }
    let tools = class.0.join("no tools");
    std::fs::create_dir(&tools).unwrap();
    let words = ["tournament", "class", "--game", "awele", "--games", "2"];
    let mut referee = Command::new(REFEREE);
    let output = referee.args(words).env("PATH", &tools).current_dir(&class.0).output().unwrap();
    let text = format!("{}{}", stdout(&output), stderr(&output));
    for (tool, package) in [
        ("gcc", "gcc"),
        ("g++", "g++"),
        ("mcs", "mono-mcs"),
        ("go", "golang-go"),
        ("node", "nodejs"),
        ("ocamlopt", "ocaml-nox"),
        ("python3", "python3"),
        ("ruby", "ruby"),
        ("rustc", "rustc"),
        ("esbuild", "esbuild or node-typescript"),
    ] {
        let line =
            format!("expected a program in PATH, got '{tool}'; help: install {package}, a package");
        assert_eq!(text.matches(&line).count(), 2, "{line} in {text}");
    }
}
