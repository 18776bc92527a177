//! Tests of phase 3: each pass on a position of its own.

use super::super::context::Context;
use super::super::ties::{choose, keep_rooms_open, occupied_around};
use super::*;

const UP: u8 = 1;
const RIGHT: u8 = 2;
const DOWN: u8 = 4;
const LEFT: u8 = 8;

/// Seat 1 is enclosed in the upper left corner with one cell; the root player has many.
const NEXT_TO_A_ROOM: &str = ".B11..../11A...../......../.......C";

#[test]
fn pass_1_drops_moves_beside_shorter_lives() {
    let (board, context) = studied(NEXT_TO_A_ROOM, 0);
    assert_eq!((context.enclosed, context.controlled[1]), (0b10, 1));
    // A trail cell of seat 1 is above the cell to the right; none is beside the cell below.
    assert_eq!(keep_rooms_open(&board, &context, RIGHT | DOWN), DOWN);
    assert_eq!(choose(&board, &context, RIGHT | DOWN), Direction::Down);
    assert_eq!(keep_rooms_open(&board, &context, RIGHT), RIGHT, "one move must remain");
}

/// A player with a life at least as long, or one that is not enclosed, removes no move.
#[test]
fn pass_1_keeps_moves_beside_other_players() {
    let (board, mut context) = studied(NEXT_TO_A_ROOM, 0);
    context.controlled[1] = context.controlled[0];
    assert_eq!(keep_rooms_open(&board, &context, RIGHT | DOWN), RIGHT | DOWN);
    context.controlled[1] -= 1;
    assert_eq!(keep_rooms_open(&board, &context, RIGHT | DOWN), DOWN);
    context.enclosed = 0;
    assert_eq!(keep_rooms_open(&board, &context, RIGHT | DOWN), RIGHT | DOWN);
}

/// The border counts as occupied, and so does the cell that the head leaves.
#[test]
fn pass_2_keeps_walls_compact() {
    let (board, context) = studied("......./.A...../......./......B", 0);
    let around = [Direction::Up, Direction::Right, Direction::Down, Direction::Left]
        .map(|direction| occupied_around(&board, direction));
    assert_eq!(around, [2, 1, 1, 2]);
    assert_eq!(choose(&board, &context, RIGHT | DOWN | LEFT), Direction::Left);
}

#[test]
fn last_tie_goes_clockwise_from_up() {
    let (board, context) = studied("...../...../..A../...../....B", 0);
    let choice = |best| choose(&board, &context, best);
    assert_eq!(choice(UP | RIGHT | DOWN | LEFT), Direction::Up);
    assert_eq!(choice(RIGHT | DOWN | LEFT), Direction::Right);
    assert_eq!(choice(DOWN | LEFT), Direction::Down);
}

/// Pass 1 precedes pass 2: the more compact move is beside a room and is removed.
#[test]
fn rooms_come_before_compactness() {
    let (board, context) = studied(NEXT_TO_A_ROOM, 0);
    let around = |direction| occupied_around(&board, direction);
    assert!(around(Direction::Right) > around(Direction::Down));
    assert_eq!(choose(&board, &context, RIGHT | DOWN), Direction::Down);
    let closed = Context { enclosed: 0, ..context };
    assert_eq!(choose(&board, &closed, RIGHT | DOWN), Direction::Right);
}
