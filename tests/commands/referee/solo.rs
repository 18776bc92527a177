//! Solo games: every player plays the same instances, and each instance ranks all of them.

use arbitre_test_support::command;

use arbitre::game::{Outcome, Seat, Seats};
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::pairing::Pairing;
use arbitre::internals::play::record::Record;
use arbitre::internals::play::{PlayedGame, Ply};
use arbitre::internals::statistics::solo::SoloTally;
use arbitre_process::launcher::layers::Level;
use arbitre_process::stopwatch::AnswerTime;
use std::time::Duration;

/// Returns the records of players with these scores of instances; `None` is unsolved.
fn records(instances: &[&[Option<i64>]]) -> Vec<Record> {
    let schedule = Schedule::new(instances[0].len(), 1, instances.len() as u64, 1);
    let record = |pairing: Pairing| {
        let score = instances[pairing.round as usize][pairing.players[0]];
        let out = match score {
            Some(_) => Vec::new(),
            None => vec![Seats::one(Seat::FIRST)],
        };
        let scores = vec![score.unwrap_or(7)];
        let outcome = Some(Outcome { scores, out, lower_is_better: true });
        let played = PlayedGame { outcome, ..PlayedGame::not_started(1, Vec::new()) };
        let (setup, duration) = (String::new(), Duration::ZERO);
        Record { number: None, pairing, setup, played, duration, sandbox: Level::None }
    };
    schedule.pairings().map(record).collect()
}

fn counted(records: &[Record], players: usize) -> (SoloTally, Vec<Vec<usize>>) {
    let mut tally = SoloTally::new(players);
    let add =
        |record: &Record| tally.add(&record.result(), record.played.outcome.as_ref().unwrap());
    let ranks = records.iter().filter_map(add);
    let mut ranks: Vec<Vec<usize>> = ranks
        .map(|(ranked, ranks)| {
            assert!(ranked.into_iter().eq(0..players));
            ranks
        })
        .collect();
    ranks.sort();
    (tally, ranks)
}

const INSTANCES: [&[Option<i64>]; 4] = [
    &[Some(50), Some(52), Some(50)],
    &[None, Some(90), None],
    &[Some(40), Some(48), Some(44)],
    &[Some(30), Some(30), None],
];

#[test]
fn instance_ranks_all_its_players() {
    let (tally, ranks) = counted(&records(&INSTANCES), 3);
    assert_eq!(ranks, [[1, 1, 3], [1, 3, 1], [1, 3, 2], [2, 1, 2]]);
    let sums: Vec<(u64, i64)> = tally.players.iter().map(|of| (of.solved, of.total)).collect();
    assert_eq!(sums, [(3, 120), (4, 220), (2, 94)]);
    assert_eq!(tally.places(), [2, 1, 3]);
}

/// The shorter time of equal scores is first, with the CPU time before a player was ready.
#[test]
fn ties_are_broken_by_time_with_that_of_the_start() {
    let times = |[init, spent]: [[u64; 2]; 2]| {
        let mut records = records(&[&[Some(50), Some(50)]]);
        for record in &mut records {
            let player = record.pairing.players[0];
            record.played.uncharged[0].init = Duration::from_millis(init[player]);
            record.played.plies.push(ply(Duration::from_millis(spent[player])));
        }
        counted(&records, 2).0.places()
    };
    assert_eq!(times([[0, 0], [20, 30]]), [1, 2]);
    assert_eq!(times([[15, 0], [20, 30]]), [2, 1]);
    assert_eq!(times([[10, 0], [20, 30]]), [1, 1]);
}

/// Returns a move that was charged this time.
fn ply(spent: Duration) -> Ply {
    let (mv, stderr, time) = (String::new(), String::new(), AnswerTime::of_wall(spent));
    Ply { seat: Seat::FIRST, mv, time, spent, comment: None, stderr }
}

/// 2, 8 and 0 more than the first player: mean 3.33, deviation 4.16.
#[test]
fn differences_use_instances_solved_by_both() {
    let (tally, _) = counted(&records(&INSTANCES), 3);
    let (mean, error) = tally.players[1].to_first.mean().unwrap();
    assert!((mean - 10.0 / 3.0).abs() < 1e-9 && (error - 4.711).abs() < 1e-3, "{mean} {error}");
    let (mean, error) = tally.players[2].to_first.mean().unwrap();
    assert!((mean - 2.0).abs() < 1e-9 && (error - 3.92).abs() < 1e-3, "{mean} {error}");
    assert_eq!(tally.players[0].to_first.mean(), None);
}

