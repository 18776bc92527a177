//! A test for each strategy.

use super::plain::{most, Plain};
use super::{agrees, choice, named, position};
use crate::seven_colors::MoveContext;
use arbitre_games::games::seven_colors::graph::Graph;
use arbitre_games::games::seven_colors::Colour;
use std::collections::HashSet;

fn choices(words: &str, rules: &str, picture: &str) -> HashSet<char> {
    let (position, mut strategy) = (position(rules, picture), named(words));
    let with_seed = |seed| {
        strategy.begin(seed);
        choice(&mut *strategy, &position, None)
    };
    (0..200).map(with_seed).collect()
}

/// Returns the letter that a strategy without random choices plays.
fn only_choice(words: &str, rules: &str, picture: &str) -> char {
    choice(&mut *named(words), &position(rules, picture), None)
}

/// Board with an A and a C beside seat 0, and Bs behind them.
const CORNER: &str = "BA./BBC/*BB";

#[test]
fn random_plays_any_colour() {
    let rules = "size=3x3 colours=4";
    assert_eq!(choices("random", rules, CORNER), HashSet::from(['A', 'B', 'C', 'D']));
    let banned = choices("random", "size=3x3 colours=4 ban=opponent", "BA./BBC/*BB A C");
    assert_eq!(banned, HashSet::from(['A', 'B', 'D']));
}

