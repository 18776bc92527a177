//! Phase 3: tie-breaks between moves of equal value. They are not part of the value.

use super::board::{Board, FREE, TRAIL, WALL};
use super::context::Context;
use crate::tron::seats::mask_of;
use arbitre_games::games::tron::Direction;
use std::cmp::Reverse;

/// Returns the move to play among those of the mask `best`, which is not empty. Remaining ties go
/// to the first of up, right, down, left.
pub fn choose(board: &Board, context: &Context, best: u8) -> Direction {
    let kept = keep_rooms_open(board, context, best);
    let most_occupied = |&direction: &Direction| Reverse(occupied_around(board, direction));
    Direction::of_mask(kept).min_by_key(most_occupied).expect("there is a move to choose")
}

/// Pass 1: removes the moves beside a cell of a player that will die before the root player; keeps
/// all moves if none would remain.
pub fn keep_rooms_open(board: &Board, context: &Context, best: u8) -> u8 {
    let closes = |direction: &Direction| {
        let neighbours = neighbours(board, *direction);
        neighbours.into_iter().any(|byte| dies_before_me(byte, board.me, context))
    };
    let kept = Direction::of_mask(best).filter(|direction| !closes(direction));
    match mask_of(kept.map(Direction::index)) {
        0 => best,
        kept => kept,
    }
}

/// Pass 2: returns the number of occupied neighbours of the cell that a move enters, the border
/// included.
pub fn occupied_around(board: &Board, direction: Direction) -> usize {
    neighbours(board, direction).into_iter().filter(|&byte| byte != FREE).count()
}

/// Returns the bytes around the cell that the root player's move enters.
fn neighbours(board: &Board, direction: Direction) -> [u8; 4] {
    let entered = board.step(board.head(board.me), direction);
    Direction::ALL.map(|on| board.content(board.step(entered, on)))
}

/// Returns `true` if the byte belongs to an enclosed player with a shorter life than the root
/// player. The root player's life is the number of cells it controls, even where it is not
/// enclosed.
fn dies_before_me(byte: u8, me: usize, context: &Context) -> bool {
    let is_trail = (TRAIL..WALL).contains(&byte);
    let seat = usize::from(byte.wrapping_sub(TRAIL));
    is_trail
        && context.enclosed >> seat & 1 != 0
        && context.controlled[seat] < context.controlled[me]
}
