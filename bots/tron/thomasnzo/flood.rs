//! The flood: who reaches which cell first. It is used everywhere, for the context and for every
//! evaluation.
//!
//! A step moves everybody once, in the order of the turns from the one to move, so that of two who
//! are equally far from a cell the earlier has it. It is iterative: a queue in an array, in which the
//! cells of a step stand in the order of their players' turns, so that going through it is enough.
//!
//! **Groups** ("cases à choix", for the first move only): the cells that a player reaches by each of
//! its first moves are a group. A cell's byte says whose it is and in which group, and each group
//! keeps a mask of the bytes that it met, by which groups are connected.
//!
//! **Deaths**: once the step is greater than the life of an enclosed player, that player and all its
//! walls go, and the cells of the others that were closed and are next to a free cell now are open
//! again. A cycle has left the cell that it starts from by then, so that this one stays closed. The
//! flood ends with the first step in which nobody reaches anything.

use super::board::{wrap, Board, CELLS, FREE, TRAIL};
use crate::tron::seats::seats;
use arbitre_games::games::tron::{Direction, MOST_SEATS};

/// A life without an end: that of who is not enclosed.
pub const FOREVER: u16 = u16::MAX;

/// A player's groups have the bytes from eight times its seat on, one for each direction; the one
/// after these stands for its head, which is no cell of any group.
const HEAD: usize = 4;
/// The bytes of reached cells are below this.
const REACHED: u8 = 32;
const LABELS: usize = REACHED as usize;
/// Every cell once, and for each death all of them again.
const QUEUE: usize = 4 * CELLS;

/// The arrays of a flood, allocated once.
pub struct RegionFlood {
    /// By index of the board: its byte, or whose it is and in which group.
    labels: [u8; CELLS],
    /// By index of the board: at which step it was reached, from 1 on.
    reached_at: [u16; CELLS],
    queue: [u16; QUEUE],
    /// The queue's cursors: the first cell whose neighbours are still to be looked at, and the end.
    next: usize,
    end: usize,
    /// How many cells each group has.
    sizes: [u16; LABELS],
    /// By group: which bytes are next to its cells, as a mask.
    met: [u64; LABELS],
    /// The last step in which a cell was reached.
    last_step: u16,
}

impl RegionFlood {
    /// Arrays without a flood.
    pub fn new() -> Box<RegionFlood> {
        Box::new(RegionFlood {
            labels: [FREE; CELLS],
            reached_at: [0; CELLS],
            queue: [0; QUEUE],
            next: 0,
            end: 0,
            sizes: [0; LABELS],
            met: [0; LABELS],
            last_step: 0,
        })
    }

    /// Floods the board from the heads of `regions`, a mask; players that are out have none. All
    /// others die after `lives`, by seat, in steps.
    pub fn run(&mut self, board: &Board, regions: u8, lives: &[u16; MOST_SEATS]) {
        self.clear(board);
        let regions = regions & board.standing.alive;
        let mut enclosed = board.standing.alive & !regions;
        let mut step = 1;
        self.bury(board, &mut enclosed, lives, step);
        for seat in board.turns().filter(|seat| regions >> seat & 1 != 0) {
            self.leave_head(board, seat);
        }
        let shortest = |enclosed: u8| seats(enclosed).map(|seat| lives[seat]).min();
        let mut death = shortest(enclosed).unwrap_or(FOREVER);
        while self.last_step == step {
            step += 1;
            if step > death {
                self.bury(board, &mut enclosed, lives, step);
                self.reopen(board, regions, step);
                death = shortest(enclosed).unwrap_or(FOREVER);
            }
            self.advance(board.steps, step);
        }
    }

    fn clear(&mut self, board: &Board) {
        let cells = board.cells();
        self.labels[..cells.len()].copy_from_slice(cells);
        (self.next, self.end, self.last_step) = (0, 0, 0);
        (self.sizes, self.met) = ([0; LABELS], [0; LABELS]);
        // Only in a search are there trails of cycles that are out.
        for seat in seats(!board.standing.alive) {
            self.free(cells.len(), seat);
        }
    }

    /// Frees the cells of a trail.
    fn free(&mut self, cells: usize, seat: usize) {
        let trail = TRAIL + seat as u8;
        for label in self.labels[..cells].iter_mut().filter(|label| **label == trail) {
            *label = FREE;
        }
    }

    /// Takes away those whose life is over at this step.
    fn bury(&mut self, board: &Board, enclosed: &mut u8, lives: &[u16; MOST_SEATS], step: u16) {
        for seat in seats(*enclosed).filter(|&seat| lives[seat] < step) {
            *enclosed &= !(1 << seat);
            self.free(board.cells().len(), seat);
        }
    }

