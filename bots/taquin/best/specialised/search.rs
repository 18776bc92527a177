//! Depth-first search of subtrees by code that knows the blank's cell and last direction.

use super::geometry::{by_blank, from_everywhere, target};
use super::heuristic::{HeuristicState, SlideHeuristic};
use super::subtrees::{expand_layer, Subtree};
use crate::taquin::best::parallel_deepening::{
    parallel_deepening, BoundedIteration, DeepeningParams, IterationResult, NodeCounts,
};
use crate::taquin::best::work_queue::{search_subtrees, WorkQueue};
use crate::taquin::grid::{DIRECTIONS, MOST_CELLS, NO_DIRECTION};
use crate::taquin::solution::Solution;
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Nodes between two reports to the limiter.
const BATCH: u64 = 1 << 14;
/// No board needs as many moves.
const LONGEST: u32 = 208;

/// Solves a board optimally, as long as the limiter allows, in so many threads. The length of the
/// path does not depend on their number; which of several shortest paths it is may.
///
/// # Panics
/// If the board has another size.
pub fn specialised_ida_star<G: SlideHeuristic>(
    heuristic: &G,
    board: &Board,
    limiter: &mut Limiter,
    threads: usize,
) -> Solution {
    let search = SpecialisedSearch::new(heuristic, board);
    parallel_deepening(&search.params(), limiter, threads, |iteration| search.search(iteration))
}

/// The search of a board.
pub struct SpecialisedSearch<'g, G: SlideHeuristic> {
    heuristic: &'g G,
    root: Subtree<G>,
    /// Its estimate.
    bound: u32,
}

impl<'g, G: SlideHeuristic> SpecialisedSearch<'g, G> {
    /// For a board that can be solved.
    ///
    /// # Panics
    /// If it has another size.
    pub fn new(heuristic: &'g G, board: &Board) -> Self {
        assert_eq!((board.rows(), board.columns()), (G::SIDE, G::SIDE));
        let (bound, state) = heuristic.root(board);
        let root = Subtree { state, blank: board.blank(), last: NO_DIRECTION, path: Vec::new() };
        SpecialisedSearch { heuristic, root, bound }
    }

    /// Where it begins.
    pub fn params(&self) -> DeepeningParams {
        DeepeningParams { bound: self.bound, longest: LONGEST, bytes: self.heuristic.bytes() }
    }

    /// Searches to a bound.
    pub fn search(&self, iteration: &BoundedIteration) -> IterationResult {
        let mut root = self.root.clone();
        for _ in (self.bound..iteration.bound).step_by(2) {
            root.state.slack = self.heuristic.with_raised_bound(root.state.slack);
        }
        let subtrees = if G::KEEPS_ORDER { 1 } else { iteration.subtrees() };
        let expand = |layer: &[_], counts: &mut _| expand_layer(self.heuristic, layer, counts);
        search_subtrees(iteration, subtrees, root, expand, |queue| {
            self.work(queue, iteration.bound)
        })
    }

    /// Searches subtrees until there are none left, or the goal is found.
    fn work(&self, queue: &WorkQueue<Subtree<G>>, bound: u32) -> NodeCounts {
        let (heuristic, mut counts) = (self.heuristic, NodeCounts::default());
        while let Some((number, root)) = queue.take().filter(|_| !queue.is_stopped()) {
            let HeuristicState { board_state, node_state, slack } = &root.state;
            let (board_state, path, left) = (board_state.clone(), Vec::new(), u64::MAX);
            let mut search = SubtreeSearch {
                heuristic,
                board_state,
                nodes: 0,
                left,
                is_stopped: false,
                queue,
                counts,
                path,
            };
            let is_found =
                VisitTable::<G>::ALL[root.blank][root.last](&mut search, *node_state, *slack);
            search.flush();
            if is_found && !search.is_stopped {
                search.path.extend(root.path.iter().rev());
                search.path.reverse();
                queue.finish(search.path);
            }
            queue.record_depth(
                number,
                bound.saturating_sub(search.left.try_into().unwrap_or(bound)),
            );
            counts = search.counts;
        }
        counts
    }
}

struct SubtreeSearch<'s, 'i, 'm, G: SlideHeuristic> {
    heuristic: &'s G,
    board_state: G::BoardState,
    /// Expanded nodes in the lower half, generated ones in the upper, since the last flush.
    nodes: u64,
    /// How few moves were left of the bound at least.
    left: u64,
    is_stopped: bool,
    queue: &'s WorkQueue<'i, 'm, Subtree<G>>,
    counts: NodeCounts,
    /// From the goal back.
    path: Vec<Direction>,
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
}

