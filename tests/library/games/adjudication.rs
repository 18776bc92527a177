//! Adjudication of games between scripted players.

use arbitre::dialect::Notation;
use arbitre::game::{Game, Seat, State};
use arbitre::games::awele::{Awele, Opening};
use arbitre::internals::config::adjudication::{Adjudication, AdjudicationRule};
use arbitre::internals::config::limits::PlayerLimits;
use arbitre::internals::play::adjudicator::Adjudicator;
use arbitre::internals::play::{play_adjudicated, PlayedGame, SeatedPlayer};
use arbitre::internals::player::script::Script;
use arbitre::rng::Rng;
use std::sync::atomic::AtomicBool;

/// Returns the moves of a random game of Awélé.
fn moves(seed: u64) -> Vec<String> {
    let game = Awele::from_rules("").unwrap();
    let mut position = game.start(&Opening(Vec::new())).unwrap();
    let (mut moves, mut rng) = (Vec::new(), Rng::new(seed));
    while position.outcome().is_none() {
        let legal = position.moves(position.mover());
        let pit = legal[rng.below(legal.len())];
        position.play(position.mover(), pit).unwrap();
        moves.push(pit.to_string());
    }
    moves
}

/// Plays a game between scripts.
fn game_of(
    (game, setup): (&str, &str),
    scripts: &mut [Script],
    adjudicator: Adjudicator,
) -> PlayedGame {
    let game = arbitre::registry().open(game, "").unwrap();
    let mut table = game.table(setup, &vec![game.speech("arbitre").unwrap(); scripts.len()]);
    let (limits, has_started) = (PlayerLimits::default(), AtomicBool::new(true));
    let seated = scripts.iter_mut().map(|player| SeatedPlayer {
        player,
        limits: &limits,
        arguments: vec![],
        seed: 1,
        label: String::new(),
        has_started: &has_started,
        may_ponder: false,
    });
    let mut seated: Vec<SeatedPlayer> = seated.collect();
    play_adjudicated(&mut **table.as_mut().unwrap(), &mut seated, Some(adjudicator))
}

/// Returns scripts of two seats that play these lines in turn.
fn in_turn(lines: &[String]) -> [Script; 2] {
    [0, 1].map(|seat| {
        let own = lines.iter().skip(seat).step_by(2).map(String::as_str);
        Script::of(&std::iter::once("ready x").chain(own).collect::<Vec<_>>())
    })
}

/// Plays a random game of Awélé in which the comment of ply `n` is `say(n)`.
fn awele(rules: &str, say: impl Fn(usize) -> String) -> (PlayedGame, [Script; 2]) {
    let rules = Adjudication::parse(rules).unwrap();
    let line = |(ply, mv): (usize, String)| match say(ply) {
        said if said.is_empty() => mv,
        said => format!("{mv} # {said}"),
    };
    let lines: Vec<String> = moves(3).into_iter().enumerate().map(line).collect();
    let mut scripts = in_turn(&lines);
    let played = game_of(("awele", "opening"), &mut scripts, Adjudicator::new(&rules));
    (played, scripts)
}

/// Returns the number of plies, the rule that ended the game, and the places.
fn end(played: &PlayedGame) -> (usize, Option<AdjudicationRule>, Vec<usize>) {
    assert!(played.faults.is_empty(), "{:?}", played.faults);
    (played.plies.len(), played.adjudicated, played.outcome.as_ref().unwrap().places())
}

fn score(value: impl std::fmt::Display) -> String {
    format!("score {value} depth 3")
}

#[test]
fn long_game_is_ranked_by_its_scores() {
    let length = moves(3).len();
    for plies in [1, 2, 30, length - 1] {
        let (played, scripts) = awele(&format!("max-plies={plies}"), |_| String::new());
        let game = Awele::from_rules("").unwrap();
        let mut position = game.start(&Opening(Vec::new())).unwrap();
        for mv in &moves(3)[..plies] {
            position.play(position.mover(), game.parse_move(mv).unwrap()).unwrap();
        }
        let captures = position.board_of(Seat::FIRST).captures().map(i64::from);
        let outcome = played.outcome.clone().unwrap();
        assert_eq!((outcome.scores, outcome.out), (captures.to_vec(), vec![]));
        assert_eq!((played.plies.len(), end(&played).1), (plies, Some(AdjudicationRule::MaxPlies)));
        let result = format!("result {} {}\n", captures[0], captures[1]);
        for script in &scripts {
            assert!(script.heard.last().unwrap().ends_with(&result), "{:?}", script.heard.last());
        }
    }
    // The rules end the game at that ply themselves.
    for rules in [format!("max-plies={length}"), "max-plies=10000".into()] {
        let (played, _) = awele(&rules, |_| String::new());
        assert_eq!((played.plies.len(), played.adjudicated), (length, None));
    }
}

