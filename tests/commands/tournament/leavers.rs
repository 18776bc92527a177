//! Players that leave a tournament: a balanced one in shards, and files of all formats.

use crate::tournament::broken::{cup, FORMATS};
use crate::tournament::harness::{player, Folder, REFEREE};
use serde_json::Value;

/// File of the tournament of `cup.toml`.
const DB: &str = ".arbitre/tournament-cup.toml.db";

/// Writes `cup.toml` with six players, and with the program `zoe` if it takes part. The program
/// starts unless the file `flag` is empty.
fn class(folder: &Folder, settings: &str, seats: usize, has_zoe: bool) {
    let bot = if seats == 1 { "taquin random" } else { "tron random" };
    let program = format!("#!/bin/sh\n[ -s flag ] || exit 3\nexec '{REFEREE}' bot {bot}\n");
    let zoe = [("zoe", program.as_str())];
    let settings = format!("allow-read = [\"{REFEREE}\", \"flag\"]\n{settings}");
    cup(folder, &settings, seats, 6, if has_zoe { &zoe } else { &[] });
}

/// Returns the numbers of the games of a player in a file.
fn games_of(folder: &Folder, db: &str, name: &str) -> Vec<String> {
    let list = folder.done(&["list", "--games", "--json", "--player", name, "--db", db]);
    let games = list.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    games.map(|of| of["game"].to_string()).collect()
}

/// Each shard has a part of the games of a player. Whether it played half of them follows from all
/// parts.
#[test]
fn shards_do_not_replace_the_games_of_a_leaver() {
    for (seats, games, way, keeps) in [
        // One shard has all games of the leaver, the other a single one.
        (2, 8, "breaks", [usize::MAX, 1]),
        (2, 8, "is taken out", [1, usize::MAX]),
        (2, 8, "is taken out", [1, 1]),
        (3, 9, "is taken out", [1, 1]),
        (4, 16, "breaks", [1, usize::MAX]),
    ] {
        let what = format!("{seats} seats, {way}, {keeps:?}");
        let folder = Folder::new(&format!("left {seats} {way} {}", keeps[0]));
        let settings = format!("format = \"balanced\"\ngames-per-player = {games}");
        folder.file("flag", "starts");
        class(&folder, &settings, seats, true);
        let shard = |number: usize, more: &[&str]| {
            let (shard, db) = (format!("{number}/2"), format!("{number}.db"));
            let words = ["tournament", "cup.toml", "--shard", &shard, "--db", &db];
            folder.done(&[&words[..], more].concat())
        };
        let mut kept = 0;
        for (number, keeps) in (1..).zip(keeps) {
            let text = shard(number, &[]);
            assert!(!text.contains("without --shard"), "{what}: {text}");
            let db = format!("{number}.db");
            let own = games_of(&folder, &db, "zoe");
            let dropped: Vec<&str> = own.iter().skip(keeps).map(String::as_str).collect();
            kept += (own.len() - dropped.len()) as u64;
            if !dropped.is_empty() {
                folder.done(&[&["drop", "--db", &db][..], &dropped].concat());
            }
        }
        match way {
            "breaks" => folder.file("flag", ""),
            _ => class(&folder, &settings, seats, false),
        }
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
        let (zoe, counts) = (player(&whole, "zoe"), 2 * kept >= games);
        assert_eq!(zoe["games"].as_u64().unwrap() > 0, counts, "{what}: {whole}");
        for number in 0..6 {
            let own = player(&whole, &format!("healthy {number}"))["games"].as_u64().unwrap();
            // Those against a player whose games count are won without being played.
            assert!(counts || own >= games, "{what}: {whole}");
        }
        folder.done(&["verify", "--db", "merged.db"]);
        assert_eq!(folder.standings(&["--db", "merged.db"])["standings"], whole["standings"]);
    }
}

/// Returns the standings that follow from a file alone. It does not tell why a player left.
fn stored(folder: &Folder, db: &str) -> Value {
    let copy = folder.path("copy.db");
    let merged = folder.done(&["merge", db, "--output", "copy.db", "--json"]);
    std::fs::remove_file(copy).unwrap();
    let merged: Value = serde_json::from_str(&merged).unwrap();
    without_reasons(merged["results"].clone())
}

