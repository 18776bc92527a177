//! Files that a user, a program or a folder of others names: none is waited for, none is read for
//! ever, and a link of others is not followed.

use arbitre_test_support::command::{cleared, folder, json, program, script, stderr, stdout};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Programs with words that name FILE, and a part of the reason.
const NAMED: [(&str, &[&str], &str); 20] = [
    ("referee", &["awele", "awele random", "--openings", "FILE"], DEVICE),
    ("referee", &["tournament", "FILE"], DEVICE),
    ("referee", &["tournament", "players", "--openings", "FILE", "--game", "awele"], DEVICE),
    ("referee", &["tron", "tron", "--rules", "walls=FILE"], DEVICE),
    ("referee", &["awele best --book FILE", "awele random"], DEVICE),
    ("referee", &["awele best --evaluation FILE", "awele random"], DEVICE),
    ("referee", &["awele best --tables tables", "awele random"], DEVICE),
    ("referee", &["list", "--db", "FILE"], "another file"),
    ("referee", &["show", "0", "--db", "FILE"], "another file"),
    ("referee", &["--resume", "--db", "FILE"], "another file"),
    ("referee", &["merge", "FILE", "--output", "new.db"], "another file"),
    ("referee", &["FILE", "awele random"], "expected a program"),
    ("referee", &["check", "FILE", "--game", "awele"], "expected a program"),
    ("awele", &["train", "--data", "FILE", "--output", "out"], DEVICE),
    ("awele", &["selfplay", "--output", "FILE", "--games", "1"], DEVICE),
    ("awele", &["probe", "--tables", "tables"], DEVICE),
    ("taquin", &["solve", "FILE"], DEVICE),
    ("taquin", &["verify", "--solutions", "FILE", "board"], DEVICE),
    ("hextris", &["score", "FILE", "FILE"], DEVICE),
    ("hextris", &["contest", "-f", "FILE", "-t", "1"], DEVICE),
];

const DEVICE: &str = "it is a pipe or a device, and no file";

/// Runs a program, which ends within a minute.
fn bounded(place: &Path, name: &str, words: &[String]) -> Output {
    let mut command = Command::new("timeout");
    command.arg("60").arg(program(name)).args(words).current_dir(place).stdin(Stdio::null());
    command.output().expect("coreutils are installed")
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_and_devices_are_refused() {
    let place = cleared(folder("outside-files"));
    fs::create_dir_all(place.join("tables")).unwrap();
    fs::create_dir_all(place.join("players/ada")).unwrap();
    fs::create_dir_all(place.join("players/bob")).unwrap();
    script(&place.join("players/ada"), "bot", "#!/bin/sh\nexit 1\n");
    script(&place.join("players/bob"), "bot", "#!/bin/sh\nexit 2\n");
    fs::write(place.join("board"), "1 2 3\n4 5 6\n7 8 0\n").unwrap();
    pipe(&place.join("pipe"));
    symlink("/dev/zero", place.join("zero")).unwrap();
    for file in ["pipe", "zero"] {
        let table = place.join("tables/oware_n00.lh");
        let _ = fs::remove_file(&table);
        symlink(place.join(file), &table).unwrap();
        for (name, words, part) in NAMED {
            let words: Vec<String> =
                words.iter().map(|word| word.replace("FILE", &format!("./{file}"))).collect();
            let output = bounded(&place, name, &words);
            let (told, code) = (stderr(&output), output.status.code().unwrap());
            assert!([2, 3, 4, 6].contains(&code), "{name} {words:?}: {code}: {told}");
            assert!(told.contains(part), "{name} {words:?}: {told}");
        }
    }
}

/// A file of a folder of others may have the name of one that the referee writes.
#[test]
fn links_of_others_are_not_followed() {
    let place = cleared(folder("outside-links"));
    fs::create_dir_all(place.join("elsewhere")).unwrap();
    let own = place.join("own");
    fs::write(&own, "of the user").unwrap();
    let game = ["awele greedy", "awele random", "--games", "2", "--game", "awele"];
    let play = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        bounded(&place, "referee", &words)
    };
    // The folder of results, and the file that keeps it out of Git.
    symlink(place.join("elsewhere"), place.join(".arbitre")).unwrap();
    for words in [&game[..], &["list"], &["--resume"], &["tournament", "players"]] {
        let output = play(words);
        let told = stderr(&output);
        assert!(told.contains("it is a symbolic link, which is not followed"), "{words:?}: {told}");
        assert_eq!(fs::read_dir(place.join("elsewhere")).unwrap().count(), 0, "{words:?}");
        if words[0] == "list" {
            // Players for the tournament.
            for (player, code) in [("ada", 1), ("bob", 2)] {
                let bot = place.join("players").join(player);
                fs::create_dir_all(&bot).unwrap();
                script(&bot, "bot", &format!("#!/bin/sh\nexit {code}\n"));
                fs::write(bot.join("Makefile"), "bot:\n\ttouch bot\n").unwrap();
            }
        }
    }
    fs::remove_file(place.join(".arbitre")).unwrap();
    fs::create_dir(place.join(".arbitre")).unwrap();
    symlink(place.join("ignored"), place.join(".arbitre/.gitignore")).unwrap();
    let output = play(&game);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!place.join("ignored").exists(), "a link that leads nowhere is not followed");
    // The lock of a file, and that of the builds.
    play(&[&game[..], &["--db", "m.db"]].concat());
    symlink(&own, place.join("m.db.lock")).unwrap();
    let output = play(&["drop", "0", "--db", "m.db"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("symbolic link"), "{}", stderr(&output));
    fs::remove_file(place.join("m.db.lock")).unwrap();
    pipe(&place.join("m.db.lock"));
    for words in [["drop", "0", "--db", "m.db"], ["show", "0", "--db", "m.db"]] {
        play(&words);
    }
    fs::create_dir_all(place.join(".arbitre/builds")).unwrap();
    symlink(&own, place.join(".arbitre/builds/lock")).unwrap();
    let output = play(&["tournament", "players", "--game", "awele"]);
    let told = stdout(&output) + &stderr(&output);
    assert!(told.contains("symbolic link"), "{told}");
    fs::remove_dir_all(place.join(".arbitre/builds")).unwrap();
    symlink(place.join("elsewhere"), place.join(".arbitre/builds")).unwrap();
    let output = play(&["tournament", "players", "--game", "awele"]);
    let told = stdout(&output) + &stderr(&output);
    assert!(told.contains("symbolic link"), "{told}");
    assert_eq!(fs::read_dir(place.join("elsewhere")).unwrap().count(), 0);
    assert_eq!(fs::read_to_string(&own).unwrap(), "of the user");
    // A pipe beside the log of a file is not waited for.
    pipe(&place.join("players/ada/data"));
    fs::write(place.join("players/ada/data-wal"), "").unwrap();
    let output = play(&["tournament", "players", "--game", "awele", "--dry-run"]);
    assert_ne!(output.status.code(), Some(124), "it waits for a pipe");
}

