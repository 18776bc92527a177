//! A* with tables of parents and distances, and a queue in which a priority can be decreased. Boards are
//! stored packed; where they would need more memory than allowed, it says so.

use super::grid::{Grid, Step, NOWHERE};
use super::heuristic::{Heuristic, Slide};
use super::queue::BucketQueue;
use super::solution::{Effort, Ending, Solution};
use super::store::{push, room, too_large, Packed, Store, MOST_CELLS};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;

const CAP: usize = 32;
/// Boards that are expanded between two looks at the memory, and new ones meanwhile at most.
const BETWEEN_LOOKS: u64 = 256;
const NEW_BETWEEN_LOOKS: usize = 4 * BETWEEN_LOOKS as usize;

/// Solves a board optimally, as long as the meter allows and what is stored takes no more than `memory`
/// bytes. A heuristic need not be consistent: a board that is reached on a shorter way is opened again.
///
/// # Errors
/// If the board has more than `MOST_CELLS` of the store.
pub fn a_star<H: Heuristic>(
    heuristic: &H,
    board: &Board,
    meter: &mut Limiter,
    memory: usize,
) -> Result<Solution, ParseError> {
    if !board.is_solvable() {
        return Ok(Solution::without_path(Ending::Unsolvable, Effort::default()));
    }
    match board.cells().len() {
        ..=16 => Ok(Search::<H, u64>::new(heuristic, board, memory).run(meter)),
        17..=MOST_CELLS => Ok(Search::<H, u128>::new(heuristic, board, memory).run(meter)),
        cells => Err(too_large("a-star-queue", cells)),
    }
}

struct Search<'h, H, K> {
    heuristic: &'h H,
    grid: Grid<CAP>,
    cells: usize,
    goal: K,
    /// By number of a board: the board. The first one is the root.
    boards: Store<K>,
    /// By number: the number of the board before it. The root is its own parent.
    parents: Vec<u32>,
    /// By number: the length of the shortest way found to it, and its last slide.
    arrivals: Vec<Arrival>,
    queue: BucketQueue,
    memory: usize,
    effort: Effort,
}

/// How a board was reached.
#[derive(Clone, Copy)]
struct Arrival {
    distance: u8,
    /// A direction's index, or [`NOWHERE`].
    way: u8,
}

/// A board while its successors are generated.
struct Opened<K, M> {
    number: u32,
    word: K,
    /// The length of the way to its successors.
    distance: u8,
    cells: [u8; CAP],
    blank: usize,
    mark: M,
}

impl<'h, H: Heuristic, K: Packed> Search<'h, H, K> {
    fn new(heuristic: &'h H, board: &Board, memory: usize) -> Self {
        let grid = Grid::new((board.rows(), board.columns()));
        let goal = K::pack(Board::goal(board.rows(), board.columns()).cells());
        let (cells, boards, queue) =
            (board.cells().len(), Store::default(), BucketQueue::default());
        let (parents, arrivals, effort) = (Vec::new(), Vec::new(), Effort::default());
        let mut search = Search {
            heuristic,
            grid,
            cells,
            goal,
            boards,
            parents,
            arrivals,
            queue,
            memory,
            effort,
        };
        let mark = heuristic.mark(board.cells(), board.blank());
        let arrival = Arrival { distance: 0, way: NOWHERE as u8 };
        search.reach(K::pack(board.cells()), 0, arrival, heuristic.estimate(&mark));
        search
    }

    fn run(mut self, meter: &mut Limiter) -> Solution {
        while let Some((number, estimate)) = self.queue.pop() {
            if self.boards.get(number) == self.goal {
                let path = self.path(number);
                return Solution::with_path(path, self.spent());
            }
            if meter.tick() || estimate > meter.depth_limit() as usize {
                return Solution::without_path(Ending::OutOfBudget, self.spent());
            }
            let is_due = self.effort.expanded.is_multiple_of(BETWEEN_LOOKS);
            if is_due && self.bytes(NEW_BETWEEN_LOOKS) > self.memory {
                return Solution::without_path(Ending::MemoryLimit, self.spent());
            }
            self.expand(number);
        }
        unreachable!("a board that can be solved has a path to the goal")
    }

    fn expand(&mut self, number: u32) {
        let (word, mut cells) = (self.boards.get(number), [0; CAP]);
        let blank = word.unpack(&mut cells[..self.cells]);
        let mark = self.heuristic.mark(&cells[..self.cells], blank);
        self.effort.expanded += 1;
        let Arrival { distance, way } = self.arrivals[number as usize];
        let mut opened = Opened { number, word, distance: distance + 1, cells, blank, mark };
        // Straight back is no shorter way.
        let steps = *self.grid.steps(blank, way.into());
        for step in steps.list() {
            self.generate(&mut opened, step);
        }
    }

    /// The successor after this slide.
    fn generate(&mut self, opened: &mut Opened<K, H::Mark>, step: &Step) {
        let (from, to) = (usize::from(step.to), opened.blank);
        let tile = usize::from(opened.cells[from]);
        opened.cells[to] = tile as u8;
        let slide = Slide { tile, from, to, cells: &opened.cells[..self.cells] };
        let mark = self.heuristic.after(&opened.mark, &slide, u32::MAX);
        let estimate = self.heuristic.estimate(&mark.expect("there is no limit"));
        self.effort.generated += 1;
        let arrival = Arrival { distance: opened.distance, way: step.way };
        let word = opened.word.slid(tile, self.cells - 1, from, to);
        self.reach(word, opened.number, arrival, estimate);
    }

    /// Takes note of a way to a board, if there is no shorter one.
    fn reach(&mut self, board: K, parent: u32, arrival: Arrival, estimate: u32) {
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
        self.queue.put(number, usize::from(arrival.distance) + estimate as usize);
    }

    /// The way from the root, along the parents.
    fn path(&self, goal: u32) -> Vec<Direction> {
        let (mut path, mut number) = (Vec::new(), goal as usize);
        while self.parents[number] as usize != number {
            path.push(Direction::ALL[usize::from(self.arrivals[number].way)]);
            number = self.parents[number] as usize;
        }
        path.reverse();
        path
    }

    /// The bytes of all tables, if so many more boards are to have room.
    fn bytes(&self, more: usize) -> usize {
        let tables = 4 * room(&self.parents, more) + 2 * room(&self.arrivals, more);
        tables + self.boards.bytes(more) + self.queue.bytes(more) + self.heuristic.bytes()
    }

    fn spent(&self) -> Effort {
        Effort { stored: self.boards.len(), bytes: self.bytes(0), ..self.effort }
    }
}
