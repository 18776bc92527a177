//! Bots in several languages play under both profiles at the level that this machine gives.

use crate::sandbox::harness::REFEREE;
use arbitre_test_support::bots;
use arbitre_test_support::command::{folder, json, referee, remove_results, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Bot that plays its first legal move, in one language.
struct Runtime {
    name: &'static str,
    file: &'static str,
    source: &'static str,
    /// Commands that succeed where the language is installed, and build the bot.
    build: &'static [&'static str],
    /// Command of the player.
    play: &'static str,
}

const RUNTIMES: [Runtime; 9] = [
    Runtime {
        name: "python3",
        file: "bot.py",
        source: bots::PYTHON,
        build: &["python3 --version"],
        play: "python3 bot.py",
    },
    Runtime {
        name: "python3 with numpy",
        file: "bot.py",
        source: "import sys\nimport numpy as np\nweights = np.random.rand(200, 200) @ np.eye(200)\nlegal = []\n\
                 for line in sys.stdin:\n    word, *rest = line.split()\n    \
                 if word == 'legal': legal = rest\n    \
                 if word in ('begin', 'go'): print('ready n' if word == 'begin' else legal[int(np.argmin(np.arange(len(legal))))], flush=True)\n",
        build: &["python3 -c 'import numpy'"],
        play: "python3 bot.py",
    },
    Runtime {
        name: "node",
        file: "bot.js",
        source: bots::JAVASCRIPT,
        build: &["node --version"],
        play: "node bot.js",
    },
    Runtime {
        name: "java",
        file: "Bot.java",
        source: bots::JAVA,
        build: &["java --version", "javac Bot.java"],
        play: "java Bot",
    },
    Runtime {
        name: "ocaml",
        file: "bot.ml",
        source: bots::OCAML,
        build: &["ocaml -version"],
        play: "ocaml bot.ml",
    },
    Runtime {
        name: "go",
        file: "bot.go",
        source: bots::GO,
        build: &["go version", "go build -o bot bot.go"],
        play: "./bot",
    },
    Runtime {
        name: "dotnet",
        file: "bot/Program.cs",
        source: "string? line; var legal = \"\";\nwhile ((line = Console.ReadLine()) != null) {\n\
                 var w = line.Split(' ');\nif (w[0] == \"legal\") legal = w[1];\n\
                 if (w[0] == \"begin\") Console.WriteLine(\"ready dotnet\");\n\
                 if (w[0] == \"go\") Console.WriteLine(legal);\n}\n",
        build: &[
            "dotnet --version",
            "dotnet new console --force --output made --name bot",
            "cp bot/Program.cs made/Program.cs",
            "dotnet build --output out made",
        ],
        play: "dotnet out/bot.dll",
    },
    Runtime {
        name: "rust",
        file: "bot.rs",
        source: bots::RUST,
        build: &["rustc bot.rs"],
        play: "./bot",
    },
    Runtime {
        name: "static C",
        file: "bot.c",
        source: bots::C,
        build: &["cc -static -o bot bot.c"],
        play: "./bot",
    },
];

/// Builds the bot. Returns `false` where its language is not installed.
fn is_built(runtime: &Runtime, home: &Path) -> bool {
    runtime.build.iter().all(|command| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(home).env("HOME", home);
        shell.output().is_ok_and(|output| output.status.success())
    })
}

/// Plays two games. Returns the reason if a game lacks its result.
fn plays(runtime: &Runtime, home: &Path, profile: &str) -> Result<(), String> {
    let mut command = referee(&[runtime.play, "awele random", "--game", "awele", "--games", "2"]);
    command.args(["--profile", profile, "--db", ":memory:", "--json", "--seed", "1"]);
    command.args(["--move-time", "20s", "--init-time", "1min", "--rules", "max-plies=20"]);
    let output = command.current_dir(home).output().unwrap();
    if !output.status.success() {
        return Err(format!("{}{}", stdout(&output), stderr(&output)));
    }
    let summary = json(&stdout(&output));
    let player = &summary["players"][0];
    match (&summary["games"], &player["faults"], player.get("attempts")) {
        (games, faults, None) if *games == 2 && *faults == serde_json::json!({}) => Ok(()),
        _ => Err(format!("{summary:#}")),
    }
}

