//! Boards of 4x4 as the compiler knows them.

use crate::games::taquin::Direction;

/// Their rows and columns, and how many cells they have.
pub const SIDE: usize = 4;
pub const CELLS: usize = SIDE * SIDE;
/// How many directions there are.
pub const WAYS: usize = Direction::ALL.len();
/// No direction: the first move of a search may be any.
pub const NOWHERE: usize = WAYS;

/// Where the blank goes; nowhere beyond the edge or straight back.
pub const fn target(blank: usize, came: usize, way: usize) -> Option<usize> {
    if came < WAYS && way == Direction::ALL[came].opposite().index() {
        return None;
    }
    match Direction::ALL[way] {
        Direction::Down if blank / SIDE + 1 < SIDE => Some(blank + SIDE),
        Direction::Right if blank % SIDE + 1 < SIDE => Some(blank + 1),
        Direction::Left if !blank.is_multiple_of(SIDE) => Some(blank - 1),
        Direction::Up if blank / SIDE > 0 => Some(blank - SIDE),
        _ => None,
    }
}

/// How many slides there are, from this direction on.
pub const fn children(blank: usize, came: usize, mut way: usize) -> u64 {
    let mut count = 0;
    while way < WAYS {
        count += target(blank, came, way).is_some() as u64;
        way += 1;
    }
    count
}

/// By the blank's cell and where it goes: the tiles (as bits) that go away from their places by that.
pub const AWAY: [[u32; WAYS]; CELLS] = {
    let mut away = [[0; WAYS]; CELLS];
    let mut at = 0;
    while at < CELLS * WAYS * CELLS {
        let (blank, way, tile) = (at / WAYS / CELLS, at / CELLS % WAYS, at % CELLS);
        if let Some(to) = target(blank, NOWHERE, way) {
            let is_farther = distance(tile, blank) > distance(tile, to);
            away[blank][way] |= (is_farther as u32) << tile;
        }
        at += 1;
    }
    away
};

const fn distance(a: usize, b: usize) -> usize {
    (a / SIDE).abs_diff(b / SIDE) + (a % SIDE).abs_diff(b % SIDE)
}

/// The cell on the other side of the diagonal.
pub const fn reflected(cell: usize) -> usize {
    cell % SIDE * SIDE + cell / SIDE
}
