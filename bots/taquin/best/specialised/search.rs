//! Depth-first search of subtrees by code that is specialised on the blank's cell and last
//! direction.

use super::heuristic::SlideHeuristic;
use super::subtrees::{expand_layer, Subtree, SubtreeOf};
use crate::taquin::best::parallel_deepening::{
    parallel_deepening, BoundedIteration, IterationResult, NodeCounts,
};
use crate::taquin::best::work_queue::{search_subtrees, WorkQueue};
use crate::taquin::grid::{DIRECTIONS, MOST_CELLS, NO_DIRECTION};
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Nodes between two reports to the limiter. A power of two, so that a single bit of the node
/// counter shows when a report is due. Not tuned.
const BATCH: u64 = 1 << 14;

/// Solves a board optimally within the limits of `limiter`, in `threads` threads. The length of the
/// path does not depend on their number; the choice among several shortest paths may.
///
/// # Panics
/// Panics if the board has another size.
pub fn specialised_ida_star<G: SlideHeuristic>(
    heuristic: &G,
    board: &Board,
    limiter: &mut Limiter,
    threads: usize,
) -> Solution {
    let search = SpecialisedSearch::new(heuristic, board);
    parallel_deepening(search.bound, heuristic.bytes(), limiter, threads, |iteration| {
        search.search(iteration)
    })
}

/// Search of one board.
pub struct SpecialisedSearch<'g, G: SlideHeuristic> {
    heuristic: &'g G,
    root: SubtreeOf<G>,
    /// Estimate of the root.
    bound: u32,
}

impl<'g, G: SlideHeuristic> SpecialisedSearch<'g, G> {
    /// Prepares the search of a solvable board.
    ///
    /// # Panics
    /// Panics if the board has another size.
    pub fn new(heuristic: &'g G, board: &Board) -> Self {
        assert_eq!((board.rows(), board.columns()), (G::GRID.side, G::GRID.side));
        let (bound, board_state, node_state) = heuristic.root(board);
        let (blank, last, path) = (board.blank(), NO_DIRECTION, Vec::new());
        let root = Subtree { board_state, node_state, blank, last, path };
        SpecialisedSearch { heuristic, root, bound }
    }

    /// Runs one iteration.
    pub fn search(&self, iteration: &BoundedIteration) -> IterationResult {
        let mut root = self.root.clone();
        for _ in (self.bound..iteration.bound).step_by(2) {
            root.node_state = self.heuristic.with_raised_bound(root.node_state);
        }
        let subtrees = if G::KEEPS_ORDER { 1 } else { iteration.subtrees() };
        let expand = |layer: &[_], counts: &mut _| expand_layer(self.heuristic, layer, counts);
        search_subtrees(iteration, subtrees, root, expand, |queue| self.work(queue))
    }

    /// Searches subtrees until the queue is empty or the goal is found.
    fn work(&self, queue: &WorkQueue<SubtreeOf<G>>) -> NodeCounts {
        let (heuristic, mut counts) = (self.heuristic, NodeCounts::default());
        let bound = queue.bound();
        while let Some((number, root)) = queue.take().filter(|_| !queue.is_stopped()) {
            let mut search = SubtreeSearch {
                heuristic,
                board_state: root.board_state.clone(),
                nodes: 0,
                left: u64::MAX,
                is_stopped: false,
                queue,
                counts,
                path: Vec::new(),
            };
            let visit = VisitTable::<G>::ALL[root.blank][root.last];
            let is_found = visit(&mut search, root.node_state);
            search.flush();
            if is_found && !search.is_stopped {
                search.path.extend(root.path.iter().rev());
                search.path.reverse();
                queue.finish(search.path);
            }
            let left = search.left.try_into().unwrap_or(bound);
            queue.record_depth(number, bound.saturating_sub(left));
            counts = search.counts;
        }
        counts
    }
}

struct SubtreeSearch<'s, 'i, 'm, G: SlideHeuristic> {
    heuristic: &'s G,
    board_state: G::BoardState,
    /// Nodes since the last flush: expanded ones in the lower half, generated ones in the upper.
    nodes: u64,
    /// Least number of moves left at any board of the subtree.
    left: u64,
    is_stopped: bool,
    queue: &'s WorkQueue<'i, 'm, SubtreeOf<G>>,
    counts: NodeCounts,
    /// Path from the goal back.
    path: Vec<Direction>,
}

