//! Square boards as the compiler knows them.

use arbitre_games::games::taquin::Direction;

/// How many directions there are.
pub const WAYS: usize = Direction::ALL.len();
/// No direction: the first move of a search may be any.
pub const NOWHERE: usize = WAYS;

/// Where the blank goes on a board with so many rows and columns; nowhere beyond the edge or straight back.
pub const fn target(side: usize, blank: usize, came: usize, way: usize) -> Option<usize> {
    if came < WAYS && way == Direction::ALL[came].opposite().index() {
        return None;
    }
    match Direction::ALL[way] {
        Direction::Down if blank / side + 1 < side => Some(blank + side),
        Direction::Right if blank % side + 1 < side => Some(blank + 1),
        Direction::Left if !blank.is_multiple_of(side) => Some(blank - 1),
        Direction::Up if blank / side > 0 => Some(blank - side),
        _ => None,
    }
}

/// The same where it is known to go somewhere.
pub const fn beside(side: usize, blank: usize, way: usize) -> usize {
    match target(side, blank, NOWHERE, way) {
        Some(to) => to,
        // Compiled as well, and never called.
        None => blank,
    }
}

/// How many slides there are, from this direction on.
pub const fn children(side: usize, blank: usize, came: usize, mut way: usize) -> u64 {
    let mut count = 0;
    while way < WAYS {
        count += target(side, blank, came, way).is_some() as u64;
        way += 1;
    }
    count
}

/// The tiles (as bits) that go away from their places when the blank goes in a direction.
pub const fn away(side: usize, blank: usize, way: usize) -> u32 {
    let (to, mut away, mut tile) = (beside(side, blank, way), 0, 0);
    while tile < side * side {
        let is_farther = distance(side, tile, blank) > distance(side, tile, to);
        away |= (is_farther as u32) << tile;
        tile += 1;
    }
    away
}

const fn distance(side: usize, a: usize, b: usize) -> usize {
    (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side)
}
