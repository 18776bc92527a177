//! IDA* with Manhattan distance on 4x4. The board is one word, and each cell of the blank has its
//! own code for each direction of arrival. Node counts equal those of
//! [`ida_star`](crate::taquin::sheet::ida_star).
//!
//! A slide away from a tile's place costs one unit of slack: it and the later slide back are two
//! extra moves.

use super::parallel_deepening::{parallel_deepening, BoundedIteration, IterationResult};
use crate::taquin::grid::{DIRECTIONS, NO_DIRECTION};
use crate::taquin::heuristics::Manhattan;
use crate::taquin::packed_board::PackedBoard;
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Number of rows, and of columns.
const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;
/// The goal as a packed board.
const GOAL: u64 = 0xfedc_ba98_7654_3210;
/// Nodes between two reports to the limiter. A power of two, so that a single bit of the node
/// counter shows when a report is due. Not tuned.
const BATCH: u64 = 1 << 14;

/// Solves a board optimally within the limits of `limiter`.
///
/// # Panics
/// Panics if the board is not 4x4.
pub fn packed_manhattan(board: &Board, limiter: &mut Limiter) -> Solution {
    assert_eq!((board.rows(), board.columns()), (SIDE, SIDE));
    let first_bound = Manhattan::new(SIDE, SIDE).distance(board.cells(), board.blank());
    // Published node counts are those of an unsplit search in the order of the directions.
    parallel_deepening(first_bound, 0, limiter, 1, |iteration| {
        let (nodes, path, is_stopped) = (0, Vec::new(), false);
        let result = IterationResult::default();
        let mut search = PackedSearch { iteration, nodes, result, is_stopped, path };
        let slack = u64::from(iteration.bound - first_bound) / 2;
        let visit = VISITS[board.blank()][NO_DIRECTION];
        let is_found = visit(&mut search, u64::pack(board.cells()), slack) && !search.is_stopped;
        search.flush();
        search.path.reverse();
        IterationResult { path: is_found.then_some(search.path), ..search.result }
    })
}

struct PackedSearch<'s, 'i, 'm> {
    iteration: &'s BoundedIteration<'i, 'm>,
    /// Nodes since the last flush: expanded ones in the lower half, generated ones in the upper.
    nodes: u64,
    result: IterationResult,
    is_stopped: bool,
    /// Path from the goal back.
    path: Vec<Direction>,
}

/// Searches for the goal below a board with this slack. Returns `true` if it is found or the search
/// is over.
type VisitFn = fn(&mut PackedSearch, u64, u64) -> bool;

macro_rules! visits {
    ($($cell:literal)*) => { [$(visits!($cell: 0 1 2 3)),*] };
    ($cell:literal: $($last:literal)*) => {
        // The blank cannot enter an edge cell from outside the board, so that combination shares
        // the general code.
        [$(match directions($cell, NO_DIRECTION) == directions($cell, $last) {
            true => visit::<$cell, NO_DIRECTION> as VisitFn,
            false => visit::<$cell, $last>,
        },)* visit::<$cell, NO_DIRECTION>]
    };
}

/// Visit functions by the blank's cell and last direction. All indices are constants where it is
/// used, so the calls are direct.
const VISITS: [[VisitFn; DIRECTIONS + 1]; CELLS] = visits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// Tiles (as bits) that a slide moves away from their places, by the blank's cell and direction.
const FARTHER: [[u32; DIRECTIONS]; CELLS] = {
    let (mut farther, mut slide) = ([[0; DIRECTIONS]; CELLS], 0);
    while slide < CELLS * CELLS * DIRECTIONS {
        let (tile, cell, direction) =
            (slide / DIRECTIONS / CELLS, slide / DIRECTIONS % CELLS, slide % DIRECTIONS);
        let is_farther = distance(tile, cell) > distance(tile, neighbour(cell, direction));
        farther[cell][direction] |= (is_farther as u32) << tile;
        slide += 1;
    }
    farther
};

