//! A* in little memory: the queue is the table of boards itself. Layer by layer, a layer being the open boards through
//! which the shortest known path has a certain length, the table is swept for them; what comes into the layer
//! meanwhile is expanded at once, the last one first. Where a shorter way is found the length in the table is
//! decreased. The way back to the root is in the moves that are kept.

use super::grid::{Grid, NOWHERE};
use super::heuristic::{Heuristic, Slide};
use super::shelf::{Note, Place, Shelf};
use super::solution::{Effort, Ending, Solution};
use super::store::{too_large, Packed, MOST_CELLS};
use arbitre_games::game::ParseError;
use arbitre_games::games::taquin::{Board, Direction};
use arbitre_games::search::budget::Limiter;
use std::collections::VecDeque;

const CAP: usize = 32;
/// So many places are waited for at once.
const AHEAD: usize = 16;

/// Solves a board optimally, as long as the meter allows and what is kept takes no more than `memory` bytes. A
/// heuristic need not be consistent: a board that is reached on a shorter way is opened again.
///
/// # Errors
/// If the board has more than `MOST_CELLS` of the store.
pub fn layered<H: Heuristic>(
    heuristic: &H,
    board: &Board,
    meter: &mut Limiter,
    memory: usize,
) -> Result<Solution, ParseError> {
    if !board.is_solvable() {
        return Ok(Solution::without_path(Ending::Unsolvable, Effort::default()));
    }
    match board.cells().len() {
        ..=16 => Ok(Search::<H, u64>::new(heuristic, board, memory).run(board, meter)),
        17..=MOST_CELLS => Ok(Search::<H, u128>::new(heuristic, board, memory).run(board, meter)),
        cells => Err(too_large("a-star", cells)),
    }
}

struct Search<'h, H, K> {
    heuristic: &'h H,
    grid: Grid<CAP>,
    cells: usize,
    goal: K,
    shelf: Shelf<K>,
    /// Boards of the layer that came into it while it is swept.
    waiting: Vec<K>,
    /// Slides whose places are asked for.
    reached: VecDeque<Reached<K>>,
    memory: usize,
    effort: Effort,
}

/// A slide whose place is asked for.
#[derive(Clone, Copy)]
struct Reached<K> {
    word: K,
    note: Note,
}

impl<'h, H: Heuristic, K: Packed + Default> Search<'h, H, K> {
    fn new(heuristic: &'h H, board: &Board, memory: usize) -> Self {
        let size = (board.rows(), board.columns());
        Search {
            heuristic,
            grid: Grid::new(size),
            cells: board.cells().len(),
            goal: K::pack(Board::goal(size.0, size.1).cells()),
            shelf: Shelf::new(),
            waiting: Vec::new(),
            reached: VecDeque::new(),
            memory,
            effort: Effort::default(),
        }
    }

    fn run(mut self, board: &Board, meter: &mut Limiter) -> Solution {
        let root = K::pack(board.cells());
        let mark = self.heuristic.mark(board.cells(), board.blank());
        let mut layer = self.heuristic.estimate(&mark);
        let note = Note { length: layer as u8, way: NOWHERE as u8, is_open: true };
        self.shelf.improve(root, note);
        let mut found = root == self.goal;
        while !found {
            if layer > meter.depth_limit() {
                return Solution::without_path(Ending::OutOfBudget, self.spent());
            }
            match self.sweep(layer as u8, meter) {
                Ok(is_found) => found = is_found,
                Err(ending) => return Solution::without_path(ending, self.spent()),
            }
            layer += 2;
        }
        Solution::with_path(self.path(root), self.spent())
    }

