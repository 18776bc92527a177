//! Tests of Seven Colors matches through programs, in both dialects.

use arbitre_test_support::matches as support;

use arbitre::internals::play::pairing::GameId;
use arbitre::internals::play::record::Record;
use arbitre::internals::run::PlayerSource;
use std::collections::HashMap;
use std::sync::Arc;
use support::{bundled_bot, Match};

fn bot(arguments: &[&str]) -> PlayerSource {
    bundled_bot("seven-colors", arguments)
}

fn of(sources: [PlayerSource; 2], rules: &'static str) -> Match {
    Match { game: "seven-colors", rules, games: 12, openings: 0, ..Match::of(sources) }
}

/// Returns what two runs must have in common: board, players by seat, moves and scores.
fn essence(records: &[Record]) -> Vec<String> {
    let mut games: Vec<(GameId, String)> = records
        .iter()
        .map(|Record { pairing, setup, played, .. }| {
            assert!(played.faults.is_empty(), "{:?}", played.faults);
            let moves: Vec<&str> = played.plies.iter().map(|ply| ply.mv.as_str()).collect();
            let scores = played.outcome.as_ref().map(|outcome| &outcome.scores);
            (pairing.id(), format!("{setup} {:?} {moves:?} {scores:?}", pairing.players))
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

/// Covers both dialects through pipes, concurrency, and engines in this process, under each preset.
#[test]
fn match_is_identical_on_every_path() {
    for rules in ["size=12x12", "gamos size=10x10", "filler"] {
        let sources = || [bot(&["oracle", "--depth", "2"]), bot(&["random-useful"])];
        let reference = essence(&of(sources(), rules).play().1);
        assert_eq!(reference.len(), 12);
        let relay = Match { dialect: "relay", ..of(sources(), rules) };
        assert_eq!(essence(&relay.play().1), reference, "{rules}");
        let at_once = Match { concurrency: 2, ..of(sources(), rules) };
        assert_eq!(essence(&at_once.play().1), reference, "{rules}");
        let engine = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
            let bot = arbitre::registry().bot("seven-colors").unwrap();
            PlayerSource::InProcess(Arc::new(move || bot.console(&words).unwrap()))
        };
        let engines = [engine(&["oracle", "--depth", "2"]), engine(&["random-useful"])];
        assert_eq!(essence(&of(engines, rules).play().1), reference, "{rules}");
    }
}

#[test]
fn each_board_is_played_from_both_seats() {
    let (_, records) = of([bot(&["greedy"]), bot(&["hybrid"])], "size=8x8").play();
    let mut by_board: HashMap<&str, Vec<&[usize]>> = HashMap::new();
    for record in &records {
        by_board.entry(&record.setup).or_default().push(&record.pairing.players);
    }
    assert_eq!(by_board.len(), 6);
    for mut seatings in by_board.into_values() {
        seatings.sort_unstable();
        assert_eq!(seatings, [[0, 1], [1, 0]]);
    }
}

/// `relay` sends the board, so setups may come from a file. Of Awélé it could not send an opening.
#[test]
fn relay_sends_boards_but_no_openings() {
    let cannot_tell = |game: &str| {
        arbitre::registry().game(game).unwrap().hides_openings(&arbitre::dialects::relay::INFO)
    };
    assert!(cannot_tell("awele") && !cannot_tell("seven-colors"));
}

/// The report says that greedy nearly always wins; on these boards it always does.
#[test]
fn greedy_beats_random() {
    let (_, records) = of([bot(&["greedy"]), bot(&["random"])], "").play();
    for Record { pairing, played, .. } in &records {
        let greedy = pairing.players.iter().position(|&player| player == 0).unwrap();
        assert_eq!(played.outcome.as_ref().unwrap().places()[greedy], 0);
    }
    assert_eq!(records.len(), 12);
}