const fn distance(a: usize, b: usize) -> usize {
    (a / SIDE).abs_diff(b / SIDE) + (a % SIDE).abs_diff(b % SIDE)
}

/// Returns the cell to which the blank goes; its own where it would leave the board.
const fn neighbour(cell: usize, direction: usize) -> usize {
    match Direction::ALL[direction] {
        Direction::Down if cell + SIDE < CELLS => cell + SIDE,
        Direction::Right if cell % SIDE + 1 < SIDE => cell + 1,
        Direction::Left if !cell.is_multiple_of(SIDE) => cell - 1,
        Direction::Up if cell >= SIDE => cell - SIDE,
        _ => cell,
    }
}

/// Returns the bits of the directions that lead on from cell `blank`, which the blank entered in
/// direction `last`: on the board and not straight back.
const fn directions(blank: usize, last: usize) -> u32 {
    let (mut directions, mut direction) = (0, 0);
    while direction < DIRECTIONS {
        directions |= ((neighbour(blank, direction) != blank) as u32) << direction;
        direction += 1;
    }
    // Opposite directions have indices that add up to 3. `NO_DIRECTION` shifts the bit out, so no
    // direction is removed.
    directions & !(1 << (DIRECTIONS - 1) >> last)
}

/// Visits a board with the blank on cell `BLANK`, which it entered in direction `LAST`.
fn visit<const BLANK: usize, const LAST: usize>(
    search: &mut PackedSearch,
    word: u64,
    slack: u64,
) -> bool {
    let slides = const { directions(BLANK, LAST).count_ones() as u64 };
    search.nodes += (slides << 32) + 1;
    if search.nodes & BATCH != 0 && search.must_stop() {
        return true;
    }
    search.go_on::<BLANK, LAST, 0>(word, slack)
        || search.go_on::<BLANK, LAST, 1>(word, slack)
        || search.go_on::<BLANK, LAST, 2>(word, slack)
        || search.go_on::<BLANK, LAST, 3>(word, slack)
}

impl PackedSearch<'_, '_, '_> {
    #[cold]
    fn flush(&mut self) {
        let expanded = self.nodes & u64::from(u32::MAX);
        self.result.counts.expanded += expanded;
        self.result.counts.generated += self.nodes >> 32;
        self.nodes = 0;
        self.is_stopped |= self.iteration.spend(expanded);
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        self.flush();
        self.is_stopped
    }

    /// Visits the board after a slide. Returns `true` if the goal is found or the search is over.
    #[inline(always)]
    fn go_on<const BLANK: usize, const LAST: usize, const DIRECTION: usize>(
        &mut self,
        word: u64,
        slack: u64,
    ) -> bool {
        let directions = const { directions(BLANK, LAST) };
        if directions >> DIRECTION & 1 == 0 {
            return false;
        }
        let to = const { neighbour(BLANK, DIRECTION) };
        let tile = word.tile(to);
        let cost = u64::from(FARTHER[BLANK][DIRECTION] >> tile & 1);
        let Some(slack) = slack.checked_sub(cost) else { return false };
        let word = word.slid(tile, CELLS - 1, to, BLANK);
        let is_over = word == GOAL || VISITS[to][DIRECTION](self, word, slack);
        if is_over {
            // The later slides of this board were counted but not generated.
            self.go_back::<DIRECTION>((directions >> DIRECTION >> 1).count_ones().into());
        }
        is_over
    }

    /// Adds a slide to the path from the goal back, unless the search was stopped.
    // One function for each direction: calls of a shared one would be merged, which would keep the
    // direction in a register all the time.
    #[cold]
    fn go_back<const DIRECTION: usize>(&mut self, rest: u64) {
        if !self.is_stopped {
            self.nodes = self.nodes.wrapping_sub(rest << 32);
            self.path.push(Direction::ALL[DIRECTION]);
        }
    }
}
