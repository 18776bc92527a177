//! Sequential tests of programs that repeat their games.

use arbitre_test_support::command;

use command::{cleared, folder, json, referee, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Number of pairs after the last new one at which a short list has run out.
const PASS: u64 = 16;

/// Returns an empty folder with a list of openings.
fn with_openings(name: &str, openings: &[&str]) -> PathBuf {
    let folder = cleared(folder("repeats").join(name));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("openings.txt"), openings.join("\n")).unwrap();
    folder
}

const OPENINGS: [&str; 4] = ["opening 0", "opening 1", "opening 2", "opening 3"];
const CALM: [&str; 3] = ["--move-time=60s", "--first-move-time=60s", "--seed=1"];

fn done(folder: &PathBuf, words: &[&str]) -> String {
    let output = referee(words).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

/// Plays a test on the list of openings into `m.db`, and returns its document.
fn test(folder: &PathBuf, players: [&str; 2], more: &[&str]) -> Value {
    let words = ["--openings", "openings.txt", "--db", "m.db", "--json"];
    json(&done(folder, &[&players[..], &words, &CALM, more].concat()))
}

const DEEP: &str = "deep=awele alpha-beta --depth 3";
const SHALLOW: &str = "shallow=awele alpha-beta --depth 2";
const RANDOM: [&str; 2] = ["a=awele random", "b=awele random"];
/// Bounds that four pairs cannot reach.
const FAR: &str = "elo0=0,elo1=10,alpha=0.001,beta=0.001";

/// Kinds of players with the pairs that count, if the openings run out: those of each of four
/// openings. Programs with chance have no end here, so all of their pairs count.
const KINDS: [(&str, [&str; 2], Option<u64>); 4] = [
    ("without-chance", [DEEP, SHALLOW], Some(4)),
    ("equal", ["one=awele alpha-beta --depth 2", "other=awele alpha-beta --depth 2"], Some(4)),
    ("one-with-chance", [DEEP, RANDOM[0]], None),
    ("with-chance", RANDOM, None),
];

#[test]
fn each_kind_of_players_ends_as_it_should() {
    for (kind, players, counted) in KINDS {
        let mut exports = Vec::new();
        for concurrency in ["1", "3"] {
            let folder = with_openings(&format!("{kind}-{concurrency}"), &OPENINGS);
            let more = ["--sprt", FAR, "--games", "60", "--concurrency", concurrency];
            let told = test(&folder, players, &more);
            let sprt = &told["sprt"];
            assert_eq!(sprt["repeats"], "once");
            assert_eq!((&told["complete"], &sprt["accepted"]), (&true.into(), &Value::Null));
            assert_eq!(sprt["openings_ran_out"], counted.is_some(), "{kind}: {told}");
            let (games, left_out) = match counted {
                Some(pairs) => (2 * (pairs + PASS), PASS),
                None => (60, 0),
            };
            assert_eq!(
                (&told["games"], &sprt["repeated_pairs"]),
                (&games.into(), &left_out.into())
            );
            // Nothing is left to play, and every command sees the same end.
            let again = json(&done(&folder, &["--resume", "--json", "--db", "m.db"]));
            assert_eq!((&again["games"], &again["sprt"]), (&told["games"], sprt));
            // The list shows the state of the test, too.
            let listed = done(&folder, &["list", "--db", "m.db"]);
            assert!(listed.contains("LLR "), "{kind}: {listed}");
            let text = done(&folder, &["--resume", "--db", "m.db"]);
            let end = "undecided: the openings ran out; 16 pairs that repeat earlier ones do not";
            assert_eq!(text.contains(end), counted.is_some(), "{kind}: {text}");
            done(&folder, &["verify", "--db", "m.db"]);
            exports.push(done(&folder, &["export", "--db", "m.db"]));
        }
        assert!(exports[0] == exports[1], "{kind}: the end depends on the concurrency");
    }
}

/// A test in batches ends after the one in which it is decided, at any concurrency and after an
/// interruption within a batch.
#[test]
fn test_in_batches_ends_after_a_whole_one() {
    let (near, batch) = ("elo0=0,elo1=60", 12);
    let strong = ["strong=awele alpha-beta --depth 3", "weak=awele random"];
    let (of_batches, words) = (format!("{near},batch={batch}"), ["--openings", "3"]);
    let mut exports = Vec::new();
    for (name, concurrency) in [("batch-1", "1"), ("batch-3", "3")] {
        let folder = with_openings(name, &[]);
        let play = |db: &str, sprt: &str, more: &[&str]| {
            let words = [&strong[..], &words, &CALM, &["--sprt", sprt, "--db", db, "--json"], more];
            json(&done(&folder, &words.concat()))
        };
        let free = play("free.db", near, &[]);
        let told = play("m.db", &of_batches, &["--concurrency", concurrency]);
        let games = free["games"].as_u64().unwrap();
        assert!(games % (2 * batch) != 0, "the case distinguishes: {games}");
        assert_eq!(told["games"], games.next_multiple_of(2 * batch), "{told}");
        assert_eq!(
            (&told["sprt"]["batch"], &told["sprt"]["accepted"]),
            (&batch.into(), &"H1".into())
        );
        done(&folder, &["verify", "--db", "m.db"]);
        exports.push(done(&folder, &["export", "--db", "m.db"]));
        // Within the last batch the test has not ended, whatever its ratio.
        done(
            &folder,
            &["drop", &(told["games"].as_u64().unwrap() - 1).to_string(), "--db", "m.db"],
        );
        let again = play("m.db", near, &["--resume"]);
        assert_eq!((&again["games"], &again["sprt"]), (&told["games"], &told["sprt"]));
        let listed = done(&folder, &["list", "--db", "m.db"]);
        assert!(listed.contains("H1 is accepted") || listed.contains("LLR "), "{listed}");
    }
    assert!(exports[0] == exports[1], "the end depends on the concurrency");
    let folder = with_openings("batch-rounded", &[]);
    let words = [&RANDOM[..], &CALM, &["--games", "30", "--db", ":memory:"]].concat();
    let text = done(&folder, &[&words[..], &["--sprt", "elo0=-5,elo1=5,batch=10"]].concat());
    assert!(text.contains("(30 rounded up to 40, to whole batches of 10 rounds)"), "{text}");
}

#[test]
fn tests_of_a_gauntlet_end_after_whole_batches() {
    let folder = with_openings("batch-gauntlet", &[]);
    let player = |command: &str| {
        format!("[[player]]\nname = \"{command}\"\ncommand = \"awele {command}\"\n")
    };
    let players: String = ["alpha-beta --depth 3", "random", "greedy"].map(player).concat();
    let sprt = "sprt = { elo0 = 0, elo1 = 60, batch = 12 }\ngames = 60\nseed = 1\n";
    let source = format!("[tournament]\ngame = \"awele\"\nformat = \"gauntlet\"\n{sprt}{players}");
    fs::write(folder.join("g.toml"), source).unwrap();
    let told = done(&folder, &[&["tournament", "g.toml", "--db", "g.db"], &CALM[..2]].concat());
    assert!(told.contains("batch=12") && told.contains("H1 is accepted"), "{told}");
    let games = done(&folder, &["export", "--db", "g.db"]);
    for opponent in ["random", "greedy"] {
        let count = games.lines().filter(|line| line.contains(&format!("\"{opponent}\""))).count();
        assert!(count > 0 && count.is_multiple_of(24) && count <= 72, "{opponent}: {count}");
    }
}

/// The same games decide a test that counts all pairs, which says less than it seems.
#[test]
fn test_that_counts_all_pairs_is_decided_by_repeats() {
    let folder = with_openings("all", &OPENINGS);
    // Bounds that some passes reach.
    let near = "elo0=0,elo1=60,alpha=0.001,beta=0.001";
    let told = test(&folder, [DEEP, SHALLOW], &["--sprt", &format!("{near},repeats=all")]);
    assert!(told["sprt"]["accepted"].is_string(), "{told}");
    assert_eq!(
        (&told["sprt"]["repeated_pairs"], &told["sprt"]["repeats"]),
        (&0.into(), &"all".into())
    );
    assert!(told["games"].as_u64().unwrap() > 2 * (4 + PASS), "{told}");
    // The words of before continue it, as a version did that knew no other way.
    let again = test(&folder, [DEEP, SHALLOW], &["--resume", "--sprt", near]);
    assert_eq!(again["sprt"], told["sprt"]);
    let text = done(&folder, &["--resume", "--db", "m.db"]);
    assert!(text.contains(",repeats=all: LLR "), "{text}");
    let words = [DEEP, SHALLOW, "--resume", "--db", "m.db", "--openings", "openings.txt"];
    let once = format!("{near},repeats=once");
    let mut refused = referee(&[&words[..], &CALM, &["--sprt", &once]].concat());
    let refused = refused.current_dir(&folder).output().unwrap();
    assert_eq!(refused.status.code(), Some(4));
    assert!(stderr(&refused).contains(",repeats=all, not elo0="), "{}", stderr(&refused));
    let connection = rusqlite::Connection::open(folder.join("m.db")).unwrap();
    connection.execute("DELETE FROM game WHERE number = 3", ()).unwrap();
    drop(connection);
    let listed = referee(&["list", "--db", "m.db"]).current_dir(&folder).output().unwrap();
    assert_eq!(listed.status.code(), Some(4), "{}", stdout(&listed));
    assert!(stderr(&listed).contains("games are missing"), "{}", stderr(&listed));
}

/// A gauntlet ends the test of each opponent on its own.
#[test]
fn gauntlet_ends_where_the_openings_of_an_opponent_run_out() {
    let folder = with_openings("gauntlet", &OPENINGS);
    fs::write(
        folder.join("cup.toml"),
        format!(
            "[tournament]\ngame = \"awele\"\nformat = \"gauntlet\"\nsprt = \"{FAR}\"\ngames = 60\n\
             openings = \"openings.txt\"\nseed = 1\nmove-time = \"60s\"\n\
             first-move-time = \"60s\"\n\
             [[player]]\nname = \"deep\"\ncommand = \"awele alpha-beta --depth 3\"\n\
             [[player]]\nname = \"shallow\"\ncommand = \"awele alpha-beta --depth 2\"\n\
             [[player]]\nname = \"chance\"\ncommand = \"awele random\"\n"
        ),
    )
    .unwrap();
    let told = json(&done(&folder, &["tournament", "cup.toml", "--db", "m.db", "--json"]));
    let of = |name: &str| {
        let players = told["standings"].as_array().unwrap();
        let player = players.iter().find(|player| player["name"] == name).unwrap();
        (player["games"].as_u64().unwrap(), player["sprt"]["openings_ran_out"].clone())
    };
    // A batch has 8 rounds.
    assert_eq!(of("shallow"), (2 * (4 + PASS).next_multiple_of(8), true.into()), "{told}");
    assert_eq!(of("chance"), (60, false.into()), "{told}");
    assert_eq!(told["complete"], true);
    let text = done(&folder, &["tournament", "cup.toml", "--db", "m.db"]);
    assert!(text.contains("shallow: LLR ") && text.contains("the openings ran out"), "{text}");
    done(&folder, &["verify", "--db", "m.db"]);
}