    /// Expands all boards of a layer, unless the goal is one of them. Returns whether it is.
    fn sweep(&mut self, layer: u8, meter: &mut Limiter) -> Result<bool, Ending> {
        let (mut place, mut is_swept) = (Place::FIRST, true);
        loop {
            let Some(word) = self.waiting.pop().or_else(|| {
                let (at, word) = self.shelf.next_open(place, layer)?;
                (place, is_swept) = (at, false);
                Some(word)
            }) else {
                if is_swept && self.reached.is_empty() {
                    return Ok(false);
                }
                // Where the table grew some boards may have moved to what was swept already, and some are yet to be put in.
                (place, is_swept) = (Place::FIRST, self.reached.is_empty());
                if self.put_in(0, layer) {
                    return Ok(true);
                }
                continue;
            };
            if self.bytes_soon() > self.memory {
                return Err(Ending::MemoryLimit);
            }
            if meter.tick() {
                return Err(Ending::OutOfBudget);
            }
            self.expand(word);
            if self.put_in(AHEAD, layer) {
                return Ok(true);
            }
        }
    }

    /// Generates the successors of a board, if it is open still, and asks for their places.
    fn expand(&mut self, word: K) {
        let place = self.shelf.find(word).expect("it was put in");
        let note = self.shelf.note(place);
        if !note.is_open {
            return;
        }
        self.shelf.set(place, Note { is_open: false, ..note });
        self.effort.expanded += 1;
        let mut cells = [0; CAP];
        let blank = word.unpack(&mut cells[..self.cells]);
        let mark = self.heuristic.mark(&cells[..self.cells], blank);
        let made = u32::from(note.length) - self.heuristic.estimate(&mark);
        // Straight back is no shorter way.
        let steps = *self.grid.steps(blank, note.way.into());
        for step in steps.list() {
            let from = usize::from(step.to);
            let tile = usize::from(cells[from]);
            cells[blank] = tile as u8;
            let slide = Slide { tile, from, to: blank, cells: &cells[..self.cells] };
            let next = self.heuristic.after(&mark, &slide, u32::MAX).expect("there is no limit");
            let length = (made + 1 + self.heuristic.estimate(&next)) as u8;
            let word = word.slid(tile, self.cells - 1, from, blank);
            self.shelf.ask_for(word);
            let note = Note { length, way: step.way, is_open: true };
            self.reached.push_back(Reached { word, note });
        }
        self.effort.generated += steps.list().len() as u64;
    }

    /// Puts boards in that were reached, the first ones first, until so many are left. Returns whether the goal is one of
    /// them, on a path that is no longer than those of the layer.
    fn put_in(&mut self, left: usize, layer: u8) -> bool {
        let mut is_found = false;
        while self.reached.len() > left {
            let Reached { word, note } = self.reached.pop_front().expect("some are left");
            if self.shelf.improve(word, note) && note.length <= layer {
                self.waiting.push(word);
                is_found |= word == self.goal;
            }
        }
        is_found
    }

    /// The way from the root, found by going back from the goal.
    fn path(&self, root: K) -> Vec<Direction> {
        let (mut path, mut word) = (Vec::new(), self.goal);
        while word != root {
            let place = self.shelf.find(word).expect("it is on the path");
            let way = Direction::ALL[usize::from(self.shelf.note(place).way)];
            path.push(way);
            let mut cells = [0; CAP];
            let blank = word.unpack(&mut cells[..self.cells]);
            let back = self.grid.steps(blank, NOWHERE).list().iter();
            let mut back = back.filter(|step| usize::from(step.way) == way.opposite().index());
            let from = usize::from(back.next().expect("it came from there").to);
            word = word.slid(cells[from].into(), self.cells - 1, from, blank);
        }
        path.reverse();
        path
    }

    fn bytes(&self) -> usize {
        let waiting = std::mem::size_of::<K>() * self.waiting.capacity();
        self.shelf.bytes() + waiting + self.heuristic.bytes()
    }

    /// The same once a board more is expanded, at most.
    fn bytes_soon(&self) -> usize {
        let waiting = 3 * std::mem::size_of::<K>() * self.waiting.capacity();
        self.shelf.bytes_with(self.reached.len() + Direction::ALL.len())
            + waiting
            + self.heuristic.bytes()
    }

    fn spent(&self) -> Effort {
        Effort { stored: self.shelf.len(), bytes: self.bytes(), ..self.effort }
    }
}