/// Tron has no scores before its end. A player that is out ranks below those that share the place.
#[test]
fn long_game_without_scores_is_a_draw_of_those_still_in() {
    let mut scripts = [
        Script::of(&["ready a", "UP"]),
        Script::of(&["ready b", "RIGHT", "RIGHT"]),
        Script::of(&["ready c", "RIGHT", "RIGHT"]),
    ];
    let rules = Adjudication::parse("max-plies=3").unwrap();
    let setup = "start 0 0 0; start 1 5 0; start 2 0 4";
    let played = game_of(("tron", setup), &mut scripts, Adjudicator::new(&rules));
    let faults: Vec<&str> = played.faults.iter().map(|report| report.fault.word()).collect();
    assert_eq!((faults, played.plies.len()), (vec!["illegal"], 3));
    assert_eq!(played.adjudicated, Some(AdjudicationRule::MaxPlies));
    assert_eq!(played.outcome.unwrap().places(), [2, 0, 0]);
    assert!(scripts[1].heard.last().unwrap().ends_with("result 0 1 1\n"));
}

#[test]
fn draw_needs_level_scores_of_both_seats_in_a_row() {
    let draw = |plies, places| (plies, Some(AdjudicationRule::Draw), places);
    let rules = "draw=6,draw-score=2,draw-from=10";
    let (played, _) = awele(rules, |ply| score(if ply % 2 == 0 { 2 } else { -2 }));
    assert_eq!(end(&played), draw(16, vec![0, 0]), "six plies after the first ten");
    // A score out of bounds, a comment without a score, and none begin the count anew.
    for said in [score(3), score(-2.5), "depth 9".into(), "proved win".into(), String::new()] {
        let (played, _) = awele(rules, |ply| if ply == 14 { said.clone() } else { score(0) });
        assert_eq!(end(&played), draw(21, vec![0, 0]), "{said}");
    }
    // One seat alone does not agree.
    let (played, _) = awele(rules, |ply| score(if ply % 2 == 0 { 0 } else { 50 }));
    assert_eq!(played.adjudicated, None);
    let (played, _) = awele("draw=6,draw-from=0", |_| score(0));
    assert_eq!(end(&played), draw(6, vec![0, 0]));
    let (played, _) = awele("draw=6", |_| score(0));
    assert_eq!(end(&played), draw(46, vec![0, 0]), "the first forty do not count");
    let (played, _) = awele("draw=6,draw-from=0", |_| score(0.01));
    assert_eq!(played.adjudicated, None, "level is zero by default");
}

#[test]
fn resignation_needs_both_seats_to_see_the_same_loser() {
    let resign = |plies, places| (plies, Some(AdjudicationRule::Resign), places);
    let rules = "resign=4,resign-score=10";
    // Scores are from the view of the mover.
    let (played, scripts) = awele(rules, |ply| score(if ply % 2 == 0 { -10 } else { 10 }));
    assert_eq!(end(&played), resign(4, vec![1, 0]));
    assert!(scripts[0].heard.last().unwrap().contains("result "), "the loser learns the result");
    let (played, _) = awele(rules, |ply| score(if ply % 2 == 0 { 40.0 } else { -11.5 }));
    assert_eq!(end(&played), resign(4, vec![0, 1]));
    // Both see themselves lost, or one does not see it.
    for other in [score(-10), score(9), score(0), String::new()] {
        let said = |ply: usize| if ply.is_multiple_of(2) { score(-10) } else { other.clone() };
        assert_eq!(awele(rules, said).0.adjudicated, None, "{other}");
    }
    // The seats change their mind, and the count begins anew with the first ply that agrees.
    let turned = |ply: usize| {
        let first_loses = ply < 3;
        score(if ply.is_multiple_of(2) == first_loses { -20 } else { 20 })
    };
    assert_eq!(end(&awele(rules, turned).0), resign(7, vec![0, 1]));
}

/// A replay has no comments of its own.
#[test]
fn replay_takes_the_scores_from_the_record() {
    let rules = Adjudication::parse("draw=6,draw-from=3").unwrap();
    let (played, _) = awele(&rules.to_string(), |_| score(0));
    assert_eq!(played.plies.len(), 9);
    let bare: Vec<String> = played.plies.iter().map(|ply| ply.mv.clone()).collect();
    let comments = played.plies.iter().map(|ply| ply.comment.as_deref());
    let adjudicator = Adjudicator::replaying(&rules, comments);
    let again = game_of(("awele", "opening"), &mut in_turn(&bare), adjudicator);
    assert_eq!((again.adjudicated, again.outcome), (played.adjudicated, played.outcome));
}
