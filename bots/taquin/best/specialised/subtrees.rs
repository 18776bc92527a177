//! Where the subtrees of an iteration begin.

use super::geometry::{by_blank, from_everywhere, target};
use super::heuristic::{HeuristicState, SlideHeuristic};
use crate::taquin::best::parallel_deepening::NodeCounts;
use crate::taquin::best::work_queue::SubtreeRoot;
use crate::taquin::grid::{DIRECTIONS, MOST_CELLS};
use arbitre_games::games::taquin::Direction;

/// The board on which a subtree begins.
pub struct Subtree<G: SlideHeuristic> {
    pub state: HeuristicState<G>,
    pub blank: usize,
    /// The direction in which the blank came there.
    pub last: usize,
    /// From the root.
    pub path: Vec<Direction>,
}

impl<G: SlideHeuristic> Clone for Subtree<G> {
    fn clone(&self) -> Self {
        let HeuristicState { board_state, node_state, slack } = &self.state;
        let state = HeuristicState {
            board_state: board_state.clone(),
            node_state: *node_state,
            slack: *slack,
        };
        Subtree { state, path: self.path.clone(), ..*self }
    }
}

impl<G: SlideHeuristic> SubtreeRoot for Subtree<G> {
    fn path(&self) -> Vec<Direction> {
        self.path.clone()
    }
}

/// Returns the successors of a layer, or the path to the goal.
pub fn expand_layer<G: SlideHeuristic>(
    heuristic: &G,
    layer: &[Subtree<G>],
    counts: &mut NodeCounts,
) -> Result<Vec<Subtree<G>>, Vec<Direction>> {
    let mut next = Vec::new();
    for subtree in layer {
        let expand = ExpandTable::<G>::ALL[subtree.blank][subtree.last];
        counts.generated += expand(heuristic, subtree, &mut next);
        counts.expanded += 1;
    }
    let is_goal = |of: &&Subtree<G>| heuristic.is_goal(of.state.node_state, of.state.slack, &mut 1);
    match next.iter().find(is_goal) {
        Some(goal) => Err(goal.path.clone()),
        None => Ok(next),
    }
}

/// Adds the boards after one. Returns how many slides there are.
type ExpandFn<G> = fn(&G, &Subtree<G>, &mut Vec<Subtree<G>>) -> u64;

struct ExpandTable<G>(std::marker::PhantomData<G>);

impl<G: SlideHeuristic> ExpandTable<G> {
    const ALL: [[ExpandFn<G>; DIRECTIONS + 1]; MOST_CELLS] = by_blank!(expand);
}

fn expand<G: SlideHeuristic, const BLANK: usize, const LAST: usize>(
    heuristic: &G,
    subtree: &Subtree<G>,
    next: &mut Vec<Subtree<G>>,
) -> u64 {
    next.extend(slid::<G, BLANK, LAST, 0>(heuristic, subtree));
    next.extend(slid::<G, BLANK, LAST, 1>(heuristic, subtree));
    next.extend(slid::<G, BLANK, LAST, 2>(heuristic, subtree));
    next.extend(slid::<G, BLANK, LAST, 3>(heuristic, subtree));
    heuristic.count_slides::<BLANK, LAST, 0>(subtree.state.node_state)
}

fn slid<G: SlideHeuristic, const BLANK: usize, const LAST: usize, const DIR: usize>(
    heuristic: &G,
    subtree: &Subtree<G>,
) -> Option<Subtree<G>> {
    let blank = const { target(G::SIDE, BLANK, LAST, DIR) }?;
    let mut next = subtree.clone();
    let HeuristicState { board_state, node_state, slack } = &mut next.state;
    let slid = heuristic.slide::<BLANK, DIR>(board_state, *node_state, *slack)?;
    heuristic.make::<BLANK, DIR>(board_state, slid);
    (*node_state, *slack) = heuristic.after(slid);
    next.path.push(Direction::ALL[DIR]);
    Some(Subtree { blank, last: DIR, ..next })
}
