//! Merging of shards and of other files of one match.

use crate::store::harness::{assert_fails, Folder, CALM, PLAYERS};
use arbitre_test_support::command::{json, stderr};
use rusqlite::Connection;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

/// Deterministic players of each game, with options that make its games short.
const GAMES: [(&str, &[&str]); 5] = [
    ("awele", &["awele greedy", "awele random", "--games=60"]),
    (
        "tron",
        &["tron random", "tron fixed --depth 1", "tron wall-hugger", "--seats=3", "--games=60"],
    ),
    ("seven-colors", &["seven-colors greedy", "seven-colors random", "--games=60"]),
    ("taquin", &["taquin quick", "taquin quick", "--seats=1", "--games=40", "--rules=eight"]),
    ("hextris", &["hextris random", "hextris random", "--seats=1", "--games=40", "--rules=small"]),
];

/// Plays a shard, or all games, into the file `db`.
fn play(folder: &Folder, words: &[&str], shard: &str, db: &str) {
    let shard = if shard.is_empty() { vec![] } else { vec!["--shard", shard] };
    folder.done(&[words, &CALM, &["--seed=7", "--db", db], &shard].concat());
}

/// Plays all shards. Returns the names of their files.
fn shards(folder: &Folder, words: &[&str], count: u64) -> Vec<String> {
    (1..=count)
        .map(|number| {
            let db = format!("{number}-of-{count}.db");
            play(folder, words, &format!("{number}/{count}"), &db);
            db
        })
        .collect()
}

fn merge(folder: &Folder, files: &[String], output: &str) -> serde_json::Value {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let words = [&["merge", "--json", "--output", output], &files[..]].concat();
    json(&String::from_utf8(folder.done(&words)).unwrap())
}

#[test]
fn shards_together_are_the_same_bytes_as_one_run() {
    for (game, words) in GAMES {
        let folder = Folder::new(&format!("shards {game}"));
        play(&folder, words, "", "whole.db");
        let whole = folder.exports("whole.db");
        for count in [1, 4] {
            let files = shards(&folder, words, count);
            let output = format!("merged-{count}.db");
            let merged = merge(&folder, &files, &output);
            assert_eq!((&merged["missing"], &merged["repeated"]), (&0.into(), &0.into()), "{game}");
            assert!(folder.exports(&output) == whole, "{game}: {count} shards");
            let verified = folder.done(&["verify", "--db", &output]);
            assert!(String::from_utf8(verified).unwrap().contains("all as they were played"));
        }
    }
}

#[test]
fn shards_of_a_tournament_are_the_same_bytes_as_one_run() {
    let folder = Folder::new("cup");
    folder.script("broken", "#!/bin/sh\nexit 3\n");
    let players = [
        ("ada", "awele greedy"),
        ("bea", "awele random"),
        ("broken", "./broken"),
        ("cleo", "awele random"),
    ];
    let players: String = players
        .map(|(name, command)| format!("[[player]]\nname = '{name}'\ncommand = '{command}'\n"))
        .concat();
    for format in ["round-robin", "gauntlet", "balanced", "graded"] {
        let games = match format {
            "balanced" => "games-per-player = 16",
            "graded" => "games = 8\n[[grade]]\nbot = 'dan=awele random'\npoints = 2",
            _ => "games = 8",
        };
        let text = format!(
            "[tournament]\nname = 'Cup'\ngame = 'awele'\nseed = 7\nformat = '{format}'\n\
             move-time = '60s'\nfirst-move-time = '60s'\ninit-time = '60s'\n{games}\n{players}"
        );
        fs::write(folder.join("cup.toml"), text).unwrap();
        let db = |name: &str| format!("--db={format}-{name}.db");
        let whole = folder.done(&["tournament", "cup.toml", "--json", &db("whole")]);
        let mut files = Vec::new();
        for number in 1..=5 {
            let words = [
                "tournament",
                "cup.toml",
                "--shard",
                &format!("{number}/5"),
                &db(&number.to_string()),
            ];
            folder.done(&words);
            files.push(format!("{format}-{number}.db"));
        }
        let merged = merge(&folder, &files, &format!("{format}-merged.db"));
        assert_eq!(merged["missing"], 0, "{format}");
        let without_times = |mut standings: serde_json::Value| {
            for player in standings["standings"].as_array_mut().unwrap() {
                player["ms_per_move"].take();
                // A file does not tell why a player has no game.
                player["reason"].take();
            }
            standings
        };
        let whole = json(&String::from_utf8(whole).unwrap());
        assert_eq!(without_times(merged["results"].clone()), without_times(whole), "{format}");
        let export = |name: &str| folder.exports(&format!("{format}-{name}.db"));
        assert!(export("merged") == export("whole"), "{format}");
        // The same command continues the merged file, and finds nothing to do.
        folder.done(&["tournament", "cup.toml", &db("merged")]);
        assert!(export("merged") == export("whole"), "{format}");
    }
}

