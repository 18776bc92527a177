//! Answers of bots, as the referee's end of every dialect reads them.

use crate::parsers::claim::{of_text, valid, Claim};
use crate::parsers::texts::{constant_of, PROBLEM};
use arbitre::clock::{Clock, Go};
use arbitre::dialect::Init;
use arbitre::game::Seat;
use arbitre::internals::external::sdk::message::{header, uncoloured, Message};
use arbitre::referee::registry::table::{RejectedAnswer, StartParams};
use arbitre::referee::registry::DynGame;

/// Lets a table read the lines of a text, each as an answer of the seat to move. Returns an error
/// unless a rejected answer names a reason.
fn hear(game: &dyn DynGame, setup: &str, dialect: &str, text: &str) -> Result<(), String> {
    let seats = game.check_setup(2, setup).map_or(1, |_| 2);
    let speech = game.speech(dialect).map_err(|why| why.to_string())?;
    let mut table = game.table(setup, &vec![speech; seats]).map_err(|why| why.to_string())?;
    let (clock, mut said) = (Clock::default(), String::new());
    let mut lines: Vec<&str> = text.lines().collect();
    if table.answers_once(Seat::FIRST) {
        lines = vec![text];
    }
    for seat in (0..seats).map(Seat::new) {
        let start = StartParams { seat, clock: &clock, seed: 1, kept: false };
        let init = table.open(&start, &mut said).map_err(|why| why.0)?;
        if init == Init::UntilReady && !lines.is_empty() {
            table.hear_ready(seat, lines.remove(0)).map_err(|why| why.to_string())?;
        }
    }
    for line in lines {
        let to_move = table.to_move().map_err(|why| why.0)?;
        let Some(seat) = to_move.iter().next() else { break };
        table.ask(seat, Go::Untimed, &mut said).map_err(|why| why.0)?;
        match table.hear(seat, line) {
            Ok(heard) => assert!(!heard.mv.contains('\n'), "a move is on one line"),
            Err(RejectedAnswer::Illegal(why)) => assert!(!why.is_empty()),
            Err(RejectedAnswer::Invalid(why)) => return Err(why),
            Err(RejectedAnswer::Rules(why)) => panic!("the rules failed on '{line}': {why}"),
        }
        said.clear();
    }
    Ok(())
}

#[test]
fn answers_hold_their_claim() {
    let problem = format!("problem {PROBLEM}; seed 7");
    let cases: [(&str, &str, &str, &[&str]); 5] = [
        ("awele", "", "opening", &["2 # score 3\n3\n2"]),
        ("tron", "size=4x3", "start 0 0 1; start 1 3 1", &["UP\nDOWN # a comment\nRIGHT"]),
        ("seven-colors", "size=3x2 colours=3 symmetric=no", "AB.; *CA", &["A\nC"]),
        ("taquin", "eight", "0 1 2 / 3 4 5 / _ 6 7", &["Up Down # there and back\nRL\nRR"]),
        ("hextris", "", &problem, &["ei! # score 3\nllaa\n$"]),
    ];
    for (name, rules, setup, texts) in cases {
        let game = arbitre::registry().open(name, rules).unwrap();
        let ready = if game.check_setup(2, setup).is_ok() { 2 } else { 1 };
        let greeting = "ready tester terse again\n".repeat(ready);
        let texts: Vec<String> = texts.iter().map(|text| format!("{greeting}{text}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let parse = of_text(|text| hear(&*game, setup, "arbitre", text));
        Claim { name, valid: valid(&texts), factor: 60, constant: constant_of(name), parse }
            .check();
    }
}

#[test]
fn answers_in_arena_dialects_hold_their_claim() {
    let problem = format!("problem {PROBLEM}; seed 7");
    let solution = "[{\"problemId\":3,\"seed\":7,\"solution\":\"ei!palb\"}]";
    let cases: [(&str, &str, &str, &str, &str); 6] = [
        ("awele", "", "opening 2 5", "codingame", "2\n3\n2\n"),
        ("awele", "", "opening", "relay", "2\n3\n2\n"),
        ("seven-colors", "size=3x2 colours=3 symmetric=no", "AB.; *CA", "relay", "A\nC\n"),
        ("tron", "size=4x3", "start 0 0 1; start 1 3 1", "codingame", "UP\nDOWN\nRIGHT\n"),
        ("tron", "size=4x3", "start 0 0 1; start 1 3 1", "google2010", "1\n3\n2\n"),
        ("hextris", "", &problem, "icfp2015", solution),
    ];
    for (name, rules, setup, dialect, text) in cases {
        let game = arbitre::registry().open(name, rules).unwrap();
        // The dialect of the contest words its errors by the solution, so the check adds the word.
        let parse = of_text(|text| {
            let heard = hear(&*game, setup, dialect, text);
            heard.map_err(|why| match dialect == "icfp2015" {
                true => format!("expected a solution: {why}"),
                false => why,
            })
        });
        let valid = valid(&[text]);
        Claim { name: dialect, valid, factor: 60, constant: constant_of(name), parse }.check();
    }
}

/// Reads the messages of a game of CodinGame's SDK for two seats.
fn read_messages(text: &str) -> Result<(), String> {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (name, count) = header(line).map_err(|why| why.0)?;
        let lines = lines.by_ref().take(count).map(str::to_owned).collect();
        let message = Message { name, lines };
        match &message.name[..] {
            "NEXT_PLAYER_INFO" => message.call(2).map(|_| ()).map_err(|why| why.0)?,
            "SCORES" => message.scores(2).map(|_| ()).map_err(|why| why.0)?,
            _ => message.lines.iter().for_each(|line| drop(uncoloured(line))),
        }
    }
    Ok(())
}

#[test]
fn messages_of_the_sdk_hold_their_claim() {
    let game =
        "[[VIEW] 2]\nKEY_FRAME 0\n{}\n[[MONITORING] 0]\n[[INFOS]0]\n[[SUMMARY] 1]\n¤RED¤$0 is \
                late§RED§\n[[NEXT_PLAYER_INPUT] 1]\n4 4\n[[NEXT_PLAYER_INFO] 3]\n1\n2\n1050\n";
    let end = "[[METADATA] 1]\n{\"a\":\"1\"}\n[[SCORES] 2]\n1 -1\n0 24\n";
    let valid = valid(&[game, end]);
    Claim { name: "messages", valid, factor: 60, constant: 2_000, parse: of_text(read_messages) }
        .check();
}
