//! Tests of the search against plain minimax, and of whole games of the bot.

use super::super::bitboard_position::{BitboardNode, BoardContext};
use super::super::search::SevenColorsSearch;
use super::super::simd::{SimdBitboard, SmallCells};
use super::super::solve::BoardSolver;
use super::super::Best;
use super::{after, position, RULES};
use crate::engine::Engine;
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::games::seven_colors::{Colour, SevenColors};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::{Budget, Limiter};
use arbitre_games::search::transposition::WON;
use std::cmp::Ordering;

/// Reference implementation of the search: plain minimax.
fn minimax<P: SimdBitboard>(context: &BoardContext<P>, node: &BitboardNode<P>, depth: u32) -> i32 {
    let taken = i32::from(node.cells[0] + node.cells[1]);
    match context.verdict(node) {
        Some(Ordering::Greater) => return 2 * WON - taken,
        Some(Ordering::Less) => return taken - 2 * WON,
        Some(Ordering::Equal) => return 0,
        None => {}
    }
    if depth == 0 {
        let [own, other] = P::zones(context, node).map(|zone| zone as i32);
        return own + i32::from(node.cells[0]) - other - i32::from(node.cells[1]);
    }
    let mut found = Vec::new();
    P::children(context, node, &mut found);
    found.iter().map(|child| -minimax(context, &child.node, depth - 1)).max().unwrap()
}

/// Without late move reductions, which may change values.
#[test]
fn search_agrees_with_minimax() {
    let mut rng = Rng::new(4);
    let mut decided = 0;
    for round in 0..160 {
        let size = (3 + rng.below(6), 3 + rng.below(6));
        let Some(position) = position(&mut rng, RULES[round % RULES.len()], size) else { continue };
        let (context, node) = BoardContext::<SmallCells>::new(&position);
        let mut searcher = SevenColorsSearch::without_reductions(1 << 10);
        let mut limiter = Limiter::new(Budget::depth(1 + rng.below(4) as u32));
        let found = searcher.search(&context, &node, &mut limiter);
        assert_eq!(found.value, minimax(&context, &node, found.depth), "{position:?}");
        let mut children = Vec::new();
        SmallCells::children(&context, &node, &mut children);
        let best = children.iter().find(|child| child.colour == found.best).unwrap();
        assert_eq!(-minimax(&context, &best.node, found.depth - 1), found.value);
        decided += usize::from(found.value.abs() >= WON);
    }
    assert!((10..150).contains(&decided), "{decided}");
}

/// A result that half of the nodes can prove is mostly reported, for wins and losses alike.
#[test]
fn provable_results_are_reported() {
    let game = SevenColors::from_rules("size=14x14").unwrap();
    let (mut shown, mut said) = ([0; 2], [0; 2]);
    for (number, board) in game.setups(2, 0, Rng::new(8)).take(60).enumerate() {
        let mut position = game.start(&board).unwrap();
        for _ in 0..14 + number % 4 {
            let mover = position.mover();
            let score = |&colour: &Colour| after(&position, colour).scores()[mover.index()];
            let greediest = position.moves(mover).into_iter().max_by_key(score).unwrap();
            position.play(mover, greediest).unwrap();
        }
        let mut limiter = Limiter::new(Budget::nodes(1500));
        let Some(solution) = BoardSolver::new(false).solve(&position, &mut limiter) else {
            continue;
        };
        let thought = Best::default().best_move(&position, Budget::nodes(3000));
        assert!(thought.proved.is_none_or(|result| result == solution.result), "{position:?}");
        let who = usize::from(solution.result == Ordering::Less);
        shown[who] += 1;
        said[who] += usize::from(thought.proved.is_some());
    }
    let are_said = (0..2).all(|who| shown[who] > 8 && 2 * said[who] > shown[who]);
    assert!(are_said, "{said:?} of {shown:?}");
}

/// Every choice is legal, under all rules and on boards of every size. The bot beats random play,
/// and every win that it announced comes true.
#[test]
fn announced_wins_are_won() {
    let mut rng = Rng::new(5);
    let (mut won, mut games, mut said) = (0, 0, 0);
    for round in 0..40 {
        let size = [(6, 7), (9, 9), (12, 10), (31, 5)][round % 4];
        let rules = RULES[round % 7];
        let Some(start) = position(&mut rng, rules, size) else { continue };
        let (mut best, mut position, mut winner) = (Best::default(), start, None);
        while position.outcome().is_none() {
            let mover = position.mover();
            let colour = match mover == Seat::FIRST {
                true => {
                    let (colour, comment) = best.choose(&position, mover, Budget::nodes(600));
                    winner = winner.or(comment.contains(" win 1 ").then_some(mover));
                    colour
                }
                false => {
                    let moves = position.moves(mover);
                    moves[rng.below(moves.len())]
                }
            };
            position.play(mover, colour).unwrap();
        }
        let scores = position.scores();
        games += 1;
        won += usize::from(scores[0] > scores[1]);
        said += usize::from(winner.is_some());
        assert!(winner.is_none() || scores[0] > scores[1], "{position:?}");
    }
    assert!(10 * won >= 8 * games && said >= games / 2, "{won} of {games}, {said} said");
}
