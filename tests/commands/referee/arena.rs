//! The rules of the games as a process that answers line by line.

use arbitre::clock::Go;
use arbitre::dialects::arbitre as dialect;
use arbitre::game::{Seat, Seats};
use arbitre::internals::external::words::Status;
use arbitre::referee::registry::table::{RejectedAnswer, Table};
use arbitre::referee::registry::{DynGame, Speech};
use arbitre::rng::Rng;
use arbitre_test_support::command::{json, referee, run, scratch, stderr};
use serde_json::{json, Value};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Random games of each kind.
const GAMES: u64 = 6;
/// Largest number of moves of such a game.
const MOVES: usize = 120;

/// Running process of rules.
struct Rules {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Rules {
    fn start(words: &[&str]) -> Rules {
        let mut command = referee(&[&["arena", "step"], words].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Rules { child, input, output }
    }

    fn line(&mut self, request: &str) -> String {
        writeln!(self.input, "{request}").unwrap();
        self.output.next().unwrap().unwrap()
    }

    /// Returns the lines of an answer.
    fn ask(&mut self, request: &str) -> Vec<String> {
        let mut lines = vec![self.line(request)];
        while lines.last().unwrap() != "." {
            lines.push(self.output.next().unwrap().unwrap());
        }
        lines.pop();
        lines
    }

    fn ask_one(&mut self, request: &str) -> String {
        let lines = self.ask(request);
        assert_eq!(lines.len(), 1, "{request}: {lines:?}");
        lines.into_iter().next().unwrap()
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
        assert!(self.output.next().is_none());
    }
}

fn status(table: &dyn Table) -> String {
    let outcome = table.outcome().unwrap();
    let turn = || Status::Turn(table.to_move().unwrap());
    outcome.map_or_else(turn, Status::Over).line()
}

/// Compares everything that can be asked about a position.
fn compare(rules: &mut Rules, table: &dyn Table) {
    assert_eq!(rules.ask_one("turn"), status(table));
    for seat in Seats::first(table.seats()).iter() {
        let position = table.position(seat).unwrap();
        assert_eq!(rules.ask_one(&format!("state {seat}")), format!("state {position}"));
        let legal = table.legal_moves(seat).unwrap().join(" ");
        assert_eq!(rules.ask_one(&format!("legal {seat}")), format!("legal {legal}").trim_end());
        let ended = match table.outcome_if_ended(Seats::one(seat)) {
            Ok(outcome) => Status::Over(outcome).line(),
            Err(why) => format!("error {why}"),
        };
        assert_eq!(rules.ask_one(&format!("ended {seat}")), ended);
    }
    let decided = if table.is_decided().unwrap() { "yes" } else { "no" };
    assert_eq!(rules.ask_one("decided"), decided);
}

fn play(name: &str, options: &str, seats: usize) {
    let registry = arbitre::registry();
    let game = registry.open(name, options).unwrap();
    let mut rules = Rules::start(&[name]);
    let described = rules.ask(&format!("rules 1 {options}"));
    assert!(described.contains(&format!("game {name}")), "{described:?}");
    assert!(described.contains(&format!("options {}", game.rules())), "{described:?}");
    let rng = Rng::new(11);
    let mut setups = game.setups(seats, 4, rng.clone());
    for number in 0..GAMES {
        let setup = setups.next().unwrap().unwrap();
        let drawn = rules.ask_one(&format!("draw {seats} 4 {rng} {number}"));
        assert_eq!(drawn, format!("setup {setup}"), "{name}");
        assert_eq!(rules.ask_one(&format!("check {seats} {setup}")), drawn);
        play_one(&*game, &mut rules, seats, &setup, number);
    }
    rules.end();
}

fn play_one(game: &dyn DynGame, rules: &mut Rules, seats: usize, setup: &str, number: u64) {
    let mut rng = Rng::new(number);
    let speeches = vec![Speech::Dialect(&dialect::INFO); seats];
    let mut table = game.table(setup, &speeches).unwrap();
    assert_eq!(rules.ask_one(&format!("start {seats} {setup}")), status(&*table));
    for _ in 0..MOVES {
        compare(rules, &*table);
        let turn: Vec<Seat> = table.to_move().unwrap().iter().collect();
        let Some(&seat) = turn.first() else { break };
        let mut asked = String::new();
        table.ask(seat, Go::Untimed, &mut asked).unwrap();
        let lines: Vec<String> = asked.lines().map(str::to_owned).collect();
        assert_eq!(rules.ask(&format!("ask {seat}")), lines[..lines.len() - 1]);
        if number % 3 == 2 && rng.below(20) == 0 {
            table.forfeit(Seats::one(seat), "timeout").unwrap();
            assert_eq!(rules.ask_one(&format!("out timeout {seat}")), status(&*table));
            continue;
        }
        let legal = table.legal_moves(seat).unwrap();
        let answer = match rng.below(12) {
            0 => "nonsense".to_owned(),
            1 => "0".to_owned(),
            // Hextris does not list its commands.
            _ if legal.is_empty() => ["pp", "lla ei!", "b4ky l"][rng.below(3)].to_owned(),
            _ => legal[rng.below(legal.len())].clone(),
        };
        let heard = rules.ask(&format!("play {seat} {answer}"));
        let expected = match table.hear(seat, &answer) {
            Ok(accepted) => vec![format!("played {}", accepted.mv), status(&*table)],
            Err(RejectedAnswer::Illegal(why)) => vec![format!("illegal {why}")],
            Err(RejectedAnswer::Invalid(why)) => vec![format!("invalid {why}")],
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(heard, expected, "{answer}");
    }
    for seat in 0..seats {
        let news = rules.ask(&format!("close {seat}"));
        assert!(news.iter().all(|line| line.starts_with("moved ") || line.starts_with("out ")));
    }
}

#[test]
fn awele_is_served() {
    play("awele", "", 2);
    play("awele", "abapa", 2);
}

#[test]
fn tron_is_served() {
    (2..=4).for_each(|seats| play("tron", "size=12x9", seats));
}

#[test]
fn seven_colors_is_served() {
    play("seven-colors", "", 2);
}

#[test]
fn taquin_is_served() {
    play("taquin", "", 1);
}

#[test]
fn hextris_is_served() {
    play("hextris", "", 1);
}

#[test]
fn wrong_requests_are_explained() {
    let mut rules = Rules::start(&["awele"]);
    for (request, answer) in [
        ("turn", "error expected 'rules 1 [OPTIONS]' first, got 'turn'"),
        ("rules 2", "error expected 'rules 1 [OPTIONS]' first, got 'rules 2'"),
        ("rules 1 slam=maybe", "error "),
    ] {
        let got = rules.ask_one(request);
        assert!(got.starts_with(answer), "{request}: {got}");
    }
    rules.ask("rules 1");
    for (request, answer) in [
        ("turn", "error expected 'start SEATS SETUP' first, got none"),
        ("start 2 opening 9", "error "),
        ("start x", "error expected SEATS SETUP, got 'x'"),
        ("draw 2 4 7 0", "error expected 'draw SEATS PLIES SEED NUMBER', got 'draw 2 4 7 0'"),
        ("picture 0", "unknown"),
        ("start 2 opening 2 5", "turn 0"),
        ("state 2", "error expected a seat from 0 to 1, got '2'"),
        ("play 1 3", "error expected a seat to move, got 1"),
        ("play 0 9", "invalid "),
        ("out late 0", "error expected crash, "),
        ("out crash", "error expected seats"),
        ("out crash 0", "over 0 0 out 0"),
        ("rules 1 abapa", "game awele"),
        ("turn", "error expected 'start SEATS SETUP' first, got none"),
    ] {
        let got = rules.ask(request);
        assert!(got[0].starts_with(answer), "{request}: {got:?}");
    }
    rules.end();
    let unknown = run(&["arena", "step", "chess"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("expected awele, "), "{}", stderr(&unknown));
}

/// Numbers beyond any game are refused, and take neither memory nor time.
#[test]
fn numbers_beyond_any_game_are_refused() {
    const HUGE: &str = "18446744073709551615";
    for game in ["awele", "tron", "seven-colors", "taquin", "hextris"] {
        let mut rules = Rules::start(&[game]);
        rules.ask("rules 1");
        let rng = Rng::new(1).to_string();
        for request in ["start HUGE x", "check HUGE x", "start 0 x", "draw HUGE 0 RNG 0"] {
            let got = rules.ask_one(&request.replace("HUGE", HUGE).replace("RNG", &rng));
            assert!(got.starts_with("error seats: expected "), "{game}: {request}: {got}");
        }
        for number in [HUGE, "1000000"] {
            let got = rules.ask_one(&format!("draw 2 0 {rng} {number}"));
            assert!(got.starts_with("error expected a number below "), "{game}: {got}");
        }
        rules.end();
        let mut rules = Rules::start(&[game, "--json"]);
        let reset = |of: Value| json!({ "reset": of }).to_string();
        let many = rules.line(&reset(json!({ "games": 4_000_000_000u64 })));
        assert!(many.contains("games: expected at most 1000000 more"), "{game}: {many}");
        let seats = rules.line(&reset(json!({ "games": 1, "seats": usize::MAX })));
        assert!(seats.contains("seats: expected "), "{game}: {seats}");
        // Some games draw their starts at random, and have no openings.
        let plies = rules.line(&reset(json!({ "games": 1, "plies": usize::MAX })));
        assert!(plies.contains("no setup") || plies.contains("\"setup\""), "{game}: {plies}");
        let drawn = json(&rules.line(&reset(json!({ "games": 1 }))));
        let first = drawn["games"][0]["game"].as_u64().unwrap();
        let copies = json!({ "clone": vec![first; 1_000_001] }).to_string();
        assert!(rules.line(&copies).contains("games: expected at most"), "{game}");
        rules.end();
    }
}

/// Plays many games at once, and compares each with a table of its own.
#[test]
fn batches_play_as_tables_do() {
    let registry = arbitre::registry();
    let game = registry.open("tron", "size=9x7").unwrap();
    let mut rules = Rules::start(&["tron", "--json", "--rules", "size=9x7"]);
    let mut ask = |request: Value| json(&rules.line(&request.to_string()));
    let started = ask(json!({ "reset": { "games": 5, "seats": 3, "seed": 4 } }));
    let setups = started["games"].as_array().unwrap().iter().map(|game| &game["setup"]);
    let setups: Vec<&str> = setups.map(|setup| setup.as_str().unwrap()).collect();
    let expected: Vec<String> =
        game.setups(3, 0, Rng::new(4)).take(5).map(Result::unwrap).collect();
    assert_eq!(setups, expected);
    let speeches = vec![Speech::Dialect(&dialect::INFO); 3];
    let mut tables: Vec<_> =
        setups.iter().map(|setup| game.table(setup, &speeches).unwrap()).collect();
    let mut rng = Rng::new(1);
    let mut copied = None;
    for round in 0..200 {
        let running = tables.iter().enumerate();
        let turns: Vec<(usize, usize)> = running
            .filter_map(|(at, table)| Some((at, table.to_move().unwrap().iter().next()?.index())))
            .collect();
        if turns.is_empty() {
            break;
        }
        let legal = ask(json!({ "legal": turns }));
        let states = ask(json!({ "state": turns }));
        let mut moves = Vec::new();
        for (number, &(at, seat)) in turns.iter().enumerate() {
            let own = tables[at].legal_moves(Seat::new(seat)).unwrap();
            assert_eq!(legal["legal"][number], json!(own));
            let position = tables[at].position(Seat::new(seat)).unwrap();
            assert_eq!(states["state"][number], position);
            // A seat without a legal move is out by any.
            let mv = own.get(rng.below(own.len().max(1))).cloned().unwrap_or("UP".into());
            moves.push((at, seat, mv));
        }
        if round == 3 {
            copied = Some(ask(json!({ "clone": [0] }))["games"][0].clone());
            let states = ask(json!({ "state": [[0, 0], [5, 0]] }));
            assert_eq!(states["state"][0], states["state"][1], "a copy has the same position");
        }
        let played = ask(json!({ "step": moves }));
        for (number, (at, seat, mv)) in moves.iter().enumerate() {
            tables[*at].hear(Seat::new(*seat), mv).unwrap();
            let course = &played["games"][number];
            let turn: Vec<usize> = tables[*at].to_move().unwrap().iter().map(Seat::index).collect();
            assert_eq!((&course["game"], &course["turn"]), (&json!(at), &json!(turn)));
            let outcome = tables[*at].outcome().unwrap();
            assert_eq!(course["scores"], json!(outcome.map(|outcome| outcome.scores)));
        }
    }
    assert!(tables.iter().all(|table| table.outcome().unwrap().is_some()));
    assert_eq!(copied.unwrap()["game"], 5);
    let rejected = ask(json!({ "step": [[5, 0, "SIDEWAYS"], [5, 1, "UP"]] }));
    assert!(rejected["games"][0]["error"].is_string() || rejected["games"][1]["error"].is_string());
    assert_eq!(ask(json!({ "drop": [0, 1, 2, 3, 4] })), json!({ "games": 1 }));
    for (request, why) in [
        (json!({ "state": [[0, 0]] }), "expected a game, got 0"),
        (json!({ "state": [[5, 7]] }), "expected a seat below 3, got 7"),
        (json!({ "reset": { "games": 1, "seats": 9 } }), "seats: expected 2 to 4, got 9"),
        (json!({ "fly": 1 }), "unknown variant `fly`"),
        (json!("nonsense"), "unknown variant `nonsense`"),
    ] {
        let error = ask(request);
        assert!(error["error"].as_str().unwrap().contains(why), "{error}");
    }
    rules.end();
}

/// The client for Python plays the games that the referee plays.
#[test]
fn client_for_python_plays_batches() {
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python");
    let program = arbitre_test_support::command::program("referee");
    let code = "
import random, sys
from arbitre import Games
random.seed(3)
with Games('awele', command=[sys.argv[1]]) as games:
    courses = games.reset(20, seed=5, plies=4)
    finished = 0
    while courses:
        turns = [(course.game, course.turn[0]) for course in courses]
        moves = [random.choice(legal) for legal in games.legal(turns)]
        courses = games.step([(game, seat, move) for (game, seat), move in zip(turns, moves)])
        assert all(course.error is None for course in courses)
        over = [course for course in courses if not course.turn]
        assert all(sum(course.scores) <= 48 and len(course.ranks) == 2 for course in over)
        finished += len(over)
        games.drop(course.game for course in over)
        courses = [course for course in courses if course.turn]
    assert finished == 20
    first = games.reset(1)[0]
    copy = games.clone([first.game])[0]
    assert games.state([(first.game, 0)]) == games.state([(copy.game, 0)])
    try:
        games.step([(99, 0, '1')])
    except ValueError as error:
        print(error)
";
    let mut python = Command::new("python3");
    python.args(["-c", code]).arg(program).env("PYTHONPATH", client).current_dir(scratch());
    match python.env("PYTHONDONTWRITEBYTECODE", "1").output() {
        Err(_) => eprintln!("SKIPPED: there is no python3 in PATH"),
        Ok(output) => {
            assert!(output.status.success(), "{}", stderr(&output));
            assert_eq!(output.stdout, b"expected a game, got 99\n");
        }
    }
}
