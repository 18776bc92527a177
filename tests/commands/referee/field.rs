//! Matches of more than two seats, as users see them: places, ratings, documents, and a match file
//! that is resumed, verified and replayed.

use arbitre_test_support::command;
use arbitre_test_support::matches as support;

use arbitre::internals::statistics::plackett_luce::ratings;
use arbitre::internals::statistics::tally::Tally;
use command::{folder, json, run, script, stderr, stdout, SHELL_BOT};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{bundled_bot, Match};

/// Arguments of short games: on such a grid fair starts are found quickly.
const QUICK: [&str; 4] = ["--rules", "size=12x9,tolerance=5%", "--move-time", "30s"];
const FOUR: [&str; 4] =
    ["hugs=tron wall-hugger", "hugs2=tron wall-hugger", "strays=tron random", "roams=tron random"];

/// Returns the path of a match file that does not exist yet.
fn fresh_db(name: &str) -> PathBuf {
    let db = folder("field").join(format!("{name}.db"));
    arbitre_test_support::command::remove_results(&db);
    db
}

fn with_db(db: &Path, words: &[&str]) -> Output {
    run(&[words, &["--db", &db.to_string_lossy()]].concat())
}

fn ask(db: &Path, words: &[&str]) -> String {
    let output = with_db(db, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

/// Plays `games` games between four players, with the additional arguments `words`.
fn play(db: &Path, games: &str, words: &[&str]) -> String {
    ask(db, &[&FOUR[..], &QUICK, &["--games", games, "--seed", "1"], words].concat())
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Returns the games of a match file as documents.
fn games(db: &Path) -> Vec<Value> {
    ask(db, &["export"]).lines().map(json).collect()
}

#[test]
fn the_table_counts_places() {
    let db = fresh_db("table");
    let text = play(&db, "41", &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1 group of 4 x 44 games, seed 1");
    assert_eq!(lines[1], "(41 rounded up to 44, so that each player has each seat equally often)");
    let heads: Vec<&str> = lines[2].split_whitespace().collect();
    let expected = "# player points % 1st 2nd 3rd 4th 1st % rating faults ms/move";
    assert_eq!(heads.join(" "), expected);
    let mut taken = [0; 4];
    for name in ["hugs", "hugs2", "strays", "roams"] {
        let is_about = |line: &&&str| line.split_whitespace().nth(1) == Some(name);
        let line = lines[3..7].iter().find(is_about).unwrap_or_else(|| panic!("{name}: {text}"));
        let cells: Vec<&str> = line.split_whitespace().skip(1).collect();
        let places: Vec<u32> = cells[3..7].iter().map(|cell| cell.parse().unwrap()).collect();
        assert_eq!((cells[0], places.iter().sum::<u32>()), (name, 44), "{line}");
        let outlasted = 3 * places[0] + 2 * places[1] + places[2];
        assert_eq!(cells[1].parse::<f64>().unwrap(), (f64::from(outlasted) / 0.03).round() / 100.0);
        let first = (100.0 * f64::from(places[0]) / 44.0).round().to_string();
        assert!(cells[7] == first && cells[8].starts_with('('), "{line}");
        assert_eq!(cells[10], "±", "{line}");
        taken.iter_mut().zip(places).for_each(|(all, of)| *all += of);
    }
    assert_eq!(taken, [44; 4], "each place is taken in each game: {text}");
}

#[test]
fn documents_carry_ranks_places_and_ratings() {
    let db = fresh_db("documents");
    let text = play(&db, "40", &["--json", "--events"]);
    let lines: Vec<Value> = text.lines().map(json).collect();
    let (events, summary) = (&lines[..40], &lines[40]);
    let mut places = [[0.0; 4]; 4];
    for event in events {
        let ranks = numbers(&event["ranks"]);
        let scores = numbers(&event["scores"]);
        assert!(ranks.iter().zip(&scores).all(|(rank, score)| rank + score == 4.0), "{event}");
        for (seat, rank) in ranks.iter().enumerate() {
            let names = FOUR.map(|player| player.split('=').next().unwrap());
            let player = names.iter().position(|name| event["players"][seat] == *name).unwrap();
            places[player][*rank as usize - 1] += 1.0;
        }
    }
    assert_eq!((&summary["seats"], &summary["games"]), (&4.into(), &40.into()));
    let players = summary["players"].as_array().unwrap();
    let mut sum = 0.0;
    for (player, places) in players.iter().zip(places) {
        assert_eq!(numbers(&player["places"]), places);
        assert_eq!(player["games"], 40);
        let [share, low, high] =
            ["share", "low", "high"].map(|key| player["first"][key].as_f64().unwrap());
        assert_eq!(share, places[0] / 40.0, "{player}");
        // Wilson's interval is widest for equal shares: 20 of 40 have 0.3520 to 0.6480.
        assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{player}");
        assert!(high - low > 0.05 && high - low < 0.297, "{player}");
        sum += player["rating"].as_f64().unwrap();
        assert!(player["rating_error"].as_f64().unwrap() > 10.0, "{player}");
        for key in ["wins", "draws", "losses", "score", "elo", "elo_bound", "normalized_elo"] {
            assert!(player[key].is_null(), "{key}: {player}");
        }
    }
    assert!(sum.abs() < 0.05, "ratings are relative to the mean: {summary}");
    assert!(summary["pairs"].is_null() && summary["los"].is_null(), "{summary}");
    let listed = run(&["list", "--json", "--db", &db.to_string_lossy()]);
    let listed = json(stdout(&listed).lines().next().unwrap());
    assert_eq!(listed["players"][0]["places"], players[0]["places"]);
    assert_eq!(listed["players"][0]["points"], players[0]["points"]);
}

#[test]
fn lists_and_exports_contain_the_ranks() {
    let db = fresh_db("exports");
    play(&db, "4", &[]);
    let exported = ask(&db, &["export"]);
    let game = json(exported.lines().nth(1).unwrap());
    let ranks: Vec<String> = numbers(&game["ranks"]).iter().map(f64::to_string).collect();
    let csv = ask(&db, &["export", "--format", "csv"]);
    // The limits are the only cells with a comma.
    let csv = csv.replace(", margin", " margin");
    let mut cells = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (heads, row) = (cells.next().unwrap(), cells.nth(1).unwrap());
    let at = heads.iter().position(|head| *head == "rank0").unwrap();
    assert_eq!(heads[at..at + 4], ["rank0", "rank1", "rank2", "rank3"]);
    assert_eq!(row[at..at + 4], ranks);
    let pgn = ask(&db, &["export", "--format", "pgn"]);
    for part in ["[Seat3 ", "[Result \"*\"]", &format!("[Ranks \"{}\"]", ranks.join(" "))] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    let plies = game["moves"].as_array().unwrap().len();
    assert!(pgn.contains(&format!(" {plies}. ")), "each move has a number: {pgn}");
    let list = ask(&db, &["list", "--games"]);
    let line = list.lines().nth(2).unwrap();
    assert!(line.contains(&format!("  {}  ", ranks.join(" - "))), "{list}");
    let shown = ask(&db, &["show", "1", "--brief"]);
    let first = ranks.iter().position(|rank| rank == "1").unwrap();
    let winner = game["players"][first].as_str().unwrap();
    let result = shown.lines().find(|line| line.starts_with("result ")).unwrap();
    assert!(result.contains(&format!(": 1st {winner}, 2nd ")), "{result}");
    let out = shown.lines().filter(|line| line.contains(" is out after "));
    assert_eq!(out.count(), 3, "{shown}");
}

/// Two of four players that are not ready for their second game share its last place.
#[test]
fn shared_ranks_are_reported_as_shared() {
    let folder = folder("field");
    let once = |name: &str| {
        let mark = folder.join(format!("{name} was here"));
        let _ = fs::remove_file(&mark);
        let mark = mark.display();
        let refuse = format!("if [ -e '{mark}' ]; then read a; echo no; cat >/dev/null; exit; fi");
        let text = SHELL_BOT.replace("#!/bin/sh\n", &format!("#!/bin/sh\n{refuse}\n: >'{mark}'\n"));
        format!("{name}='{}'", script(&folder, name, &text).display())
    };
    let db = fresh_db("shared");
    let words = [FOUR[0], &once("a"), FOUR[2], &once("b"), "--games", "4", "--concurrency", "1"];
    let open = ["--allow-write", folder.to_str().unwrap()];
    ask(&db, &[&words[..], &QUICK, &open].concat());
    for game in &games(&db)[1..] {
        for (seat, rank) in numbers(&game["ranks"]).into_iter().enumerate() {
            let is_wrong = ["a", "b"].iter().any(|name| game["players"][seat] == *name);
            assert_eq!(rank == 3.0, is_wrong, "{game}");
            assert!(rank != 4.0, "two share the third place, so there is no fourth: {game}");
        }
    }
    let shown = ask(&db, &["show", "1", "--brief"]);
    assert!(shown.contains(", 3rd a and b, after "), "{shown}");
}

#[test]
fn more_players_than_seats_play_in_all_groups() {
    let five = [&FOUR[..], &["fifth=tron random"]].concat();
    let words = ["--seats", "3", "--games", "3", "--seed", "1"];
    let output = run(&[&five[..], &words, &QUICK, &["--db", ":memory:"]].concat());
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text.starts_with("10 groups of 3 x 3 games, seed 1\n"), "{text}");
    assert!(text.contains("1st  2nd  3rd") && !text.contains("4th"), "{text}");
    assert!(text.contains("\n30 games, "), "{text}");
    let documents = ["--db", ":memory:", "--json", "--events"];
    let output = stdout(&run(&[&five[..], &words, &QUICK, &documents].concat()));
    let documents: Vec<Value> = output.lines().map(json).collect();
    let (summary, events) = documents.split_last().unwrap();
    for player in summary["players"].as_array().unwrap() {
        // The player is in six of the ten groups, and once at each seat in each of them.
        assert_eq!(numbers(&player["places"]).iter().sum::<f64>(), 18.0, "{player}");
        for seat in 0..3 {
            let here = events.iter().filter(|event| event["players"][seat] == player["name"]);
            assert_eq!(here.count(), 6, "{player} at seat {seat}");
        }
    }
}

/// Tables for two, but three players: results as one column, and ratings.
#[test]
fn round_robin_of_pairs_has_ratings_too() {
    let words = ["a=awele greedy", "b=awele random", "c=awele random", "--games", "20"];
    let output = run(&[&words[..], &["--seed", "1", "--db", ":memory:"]].concat());
    let text = stdout(&output);
    let heads = text.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(heads[4..7], ["W-D-L", "rating", "faults"], "{text}");
    let two = stdout(&run(&["awele random", "awele random", "--games", "2", "--db", ":memory:"]));
    assert!(two.contains("wins  draws  losses") && two.contains("rating"), "{two}");
}

/// A match resumed after a break equals an uninterrupted one. Each of its games follows from its
/// moves and can be replayed, with other players too.
#[test]
fn match_of_four_can_be_resumed_and_replayed() {
    let (whole, parts) = (fresh_db("whole"), fresh_db("parts"));
    play(&whole, "16", &[]);
    play(&parts, "4", &["--concurrency", "1"]);
    let text = play(&parts, "10", &["--resume", "--concurrency", "2"]);
    assert!(
        text.contains("(10 rounded up to 12, ") && text.contains("(4 of these are in"),
        "{text}"
    );
    let resumed = with_db(&parts, &["--resume", "--games", "16", "--json"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    let again = with_db(&whole, &["--resume", "--json"]);
    let (resumed, again) = (json(&stdout(&resumed)), json(&stdout(&again)));
    assert_eq!((&resumed["resumed"], &again["resumed"]), (&12.into(), &16.into()));
    for (one, other) in [0, 1, 2, 3].map(|i| (&resumed["players"][i], &again["players"][i])) {
        for key in ["points", "places", "rating", "rating_error"] {
            assert_eq!(one[key], other[key], "{key}");
        }
    }
    assert_eq!(ask(&parts, &["export"]), ask(&whole, &["export"]));
    assert!(ask(&parts, &["verify"]).contains("16 games, all as they were played"));
    assert!(ask(&parts, &["rerun", "5", "--brief"]).contains("the same game as before"));
    let other = ask(&parts, &["rerun", "5", "--json", "--replace", "3=tron random"]);
    let (other, before) = (json(&other), &games(&parts)[5]);
    assert_eq!(numbers(&other["ranks"]).len(), 4);
    assert_eq!(other["players"][3], "tron random");
    assert_eq!(other["players"][0], before["players"][0]);
}

#[test]
fn conditions_for_two_players_are_rejected_early() {
    let base = [&FOUR[..], &QUICK, &["--games", "4", "--db", ":memory:"]].concat();
    let three = ["awele random", "awele random", "awele greedy", "--games", "2"];
    for (players, condition, part) in [
        (&base[..], "wins>0", "--require wins>0: expected games of two, got tables of 4"),
        (&base, "roams.elo>0", "require score, points, faults, games, rating or started"),
        (&base, "los>0.5", "expected a match of two players, got 4"),
        (&three, "llr>0", "expected a match of two players, got 3"),
    ] {
        let output = run(&[players, &["--require", condition]].concat());
        let error = stderr(&output);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{error}");
        assert!(error.starts_with("error: ") && error.contains(part), "{error}");
    }
    let tested = run(&[&base[..], &["--sprt", "elo1=5"]].concat());
    assert!(
        stderr(&tested).contains("--sprt: expected 2 players at tables of 2, got 4"),
        "{}",
        stderr(&tested)
    );
    let met = run(&[&base[..], &["--require", "games=4", "--require", "roams.faults=0"]].concat());
    assert_eq!(met.status.code(), Some(0), "{}", stderr(&met));
    let unmet = run(&[&base[..], &["--require", "score>1"]].concat());
    assert_eq!(unmet.status.code(), Some(1), "{}", stderr(&unmet));
}

/// Counts and ratings are the same to the last bit in any order of the games.
#[test]
fn the_order_of_games_does_not_matter() {
    let bots = ["wall-hugger", "random", "random", "wall-hugger"];
    let sources = bots.map(|bot| bundled_bot("tron", &[bot]));
    let (tally, mut records) =
        Match { rules: "size=12x9 tolerance=5%", games: 40, ..Match::of_tron(sources) }.play();
    records.reverse();
    records.rotate_left(7);
    let mut again = Tally::new(4);
    records.iter().for_each(|record| again.add_record(record));
    assert_eq!(again.rankings, tally.rankings);
    let found = ratings(&again.rankings, 4);
    assert_eq!(found, ratings(&tally.rankings, 4));
    for (one, other) in again.players.iter().zip(&tally.players) {
        assert_eq!((one.points(), &one.places), (other.points(), &other.places));
    }
    let points: f64 = tally.players.iter().map(|player| player.points()).sum();
    assert!((points - 2.0 * 40.0).abs() < 1e-9, "each pair of seats shares a third of a point");
    assert!(tally.rankings.iter().count() <= 24, "orders of four, not games");
    assert_eq!(tally.players[0].games.count(), 0, "games of four have no wins or losses");
}
