//! Tests of the whole engine: budgets, depths, and determinism under equal limits.

use super::super::depth_control::DepthControl;
use super::super::{ThomasNzo, Version};
use super::*;
use crate::engine::Engine;
use arbitre_games::search::budget::{Budget, Timer};
use arbitre_games::search::cpu_time::thread_time;
use std::time::Duration;

const OPEN: &str = "............/.A........../............/............/..........B./............";
const ALL: [Version; 3] = [Version::Fixed, Version::Adaptive, Version::Breadth];

/// Returns the number after `word` in a move's comment.
fn said(comment: &str, word: &str) -> i64 {
    let mut words = comment.split(' ').skip_while(|&known| known != word);
    words.nth(1).expect("the comment has the word").parse().expect("a number")
}

fn choose(engine: &mut ThomasNzo, text: &str, me: usize, budget: Budget) -> (Direction, String) {
    engine.choose(&position(text, me), Seat::new(me), budget)
}

#[test]
fn fixed_depth_defaults_to_five() {
    let mut engine = ThomasNzo::new(Version::Fixed);
    let mut depth = |budget| said(&choose(&mut engine, OPEN, 0, budget).1, "depth");
    assert_eq!([depth(Budget::default()), depth(Budget::depth(3))], [5, 3]);
}

/// An unfinished search falls back to one ply, even if only the last node is missing.
#[test]
fn unfinished_search_falls_back_to_one_ply() {
    let (expected, _) = choose(&mut ThomasNzo::new(Version::Fixed), OPEN, 0, Budget::depth(1));
    for version in [Version::Fixed, Version::Adaptive] {
        let answer = |budget| choose(&mut ThomasNzo::new(version), OPEN, 0, budget);
        let all = said(&answer(Budget::default()).1, "nodes") as u64;
        for nodes in [20, all - 1] {
            let (direction, comment) = answer(Budget::nodes(nodes));
            assert_eq!((direction, said(&comment, "depth")), (expected, 1), "{nodes} of {all}");
        }
        assert_eq!(said(&answer(Budget::nodes(all)).1, "depth"), 5);
    }
}

#[test]
fn breadth_answers_with_a_complete_depth() {
    let mut engine = ThomasNzo::new(Version::Breadth);
    for nodes in [1, 30, 500] {
        let (direction, comment) = choose(&mut engine, OPEN, 0, Budget::nodes(nodes));
        let depth = said(&comment, "depth") as u32;
        let expected = choose(&mut ThomasNzo::new(Version::Fixed), OPEN, 0, Budget::depth(depth));
        assert_eq!((direction, said(&comment, "score")), (expected.0, said(&expected.1, "score")));
        assert!(said(&comment, "nodes") <= nodes as i64 + 1);
    }
}

/// The depth changes between moves: deeper below 20 %, shallower above 70 % or if unfinished.
#[test]
fn depth_follows_the_previous_move() {
    let after = |percent, finished| {
        let mut depth_control = DepthControl::new(5);
        depth_control.learn(percent, finished);
        depth_control.depth()
    };
    assert_eq!([after(0, true), after(19, true), after(20, true)], [6, 6, 5]);
    assert_eq!([after(70, true), after(71, true), after(10, false)], [5, 4, 4]);
    let mut least = DepthControl::new(1);
    least.learn(100, false);
    assert_eq!(least.depth(), 1);
}

#[test]
fn adaptive_depth_rises_and_falls() {
    let mut engine = ThomasNzo::new(Version::Adaptive);
    let mut depth = |nodes| said(&choose(&mut engine, OPEN, 0, Budget::nodes(nodes)).1, "depth");
    // Nodes stand for time: with enough of them every move is quick.
    let many = 1_000_000;
    assert_eq!([depth(many), depth(many), depth(many)], [5, 6, 7]);
    // Two unfinished searches fall back to one ply each.
    assert_eq!([depth(50), depth(50), depth(many)], [1, 1, 6]);
}

/// A new game starts with the initial depth.
#[test]
fn new_game_resets_the_depth() {
    use arbitre_games::dialect::Start;
    let mut engine = ThomasNzo::new(Version::Adaptive);
    let budget = Budget::nodes(1_000_000);
    let first = choose(&mut engine, OPEN, 0, budget).1;
    assert_ne!(choose(&mut engine, OPEN, 0, budget).1, first);
    let game = Tron::from_rules("size=12x6").unwrap();
    let state = position(OPEN, 0);
    let clock = arbitre_games::clock::Clock::default();
    engine.begin(&Start { game, state, seat: Seat::FIRST, seats: 2, clock, seed: 1 });
    assert_eq!(choose(&mut engine, OPEN, 0, budget).1, first);
}

/// The same limits of nodes or depth give the same answer, whatever was searched before.
#[test]
fn limits_without_time_are_deterministic() {
    let mut rng = Rng::new(5);
    let mut engines = ALL.map(ThomasNzo::new);
    for _ in 0..60 {
        let (text, me) = random_picture(&mut rng);
        for (engine, version) in engines.iter_mut().zip(ALL) {
            let budgets = [Budget::depth(3), Budget::nodes(1 + rng.below(300) as u64)];
            for budget in budgets.into_iter().filter(|_| version != Version::Adaptive) {
                let expected = choose(&mut ThomasNzo::new(version), &text, me, budget);
                assert_eq!(choose(engine, &text, me, budget), expected, "{version:?} in {text}");
            }
        }
    }
}

/// All three versions agree at equal depth, ties included.
#[test]
fn versions_agree_at_equal_depth() {
    let mut rng = Rng::new(6);
    let mut engines = ALL.map(ThomasNzo::new);
    for _ in 0..100 {
        let (text, me) = random_picture(&mut rng);
        for depth in 1..=4 {
            let moves = engines.each_mut().map(|engine| {
                let (direction, comment) = choose(engine, &text, me, Budget::depth(depth));
                (direction, said(&comment, "score"))
            });
            assert!(moves[0] == moves[1] && moves[0] == moves[2], "{moves:?} in {text} for {me}");
        }
    }
}

/// 70 % of the time is used, and no move takes all of it. CPU time excludes pauses of the machine.
#[test]
fn breadth_uses_its_share_of_the_time() {
    if thread_time().is_none() {
        eprintln!("SKIPPED: this system does not tell processor time");
        return;
    }
    let rows = [".".repeat(30); 1].concat();
    let middle = format!("{}A{}", ".".repeat(7), ".".repeat(22));
    let last = format!("{}B{}", ".".repeat(20), ".".repeat(9));
    let text = [&rows, &middle, &rows, &rows, &rows, &last, &rows].map(String::as_str).join("/");
    let spent = || {
        let timer = Timer::cpu(Duration::from_millis(100));
        let budget = Budget { time: Some(timer), ..Budget::default() };
        choose(&mut ThomasNzo::new(Version::Breadth), &text, 0, budget);
        timer.percent_spent()
    };
    // A host that stalls charges its stall to the thread, but not every time.
    let tries: Vec<u32> = std::iter::repeat_with(spent).take(10).collect();
    assert!(tries.iter().any(|percent| (69..90).contains(percent)), "{tries:?}");
}
