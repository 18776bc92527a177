//! `referee report --projector`: what the page says in each format and state.

use crate::tournament::broken::{cup, FORMATS};
use crate::tournament::harness::{names, Folder};
use arbitre_test_support::command::{signal, stderr};
use arbitre_test_support::pages::document;
use serde_json::Value;
use std::fs::read_to_string;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// Broken player of each tournament.
const BROKEN: [(&str, &str); 1] = [("ends", "#!/bin/sh\nexit 3\n")];

/// Writes the page of `t.db`, and returns its document.
#[track_caller]
fn page(folder: &Folder, more: &[&str]) -> Value {
    let words = ["report", "--projector", "--db", "t.db", "--output", "p.html"];
    folder.done(&[&words[..], more].concat());
    document(&read_to_string(folder.path("p.html")).unwrap())
}

fn list<'a>(page: &'a Value, key: &str) -> &'a [Value] {
    page[key].as_array().unwrap_or_else(|| panic!("{key}: {page}"))
}

/// Returns whether a result is one of its measure.
fn is_of(measure: &str, value: &str) -> bool {
    match measure {
        "mark of 20" => value.contains(" ± "),
        "solved, total" => value.contains(" of ") && value.contains(", "),
        "points" => value.parse().is_ok_and(|points: f64| points >= 0.0),
        "Elo" => value.starts_with(['+', '-']),
        "% of the points" => {
            let share = value.strip_suffix(" %").and_then(|share| share.parse().ok());
            share.is_some_and(|share: f64| (0.0..=100.0).contains(&share))
        }
        _ => false,
    }
}

/// Checks the players of a page, with or without a game.
fn check_players(page: &Value, what: &str) {
    let measure = page["measure"].as_str().unwrap();
    let mut last = 0;
    let mut waits = false;
    for player in list(page, "players") {
        match player["rank"].as_u64() {
            Some(rank) => {
                assert!(!waits && rank >= last.max(1), "{what}: {page}");
                assert!(is_of(measure, player["value"].as_str().unwrap()), "{what}: {player}");
                last = rank;
            }
            None => {
                waits = true;
                assert!(player["why"].is_string() && player.get("value").is_none(), "{what}");
            }
        }
    }
}

/// Checks the pages of one tournament, at its end, without its last game, and without any.
fn check_states(name: &str, format: &str, options: &str, seats: usize, measure: &str) {
    let what = format!("{format} at {seats} seats");
    let folder = Folder::new(name);
    cup(&folder, &format!("format = \"{format}\"\n{options}"), seats, 6, &BROKEN);
    let standings = folder.standings(&["--db", "t.db"]);
    let games = standings["games"].as_u64().unwrap();

    let over = page(&folder, &[]);
    assert_eq!((&over["state"], &over["measure"]), (&"over".into(), &measure.into()), "{what}");
    check_players(&over, &what);
    let players: Vec<&Value> = list(&over, "players").iter().map(|of| &of["name"]).collect();
    assert_eq!(players, names(&standings)[..players.len()], "{what}");
    for (shown, standing) in list(&over, "players").iter().zip(list(&standings, "standings")) {
        assert_eq!(shown["rank"].as_u64(), standing["rank"].as_u64(), "{what}: {shown}");
        assert_eq!(shown["gained"].as_i64().unwrap_or(0), 0, "{what}: {shown}");
    }
    let broken = list(&over, "players").iter().find(|of| of["name"] == "ends").unwrap();
    assert_eq!(broken["why"], "not-started", "{what}");
    let progress = over["progress"].to_string();
    assert!(progress.contains(&format!("\"{games} games\"")), "{what}: {progress}");
    assert_eq!(over["bracket"].is_object(), format.contains("knockout"), "{what}");
    assert_eq!(over["game"]["number"], games - 1, "{what}");
    assert!(!list(&over["game"], "steps").is_empty(), "{what}");

    let hidden = page(&folder, &["--anonymous"]);
    let text = hidden.to_string();
    assert!(!text.contains("healthy") && !text.contains("ends"), "{what}: {text}");
    for (shown, named) in list(&hidden, "players").iter().zip(list(&over, "players")) {
        assert!(shown["name"].as_str().unwrap().starts_with("player "), "{what}");
        assert_eq!((&shown["rank"], &shown["value"]), (&named["rank"], &named["value"]), "{what}");
    }

    folder.done(&["drop", &format!("{}", games - 1), "--db", "t.db"]);
    let stopped = page(&folder, &[]);
    assert_eq!(stopped["state"], "stopped", "{what}");
    check_players(&stopped, &what);
    let progress = stopped["progress"].to_string();
    let count = format!("\"{} ", games - 1);
    assert!(progress.contains(&count), "{what}: {progress}");

    let bots = options.matches("[[grade]]").count();
    // Where later stages depend on games, these stay.
    let dropped = folder.run(&["drop", &format!("0-{}", games - 2), "--db", "t.db"]);
    let stays = ["swiss", "knockout", "double-knockout", "ladder"].contains(&format);
    assert_eq!(dropped.status.success(), !stays, "{what}: {}", stderr(&dropped));
    for more in [&[][..], &["--anonymous"]] {
        if stays {
            break;
        }
        let none = page(&folder, more);
        assert!(none["progress"].to_string().contains("no game yet"), "{what}: {none}");
        assert!(list(&none, "players").iter().all(|of| of["rank"].is_null()), "{what}: {none}");
        assert_eq!((list(&none, "players").len(), &none["game"]), (7 + bots, &Value::Null));
    }
}

