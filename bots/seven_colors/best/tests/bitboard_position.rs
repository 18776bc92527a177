//! Tests of moves and Voronoi zones on every kind of bitboard, against the plain board and
//! breadth-first searches.

use super::super::bitboard_position::BoardContext;
use super::super::regions;
use super::super::simd::{self, LargeCells, SimdBitboard, SmallCells, UsualCells};
use super::{position, verdict, RULES};
use arbitre_games::bitboard::{Bitboard, Cell};
use arbitre_games::dialect::Notation;
use arbitre_games::game::{Game, State};
use arbitre_games::games::seven_colors::{CellState, Colour, Position, SevenColors};
use arbitre_games::rng::Rng;
use std::fmt::Debug;

fn same_as_the_board<P: SimdBitboard + PartialEq + Debug>(position: &Position) -> usize {
    let (context, node) = BoardContext::<P>::new(position);
    let mut found = Vec::new();
    P::children(&context, &node, &mut found);
    let mut useful = 0;
    for colour in position.moves(position.mover()) {
        let mut after = position.clone();
        after.play(position.mover(), colour).unwrap();
        let child = found.iter().find(|child| usize::from(child.colour) == colour.index());
        useful += usize::from(after.quiet() == 0);
        let Some(child) = child else {
            let seen = context.gaining_is_never_worse(&node) && after.quiet() > 0;
            assert!(seen, "{colour} is left out: {position:?}");
            continue;
        };
        let expected = BoardContext::<P>::new(&after).1;
        assert_eq!(child.node, expected, "{colour}: {position:?}");
        assert_eq!(context.verdict(&child.node), verdict(&after), "{colour}: {position:?}");
        let gain = expected.cells[1] - node.cells[0];
        assert_eq!(child.gain, gain);
    }
    let banned = |colour: u8| position.is_banned(Colour::new(colour.into()));
    assert!(found.iter().all(|child| !banned(child.colour)), "{position:?}");
    assert!(!found.is_empty());
    useful
}

#[test]
fn moves_agree_with_the_plain_board() {
    let mut rng = Rng::new(1);
    let mut useful = 0;
    for round in 0..400 {
        let rules = RULES[round % RULES.len()];
        let small = (2 + rng.below(8), 2 + rng.below(8));
        if let Some(position) = position(&mut rng, rules, small) {
            useful += same_as_the_board::<SmallCells>(&position);
            useful += same_as_the_board::<UsualCells>(&position);
            useful += same_as_the_board::<LargeCells>(&position);
        }
        let large = (2 + rng.below(29), 2 + rng.below(29));
        if let Some(position) = position(&mut rng, rules, large) {
            useful += same_as_the_board::<UsualCells>(&position);
        }
    }
    assert!(useful > 1500, "{useful}");
}

/// Counts by breadth-first search the free cells that each player reaches first. The players
/// advance in turn, the mover first, at most three cells into each adjacent region.
fn zones_by_queue(position: &Position) -> [u32; 2] {
    let board = position.board();
    let mut cells = board.cells().to_vec();
    let colour = board.cells().to_vec();
    let mover = position.mover();
    let of = |seat| (0..colour.len()).filter(|&at| colour[at] == CellState::Taken(seat)).collect();
    let mut fronts: [Vec<usize>; 2] = [of(mover), of(mover.other())];
    let mut counts = [0; 2];
    while fronts.iter().any(|front| !front.is_empty()) {
        for turn in 0..2 {
            let seat = if turn == 0 { mover } else { mover.other() };
            let mut reached: Vec<usize> = Vec::new();
            let mut from = fronts[turn].clone();
            for further in 0..3 {
                let mut next = Vec::new();
                for &cell in &from {
                    for beside in board.neighbours(cell) {
                        let is_free = matches!(cells[beside], CellState::Free(_));
                        if is_free && (further == 0 || colour[beside] == colour[cell]) {
                            cells[beside] = CellState::Taken(seat);
                            next.push(beside);
                        }
                    }
                }
                reached.extend(&next);
                from = next;
            }
            counts[turn] += reached.len() as u32;
            fronts[turn] = reached;
        }
    }
    counts
}

fn zones_agree<P: SimdBitboard>(position: &Position, expected: [u32; 2]) {
    let (context, node) = BoardContext::<P>::new(position);
    assert_eq!(P::zones(&context, &node), expected, "{position:?}");
    assert_eq!(regions::zones::<P>(&context, &node), expected, "{position:?}");
}

#[test]
fn zones_agree_with_breadth_first_search() {
    let mut rng = Rng::new(2);
    for round in 0..400 {
        let small = round % 2 == 0;
        let longest = if small { 8 } else { 29 };
        let size = (2 + rng.below(longest), 2 + rng.below(longest));
        let Some(position) = position(&mut rng, "", size) else { continue };
        let expected = zones_by_queue(&position);
        zones_agree::<UsualCells>(&position, expected);
        zones_agree::<LargeCells>(&position, expected);
        if small {
            zones_agree::<SmallCells>(&position, expected);
        }
    }
}

/// Includes the variants that a newer processor would not use.
#[cfg(target_arch = "x86_64")]
#[test]
fn registers_agree_with_arrays() {
    let mut rng = Rng::new(7);
    let mut outrun = [0; 2];
    for round in 0..400 {
        let size = (2 + rng.below(29), 2 + rng.below(29));
        let Some(position) = position(&mut rng, RULES[round % RULES.len()], size) else { continue };
        let (context, node) = BoardContext::<UsualCells>::new(&position);
        let cells = position.rules().cells() as u32;
        let goal = cells / 8 + rng.below(cells as usize / 2) as u32;
        let answers = simd::in_each_form(&context, &node, goal);
        outrun[usize::from(answers[0].2.contains(&true))] += 1;
        assert!(answers.iter().all(|other| *other == answers[0]), "{position:?}");
    }
    assert!(outrun.iter().all(|&count| count > 50), "{outrun:?}");
}

#[test]
fn default_board_fits_its_bitboard() {
    let game = SevenColors::from_rules("").unwrap();
    let board = game.setups(2, 0, Rng::new(1)).next().unwrap();
    let position = game.start(&board).unwrap();
    let (context, node) = BoardContext::<UsualCells>::new(&position);
    assert_eq!(context.board.count(), 900);
    assert!(context.board.has(Cell::new(29, 29)) && !context.board.has(Cell::new(30, 29)));
    assert_eq!(context.free(&node).count(), 898);
}
