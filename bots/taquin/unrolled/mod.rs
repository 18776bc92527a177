//! IDA* on square boards of one size, for speed: each cell of the blank has code of its own for each direction from which
//! it came. It counts what [`ida_star`](super::ida_star) counts, but for what a guide leaves out.

mod by_cells;
mod geometry;
mod manhattan;
mod subtrees;

pub use by_cells::{ByCells, Guided, MOST_TILES};
pub use manhattan::Distance;

use super::deepen::{deepen, Counts, Iteration, Outcome, Start};
use super::forest::Forest;
use super::pattern::MOST_CELLS;
use super::solution::{Effort, Ending, Solution};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use geometry::{target, NOWHERE, WAYS};
use subtrees::{divided, Subtree};

/// Nodes between two questions to the meter.
const BATCH: u64 = 1 << 14;
/// No board needs as many moves.
const LONGEST: u32 = 208;

/// What tells the search which boards are within the bound.
pub trait Guide: Sync + Sized {
    /// The rows of its boards, and the columns.
    const SIDE: usize;
    /// Is an estimate looked up in large tables? Then all boards after one are looked up before the first of them is
    /// visited, to wait for memory together; else that costs more than it spares.
    const WAITS: bool;

    /// Is what it counts that of a search in the order of the directions? Then nothing else is.
    const IS_ORDERED: bool;

    /// What is kept of a board in one place, where a slide changes it and changes it back.
    type Desk: Clone + Send + Sync;
    /// What is kept of a board and handed on.
    type Mark: Copy + Send + Sync;
    /// What is known of a slide.
    type Slid: Copy;
    /// What it changes in its place.
    type Old;

    /// The estimate of a board of this size, and the board when that is the bound.
    fn root(&self, board: &Board) -> (u32, Stand<Self>);

    /// The tally of the same board when the bound is two more.
    fn raised(&self, tally: u64) -> u64;

    /// How many slides lead on from a board to which the blank came in one direction, from another direction on.
    fn slides<const BLANK: usize, const CAME: usize, const WAY: usize>(
        &self,
        mark: Self::Mark,
    ) -> u64;

    /// A slide of the blank at a cell in a direction; nothing if that is not within the bound, or no slide that leads on.
    fn slide<const BLANK: usize, const WAY: usize>(
        &self,
        desk: &Self::Desk,
        mark: Self::Mark,
        tally: u64,
    ) -> Option<Self::Slid>;

    /// Mark and tally after it.
    fn after(&self, slid: Self::Slid) -> (Self::Mark, u64);

    /// Makes it.
    fn make<const BLANK: usize, const WAY: usize>(
        &self,
        desk: &mut Self::Desk,
        slid: Self::Slid,
    ) -> Self::Old;

    /// Takes it back.
    fn unmake<const BLANK: usize, const WAY: usize>(
        &self,
        desk: &mut Self::Desk,
        slid: Self::Slid,
        old: Self::Old,
    );

    /// Is this the goal? Keeps how few moves were left of the bound at least, if it knows.
    fn is_goal(&self, mark: Self::Mark, tally: u64, left: &mut u64) -> bool;

    /// The bytes of its tables.
    fn bytes(&self) -> usize;
}

/// A board as a guide keeps it.
pub struct Stand<G: Guide> {
    /// In one place.
    pub desk: G::Desk,
    /// Handed on.
    pub mark: G::Mark,
    /// What it has to spare, half of the moves by which the bound exceeds the estimate, and what else there is to keep.
    pub tally: u64,
}

/// Solves a board optimally, as long as the meter allows, in so many threads. The length of the path does not depend
/// on their number; which of several shortest paths it is may.
///
/// # Panics
/// If the board has another size.
pub fn unrolled<G: Guide>(
    guide: &G,
    board: &Board,
    meter: &mut Limiter,
    threads: usize,
) -> Solution {
    if !board.is_solvable() {
        return Solution::without_path(Ending::Unsolvable, Effort::default());
    }
    let search = Unrolled::new(guide, board);
    deepen(&search.start(), meter, threads, |iteration| search.search(iteration))
}