#[test]
fn projector_shows_each_format_in_each_state() {
    for (number, (format, [alone, pairs, tables])) in FORMATS.into_iter().enumerate() {
        for (seats, options) in [(1, alone), (2, pairs), (4, tables)] {
            let Some(options) = options else { continue };
            let measure = match (format, seats) {
                ("graded", _) => "mark of 20",
                (_, 1) => "solved, total",
                ("ladder", _) => "Elo",
                ("gauntlet" | "balanced", _) => "% of the points",
                _ => "points",
            };
            let name = format!("projector {number} {seats}");
            check_states(&name, format, options, seats, measure);
        }
    }
}

/// Matches have no format, and a test may end before its last game.
#[test]
fn projector_shows_matches() {
    let folder = Folder::new("projector matches");
    for (words, measure, progress) in [
        (&["awele random", "awele greedy", "--games", "4"][..], "% of the points", "4 games"),
        (
            &["awele random", "awele greedy", "--sprt", "elo0=0,elo1=40", "--games", "4"],
            "% of the points",
            "LLR ",
        ),
        (&["tron random"; 4], "% of the points", "games"),
        (&["taquin quick", "taquin random", "--games", "2"], "solved, total", "4 games"),
    ] {
        let _ = std::fs::remove_file(folder.path("t.db"));
        folder.run(&[words, &["--db", "t.db"]].concat());
        let page = page(&folder, &[]);
        check_players(&page, "match");
        assert_eq!(page["measure"], measure, "{words:?}");
        assert!(page["progress"].to_string().contains(progress), "{words:?}: {page}");
        assert!(page["title"].as_str().unwrap().contains(&words[0][..4]), "{page}");
    }
}

/// A shard counts its own games, and the merged file those of all.
#[test]
fn projector_shows_shards_and_their_merge() {
    let folder = Folder::new("projector shards");
    cup(&folder, "format = \"round-robin\"\ngames = 4", 2, 4, &[]);
    for shard in ["1", "2"] {
        let (part, db) = (format!("{shard}/2"), format!("{shard}.db"));
        folder.done(&["tournament", "cup.toml", "--shard", &part, "--db", &db]);
    }
    std::fs::copy(folder.path("1.db"), folder.path("t.db")).unwrap();
    assert!(page(&folder, &[])["progress"].to_string().contains("\"12 games\""));
    std::fs::remove_file(folder.path("t.db")).unwrap();
    folder.done(&["merge", "1.db", "2.db", "--output", "t.db"]);
    let merged = page(&folder, &[]);
    assert_eq!(merged["state"], "over");
    assert!(merged["progress"].to_string().contains("\"24 games\""), "{merged}");
}

/// The page is written while a game of slow players is played. In the second row the first two
/// players have met, and the games so far would be enough without the third.
#[test]
fn players_without_a_game_wait_while_others_play() {
    for (format, quick, slow, progress) in [
        ("knockout", &[][..], 30, "no game yet"),
        ("round-robin", &["ada", "bea"], 1, "2 of 6 games"),
    ] {
        check_followed(format, quick, slow, progress);
    }
}

fn check_followed(format: &str, quick: &[&str], slow: usize, progress: &str) {
    let folder = Folder::new(&format!("projector follow {format}"));
    // It answers in its trial.
    folder.program(
        "slow",
        "#!/bin/sh\nn=0\nwhile read w r; do case $w in begin) echo ready slow;; legal) m=${r%% *};; \
         go) n=$((n+1)); [ $n -lt 2 ] || sleep 300; echo $m;; esac; done\n",
    );
    let names: Vec<String> = (0..slow).map(|number| format!("slow {number}")).collect();
    let quick_ones = quick.iter().map(|name| (*name, "awele random"));
    let players = quick_ones.chain(names.iter().map(|name| (&name[..], "./slow")));
    let players: Vec<(&str, &str)> = players.collect();
    folder.cup(&format!("format = \"{format}\"\ngames = 2"), &players);
    let words = ["tournament", "cup.toml", "--db", "t.db"];
    let mut referee = folder.referee(&words);
    let mut playing =
        referee.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let words = ["report", "--projector", "--db", "t.db", "--output", "p.html", "--follow"];
    // The file appears with the first stage.
    let is_there = || folder.run(&words[..6]).status.success();
    while !is_there() {
        assert!(playing.try_wait().unwrap().is_none(), "the tournament has ended");
        sleep(Duration::from_millis(50));
    }
    let mut following = folder.referee(&words).stdout(Stdio::piped()).spawn().unwrap();
    let read = || document(&read_to_string(folder.path("p.html")).unwrap());
    while read()["state"] != "live" || !read()["progress"].to_string().contains(progress) {
        assert!(following.try_wait().unwrap().is_none(), "nothing is followed");
        sleep(Duration::from_millis(50));
    }
    let live = read();
    let waits = |of: &&Value| of["why"] == "no game yet" && of["rank"].is_null();
    assert_eq!(list(&live, "players").iter().filter(waits).count(), slow, "{live}");
    assert_eq!(list(&live, "players").len(), quick.len() + slow, "{live}");
    signal(following.id(), "INT");
    assert_eq!(following.wait().unwrap().code(), Some(130));
    assert_eq!(read()["state"], "stopped", "the last page is not loaded again");
    playing.kill().unwrap();
    playing.wait().unwrap();
}

#[test]
fn projector_refuses_pictures() {
    let folder = Folder::new("projector refused");
    let output = folder.run(&["report", "--projector", "--svg", "times"]);
    assert_eq!(output.status.code(), Some(2));
}
