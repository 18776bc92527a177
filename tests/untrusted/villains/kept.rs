//! Villains that are kept between games, and single players without a match.

use crate::villains::harness::{patient_terms, Diary, Pair, Watched, HURRY, NET};
use arbitre::internals::player::fault::Fault;
use arbitre::internals::player::{Player, Shutdown};
use arbitre_process::stopwatch::Limit;
use std::time::Instant;

/// Returns the words of the villain's faults in `count` games of one run, and the number of
/// processes.
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

/// Returns the end of a game for the villain and its opponent.
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

/// Output after the result is not part of the next game, however late it comes.
#[test]
fn output_after_a_game_is_dropped() {
    for villain in ["kept-leftovers", "kept-late-leftovers"] {
        assert_eq!(games(villain, 5), (vec!["fine".to_owned(); 5], 1), "{villain}");
    }
}

#[test]
fn kept_bot_that_crashes_loses_and_is_restarted() {
    // A process crashes in its second game; the next game is the first of a new process.
    let ends = ["fine", "crash at ply 0", "fine", "crash at ply 0", "fine"];
    assert_eq!(games("kept-crash-in-second", 5), (ends.map(str::to_owned).to_vec(), 3));
}

#[test]
fn kept_bot_that_ends_between_games_loses_the_next() {
    let ends = ["fine", "crash at ply 0", "fine", "crash at ply 0"];
    assert_eq!(games("kept-exit-between", 4), (ends.map(str::to_owned).to_vec(), 2));
}

#[test]
fn late_line_does_not_answer_the_next_game() {
    let diary = Diary::new();
    let mut pair = Pair::new("late", &diary, 0, patient_terms());
    pair.limits.clock.per_move = Some(HURRY);
    assert_eq!([end(&mut pair), end(&mut pair)], ["timeout at ply 0", "timeout at ply 0"]);
    assert_eq!(diary.leaders().len(), 2);
}

/// The report of a fault contains the last standard error.
#[test]
fn last_words_on_standard_error_are_kept() {
    let diary = Diary::new();
    let played = Pair::new("crash", &diary, 0, patient_terms()).play();
    assert_eq!(played.faults[0].stderr, "last words\n");
}

/// The prompt is longer than the capacity of the pipe, and the villain does not read it.
#[test]
fn unread_long_prompt_times_out() {
    let diary = Diary::new();
    let limit = Limit { time: Some(HURRY), ..Limit::untimed(1000) };
    let mut villain = Watched::villain("never-reads", &diary);
    villain.sit(&[]).unwrap();
    let fault = villain
        .ask(&"all the rules again\n".repeat(100_000), &limit, None, &mut || {})
        .unwrap_err();
    let elapsed = villain.verdict.unwrap();
    println!("never-reads: {fault} after {elapsed:?}");
    assert!(matches!(fault, Fault::Timeout { limit: HURRY, .. }), "{fault}");
    assert!(elapsed < HURRY + NET);
    villain.leave(Shutdown::AtOnce);
    diary.wait_until_gone().unwrap();
}