fn without_reasons(mut standings: Value) -> Value {
    for player in standings["standings"].as_array_mut().unwrap() {
        player["ms_per_move"].take();
        player["reason"].take();
    }
    standings
}

/// Returns the places at which two documents differ, with both values.
fn differences(at: &str, one: &Value, other: &Value) -> Vec<String> {
    let keys: Vec<String> = match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.keys().chain(other.keys().filter(|key| !one.contains_key(*key))).cloned().collect()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let inner = one.iter().zip(other).enumerate();
            return inner
                .flat_map(|(i, (one, other))| differences(&format!("{at}/{i}"), one, other))
                .collect();
        }
        _ if one == other => return Vec::new(),
        _ => return vec![format!("{at}: {one}, {other}")],
    };
    keys.iter()
        .flat_map(|key| differences(&format!("{at}/{key}"), &one[key], &other[key]))
        .collect()
}

/// Returns where the standings of a run and those of its file differ.
fn unlike_file(folder: &Folder, run: &Value) -> String {
    differences("", &without_reasons(run.clone()), &stored(folder, DB)).join("; ")
}

/// Plays the round that has begun, or the first one.
fn play_a_round(folder: &Folder) -> Value {
    folder.standings(&["--max-time", "1ms", "--concurrency", "1"])
}

/// Returns the formats with the seats that are tried, and the options for them.
fn settings() -> Vec<(&'static str, usize, String)> {
    let mut all = Vec::new();
    for (format, [alone, pairs, tables]) in FORMATS {
        let tables = tables.filter(|_| format == "balanced");
        for (seats, options) in [(1, alone), (2, pairs), (4, tables)] {
            let settings = options.map(|options| format!("format = \"{format}\"\n{options}"));
            all.extend(settings.map(|settings| (format, seats, settings)));
        }
    }
    // The error of a leaver does not keep the others playing.
    all.push(("ladder", 2, "format = \"ladder\"\nmax-games = 900\nmax-error = 150".into()));
    all
}

/// A file has the standings of its run, also after a player left and after it came back.
#[test]
fn file_has_the_standings_of_its_run() {
    let mut found = Vec::new();
    let ways = [("breaks", true), ("is taken out", false)];
    let cases = settings().into_iter().enumerate().flat_map(|(number, of)| {
        // The other formats have one of them at each number of seats.
        let ways = ways.into_iter().enumerate();
        let ways = ways.filter(move |(way, _)| of.0 == "balanced" || *way == number % 2);
        ways.map(|(_, way)| way).map(move |way| (of.clone(), way)).collect::<Vec<_>>()
    });
    for (number, ((format, seats, settings), (way, is_early))) in cases.enumerate() {
        let what = format!("{format} at {seats} seats, {way}");
        let folder = Folder::new(&format!("file {number}"));
        let has_tests = settings.contains("sprt");
        let is_fixed =
            matches!(format, "round-robin" | "gauntlet" | "balanced" | "graded") && !has_tests;
        folder.file("flag", "starts");
        class(&folder, &settings, seats, true);
        if is_fixed {
            folder.standings(&[]);
            let own = games_of(&folder, DB, "zoe");
            let kept = if is_early { 1 } else { own.len() - 1 };
            let dropped: Vec<&str> = own[kept..].iter().map(String::as_str).collect();
            folder.done(&[&["drop", "--db", DB][..], &dropped].concat());
        } else {
            folder.interrupted(&["--concurrency", "1"], if is_early { 2 } else { 8 });
        }
        let leave = |has_left: bool| match way {
            "breaks" => folder.file("flag", if has_left { "" } else { "starts" }),
            _ => class(&folder, &settings, seats, !has_left),
        };
        leave(true);
        let left = folder.standings(&[]);
        assert_eq!(left["complete"], true, "{what}");
        found.push((what.clone() + ", left", unlike_file(&folder, &left)));
        // Where stages depend on results, only the next one tells that a player is back.
        if is_fixed || has_tests {
            leave(false);
            let back = play_a_round(&folder);
            found.push((what.clone() + ", back", unlike_file(&folder, &back)));
            folder.done(&["drop", "zoe", "--db", DB]);
            class(&folder, &settings, seats, false);
            let dropped = folder.standings(&[]);
            found.push((what + ", dropped", unlike_file(&folder, &dropped)));
        }
        folder.done(&["verify", "--db", DB]);
    }
    found.retain(|(_, differences)| !differences.is_empty());
    assert!(found.is_empty(), "{found:#?}");
}

