//! Marks by fixed bots. The oracle computes them from the exported games.

use crate::tournament::harness::{names, player, Folder, CALM, REFEREE};
use arbitre_test_support::command::stderr;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Games with their seats, fixed bots with their points, and players.
struct Setting {
    seats: usize,
    game: &'static str,
    bots: &'static [(&'static str, f64)],
    players: [(&'static str, &'static str); 3],
    games: usize,
}

const TRON: [(&str, &str); 3] =
    [("ada", "tron breadth --depth 1"), ("bob", "tron random"), ("zoé", "tron wall-hugger")];
const SETTINGS: [Setting; 4] = [
    Setting {
        seats: 1,
        game: "game = \"taquin\"\nrules = \"eight\"",
        bots: &[("taquin best", 3.0), ("taquin quick", 1.5)],
        players: [("ada", "taquin best"), ("bob", "taquin random"), ("zoé", "taquin quick")],
        games: 4,
    },
    Setting {
        seats: 2,
        game: "game = \"tron\"\nrules = \"size=12x9\"",
        bots: &[("tron random", 5.0), ("tron wall-hugger", 15.0)],
        players: TRON,
        games: 8,
    },
    Setting {
        seats: 3,
        game: "game = \"tron\"\nrules = \"size=12x9\"",
        bots: &[("tron random", 1.0), ("tron wall-hugger", 2.0), ("c=tron breadth --depth 1", 3.0)],
        players: TRON,
        games: 6,
    },
    Setting {
        seats: 4,
        game: "game = \"tron\"\nrules = \"size=12x9\"",
        bots: &[
            ("a=tron random", 1.0),
            ("b=tron random", 0.25),
            ("tron wall-hugger", 2.0),
            ("c=tron breadth --depth 1", 3.0),
        ],
        players: TRON,
        games: 8,
    },
];

/// Writes `cup.toml` with these players.
fn cup(folder: &Folder, of: &Setting, players: &[(&str, &str)]) {
    let (seats, game, games) = (of.seats, of.game, of.games);
    let mut text = format!(
        "[tournament]\n{game}\nformat = \"graded\"\nseats = {seats}\ngames = {games}\nseed = 7\n\
         allow-read = [\"{REFEREE}\"]\n{CALM}"
    );
    for (bot, points) in of.bots {
        text += &format!("[[grade]]\nbot = \"{bot}\"\npoints = {points}\n");
    }
    for (name, command) in players {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
    }
    folder.file("cup.toml", &text);
}

fn of_bot(bot: &str) -> &str {
    bot.split('=').next().unwrap()
}

