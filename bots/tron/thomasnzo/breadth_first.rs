//! Phase 2, version 3: breadth first. Every position of a depth is judged and its board is kept, to go
//! on from there at the next depth; the answer is that of the last depth that was complete.

use super::board::{Board, Standing};
use super::evaluation::{BoardEvaluator, BoardSearchResult, WON};
use crate::tron::seats::mask_of;
use arbitre_games::games::tron::Direction;

/// The boards of a depth may take so many bytes: 49 thousand of 30 x 20, four times what 100 ms lead
/// to. The system hands out only what is touched.
const BOARD_BYTES: usize = 32 << 20;
/// The bytes of a board of 3 x 3.
const SMALLEST_BOARD: usize = 4 * 5;
/// So many positions of all depths are remembered.
const MOST_NODES: usize = 1 << 20;

/// A position of the tree, without its board.
#[derive(Clone, Copy, Default)]
struct BreadthNode {
    parent: u32,
    value: i32,
    /// Is it my turn there?
    mine: bool,
}

/// The boards of a depth: fixed arrays and a cursor.
struct BreadthFrontier {
    cells: Box<[u8]>,
    /// By board, who is where, and its node.
    standings: Box<[(Standing, u32)]>,
    count: usize,
}

impl BreadthFrontier {
    fn new(bytes: usize) -> BreadthFrontier {
        let standings = vec![(Standing::default(), 0); bytes / SMALLEST_BOARD].into();
        BreadthFrontier { cells: vec![0; bytes].into(), standings, count: 0 }
    }

    /// Keeps a board. Returns whether there was room for it.
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

    /// Makes this the board with that number. Returns its node.
    fn take_out(&self, at: usize, board: &mut Board) -> usize {
        let size = board.cells().len();
        let (standing, node) = self.standings[at];
        board.restore(&self.cells[at * size..(at + 1) * size], standing);
        node as usize
    }
}

/// The memory of a search breadth first, allocated once.
pub struct BreadthFirst {
    nodes: Box<[BreadthNode]>,
    count: usize,
    /// The boards of the last complete depth, and of the one after it.
    boards: BreadthFrontier,
    deeper: BreadthFrontier,
}

impl BreadthFirst {
    /// Memory for what 100 ms lead to, and more.
    pub fn new() -> BreadthFirst {
        BreadthFirst::with_room(BOARD_BYTES, MOST_NODES)
    }

    /// Memory for the boards of a depth, in bytes, and for so many positions of all depths.
    pub fn with_room(bytes: usize, nodes: usize) -> BreadthFirst {
        BreadthFirst {
            nodes: vec![BreadthNode::default(); nodes].into(),
            count: 0,
            boards: BreadthFrontier::new(bytes),
            deeper: BreadthFrontier::new(bytes),
        }
    }

    /// The best moves at the last depth that was complete, at most so many plies; none if not even the
    /// first was. The board is left as it was.
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

    /// Judges and keeps every position at the next depth. Returns whether it came to the end.
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

    /// Keeps a position, with its board if the game goes on. Returns whether there was room.
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

    /// The best moves by the values of the last so many plies: what was found before at the nodes
    /// above gives way to what their children are worth.
    fn answer(&mut self, board: &Board, complete: usize, depth: u32) -> BoardSearchResult {
        for node in 1..complete {
            let parent = self.nodes[node].parent as usize;
            let parent = &mut self.nodes[parent];
            parent.value = if parent.mine { -2 * WON } else { 2 * WON };
        }
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