/// No further stage follows from a player that is broken from the start.
#[test]
fn file_of_a_running_tournament_has_no_games_in_place_of_a_broken_player() {
    let mut found = Vec::new();
    // A file with a tied meeting shows the tie-break that comes next.
    let without_bracket = settings().into_iter().filter(|(of, ..)| !of.ends_with("knockout"));
    for (number, (format, seats, settings)) in without_bracket.enumerate() {
        let folder = Folder::new(&format!("running {number}"));
        folder.file("flag", "");
        class(&folder, &settings, seats, true);
        let running = play_a_round(&folder);
        found.push((format, seats, unlike_file(&folder, &running)));
    }
    found.retain(|(_, _, differences)| !differences.is_empty());
    assert!(found.is_empty(), "{found:#?}");
}

/// A player that was taken out is withdrawn, with the games that count.
#[test]
fn player_that_was_taken_out_is_withdrawn() {
    for (number, (format, seats, settings)) in settings().into_iter().enumerate() {
        let what = format!("{format} at {seats} seats");
        let folder = Folder::new(&format!("taken out {number}"));
        let counts_shares = matches!(format, "round-robin" | "gauntlet" | "balanced" | "graded");
        folder.file("flag", "starts");
        class(&folder, &settings, seats, true);
        let before = folder.standings(&[]);
        let games = player(&before, "zoe")["games"].as_u64().unwrap();
        assert!(games > 0, "{what}: {before}");
        let look = |status: &str, has_games: bool, text: &str| {
            class(&folder, &settings, seats, false);
            let run = folder.standings(&[
                "--output",
                "cup.csv",
                "--per-player",
                "pages",
                "--per-player-format",
                "md",
            ]);
            for (standings, of) in [(&run, "run"), (&stored(&folder, DB), "file")] {
                let zoe = player(standings, "zoe");
                assert_eq!(zoe["status"], status, "{what}, {of}: {zoe}");
                assert_eq!(zoe["games"].as_u64().unwrap() > 0, has_games, "{what}, {of}: {zoe}");
            }
            assert_eq!(player(&run, "zoe")["reason"], "it is no longer among the players");
            let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
            let row = format!(",{status},it is no longer among the players,,");
            assert!(read("cup.csv").contains(&row), "{what}: {}", read("cup.csv"));
            assert!(!folder.path("pages/zoe.md").exists(), "{what}");
            let row = format!(" | zoe ({status}) | ");
            assert!(read("pages/index.md").contains(&row), "{what}: {}", read("pages/index.md"));
            let printed = folder.done(&["tournament", "cup.toml"]);
            let lines = format!("\nzoe was withdrawn{text}\n  it is no longer among the players\n");
            assert!(printed.contains(&lines), "{what}: {printed}");
            let row = printed.lines().find(|line| line.contains(" zoe ")).unwrap();
            assert!(row.contains(" withdrawn "), "{what}: {row}");
        };
        look("withdrawn", true, " and plays no more games");
        if counts_shares && !settings.contains("sprt") {
            let own = games_of(&folder, DB, "zoe");
            // Fewer than half of them are left.
            let dropped = own.iter().skip(own.len() / 2 - 1).map(String::as_str);
            folder.done(&["drop", "--db", DB].into_iter().chain(dropped).collect::<Vec<_>>());
            look("struck", false, ", and its games do not count");
        }
        // It is back.
        class(&folder, &settings, seats, true);
        let back = folder.standings(&[]);
        assert_eq!(player(&back, "zoe").get("reason"), None, "{what}: {back}");
        assert_ne!(player(&back, "zoe")["status"], "withdrawn", "{what}");
    }
}