#[test]
fn order_of_games_is_irrelevant_and_instances_may_be_incomplete() {
    let mut records = records(&INSTANCES);
    let (forwards, ranks) = counted(&records, 3);
    records.reverse();
    let (backwards, same) = counted(&records, 3);
    assert_eq!((forwards.players, ranks), (backwards.players, same));
    records.pop();
    assert_eq!(counted(&records, 3).1.len(), 3);
}

const MATCH: [&str; 7] = [
    "taquin quick",
    "taquin ida-star",
    "taquin random",
    "--rules=eight,scramble=16",
    "--games=8",
    "--seed=1",
    "--nodes=100000",
];

/// Returns the document of the match, without the fields that differ between runs.
fn document(more: &[&str]) -> serde_json::Value {
    let output = command::run(&[&MATCH[..], &["--json", "--db=:memory:"], more].concat());
    assert!(output.status.success(), "{}", command::stderr(&output));
    let mut document = command::json(&command::stdout(&output));
    document["seconds"].take();
    for player in document["players"].as_array_mut().unwrap() {
        player["time_ms"].take();
        player["init_cpu_ms"].take();
        player["solo"]["seconds"].take();
    }
    document
}

#[test]
fn every_player_plays_each_instance() {
    let document = document(&[]);
    assert_eq!((&document["games"], &document["seats"]), (&24.into(), &1.into()));
    let [quick, best, random] = [0, 1, 2].map(|i| &document["players"][i]);
    let solo = |player: &serde_json::Value, what: &str| player["solo"][what].as_f64().unwrap();
    let places = [quick, best, random].map(|player| solo(player, "place"));
    assert_eq!(places, [2.0, 1.0, 3.0], "{document:#}");
    assert_eq!((solo(quick, "solved"), solo(best, "solved")), (8.0, 8.0));
    assert!(solo(random, "solved") < 8.0);
    let apart = (solo(best, "total") - solo(quick, "total")) / 8.0;
    assert!((solo(best, "difference") - apart).abs() < 1e-3 && apart < -1.0, "{document:#}");
    assert!(quick["solo"]["difference"].is_null());
    // Players that share the first place share the points of those behind them.
    assert_eq!(best["places"][0], 8);
    assert_eq!(random["games"], 8);
}

#[test]
fn the_result_does_not_depend_on_the_order_of_the_games() {
    assert_eq!(document(&["--concurrency=2", "--no-pin"]), document(&["--concurrency=1"]));
}

#[test]
fn the_table_has_places_totals_and_differences() {
    let output = command::run(&[&MATCH[..], &["--db=:memory:"]].concat());
    let text = command::stdout(&output);
    assert!(text.starts_with("3 players x 8 instances, seed 1\n"), "{text}");
    for part in ["solved", "total", "a game to taquin quick, where both came to the end"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let lines: Vec<&str> = text.lines().skip(2).take(3).collect();
    let names: Vec<&str> =
        lines.iter().map(|line| line.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(names, ["ida-star", "quick", "random"], "{text}");
}

/// Without a name, the condition is about the first player.
#[test]
fn solved_instances_can_be_required() {
    let run = |condition: &str| {
        let output =
            command::run(&[&MATCH[..], &["--db=:memory:", "--require", condition]].concat());
        (output.status.code(), command::stderr(&output))
    };
    assert_eq!(run("taquin ida-star.solved=8").0, Some(0));
    assert_eq!(run("total>0").0, Some(0));
    let (code, why) = run("taquin random.solved=8");
    assert!(code == Some(1) && why.contains("got solved "), "{why}");
}

/// The report of an illegal path names its first illegal move, and the board counts as unsolved.
#[test]
fn illegal_path_is_unsolved() {
    let folder = command::folder("solo");
    let bot =
        "#!/bin/sh\nwhile read word rest; do\n  case $word in\n    begin) echo ready up ;;\n    \
               go) echo UUUUUUUUUUUU ;;\n  esac\ndone\n";
    let bot = command::script(&folder, "up.sh", bot);
    let (bot, mut words) = (format!("'{}'", bot.display()), MATCH.to_vec());
    words[2] = &bot;
    words.extend(["--move-time=20s", "--db=:memory:"]);
    let output = command::run(&words);
    let text = command::stdout(&output);
    assert!(
        text.contains("8 illegal") && text.contains(" of 12, U: the blank is in the first row"),
        "{text}"
    );
    words.push("--json");
    let document = command::json(&command::stdout(&command::run(&words)));
    assert_eq!(document["players"][2]["solo"]["solved"], 0, "{document:#}");
}