#[test]
fn bots_in_several_languages_play() {
    let mut wrong = Vec::new();
    for runtime in &RUNTIMES {
        let home = folder(&format!("runtimes {}", runtime.name));
        let file = home.join(runtime.file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, runtime.source).unwrap();
        if !is_built(runtime, &home) {
            eprintln!("SKIPPED: {} is not installed, or builds nothing", runtime.name);
            continue;
        }
        for profile in ["mine", "class"] {
            match plays(runtime, &home, profile) {
                Ok(()) => println!("{} plays under {profile}", runtime.name),
                Err(why) => wrong.push(format!("{} under {profile}: {why}", runtime.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bots that make 40 MB of garbage in each move. On a machine with more memory a JVM keeps it
/// beyond the limit.
const WASTEFUL: [Runtime; 2] = [
    Runtime {
        name: "java with garbage",
        file: "Bot.java",
        source: "import java.util.*;\n\
                 public class Bot { static byte[][] kept = new byte[40][]; public static void main(String[] a) {\n\
                 Scanner in = new Scanner(System.in); String legal = \"\";\n\
                 while (in.hasNextLine()) { String[] w = in.nextLine().split(\" \");\n\
                 if (w[0].equals(\"legal\")) legal = w[1];\n\
                 if (w[0].equals(\"begin\")) System.out.println(\"ready java\");\n\
                 if (w[0].equals(\"go\")) { for (int i = 0; i < 40; i++) { kept[i] = new byte[1 << 20]; Arrays.fill(kept[i], (byte) 1); }\n\
                 System.out.println(legal); } } } }\n",
        build: &["java --version", "javac Bot.java"],
        play: "java Bot",
    },
    Runtime {
        name: "node with garbage",
        file: "bot.js",
        source: "let legal = [], kept = [];\n\
                 require('readline').createInterface({ input: process.stdin }).on('line', (line) => {\n\
                 const [word, ...rest] = line.split(' ');\n\
                 if (word === 'legal') legal = rest;\n\
                 if (word === 'begin') console.log('ready node');\n\
                 if (word === 'go') { for (let i = 0; i < 40; i++) kept[i] = Array.from({ length: 1 << 17 }, (_, j) => j + 0.5);\n\
                 console.log(legal[0]); }\n});\n",
        build: &["node --version"],
        play: "node bot.js",
    },
];

/// The heap of a runtime stays below the limit of memory, and nothing is said about it.
#[test]
fn runtimes_collect_garbage_before_the_memory_limit() {
    for runtime in &WASTEFUL {
        let home = folder(&format!("runtimes {}", runtime.name));
        fs::write(home.join(runtime.file), runtime.source).unwrap();
        if !is_built(runtime, &home) {
            eprintln!("SKIPPED: {} is not installed, or builds nothing", runtime.name);
            continue;
        }
        let db = home.join("garbage.db");
        remove_results(&db);
        let words = [runtime.play, "awele random", "--game", "awele", "--games", "2"];
        let mut command = referee(&words);
        command.args(["--memory", "256MiB", "--move-time", "20s", "--init-time", "1min"]);
        command.args(["--rules", "max-plies=60", "--json", "--db", "garbage.db"]);
        let output = command.current_dir(&home).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let summary = json(&stdout(&output));
        assert_eq!(summary["players"][0]["faults"], serde_json::json!({}), "{}", runtime.name);
        let shown = referee(&["export", "--db", "garbage.db"]).current_dir(&home).output().unwrap();
        for line in stdout(&shown).lines() {
            let said = &json(line)["stderr"];
            assert!(
                said.as_object().is_none_or(serde_json::Map::is_empty),
                "{}: {said}",
                runtime.name
            );
        }
    }
}

/// In a container without a session of its own, all processes have the session zero.
#[test]
fn bot_plays_in_a_container() {
    let home = folder("container");
    fs::create_dir_all(&home).unwrap();
    let python = &RUNTIMES[0];
    fs::write(home.join(python.file), python.source).unwrap();
    let play = |words: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]);
        command.args(["--kill-child", "timeout", "60"]).args(words).current_dir(&home);
        command.output().expect("unshare can be started")
    };
    if !play(&["true"]).status.success() {
        eprintln!("SKIPPED: no namespaces can be made here, so no bot played in a container");
        return;
    }
    let words = [REFEREE, python.play, "awele random", "--game", "awele", "--games", "2"];
    let output =
        play(&[&words[..], &["--move-time", "10s", "--db", ":memory:", "--json"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(json(&stdout(&output))["games"], 2);
}
