//! Tests of the region graph against the plain board.

use super::super::graph::{Graph, GraphNode};
use super::super::regions::Regions;
use super::super::{seats, CellState, ColourRule, Position, SevenColors};
use super::{random_board, random_rules};
use crate::bitboard::Bitboard;
use crate::dialect::Notation;
use crate::game::{Game, Seat, State};
use crate::rng::Rng;

/// Asserts that the node has all facts of the position.
fn agree(graph: &Graph, node: &GraphNode, position: &Position) {
    let board = position.board();
    for seat in seats() {
        let owned = board.cells_where(|cell| cell == CellState::Taken(seat));
        assert_eq!(graph.area(node.taken(seat)), owned, "{position:?}");
        assert_eq!(usize::from(node.cells(seat)), board.count(seat));
        let free = board.cells_where(|cell| matches!(cell, CellState::Free(_)));
        let beside = owned.dilate().and(free);
        assert_eq!(graph.area(&node.frontier(seat)).and(beside), beside, "{position:?}");
        let touches = |region| !graph.area(&Regions::one(region)).and(beside).is_empty();
        assert!(node.frontier(seat).iter().all(touches), "{position:?}");
    }
    assert_eq!(graph.scores(node).map(usize::from), position.scores(), "{position:?}");
    assert_eq!(graph.is_over(node), position.outcome().is_some(), "{position:?}");
    let mover = position.mover();
    if position.outcome().is_none() {
        assert!(graph.legal(node, mover).eq(position.moves(mover)), "{position:?}");
        let gains = graph.gains(node, mover);
        for colour in position.moves(mover) {
            let mut after = position.clone();
            after.play(mover, colour).unwrap();
            let gain = after.board().count(mover) - board.count(mover);
            assert_eq!(usize::from(gains[colour.index()]), gain, "{colour} in {position:?}");
            let mut next = *node;
            graph.play(&mut next, mover, colour);
            let foreseen = graph.gains_after(node, mover, &gains, colour);
            assert_eq!(foreseen, graph.gains(&next, mover), "after {colour} in {position:?}");
        }
    }
}

/// Plays random games on boards of all sizes under every option, also on graphs made in mid-game.
#[test]
fn games_agree_with_the_plain_board() {
    let mut rng = Rng::new(11);
    let (mut plies, mut by_option) = (0, [0; 5]);
    for number in 0..400 {
        let longest = if number % 40 == 0 { 32 } else { 9 };
        let rules = random_rules(&mut rng, longest);
        let board = random_board(rules, &mut rng);
        let mut position = SevenColors::new(rules).start(&board).unwrap();
        let (mut graph, mut node) = Graph::new(&position);
        agree(&graph, &node, &position);
        while position.outcome().is_none() {
            let (mover, moves) = (position.mover(), position.moves(position.mover()));
            let colour = moves[rng.below(moves.len())];
            let before = node.cells(mover);
            let won = graph.play(&mut node, mover, colour);
            assert_eq!(graph.count(&won), node.cells(mover) - before);
            position.play(mover, colour).unwrap();
            agree(&graph, &node, &position);
            plies += 1;
            if rng.below(20) == 0 && position.outcome().is_none() {
                (graph, node) = Graph::new(&position);
                agree(&graph, &node, &position);
            }
        }
        let bans = [ColourRule::None, ColourRule::Opponent, ColourRule::OwnAndOpponent];
        for (count, ban) in by_option.iter_mut().zip(bans) {
            *count += usize::from(rules.ban == ban);
        }
        by_option[3] += usize::from(rules.capture_enclosed);
        by_option[4] += usize::from(rules.count_enclosed);
    }
    assert!(plies > 5_000 && by_option.iter().all(|&games| games > 50), "{plies} {by_option:?}");
}

#[test]
fn region_is_a_connected_component() {
    let game = SevenColors::from_rules("size=3x3").unwrap();
    let setup = game.parse_setup(&["AA.", "BAC", "*BC"], Seat::FIRST).unwrap();
    let (graph, node) = Graph::new(&game.start(&setup).unwrap());
    let mut sizes: Vec<u16> = (0..graph.regions()).map(|region| graph.size(region)).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 1, 1, 1, 2, 3], "two corners, two Bs, Cs, As");
    assert_eq!(graph.gains(&node, Seat::FIRST)[..4], [3, 0, 2, 0]);
    assert_eq!(graph.gains(&node, Seat::new(1))[..4], [0, 2, 0, 0]);
}
