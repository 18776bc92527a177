//! A bot template is written, built and played, in every language with an installed compiler.

use arbitre_test_support::command;

use command::{cleared, folder, json, run, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns `true` if the program is installed.
fn has(program: &str) -> bool {
    let mut folders = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .collect::<Vec<PathBuf>>()
        .into_iter();
    folders.any(|folder| folder.join(program).is_file())
}

/// Returns the path of a folder that does not exist.
fn new_folder(name: &str) -> PathBuf {
    cleared(folder("starters").join(name))
}

fn write(language: &str, folder: &Path) -> String {
    let folder = folder.to_str().expect("a name of text");
    let output = run(&["new", language, "--game", "awele", folder]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// Returns the words of the printed commands, one command per line.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    lines.map(|line| shell_words::split(line).expect("words as a shell reads them")).collect()
}

/// Writes a bot and runs the commands printed for it: build, check, play.
fn begins_well(language: &str, needs: &str) {
    if !has(needs) {
        eprintln!("SKIPPED: no bot in {language} was built, as there is no {needs}");
        return;
    }
    let folder = new_folder(language);
    let text = write(language, &folder);
    let mut has_played = false;
    for words in commands(&text) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["sh", script] => build(script),
            ["referee", "check", ..] => is_fine(&words[1..]),
            ["referee", ..] => has_played = plays(&words[1..]),
            _ => panic!("what is {words:?}?"),
        }
    }
    assert!(has_played, "{text}");
}

fn build(script: &str) {
    let output = Command::new("sh").arg(script).output().expect("a shell");
    assert!(output.status.success(), "{script}: {}", stderr(&output));
    assert_eq!(stderr(&output), "", "{script}");
}

fn is_fine(words: &[&str]) {
    let limits = ["--move-time", "20s", "--init-time", "1min", "--games", "10", "--json"];
    let output = run(&[words, &limits].concat());
    let document = json(&stdout(&output));
    assert_eq!(output.status.code(), Some(0), "{document:#}");
}

fn plays(words: &[&str]) -> bool {
    let limits = ["--move-time", "20s", "--init-time", "1min", "--db", ":memory:", "--json"];
    let output = run(&[words, &limits].concat());
    let document = json(&stdout(&output));
    assert_eq!((&document["games"], &document["void"]), (&20.into(), &0.into()), "{document:#}");
    for player in document["players"].as_array().expect("two players") {
        assert_eq!(player["faults"], serde_json::json!({}), "{document:#}");
    }
    true
}

#[test]
fn python_template_works() {
    begins_well("python", "python3");
}

#[test]
fn c_template_works() {
    begins_well("c", "cc");
}

#[test]
fn java_template_works() {
    begins_well("java", "javac");
}

#[test]
fn ocaml_template_works() {
    begins_well("ocaml", "ocamlc");
}

#[test]
fn rust_template_works() {
    begins_well("rust", "rustc");
}

