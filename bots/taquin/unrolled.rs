//! IDA* with Manhattan distance on 4x4, for speed: the board is one word, and each cell of the blank has
//! code of its own for each direction from which it came. It counts what [`ida_star`](super::ida_star)
//! counts.

use super::heuristic::Manhattan;
use super::solution::{Effort, Ending, Solution};
use crate::games::taquin::{Board, Direction};
use crate::search::budget::Meter;

const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;
const WAYS: usize = Direction::ALL.len();
/// No direction: the first move of a search may be any.
const NOWHERE: usize = WAYS;
/// Nodes between two questions to the meter.
const BATCH: u64 = 1 << 14;

/// Four bits for each cell; the blank has 15.
type Word = u64;
/// The goal.
const GOAL: Word = 0xfedc_ba98_7654_3210;

/// Solves a board of 4x4 optimally, as long as the meter allows.
///
/// # Panics
/// If the board has another size.
pub fn unrolled(board: &Board, meter: &mut Meter) -> Solution {
    assert_eq!((board.rows(), board.columns()), (SIDE, SIDE));
    if !board.is_solvable() {
        return Solution::without_path(Ending::Unsolvable, Effort::default());
    }
    let word = board.cells().iter().rev().fold(0, |word, &tile| word << 4 | Word::from(tile));
    let mut search =
        Search { nodes: 0, meter, stopped: false, effort: Effort::default(), path: vec![] };
    let mut bound = Manhattan::new(SIDE, SIDE).of(board.cells(), board.blank());
    let bytes = std::mem::size_of::<[[u16; WAYS]; CELLS]>();
    let (least, mut found) = (bound, bound == 0);
    let most = search.meter.depth_limit();
    while !found && !search.stopped && bound <= most {
        search.effort.iterations += 1;
        let visit = VISITS[board.blank()][NOWHERE];
        found = visit(&mut search, word, (bound - least) / 2) && !search.stopped;
        bound += 2;
    }
    search.flush();
    let effort = Effort { bytes, ..search.effort };
    if !found {
        return Solution::without_path(Ending::OutOfBudget, effort);
    }
    search.path.reverse();
    Solution::with_path(search.path, effort)
}

struct Search<'m> {
    /// Expanded nodes in the lower half, generated ones in the upper, since the last flush.
    nodes: u64,
    meter: &'m mut Meter,
    stopped: bool,
    effort: Effort,
    path: Vec<Direction>,
}

impl Search<'_> {
    #[cold]
    fn flush(&mut self) {
        let expanded = self.nodes & u64::from(u32::MAX);
        self.effort.expanded += expanded;
        self.effort.generated += self.nodes >> 32;
        self.nodes = 0;
        self.stopped |= self.meter.spend(expanded);
    }
}

/// Looks for the goal below a board. A slide away from a tile's place costs one of the `spare` moves that
/// the bound leaves, together with the slide back that it makes needful. Returns whether the goal is found or
/// the time is up.
type Visit = fn(&mut Search, Word, u32) -> bool;

/// By the blank's cell and the direction from which it came. As all indices are known when the code is
/// compiled, so is what is called.
const VISITS: [[Visit; WAYS + 1]; CELLS] = {
    macro_rules! from_everywhere {
        ($($cell:literal)*) => {
            [$([
                visit::<$cell, 0>, visit::<$cell, 1>, visit::<$cell, 2>, visit::<$cell, 3>,
                visit::<$cell, NOWHERE>,
            ]),*]
        };
    }
    from_everywhere!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
};

fn visit<const BLANK: usize, const CAME: usize>(
    search: &mut Search,
    board: Word,
    spare: u32,
) -> bool {
    search.nodes += const { (children(BLANK, CAME, 0) << 32) + 1 };
    if search.nodes & BATCH != 0 {
        search.flush();
        if search.stopped {
            return true;
        }
    }
    slide::<BLANK, CAME, 0>(search, board, spare)
        || slide::<BLANK, CAME, 1>(search, board, spare)
        || slide::<BLANK, CAME, 2>(search, board, spare)
        || slide::<BLANK, CAME, 3>(search, board, spare)
}

#[inline(always)]
fn slide<const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &mut Search,
    board: Word,
    spare: u32,
) -> bool {
    let Some(to) = (const { target(BLANK, CAME, WAY) }) else { return false };
    let tile = board >> (4 * to) & 15;
    let cost = const { AWAY[BLANK][WAY] } >> tile & 1;
    let Some(spare) = spare.checked_sub(cost) else { return false };
    let change = tile ^ 15;
    let next = board ^ (change << (4 * to)) ^ (change << (4 * BLANK));
    if next == GOAL || VISITS[to][WAY](search, next, spare) {
        // What comes after this slide was counted and not generated.
        search.nodes = search.nodes.wrapping_sub(const { children(BLANK, CAME, WAY + 1) << 32 });
        search.path.push(Direction::ALL[WAY]);
        return true;
    }
    false
}

/// Where the blank goes; nowhere beyond the edge or straight back.
const fn target(blank: usize, came: usize, way: usize) -> Option<usize> {
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
const fn children(blank: usize, came: usize, mut way: usize) -> u64 {
    let mut count = 0;
    while way < WAYS {
        count += target(blank, came, way).is_some() as u64;
        way += 1;
    }
    count
}

/// By the blank's cell and where it goes: the tiles (as bits) that go away from their places by that.
const AWAY: [[u32; WAYS]; CELLS] = {
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
