//! Players that leave a balanced tournament in shards.

use crate::harness::{player, Folder, CALM, REFEREE};
use serde_json::Value;
use std::fs;

/// Writes `cup.toml`: a balanced tournament of these players, at least one of which is a program.
fn balanced(folder: &Folder, (seats, games): (usize, u64), players: &[&str]) {
    let settings = format!(
        "seats = {seats}\nformat = \"balanced\"\ngames-per-player = {games}\n\
         allow-read = [\"{REFEREE}\", \"flag\"]"
    );
    cup(folder, &settings, players);
}

/// Writes `cup.toml`: a tournament of Tron with these players. The one named `zoe` is a program
/// that starts unless the file `flag` is empty.
fn cup(folder: &Folder, settings: &str, players: &[&str]) {
    let bot = format!("#!/bin/sh\n[ -s flag ] || exit 3\nexec '{REFEREE}' bot tron random\n");
    folder.program("zoe", &bot);
    folder.file("flag", "starts");
    let mut text = format!(
        "[tournament]\ngame = \"tron\"\nrules = \"size=12x9\"\nseed = 7\n{CALM}{settings}\n"
    );
    for (number, name) in players.iter().enumerate() {
        let command = match (*name, number % 3) {
            ("zoe", _) => "./zoe",
            (_, 0) => "tron breadth --depth 1",
            (_, 1) => "tron wall-hugger",
            _ => "tron random",
        };
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
    }
    folder.file("cup.toml", &text);
}

/// Returns the numbers of the games of a player in a file.
fn games_of(folder: &Folder, db: &str, name: &str) -> Vec<String> {
    let list = folder.done(&["list", "--games", "--json", "--player", name, "--db", db]);
    let games = list.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    games.map(|of| of["game"].to_string()).collect()
}

/// Lets a player leave a tournament: it cannot be started any more, or is in the file no longer.
fn leave(folder: &Folder, way: &str) {
    match way {
        "breaks" => folder.file("flag", ""),
        _ => {
            let text = fs::read_to_string(folder.path("cup.toml")).unwrap();
            let (before, after) = text.split_once("[[player]]\nname = \"zoe\"\n").unwrap();
            let after = after.split_once('\n').unwrap().1;
            folder.file("cup.toml", &format!("{before}{after}"));
        }
    }
}

const CLASS: [&str; 7] = ["ada", "bea", "cleo", "zoe", "dan", "eve", "finn"];

/// Each shard has a part of the games of a player. Whether it played half of them follows from all
/// parts.
#[test]
fn shards_do_not_replace_the_games_of_a_leaver() {
    for (seats, games, way, keeps, counts) in [
        // One shard has all games of the leaver, the other a single one.
        (2, 8, "breaks", [usize::MAX, 1], true),
        (2, 8, "is taken out", [1, usize::MAX], true),
        (2, 8, "is taken out", [1, 1], false),
        (3, 9, "is taken out", [1, 1], false),
        (4, 16, "breaks", [1, usize::MAX], true),
    ] {
        let what = format!("{seats} seats, {way}, {keeps:?}");
        let folder = Folder::new(&format!("left {seats} {way} {}", keeps[0]));
        balanced(&folder, (seats, games), &CLASS);
        let shard = |number: usize, more: &[&str]| {
            let (shard, db) = (format!("{number}/2"), format!("{number}.db"));
            let words = ["tournament", "cup.toml", "--shard", &shard, "--db", &db];
            folder.done(&[&words[..], more].concat())
        };
        for (number, keeps) in (1..).zip(keeps) {
            let text = shard(number, &[]);
            assert!(!text.contains("without --shard"), "{what}: {text}");
            let db = format!("{number}.db");
            let own = games_of(&folder, &db, "zoe");
            let dropped: Vec<&str> = own.iter().skip(keeps).map(String::as_str).collect();
            if !dropped.is_empty() {
                folder.done(&[&["drop", "--db", &db][..], &dropped].concat());
            }
        }
        leave(&folder, way);
        for (number, keeps) in (1..).zip(keeps) {
            let text = shard(number, &[]);
            let line = "games in place of those of zoe are not part of a shard: merge the \
                        shards, then repeat the command with the merged file, without --shard";
            // A file that lacks no game starts no program, so a broken one is not noticed.
            let is_known = keeps < usize::MAX || way == "is taken out";
            assert_eq!(text.contains(line), is_known, "{what}: {text}");
            let again: Value = serde_json::from_str(&shard(number, &["--json"])).unwrap();
            assert_eq!(again["complete"], true, "{what}");
        }
        folder.done(&["merge", "1.db", "2.db", "--output", "merged.db"]);
        let whole = folder.standings(&["--db", "merged.db"]);
        assert_eq!(whole["complete"], true, "{what}: {whole}");
        let zoe = player(&whole, "zoe");
        assert_eq!(zoe["games"].as_u64().unwrap() > 0, counts, "{what}: {whole}");
        for name in CLASS.into_iter().filter(|name| *name != "zoe") {
            let own = player(&whole, name)["games"].as_u64().unwrap();
            // Those against a player whose games count are won without being played.
            assert!(counts || own >= games, "{what}: {whole}");
        }
        folder.done(&["verify", "--db", "merged.db"]);
        assert_eq!(folder.standings(&["--db", "merged.db"])["standings"], whole["standings"]);
    }
}