    /// The first step of a player: each way is a group of its own.
    fn leave_head(&mut self, board: &Board, seat: usize) {
        for direction in Direction::ALL {
            let cell = board.step(board.head(seat), direction);
            match self.labels[cell] {
                FREE => self.reach(cell, (seat * 8 + direction.index()) as u8, 1),
                other => self.met[seat * 8 + HEAD] |= 1 << (other & 63),
            }
        }
    }

    #[inline(always)]
    fn reach(&mut self, cell: usize, label: u8, step: u16) {
        self.labels[cell] = label;
        self.reached_at[cell] = step;
        self.sizes[usize::from(label) % LABELS] += 1;
        self.queue[self.end % QUEUE] = cell as u16;
        self.end += 1;
        self.last_step = step;
    }

    /// One step of everybody: what is in the queue reaches its neighbours.
    fn advance(&mut self, steps: [usize; 4], step: u16) {
        let end = self.end;
        while self.next < end {
            let cell = usize::from(self.queue[self.next % QUEUE]);
            self.next += 1;
            let label = self.labels[wrap(cell)];
            let mut met = 0;
            for offset in steps {
                let neighbour = wrap(cell.wrapping_add(offset));
                let other = self.labels[neighbour];
                met |= 1u64 << (other & 63);
                if other == FREE {
                    self.reach(neighbour, label, step);
                }
            }
            self.met[usize::from(label) % LABELS] |= met;
        }
    }

    /// Puts into the queue, instead of what is there, every reached cell that was reached last or
    /// is next to a free one, in the order of the turns.
    fn reopen(&mut self, board: &Board, regions: u8, step: u16) {
        self.next = self.end;
        for seat in board.turns().filter(|seat| regions >> seat & 1 != 0) {
            for cell in 0..board.cells().len() {
                let label = self.labels[cell];
                if label < REACHED
                    && usize::from(label / 8) == seat
                    && (self.reached_at[cell] + 1 == step || self.is_open(board, cell))
                {
                    self.queue[self.end % QUEUE] = cell as u16;
                    self.end += 1;
                }
            }
        }
    }

    fn is_open(&self, board: &Board, cell: usize) -> bool {
        Direction::ALL.into_iter().any(|direction| self.labels[board.step(cell, direction)] == FREE)
    }

    /// The last step in which anybody reached a cell; 0 if nobody did.
    #[cfg(test)]
    pub fn last_step(&self) -> u16 {
        self.last_step
    }

    /// Who reached this cell first, and at which step.
    pub fn reached(&self, cell: usize) -> Option<(usize, u16)> {
        let label = self.labels[cell];
        (label < REACHED).then(|| (usize::from(label / 8), self.reached_at[cell]))
    }

    /// How many cells a player controls.
    pub fn controlled(&self, seat: usize) -> u16 {
        self.sizes[seat * 8..seat * 8 + HEAD].iter().sum()
    }

    /// Has a player a cell that another can reach as well?
    ///
    /// Where the free cells of two are connected, there is a way between their heads, and on it a
    /// cell of one next to a cell of another; the one that looks at it later, or a head, meets it.
    pub fn meets_others(&self, seat: usize) -> bool {
        let own: u64 = 0xFF << (seat * 8);
        let reached = u64::from(u32::MAX);
        let meets = |seat: usize| self.met[seat * 8..=seat * 8 + HEAD].iter().fold(0, |a, b| a | b);
        let is_met = (0..MOST_SEATS).any(|other| other != seat && meets(other) & own != 0);
        meets(seat) & reached & !own != 0 || is_met
    }

    /// The score of a player: the worth of its best first move.
    pub fn best_group(&self, seat: usize) -> u16 {
        self.group_values(seat).into_iter().max().unwrap_or(0)
    }

    /// By the number of a first move's direction: how many cells its group has, with all groups that
    /// are connected to it, be it through others.
    pub fn group_values(&self, seat: usize) -> [u16; HEAD] {
        let first = seat * 8;
        let mut connected: [u8; HEAD] = std::array::from_fn(|group| 1 << group);
        for group in 0..HEAD {
            let met = (self.met[first + group] >> first) as u8 & 0xF | 1 << group;
            let joins = |&other: &usize| connected[other] & met != 0;
            let all = (0..HEAD).filter(joins).fold(0, |all, other| all | connected[other]);
            of_mask(all).for_each(|member| connected[member] = all);
        }
        connected.map(|groups| of_mask(groups).map(|group| self.sizes[first + group]).sum())
    }
}

/// The numbers of a mask's groups.
fn of_mask(groups: u8) -> impl Iterator<Item = usize> {
    (0..HEAD).filter(move |group| groups >> group & 1 != 0)
}
