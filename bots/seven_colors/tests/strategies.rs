//! A test for each strategy.

use super::super::{
    strategy, Greedy, Hegemonic, HegemonicContact, HegemonicExpanding, Hybrid, Napoleon, Oracle,
    Random, TwoPlyPlanner,
};
use super::plain::{most, Plain};
use super::{agrees, choice, position};
use crate::options::Options;
use crate::seven_colors::Strategy;
use arbitre_games::games::seven_colors::Colour;
use std::collections::HashSet;

fn choices(strategy: &mut dyn Strategy, rules: &str, picture: &str) -> HashSet<char> {
    let position = position(rules, picture);
    let with_seed = |seed| {
        strategy.begin(seed);
        choice(strategy, &position, None)
    };
    (0..200).map(with_seed).collect()
}

/// Beside seat 0 are an A and a C; behind these a B.
const CORNER: &str = "BA./BBC/*BB";

#[test]
fn random_plays_any_colour() {
    let rules = "size=3x3 colours=4";
    assert_eq!(choices(&mut Random::any(), rules, CORNER), HashSet::from(['A', 'B', 'C', 'D']));
    let banned = choices(&mut Random::any(), "size=3x3 colours=4 ban=opponent", "BA./BBC/*BB A C");
    assert_eq!(banned, HashSet::from(['A', 'B', 'D']));
}

#[test]
fn random_is_the_same_for_a_seed() {
    let position = position("size=3x3 colours=4", CORNER);
    let game = |seed| -> Vec<char> {
        let mut random = Random::any();
        random.begin(seed);
        (0..20).map(|_| choice(&mut random, &position, None)).collect()
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
}

#[test]
fn random_useful_plays_colours_that_gain() {
    let rules = "size=3x3 colours=4";
    assert_eq!(choices(&mut Random::useful(), rules, CORNER), HashSet::from(['A', 'C']));
    let banned =
        choices(&mut Random::useful(), "size=3x3 colours=4 ban=opponent", "BA./BBC/*BB - C");
    assert_eq!(banned, HashSet::from(['A']));
    let shut_in = choices(&mut Random::useful(), rules, "B*./B**/BBB");
    assert_eq!(shut_in.len(), 4, "where nothing gains it plays anything");
}

fn greedy(plain: &Plain) -> Colour {
    most(plain.legal(), |colour| plain.after(colour).cells()).expect("a colour")
}

#[test]
fn greedy_gains_most() {
    agrees(&mut Greedy, None, 3, greedy);
    let tied = position("size=3x3", CORNER);
    assert_eq!(choice(&mut Greedy, &tied, None), 'A', "the first letter of equals");
}

#[test]
fn hegemonic_wants_a_contested_border() {
    agrees(&mut Hegemonic, None, 3, |plain| {
        let worth = |colour| plain.after(colour).contested();
        let useful = plain.useful().into_iter().rev();
        most(useful, worth).filter(|&colour| worth(colour) > 0).unwrap_or_else(|| greedy(plain))
    });
    let tied = position("size=3x3", CORNER);
    assert_eq!(choice(&mut Hegemonic, &tied, None), 'C', "the last letter of equals");
}

#[test]
fn hegemonic_contact_wants_points_of_contact() {
    agrees(&mut HegemonicContact, None, 3, |plain| {
        let worth = |colour| plain.after(colour).contacts();
        let best = most(plain.legal(), worth);
        best.filter(|&c| worth(c) > plain.contacts()).unwrap_or_else(|| greedy(plain))
    });
}

#[test]
fn hegemonic_expanding_wants_a_border_that_leads_on() {
    for edges in [false, true] {
        agrees(&mut HegemonicExpanding::new(edges), None, 3, |plain| {
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
fn hybrid_wants_cells_and_a_border_that_leads_on() {
    agrees(&mut Hybrid, None, 3, |plain| {
        let worth = |colour| plain.after(colour).cells() + plain.after(colour).expanding(plain);
        most(plain.useful(), worth).unwrap_or_else(|| greedy(plain))
    });
}

/// The plan of so many moves, as the report tells it: try each colour, then do as the planner of a move
/// less does, and so on.
fn planned(plain: &Plain, moves: u32) -> Colour {
    let worth = |colour| {
        let first = plain.after(colour);
        let mut last = first.clone();
        for left in (1..moves).rev() {
            last = last.after(planned(&last, left));
        }
        (last.cells(), first.cells())
    };
    most(plain.legal(), worth).expect("a colour")
}

#[test]
fn foreseeing_plans_two_moves() {
    agrees(&mut TwoPlyPlanner, None, 2, |plain| planned(plain, 2));
    // C gains two cells and leads to single ones, A gains one and leads to four.
    let position = position("size=4x4", "BBA./BBFC/EGEC/*FGD");
    assert_eq!(choice(&mut Greedy, &position, None), 'C');
    assert_eq!(choice(&mut TwoPlyPlanner, &position, None), 'A');
}

#[test]
fn oracle_plans_as_many_moves_as_it_is_told() {
    agrees(&mut Oracle, Some(3), 1, |plain| planned(plain, 3));
    agrees(&mut Oracle, Some(1), 2, greedy);
    agrees(&mut Oracle, Some(2), 1, |plain| planned(plain, 2));
    agrees(&mut Oracle, None, 1, |plain| planned(plain, 4));
}

#[test]
fn mix_plans_for_cells_and_perimeter() {
    for (words, weight, moves) in
        [("", 0.5, None), ("--weight 2", 2.0, None), ("--weight .25", 0.25, Some(1))]
    {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let mut mix = strategy("mix", &mut Options::new(&words)).unwrap();
        let worth = |plain: &Plain| plain.cells() as f64 + weight * plain.border().len() as f64;
        agrees(&mut *mix, moves, 2, |plain| {
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
            most(plain.legal(), best).expect("a colour")
        });
    }
}

/// Minimax without any bounds.
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
    if is_own_move { values.max() } else { values.min() }.expect("a colour")
}

#[test]
fn napoleon_thinks_of_the_opponent() {
    for told in [Some(1), Some(2), Some(3), None] {
        let depth = told.unwrap_or(4);
        agrees(&mut Napoleon, told, 1, |plain| {
            let worth = |colour| minimax(&plain.after(colour).turned(), depth - 1, false);
            let useful = plain.useful();
            most(useful, worth).unwrap_or_else(|| plain.legal().next().expect("a colour"))
        });
    }
}
