//! Commands and stored files of every kind, where two features meet.

use crate::store::format2::lay;
use crate::store::harness::{assert_fails, stderr, Folder, GameTable, CALM};
use rusqlite::Connection;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

const SOURCE: &str = "[tournament]\ngame = \"awele\"\nseed = 7\nmove-time = \"60s\"\n\
    first-move-time = \"60s\"\ninit-time = \"60s\"\n";
const PLAYERS: [(&str, &str); 4] = [
    ("ada", "awele alpha-beta --depth 3"),
    ("bea", "awele alpha-beta --depth 1"),
    ("cleo", "awele greedy"),
    ("dan", "awele random"),
];

/// Writes the file of a tournament.
fn write_source(folder: &Folder, name: &str, settings: &str, players: &[(&str, &str)]) {
    let players: String = players
        .iter()
        .map(|(name, command)| format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n"))
        .collect();
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{SOURCE}{settings}\n{players}")).unwrap();
}

fn told(folder: &Folder, words: &[&str]) -> String {
    String::from_utf8(folder.done(words)).unwrap()
}

/// Stages name their players, so that none of them can be removed, in files of both formats.
#[test]
fn players_and_early_games_of_stored_stages_stay() {
    for format in ["swiss", "knockout", "double-knockout", "ladder"] {
        let folder = Folder::new(&format!("stages {format}"));
        lay(&folder, format);
        fs::rename(folder.join(&format!("{format}.db")), folder.join("old.db")).unwrap();
        folder.done(&["tournament", &format!("{format}.toml"), "--db", "new.db"]);
        let source = folder.join(&format!("{format}.toml"));
        let (toml, all) = (format!("{format}.toml"), fs::read_to_string(&source).unwrap());
        for db in ["old.db", "new.db"] {
            let before = folder.exports(db);
            let refused = folder.run(&["drop", "ada", "--db", db]);
            let cure = "take the player out of the file or folder of the tournament";
            assert_fails(&refused, 2, cure, format);
            // The ladder of so few games has a single stage.
            if format != "ladder" {
                let refused = folder.run(&["drop", "0", "--db", db]);
                assert_fails(&refused, 2, "expected games of its last stage, got game 0", format);
            }
            assert!(folder.exports(db) == before, "{db} of a {format} was changed");
            // The cure: the player is withdrawn, and the ranks of the others stay.
            let ranks = |output: &[u8]| {
                let document: serde_json::Value = serde_json::from_slice(output).unwrap();
                let standings = document["standings"].as_array().unwrap().clone();
                let rank = |of: &serde_json::Value| (of["name"].to_string(), of["rank"].clone());
                standings.iter().map(rank).collect::<Vec<_>>()
            };
            let whole = ranks(&folder.done(&["tournament", &toml, "--db", db, "--json"]));
            let player = "[[player]]\nname = \"dan\"\ncommand = \"awele random\"\n";
            assert!(all.contains(player));
            fs::write(&source, all.replace(player, "")).unwrap();
            let without = ranks(&folder.done(&["tournament", &toml, "--db", db, "--json"]));
            fs::write(&source, &all).unwrap();
            let others = |ranks: &[(String, serde_json::Value)]| {
                ranks.iter().filter(|(name, _)| name != "\"dan\"").cloned().collect::<Vec<_>>()
            };
            assert_eq!(others(&without), others(&whole), "{db} of a {format}");
            folder.done(&["verify", "--db", db]);
        }
    }
}

/// Games of the last stage can be removed, and are played again.
#[test]
fn games_of_the_last_stage_are_played_again() {
    let folder = Folder::new("last stage");
    write_source(&folder, "cup.toml", "format = \"swiss\"\ngames = 2\nrounds = 3", &PLAYERS);
    folder.done(&["tournament", "cup.toml", "--db", "cup.db"]);
    let before = folder.exports("cup.db");
    let last = told(&folder, &["list", "--games", "--db", "cup.db"]);
    assert!(last.contains("11"), "{last}");
    let removed = told(&folder, &["drop", "11", "--db", "cup.db"]);
    assert!(removed.starts_with("cup.db: tournament cup of awele, 4 players, 12 games\n"));
    folder.done(&["tournament", "cup.toml", "--db", "cup.db"]);
    assert!(folder.exports("cup.db") == before);
}

/// The newest file is that whose last session began last, of whatever kind.
#[test]
fn newest_is_the_last_that_began() {
    let folder = Folder::new("newest");
    write_source(&folder, "cup.toml", "games = 2", &PLAYERS);
    folder.done(&["tournament", "cup.toml"]);
    let wait = || {
        // Sessions begin in whole seconds.
        let now = || std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
        let begun = now();
        while now() == begun {
            sleep(Duration::from_millis(10));
        }
    };
    wait();
    folder.done(&[&["awele greedy", "awele random", "--games", "4"], &CALM[..3]].concat());
    let removed = told(&folder, &["drop", "0"]);
    assert!(
        removed.contains("match of awele, awele greedy and awele random, 4 games"),
        "{removed}"
    );
    let names = || fs::read_dir(folder.join(".arbitre")).unwrap().flatten();
    let name = names().map(|file| file.file_name().to_string_lossy().into_owned());
    let name = name.into_iter().find(|name| name.ends_with("-random.db")).unwrap();
    assert!(name.split('-').nth(3).unwrap().ends_with('Z'), "{name} is in UTC");
    wait();
    folder.done(&["tournament", "cup.toml", "--games", "4"]);
    assert!(told(&folder, &["drop", "0"]).contains("tournament cup of awele"));
    // A file that cannot be read is named, and skipped.
    fs::write(folder.join(".arbitre/zero.db"), "not a database").unwrap();
    let shown = folder.run(&["show", "last"]);
    assert!(shown.status.success());
    assert!(stderr(&shown).starts_with("warning: .arbitre/zero.db: "), "{}", stderr(&shown));
}

/// Each source has a file of its own, also where names are equal or share their beginning.
#[test]
fn each_source_has_its_own_file() {
    let folder = Folder::new("sources");
    let long = "a-name-of-more-than-24-characters";
    let sources = [
        "y1/cup.toml".into(),
        "y2/cup.toml".into(),
        format!("{long}-1.toml"),
        format!("{long}-2.toml"),
    ];
    for (number, source) in sources.iter().enumerate() {
        write_source(&folder, source, &format!("games = 2\nname = \"{number}\""), &PLAYERS);
        let first = told(&folder, &["tournament", source]);
        assert!(first.contains("12 games"), "{first}");
    }
    // Files are made where the source is; a folder of sources has one each.
    let count = |place: &str| {
        fs::read_dir(folder.join(place))
            .unwrap()
            .flatten()
            .filter(|file| file.file_name().to_string_lossy().ends_with(".db"))
            .count()
    };
    assert_eq!([count("y1/.arbitre"), count("y2/.arbitre"), count(".arbitre")], [1, 1, 2]);
    for source in &sources {
        let again = told(&folder, &["tournament", source]);
        assert!(again.contains("0 games now"), "{again}");
    }
    // By `--db` another source is refused in words.
    let other =
        folder.run(&["tournament", "y2/cup.toml", "--db", "y1/.arbitre/tournament-cup.toml.db"]);
    assert_fails(&other, 4, "its title is 0, not 1", "another title");
    assert!(stderr(&other).contains("help: write --source '"), "{}", stderr(&other));
}

/// A folder that has moved is refused with both ways out, and each of them works.
#[test]
fn source_that_has_moved_is_named() {
    let folder = Folder::new("moved");
    for player in ["ada", "bob"] {
        let bot = format!("#!/bin/sh\n# {player}\nexit 1\n");
        fs::create_dir_all(folder.join(&format!("y1/bots/{player}"))).unwrap();
        folder.script(&format!("y1/bots/{player}/bot"), &bot);
    }
    let words = |source: &str, more: &[&str]| {
        let first = ["tournament", source, "--game", "awele", "--games", "2", "--seed", "1"];
        [&first[..], more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |source: &str, more: &[&str]| {
        let words = words(source, more);
        folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run("y1/bots", &[]);
    fs::rename(folder.join("y1"), folder.join("y2")).unwrap();
    let refused = run("y2/bots", &[]);
    assert_fails(&refused, 6, "which is gone", "moved");
    let text = stderr(&refused);
    assert!(text.contains("--source '") && text.contains("--db NEW"), "{text}");
    let old = folder.join("").canonicalize().unwrap().join("y1/bots");
    let moved = ["--source", old.to_str().unwrap()];
    // Said twice, it changes nothing.
    for more in [&moved[..], &[], &moved] {
        assert_fails(&run("y2/bots", more), 3, "2 players that can play, got 0", "moved");
    }
    let files = || {
        let names = fs::read_dir(folder.join(".arbitre")).unwrap().flatten();
        let names = names.map(|file| file.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".db")).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(files(), ["tournament-bots.db"]);
    // Under another last name a new tournament begins, and the old one is named.
    fs::rename(folder.join("y2"), folder.join("y3")).unwrap();
    fs::rename(folder.join("y3/bots"), folder.join("y3/robots")).unwrap();
    let gone = folder.join("").canonicalize().unwrap().join("y2/bots");
    let gone = gone.to_str().unwrap();
    let note = format!("is gone; if it has moved here, write --source '{gone}'");
    let new = run("y3/robots", &["--dry-run"]);
    assert!(stderr(&new).contains(&note), "{}", stderr(&new));
    // A wrong source is refused, and the right one is named.
    let wrong = run("y3/robots", &["--source", "nowhere"]);
    let help = format!("write --source '{gone}'");
    assert_fails(&wrong, 2, "--source: expected the former source", "another source");
    assert!(stderr(&wrong).contains(&help), "{}", stderr(&wrong));
    let moved = run("y3/robots", &["--source", gone]);
    assert_fails(&moved, 3, "2 players that can play, got 0", "moved");
    // From now on it is found without.
    let again = run("y3/robots", &[]);
    assert!(!stderr(&again).contains("note: /"), "{}", stderr(&again));
    assert_eq!(files(), ["tournament-bots.db"]);
    // A source with results of its own does not get those of another one.
    let other = folder.join("y3/others");
    fs::create_dir_all(&other).unwrap();
    fs::rename(folder.join("y3/robots/ada"), other.join("ada")).unwrap();
    fs::rename(folder.join("y3/robots/bob"), other.join("bob")).unwrap();
    run("y3/others", &[]);
    let robots = folder.join("y3/robots").canonicalize().unwrap();
    let both = run("y3/others", &["--source", robots.to_str().unwrap()]);
    assert_fails(&both, 2, "--source: expected a tournament that has no results yet", "both");
}

/// Stages that have begun keep the number of games of a meeting.
#[test]
fn games_of_a_meeting_stay_once_stages_have_begun() {
    let folder = Folder::new("games of a meeting");
    write_source(&folder, "cup.toml", "format = \"swiss\"\ngames = 2\nrounds = 3", &PLAYERS);
    let words = ["tournament", "cup.toml", "--db", "cup.db"];
    folder.run(&[&words[..], &["--max-time", "1ms"]].concat());
    let begun = folder.exports("cup.db");
    // An unfinished tournament is listed as such.
    let listed = told(&folder, &["list", "--db", "cup.db"]);
    assert!(listed.contains("4 of 12"), "{listed}");
    let refused = folder.run(&[&words[..], &["--games", "4"]].concat());
    assert_fails(&refused, 4, "a meeting has 2 games, not 4, and its stages have begun", "games");
    assert!(folder.exports("cup.db") == begun);
    let whole = told(&folder, &words);
    assert!(whole.contains("12 games"), "{whole}");
    assert!(told(&folder, &["list", "--db", "cup.db"]).contains("12 of 12"));
    // A player that is taken out keeps its games.
    write_source(&folder, "cup.toml", "format = \"swiss\"\ngames = 2\nrounds = 3", &PLAYERS[..3]);
    let without = told(&folder, &words);
    let line = "dan was withdrawn and plays no more games\n  it is no longer among the players\n";
    assert!(without.contains(line), "{without}");
}

/// A tournament is not resumed as a match, with or without options; the named command continues it.
#[test]
fn tournament_is_continued_by_its_command_alone() {
    let folder = Folder::new("resume");
    write_source(&folder, "cup.toml", "format = \"swiss\"\ngames = 2\nrounds = 2", &PLAYERS);
    folder.done(&["tournament", "cup.toml", "--db", "cup.db"]);
    let before = fs::read(folder.join("cup.db")).unwrap();
    for words in
        [&["--resume"][..], &["--resume", "--games", "8"], &["awele", "awele greedy", "--resume"]]
    {
        let refused = folder.run(&[words, &["--db", "cup.db"]].concat());
        assert_fails(&refused, 2, "expected a match, got the tournament cup", "resume");
        let text = stderr(&refused);
        let named = text.split("help: write referee ").nth(1).unwrap().trim();
        let named = shell_words::split(named).unwrap();
        folder.done(&named.iter().map(String::as_str).collect::<Vec<_>>());
    }
    assert_eq!(before.len(), fs::read(folder.join("cup.db")).unwrap().len());
    // And the other way round.
    folder.play(&["awele greedy", "awele random"], "2", "match.db");
    let refused = folder.run(&["tournament", "cup.toml", "--db", "match.db"]);
    assert_fails(&refused, 2, "write referee --resume --db ", "a match");
}

#[test]
fn tournament_in_memory_stores_nothing() {
    let folder = Folder::new("in memory");
    write_source(&folder, "cup.toml", "games = 2", &PLAYERS);
    let printed = told(&folder, &["tournament", "cup.toml", "--db", ":memory:"]);
    assert!(printed.contains("12 games") && !printed.contains("kept in"), "{printed}");
    assert_eq!(folder.names(), ["cup.toml"]);
}

/// Kills a match after some games. Its log stays beside it.
pub fn killed(folder: &Folder, db: &str) {
    let words = ["awele alpha-beta --depth 2", "awele random", "--games", "100000", "--seed", "7"];
    let mut command = folder.referee(&[&words[..], &CALM[..3], &["--events", "--db", db]].concat());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut referee = GameTable(child);
    let begun = Instant::now();
    let log = folder.join(&format!("{db}-wal"));
    // More than the mark.
    while !log.metadata().is_ok_and(|log| log.len() > 200_000) {
        assert!(begun.elapsed() < Duration::from_secs(120), "no games are stored");
        sleep(Duration::from_millis(5));
    }
    referee.kill();
    let _ = fs::remove_file(folder.join(&format!("{db}.lock")));
}

/// A file that was not closed and lost its log is named as such by every command.
#[test]
fn log_that_stays_behind_is_missed() {
    let folder = Folder::new("log");
    killed(&folder, "m.db");
    fs::copy(folder.join("m.db"), folder.join("whole.db")).unwrap();
    fs::copy(folder.join("m.db-wal"), folder.join("whole.db-wal")).unwrap();
    fs::rename(folder.join("m.db"), folder.join("results.db")).unwrap();
    let line = "it was not closed, and its file -wal is missing";
    let verified = folder.run(&["verify", "--db", "results.db"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&verified.stdout).contains(line));
    assert_fails(&folder.run(&["--resume", "--db", "results.db"]), 4, line, "resume");
    for words in [&["list"][..], &["list", "--games"], &["export"]] {
        let output = folder.run(&[words, &["--db", "results.db"]].concat());
        assert!(stderr(&output).contains(line), "{words:?}: {}", stderr(&output));
    }
    // A new match under the old name does not take the log for its own.
    let words = ["awele greedy", "awele random", "--games", "2", "--db", "m.db"];
    assert_fails(&folder.run(&words), 4, "m.db-wal holds games of a file that was here", "orphan");
    assert!(folder.join("m.db-wal").exists());
    // Put back, nothing is lost; a copy needs no log.
    fs::rename(folder.join("m.db-wal"), folder.join("results.db-wal")).unwrap();
    folder.done(&["verify", "--db", "results.db"]);
    folder.done(&["merge", "results.db", "--output", "copy.db"]);
    assert!(folder.exports("copy.db") == folder.exports("whole.db"));
    assert!(!folder.join("copy.db-wal").exists());
}

/// Another program that opens and closes the file of a killed referee moves all games into it.
#[test]
fn file_that_another_program_closed_is_whole() {
    let folder = Folder::new("closed elsewhere");
    killed(&folder, "m.db");
    let before = folder.exports("m.db");
    let connection = Connection::open(folder.join("m.db")).unwrap();
    // Game 0 may not have ended before another one.
    let sql = "SELECT min(number) FROM game";
    let first: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    connection.close().unwrap();
    assert!(!folder.join("m.db-wal").exists());
    folder.done(&["verify", "--db", "m.db"]);
    assert!(folder.exports("m.db") == before);
    assert_eq!(stderr(&folder.run(&["list", "--db", "m.db"])), "");
    let words = ["drop", &first.to_string(), "--db", "m.db"];
    assert!(told(&folder, &words).contains("1 game"));
}

/// A backup that is copied beside the log of another state of the file is not called damaged.
#[test]
fn foreign_log_is_named() {
    let folder = Folder::new("foreign commands");
    folder.play(&["awele greedy", "awele random"], "6", "backup.db");
    killed(&folder, "m.db");
    fs::copy(folder.join("backup.db"), folder.join("m.db")).unwrap();
    for words in [&["verify"][..], &["list"], &["show", "0"], &["--resume"]] {
        let output = folder.run(&[words, &["--db", "m.db"]].concat());
        assert_fails(&output, 4, "m.db-wal belongs to another file", &format!("{words:?}"));
    }
    fs::remove_file(folder.join("m.db-wal")).unwrap();
    let _ = fs::remove_file(folder.join("m.db-shm"));
    folder.done(&["verify", "--db", "m.db"]);
}

/// The log of an earlier state of the file would take back the games that came after it.
#[test]
fn older_log_is_named() {
    let folder = Folder::new("older");
    killed(&folder, "m.db");
    let log = fs::read(folder.join("m.db-wal")).unwrap();
    // Another program moves all games into the file, which then has more of them.
    let connection = Connection::open(folder.join("m.db")).unwrap();
    let sql = "SELECT token FROM ledger";
    let token: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_ne!(token, 0);
    connection.execute("UPDATE ledger SET next = next + 5", []).unwrap();
    connection.close().unwrap();
    fs::write(folder.join("m.db-wal"), log).unwrap();
    for words in [&["verify"][..], &["list"], &["show", "0"], &["--resume"]] {
        let output = folder.run(&[words, &["--db", "m.db"]].concat());
        assert_fails(&output, 4, "m.db-wal is older than the file", &format!("{words:?}"));
    }
}

/// A single file of any kind is copied to the current format, with all of its games.
#[test]
fn merge_of_one_file_copies_it_to_format_3() {
    for name in crate::store::format2::names() {
        let folder = Folder::new(&format!("copy {name}"));
        lay(&folder, name);
        let db = format!("{name}.db");
        folder.done(&["merge", &db, "--output", "copy.db"]);
        assert!(folder.exports("copy.db") == folder.exports(&db), "{name}");
        let connection = Connection::open(folder.join("copy.db")).unwrap();
        let format: i64 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!(format, 3, "{name}");
        let numbers = |db: &str| {
            let connection = Connection::open(folder.join(db)).unwrap();
            let sql = "SELECT group_concat(number || ':' || round, ' ') FROM
                       (SELECT number, round FROM game ORDER BY number)";
            connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap()
        };
        assert_eq!(numbers("copy.db"), numbers(&db), "{name}");
        let toml = format!("{name}.toml");
        if name != "external" {
            folder.done(&["verify", "--db", "copy.db"]);
        }
        if folder.join(&toml).exists() {
            let printed = told(&folder, &["tournament", &toml, "--db", "copy.db"]);
            let is_whole = name == "unfinished" || printed.contains("0 games now");
            assert!(is_whole, "{name}: {printed}");
        }
    }
}

/// A copy keeps what a later version wrote, and the attempts that are no game.
#[test]
fn merge_of_one_file_keeps_unknown_keys_and_attempts() {
    let folder = Folder::new("kept keys");
    // It removes itself in its second game, so that the third cannot start.
    let failing = "#!/bin/sh\nn=$(cat starts 2>/dev/null || echo 0)\necho $((n+1)) > starts\n\
        [ $n = 2 ] && rm failing\nwhile read word first rest; do case $word in begin) echo ready bot;; \
        legal) mv=$first;; go) echo $mv;; esac; done\n";
    folder.script("failing", failing);
    let words = ["a=./failing", "b=awele random", "--games", "6", "--seed", "7", "--game", "awele"];
    folder.run(&[&words[..], &CALM, &["--db", "m.db", "--concurrency", "1"]].concat());
    let text = |db: &str, sql: &str| {
        let connection = Connection::open(folder.join(db)).unwrap();
        connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap()
    };
    let attempts = "SELECT count(*) || ':' || group_concat(session || reason) FROM void";
    assert!(!text("m.db", attempts).starts_with('0'), "{}", text("m.db", attempts));
    let document = text("m.db", "SELECT document FROM match");
    let document = document.replacen('{', "{\"later\":[1],", 1);
    let connection = Connection::open(folder.join("m.db")).unwrap();
    let checksum = crate::store::merge::crc32fast_of(&document);
    let sql = "UPDATE match SET document = ?, checksum = ?";
    connection.execute(sql, rusqlite::params![document, checksum]).unwrap();
    connection.close().unwrap();
    folder.done(&["merge", "m.db", "--output", "copy.db"]);
    assert!(text("copy.db", "SELECT document FROM match").contains("\"later\":[1]"));
    assert_eq!(text("copy.db", attempts), text("m.db", attempts));
    folder.done(&["verify", "--db", "copy.db"]);
    // They leave with their version.
    fs::copy(folder.join("copy.db"), folder.join("old.db")).unwrap();
    folder.script("failing", "#!/bin/sh\nexec \"$0\"-is-gone\n");
    folder.done(&["drop", "0-5", "--db", "old.db"]);
    folder.run(&[&["--resume", "a=awele greedy", "--db", "old.db"], &CALM[..3]].concat());
    let left = "SELECT count(*) || '' FROM void";
    assert_eq!(text("old.db", left), "0");
    folder.done(&["verify", "--db", "old.db"]);
    folder.done(&["merge", "old.db", "--output", "again.db"]);
}
