//! Games of CodinGame's SDK, played as they are.
//!
//! `tests/data/codingame_sdk/game.py` is a stand-in for such a game, written from the description
//! of the protocol. Stand-ins for `java`, `javac` and `mvn` start it from a folder.

use arbitre_test_support::command::{cleared, folder, json, program, script, stderr, stdout};
use rustix::process::{kill_process, Pid, Signal};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Bots of the game: a name, and what it does in turn 2. In all others each answers 3 and 4.
const BOTS: [(&str, &str); 8] = [
    ("steady", "echo 3; echo 4"),
    ("eager", "echo 9; echo 9"),
    ("late", "sleep 1; echo 3; echo 4"),
    ("gone", "exit 3"),
    ("short", "echo 3; exit 0"),
    ("split", "printf '3\\r4\\n4\\n'"),
    ("wrong", "echo x; echo 4"),
    ("flood", "exec yes 3"),
];

/// Folder of a game, with its bots and the stand-ins of Java's tools.
struct Room(PathBuf);

impl Room {
    /// Creates the room, or returns `None` without Python.
    fn new(name: &str) -> Option<Room> {
        if Command::new("python3").arg("--version").output().is_err() {
            eprintln!("SKIPPED: there is no python3 in PATH");
            return None;
        }
        let room = Room(cleared(folder(&format!("sdk-{name}"))));
        for folder in ["bin", "cache", "classes/com/codingame/game"] {
            fs::create_dir_all(room.0.join(folder)).unwrap();
        }
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/codingame_sdk");
        fs::copy(data.join("game.py"), room.0.join("classes/game.py")).unwrap();
        fs::write(room.0.join("classes/com/codingame/game/Referee.class"), "").unwrap();
        for (name, answer) in BOTS {
            let text = format!(
                "#!/bin/sh\nwhile read seat turn number; do if [ $turn = 2 ]; then {answer}; else \
                 echo 3; echo 4; fi; done"
            );
            script(&room.0, name, &text);
        }
        let bin = room.0.join("bin");
        // The class path has the script of the game, and perhaps the class that plays many.
        let java = "#!/bin/sh\nwhile [ $# -gt 1 ]; do case $1 in -cp) cp=$2;; -Dleague*) league=$1;; \
                    esac; shift; done\nIFS=:\nfor of in $cp; do [ -f \"$of/game.py\" ] && \
                    game=$of/game.py; done\n[ $1 = Games ] && many=--many\nexec python3 -S \"$game\" \
                    $many $league\n";
        let java = java.replace("exec", "[ -w starts ] && echo >> starts\nexec");
        script(&bin, "java", &java);
        let javac = "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -d ] && out=$2; shift; done\n\
                     mkdir -p \"$out\" && : > \"$out/Games.class\"\n";
        script(&bin, "javac", javac);
        Some(room)
    }

    /// Runs the referee. The tools of this machine come after the stand-ins.
    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(program("referee"));
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        // With this variable set, Python flushes after every write.
        command.env_remove("PYTHONUNBUFFERED");
        command.env("PATH", format!("{}:{path}", self.0.join("bin").display()));
        command.env("XDG_CACHE_HOME", self.0.join("cache"));
        command
    }

    /// Runs the referee, which must succeed. Returns both of its outputs.
    #[track_caller]
    fn done(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {}{}", stdout(&output), stderr(&output));
        stdout(&output) + &stderr(&output)
    }

    /// Plays games of two players or more by the command of the game. Returns what is printed.
    #[track_caller]
    fn play(&self, players: &[&str], words: &[&str]) -> String {
        let game = ["--external", GAME, "--arena", "codingame-sdk", "--seed", "7"];
        let players: Vec<String> = players.iter().map(|name| format!("./{name}")).collect();
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        self.done(&[&players, &game[..], words].concat())
    }

    fn games(&self, db: &str) -> Vec<Value> {
        let exported = self.run(&["export", "--times", "--db", db]);
        assert!(exported.status.success(), "{}", stderr(&exported));
        stdout(&exported).lines().map(json).collect()
    }
}