/// Searches for the goal below a board. Returns `true` if it is found or the search is over.
type VisitFn<G> = fn(&mut SubtreeSearch<'_, '_, '_, G>, <G as SlideHeuristic>::NodeState) -> bool;

/// Table of all `visit` functions of a heuristic.
struct VisitTable<G>(std::marker::PhantomData<G>);

macro_rules! visits {
    ($($cell:literal)*) => { [$(visits!($cell: 0 1 2 3)),*] };
    ($cell:literal: $($last:literal)*) => {
        [
            // The blank cannot enter an edge cell from outside the board, so that combination
            // shares the general code.
            $(match G::GRID.directions($cell, NO_DIRECTION) == G::GRID.directions($cell, $last) {
                true => visit::<G, $cell, NO_DIRECTION> as VisitFn<G>,
                false => visit::<G, $cell, $last>,
            },)*
            visit::<G, $cell, NO_DIRECTION>,
        ]
    };
}

impl<G: SlideHeuristic> VisitTable<G> {
    /// Visit functions by the blank's cell and last direction. All indices are constants where it
    /// is used, so the calls are direct.
    const ALL: [[VisitFn<G>; DIRECTIONS + 1]; MOST_CELLS] = match G::GRID.side {
        // Entries beyond the last cell are never called.
        4 => visits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0 0 0 0 0 0 0 0),
        5 => visits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24),
        _ => panic!("boards are of 4x4 or 5x5"),
    };
}

/// Visits a board with the blank on cell `BLANK`, which it entered in direction `LAST`. Calls are
/// inlined, so cells and directions are constants in them.
fn visit<G: SlideHeuristic, const BLANK: usize, const LAST: usize>(
    search: &mut SubtreeSearch<'_, '_, '_, G>,
    node_state: G::NodeState,
) -> bool {
    search.nodes += (search.heuristic.count_slides(node_state, BLANK, LAST, 0) << 32) + 1;
    if search.nodes & BATCH != 0 && search.must_stop() {
        return true;
    }
    if !G::BATCHES_LOOKUPS {
        return search.slide_and_go_on::<0>(node_state, BLANK, LAST)
            || search.slide_and_go_on::<1>(node_state, BLANK, LAST)
            || search.slide_and_go_on::<2>(node_state, BLANK, LAST)
            || search.slide_and_go_on::<3>(node_state, BLANK, LAST);
    }
    // All lookups start before the first visit, so that they wait for memory together.
    let first = search.slide::<0>(node_state, BLANK, LAST);
    let second = search.slide::<1>(node_state, BLANK, LAST);
    let third = search.slide::<2>(node_state, BLANK, LAST);
    let fourth = search.slide::<3>(node_state, BLANK, LAST);
    search.go_on::<0>(first, node_state, BLANK, LAST)
        || search.go_on::<1>(second, node_state, BLANK, LAST)
        || search.go_on::<2>(third, node_state, BLANK, LAST)
        || search.go_on::<3>(fourth, node_state, BLANK, LAST)
}

impl<G: SlideHeuristic> SubtreeSearch<'_, '_, '_, G> {
    #[cold]
    fn flush(&mut self) {
        let expanded = self.nodes & u64::from(u32::MAX);
        self.counts.expanded += expanded;
        self.counts.generated += self.nodes >> 32;
        self.nodes = 0;
        self.queue.spend(expanded);
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        self.flush();
        self.is_stopped = self.queue.is_stopped();
        self.is_stopped
    }

    #[inline(always)]
    fn slide_and_go_on<const DIRECTION: usize>(
        &mut self,
        node_state: G::NodeState,
        blank: usize,
        last: usize,
    ) -> bool {
        let slid = self.slide::<DIRECTION>(node_state, blank, last);
        self.go_on::<DIRECTION>(slid, node_state, blank, last)
    }

    /// Returns the states after a slide, or `None` if it leaves the board or exceeds the bound.
    #[inline(always)]
    fn slide<const DIRECTION: usize>(
        &self,
        node_state: G::NodeState,
        blank: usize,
        last: usize,
    ) -> Option<(G::NodeState, G::Change)> {
        if G::GRID.directions(blank, last) >> DIRECTION & 1 == 0 {
            return None;
        }
        self.heuristic.slide(&self.board_state, node_state, blank, DIRECTION)
    }

    /// Visits the board after a slide. Returns `true` if the goal is found or the search is over.
    #[inline(always)]
    fn go_on<const DIRECTION: usize>(
        &mut self,
        slid: Option<(G::NodeState, G::Change)>,
        node_state_before: G::NodeState,
        blank: usize,
        last: usize,
    ) -> bool {
        let Some((node_state, change)) = slid else { return false };
        let to = G::GRID.neighbours[blank][DIRECTION];
        let undo = self.heuristic.apply(&mut self.board_state, blank, change);
        if self.heuristic.is_goal(node_state, &mut self.left)
            || VisitTable::<G>::ALL[to][DIRECTION](self, node_state)
        {
            self.go_back::<DIRECTION>(node_state_before, blank, last);
            return true;
        }
        self.heuristic.apply(&mut self.board_state, to, undo);
        false
    }

    /// Adds a slide to the path from the goal back, unless the search was stopped.
    // One function for each direction: calls of a shared one would be merged, which would keep the
    // direction in a register all the time.
    #[cold]
    fn go_back<const DIRECTION: usize>(
        &mut self,
        node_state: G::NodeState,
        blank: usize,
        last: usize,
    ) {
        if !self.is_stopped {
            // The later slides of this board were counted but not generated.
            let rest = self.heuristic.count_slides(node_state, blank, last, DIRECTION + 1);
            self.nodes = self.nodes.wrapping_sub(rest << 32);
            self.path.push(Direction::ALL[DIRECTION]);
        }
    }
}