/// The search of a board.
pub struct Unrolled<'g, G: Guide> {
    guide: &'g G,
    root: Subtree<G>,
    /// Its estimate.
    bound: u32,
}

impl<'g, G: Guide> Unrolled<'g, G> {
    /// For a board that can be solved.
    ///
    /// # Panics
    /// If it has another size.
    pub fn new(guide: &'g G, board: &Board) -> Self {
        assert_eq!((board.rows(), board.columns()), (G::SIDE, G::SIDE));
        let (bound, stand) = guide.root(board);
        let root = Subtree { stand, blank: board.blank(), came: NOWHERE, path: Vec::new() };
        Unrolled { guide, root, bound }
    }

    /// Where it begins.
    pub fn start(&self) -> Start {
        Start { bound: self.bound, longest: LONGEST, bytes: self.guide.bytes() }
    }

    /// Searches to a bound.
    pub fn search(&self, iteration: &Iteration) -> Outcome {
        let mut counts = Counts::default();
        let mut root = self.root.clone();
        let raised = (self.bound..iteration.bound).step_by(2);
        root.stand.tally = raised.fold(root.stand.tally, |tally, _| self.guide.raised(tally));
        let subtrees = if G::IS_ORDERED { 1 } else { iteration.subtrees() };
        let (roots, goal) = divided(self.guide, root, subtrees, &mut counts);
        iteration.spend(counts.expanded);
        if goal.is_some() {
            return Outcome { path: goal, counts, ..Outcome::default() };
        }
        let forest = Forest::new(iteration, roots);
        let mut outcome = forest.search(|forest| self.work(forest, iteration.bound));
        outcome.counts += counts;
        outcome
    }

    /// Searches subtrees until there are none left, or the goal is found.
    fn work(&self, forest: &Forest<Subtree<G>>, bound: u32) -> Counts {
        let (guide, mut counts) = (self.guide, Counts::default());
        while let Some((number, root)) = forest.take().filter(|_| !forest.is_over()) {
            let Stand { desk, mark, tally } = &root.stand;
            let (desk, path, left) = (desk.clone(), Vec::new(), u64::MAX);
            let mut search =
                Search { guide, desk, nodes: 0, left, is_over: false, forest, counts, path };
            let is_found = Visits::<G>::ALL[root.blank][root.came](&mut search, *mark, *tally);
            search.flush();
            if is_found && !search.is_over {
                search.path.extend(root.path.iter().rev());
                search.path.reverse();
                forest.finish(search.path);
            }
            forest.reach(number, bound.saturating_sub(search.left.try_into().unwrap_or(bound)));
            counts = search.counts;
        }
        counts
    }
}

struct Search<'s, 'i, 'm, G: Guide> {
    guide: &'s G,
    desk: G::Desk,
    /// Expanded nodes in the lower half, generated ones in the upper, since the last flush.
    nodes: u64,
    /// How few moves were left of the bound at least.
    left: u64,
    is_over: bool,
    forest: &'s Forest<'i, 'm, Subtree<G>>,
    counts: Counts,
    /// From the goal back.
    path: Vec<Direction>,
}

impl<G: Guide> Search<'_, '_, '_, G> {
    #[cold]
    fn flush(&mut self) {
        let expanded = self.nodes & u64::from(u32::MAX);
        self.counts.expanded += expanded;
        self.counts.generated += self.nodes >> 32;
        self.nodes = 0;
        self.forest.spend(expanded);
    }
}

