//! A* in little memory: the table of boards is also the queue. A layer holds the open boards of one
//! f-value (moves made plus estimate). Each sweep of the table expands one layer; boards that enter
//! it meanwhile are expanded at once, last first. A shorter path to a board decreases its f-value
//! in the table. The solution is reconstructed from the stored moves.

use super::open_closed_table::{NodeRecord, OpenClosedTable, TableSlot};
use crate::taquin::grid::{DIRECTIONS, NO_DIRECTION};
use crate::taquin::heuristics::Heuristic;
use crate::taquin::packed_board::PackedBoard;
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use crate::taquin::successors::{Successor, SuccessorGenerator};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use std::collections::VecDeque;

/// Slides whose slots are prefetched at a time. Prefetching 16 raised the speed from about 2.5 to
/// 2.9 million expanded boards per second (2026-11-22, `docs/diary/taquin.md`).
const AHEAD: usize = 16;

/// Solves a board that fits into a word `K` like [`a_star`](crate::taquin::sheet::a_star::a_star),
/// in half of its memory.
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
    /// Boards that entered the layer while it is swept.
    waiting: Vec<K>,
    /// Slides whose slots are prefetched.
    pending: VecDeque<PendingSlide<K>>,
    memory: usize,
    stats: SearchStats,
}

/// Slide whose slot is prefetched.
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
            // All boards of smaller f-values are closed, so no solution is shorter than the layer.
            let without_path = |search: Self, status| {
                Solution::without_path(status, layer as usize, search.spent())
            };
            if layer > limiter.depth_limit() {
                return without_path(self, SolveStatus::OutOfBudget);
            }
            match self.sweep(layer as u8, limiter) {
                Ok(is_found) => found = is_found,
                Err(status) => return without_path(self, status),
            }
            // Estimates keep the parity of the distance, so f-values grow by two.
            layer += 2;
        }
        Solution::with_path(self.path(board), self.spent())
    }

    /// Expands all boards of a layer until the goal enters it. Returns whether it did.
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
                // If the table grew, boards may have moved to slots already swept, and pending
                // slides may add more. The layer is complete once a whole sweep finds nothing.
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

    /// Generates the successors of a board, unless it is closed already, and prefetches their
    /// slots.
    fn expand(&mut self, word: K) {
        let slot = self.table.find(word).expect("open boards are in the table");
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

    /// Inserts the boards of pending slides, first in, first out, until `left` are pending. Returns
    /// `true` if the goal is among them, with an f-value within the layer.
    fn put_in(&mut self, left: usize, layer: u8) -> bool {
        let mut is_found = false;
        while self.pending.len() > left {
            let PendingSlide { word, record } = self.pending.pop_front().expect("it is longer");
            if self.table.improve(word, record) && record.length <= layer {
                self.waiting.push(word);
                is_found |= word == self.generator.goal;
            }
        }
        is_found
    }

    /// Returns the path from the root, by following the moves back from the goal.
    fn path(&self, root: &Board) -> Vec<Direction> {
        let (mut path, mut board) = (Vec::new(), Board::goal(root.rows(), root.columns()));
        while board != *root {
            let slot = self.table.find(K::pack(board.cells())).expect("the path is kept");
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

    /// Returns an upper limit of [`FrontierSearch::bytes`] after one more expansion.
    fn bytes_soon(&self) -> usize {
        // A growing vector holds its old and its doubled buffer together.
        let waiting = 3 * std::mem::size_of::<K>() * self.waiting.capacity();
        self.table.bytes_with(self.pending.len() + DIRECTIONS)
            + waiting
            + self.generator.heuristic.bytes()
    }

    fn spent(&self) -> SearchStats {
        SearchStats { stored: self.table.len(), bytes: self.bytes(), ..self.stats }
    }
}