/// Command of the game, which plays one game a process.
const GAME: &str = "python3 -S classes/game.py";
/// Limits that no honest bot reaches on a busy machine.
const CALM: [&str; 2] = ["--move-time", "30s"];

/// Each bot with `steady`: its fault, and whether it is out.
const MISHAPS: [(&str, &str); 8] = [
    ("steady", ""),
    ("eager", ""),
    ("late", "timeout"),
    ("gone", "crash"),
    ("short", "crash"),
    ("split", "invalid"),
    ("wrong", ""),
    // What it has printed answers later calls, as in the arena.
    ("flood", ""),
];

#[test]
fn game_decides_what_follows_a_fault() {
    check_mishaps(&[2, 4]);
}

#[test]
#[ignore = "slow, see .ci/full"]
fn whole_game_decides_what_follows_a_fault_at_eight() {
    check_mishaps(&[8]);
}

/// Checks that a fault is a timeout to the game, which goes on as it decides; its scores rank.
fn check_mishaps(seats: &[usize]) {
    let Some(room) = Room::new("faults") else { return };
    assert_eq!(MISHAPS.map(|(name, _)| name), BOTS.map(|(name, _)| name), "an empty cell");
    for (seats, (name, fault)) in
        seats.iter().flat_map(|&seats| MISHAPS.map(|mishap| (seats, mishap)))
    {
        // The bot that is late needs the limits of the game, and its last seat the least time.
        let limits: &[&str] = if fault == "timeout" { &["--margin", "300ms"] } else { &CALM };
        let players = [vec!["steady"; seats - 1], vec![name]].concat();
        let db = format!("{name}-{seats}.db");
        let (games, seats_word) = (if seats == 2 { "2" } else { "1" }, seats.to_string());
        let words = ["--games", games, "--seats", &seats_word, "--db", &db, "--rules", "turns=3"];
        room.play(&players, &[&words[..], limits].concat());
        for game in room.games(&db) {
            let own = |key: &str| {
                game[key][game["players"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .position(|of| of.as_str().unwrap().starts_with(name))
                    .unwrap()]
                .as_i64()
                .unwrap()
            };
            let others: Vec<i64> = game["scores"]
                .as_array()
                .unwrap()
                .iter()
                .map(|score| score.as_i64().unwrap())
                .collect();
            let is_out = !fault.is_empty() || name == "wrong";
            let faults = game["faults"].as_array().unwrap();
            let words: Vec<&str> = faults.iter().map(|of| of["fault"].as_str().unwrap()).collect();
            let expected: &[&str] = if fault.is_empty() { &[] } else { &[fault] };
            assert_eq!(words, expected, "{name} at {seats}: {game}");
            assert_eq!(own("scores") == -1, is_out, "{name} at {seats}: {game}");
            assert_eq!(others.iter().filter(|score| **score == -1).count(), usize::from(is_out));
            // A table of two ends with its first loss; a larger one plays its three turns.
            let answers = game["moves"].as_array().unwrap().len();
            let turns = if seats == 2 && is_out { 2 } else { 3 };
            assert!(answers <= 2 * seats * turns && answers > 2 * seats, "{game}");
            let last = seats as i64;
            let rank = if is_out { last } else { own("ranks") };
            assert_eq!(own("ranks"), rank, "{name} at {seats}: {game}");
        }
        assert!(room
            .done(&["verify", "--allow-rules", "--db", &db])
            .contains("as they were played"));
    }
}

/// The messages, values and scores of a game are kept.
#[test]
fn what_a_game_says_is_kept() {
    let Some(room) = Room::new("said") else { return };
    for (rules, monitoring) in
        [("view=1000,league_note=7", true), ("monitoring=no,bank=20000", false)]
    {
        let db = format!("{monitoring}.db");
        room.play(
            &["steady", "wrong"],
            &[&["--games", "2", "--db", &db, "--rules", rules][..], &CALM].concat(),
        );
        let game = &room.games(&db)[0];
        assert_eq!(game["test_data"]["league"], "none", "{game}");
        let best: f64 = game["test_data"]["best"].as_str().unwrap().parse().unwrap();
        let scores = game["scores"].as_array().unwrap();
        assert_eq!(best, scores.iter().map(|of| of.as_f64().unwrap()).fold(-1.0, f64::max));
        let texts = game["texts"].as_array().unwrap();
        let all = |key: &str| -> String {
            texts.iter().filter_map(|of| of[key].as_str()).collect::<Vec<_>>().join("\n")
        };
        assert!(all("text").contains("in turn 1 the number is "), "{game}");
        assert!(all("text").contains(" is out (player "), "{game}");
        assert!(all("view").starts_with("KEY_FRAME 0\n"), "{game}");
        assert_eq!(all("view").contains(&"x".repeat(1000)), monitoring);
        for command in ["show", "replay"] {
            let shown = room.done(&[command, "0", "--db", &db]);
            assert!(command == "replay" || shown.contains("in turn 2 the number is "), "{shown}");
        }
        let page = room.done(&["report", "--output", "page.html", "--db", &db]);
        assert!(!page.contains("error"), "{page}");
    }
}

/// The seed of a match gives each game a seed, the same for all rotations.
#[test]
fn rotations_share_a_seed() {
    let Some(room) = Room::new("seeds") else { return };
    let play = |db: &str, seed: &str| {
        let words = ["--games", "6", "--db", db, "--seed", seed, "--rules", "turns=1"];
        let game = ["./steady", "./eager", "--external", GAME, "--arena", "codingame-sdk"];
        room.done(&[&game[..], &words, &CALM].concat());
        let setups = room.games(db).iter().map(|game| game["setup"].to_string()).collect();
        let setups: Vec<String> = setups;
        setups
    };
    let (one, again, other) = (play("a.db", "1"), play("b.db", "1"), play("c.db", "2"));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!(one.chunks(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(one.iter().collect::<BTreeSet<_>>().len(), 3);
    // All of an i64.
    assert!(one.iter().chain(&other).any(|setup| setup.contains("seed -")), "{one:?} {other:?}");
}

/// Games that fail: parameters, and what is said.
const FAILURES: [(&str, &str); 4] = [
    ("fail=2", "java.lang.RuntimeException: the board is missing, at com.codingame"),
    (
        "lie=1",
        "expected a seat from 0 to 1, a number of lines and milliseconds in NEXT_PLAYER_INFO",
    ),
    (
        "garbage=2",
        "expected a message '[[NAME] N]' of the game, got 'a line of a careless library'",
    ),
    ("hang=2", "the game failed after 'GET_GAME_INFO': "),
];

fn check_failure(name: &str, rules: &str, said: &str) {
    let Some(room) = Room::new(name) else { return };
    let game = ["./steady", "./eager", "--external", GAME, "--arena", "codingame-sdk"];
    let words = ["--games", "4", "--db", "a.db", "--rules", rules];
    let output = room.run(&[&game[..], &words, &CALM].concat());
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(6), "{rules}: {text}");
    assert!(text.contains(said), "{rules}: {text}");
    // Nothing counts, and the attempts are kept.
    assert_eq!(room.games("a.db").len(), 0);
    // Nor is a bot blamed, or praised.
    let game = ["check", "./steady", "--external", GAME, "--arena", "codingame-sdk"];
    let output = room.run(&[&game[..], &["--rules", rules], &CALM].concat());
    let text = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(6), "{rules}: {text}");
    assert!(text.contains("the rules of game failed: ") && text.contains(said), "{rules}: {text}");
    assert!(!text.contains("nothing to fix"), "{rules}: {text}");
}

/// A game that fails is void; after three attempts at one game the match ends.
#[test]
fn failures_of_a_game_are_named() {
    for (rules, said) in FAILURES.iter().filter(|(rules, _)| !rules.starts_with("hang")) {
        check_failure(&rules.replace('=', "-"), rules, said);
    }
}

#[test]
#[ignore = "slow: three times the patience with a game, see .ci/full"]
fn whole_game_that_hangs_is_named() {
    for (rules, said) in FAILURES.iter().filter(|(rules, _)| rules.starts_with("hang")) {
        check_failure("hang", rules, said);
    }
}

/// A mebibyte for the viewer, the most that the SDK allows, breaks nothing.
#[test]
fn large_views_are_read_and_left_out() {
    let Some(room) = Room::new("views") else { return };
    room.play(
        &["steady", "eager"],
        &[&["--games", "2", "--db", "a.db", "--rules", "view=1048576"][..], &CALM].concat(),
    );
    assert_eq!(room.games("a.db").len(), 2);
    room.done(&["verify", "--allow-rules", "--db", "a.db"]);
}

/// A folder is built once, its class path is kept, and one process plays many games.
#[test]
fn folder_is_built_once_and_kept() {
    let Some(room) = Room::new("folder") else { return };
    let project = room.0.join("race");
    for folder in ["config", "src/main/resources"] {
        fs::create_dir_all(project.join(folder)).unwrap();
    }
    fs::rename(room.0.join("classes/game.py"), project.join("src/main/resources/game.py")).unwrap();
    fs::write(project.join("pom.xml"), "<project/>").unwrap();
    let config = "#a comment\ntitle=The race\nmin_players=2\nmax_players=3\ntype=multi";
    fs::write(project.join("config/config.ini"), config).unwrap();
    let mvn = "#!/bin/sh\nmkdir -p target/classes\ncp src/main/resources/game.py target/classes\n\
               echo run >> target/runs\nprintf '' > target/arbitre-classpath\n";
    script(&room.0.join("bin"), "mvn", mvn);
    let words = |db: &'static str| {
        let game = ["./steady", "./eager", "--external", "race", "--arena", "codingame-sdk"];
        [&game[..], &["--games", "8", "--seed", "3", "--db", db, "--rules", "league=3"], &CALM]
            .concat()
    };
    let first = room.done(&words("a.db"));
    assert!(!first.contains("[WARN"), "{first}");
    room.done(&words("b.db"));
    let runs = || fs::read_to_string(project.join("target/runs")).unwrap();
    assert_eq!(runs(), "run\n", "it is built once");
    let games = room.games("a.db");
    assert_eq!(games.len(), 8);
    assert_eq!(games[0]["test_data"]["league"], "3");
    for seats in ["1", "4"] {
        let refused = room.run(&[&words("c.db")[..], &["--seats", seats]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    }
    room.done(&["verify", "--allow-rules", "--db", "a.db"]);
    // A changed source is built again, and is another game.
    let source = project.join("src/main/resources/game.py");
    let text = fs::read_to_string(&source).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(&source, text.replace("the number is", "we draw")).unwrap();
    room.done(&words("d.db"));
    assert_eq!(runs(), "run\nrun\n");
    let refused = room.run(&["verify", "--allow-rules", "--db", "a.db"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = stdout(&refused) + &stderr(&refused);
    assert!(said.contains("race has changed"), "{said}");
    assert!(room.done(&["show", "last", "--db", "a.db"]).contains("in turn 2 the number is"));
}

/// State that a process keeps from game to game is found, and games then have processes of their
/// own.
#[test]
fn state_between_games_is_found() {
    let Some(room) = Room::new("state") else { return };
    let game = ["./steady", "./eager", "--external", "./classes", "--arena", "codingame-sdk"];
    let play = |db: &str, rules: &str, concurrency: &str| {
        let words = ["--games", "12", "--seed", "3", "--db", db, "--rules", rules];
        let more = ["--concurrency", concurrency];
        let said = room.done(&[&game[..], &words, &more, &CALM].concat());
        let scores = room.games(db).iter().map(|game| game["scores"].to_string()).collect();
        let scores: Vec<String> = scores;
        (said, scores)
    };
    let (said, clean) = play("a.db", "turns=2", "1");
    assert!(!said.contains("[WARN"), "{said}");
    for concurrency in ["1", "2"] {
        let (said, scores) = play(&format!("b{concurrency}.db"), "turns=2,state=1", concurrency);
        let warned = "a game goes another way after another one in the same process";
        assert_eq!(said.matches(warned).count(), 1, "{said}");
        assert_eq!(scores, clean, "no game is played in a used process");
    }
    let (said, _) = play("c.db", "turns=2,chance=1", "1");
    let warned = "a game goes another way by the same seed and answers";
    assert_eq!(said.matches(warned).count(), 1, "{said}");
}

/// Trials of players share a process, which plays no game before the first comparison.
#[test]
fn trials_share_a_process() {
    let Some(room) = Room::new("trials") else { return };
    fs::write(room.0.join("starts"), "").unwrap();
    let game = ["./steady", "./eager", "./wrong", "./classes", "--arena", "codingame-sdk"];
    let mut words = game.to_vec();
    words.insert(3, "--external");
    let more = ["--games", "4", "--concurrency", "1", "--allow-write", "starts", "--db", "a.db"];
    room.done(&[&words, &more[..], &CALM].concat());
    let starts = fs::read_to_string(room.0.join("starts")).unwrap().lines().count();
    assert_eq!(starts, 4, "of the game itself, of trials, of games, and of the comparison");
}

/// Files of matches and tournaments of the game: how each is made. A tournament has a format, and
/// two players that are out in turn 2.
const FILES: [(&str, &[&str]); 14] = [
    ("match", &["PLAYERS", "--games", "4"]),
    ("sprt", &["PLAYERS", "--games", "20", "--sprt", "elo0=0,elo1=50"]),
    ("four", &["./steady", "./eager", "./gone", "./wrong", "GAME", "--seats", "4", "--games", "4"]),
    ("solo", &["./steady", "GAME", "--seats", "1", "--games", "3"]),
    ("no-sandbox", &["PLAYERS", "--games", "4", "--no-sandbox"]),
    ("shard", &["PLAYERS", "--games", "4", "--shard", "1/2"]),
    ("merged", &["PLAYERS", "--games", "4", "--shard", "2/2"]),
    ("round-robin", &["games = 2"]),
    ("swiss", &["games = 2"]),
    ("knockout", &["games = 2"]),
    ("double-knockout", &["games = 2"]),
    ("ladder", &["max-games = 20"]),
    ("gauntlet", &["games = 2"]),
    ("graded", &["games = 2"]),
];

/// Commands that work for each of them.
const COMMANDS: [&[&str]; 11] = [
    &["list"],
    &["show", "last"],
    &["show", "last", "--allow-rules"],
    &["replay", "last"],
    &["export"],
    &["report", "--output", "page.html"],
    &["rerun", "last"],
    &["verify", "--allow-rules"],
    &["merge", "DB", "--output", "copy.db"],
    &["AGAIN"],
    &["list", "--games"],
];

/// Makes a file. Returns the words that continue it.
fn make(room: &Room, name: &str, words: &[&str]) -> Vec<String> {
    let game =
        ["--external", GAME, "--arena", "codingame-sdk", "--rules", "turns=2", "--seed", "4"];
    let db = format!("{name}.db");
    if words[0].contains('=') {
        let players = ["steady", "eager", "gone", "wrong"];
        let player = |name| format!("[[player]]\nname = \"{name}\"\ncommand = \"./{name}\"\n");
        let mut players: String = players.map(player).concat();
        if name == "graded" {
            players += "[[grade]]\nbot = \"./flood\"\npoints = 20\n";
        }
        let settings = "rules = \"turns=2\"\nseed = 4\nmove-time = \"30s\"\nprofile = \"class\"";
        let text = format!(
            "[tournament]\nexternal = \"{GAME}\"\narena = \"codingame-sdk\"\nformat = \"{name}\"\n\
             {settings}\n{}\n{players}",
            words[0]
        );
        fs::write(room.0.join(format!("{name}.toml")), text).unwrap();
        let again = ["tournament".into(), format!("{name}.toml"), "--db".into(), db];
        room.done(&again.each_ref().map(String::as_str));
        return again.to_vec();
    }
    let mut all: Vec<&str> = Vec::new();
    for word in words {
        match *word {
            "PLAYERS" => all.extend(["./steady", "./eager"].iter().chain(&game)),
            "GAME" => all.extend(game),
            word => all.push(word),
        }
    }
    room.done(&[&all[..], &CALM, &["--db", &db]].concat());
    if name == "merged" {
        room.done(&["merge", "shard.db", &db, "--output", "both.db"]);
        fs::rename(room.0.join("both.db"), room.0.join(&db)).unwrap();
    }
    ["--resume", "--db", &db].map(str::to_owned).to_vec()
}

#[test]
fn commands_work_on_files_of_such_a_game() {
    check_commands("crossing", &["match", "swiss"]);
}

#[test]
#[ignore = "slow, see .ci/full"]
fn whole_crossing_of_commands_and_files_of_such_a_game() {
    check_commands("whole-crossing", &FILES.map(|(name, _)| name));
}

/// Checks that every command works on these files of such a game.
fn check_commands(room: &str, files: &[&str]) {
    let Some(room) = Room::new(room) else { return };
    for (name, words) in FILES.iter().filter(|(name, _)| files.contains(name)) {
        let (again, db) = (make(&room, name, words), format!("{name}.db"));
        for command in COMMANDS {
            let words: Vec<&str> = match command {
                ["AGAIN"] => again.iter().map(String::as_str).collect(),
                ["merge", ..] => vec!["merge", &db, "--output", "copy.db"],
                words => [words, &["--db", &db]].concat(),
            };
            // Who trusts the rules of a file says so again.
            let runs_rules =
                command.contains(&"--allow-rules") || ["rerun", "AGAIN"].contains(&command[0]);
            let trust: &[&str] = match *name == "no-sandbox" && runs_rules {
                true => &["--no-sandbox"],
                false => &[],
            };
            let output = room.run(&[&words, trust].concat());
            let said = stdout(&output) + &stderr(&output);
            assert!(output.status.success(), "{name}: {words:?}: {said}");
            let verified = command[0] != "verify" || said.contains("all as they were played");
            assert!(verified, "{name}: {said}");
        }
        fs::remove_file(room.0.join("copy.db")).unwrap();
    }
}

/// A person sees the lines of the game, and answers line by line.
#[test]
fn person_plays_by_the_lines_of_the_game() {
    let Some(room) = Room::new("person") else { return };
    fs::write(room.0.join("lines"), "5\n".repeat(12)).unwrap();
    let game = ["human", "./steady", "--external", GAME, "--arena", "codingame-sdk"];
    let mut command = room.command(&[&game[..], &["--games", "2", "--db", "a.db"]].concat());
    let lines = fs::File::open(room.0.join("lines")).unwrap();
    let output = command.stdin(lines).output().unwrap();
    let said = stdout(&output) + &stderr(&output);
    assert!(output.status.success() && !said.contains("faults of"), "{said}");
    let games = room.games("a.db");
    assert_eq!(games.len(), 2);
    assert!(said.contains("0 1 ") && said.contains("1 3 "), "{said}");
    for game in &games {
        let moves = game["moves"].as_array().unwrap();
        assert_eq!(moves.iter().filter(|mv| *mv == "5").count(), 6, "{game}");
    }
}

/// A pause of the referee costs no player time: games that ran are played again.
#[test]
fn pause_costs_no_player_time() {
    let Some(room) = Room::new("pause") else { return };
    script(&room.0, "thinker", "#!/bin/sh\nwhile read line; do sleep 0.04; echo 3; echo 4; done");
    let game = ["./thinker", "./eager", "--external", GAME, "--arena", "codingame-sdk"];
    let words = ["--games", "20", "--db", "a.db", "--margin", "300ms"];
    let mut command = room.command(&[&game[..], &words].concat());
    let referee = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_child(&referee);
    std::thread::sleep(std::time::Duration::from_secs(1));
    kill_process(pid, Signal::STOP).unwrap();
    // Longer than any limit of the game.
    std::thread::sleep(std::time::Duration::from_secs(3));
    kill_process(pid, Signal::CONT).unwrap();
    let output = referee.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let games = room.games("a.db");
    assert_eq!(games.len(), 20);
    assert!(games.iter().all(|game| game["faults"].as_array().unwrap().is_empty()));
}

/// Bad input: words of the command line, the exit code and a part of the line.
const BAD: [(&[&str], i32, &str); 11] = [
    (
        &["--external", "python3 -S no.py", "--arena", "codingame-sdk"],
        6,
        "docs/external.md says what",
    ),
    (
        &["--external", GAME, "--classpath", "a.jar"],
        2,
        "--classpath: expected --external FOLDER and",
    ),
    (&["--arena", "codingame-sdk"], 2, "expected --external COMMAND, got none"),
    (&["--external", "no-such-thing", "--arena", "codingame-sdk"], 2, "no-such-thing"),
    (&["--external", "empty", "--arena", "codingame-sdk"], 6, "expected pom.xml, build.gradle or"),
    (
        &["--external", "solo", "--arena", "codingame-sdk"],
        2,
        "type=multi in config/config.ini, got solo",
    ),
    (&["--external", "broken", "--arena", "codingame-sdk"], 6, "run outside: mvn -f "),
    (&["--external", GAME, "--arena", "codingame-sdk", "--rules", "seed=3"], 2, "expected no seed"),
    (
        &["--external", GAME, "--arena", "codingame-sdk", "--rules", "turns"],
        2,
        "expected KEY=VALUE",
    ),
    (
        &["--external", GAME, "--arena", "codingame-sdk", "--rules", "league=2"],
        2,
        "for a league, got league=2",
    ),
    (
        &["--external", "./classes", "--arena", "codingame-sdk", "--rules", "league=x"],
        2,
        "league=NUMBER",
    ),
];

#[test]
fn bad_input_gets_one_line() {
    let Some(room) = Room::new("bad") else { return };
    for (folder, file, text) in [
        ("empty", "README", ""),
        ("solo/config", "config.ini", "type=solo\n"),
        ("broken", "pom.xml", ""),
    ] {
        fs::create_dir_all(room.0.join(folder)).unwrap();
        fs::write(room.0.join(folder).join(file), text).unwrap();
    }
    let class = room.0.join("solo/com/codingame/game/Referee.class");
    fs::create_dir_all(class.parent().unwrap()).unwrap();
    fs::write(class, "").unwrap();
    let mvn = "#!/bin/sh\necho '[ERROR] the artifact is missing and offline'; exit 1\n";
    script(&room.0.join("bin"), "mvn", mvn);
    for (words, code, said) in BAD {
        let output = room.run(&[&["./steady", "./eager"][..], words, &["--games", "2"]].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {text}");
        assert!(text.contains(said) && text.starts_with("error: "), "{words:?}: {text}");
        assert!(text.lines().count() <= 2, "{words:?}: {text}");
    }
}
