//! Phase 2, version 3: breadth-first minimax. Every position of a depth is evaluated and its board
//! kept for the next depth. The answer is that of the last complete depth.

use super::board::{Board, Standing};
use super::evaluation::{BoardEvaluator, BoardSearchResult, WON};
use crate::tron::seats::mask_of;
use arbitre_games::games::tron::Direction;

/// Bytes for the boards of one depth: 49 thousand boards of 30x20, four times the number reached in
/// 100 ms. The system provides only pages that are touched.
const BOARD_BYTES: usize = 32 << 20;
/// Bytes of a 3x3 board with its border, the smallest board.
const SMALLEST_BOARD: usize = 4 * 5;
/// Largest number of positions stored, those of all depths counted. Not tuned.
const MOST_NODES: usize = 1 << 20;

/// A position of the tree, without its board.
#[derive(Clone, Copy, Default)]
struct BreadthNode {
    parent: u32,
    value: i32,
    /// Whether the root player is to move.
    mine: bool,
}

/// The boards of one depth, in fixed arrays with a cursor.
struct BreadthFrontier {
    cells: Box<[u8]>,
    /// Standing and node of each board.
    standings: Box<[(Standing, u32)]>,
    count: usize,
}

impl BreadthFrontier {
    fn new(bytes: usize) -> BreadthFrontier {
        let standings = vec![(Standing::default(), 0); bytes / SMALLEST_BOARD].into();
        BreadthFrontier { cells: vec![0; bytes].into(), standings, count: 0 }
    }

    /// Stores a board. Returns `false` if there is no room for it.
    fn push(&mut self, board: &Board, node: usize) -> bool {
        let (size, at) = (board.cells().len(), self.count);
        if (at + 1) * size > self.cells.len() || at == self.standings.len() {
            return false;
        }
        self.cells[at * size..(at + 1) * size].copy_from_slice(board.cells());
        self.standings[at] = (board.standing, node as u32);
        self.count += 1;
        true
    }

    /// Loads the board number `at` into `board`. Returns its node.
    fn take_out(&self, at: usize, board: &mut Board) -> usize {
        let size = board.cells().len();
        let (standing, node) = self.standings[at];
        board.restore(&self.cells[at * size..(at + 1) * size], standing);
        node as usize
    }
}

/// Memory of a breadth-first search, allocated once.
pub struct BreadthFirst {
    nodes: Box<[BreadthNode]>,
    count: usize,
    /// Boards of the last complete depth, and of the depth after it.
    boards: BreadthFrontier,
    deeper: BreadthFrontier,
}

impl BreadthFirst {
    /// Allocates more memory than a search of 100 ms uses.
    pub fn new() -> BreadthFirst {
        BreadthFirst::with_room(BOARD_BYTES, MOST_NODES)
    }

    /// Allocates `bytes` for the boards of each depth, and `nodes` positions for all depths.
    pub fn with_room(bytes: usize, nodes: usize) -> BreadthFirst {
        BreadthFirst {
            nodes: vec![BreadthNode::default(); nodes].into(),
            count: 0,
            boards: BreadthFrontier::new(bytes),
            deeper: BreadthFrontier::new(bytes),
        }
    }

    /// Returns the best moves at the last complete depth, at most `plies`; `None` if no depth was
    /// completed. The board is unchanged afterwards.
    pub fn search(
        &mut self,
        board: &mut Board,
        evaluator: &mut BoardEvaluator,
        plies: u32,
    ) -> Option<BoardSearchResult> {
        let root = board.clone();
        self.plant(&root);
        let (mut depth, mut complete) = (0, self.count);
        while depth < plies && self.boards.count > 0 && self.deepen(board, evaluator, depth + 1) {
            std::mem::swap(&mut self.boards, &mut self.deeper);
            (depth, complete) = (depth + 1, self.count);
        }
        board.restore(root.cells(), root.standing);
        (depth > 0).then(|| self.answer(board, complete, depth))
    }

    fn plant(&mut self, root: &Board) {
        (self.count, self.boards.count) = (1, 0);
        self.nodes[0] = BreadthNode { parent: 0, value: 0, mine: true };
        self.boards.push(root, 0);
    }

    /// Evaluates and stores every position of the next depth. Returns `true` if the depth was
    /// completed.
    fn deepen(&mut self, board: &mut Board, evaluator: &mut BoardEvaluator, ply: u32) -> bool {
        self.deeper.count = 0;
        for at in 0..self.boards.count {
            let parent = self.boards.take_out(at, board);
            for direction in Direction::of_mask(board.ways(board.standing.mover.into())) {
                let undo = board.play(direction);
                let kept = !evaluator.limiter.tick()
                    && self.keep(board, parent, evaluator.value(board, ply));
                board.undo(undo);
                if !kept {
                    return false;
                }
            }
        }
        true
    }

    /// Stores a position, with its board if the game is not over. Returns `false` if there is no
    /// room.
    fn keep(&mut self, board: &Board, parent: usize, value: i32) -> bool {
        let node = self.count;
        if node == self.nodes.len() {
            return false;
        }
        let mine = usize::from(board.standing.mover) == board.me;
        self.nodes[node] = BreadthNode { parent: parent as u32, value, mine };
        self.count += 1;
        board.end().is_some() || self.deeper.push(board, node)
    }

    /// Returns the best moves by minimax over the first `complete` nodes. Static values of inner
    /// nodes are replaced by those of their children.
    fn answer(&mut self, board: &Board, complete: usize, depth: u32) -> BoardSearchResult {
        // Nodes with children get the worst value for their mover; leaves keep theirs.
        for node in 1..complete {
            let parent = self.nodes[node].parent as usize;
            let parent = &mut self.nodes[parent];
            parent.value = if parent.mine { -2 * WON } else { 2 * WON };
        }
        // Children come after their parents, so the reverse order visits every child first.
        for node in (1..complete).rev() {
            let BreadthNode { parent, value, .. } = self.nodes[node];
            let parent = &mut self.nodes[parent as usize];
            let best = if parent.mine { i32::max } else { i32::min };
            parent.value = best(parent.value, value);
        }
        let value = self.nodes[0].value;
        let ways = Direction::of_mask(board.ways(board.me)).zip(&self.nodes[1..]);
        let best = ways.filter(|(_, node)| node.value == value);
        let moves = mask_of(best.map(|(direction, _)| direction.index()));
        BoardSearchResult { value, moves, depth }
    }
}
