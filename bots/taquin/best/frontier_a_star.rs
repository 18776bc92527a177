//! A* in little memory: the queue is the table of boards itself. Layer by layer, a layer being the
//! open boards through which the shortest known path has a certain length, the table is swept for
//! them; what comes into the layer meanwhile is expanded at once, the last one first. Where a
//! shorter way is found the length in the table is decreased. The way back to the root is in the
//! moves that are kept.

use super::open_closed_table::{NodeRecord, OpenClosedTable, TableSlot};
use crate::taquin::grid::{DIRECTIONS, NO_DIRECTION};
use crate::taquin::heuristics::Heuristic;
use crate::taquin::packed_board::PackedBoard;
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use crate::taquin::successors::{Successor, SuccessorGenerator};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use std::collections::VecDeque;

/// So many places are waited for at once.
const AHEAD: usize = 16;

/// Solves a board that fits into a word `K` as
/// [`a_star`](crate::taquin::sheet::a_star::a_star) does, in half of its memory.
pub fn frontier_a_star<K: PackedBoard, H: Heuristic>(
    heuristic: &H,
    board: &Board,
    limiter: &mut Limiter,
    memory: usize,
) -> Solution {
    FrontierSearch::<H, K>::new(heuristic, board, memory).run(board, limiter)
}

struct FrontierSearch<'h, H, K> {
    generator: SuccessorGenerator<'h, H, K>,
    table: OpenClosedTable<K>,
    /// Boards of the layer that came into it while it is swept.
    waiting: Vec<K>,
    /// Slides whose slots are prefetched.
    pending: VecDeque<PendingSlide<K>>,
    memory: usize,
    stats: SearchStats,
}

/// A slide whose slot is prefetched.
#[derive(Clone, Copy)]
struct PendingSlide<K> {
    word: K,
    record: NodeRecord,
}

impl<'h, H: Heuristic, K: PackedBoard> FrontierSearch<'h, H, K> {
    fn new(heuristic: &'h H, board: &Board, memory: usize) -> Self {
        FrontierSearch {
            generator: SuccessorGenerator::new(heuristic, board),
            table: OpenClosedTable::new(),
            waiting: Vec::new(),
            pending: VecDeque::new(),
            memory,
            stats: SearchStats::default(),
        }
    }

    fn run(mut self, board: &Board, limiter: &mut Limiter) -> Solution {
        let root = K::pack(board.cells());
        let mut layer = self.generator.value(board);
        let record =
            NodeRecord { length: layer as u8, direction: NO_DIRECTION as u8, is_open: true };
        self.table.improve(root, record);
        let mut found = root == self.generator.goal;
        while !found {
            if layer > limiter.depth_limit() {
                return Solution::without_path(SolveStatus::OutOfBudget, self.spent());
            }
            match self.sweep(layer as u8, limiter) {
                Ok(is_found) => found = is_found,
                Err(status) => return Solution::without_path(status, self.spent()),
            }
            layer += 2;
        }
        Solution::with_path(self.path(board), self.spent())
    }

    /// Expands all boards of a layer, unless the goal is one of them. Returns whether it is.
    fn sweep(&mut self, layer: u8, limiter: &mut Limiter) -> Result<bool, SolveStatus> {
        let (mut slot, mut is_swept) = (TableSlot::FIRST, true);
        loop {
            let Some(word) = self.waiting.pop().or_else(|| {
                let (at, word) = self.table.next_open(slot, layer)?;
                (slot, is_swept) = (at, false);
                Some(word)
            }) else {
                if is_swept && self.pending.is_empty() {
                    return Ok(false);
                }
                // Where the table grew some boards may have moved to what was swept already, and
                // some are yet to be put in.
                (slot, is_swept) = (TableSlot::FIRST, self.pending.is_empty());
                if self.put_in(0, layer) {
                    return Ok(true);
                }
                continue;
            };
            if self.bytes_soon() > self.memory {
                return Err(SolveStatus::MemoryLimit);
            }
            if limiter.tick() {
                return Err(SolveStatus::OutOfBudget);
            }
            self.expand(word);
            if self.put_in(AHEAD, layer) {
                return Ok(true);
            }
        }
    }

    /// Generates the successors of a board, if it is open still, and asks for their places.
    fn expand(&mut self, word: K) {
        let slot = self.table.find(word).expect("it was put in");
        let record = self.table.record(slot);
        if !record.is_open {
            return;
        }
        self.table.set(slot, NodeRecord { is_open: false, ..record });
        let expansion = self.generator.expand(word, record.direction.into());
        let made = u32::from(record.length) - expansion.value;
        for &Successor { board, value, direction } in expansion.successors() {
            self.table.prefetch(board);
            let length = (made + 1 + value) as u8;
            let record = NodeRecord { length, direction, is_open: true };
            self.pending.push_back(PendingSlide { word: board, record });
        }
        self.stats.expanded += 1;
        self.stats.generated += expansion.successors().len() as u64;
    }

    /// Puts boards in that were reached, the first ones first, until so many are left. Returns
    /// whether the goal is one of them, on a path that is no longer than those of the layer.
    fn put_in(&mut self, left: usize, layer: u8) -> bool {
        let mut is_found = false;
        while self.pending.len() > left {
            let PendingSlide { word, record } = self.pending.pop_front().expect("some are left");
            if self.table.improve(word, record) && record.length <= layer {
                self.waiting.push(word);
                is_found |= word == self.generator.goal;
            }
        }
        is_found
    }

    /// The path from the root, found by going back from the goal.
    fn path(&self, root: &Board) -> Vec<Direction> {
        let (mut path, mut board) = (Vec::new(), Board::goal(root.rows(), root.columns()));
        while board != *root {
            let slot = self.table.find(K::pack(board.cells())).expect("it is on the path");
            let direction = Direction::ALL[usize::from(self.table.record(slot).direction)];
            path.push(direction);
            board.slide(direction.opposite());
        }
        path.reverse();
        path
    }

    fn bytes(&self) -> usize {
        let waiting = std::mem::size_of::<K>() * self.waiting.capacity();
        self.table.bytes() + waiting + self.generator.heuristic.bytes()
    }

    /// The same once a board more is expanded, at most.
    fn bytes_soon(&self) -> usize {
        let waiting = 3 * std::mem::size_of::<K>() * self.waiting.capacity();
        self.table.bytes_with(self.pending.len() + DIRECTIONS)
            + waiting
            + self.generator.heuristic.bytes()
    }

    fn spent(&self) -> SearchStats {
        SearchStats { stored: self.table.len(), bytes: self.bytes(), ..self.stats }
    }
}