/// The content of a merged file depends neither on the order of the files nor on how often one is
/// named.
#[test]
fn order_and_repetition_change_nothing() {
    let folder = Folder::new("order");
    let words = [&PLAYERS[..], &["--games=24"]].concat();
    let mut files = shards(&folder, &words, 4);
    let merged = merge(&folder, &files, "merged.db");
    assert_eq!((&merged["games"], &merged["missing"]), (&24.into(), &0.into()));
    files.reverse();
    merge(&folder, &files, "reversed.db");
    let rows = |db: &str| -> Vec<String> {
        let connection = Connection::open(folder.join(db)).unwrap();
        let sql =
            "SELECT quote(number) || versions || session || checksum FROM game ORDER BY number";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(rows("reversed.db"), rows("merged.db"));
    files.extend(["merged.db".to_owned(), files[0].clone()]);
    let again = merge(&folder, &files, "again.db");
    assert_eq!((&again["games"], &again["repeated"]), (&24.into(), &30.into()));
    assert_eq!(rows("again.db"), rows("merged.db"));
}

#[test]
fn missing_games_are_counted_and_played() {
    let folder = Folder::new("missing merged");
    let words = [&PLAYERS[..], &["--games=24"]].concat();
    play(&folder, &words, "", "whole.db");
    let mut files = shards(&folder, &words, 4);
    files.remove(2);
    folder.done(&["drop", "0", "--db", &files[0]]);
    let merged = merge(&folder, &files, "merged.db");
    assert_eq!((&merged["games"], &merged["missing"]), (&17.into(), &7.into()));
    assert_eq!(merged["missing_shards"], serde_json::json!([3]));
    assert_eq!(merged["incomplete"][0]["db"], "1-of-4.db");
    let file = &files[1];
    let text = folder.done(&["merge", &files[0], file, &files[2], "--output", "text.db"]);
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("3 files: 17 of 24 games\nno file has shard 3\n"), "{text}");
    assert!(text.contains("1-of-4.db: 5 of 6 games\n"), "{text}");
    assert!(text.contains("not all games were played; --resume continues\n"), "{text}");
    assert!(text.ends_with("kept in text.db\n"), "{text}");
    folder.done(&["--resume", "--db", "merged.db"]);
    assert!(folder.exports("merged.db") == folder.exports("whole.db"));
}