/// Writes the game of an arena into a new folder. Returns it with what was printed; none without
/// Python.
fn arena_game(name: &str) -> Option<(PathBuf, String)> {
    if !has("python3") {
        eprintln!("SKIPPED: no rules for an arena were played, as there is no python3");
        return None;
    }
    let folder = new_folder(name);
    let output = run(&["new-game", "python", folder.to_str().unwrap(), "--arena", "codingame"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    Some((folder, stdout(&output)))
}

#[test]
fn rules_for_an_arena_begin_well() {
    let Some((_, text)) = arena_game("arena game") else { return };
    let mut run = 0;
    for words in commands(&text) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[1] {
            "check" => is_fine(&words[1..]),
            _ => assert!(plays(&words[1..]), "{text}"),
        }
        run += 1;
    }
    assert_eq!(run, 2, "{text}");
}

/// Rules of a game in which all seats move at once. An answer is two words on two lines, and each
/// seat reads what the others said before.
const CHORUS: &str = "from arbitre_rules import ArenaRules, Illegal, Invalid


class Chorus(ArenaRules):
    name = 'chorus'
    seats = (2, 4)
    options = {'rounds': '3'}

    def start(self, seats, setup):
        self.here, self.round = set(range(seats)), 0
        self.said, self.now = ['-'] * seats, {}

    def turn(self):
        if self.round == int(self.options['rounds']) or len(self.here) < 2:
            return []
        return sorted(self.here - set(self.now))

    def scores(self):
        return [len(said) for said in self.said]

    def reason(self):
        return 'the song is over'

    def first_lines(self, seat):
        return [f'you are {seat}']

    def lines(self, seat):
        return [f'round {self.round}', ' '.join(self.said)]

    def answer_lines(self, seat):
        return 2

    def read(self, seat, answer):
        if 'wrong' in answer:
            raise Illegal('the note is wrong')
        if 'noise' in answer:
            raise Invalid('this is noise')
        self.now[seat] = answer.replace(chr(10), '+')
        self.end()

    def out(self, seats):
        self.here -= set(seats)
        self.end()

    def end(self):
        if self.here and self.here <= set(self.now):
            for seat, said in self.now.items():
                self.said[seat] = said
            self.now, self.round = {}, self.round + 1


Chorus().serve()
";

/// A singer, which says `word` in its second round.
fn singer(word: &str) -> String {
    format!(
        "#!/bin/sh\nread you are seat\nwhile read round number; do read said; echo \"$seat $number\"; if [ \
         $number = 1 ]; then {word}; else echo la; fi; done\n"
    )
}

#[test]
fn rules_for_an_arena_meet_every_fault_and_seat() {
    let Some((folder, _)) = arena_game("chorus") else { return };
    fs::write(folder.join("chorus.py"), CHORUS).unwrap();
    command::script(&folder, "bot", &singer("echo la"));
    let rules = format!("python3 '{}'", folder.join("chorus.py").display());
    let db = folder.join("chorus.db");
    let db = db.to_str().unwrap();
    let page = folder.join("report.html").display().to_string();
    let bot = folder.join("bot").display().to_string();
    for (name, word, fault) in [
        ("fine", "echo la", None),
        ("wrong", "echo wrong", Some("illegal")),
        ("noise", "echo noise", Some("invalid")),
        ("crash", "exit 3", Some("crash")),
        ("slow", "exec sleep 60", Some("timeout")),
    ] {
        command::script(&folder, name, &singer(word));
        let one = format!("a[move-time=1s]={}", folder.join(name).display());
        for seats in 2..=4 {
            let what = format!("{name} at {seats} seats");
            command::remove_results(db);
            let others = ["b", "c", "d"].map(|name| format!("{name}={bot}"));
            let mut words = vec![one.as_str()];
            words.extend(others[..seats - 1].iter().map(String::as_str));
            let number = seats.to_string();
            let more = ["--external", &rules, "--seats", &number, "--games", "2", "--db", db];
            words.extend(more);
            words.extend(["--move-time", "30s", "--no-sandbox"]);
            let output = run(&words);
            assert_eq!(output.status.code(), Some(0), "{what}: {}", stderr(&output));
            let games = stdout(&run(&["export", "--db", db]));
            for game in games.lines().map(json) {
                assert_eq!(game["faults"][0]["fault"].as_str(), fault, "{what}: {game:#}");
                let moves = game["moves"].as_array().unwrap().len();
                let whole = 2 * 3 * seats;
                let expected = match fault {
                    None => whole,
                    // The others play all rounds if two are left.
                    Some(_) if seats == 2 => moves,
                    Some(_) => whole - 3,
                };
                assert_eq!(moves, expected, "{what}: {game:#}");
            }
            for words in [
                &["verify", "--allow-rules", "--no-sandbox"][..],
                &["show", "last"],
                &["report", "--output", &page],
            ] {
                let words = [words, &["--db", db]].concat();
                let output = run(&words);
                assert_eq!(output.status.code(), Some(0), "{what}: {words:?} {}", stderr(&output));
            }
            let shown = stdout(&run(&["show", "last", "--db", db]));
            assert!(fault.is_some() || shown.contains("the song is over"), "{what}: {shown}");
        }
    }
    // What a seat read last round is what the others said in the one before it.
    let words = ["show", "1", "--input", "0", "--allow-rules", "--no-sandbox", "--db", db];
    let heard = stdout(&run(&words));
    assert!(heard.starts_with("you are 0\nround 0\n- - - -\nround 1\n"), "{heard}");
    let options = |text: &str| {
        let words = [&bot[..], "b=bot", "--external", &rules, "--rules", text, "--db", ":memory:"];
        run(&[&words[..], &["--games", "1", "--no-sandbox"]].concat())
    };
    let refused = stderr(&options("verses=3"));
    assert!(refused.contains("--rules: expected rounds, got 'verses=3'"), "{refused}");
}

#[test]
fn only_python_has_rules_for_an_arena() {
    for (words, message) in [
        (["rust", "--arena", "codingame"], "language: expected python, got 'rust'"),
        (["python", "--arena", "brutaltester"], "--arena: expected codingame, got brutaltester"),
    ] {
        let output = run(&["new-game", words[0], "unwritten", words[1], words[2]]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

/// Words with which a template's `choose` prints its seat: the language, the program that it needs,
/// and a replacement in its text.
const PRINTED_SEATS: [(&str, &str, &str, &str); 5] = [
    (
        "python",
        "python3",
        "    return random",
        "    print(seat, file=sys.stderr)\n    return random",
    ),
    ("c", "cc", "(void)seat;", "fprintf(stderr, \"%d\\n\", seat);"),
    (
        "java",
        "javac",
        "        return legal",
        "        System.err.println(seat);\n        return legal",
    ),
    ("ocaml", "ocamlc", "choose _seat _state", "choose seat _state"),
    ("rust", "rustc", "    legal[(", "    eprintln!(\"{_seat}\");\n    legal[("),
];

/// In Tron a bot finds its own head only by its seat.
#[test]
fn templates_pass_their_seat_to_choose() {
    for (language, needs, old, new) in PRINTED_SEATS {
        if !has(needs) {
            eprintln!("SKIPPED: no bot in {language} printed its seat, as there is no {needs}");
            continue;
        }
        let folder = new_folder(&format!("seat-{language}"));
        let output = run(&["new", language, "--game", "tron", folder.to_str().unwrap()]);
        let words = commands(&stdout(&output));
        let mut files = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
        let source = files.find(|path| !path.ends_with("build.sh")).unwrap();
        let text = fs::read_to_string(&source).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{language}: {text}");
        let text = text.replace(old, new);
        let printing = "  prerr_endline (string_of_int seat);\n  List.nth";
        fs::write(source, text.replace("  List.nth", printing)).unwrap();
        if let Some(["sh", script]) = words.first().map(|words| [&words[0][..], &words[1]]) {
            build(script);
        }
        let check = words.iter().find(|words| words[1] == "check").unwrap();
        let db = folder.join("seats.db");
        let (bot, db) = (format!("bot={}", check[2]), db.to_str().unwrap());
        let limits = ["--games", "3", "--move-time", "20s", "--init-time", "1min", "--db", db];
        let players = [bot.as_str(), "tron random", "second=tron random", "--seats", "3"];
        let output = run(&[&players[..], &limits, &["--rules", "size=6x6"]].concat());
        assert_eq!(output.status.code(), Some(0), "{language}: {}", stderr(&output));
        let mut seats = [false; 3];
        for line in stdout(&run(&["export", "--times", "--db", db])).lines() {
            let game = json(line);
            let own = game["players"].as_array().unwrap().iter().position(|name| name == "bot");
            let own = own.unwrap();
            seats[own] = true;
            let printed = game["stderr"].as_object().unwrap();
            assert!(!printed.is_empty(), "{language}: {game:#}");
            for (ply, text) in printed {
                assert_eq!(game["movers"][ply.parse::<usize>().unwrap()], own, "{language}");
                let text = text.as_str().unwrap();
                let is_own = |line: &str| line == own.to_string() || line.starts_with("result");
                assert!(text.lines().all(is_own), "{language}, seat {own}: {text}");
            }
        }
        assert_eq!(seats, [true; 3], "{language}");
    }
}

/// Every template is filled in: with the game, the meaning of its state, and the bot's name.
#[test]
fn templates_have_no_placeholders_left() {
    for language in ["python", "c", "java", "ocaml", "rust"] {
        let folder = new_folder(&format!("filled-{language}"));
        write(language, &folder);
        let mut files = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
        let source = files.find(|path| !path.ends_with("build.sh")).unwrap();
        let text = fs::read_to_string(source).unwrap();
        for part in
            ["Awélé", "fourteen numbers", "0 to 5.", &format!("ready filled-{language} again")]
        {
            assert!(text.contains(part), "{language}: {part}: {text}");
        }
        let marks = ["{title}", "{state}", "{name}", "{dir}"];
        assert!(!marks.iter().any(|mark| text.contains(mark)), "{text}");
        assert!((20..=80).contains(&text.lines().count()), "{language}: {}", text.lines().count());
    }
}

/// Every template names the clock to watch, as the page on the protocol does.
#[test]
fn templates_name_their_clock() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.md"));
    let page = page.unwrap();
    for (language, title, clocks) in [
        ("python", "Python", ["time.process_time()", "time.monotonic()"]),
        ("c", "C, C++", ["CLOCK_PROCESS_CPUTIME_ID", "CLOCK_MONOTONIC"]),
        ("java", "Java", ["getCurrentThreadCpuTime()", "System.nanoTime()"]),
        ("ocaml", "OCaml", ["Sys.time ()", "Unix.gettimeofday ()"]),
        ("rust", "Rust", ["clock_gettime", "std::time::Instant"]),
    ] {
        let folder = new_folder(&format!("clock-{language}"));
        write(language, &folder);
        let mut files = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
        let source = files.find(|path| !path.ends_with("build.sh")).unwrap();
        let text = fs::read_to_string(source).unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| {title} |"))).unwrap();
        for clock in clocks {
            assert!(text.contains(clock), "{language}: {clock}: {text}");
            assert!(row.contains(clock), "{row}");
        }
    }
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = new_folder("kept");
    write("c", &folder);
    let bot = folder.join("bot.c");
    fs::write(&bot, "my evening").unwrap();
    fs::remove_file(folder.join("build.sh")).unwrap();
    let output = run(&["new", "c", "--game", "awele", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("bot.c, which exists"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(bot).unwrap(), "my evening");
    assert!(!folder.join("build.sh").exists(), "no file is written");
}

#[test]
fn errors_suggest_a_correction() {
    for (words, part) in [
        (["new", "pyton", "--game", "awele", "x"], "did you mean python?"),
        (["new", "c", "--game", "awle", "x"], "did you mean awele?"),
    ] {
        let output = run(&words);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}
