//! Tests of phase 3: each pass on a position of its own.

use super::*;

/// Returns the move among these, by the rules for ties.
fn choose(board: &Board, objective: &Objective, among: &[Direction]) -> Direction {
    let ways = among.iter().fold(0, |ways, direction| ways | 1 << (2 * direction.index()));
    Direction::ALL[objective.closest(board, ways)]
}

use Direction::{Down, Left, Right, Up};

/// Seat 1 is enclosed in the upper left corner with one cell; the root player has many.
const NEXT_TO_A_ROOM: &str = ".B11..../11A...../......../.......C";

/// A trail cell of seat 1 is above the cell to the right; none is beside the cell below. The move
/// to the right would be the more compact one.
#[test]
fn pass_1_drops_moves_beside_shorter_lives() {
    let (board, objective) = studied(NEXT_TO_A_ROOM, 0);
    assert_eq!((objective.shorter, objective.lives[1]), (0b10, 1));
    assert_eq!(choose(&board, &objective, &[Right, Down]), Down);
    assert_eq!(choose(&board, &objective, &[Right]), Right, "one move must remain");
    let none_is_shorter = Objective { shorter: 0, ..objective };
    assert_eq!(choose(&board, &none_is_shorter, &[Right, Down]), Right);
}

/// A player with a life at least as long is not shorter.
#[test]
fn equal_lives_are_not_shorter() {
    let (_, objective) = studied("A.#.B/#####/C...D", 0);
    assert_eq!((objective.lives[0], objective.lives[1], objective.shorter), (1, 1, 0));
}

/// The border counts as occupied, and so does the cell that the head leaves.
#[test]
fn pass_2_keeps_walls_compact() {
    let (board, objective) = studied("......./.A...../......./......B", 0);
    assert_eq!(choose(&board, &objective, &[Right, Down, Left]), Left);
    assert_eq!(choose(&board, &objective, &[Up, Right, Down]), Up);
}

#[test]
fn last_tie_goes_clockwise_from_up() {
    let (board, objective) = studied("...../...../..A../...../....B", 0);
    let choice = |among: &[Direction]| choose(&board, &objective, among);
    assert_eq!(choice(&[Up, Right, Down, Left]), Up);
    assert_eq!(choice(&[Right, Down, Left]), Right);
    assert_eq!(choice(&[Down, Left]), Down);
}