/// Returns the exported games.
fn exported(folder: &Folder, db: &str) -> Vec<Value> {
    let text = folder.done(&["export", "--db", db]);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the scores of a player by fixed bot and round, each a mean over its rotations.
fn scores(of: &Setting, games: &[Value], name: &str) -> Vec<BTreeMap<u64, f64>> {
    let seat_of = |game: &Value, name: &str| {
        game["players"].as_array().unwrap().iter().position(|player| player == name)
    };
    let mut all = vec![BTreeMap::new(); of.bots.len()];
    for game in games.iter().filter(|game| seat_of(game, name).is_some()) {
        let (round, seat) = (game["round"].as_u64().unwrap(), seat_of(game, name).unwrap());
        for ((bot, _), scores) in of.bots.iter().zip(&mut all) {
            let bot = of_bot(bot);
            let score = if of.seats == 1 {
                let alone =
                    |other: &&Value| other["round"] == game["round"] && other["players"][0] == bot;
                let theirs = games.iter().find(alone).unwrap()["scores"][0].as_f64().unwrap();
                let mine = game["scores"][0].as_f64().unwrap();
                // The random player never reaches the end.
                if name == "bob" {
                    0.0
                } else {
                    (theirs / mine).min(1.0)
                }
            } else {
                let Some(other) = seat_of(game, bot) else { continue };
                let rank = |seat: usize| game["ranks"][seat].as_u64().unwrap();
                let (mine, theirs) = (rank(seat), rank(other));
                f64::from(u8::from(mine < theirs)) + 0.5 * f64::from(u8::from(mine == theirs))
            };
            *scores.entry(round).or_default() += score / of.seats as f64;
        }
    }
    all
}

/// Returns the mark and its error that follow from scores by fixed bot and round.
fn mark(of: &Setting, scores: &[BTreeMap<u64, f64>]) -> (f64, f64) {
    let points: f64 = of.bots.iter().map(|(_, points)| points).sum();
    let (mut mark, mut errors) = (0.0, Vec::new());
    for ((_, weight), scores) in of.bots.iter().zip(scores) {
        let n = scores.len() as f64;
        let mean = scores.values().sum::<f64>() / n;
        let variance = scores.values().map(|score| (score - mean).powi(2)).sum::<f64>() / n;
        let z = 1.959_964f64;
        let error = if variance < 1e-12 {
            let wilson = z * (mean * (1.0 - mean) / n + z * z / (4.0 * n * n)).sqrt();
            let middle = (mean + z * z / (2.0 * n)) / (1.0 + z * z / n);
            match mean {
                0.0 | 1.0 => 1.0 - 0.025f64.powf(1.0 / n),
                _ => wilson / (1.0 + z * z / n) + (middle - mean).abs(),
            }
        } else {
            (z * (variance / n).sqrt()).min(mean.max(1.0 - mean))
        };
        mark += weight * mean;
        errors.push(weight * error);
    }
    let error = match of.seats {
        2 => errors.iter().map(|error| error * error).sum::<f64>().sqrt(),
        _ => errors.iter().sum(),
    };
    (20.0 * mark / points, 20.0 * error / points)
}

#[track_caller]
fn is_mark(player: &Value, (mark, error): (f64, f64), what: &str) {
    let [found, of] = ["mark", "mark_error"].map(|key| player[key].as_f64().unwrap_or(f64::NAN));
    assert!((found - mark).abs() < 0.002, "{what}: expected {mark}, got {player}");
    assert!((of - error).abs() < 0.002, "{what}: expected ± {error}, got {player}");
}

/// Every number of seats, with a broken player, interrupted, and merged from shards.
#[test]
fn marks_follow_from_the_exported_games() {
    for (number, of) in SETTINGS.iter().enumerate() {
        let what = format!("setting {number}");
        let folder = Folder::new(&format!("graded {number}"));
        folder.program("ends", "#!/bin/sh\nexit 3\n");
        cup(&folder, of, &[&of.players[..1], &[("ends", "./ends")], &of.players[1..]].concat());
        let standings = folder.standings(&["--db", "whole.db"]);
        let games = exported(&folder, "whole.db");
        for (name, _) in of.players {
            let scores = scores(of, &games, name);
            let player = player(&standings, name);
            is_mark(player, mark(of, &scores), &what);
            let own = games.iter().filter(|game| {
                game["players"].as_array().unwrap().iter().any(|player| player == name)
            });
            assert_eq!(player["games"], own.count(), "{what}");
            let rounds: Vec<usize> = scores.iter().map(BTreeMap::len).collect();
            let fewest = of.games.div_ceil(of.seats);
            assert!(rounds.iter().all(|&rounds| rounds >= fewest), "{what}: {rounds:?}");
            assert!(of.seats > 2 || rounds.iter().all(|&rounds| rounds == fewest), "{what}");
        }
        for game in &games {
            let at = game["players"].as_array().unwrap().iter();
            let graded = at.filter(|of_game| of.players.iter().any(|(name, _)| of_game == name));
            let graded = graded.count();
            assert!(graded == 1 || of.seats == 1, "{what}: {game}");
        }
        let marks: Vec<f64> = standings["standings"]
            .as_array()
            .unwrap()
            .iter()
            .map_while(|of| of["mark"].as_f64())
            .collect();
        assert!(marks.len() == 3 && marks.is_sorted_by(|one, other| one >= other), "{what}");
        let below = &names(&standings)[3..];
        let bots = of.bots.iter().map(|(bot, _)| of_bot(bot));
        assert!(below.iter().copied().eq(bots.chain(["ends"])), "{what}: {below:?}");
        for name in below {
            let player = player(&standings, name);
            let status = if *name == "ends" { "not-started" } else { "fixed-bot" };
            let empty = [&player["rank"], &player["mark"], &player["mark_error"]];
            assert_eq!((player["status"].as_str(), empty), (Some(status), [&Value::Null; 3]));
        }
        folder.interrupted(&["--db", "again.db", "--concurrency", "2"], 2);
        assert_eq!(folder.standings(&["--db", "again.db"])["standings"], standings["standings"]);
        assert!(exported(&folder, "again.db") == games, "{what}");
        for number in 1..=3 {
            let (shard, db) = (format!("{number}/3"), format!("{number}.db"));
            folder.done(&["tournament", "cup.toml", "--shard", &shard, "--db", &db]);
        }
        let merged = folder.done(&["merge", "1.db", "2.db", "3.db", "--output", "m.db", "--json"]);
        let merged: Value = serde_json::from_str(&merged).unwrap();
        assert!(exported(&folder, "m.db") == games, "{what}");
        for (name, _) in of.players {
            let (merged, whole) = (player(&merged["results"], name), player(&standings, name));
            for key in ["rank", "mark", "mark_error", "games"] {
                assert_eq!(merged[key], whole[key], "{what}: {key} of {name}");
            }
        }
    }
}

/// The games, seeds, mark and error of a player are the same bytes alone and among thirty, in any
/// order and at any concurrency.
#[test]
fn other_players_change_nothing() {
    for (number, of) in SETTINGS.iter().enumerate() {
        let ada = of.players[0];
        let lines = |players: &[(&str, &str)], concurrency: &str| {
            let folder = Folder::new(&format!("alone {number} {concurrency} {}", players.len()));
            cup(&folder, of, players);
            let standings = folder.standings(&["--concurrency", concurrency]);
            let export = folder.export();
            let own: BTreeSet<String> =
                export.lines().filter(|line| line.contains("\"ada\"")).map(str::to_owned).collect();
            let ada = player(&standings, "ada");
            (own, ["mark", "mark_error", "games"].map(|key| ada[key].clone()))
        };
        let alone = lines(&[ada], "1");
        assert!(!alone.0.is_empty() && alone.1[0].is_number(), "setting {number}");
        let others: Vec<(String, &str)> =
            (1..30).map(|other| (format!("p{other}"), of.players[other % 3].1)).collect();
        let mut class: Vec<(&str, &str)> =
            others.iter().map(|(name, command)| (name.as_str(), *command)).collect();
        class.insert(17, ada);
        assert!(lines(&class, "1") == alone, "setting {number}");
        class.reverse();
        assert!(lines(&class, "8") == alone, "setting {number}");
    }
}

/// A late joiner and a changed player play all of their games. The missing games of a player that
/// is taken out are lost.
#[test]
fn players_join_change_and_leave() {
    for (number, of) in SETTINGS.iter().enumerate() {
        let what = format!("setting {number}");
        let folder = Folder::new(&format!("coming {number}"));
        let [ada, bob, zoe] = of.players;
        let program = |command: &str| format!("#!/bin/sh\nexec '{REFEREE}' bot {command}\n");
        folder.program("moody", &program(bob.1));
        cup(&folder, of, &[ada, ("moody", "./moody")]);
        let before = folder.standings(&[]);
        folder.program("moody", &(program(zoe.1) + "# new\n"));
        cup(&folder, of, &[zoe, ada, ("moody", "./moody")]);
        let after = folder.standings(&[]);
        assert_eq!(player(&after, "ada")["mark"], player(&before, "ada")["mark"], "{what}");
        let games = exported(&folder, ".arbitre/tournament-cup.toml.db");
        for name in ["ada", "zoé", "moody"] {
            is_mark(player(&after, name), mark(of, &scores(of, &games, name)), &what);
            assert_eq!(player(&after, name)["games"], player(&before, "ada")["games"], "{what}");
        }
        // Of two players and the fixed bots, more than half of the games.
        let in_all = before["games"].as_u64().unwrap() as usize;
        cup(&folder, of, &[ada, zoe]);
        folder.interrupted(&["--db", "left.db", "--concurrency", "1"], in_all * 3 / 4);
        cup(&folder, of, &[ada]);
        let left = folder.standings(&["--db", "left.db"]);
        let games = exported(&folder, "left.db");
        let whole = scores(of, &games, "ada");
        let mut left_scores = scores(of, &games, "zoé");
        let is_short = left_scores.iter().zip(&whole).any(|(own, all)| own.len() < all.len());
        for (own, all) in left_scores.iter_mut().zip(&whole) {
            all.keys().for_each(|&round| *own.entry(round).or_default() += 0.0);
        }
        assert!(is_short, "{what}: the player has left too late");
        is_mark(player(&left, "zoé"), mark(of, &left_scores), &what);
        is_mark(player(&left, "ada"), mark(of, &whole), &what);
        assert_eq!(left["complete"], true, "{what}");
    }
}

/// Without one of the fixed bots no mark would be fair, and no game is played.
#[test]
fn broken_fixed_bot_is_an_error() {
    for of in &SETTINGS {
        let folder = Folder::new(&format!("broken fixed bot {}", of.seats));
        folder.program("staff", "#!/bin/sh\nexit 3\n");
        cup(&folder, of, &of.players);
        let text = fs::read_to_string(folder.path("cup.toml")).unwrap();
        let text =
            text.replacen("[[grade]]", "[[grade]]\nbot = \"./staff\"\npoints = 1\n[[grade]]", 1);
        folder.file("cup.toml", &text);
        let output = folder.run(&["tournament", "cup.toml"]);
        let error = stderr(&output);
        assert!(error.contains("expected all fixed bots to play, got staff: "), "{error}");
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert_eq!(folder.export(), "");
    }
}

/// All players being broken is an error, also where the fixed bots play alone.
#[test]
fn fixed_bots_alone_are_an_error() {
    for of in &SETTINGS {
        let folder = Folder::new(&format!("all broken {}", of.seats));
        folder.program("ends", "#!/bin/sh\nexit 3\n");
        cup(&folder, of, &[("ends", "./ends")]);
        let output = folder.run(&["tournament", "cup.toml"]);
        let error = stderr(&output);
        assert!(
            error.contains("expected a player that can play against the fixed bots"),
            "{error}"
        );
        assert_eq!(output.status.code(), Some(3), "{error}");
    }
}

#[test]
fn other_fixed_bots_are_refused() {
    let (folder, of) = (Folder::new("other bots"), &SETTINGS[1]);
    cup(&folder, of, &of.players);
    let standings = folder.standings(&[]);
    let text = fs::read_to_string(folder.path("cup.toml")).unwrap();
    let is = "its list of fixed bots is tron random for 5, tron wall-hugger for 15, not ";
    for (from, to, part) in [
        ("points = 5", "points = 6", "tron random for 6, tron wall-hugger for 15\n"),
        ("bot = \"tron random\"", "bot = \"tron fixed\"", "tron fixed for 5, tron wall-hugger"),
    ] {
        folder.file("cup.toml", &text.replace(from, to));
        let output = folder.run(&["tournament", "cup.toml"]);
        let error = stderr(&output);
        assert!(error.contains(&(is.to_owned() + part)), "{error}");
        assert_eq!(output.status.code(), Some(4), "{error}");
    }
    // Another order of the same fixed bots is the same contest.
    let (head, tail) = text.split_once("[[grade]]").unwrap();
    let (grades, players) = tail.split_once("[[player]]").unwrap();
    let (one, other) = grades.split_once("[[grade]]").unwrap();
    let turned = format!("{head}[[grade]]{other}[[grade]]{one}[[player]]{players}");
    folder.file("cup.toml", &turned);
    assert_eq!(folder.standings(&[]), standings);
    let output = folder.run(&["drop", "tron random", "--db", ".arbitre/tournament-cup.toml.db"]);
    assert!(stderr(&output).contains("whom all others meet"), "{}", stderr(&output));
}

/// Marks in every kind of output.
#[test]
fn marks_are_shown() {
    let (folder, of) = (Folder::new("shown marks"), &SETTINGS[1]);
    cup(&folder, of, &of.players);
    let json = folder.standings(&[]);
    let ada = player(&json, "ada");
    let [mark, error] = ["mark", "mark_error"].map(|key| ada[key].as_f64().unwrap());
    let tenths = |value: f64| (value * 10.0).round() / 10.0;
    let shown = format!("{:.1} ± {:.1}", tenths(mark), tenths(error));
    let pages = ["--per-player", "pages", "--per-player-format", "md"];
    let words = [&["tournament", "cup.toml"], &pages[..], &["--output"]].concat();
    let text = folder.done(&[&words[..], &["s.md"]].concat());
    assert!(text.contains("mark of 20") && text.contains(&shown), "{text}");
    folder.done(&[&words[..], &["s.csv"]].concat());
    folder.done(&[&words[..], &["f.csv", "--csv", "excel-fr"]].concat());
    folder.done(&[&words[..], &["s.html"]].concat());
    let read = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    assert!(read("s.md").contains(&format!("| 1 | ada | {shown} |")), "{}", read("s.md"));
    let index = read("pages/index.md");
    assert!(index.contains(&format!("| 1 | ada | {shown} |")), "{index}");
    assert!(!folder.path("pages/tron random.md").exists(), "a bot has no author");
    assert!(read("s.csv").starts_with("rank,name,mark,mark_error,points,"));
    assert!(read("s.csv").contains(&format!("\n1,ada,{mark},{error},")), "{}", read("s.csv"));
    assert!(read("s.csv").contains("\n,tron random,,,"), "{}", read("s.csv"));
    let [mark, error] = [mark, error].map(|value| value.to_string().replace('.', ","));
    assert!(read("f.csv").contains(&format!("\n1;ada;{mark};{error};")), "{}", read("f.csv"));
    let page = arbitre_test_support::pages::document(&read("s.html"));
    assert_eq!(page["summary"]["players"][2]["mark"], ada["mark"]);
    assert_eq!(page["summary"]["players"][0]["mark"], Value::Null);
}
