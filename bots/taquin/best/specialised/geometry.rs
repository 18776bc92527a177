//! Square boards as the compiler knows them.

use crate::taquin::grid::{DIRECTIONS, NO_DIRECTION};
use arbitre_games::games::taquin::Direction;

/// Where the blank goes on a board with so many rows and columns; nowhere beyond the edge or
/// straight back.
pub const fn target(side: usize, blank: usize, last: usize, direction: usize) -> Option<usize> {
    if last < DIRECTIONS && direction == Direction::ALL[last].opposite().index() {
        return None;
    }
    match Direction::ALL[direction] {
        Direction::Down if blank / side + 1 < side => Some(blank + side),
        Direction::Right if blank % side + 1 < side => Some(blank + 1),
        Direction::Left if !blank.is_multiple_of(side) => Some(blank - 1),
        Direction::Up if blank / side > 0 => Some(blank - side),
        _ => None,
    }
}

/// The same where it is known to go somewhere.
pub const fn neighbour(side: usize, blank: usize, direction: usize) -> usize {
    match target(side, blank, NO_DIRECTION, direction) {
        Some(to) => to,
        // Compiled as well, and never called.
        None => blank,
    }
}

/// How many slides there are, from this direction on.
pub const fn count_moves(side: usize, blank: usize, last: usize, mut direction: usize) -> u64 {
    let mut count = 0;
    while direction < DIRECTIONS {
        count += target(side, blank, last, direction).is_some() as u64;
        direction += 1;
    }
    count
}

/// The tiles (as bits) that go away from their places when the blank goes in a direction.
pub const fn farther_tiles(side: usize, blank: usize, direction: usize) -> u32 {
    let (to, mut farther_tiles, mut tile) = (neighbour(side, blank, direction), 0, 0);
    while tile < side * side {
        let is_farther = distance(side, tile, blank) > distance(side, tile, to);
        farther_tiles |= (is_farther as u32) << tile;
        tile += 1;
    }
    farther_tiles
}

const fn distance(side: usize, a: usize, b: usize) -> usize {
    (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side)
}

macro_rules! from_everywhere {
    ($function:ident $($cell:literal)*) => {
        [$([
            $function::<G, $cell, 0>, $function::<G, $cell, 1>, $function::<G, $cell, 2>, $function::<G, $cell, 3>,
            $function::<G, $cell, { $crate::taquin::grid::NO_DIRECTION }>,
        ]),*]
    };
}
/// By the blank's cell and the direction from which it came.
macro_rules! by_blank {
    ($function:ident) => {
        match G::SIDE {
            // What follows the last cell is never called.
            4 => from_everywhere!($function 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0 0 0 0 0 0 0 0),
            5 => from_everywhere!($function 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24),
            _ => panic!("boards are of 4x4 or 5x5"),
        }
    };
}
pub(super) use {by_blank, from_everywhere};