/// A task that is killed and started again by the same command loses and doubles nothing.
#[test]
fn killed_shard_is_resumed_by_the_same_command() {
    let folder = Folder::new("killed shard");
    let words = [&PLAYERS[..], &["--games=800"]].concat();
    play(&folder, &words, "", "whole.db");
    let words = [&words[..], &CALM, &["--seed=7", "--resume"]].concat();
    let run = |number: u64| {
        let (shard, db) = (format!("--shard={number}/2"), format!("--db={number}.db"));
        folder.referee(&[&words[..], &[&shard, &db]].concat())
    };
    let mut task = run(1).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let games = || {
        let connection = Connection::open(folder.join("1.db")).ok()?;
        connection.query_row("SELECT count(*) FROM game", [], |row| row.get::<_, u32>(0)).ok()
    };
    while games().unwrap_or(0) < 50 {
        std::thread::sleep(Duration::from_millis(2));
    }
    task.kill().unwrap();
    task.wait().unwrap();
    assert!(games().unwrap() < 400, "it was killed before its end");
    for number in [1, 2] {
        let output = run(number).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let merged = merge(&folder, &["1.db".into(), "2.db".into()], "merged.db");
    assert_eq!((&merged["games"], &merged["repeated"]), (&800.into(), &0.into()));
    assert!(folder.exports("merged.db") == folder.exports("whole.db"));
    // A shard keeps its part when it is resumed by its file alone.
    folder.done(&["--resume", "--db", "1.db"]);
    let mut words = vec!["--resume", "--db", "1.db", "--shard", "2/2"];
    assert_fails(&folder.run(&words), 4, "it is shard 1/2, not shard 2/2", "another shard");
    words[2] = "whole.db";
    assert_fails(&folder.run(&words), 4, "it is the whole match, not shard 2/2", "no shard");
}

#[test]
fn matches_that_cannot_be_divided_are_refused() {
    let folder = Folder::new("undivided");
    let words = [&PLAYERS[..], &["--shard=1/2"]].concat();
    assert_fails(&folder.run(&words), 2, "--shard: expected --seed beside it", "no seed");
    let with = |more: &[&'static str]| [&words[..], &["--seed=1"], more].concat();
    assert_fails(&folder.run(&with(&["--sprt=elo0=0,elo1=5"])), 2, "got --sprt", "a test");
    assert_fails(&folder.run(&with(&["--shard=3/2"])), 2, "expected", "a wrong part");
    fs::write(
        folder.join("cup.toml"),
        "[tournament]\ngame = 'awele'\n[[player]]\nname = 'a'\ncommand = 'awele random'\n\
         [[player]]\nname = 'b'\ncommand = 'awele random'\n",
    )
    .unwrap();
    for format in ["swiss", "knockout", "double-knockout", "ladder"] {
        let words = ["tournament", "cup.toml", "--seed=1", "--shard=1/2", "--format", format];
        assert_fails(&folder.run(&words), 2, &format!("got a {format}"), format);
    }
    let words = ["tournament", "cup.toml", "--shard=1/2"];
    assert_fails(&folder.run(&words), 2, "--shard: expected --seed beside it", "no seed");
}

#[test]
fn files_of_other_matches_are_refused() {
    let folder = Folder::new("others merged");
    let [strong, weak] = PLAYERS;
    folder.play(&PLAYERS, "4", "a.db");
    let other = |db: &str, words: &[&str]| {
        let calm: Vec<&str> = CALM
            .into_iter()
            .filter(|word| !words[0].starts_with("--") || !word.starts_with("--move"))
            .collect();
        folder.done(&[&calm[..], &["--db", db, "--concurrency=2"], words].concat());
    };
    other("seed.db", &[strong, weak, "--seed=8", "--games=4"]);
    other("games.db", &[strong, weak, "--seed=7", "--games=6"]);
    other("player.db", &[strong, "awele greedy", "--seed=7", "--games=4"]);
    let renamed = format!("{weak}=awele greedy").replace("awele random=", "x=");
    other("name.db", &[strong, &renamed, "--seed=7", "--games=4"]);
    other("limits.db", &["--move-time=50s", strong, weak, "--seed=7", "--games=4"]);
    fs::write(folder.join("text.db"), "no database").unwrap();
    for (file, part) in [
        ("seed.db", "seed.db: it is another match than a.db, where its seed is 7, not 8"),
        ("games.db", "games.db: expected 4 games per pairing, as in a.db, got 6"),
        ("name.db", "name.db: expected the players"),
        ("player.db", "player.db: expected the players"),
        ("limits.db", "limits.db: expected limits"),
        ("text.db", "text.db: expected a database of Arbitre"),
        ("none.db", "none.db: there is no such file"),
    ] {
        let output = folder.run(&["merge", "a.db", file, "--output", "merged.db"]);
        let code = if file == "none.db" { 6 } else { 4 };
        assert_fails(&output, code, part, file);
        assert!(!folder.names().iter().any(|name| name.contains("merg")), "{:?}", folder.names());
    }
    folder.done(&["merge", "a.db", "--output", "merged.db"]);
    let output = folder.run(&["merge", "a.db", "--output", "merged.db"]);
    assert_fails(&output, 4, "merged.db: it exists already", "an output");
    let output = folder.run(&["merge", "a.db", "--output", "none/merged.db"]);
    assert_fails(&output, 4, "none/merged.db", "no folder");
}

#[test]
fn game_with_two_results_needs_a_preference() {
    let folder = Folder::new("two results");
    // The script plays the first or the last legal move, as a file says.
    folder.script(
        "bot",
        "#!/bin/sh\nwhile read word rest; do case $word in begin) echo ready bot;; \
         legal) for mv in $rest; do [ \"$(cat first 2>/dev/null)\" = yes ] && break; done;; \
         go) echo $mv;; esac; done\n",
    );
    let play = |db: &str, first: &str, limit: &str| {
        fs::write(folder.join("first"), first).unwrap();
        let words = ["one=./bot", "two=./bot", "--game=awele", "--games=2", "--seed=3", "--db", db];
        let limits = ["--profile=mine", "--allow-write", ".", limit, "--init-time=60s"];
        folder.done(&[&words[..], &limits].concat());
    };
    for (kind, limit) in [("timed", "--move-time=60s"), ("deep", "--depth=3")] {
        let [a, b] = ["a", "b"].map(|name| format!("{kind}-{name}.db"));
        play(&a, "yes", limit);
        play(&b, "no", limit);
        let output = folder.run(&["merge", &a, &b, "--output", "merged.db"]);
        let part =
            if kind == "timed" { "add --prefer first" } else { "though nodes or depth limit both" };
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{text}");
        assert!(text.contains(part) && text.contains("round 0 of one - two ended"), "{text}");
        let export = |db: &str| folder.exports(db);
        for (prefer, order, expected) in
            [("first", [&b, &a], &b), ("first", [&a, &b], &a), ("newest", [&a, &b], &b)]
        {
            let words = ["merge", order[0], order[1], "--prefer", prefer, "--output", "merged.db"];
            let output = folder.run(&words);
            if kind == "deep" {
                assert_fails(&output, 4, "though nodes or depth limit both", prefer);
                continue;
            }
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert!(export("merged.db") == export(expected), "{prefer}");
            fs::remove_file(folder.join("merged.db")).unwrap();
        }
    }
}

/// Until a merge is complete, no file has the name of its output.
#[test]
fn killed_merge_leaves_no_file_that_looks_complete() {
    let folder = Folder::new("killed merge");
    folder.play(&PLAYERS, "1000", "a.db");
    let whole = folder.exports("a.db");
    let mut killed = 0;
    for micros in (0..15).map(|step| step * 4000) {
        let mut merge = folder.referee(&["merge", "a.db", "--output", "merged.db"]);
        let mut child = merge.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(micros));
        child.kill().unwrap();
        child.wait().unwrap();
        if folder.join("merged.db").exists() {
            assert!(folder.exports("merged.db") == whole, "it is complete");
            fs::remove_file(folder.join("merged.db")).unwrap();
        } else {
            killed += 1;
        }
    }
    assert!(killed > 0, "the first is killed at once");
    folder.done(&["merge", "a.db", "--output", "merged.db"]);
    assert!(folder.exports("merged.db") == whole);
}

/// A results file that says where it was played, with another processor than this one.
#[test]
fn unequal_machines_are_named() {
    let folder = Folder::new("machines");
    let words = [&PLAYERS[..], &["--games=24"]].concat();
    let files = shards(&folder, &words, 2);
    let equal = merge(&folder, &files, "equal.db");
    assert!(equal["results"]["machines"].is_null(), "one machine");
    let connection = Connection::open(folder.join(&files[1])).unwrap();
    let document: String =
        connection.query_row("SELECT document FROM session", [], |row| row.get(0)).unwrap();
    let mut session = json(&document);
    session["machine"]["processor"] = "Another 9000".into();
    session["machine"]["host"] = "node2".into();
    let document = session.to_string();
    let sum = crc32fast_of(&document);
    connection.execute("UPDATE session SET document = ?, checksum = ?", (document, sum)).unwrap();
    drop(connection);
    let unequal = merge(&folder, &files, "unequal.db");
    let machines = unequal["results"]["machines"].as_array().unwrap();
    let games: u64 = machines.iter().map(|machine| machine["games"].as_u64().unwrap()).sum();
    assert_eq!((machines.len(), games), (2, 24));
    let text = folder.done(&["merge", &files[0], &files[1], "--output", "text.db"]);
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("note: the games were played on unequal machines:\n"), "{text}");
    assert!(text.contains("  12 games on Another 9000 (node2), sandbox none"), "{text}");
    // A later reader of the file sees it, too.
    let again = folder.done(&["--resume", "--db", "unequal.db"]);
    assert!(String::from_utf8(again).unwrap().contains("Another 9000"));
}

