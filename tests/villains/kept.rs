//! Villains that are kept from game to game, and players seen from near by.

use crate::harness::{patient_terms, Diary, Pair, Watched, HURRY, NET};
use arbitre::clock::ClockKind;
use arbitre::referee::player::fault::Fault;
use arbitre::referee::player::stopwatch::Limit;
use arbitre::referee::player::{Player, Shutdown};
use std::time::{Duration, Instant};

/// The words of the villain's faults in so many games of one run, and how many processes it took.
fn games(villain: &str, count: usize) -> (Vec<String>, usize) {
    let diary = Diary::new();
    let mut pair = Pair::new(villain, &diary, 0, patient_terms());
    let begun = Instant::now();
    let ends = (0..count).map(|_| end(&mut pair)).collect();
    println!("{villain}: {ends:?} in {:?}", begun.elapsed());
    drop(pair);
    diary.wait_until_gone().unwrap();
    (ends, diary.leaders().len())
}

/// How a game ended for the villain, and for its opponent.
fn end(pair: &mut Pair) -> String {
    let played = pair.play();
    let lost = |places: Vec<usize>| places == [1, 0];
    let lost = played.outcome.is_some_and(|outcome| lost(outcome.places()));
    match &played.faults[..] {
        [] => "fine".into(),
        [story] if story.seat == pair.seat && lost => {
            format!("{} at ply {}", story.fault.word(), story.ply)
        }
        others => format!("{others:?}, lost: {lost}"),
    }
}

#[test]
fn a_kept_bot_plays_in_one_process() {
    assert_eq!(games("kept", 5), (vec!["fine".to_owned(); 5], 1));
}

/// However late the thanks come after the result, they are no part of the next game.
#[test]
fn what_is_left_over_after_a_game_is_dropped() {
    for villain in ["kept-leftovers", "kept-late-leftovers"] {
        assert_eq!(games(villain, 5), (vec!["fine".to_owned(); 5], 1), "{villain}");
    }
}

#[test]
fn a_kept_bot_that_crashes_loses_that_game_and_is_started_anew() {
    // Its second game is the first of a new process only after it crashed in it.
    let ends = ["fine", "crash at ply 0", "fine", "crash at ply 0", "fine"];
    assert_eq!(games("kept-crash-in-second", 5), (ends.map(str::to_owned).to_vec(), 3));
}

#[test]
fn a_kept_bot_that_ends_between_games_loses_the_next_one() {
    let ends = ["fine", "crash at ply 0", "fine", "crash at ply 0"];
    assert_eq!(games("kept-exit-between", 4), (ends.map(str::to_owned).to_vec(), 2));
}

#[test]
fn a_late_line_is_not_the_next_games_answer() {
    let diary = Diary::new();
    let mut pair = Pair::new("late", &diary, 0, patient_terms());
    pair.limits.clock.per_move = Some(HURRY);
    assert_eq!([end(&mut pair), end(&mut pair)], ["timeout at ply 0", "timeout at ply 0"]);
    assert_eq!(diary.leaders().len(), 2);
}

/// What a villain says last is in the story.
#[test]
fn last_words_on_standard_error_are_kept() {
    let diary = Diary::new();
    let played = Pair::new("crash", &diary, 0, patient_terms()).play();
    assert_eq!(played.faults[0].stderr, "last words\n");
}

/// More is to be written than the pipe takes, and nobody reads it.
#[test]
fn a_long_prompt_to_one_who_never_reads_ends_in_time() {
    let diary = Diary::new();
    let limit = Limit {
        time: Some(HURRY),
        margin: Duration::ZERO,
        kind: ClockKind::Wall,
        line: 1000,
        whole: false,
    };
    let mut villain = Watched::villain("never-reads", &diary);
    villain.sit(&[]).unwrap();
    let fault = villain.ask(&"all the rules again\n".repeat(100_000), &limit, None).unwrap_err();
    let elapsed = villain.verdict.unwrap();
    println!("never-reads: {fault} after {elapsed:?}");
    assert_eq!(fault, Fault::timeout(HURRY));
    assert!(elapsed < HURRY + NET);
    villain.leave(Shutdown::AtOnce);
    diary.wait_until_gone().unwrap();
}
