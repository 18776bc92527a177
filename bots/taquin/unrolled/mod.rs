//! IDA* on 4x4, for speed: the board is one word, and each cell of the blank has code of its own for each direction
//! from which it came. It counts what [`ida_star`](super::ida_star) counts, but for what a guide leaves out.

mod by_cells;
mod geometry;
mod manhattan;

pub use by_cells::{ByCells, Guided, MOST_TILES};
pub use manhattan::Distance;

use super::solution::{Effort, Ending, Solution};
use crate::games::taquin::{Board, Direction};
use crate::search::budget::Meter;
use geometry::{target, CELLS, NOWHERE, SIDE, WAYS};

/// Nodes between two questions to the meter.
const BATCH: u64 = 1 << 14;

/// Four bits for each cell; the blank has 15.
type Word = u64;
/// The goal.
const GOAL: Word = 0xfedc_ba98_7654_3210;

/// What tells the search which boards are within the bound.
pub trait Guide: Sync {
    /// What is kept of a board's tiles.
    type Mark: Copy;

    /// Is an estimate looked up in large tables? Then all boards after one are looked up before the first of them is
    /// visited, to wait for memory together; else that costs more than it spares.
    const WAITS: bool;

    /// The estimate of a board of 4x4, its mark, and its tally when that is the bound: what it has to spare, half of the
    /// moves by which the bound exceeds the estimate, and what else there is to keep.
    fn root(&self, board: &Board) -> (u32, Self::Mark, u64);

    /// The tally of the same board when the bound is two more.
    fn raised(&self, tally: u64) -> u64;

    /// How many slides lead on from a board to which the blank came in one direction, from another direction on.
    fn slides<const BLANK: usize, const CAME: usize, const WAY: usize>(&self, tally: u64) -> u64;

    /// Mark and tally after the blank at a cell went in a direction, past this tile; nothing if that is not within the bound,
    /// or no slide that leads on.
    fn after<const BLANK: usize, const WAY: usize>(
        &self,
        mark: Self::Mark,
        tally: u64,
        tile: usize,
    ) -> Option<(Self::Mark, u64)>;

    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// Solves a board of 4x4 optimally, as long as the meter allows.
///
/// # Panics
/// If the board has another size.
pub fn unrolled<G: Guide>(guide: &G, board: &Board, meter: &mut Meter) -> Solution {
    assert_eq!((board.rows(), board.columns()), (SIDE, SIDE));
    if !board.is_solvable() {
        return Solution::without_path(Ending::Unsolvable, Effort::default());
    }
    let word = board.cells().iter().rev().fold(0, |word, &tile| word << 4 | Word::from(tile));
    let (mut bound, mark, mut tally) = guide.root(board);
    let effort = Effort { bytes: guide.bytes(), ..Effort::default() };
    let mut search = Search { guide, nodes: 0, meter, stopped: false, effort, path: vec![] };
    let mut found = bound == 0;
    let most = search.meter.depth_limit();
    while !found && !search.stopped && bound <= most {
        search.effort.iterations += 1;
        let visit = Visits::<G>::ALL[board.blank()][NOWHERE];
        found = visit(&mut search, word, mark, tally) && !search.stopped;
        tally = guide.raised(tally);
        bound += 2;
    }
    search.flush();
    if !found {
        return Solution::without_path(Ending::OutOfBudget, search.effort);
    }
    search.path.reverse();
    Solution::with_path(search.path, search.effort)
}

struct Search<'s, G> {
    guide: &'s G,
    /// Expanded nodes in the lower half, generated ones in the upper, since the last flush.
    nodes: u64,
    meter: &'s mut Meter,
    stopped: bool,
    effort: Effort,
    path: Vec<Direction>,
}

impl<G> Search<'_, G> {
    #[cold]
    fn flush(&mut self) {
        let expanded = self.nodes & u64::from(u32::MAX);
        self.effort.expanded += expanded;
        self.effort.generated += self.nodes >> 32;
        self.nodes = 0;
        self.stopped |= self.meter.spend(expanded);
    }
}

