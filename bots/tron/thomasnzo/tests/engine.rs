//! The engine as a whole: budgets, depths, and that the same limits give the same answer.

use super::super::depth_control::DepthControl;
use super::super::{ThomasNzo, Version};
use super::*;
use crate::engine::Engine;
use arbitre_games::search::budget::{Budget, Timer};
use arbitre_games::search::cpu_time::thread_time;
use std::time::{Duration, Instant};

const OPEN: &str = "............/.A........../............/............/..........B./............";
const ALL: [Version; 3] = [Version::Fixed, Version::Adaptive, Version::Breadth];

/// What a comment says after this word.
fn said(comment: &str, word: &str) -> i64 {
    let mut words = comment.split(' ').skip_while(|&known| known != word);
    words.nth(1).expect("it says so").parse().expect("a number")
}

fn choose(engine: &mut ThomasNzo, text: &str, me: usize, budget: Budget) -> (Direction, String) {
    engine.choose(&position(text, me), Seat::new(me), budget)
}

#[test]
fn the_fixed_depth_is_5_unless_another_is_given() {
    let mut engine = ThomasNzo::new(Version::Fixed);
    let mut depth = |budget| said(&choose(&mut engine, OPEN, 0, budget).1, "depth");
    assert_eq!([depth(Budget::default()), depth(Budget::depth(3))], [5, 3]);
}

/// What was not searched to the end is judged one ply ahead, be only the last node missing.
#[test]
fn an_unfinished_search_tells_nothing() {
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
fn breadth_ends_with_a_complete_depth() {
    let mut engine = ThomasNzo::new(Version::Breadth);
    for nodes in [1, 30, 500] {
        let (direction, comment) = choose(&mut engine, OPEN, 0, Budget::nodes(nodes));
        let depth = said(&comment, "depth") as u32;
        let expected = choose(&mut ThomasNzo::new(Version::Fixed), OPEN, 0, Budget::depth(depth));
        assert_eq!((direction, said(&comment, "score")), (expected.0, said(&expected.1, "score")));
        assert!(said(&comment, "nodes") <= nodes as i64 + 1);
    }
}

/// From one move to the next, never during one: below 20 % deeper, beyond 70 % or unfinished less deep.
#[test]
fn the_depth_follows_from_the_move_before() {
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
fn adaptive_goes_deeper_and_back() {
    let mut engine = ThomasNzo::new(Version::Adaptive);
    let mut depth = |nodes| said(&choose(&mut engine, OPEN, 0, Budget::nodes(nodes)).1, "depth");
    // Nodes stand for time: with plenty of them every move is quick.
    let many = 1_000_000;
    assert_eq!([depth(many), depth(many), depth(many)], [5, 6, 7]);
    // Two searches that do not get to their end, which are judged one ply ahead.
    assert_eq!([depth(50), depth(50), depth(many)], [1, 1, 6]);
}

/// A new game begins with the depth of the first move.
#[test]
fn no_depth_outlives_its_game() {
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

/// The same limits of nodes or depth, the same answer, whatever was asked before.
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

/// All three agree at an equal depth, ties included.
#[test]
fn the_versions_agree_at_an_equal_depth() {
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

/// 70 hundredths of the time are used, and no move takes all of it. A pause of the machine does not
/// count, as it is processor time.
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
    let timer = Timer::cpu(Instant::now(), Duration::from_millis(100));
    let budget = Budget { time: Some(timer), ..Budget::default() };
    choose(&mut ThomasNzo::new(Version::Breadth), &text, 0, budget);
    assert!((69..90).contains(&timer.percent_spent()), "{}", timer.percent_spent());
}