/// Looks for the goal below a board. Returns whether it is found or the search is over.
type VisitFn<G> =
    fn(&mut SubtreeSearch<'_, '_, '_, G>, <G as SlideHeuristic>::NodeState, u64) -> bool;

/// All searches of a heuristic.
struct VisitTable<G>(std::marker::PhantomData<G>);

impl<G: SlideHeuristic> VisitTable<G> {
    /// By the blank's cell and the direction from which it came. As all indices are known when the
    /// code is compiled, so is what is called.
    const ALL: [[VisitFn<G>; DIRECTIONS + 1]; MOST_CELLS] = by_blank!(visit);
}

fn visit<G: SlideHeuristic, const BLANK: usize, const LAST: usize>(
    search: &mut SubtreeSearch<'_, '_, '_, G>,
    node_state: G::NodeState,
    slack: u64,
) -> bool {
    search.nodes += (search.heuristic.count_slides::<BLANK, LAST, 0>(node_state) << 32) + 1;
    if search.nodes & BATCH != 0 {
        search.flush();
        search.is_stopped = search.queue.is_stopped();
        if search.is_stopped {
            return true;
        }
    }
    if !G::BATCHES_LOOKUPS {
        return slide_and_go_on::<G, BLANK, LAST, 0>(search, node_state, slack)
            || slide_and_go_on::<G, BLANK, LAST, 1>(search, node_state, slack)
            || slide_and_go_on::<G, BLANK, LAST, 2>(search, node_state, slack)
            || slide_and_go_on::<G, BLANK, LAST, 3>(search, node_state, slack);
    }
    let first = slide::<G, BLANK, LAST, 0>(search, node_state, slack);
    let second = slide::<G, BLANK, LAST, 1>(search, node_state, slack);
    let third = slide::<G, BLANK, LAST, 2>(search, node_state, slack);
    let fourth = slide::<G, BLANK, LAST, 3>(search, node_state, slack);
    go_on::<G, BLANK, LAST, 0>(search, first, node_state)
        || go_on::<G, BLANK, LAST, 1>(search, second, node_state)
        || go_on::<G, BLANK, LAST, 2>(search, third, node_state)
        || go_on::<G, BLANK, LAST, 3>(search, fourth, node_state)
}

#[inline(always)]
fn slide_and_go_on<G: SlideHeuristic, const BLANK: usize, const LAST: usize, const DIR: usize>(
    search: &mut SubtreeSearch<'_, '_, '_, G>,
    node_state: G::NodeState,
    slack: u64,
) -> bool {
    let next = slide::<G, BLANK, LAST, DIR>(search, node_state, slack);
    go_on::<G, BLANK, LAST, DIR>(search, next, node_state)
}

/// A slide, if there is one and it stays within the bound.
#[inline(always)]
fn slide<G: SlideHeuristic, const BLANK: usize, const LAST: usize, const DIR: usize>(
    search: &SubtreeSearch<'_, '_, '_, G>,
    node_state: G::NodeState,
    slack: u64,
) -> Option<G::SlideResult> {
    const { target(G::SIDE, BLANK, LAST, DIR) }?;
    search.heuristic.slide::<BLANK, DIR>(&search.board_state, node_state, slack)
}

#[inline(always)]
fn go_on<G: SlideHeuristic, const BLANK: usize, const LAST: usize, const DIR: usize>(
    search: &mut SubtreeSearch<'_, '_, '_, G>,
    result: Option<G::SlideResult>,
    node_state_before: G::NodeState,
) -> bool {
    let Some(to) = (const { target(G::SIDE, BLANK, LAST, DIR) }) else { return false };
    let Some(result) = result else { return false };
    let (node_state, slack) = search.heuristic.after(result);
    let undo = search.heuristic.make::<BLANK, DIR>(&mut search.board_state, result);
    if search.heuristic.is_goal(node_state, slack, &mut search.left)
        || VisitTable::<G>::ALL[to][DIR](search, node_state, slack)
    {
        if search.is_stopped {
            return true;
        }
        // What comes after this slide was counted and is not generated.
        let rest = match DIR + 1 {
            1 => search.heuristic.count_slides::<BLANK, LAST, 1>(node_state_before),
            2 => search.heuristic.count_slides::<BLANK, LAST, 2>(node_state_before),
            3 => search.heuristic.count_slides::<BLANK, LAST, 3>(node_state_before),
            _ => 0,
        };
        search.nodes = search.nodes.wrapping_sub(rest << 32);
        search.path.push(Direction::ALL[DIR]);
        return true;
    }
    search.heuristic.unmake::<BLANK, DIR>(&mut search.board_state, result, undo);
    false
}
