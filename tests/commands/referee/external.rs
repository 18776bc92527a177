//! Games whose rules run in another process.

use arbitre_test_support::command::{cleared, folder, json, program, run, script, stderr, stdout};
use rustix::process::{kill_process, Pid, Signal};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Runs the referee in a folder.
fn run_in(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program("referee"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command.output().unwrap()
}

fn export(db: &str) -> String {
    let output = run(&["export", "--db", db]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Plays games by the rules of this program, and by the same rules in another process.
fn compare(game: &str, seats: usize, players: &[&str], games: u64, concurrency: &str) {
    let (games, seats) = (games.to_string(), seats.to_string());
    let name = format!("external-{game}-{seats}-{games}-{concurrency}");
    let folder = folder(&name);
    let external = format!("{} arena step {game}", program("referee").display());
    let exports = [None, Some(&external)].map(|rules| {
        let db = folder.join(if rules.is_some() { "external.db" } else { "own.db" });
        let db = db.to_string_lossy().into_owned();
        arbitre_test_support::command::remove_results(&db);
        let rules: Vec<&str> =
            rules.map_or(vec!["--game", game], |rules| vec!["--external", rules]);
        let words = ["--seats", &seats, "--games", &games, "--seed", "5", "--nodes", "200"];
        let more = ["--concurrency", concurrency, "--db", &db];
        let output = run(&[players, &rules, &words, &more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let verified = run(&["verify", "--allow-rules", "--db", &db]);
        assert!(verified.status.success(), "{}", stderr(&verified));
        export(&db)
    });
    let played = exports[0].lines().count() as u64;
    assert!(played >= games.parse().unwrap() && exports[0] == exports[1], "{name} differs");
}

/// Plays all games in another process, with faults, at tables of every size.
fn compare_all(games: u64, concurrencies: [&str; 2]) {
    let faulty = "#!/bin/sh\nn=0; while read w r; do case $w in legal) m=${r%% *};; begin) echo \
                  ready x;; go) n=$((n+1)); if [ $n = 5 ]; then exit 3; fi; echo $m;; esac; done";
    let faulty = script(&folder("external-bot"), "faulty", faulty);
    let faulty = format!("'{}'", faulty.to_string_lossy());
    let [one, four] = concurrencies;
    compare("awele", 2, &["awele greedy", "awele random", &faulty], games, four);
    compare("tron", 2, &["tron wall-hugger", &faulty], games, one);
    compare("tron", 3, &["tron wall-hugger", "tron random", &faulty], games, four);
    let table = ["tron wall-hugger", "tron random", "tron random", "tron random"];
    compare("tron", 4, &table, games, one);
    compare("seven-colors", 2, &["seven-colors greedy", "seven-colors random"], games, four);
    compare("taquin", 1, &["taquin random", "taquin quick"], games, four);
    compare("hextris", 1, &["hextris random"], games, one);
}

/// Memory that the processes of rules share counts once, as for a player: here 40 MB of a shell.
#[test]
fn shared_memory_of_rules_counts_once() {
    let place = folder("external-memory");
    let step = format!("'{}' arena step awele", program("referee").display());
    for (name, work, is_played) in
        [("shared", "", true), ("own", "x=$(yes | head -c 40000001);", false)]
    {
        // Rules are served a second after all copies have their memory.
        let copy = format!("{work} echo ready; exec >/dev/null; while :; do sleep 0.1; done");
        let text = format!(
            "#!/bin/sh\nx=$(yes | head -c 40000000)\n\
             {{ for i in 1 2 3 4; do ({copy}) & done; }} | head -n 4 >/dev/null\nsleep 1\n{step}\n"
        );
        let rules = script(&place, name, &text);
        let rules = format!("'{}'", rules.display());
        let words = ["awele greedy", "awele random", "--external", &rules, "--games", "2"];
        let output = run(&[&words[..], &["--memory", "150MiB", "--db", ":memory:"]].concat());
        assert_eq!(output.status.success(), is_played, "{name}: {}", stderr(&output));
    }
}

#[test]
fn games_in_another_process_are_the_same_games() {
    compare_all(20, ["1", "4"]);
}

#[test]
#[ignore = "takes a minute; .ci/full external runs it"]
fn hundred_games_in_another_process_are_the_same_games() {
    compare_all(100, ["1", "4"]);
    compare_all(100, ["4", "1"]);
}

/// Writes the example games of a language into a new folder, with a bot that plays any of them.
fn examples(language: &str, name: &str) -> PathBuf {
    let folder = cleared(folder(&format!("external-{language}-{name}")));
    let path = folder.to_string_lossy().into_owned();
    let output = run(&["new-game", language, &path]);
    assert!(output.status.success(), "{}", stderr(&output));
    let again = run(&["new-game", language, &path]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("which exists"), "{}", stderr(&again));
    let bot = "#!/bin/sh\nwhile read w r; do case $w in legal) m=$r;; begin) echo ready x again;; \
               result) ;; go) set -- $m; echo $1;; esac; done";
    script(&folder, "bot", bot);
    folder
}

/// Plays both examples, looks at their games, and holds a tournament.
fn play_examples(folder: &Path, commands: [&str; 2]) {
    for (command, players) in commands.into_iter().zip([2, 3]) {
        let bots = vec!["./bot"; players];
        let words = ["--external", command, "--games", "12", "--db", "match.db", "--json"];
        arbitre_test_support::command::remove_results(folder.join("match.db"));
        let output = run_in(folder, &[&bots[..], &words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let summary = json(&stdout(&output));
        assert_eq!((&summary["games"], &summary["complete"]), (&12.into(), &true.into()));
        assert_eq!(summary["players"][0]["faults"], serde_json::json!({}));
        for words in [
            &["verify", "--allow-rules"][..],
            &["show", "3"],
            &["show", "3", "--allow-rules"],
            &["replay", "3"],
            &["report", "--output", "report.html"],
            &["report", "--svg", "position"],
            &["list", "--games", "--lost", "--player", "bot"],
            &["rerun", "3", "--brief"],
            &["--resume", "--games", "18"],
        ] {
            let output = run_in(folder, &[words, &["--db", "match.db"]].concat());
            assert!(output.status.success(), "{command}: {words:?}: {}", stderr(&output));
        }
        let elsewhere = folder.join("elsewhere");
        let _ = fs::create_dir(&elsewhere);
        let told = |more: &[&str]| {
            run_in(&elsewhere, &[&["show", "3", "--db", "../match.db"], more].concat())
        };
        assert!(told(&[]).status.success(), "what the rules told is in the file");
        let refused = told(&["--allow-rules"]);
        assert_eq!(refused.status.code(), Some(6));
        assert!(stderr(&refused).contains("of its rules, got"), "{}", stderr(&refused));
    }
    let check = run_in(folder, &["check", "./bot", "--external", commands[0], "--games", "6"]);
    assert!(stdout(&check).contains("ok       legal"), "{}", stdout(&check));
    let cup = format!(
        "[tournament]\nexternal = \"{}\"\ngames = 6\n[[player]]\nname = \"ada\"\ncommand = \"./bot\"\n\
         [[player]]\nname = \"bob\"\ncommand = \"./bot\"\n[[player]]\nname = \"eve\"\ncommand = \
         \"./bot\"\n",
        commands[0]
    );
    fs::write(folder.join("cup.toml"), cup).unwrap();
    let words = ["tournament", "cup.toml", "--db", "cup.db", "--output", "cup.html", "--json"];
    let output = run_in(folder, &words);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(json(&stdout(&output))["games"], 18);
}

#[test]
fn examples_in_python_are_played() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no python3 in PATH");
        return;
    }
    play_examples(&examples("python", "played"), ["python3 tictactoe.py", "python3 tricks.py"]);
}

#[test]
fn examples_in_rust_are_played() {
    let folder = examples("rust", "played");
    let built = Command::new("sh").arg("build.sh").current_dir(&folder).output().unwrap();
    assert!(built.status.success(), "{}", stderr(&built));
    assert!(built.stderr.is_empty(), "{}", stderr(&built));
    play_examples(&folder, ["./tictactoe", "./tricks"]);
}

#[test]
#[ignore = "takes a minute; .ci/full external runs it"]
fn examples_play_a_thousand_games() {
    let [python, rust] = ["python", "rust"].map(|language| examples(language, "thousand"));
    assert!(Command::new("sh").arg("build.sh").current_dir(&rust).status().unwrap().success());
    for (folder, command, players) in [
        (&python, "python3 tictactoe.py", 2),
        (&python, "python3 tricks.py", 3),
        (&rust, "./tictactoe", 2),
        (&rust, "./tricks", 3),
    ] {
        let db = format!("{}.db", command.replace(['/', ' '], "-"));
        arbitre_test_support::command::remove_results(folder.join(&db));
        let bots = vec!["./bot"; players];
        let words = ["--external", command, "--games", "1000", "--db", &db, "--json"];
        let output = run_in(folder, &[&bots[..], &words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let summary = json(&stdout(&output));
        println!("{command}: {} games, {} void", summary["games"], summary["void"]);
        assert!(summary["games"].as_u64().unwrap() >= 1000 && summary["void"] == 0);
        for player in summary["players"].as_array().unwrap() {
            assert_eq!(player["faults"], serde_json::json!({}));
        }
        let verified = run_in(folder, &["verify", "--allow-rules", "--db", &db]);
        assert!(verified.status.success(), "{}", stderr(&verified));
    }
}

/// Rules that never end have a bound, and one signal ends the match.
#[test]
fn rules_that_never_end_are_named() {
    check_endless("endless", &["./solo", "./large", "./longest"]);
}

#[test]
#[ignore = "it plays fifty thousand moves: .ci/full whole"]
fn whole_rules_that_never_end_are_named() {
    check_endless("whole endless", &["./pair", "./long"]);
}

/// Plays by those of the rules that are in `meant`.
fn check_endless(name: &str, meant: &[&str]) {
    let folder = folder(name);
    let rules = |name: &str, about: &str, turn: &str| {
        let rules = format!(
            "#!/bin/sh\nn=0; while read w r; do case $w in\nrules) echo game odd; {about};;\n\
             draw|check) echo setup x;;\nstart) n=0; echo turn 0;;\nout) echo turn 0;;\n\
             ask|state) echo state x;;\nplay) n=$((n+1)); echo played a; {turn};;\nended) echo over 0 0;;\n\
             picture|svg) echo unknown;;\nesac; echo .; done"
        );
        script(&folder, name, &rules);
    };
    rules("solo", "echo seats 1 1", "echo turn 0");
    rules(
        "long",
        "echo seats 1 1; echo plies 10050",
        "[ $n = 10050 ] && echo over 7 || echo turn 0",
    );
    rules("longest", "echo seats 1 1; echo plies 100001", "echo turn 0");
    rules("pair", "echo seats 2 2", "echo turn $((n%2))");
    let long = "m=$(printf %900000s | tr ' ' a)";
    rules("large", &format!("{long}; echo seats 2 2"), "echo turn $((n%2))");
    let large = folder.join("large");
    let text = fs::read_to_string(&large).unwrap().replace("echo played a;", "echo played $m;");
    fs::write(&large, text).unwrap();
    let bot =
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo a;; esac; done";
    script(&folder, "bot", bot);
    let play = |rules: &str, players: &[&str], more: &[&str]| {
        let words = ["--external", rules, "--games", "1", "--db", ":memory:"];
        // In tens of thousands of moves the host of the machine may take a tenth of a second.
        let more = &[more, &["--move-time", "20s", "--first-move-time", "20s"]].concat();
        let output = run_in(&folder, &[players, &words, &more[..]].concat());
        (output.status.code(), stderr(&output) + &stdout(&output))
    };
    let endless =
        "error: the rules of odd failed: the game has not ended after 10000 plies\nhelp: ";
    let (alone, two) = (&["./bot"][..], &["a=./bot", "b=./bot"][..]);
    let bound = ["--adjudicate", "max-plies=10050"];
    for (rules, players, more, code, said) in [
        ("./solo", alone, &[][..], Some(6), format!("{endless}rules of longer games say")),
        ("./pair", two, &[], Some(6), format!("{endless}--adjudicate max-plies=N ends it")),
        ("./long", alone, &[], Some(0), "1 games, 10050 moves".into()),
        ("./pair", two, &bound, Some(0), "2 games, 20100 moves".into()),
        ("./large", two, &[], Some(6), "the moves of a game exceed 33554432 bytes".into()),
        ("./longest", alone, &[], Some(6), "expected at most 100000 plies of a game".into()),
    ] {
        if !meant.contains(&rules) {
            continue;
        }
        let (got, told) = play(rules, players, more);
        assert!(got == code && told.contains(&said), "{rules}: {got:?}: {told}");
    }
    let mut running = Command::new(program("referee"))
        .args(["./bot", "--external", "./solo", "--games", "1000", "--db", "stopped.db"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(300));
    kill_process(Pid::from_child(&running), Signal::TERM).unwrap();
    let mut told = String::new();
    running.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(!running.wait().unwrap().success(), "{told}");
}

/// Rules that hang have ten seconds, three times.
#[test]
#[ignore = "takes half a minute; .ci/full external runs it"]
fn rules_that_hang_are_named() {
    let folder = examples("python", "hanging");
    let rules = fs::read_to_string(folder.join("tictactoe.py")).unwrap();
    let hanging = rules.replacen(
        "def play(",
        "def play(self, *_):\n        while True:\n            \
                                  pass\n\n    def unused(",
        1,
    );
    assert_ne!(rules, hanging);
    fs::write(folder.join("hanging.py"), hanging).unwrap();
    let words = ["./bot", "./bot", "--external", "python3 hanging.py", "--db", ":memory:"];
    let begun = Instant::now();
    let output = run_in(&folder, &words);
    println!("after {:.1} s: {}", begun.elapsed().as_secs_f64(), stderr(&output));
    assert_eq!(output.status.code(), Some(6));
    let said = "error: the rules of tictactoe failed: the rules failed at 'play': timeout of 10s";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}

/// A seat must not see the card of another one before all have played.
#[test]
fn hidden_moves_are_told_late() {
    let folder = examples("rust", "hidden");
    assert!(Command::new("sh").arg("build.sh").current_dir(&folder).status().unwrap().success());
    let words = ["./bot", "./bot", "./bot", "--external", "./tricks", "--games", "3"];
    assert!(run_in(&folder, &[&words[..], &["--db", "hidden.db"]].concat()).status.success());
    let heard = |seat| {
        let words = ["show", "0", "--input", seat, "--allow-rules", "--db", "hidden.db"];
        stdout(&run_in(&folder, &words))
    };
    let last = heard("2");
    let before_first = last.split("go ").next().unwrap();
    assert!(!before_first.contains("moved"), "{before_first}");
    let second = last.split("go ").nth(1).unwrap();
    assert!(second.contains("moved 0 ") && second.contains("moved 1 "), "{second}");
}

/// Each mistake of rules is named, and ends the match after three attempts.
#[test]
fn rules_that_fail_are_named() {
    let folder = folder("external-faults");
    let rules = |name: &str, answers: &str| {
        let text = format!(
            "#!/bin/sh\nwhile read w r; do case $w in\n{answers}\nrules) echo game odd; echo seats 2 2; \
             echo lists-legal;;\ndraw) echo setup x;;\ncheck) echo setup x;;\nstart|out) echo turn \
             0;;\nask) echo state x; echo legal a b;;\nlegal) echo legal a b;;\nstate) echo state \
             x;;\nplay) echo played ${{r#* }}; echo over 1 0;;\nesac; echo .; done"
        );
        script(&folder, name, &text);
        format!("./{name}")
    };
    let bot =
        "#!/bin/sh\nwhile read w r; do case $w in begin) echo ready x;; go) echo a;; esac; done";
    script(&folder, "bot", bot);
    let play = |rules: &str| {
        let words = ["./bot", "./bot", "--external", rules, "--games", "2", "--db", ":memory:"];
        run_in(&folder, &words)
    };
    assert!(play(&rules("honest", "")).status.success(), "{}", stderr(&play("./honest")));
    for (name, answers, message) in [
        ("crashing", "play) echo oops >&2; exit 7;;", "the rules failed at 'play': crash"),
        ("silent", "play) exit 0;;", "the rules failed at 'play': "),
        (
            "lying",
            "play) echo played a; echo turn 5;;",
            "expected turn SEAT…, or over with 2 scores, got 'turn 5'",
        ),
        (
            "unjust",
            "play) echo illegal because;;",
            "contradict themselves: 'a' is a legal move, and then illegal because",
        ),
        (
            "lax",
            "ask) echo state x; echo legal b;;",
            "contradict themselves: 'a' is played and not among the legal moves",
        ),
        (
            "flooding",
            "ask) yes | head -n 20000;;",
            "the rules failed at 'ask': more than 10000 lines",
        ),
        ("refusing", "ask) echo error I will not;;", "I will not"),
        (
            "endless",
            "play) echo played a; echo turn;;",
            "expected turn SEAT…, or over with 2 scores, got 'turn'",
        ),
    ] {
        let output = play(&rules(name, answers));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(6), "{name}: {said}");
        assert!(said.contains("error: the rules of odd failed: "), "{name}: {said}");
        assert!(said.contains(message), "{name}: {said}");
    }
    for (name, answers, message) in [
        ("nameless", "rules) echo seats 2 2;;", "--external: expected a line 'game NAME'"),
        (
            "seatless",
            "rules) echo game odd;;",
            "--external: expected a line 'seats LEAST MOST, from 1 to 8'",
        ),
        ("wordless", "rules) exit 0;;", "--external: the rules failed at 'rules': "),
    ] {
        let output = play(&rules(name, answers));
        assert_eq!(output.status.code(), Some(6), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{name}: {}", stderr(&output));
    }
    let missing = play("./missing");
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
}

/// A bot that crashes if it can read the rules, whose path it is given.
const NOSY: &str = "import os, sys
if any(os.path.exists(path) for path in PATHS): sys.exit(9)
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'begin': print('ready nosy', flush=True)
    if word == 'legal': legal = rest
    if word == 'go': print(legal[0], flush=True)
";

/// Rules find the modules beside their script wherever it lies, and players under `class` do not
/// see it. What was played is drawn without them.
#[test]
fn rules_find_their_modules() {
    let folder = cleared(folder("external-modules"));
    fs::create_dir_all(&folder).unwrap();
    let made = run_in(&folder, &["new-game", "python", "made"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let script = fs::read_to_string(folder.join("made/tictactoe.py")).unwrap();
    let module = fs::read_to_string(folder.join("made/arbitre_rules.py")).unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let in_package = script.replace("from arbitre_rules", "from parts.arbitre_rules");
    for (place, home) in [("", ""), ("", "elsewhere"), ("rules/", "rules")] {
        for (name, text, modules) in [
            ("game.py", &script, "arbitre_rules.py"),
            ("packed.py", &in_package, "parts/arbitre_rules.py"),
        ] {
            write(&format!("{place}{name}"), text);
            write(&format!("{place}{modules}"), &module);
            let paths = [name, modules].map(|file| folder.join(place).join(file));
            let nosy = NOSY.replace("PATHS", &format!("{paths:?}"));
            write("class/ada/main.py", &nosy);
            write("class/bob/main.py", &format!("{nosy}#"));
            let rules = format!("python3 {place}{name}");
            let settings = format!("external = \"{rules}\"\ngames = 2\nmove-time = \"30s\"");
            write("cup.toml", &format!("[tournament]\n{settings}\n[players]\nfrom = \"class\""));
            let sources = [
                &["tournament", "cup.toml"][..],
                &["tournament", "class", "--external", &rules, "--games", "2"],
                &["tournament", "cup.toml", "--profile", "mine"],
                &["python3 class/ada/main.py", "python3 class/bob/main.py", "--external", &rules],
            ];
            let sources = if name == "game.py" { &sources[..1] } else { &sources[..] };
            for &words in sources {
                let is_class = !words.contains(&"mine") && words[0] == "tournament";
                let _ = fs::remove_file(folder.join("m.db"));
                let mut referee = Command::new(program("referee"));
                referee.args(words).args(["--db", "m.db", "--json", "--init-time", "30s"]);
                referee.current_dir(&folder).env("HOME", folder.join(home)).stdin(Stdio::null());
                let output = referee.output().unwrap();
                let told = format!("{home}: {place}{name} {words:?}: {}", stderr(&output));
                // Under `mine` both players read the rules, and do not start.
                if is_class {
                    assert_eq!(output.status.code(), Some(0), "{told}");
                    let standings = json(&stdout(&output));
                    assert!(standings["games"].as_u64() > Some(0), "{told}{standings}");
                    let players = standings["standings"].as_array().unwrap();
                    assert!(players.iter().all(|of| of["status"] == "ranked"), "{standings}");
                } else {
                    assert!(!told.contains("the rules failed"), "{told}");
                }
            }
        }
    }
    let stored = ["tournament", "cup.toml", "--db", "last.db"];
    assert!(run_in(&folder, &stored).status.success());
    for file in ["rules", "game.py", "packed.py"] {
        let path = folder.join(file);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&path);
    }
    for words in [&["report", "--output", "page.html"][..], &["show", "0"]] {
        let output = run_in(&folder, &[words, &["--db", "last.db"]].concat());
        let told = stderr(&output);
        assert!(output.status.success() && told.is_empty(), "{words:?}: {told}");
    }
    let shown = stdout(&run_in(&folder, &["show", "0", "--db", "last.db", "--ply", "3"]));
    assert!(shown.contains('X') && shown.contains('O'), "the stored picture: {shown}");
    assert!(fs::metadata(folder.join("page.html")).unwrap().len() > 10_000);
}
