//! Game of our own in Java, given in every way in which a user may give one.
//!
//! `tests/data/codingame_sdk/java` has the game, and a stand-in for the SDK, which has the
//! names of its classes and methods.

use arbitre_test_support::command::{cleared, folder, json, program, script, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Jars of Debian that the engine needs.
const JARS: [&str; 5] = ["guice", "guava", "atinject-jsr330-api", "aopalliance", "gson"];
/// Main class of the SDK.
const MAIN: &str = "com.codingame.gameengine.core.RefereeMain";
/// Option that Guice needs on Java 17.
const OPENS: &str = "--add-opens=java.base/java.lang=ALL-UNNAMED";

/// Ways to give the game: a name, the words, and whether one process plays many games.
const WAYS: [(&str, &[&str], bool); 7] = [
    ("maven", &["./maven"], true),
    ("gradle", &["./gradle"], true),
    ("javac", &["./javac", "--classpath", "PATHS"], true),
    ("classes", &["./classes"], true),
    ("jar", &["./stones.jar"], true),
    ("java", &["java OPENS -cp 'classes:PATHS' MAIN"], true),
    ("script", &["./one.sh"], false),
];

/// Folder of the game in every form, with bots.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let room = Room(cleared(folder(&format!("sdk-java-{name}"))));
        fs::create_dir_all(room.0.join("home")).unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/codingame_sdk/java");
        room.shell(&format!(
            "mkdir engine && javac -d engine -cp {} $(find {}/engine -name '*.java') && jar cf \
             engine.jar -C engine .",
            debian(),
            data.display()
        ));
        for way in ["maven", "gradle", "javac"] {
            room.shell(&format!("cp -r {}/stones {way}", data.display()));
        }
        fs::remove_file(room.0.join("gradle/pom.xml")).unwrap();
        room.shell("mkdir gradle/lib && cp engine.jar gradle/lib");
        for jar in JARS {
            room.shell(&format!("cp -L /usr/share/java/{jar}.jar gradle/lib"));
        }
        room.shell(&format!(
            "mkdir classes && javac -d classes -cp '{}' $(find javac -name '*.java') && cp -r \
             gradle/lib classes/lib",
            room.paths()
        ));
        let urls = JARS.map(|jar| format!("file:///usr/share/java/{jar}.jar")).join("\n  ");
        fs::write(room.0.join("manifest"), format!("Class-Path: {urls}\n")).unwrap();
        room.shell("jar cfm stones.jar manifest -C engine . -C classes com");
        let classes = room.0.join("classes");
        let run = format!(
            "#!/bin/sh\nexec java {OPENS} -cp '{}:{}' {MAIN}",
            classes.display(),
            room.paths()
        );
        script(&room.0, "one.sh", &run);
        room.fill_repository();
        for (name, answer) in [
            ("careful", "take=$((heap % 3 + 1)); [ $take -gt $heap ] && take=$heap; echo $take"),
            ("careless", "echo $((heap % 4))"),
        ] {
            let text = format!("#!/bin/sh\nwhile read heap league; do {answer}; done");
            script(&room.0, name, &text);
        }
        room
    }

    /// Fills the repository of Maven by the packages of Debian, and the engine.
    fn fill_repository(&self) {
        let at = "home/.m2/repository/com/codingame/gameengine/core/1";
        self.shell("mkdir -p home/.m2 && cp -rs /usr/share/maven-repo home/.m2/repository");
        self.shell(&format!("mkdir -p {at} && cp engine.jar {at}/core-1.jar"));
        let needed = [("com.google.inject", "guice"), ("com.google.code.gson", "gson")];
        let needed = needed.map(|(group, name)| {
            format!(
                "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>\
                 <version>debian</version></dependency>"
            )
        });
        let pom = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>com.codingame.gameengine</groupId>\
             <artifactId>core</artifactId><version>1</version><dependencies>{}</dependencies>\
             </project>",
            needed.concat()
        );
        fs::write(self.0.join(at).join("core-1.pom"), pom).unwrap();
    }

    /// Returns the class path of the engine.
    fn paths(&self) -> String {
        format!("{}:{}", self.0.join("engine.jar").display(), debian())
    }

    fn command(&self, program: &str, words: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        command.env("HOME", self.0.join("home")).env("XDG_CACHE_HOME", self.0.join("cache"));
        command.output().unwrap()
    }

    #[track_caller]
    fn shell(&self, text: &str) {
        let output = self.command("sh", &["-c", text]);
        assert!(output.status.success(), "{text}: {}{}", stdout(&output), stderr(&output));
    }

    /// Plays games in one of the ways.
    fn play(&self, way: &str, players: [&str; 2], more: &[&str]) -> Output {
        let (_, words, _) = WAYS.iter().find(|(name, ..)| *name == way).unwrap();
        let full = |word: &&str| {
            word.replace("PATHS", &self.paths()).replace("OPENS", OPENS).replace("MAIN", MAIN)
        };
        let words: Vec<String> = words.iter().map(full).collect();
        let mut all = players.to_vec();
        all.push("--external");
        all.extend(words.iter().map(String::as_str));
        all.extend(["--arena", "codingame-sdk", "--seed", "7", "--move-time", "30s"]);
        all.extend(more);
        self.command(program("referee").to_str().unwrap(), &all)
    }

    fn games(&self, db: &str) -> Vec<Value> {
        let words = ["export", "--times", "--db", db];
        let exported = self.command(program("referee").to_str().unwrap(), &words);
        assert!(exported.status.success(), "{}", stderr(&exported));
        stdout(&exported).lines().map(json).collect()
    }
}