pub fn crc32fast_of(text: &str) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(text.as_bytes());
    sum.sum()
}

/// Games of an earlier version stay, and the order of the files changes nothing although a version
/// has another identity in each.
#[test]
fn earlier_versions_are_kept() {
    let folder = Folder::new("versions");
    let bot = |comment: &str| {
        let text = "while read word first rest; do case $word in begin) echo ready bot;; \
             legal) mv=$first;; go) echo $mv;; esac; done";
        folder.script("bot", &format!("#!/bin/sh\n# {comment}\n{text}\n"));
    };
    let play = |db: &str| {
        let words = ["one=./bot", "two=awele random", "--game=awele", "--games=6", "--seed=3"];
        folder.done(&[&words[..], &CALM, &["--resume", "--db", db]].concat());
    };
    bot("first version");
    play("a.db");
    bot("second version");
    play("a.db");
    play("b.db");
    let merged = merge(&folder, &["a.db".into(), "b.db".into()], "merged.db");
    let counts = ["games", "missing", "repeated"].map(|key| merged[key].as_u64().unwrap());
    assert_eq!(counts, [12, 0, 6]);
    assert!(folder.exports("merged.db") == folder.exports("b.db"));
    merge(&folder, &["b.db".into(), "a.db".into()], "reversed.db");
    let all = |db: &str| folder.done(&["export", "--all-versions", "--db", db]);
    assert_eq!(all("merged.db").iter().filter(|&&byte| byte == b'\n').count(), 12);
    assert!(all("merged.db") == all("reversed.db"));
    folder.done(&["verify", "--db", "merged.db"]);
}