/// Looks for the goal below a board. Returns whether it is found or the time is up.
type Visit<G> = fn(&mut Search<'_, G>, Word, <G as Guide>::Mark, u64) -> bool;

/// All searches of a guide.
struct Visits<G>(std::marker::PhantomData<G>);

impl<G: Guide> Visits<G> {
    /// By the blank's cell and the direction from which it came. As all indices are known when the code is
    /// compiled, so is what is called.
    const ALL: [[Visit<G>; WAYS + 1]; CELLS] = {
        macro_rules! from_everywhere {
            ($($cell:literal)*) => {
                [$([
                    visit::<G, $cell, 0>, visit::<G, $cell, 1>, visit::<G, $cell, 2>, visit::<G, $cell, 3>,
                    visit::<G, $cell, NOWHERE>,
                ]),*]
            };
        }
        from_everywhere!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
}

fn visit<G: Guide, const BLANK: usize, const CAME: usize>(
    search: &mut Search<'_, G>,
    board: Word,
    mark: G::Mark,
    tally: u64,
) -> bool {
    search.nodes += (search.guide.slides::<BLANK, CAME, 0>(tally) << 32) + 1;
    if search.nodes & BATCH != 0 {
        search.flush();
        if search.stopped {
            return true;
        }
    }
    if !G::WAITS {
        return slide_and_go_on::<G, BLANK, CAME, 0>(search, board, mark, tally)
            || slide_and_go_on::<G, BLANK, CAME, 1>(search, board, mark, tally)
            || slide_and_go_on::<G, BLANK, CAME, 2>(search, board, mark, tally)
            || slide_and_go_on::<G, BLANK, CAME, 3>(search, board, mark, tally);
    }
    let first = slide::<G, BLANK, CAME, 0>(search, board, mark, tally);
    let second = slide::<G, BLANK, CAME, 1>(search, board, mark, tally);
    let third = slide::<G, BLANK, CAME, 2>(search, board, mark, tally);
    let fourth = slide::<G, BLANK, CAME, 3>(search, board, mark, tally);
    go_on::<G, BLANK, CAME, 0>(search, first, tally)
        || go_on::<G, BLANK, CAME, 1>(search, second, tally)
        || go_on::<G, BLANK, CAME, 2>(search, third, tally)
        || go_on::<G, BLANK, CAME, 3>(search, fourth, tally)
}

#[inline(always)]
fn slide_and_go_on<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &mut Search<'_, G>,
    board: Word,
    mark: G::Mark,
    tally: u64,
) -> bool {
    let next = slide::<G, BLANK, CAME, WAY>(search, board, mark, tally);
    go_on::<G, BLANK, CAME, WAY>(search, next, tally)
}

/// The board after a slide, if there is one and it is within the bound.
#[inline(always)]
fn slide<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &Search<'_, G>,
    board: Word,
    mark: G::Mark,
    tally: u64,
) -> Option<(Word, G::Mark, u64)> {
    let to = const { target(BLANK, CAME, WAY) }?;
    let tile = board >> (4 * to) & 15;
    let change = tile ^ 15;
    let next = board ^ (change << (4 * to)) ^ (change << (4 * BLANK));
    let (mark, tally) = search.guide.after::<BLANK, WAY>(mark, tally, tile as usize)?;
    Some((next, mark, tally))
}

#[inline(always)]
fn go_on<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &mut Search<'_, G>,
    next: Option<(Word, G::Mark, u64)>,
    tally_before: u64,
) -> bool {
    let Some(to) = (const { target(BLANK, CAME, WAY) }) else { return false };
    let Some((next, mark, tally)) = next else { return false };
    if next == GOAL || Visits::<G>::ALL[to][WAY](search, next, mark, tally) {
        // What comes after this slide was counted and is not generated.
        let rest = match WAY + 1 {
            1 => search.guide.slides::<BLANK, CAME, 1>(tally_before),
            2 => search.guide.slides::<BLANK, CAME, 2>(tally_before),
            3 => search.guide.slides::<BLANK, CAME, 3>(tally_before),
            _ => 0,
        };
        search.nodes = search.nodes.wrapping_sub(rest << 32);
        search.path.push(Direction::ALL[WAY]);
        return true;
    }
    false
}
