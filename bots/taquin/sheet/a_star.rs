//! A* with tables of parents and distances, and a queue in which a priority can be decreased.
//! Boards are stored packed. The search stops when its tables would exceed the memory limit.

use super::bucket_queue::BucketQueue;
use super::node_store::{push, room, NodeStore};
use crate::taquin::grid::{BoardGrid, CAP, NO_DIRECTION};
use crate::taquin::heuristics::{Heuristic, Slide};
use crate::taquin::packed_board::PackedBoard;
use crate::taquin::solution::{SearchStats, Solution, SolveStatus};
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

/// Boards expanded between two checks of the memory. Not tuned.
const BETWEEN_LOOKS: u64 = 256;
/// Upper limit of the boards added between two checks: four successors of each.
const NEW_BETWEEN_LOOKS: usize = 4 * BETWEEN_LOOKS as usize;

/// Solves a board that fits into a word `K` optimally, within the limits of `limiter` and with
/// tables of at most `memory` bytes. Boards reached on a shorter path are reopened, so the
/// heuristic need not be consistent.
pub fn a_star<K: PackedBoard, H: Heuristic>(
    heuristic: &H,
    board: &Board,
    limiter: &mut Limiter,
    memory: usize,
) -> Solution {
    AStarSearch::<H, K>::new(heuristic, board, memory).run(limiter)
}

struct AStarSearch<'h, H, K> {
    heuristic: &'h H,
    grid: BoardGrid<CAP>,
    cells: usize,
    goal: K,
    /// Boards by number; the first one is the root.
    boards: NodeStore<K>,
    /// Number of the parent of each board. The root is its own parent.
    parents: Vec<u32>,
    /// Shortest known path to each board.
    arrivals: Vec<Arrival>,
    queue: BucketQueue,
    memory: usize,
    stats: SearchStats,
}

/// Length of the shortest known path to a board, and its last slide.
#[derive(Clone, Copy)]
struct Arrival {
    distance: u8,
    /// Index of a direction, or [`NO_DIRECTION`].
    direction: u8,
}

impl<'h, H: Heuristic, K: PackedBoard> AStarSearch<'h, H, K> {
    fn new(heuristic: &'h H, board: &Board, memory: usize) -> Self {
        let goal = Board::goal(board.rows(), board.columns());
        let mut search = AStarSearch {
            heuristic,
            grid: BoardGrid::new((board.rows(), board.columns())),
            cells: goal.cells().len(),
            goal: K::pack(goal.cells()),
            boards: NodeStore::default(),
            parents: Vec::new(),
            arrivals: Vec::new(),
            queue: BucketQueue::default(),
            memory,
            stats: SearchStats::default(),
        };
        let arrival = Arrival { distance: 0, direction: NO_DIRECTION as u8 };
        let value = heuristic.value(&heuristic.estimate(board.cells(), board.blank()));
        search.reach(K::pack(board.cells()), 0, arrival, value);
        search
    }

    fn run(mut self, limiter: &mut Limiter) -> Solution {
        let mut lower_bound = 0;
        while let Some((number, value)) = self.queue.pop() {
            // The least priority is a lower bound of every solution. It may fall again if the
            // heuristic is not consistent.
            lower_bound = lower_bound.max(value);
            if self.boards.get(number) == self.goal {
                let path = self.path(number);
                return Solution::with_path(path, self.spent());
            }
            if limiter.tick() || value > limiter.depth_limit() as usize {
                let status = SolveStatus::OutOfBudget;
                return Solution::without_path(status, lower_bound, self.spent());
            }
            let is_due = self.stats.expanded.is_multiple_of(BETWEEN_LOOKS);
            if is_due && self.bytes(NEW_BETWEEN_LOOKS) > self.memory {
                let status = SolveStatus::MemoryLimit;
                return Solution::without_path(status, lower_bound, self.spent());
            }
            self.expand(number);
        }
        unreachable!("a board that can be solved has a path to the goal")
    }

    /// Reaches the successors of a board. No slide goes straight back.
    fn expand(&mut self, number: u32) {
        let Arrival { distance, direction } = self.arrivals[number as usize];
        let (board, heuristic, mut cells) = (self.boards.get(number), self.heuristic, [0; CAP]);
        let cells = &mut cells[..self.cells];
        let blank = board.unpack(cells);
        let estimate = heuristic.estimate(cells, blank);
        let moves = *self.grid.moves(blank, direction.into());
        self.stats.expanded += 1;
        self.stats.generated += moves.list().len() as u64;
        for blank_move in moves.list() {
            let from = usize::from(blank_move.to);
            let tile = usize::from(cells[from]);
            // The cell the tile left is not cleared: heuristics ignore the blank's cell.
            cells[blank] = tile as u8;
            let slide = Slide { tile, from, to: blank, cells };
            let next = heuristic.after(&estimate, &slide, u32::MAX).expect("there is no limit");
            let arrival = Arrival { distance: distance + 1, direction: blank_move.direction };
            let next_board = board.slid(tile, self.cells - 1, from, blank);
            self.reach(next_board, number, arrival, heuristic.value(&next));
        }
    }

    /// Records a path to a board, if it is shorter than the known one.
    fn reach(&mut self, board: K, parent: u32, arrival: Arrival, value: u32) {
        let (number, is_new) = self.boards.number(board);
        let at = number as usize;
        if is_new {
            push(&mut self.parents, parent);
            push(&mut self.arrivals, arrival);
        } else if self.arrivals[at].distance > arrival.distance {
            self.parents[at] = parent;
            self.arrivals[at] = arrival;
        } else {
            return;
        }
        self.queue.put(number, usize::from(arrival.distance) + value as usize);
    }

    /// Returns the path from the root, by following the parents back.
    fn path(&self, goal: u32) -> Vec<Direction> {
        let (mut path, mut number) = (Vec::new(), goal as usize);
        while self.parents[number] as usize != number {
            path.push(Direction::ALL[usize::from(self.arrivals[number].direction)]);
            number = self.parents[number] as usize;
        }
        path.reverse();
        path
    }

    /// Returns the size of all tables in bytes, with room for `more` more boards.
    fn bytes(&self, more: usize) -> usize {
        let tables = 4 * room(&self.parents, more) + 2 * room(&self.arrivals, more);
        tables + self.boards.bytes(more) + self.queue.bytes(more) + self.heuristic.bytes()
    }

    fn spent(&self) -> SearchStats {
        SearchStats { stored: self.boards.len(), bytes: self.bytes(0), ..self.stats }
    }
}