#[test]
fn random_repeats_with_the_same_seed() {
    let position = position("size=3x3 colours=4", CORNER);
    let game = |seed| -> Vec<char> {
        let mut random = named("random");
        random.begin(seed);
        (0..20).map(|_| choice(&mut *random, &position, None)).collect()
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
}

#[test]
fn random_useful_plays_colours_that_gain() {
    let rules = "size=3x3 colours=4";
    assert_eq!(choices("random-useful", rules, CORNER), HashSet::from(['A', 'C']));
    let banned = choices("random-useful", "size=3x3 colours=4 ban=opponent", "BA./BBC/*BB - C");
    assert_eq!(banned, HashSet::from(['A']));
    let shut_in = choices("random-useful", rules, "B*./B**/BBB");
    assert_eq!(shut_in.len(), 4, "without any gain it plays any colour");
}

fn greedy(plain: &Plain) -> Colour {
    most(plain.legal(), |colour| plain.after(colour).cells()).expect("some colour is legal")
}

#[test]
fn greedy_gains_most() {
    agrees("greedy", None, 3, greedy);
    assert_eq!(only_choice("greedy", "size=3x3", CORNER), 'A', "the first letter among equals");
}

#[test]
fn hegemonic_maximises_contested_cells() {
    agrees("hegemonic", None, 3, |plain| {
        let worth = |colour| plain.after(colour).contested();
        let useful = plain.useful().into_iter().rev();
        most(useful, worth).filter(|&colour| worth(colour) > 0).unwrap_or_else(|| greedy(plain))
    });
    assert_eq!(only_choice("hegemonic", "size=3x3", CORNER), 'C', "the last letter among equals");
}

#[test]
fn hegemonic_contact_maximises_contacts() {
    agrees("hegemonic-contact", None, 3, |plain| {
        let worth = |colour| plain.after(colour).contacts();
        let best = most(plain.legal(), worth);
        best.filter(|&c| worth(c) > plain.contacts()).unwrap_or_else(|| greedy(plain))
    });
}

#[test]
fn hegemonic_expanding_maximises_expanding_cells() {
    for (words, edges) in [("hegemonic-expanding", false), ("hegemonic-expanding --edges on", true)]
    {
        agrees(words, None, 3, |plain| {
            let worth = |colour| {
                let after = plain.after(colour);
                after.expanding(plain) + if edges { after.edges() } else { 0 }
            };
            let best = most(plain.useful(), worth);
            best.filter(|&colour| worth(colour) > 0).unwrap_or_else(|| greedy(plain))
        });
    }
}

#[test]
fn hybrid_maximises_own_and_expanding_cells() {
    agrees("hybrid", None, 3, |plain| {
        let worth = |colour| plain.after(colour).cells() + plain.after(colour).expanding(plain);
        most(plain.useful(), worth).unwrap_or_else(|| greedy(plain))
    });
}

/// Plans `moves` moves as the report describes it: tries each colour, then plays on as the planner
/// of one move less.
fn planned(plain: &Plain, moves: u32) -> Colour {
    let worth = |colour| {
        let first = plain.after(colour);
        let mut last = first.clone();
        for left in (1..moves).rev() {
            last = last.after(planned(&last, left));
        }
        (last.cells(), first.cells())
    };
    most(plain.legal(), worth).expect("some colour is legal")
}

#[test]
fn foreseeing_plans_two_moves() {
    agrees("foreseeing", None, 2, |plain| planned(plain, 2));
    // C gains two cells and then single ones; A gains one cell and then four.
    let there = |words| only_choice(words, "size=4x4", "BBA./BBFC/EGEC/*FGD");
    assert_eq!((there("greedy"), there("foreseeing")), ('C', 'A'));
}

#[test]
fn oracle_plans_the_given_number_of_moves() {
    agrees("oracle", Some(3), 1, |plain| planned(plain, 3));
    agrees("oracle", Some(1), 2, greedy);
    agrees("oracle", Some(2), 1, |plain| planned(plain, 2));
    agrees("oracle", None, 1, |plain| planned(plain, 4));
}

#[test]
fn mix_plans_for_cells_and_perimeter() {
    for (words, weight, moves) in
        [("mix", 0.5, None), ("mix --weight 2", 2.0, None), ("mix --weight .25", 0.25, Some(1))]
    {
        let worth = |plain: &Plain| plain.cells() as f64 + weight * plain.border().len() as f64;
        agrees(words, moves, 2, |plain| {
            let last = greedy(plain);
            if plain.after(last).is_decided() {
                return last;
            }
            let two = |first: Plain| -> f64 {
                first.legal().map(|colour| worth(&first.after(colour))).fold(0.0, f64::max)
            };
            let best = |colour| match moves {
                Some(1) => worth(&plain.after(colour)),
                _ => two(plain.after(colour)),
            };
            most(plain.legal(), best).expect("some colour is legal")
        });
    }
}

/// Values counted by hand. A and then B make six cells against one. C alone makes three cells, with
/// three expanding ones for `napoleon` and a perimeter of four for `mix`.
#[test]
fn value_of_a_plan_is_a_lead() {
    let value = |words: &str, depth| {
        let position = position("size=4x4", "BBA./BBFC/EGEC/*FGD");
        let (graph, node) = Graph::new(&position);
        let context = MoveContext { graph: &graph, node, seat: position.mover() };
        named(words).choose(&context, depth).1
    };
    for (words, depth, lead) in [
        ("foreseeing", None, Some(5.0)),
        ("oracle", Some(2), Some(5.0)),
        ("oracle", Some(1), None),
        ("napoleon", Some(1), Some(5.0)),
        ("mix", Some(1), Some(4.0)),
        ("greedy", None, None),
    ] {
        assert_eq!(value(words, depth), lead, "{words}");
    }
}

/// Minimax without bounds.
fn minimax(plain: &Plain, plies: u32, is_own_move: bool) -> usize {
    if plies == 0 || plain.is_decided() {
        let own = if is_own_move { plain.clone() } else { plain.turned() };
        return own.cells() + own.expanding(&own);
    }
    let mut colours = plain.useful();
    if colours.is_empty() {
        colours.extend(plain.legal().next());
    }
    let next = |colour: Colour| plain.after(colour).turned();
    let values = colours.into_iter().map(|c| minimax(&next(c), plies - 1, !is_own_move));
    if is_own_move { values.max() } else { values.min() }.expect("some colour is legal")
}

#[test]
fn napoleon_agrees_with_minimax() {
    for told in [Some(1), Some(2), Some(3), None] {
        let depth = told.unwrap_or(4);
        agrees("napoleon", told, 1, |plain| {
            let worth = |colour| minimax(&plain.after(colour).turned(), depth - 1, false);
            let useful = plain.useful();
            most(useful, worth)
                .unwrap_or_else(|| plain.legal().next().expect("some colour is legal"))
        });
    }
}