/// Returns the class path of Debian's jars.
fn debian() -> String {
    JARS.map(|jar| format!("/usr/share/java/{jar}.jar")).join(":")
}

/// Returns setup, moves and scores of each game.
fn courses(games: &[Value]) -> Vec<String> {
    let course = |game: &Value| format!("{} {} {}", game["setup"], game["moves"], game["scores"]);
    games.iter().map(course).collect()
}

/// Checks the scores of a game by its rules: the heap that the first seat was shown, and the moves.
fn check_scores(game: &Value) {
    let numbers = |text: &str| -> Vec<i64> {
        text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let text = game["texts"][0]["text"].as_str().unwrap();
    let mut heap = numbers(text.lines().last().unwrap())[0];
    let (mut scores, mut seat) = ([0, 0], 0);
    for mv in game["moves"].as_array().unwrap() {
        let taken: i64 = mv.as_str().unwrap().parse().unwrap();
        if taken < 1 || taken > heap.min(3) {
            scores[seat] = -1;
            break;
        }
        heap -= taken;
        scores[seat] += if heap == 0 { taken + 3 } else { taken };
        seat = 1 - seat;
    }
    assert_eq!(game["scores"], serde_json::json!(scores), "{game}");
    assert_eq!(game["test_data"]["left"], heap.to_string(), "{game}");
}

/// The game takes the same course in every way.
#[test]
#[ignore = "needs Java, Maven, Gradle and packages of Debian, see .ci/full"]
fn game_in_java_plays_in_every_way() {
    let room = Room::new("ways");
    let mut first: Option<Vec<String>> = None;
    for (way, _, is_many) in WAYS {
        if way == "gradle" {
            // Its command is the one that the refusal names.
            let refused = room.play(way, ["./careful", "./careless"], &["--games", "2"]);
            let said = stderr(&refused);
            assert_eq!(refused.status.code(), Some(6), "{said}");
            let command = said.split("run outside: ").nth(1).unwrap().trim();
            room.shell(&format!("{} --offline --no-daemon -g home/gradle", command));
        }
        let db = format!("{way}.db");
        let words = ["--games", "12", "--db", &db, "--rules", "league=2"];
        let words = if is_many { &words[..] } else { &words[..4] };
        let output = room.play(way, ["./careful", "./careless"], words);
        let said = stdout(&output) + &stderr(&output);
        let is_clean = !said.contains("a process of its own");
        assert!(output.status.success() && is_clean, "{way}: {said}");
        let games = room.games(&db);
        games.iter().for_each(check_scores);
        let text = games[0]["texts"][0]["text"].as_str().unwrap();
        let league = if is_many { "2" } else { "1" };
        assert!(text.trim_end().ends_with(league), "{way}: {text}");
        let courses = courses(&games);
        assert_eq!(courses.len(), 12);
        assert_eq!(*first.get_or_insert_with(|| courses.clone()), courses, "{way}");
        let words = ["verify", "--allow-rules", "--db", &db];
        let verified = room.command(program("referee").to_str().unwrap(), &words);
        assert!(stdout(&verified).contains("as they were played"), "{}", stderr(&verified));
    }
}

/// An exception ends the match with its stack trace, and a static field is found.
#[test]
#[ignore = "needs Java and packages of Debian, see .ci/full"]
fn mistakes_of_a_game_in_java_are_found() {
    let room = Room::new("mistakes");
    for way in ["classes", "script"] {
        let words = ["--games", "4", "--db", "fail.db", "--rules", "fail=2"];
        let failed = room.play(way, ["./careful", "./careful"], &words);
        assert_eq!(failed.status.code(), Some(6), "{}", stderr(&failed));
        let said = stderr(&failed);
        let trace = "java.lang.IllegalStateException: the heap is on fire, at \
                     com.codingame.game.Referee.gameTurn(Referee.java:";
        assert!(said.contains(trace), "{way}: {said}");
        fs::remove_file(room.0.join("fail.db")).unwrap();
    }
    let play = |way: &str, rules: &str| {
        let db = format!("{way}-{rules}.db");
        let words = ["--games", "8", "--db", &db, "--rules", rules];
        let output = room.play(way, ["./careful", "./careless"], &words);
        assert!(output.status.success(), "{}", stderr(&output));
        (stderr(&output), courses(&room.games(&db)))
    };
    let (said, kept) = play("classes", "kept=1");
    let warned = "a game goes another way after another one in the same process";
    assert_eq!(said.matches(warned).count(), 1, "{said}");
    assert_eq!(kept, play("script", "kept=1").1, "each game has a process of its own");
}
