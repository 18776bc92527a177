//! Roots of the subtrees of an iteration.

use super::heuristic::SlideHeuristic;
use crate::taquin::best::parallel_deepening::NodeCounts;
use crate::taquin::best::work_queue::SubtreeRoot;
use crate::taquin::grid::DIRECTIONS;
use arbitre_games::games::taquin::Direction;

/// Root of a subtree.
#[derive(Clone)]
pub struct Subtree<B, N> {
    pub board_state: B,
    pub node_state: N,
    pub blank: usize,
    /// Direction in which the blank entered its cell.
    pub last: usize,
    /// Path from the first board.
    pub path: Vec<Direction>,
}

/// Subtree root with the states of heuristic `G`.
pub type SubtreeOf<G> =
    Subtree<<G as SlideHeuristic>::BoardState, <G as SlideHeuristic>::NodeState>;

impl<B: Sync, N: Sync> SubtreeRoot for Subtree<B, N> {
    fn path(&self) -> Vec<Direction> {
        self.path.clone()
    }
}

/// Returns the successors of a layer within the bound, or the path to the goal as error.
pub fn expand_layer<G: SlideHeuristic>(
    heuristic: &G,
    layer: &[SubtreeOf<G>],
    counts: &mut NodeCounts,
) -> Result<Vec<SubtreeOf<G>>, Vec<Direction>> {
    let mut next = Vec::new();
    for Subtree { board_state, node_state, blank, last, path } in layer {
        counts.expanded += 1;
        counts.generated += heuristic.count_slides(*node_state, *blank, *last, 0);
        let directions = G::GRID.directions(*blank, *last);
        for direction in (0..DIRECTIONS).filter(|direction| directions >> direction & 1 == 1) {
            let slid = heuristic.slide(board_state, *node_state, *blank, direction);
            let Some((node_state, change)) = slid else { continue };
            let mut board_state = board_state.clone();
            heuristic.apply(&mut board_state, *blank, change);
            let blank = G::GRID.neighbours[*blank][direction];
            let path = [&path[..], &[Direction::ALL[direction]]].concat();
            next.push(Subtree { board_state, node_state, blank, last: direction, path });
        }
    }
    match next.iter().find(|subtree| heuristic.is_goal(subtree.node_state, &mut 1)) {
        Some(goal) => Err(goal.path.clone()),
        None => Ok(next),
    }
}