/// Looks for the goal below a board. Returns whether it is found or the search is over.
type Visit<G> = fn(&mut Search<'_, '_, '_, G>, <G as Guide>::Mark, u64) -> bool;

/// All searches of a guide.
struct Visits<G>(std::marker::PhantomData<G>);

macro_rules! from_everywhere {
    ($function:ident $($cell:literal)*) => {
        [$([
            $function::<G, $cell, 0>, $function::<G, $cell, 1>, $function::<G, $cell, 2>, $function::<G, $cell, 3>,
            $function::<G, $cell, NOWHERE>,
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
use {by_blank, from_everywhere};

impl<G: Guide> Visits<G> {
    /// By the blank's cell and the direction from which it came. As all indices are known when the code is
    /// compiled, so is what is called.
    const ALL: [[Visit<G>; WAYS + 1]; MOST_CELLS] = by_blank!(visit);
}

fn visit<G: Guide, const BLANK: usize, const CAME: usize>(
    search: &mut Search<'_, '_, '_, G>,
    mark: G::Mark,
    tally: u64,
) -> bool {
    search.nodes += (search.guide.slides::<BLANK, CAME, 0>(mark) << 32) + 1;
    if search.nodes & BATCH != 0 {
        search.flush();
        search.is_over = search.forest.is_over();
        if search.is_over {
            return true;
        }
    }
    if !G::WAITS {
        return slide_and_go_on::<G, BLANK, CAME, 0>(search, mark, tally)
            || slide_and_go_on::<G, BLANK, CAME, 1>(search, mark, tally)
            || slide_and_go_on::<G, BLANK, CAME, 2>(search, mark, tally)
            || slide_and_go_on::<G, BLANK, CAME, 3>(search, mark, tally);
    }
    let first = slide::<G, BLANK, CAME, 0>(search, mark, tally);
    let second = slide::<G, BLANK, CAME, 1>(search, mark, tally);
    let third = slide::<G, BLANK, CAME, 2>(search, mark, tally);
    let fourth = slide::<G, BLANK, CAME, 3>(search, mark, tally);
    go_on::<G, BLANK, CAME, 0>(search, first, mark)
        || go_on::<G, BLANK, CAME, 1>(search, second, mark)
        || go_on::<G, BLANK, CAME, 2>(search, third, mark)
        || go_on::<G, BLANK, CAME, 3>(search, fourth, mark)
}

#[inline(always)]
fn slide_and_go_on<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &mut Search<'_, '_, '_, G>,
    mark: G::Mark,
    tally: u64,
) -> bool {
    let next = slide::<G, BLANK, CAME, WAY>(search, mark, tally);
    go_on::<G, BLANK, CAME, WAY>(search, next, mark)
}

/// A slide, if there is one and it stays within the bound.
#[inline(always)]
fn slide<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &Search<'_, '_, '_, G>,
    mark: G::Mark,
    tally: u64,
) -> Option<G::Slid> {
    const { target(G::SIDE, BLANK, CAME, WAY) }?;
    search.guide.slide::<BLANK, WAY>(&search.desk, mark, tally)
}

#[inline(always)]
fn go_on<G: Guide, const BLANK: usize, const CAME: usize, const WAY: usize>(
    search: &mut Search<'_, '_, '_, G>,
    slid: Option<G::Slid>,
    mark_before: G::Mark,
) -> bool {
    let Some(to) = (const { target(G::SIDE, BLANK, CAME, WAY) }) else { return false };
    let Some(slid) = slid else { return false };
    let (mark, tally) = search.guide.after(slid);
    let old = search.guide.make::<BLANK, WAY>(&mut search.desk, slid);
    if search.guide.is_goal(mark, tally, &mut search.left)
        || Visits::<G>::ALL[to][WAY](search, mark, tally)
    {
        if search.is_over {
            return true;
        }
        // What comes after this slide was counted and is not generated.
        let rest = match WAY + 1 {
            1 => search.guide.slides::<BLANK, CAME, 1>(mark_before),
            2 => search.guide.slides::<BLANK, CAME, 2>(mark_before),
            3 => search.guide.slides::<BLANK, CAME, 3>(mark_before),
            _ => 0,
        };
        search.nodes = search.nodes.wrapping_sub(rest << 32);
        search.path.push(Direction::ALL[WAY]);
        return true;
    }
    search.guide.unmake::<BLANK, WAY>(&mut search.desk, slid, old);
    false
}