/// Files as editors of other systems write them: with a byte order mark, and with CR LF or CR at
/// the end of each line. Each program does with them what it does with a plain file.
#[test]
fn marks_and_line_ends_of_other_systems_are_accepted() {
    let place = folder("marks");
    let cup = "[tournament]\ngame = \"awele\"\nrules = \"max-plies=30\"\ngames = 2\nseed = 1\n\
               [[player]]\ncommand = \"awele random\"\n[[player]]\ncommand = \"awele greedy\"\n";
    let book = include_str!("../../../bots/awele/book/shipped.txt");
    let files = [
        ("openings", "2 5\n0 1\n3 3\n4 4\n"),
        ("walls", "...\n.#.\n...\n"),
        ("boards", "1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 5 6\n7 0 8\n"),
        ("cup.toml", cup),
        ("book", book),
    ];
    let matches =
        ["--games", "4", "--json", "--seed", "3", "--db", ":memory:", "--move-time", "20s"];
    let cases: [(&str, &[&str]); 5] = [
        ("referee", &["awele random", "awele greedy", "--openings", "openings"]),
        ("referee", &["tron random", "tron random", "--rules", "walls=walls"]),
        (
            "referee",
            &["awele alpha-beta --depth 1 --book book", "awele greedy", "--rules", "max-plies=9"],
        ),
        ("taquin", &["solve", "--format", "letters", "boards"]),
        ("referee", &["tournament", "cup.toml", "--json", "--db", ":memory:"]),
    ];
    for (name, words) in cases {
        let mut outputs = Vec::new();
        for (mark, end) in
            [("", "\n"), ("\u{feff}", "\n"), ("", "\r\n"), ("\u{feff}", "\r"), ("", "\r")]
        {
            for (file, text) in files {
                fs::write(place.join(file), format!("{mark}{}", text.replace('\n', end))).unwrap();
            }
            let is_match = name == "referee" && words[0] != "tournament";
            let more = if is_match { &matches[..] } else { &[] };
            let words: Vec<String> =
                words.iter().chain(more).map(|word| word.to_string()).collect();
            let output = bounded(&place, name, &words);
            assert!(output.status.success(), "{words:?} {mark:?} {end:?}: {}", stderr(&output));
            let said = stdout(&output);
            outputs.push(match name {
                "referee" => {
                    let document = json(&said);
                    ["games", "moves", "rules"].map(|key| document[key].to_string()).join(" ")
                }
                _ => said,
            });
        }
        assert!(outputs.iter().all(|output| *output == outputs[0]), "{words:?}: {outputs:#?}");
    }
}
