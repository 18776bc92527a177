//! Version 3: breadth-first minimax. Every position of a depth is evaluated and its board kept for
//! the next depth. The answer is that of the last complete depth.

use crate::tron::best::multiplayer::neighbours::{directions, sides_of};
use crate::tron::best::multiplayer::opponent_search::{OpponentSearch, OpponentTurn};
use crate::tron::best::position::MultiplayerPosition;
use crate::tron::best::simd::SimdBitboard;
use arbitre_games::search::deepening::{deepen, IterationOutcome, SearchResult};

/// Bytes for the boards of one depth. Not tuned.
const BOARD_BYTES: usize = 64 << 20;
/// Largest number of positions stored, those of all depths counted. Not tuned.
const MOST_NODES: usize = 1 << 20;

/// A position of the tree, without its board.
#[derive(Clone, Copy)]
struct BreadthNode {
    parent: u32,
    value: i32,
    /// Whether the root player is to move.
    mine: bool,
}

/// A board with its node, the seat to move and the moves of that seat.
struct BreadthBoard<P> {
    position: MultiplayerPosition<P>,
    node: u32,
    mover: usize,
    ways: u8,
}

/// The positions of all depths, and the boards of the last.
pub struct BreadthFirst<P> {
    nodes: Vec<BreadthNode>,
    boards: Vec<BreadthBoard<P>>,
    /// Moves at the root.
    ways: u8,
    most_boards: usize,
    most_nodes: usize,
}

impl<P: SimdBitboard> BreadthFirst<P> {
    /// Creates the tree of a position in which seat 0 is to move.
    pub fn new(position: &MultiplayerPosition<P>) -> BreadthFirst<P> {
        BreadthFirst::with_room(position, BOARD_BYTES / size_of::<BreadthBoard<P>>(), MOST_NODES)
    }

    /// Creates the tree of a position with room for these numbers of boards and nodes.
    pub fn with_room(
        position: &MultiplayerPosition<P>,
        most_boards: usize,
        most_nodes: usize,
    ) -> BreadthFirst<P> {
        let ways = position.sides(0);
        let root = BreadthBoard { position: *position, node: 0, mover: 0, ways };
        let nodes = vec![BreadthNode { parent: 0, value: 0, mine: true }];
        BreadthFirst { nodes, boards: vec![root], ways, most_boards, most_nodes }
    }

    /// Searches at most `plies` plies, until the limiter stops or there is no room.
    pub fn search(mut self, search: &mut OpponentSearch, plies: u32) -> SearchResult<u8> {
        deepen(self.ways, 1..=plies, |depth, result| {
            let is_complete = self.deepen(search, depth as usize);
            if is_complete {
                (result.value, result.best) = self.best();
            }
            IterationOutcome::new(is_complete, self.boards.is_empty())
        })
    }

    /// Adds the next depth. Returns whether it is complete.
    fn deepen(&mut self, search: &mut OpponentSearch, ply: usize) -> bool {
        let mut deeper = Vec::new();
        for BreadthBoard { position, node, mover, ways } in std::mem::take(&mut self.boards) {
            let beside = position.heads[mover].neighbours();
            for direction in directions(ways) {
                let mut position = position.after(mover, beside[direction]);
                let next = search.settle(&mut position, mover + 1);
                let is_full = self.nodes.len() == self.most_nodes;
                if search.limiter.tick() || is_full || deeper.len() == self.most_boards {
                    return false;
                }
                let value = search.look(&position, next, ply);
                let mut mine = false;
                if let OpponentTurn::Of(mover, ways) = next {
                    let node = self.nodes.len() as u32;
                    deeper.push(BreadthBoard { position, node, mover, ways });
                    mine = mover == 0;
                }
                self.nodes.push(BreadthNode { parent: node, value, mine });
            }
        }
        self.boards = deeper;
        true
    }

    /// Returns the minimax value of the root, and the moves that have it as a mask.
    fn best(&mut self) -> (i32, u8) {
        for at in 1..self.nodes.len() {
            let parent = self.nodes[at].parent as usize;
            let parent = &mut self.nodes[parent];
            parent.value = if parent.mine { i32::MIN } else { i32::MAX };
        }
        for at in (1..self.nodes.len()).rev() {
            let BreadthNode { parent, value, .. } = self.nodes[at];
            let parent = &mut self.nodes[parent as usize];
            let best = if parent.mine { i32::max } else { i32::min };
            parent.value = best(parent.value, value);
        }
        let value = self.nodes[0].value;
        let children = directions(self.ways).zip(&self.nodes[1..]);
        let best = children.filter(|(_, node)| node.value == value);
        (value, sides_of(best.map(|(direction, _)| direction)))
    }
}
