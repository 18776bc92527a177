//! Tron matches under the referee: two to four programs, eliminations during a game, seat
//! rotations, walls from a file and exact messages.

use arbitre_test_support::command;
use arbitre_test_support::matches as support;

use arbitre::bots::BOTS;
use arbitre::console::BundledBot;
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::formats::schedule::Schedule;
use arbitre::internals::play::pairing::GameId;
use arbitre::internals::play::record::Record;
use arbitre::internals::play::{play, PlayedGame, SeatedPlayer};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::program;
use arbitre::internals::player::script::Script;
use arbitre::internals::run::PlayerSource;
use arbitre::referee::registry::Speech;
use arbitre_process::exit::Exit;
use command::{folder, json, run, stderr, stdout};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use support::{bundled_bot, Match};

const MS: Duration = Duration::from_millis(1);

fn wall_hugger() -> PlayerSource {
    bundled_bot("tron", &["wall-hugger"])
}

fn random() -> PlayerSource {
    bundled_bot("tron", &["random"])
}

fn faults(records: &[Record]) -> Vec<&'static str> {
    let reports = records.iter().flat_map(|record| &record.played.faults);
    reports.map(|report| report.fault.word()).collect()
}

/// Returns the setup, players, moves and places of each game, which every run must reproduce.
fn essence(records: &[Record]) -> Vec<String> {
    let mut games: Vec<(GameId, String)> = records
        .iter()
        .map(|Record { pairing, setup, played, .. }| {
            let moves: Vec<&str> = played.plies.iter().map(|ply| ply.mv.as_str()).collect();
            let places = played.outcome.as_ref().map(|outcome| outcome.places());
            (pairing.id(), format!("{setup} {:?} {moves:?} {places:?}", pairing.players))
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

#[test]
fn two_to_four_programs_play() {
    for seats in 2..=4 {
        let sources = [wall_hugger(), random(), wall_hugger(), random()].into_iter().take(seats);
        // Fair starts for four are rare on a large grid.
        let rules = "size=12x9 tolerance=5%";
        let (_, records) = Match { rules, ..Match::of_tron(sources) }.play();
        assert_eq!((records.len(), faults(&records)), (12, vec![]), "{seats} seats");
        for record in &records {
            let mut places = record.played.outcome.as_ref().expect("not void").places();
            places.sort_unstable();
            assert_eq!(places, (0..seats).collect::<Vec<_>>(), "no place is shared");
        }
    }
}

/// Every start is played with every rotation of the seats, so each player has each seat once.
#[test]
fn starts_are_played_with_every_rotation() {
    let sources = [wall_hugger(), wall_hugger(), random()];
    let game = Match { rules: "size=12x9 tolerance=5%", games: 10, ..Match::of_tron(sources) };
    let (_, records) = game.play();
    assert_eq!(records.len(), 12, "10 games are rounded up to whole rotations");
    let mut by_start: HashMap<&str, Vec<&[usize]>> = HashMap::new();
    for record in &records {
        by_start.entry(&record.setup).or_default().push(&record.pairing.players);
    }
    assert_eq!(by_start.len(), 4, "each start is drawn once");
    for mut seatings in by_start.into_values() {
        seatings.sort_unstable();
        assert_eq!(seatings, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }
    let four = Schedule::new(4, 4, 9, 1);
    let seatings: HashSet<Vec<usize>> = (0..4).map(|k| four.pairing(k).players).collect();
    assert_eq!((four.games(), seatings.len()), (12, 4));
}

#[test]
fn match_is_the_same_at_any_concurrency_and_dialect() {
    let play = |concurrency, dialect| {
        let sources = [wall_hugger(), random()];
        let game = Match { concurrency, dialect, games: 8, ..Match::of_tron(sources) };
        let (_, records) = game.play();
        assert_eq!(faults(&records), [""; 0], "{dialect}");
        essence(&records)
    };
    let reference = play(1, "arbitre");
    assert_eq!(reference.len(), 8);
    assert_eq!(play(2, "arbitre"), reference);
    assert_eq!(play(1, "codingame"), reference);
    assert_eq!(play(1, "google2010"), reference);
}

/// With four players, `codingame`, which sends only the ends of trails, gives the same games as
/// `arbitre`.
#[test]
fn codingame_is_enough_for_four_players() {
    let play = |dialect| {
        let sources = [wall_hugger(), random(), random(), wall_hugger()];
        let rules = "size=12x9 walls=6:4/6:5 tolerance=5%";
        let game = Match { dialect, rules, games: 8, ..Match::of_tron(sources) };
        let (_, records) = game.play();
        assert_eq!(faults(&records), [""; 0], "{dialect}");
        essence(&records)
    };
    assert_eq!(play("codingame"), play("arbitre"));
}

/// One of three programs exits at its third move: the others play on, and it has the last place.
#[test]
fn other_players_continue_after_a_crash() {
    let script = "moves=0; while read -r word move rest; do case $word in \
                  begin) echo 'ready mortal';; legal) next=$move;; \
                  go) moves=$((moves+1)); [ $moves = 3 ] && exit 1; echo $next;; esac; done";
    let words = ["sh", "-c", script].map(str::to_owned);
    let mortal = PlayerSource::Program(program::find(&words, &[]).unwrap());
    let game = Match { games: 6, ..Match::of_tron([wall_hugger(), mortal, wall_hugger()]) };
    let (_, records) = Match { rules: "size=15x11 tolerance=5%", ..game }.play();
    assert_eq!(faults(&records), ["crash"; 6]);
    for Record { pairing, played, .. } in &records {
        let seat = pairing.players.iter().position(|&player| player == 1).unwrap();
        let report = &played.faults[0];
        assert_eq!((report.seat.index(), report.ply), (seat, 6 + seat));
        assert!(played.plies.len() > report.ply + 4, "the other players continue");
        assert_eq!(played.outcome.as_ref().unwrap().places()[seat], 2);
    }
}

/// Plays one game on a 6x5 grid between scripts that count as started before in this run.
fn game<const N: usize>(setup: &str, scripts: &mut [Script; N]) -> PlayedGame {
    let game = arbitre::registry().open("tron", "size=6x5").unwrap();
    let mut table =
        game.table(setup, &[Speech::Dialect(&arbitre::dialects::arbitre::INFO); N]).unwrap();
    let (limits, has_started) = (PlayerLimits::default(), AtomicBool::new(true));
    let mut seated: Vec<SeatedPlayer> = scripts
        .iter_mut()
        .map(|player| SeatedPlayer {
            player,
            limits: &limits,
            arguments: vec![],
            seed: 4,
            label: String::new(),
            has_started: &has_started,
            may_ponder: false,
        })
        .collect();
    play(&mut *table, &mut seated)
}

const CORNERS: &str = "start 0 0 0; start 1 5 0; start 2 0 4; start 3 5 4";

fn outcome(played: &PlayedGame) -> (Vec<(usize, &'static str)>, Vec<i64>, Vec<usize>) {
    let faults = played.faults.iter().map(|report| (report.seat.index(), report.fault.word()));
    let outcome = played.outcome.as_ref().unwrap();
    (faults.collect(), outcome.scores.clone(), outcome.places())
}

/// From its corner seat 0 moves up into the wall. Its cell is then free, and seat 1 may enter it.
#[test]
fn illegal_move_eliminates_and_is_announced() {
    let left = ["ready b", "LEFT", "LEFT", "LEFT", "LEFT", "LEFT", "DOWN"];
    let mut scripts = [
        Script::of(&["ready a", "UP"]),
        Script::of(&left),
        Script::of(&["ready c terse", "RIGHT", "RIGHT", "RIGHT", "UP", "UP", "DOWN"]),
        Script::new([(MS, Ok("ready d".into())), (MS, Err(Fault::Crash(Exit::Code(1))))]),
    ];
    let played = game(CORNERS, &mut scripts);
    let (faults, scores, places) = outcome(&played);
    assert_eq!(faults, [(0, "illegal"), (3, "crash"), (2, "illegal")]);
    assert_eq!((scores, places), (vec![0, 3, 2, 1], vec![3, 0, 1, 2]));
    let why = played.faults[0].fault.to_string();
    assert!(why.contains("there is a wall"), "{why}");
    let told =
        "out 0 illegal\nstate .....B/....../....../....../C....D\nlegal DOWN LEFT\ngo 1000\n";
    assert_eq!(scripts[1].heard[1], told);
    assert_eq!(scripts[2].heard[1], "out 0 illegal\nmoved 1 LEFT\ngo 1000\n");
    assert_eq!(scripts[2].heard[2], "out 3 crash\nmoved 1 LEFT\ngo 100\n");
    assert_eq!(scripts[0].heard.len(), 2, "a player eliminated by a fault receives nothing more");
    assert_eq!(scripts[1].heard.last().unwrap(), "out 2 illegal\nresult 0 3 2 1\n");
}

/// Two of three players that fail at the start share the last place; if all three fail, all share
/// it.
#[test]
fn players_failing_at_the_start_share_the_last_place() {
    let setup = "start 0 0 0; start 1 5 0; start 2 0 4";
    let bad = || Script::of(&["hello"]);
    let mut scripts = [bad(), Script::of(&["ready b"]), bad()];
    let (faults, scores, places) = outcome(&game(setup, &mut scripts));
    assert_eq!(faults, [(0, "invalid"), (2, "invalid")]);
    assert_eq!((scores, places), (vec![0, 2, 0], vec![1, 0, 1]));
    assert_eq!(scripts[1].heard.last().unwrap(), "out 0 invalid\nout 2 invalid\nresult 0 2 0\n");
    let (_, _, places) = outcome(&game(setup, &mut [bad(), bad(), bad()]));
    assert_eq!(places, [0, 0, 0]);
}

/// The first move encloses seat 1: it is never asked for a move, and no fault is reported. Seat 2
/// enters its cell and is enclosed there.
#[test]
fn enclosed_player_is_not_asked_for_a_move() {
    let mut scripts = [
        Script::of(&["ready a", "RIGHT", "DOWN"]),
        Script::of(&["ready b"]),
        Script::of(&["ready c", "UP"]),
    ];
    let played = game("start 0 3 0; start 1 5 0; start 2 5 1", &mut scripts);
    assert_eq!(outcome(&played), (vec![], vec![2, 0, 1], vec![0, 2, 1]));
    let heard = &scripts[1].heard[1..];
    assert_eq!(heard, ["moved 0 RIGHT\nmoved 2 UP\nmoved 0 DOWN\nresult 2 0 1\n"]);
}

#[test]
fn setup_must_match_the_number_of_seats() {
    let game = arbitre::registry().open("tron", "size=6x5").unwrap();
    let refused = game
        .table(CORNERS, &[Speech::Dialect(&arbitre::dialects::arbitre::INFO); 3])
        .err()
        .unwrap();
    assert_eq!(refused.to_string(), "expected a setup for 3 seats, got 4");
    let refused = game.check_setup(2, CORNERS).unwrap_err().to_string();
    assert_eq!(refused, "expected a setup for 2 seats, got 4");
}

fn tron(words: &[&str]) -> std::process::Output {
    let bots = ["tron", "tron random", "--games", "2", "--seed", "1", "--json", "--db", ":memory:"];
    run(&[&bots, words].concat())
}

#[test]
fn walls_come_from_a_file_and_are_kept_in_the_rules() {
    let folder = folder("tron walls");
    let map = folder.join("map.txt");
    fs::write(&map, "........\n..####..\n........\n........\n.#.  .#.\n").unwrap();
    let rules = format!("tolerance=5% walls={}", map.display());
    let db = folder.join("walled.db");
    arbitre_test_support::command::remove_results(&db);
    let db = db.display().to_string();
    let bots = ["tron", "tron random", "--games", "2", "--seed", "1", "--rules", &rules];
    // Blanks separate options, so a path with a blank cannot be given.
    let refused = run(&bots);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    let more = ["tolerance=5% walls=map.txt", "--json", "--db", &db];
    let words = [&bots[..7], &more[..]].concat();
    let played = command::referee(&words).current_dir(&folder).output().unwrap();
    let document = json(&stdout(&played));
    let resolved = "size=8x5 walls=2:1/3:1/4:1/5:1/1:4/6:4 tolerance=5%";
    assert_eq!((&document["rules"], &document["games"]), (&resolved.into(), &2.into()));
    fs::remove_file(&map).unwrap();
    let verified = run(&["verify", "--db", &db]);
    assert!(verified.status.success(), "the file is not needed again: {}", stderr(&verified));
}

#[test]
fn invalid_arguments_get_one_clear_line() {
    let cases = [
        (&["--rules", "walls=nowhere.txt"][..], 6, "or a file, got 'nowhere.txt': no such file"),
        (&["--openings", "4"], 2, "--openings: expected a file for tron, got 4"),
        (
            &["--dialect", "relay"],
            2,
            "dialect: expected arbitre, codingame or google2010, got 'relay'",
        ),
        (
            &["--rules", "size=3x3,walls=1:0/0:1/1:1/2:1/1:2"],
            2,
            "expected a random start under these rules, got none",
        ),
    ];
    for (words, code, part) in cases {
        let output = tron(words);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    let three = run(&["tron", "tron", "tron", "--dialect", "google2010"]);
    let part = "dialect google2010: expected at most 2 seats, got 3";
    assert!(stderr(&three).contains(part), "{}", stderr(&three));
}

#[test]
fn starts_come_from_a_file() {
    let folder = folder("tron starts");
    let file = folder.join("starts.txt");
    fs::write(&file, "# near\nstart 0 3 3; start 1 4 9\n").unwrap();
    let output = tron(&["--openings", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::write(&file, "start 0 3 3; start 1 4 9; start 2 8 8\n").unwrap();
    let output = tron(&["--openings", file.to_str().unwrap()]);
    assert!(stderr(&output).contains("line 1: expected a setup for 2 seats, got 3"));
}

/// Arenas count silence as a timeout, so every strategy answers where it has no legal move.
#[test]
fn enclosed_bot_answers_the_arena() {
    let heads = "2 0\n0 0 0 0\n1 0 0 1";
    let map = "5 5\n#####\n#1# #\n### #\n#  2#\n#####";
    let pits = "0 0 0 0 0 0 1 0 0 0 0 0";
    let cases = [
        ("tron", "codingame", heads, "UP\n"),
        ("tron", "google2010", map, "1\n"),
        ("awele", "codingame", pits, "0\n"),
    ];
    for (name, dialect, lines, answer) in cases {
        let bot = BOTS.iter().find(|bot| bot.name == name).unwrap();
        for (strategy, _) in bot.strategies {
            let words = [*strategy, "--dialect", dialect].map(String::from);
            let (mut console, mut out) = (bot.console(&words).unwrap(), String::new());
            console.start(&mut out);
            lines.lines().for_each(|line| console.hear(line, &mut out).unwrap());
            assert_eq!(out, answer, "{name} {strategy}");
        }
    }
}
