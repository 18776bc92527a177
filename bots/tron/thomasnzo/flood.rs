//! Voronoi flood: the player that reaches each cell first. The context and every evaluation use it.
//!
//! A step moves every player once, in turn order from the seat to move, so the earlier of two at
//! equal distance owns a cell. The flood is iterative. Its queue holds the cells of a step in turn
//! order, so one scan of the queue is enough.
//!
//! **Groups** ("cases à choix", for the first move only): the cells that a player reaches by one
//! first move form a group. The byte of a reached cell encodes its player and group. Each group
//! keeps a mask of the bytes beside its cells, which shows the connected groups.
//!
//! **Deaths**: once the step exceeds the life of an enclosed player, that player and all its walls
//! are removed. Closed cells of the others beside a freed cell are then open again. A starting cell
//! stays closed, as its cycle has left it by then. The flood ends with the first step in which no
//! cell is reached.

use super::board::{wrap, Board, CELLS, FREE, TRAIL};
use crate::tron::seats::seats;
use arbitre_games::games::tron::{Direction, MOST_SEATS};

/// Life of a player that is not enclosed.
pub const FOREVER: u16 = u16::MAX;

/// Number of groups of a player, one per direction. Its groups start at byte eight times its seat;
/// the byte after them stands for its head, which is in no group.
const HEAD: usize = 4;
/// Bytes of reached cells are below this one.
const REACHED: u8 = 32;
const LABELS: usize = REACHED as usize;
/// Queue size: the largest array of cells for the first flood, and again for each of up to three
/// deaths.
const QUEUE: usize = 4 * CELLS;

/// Arrays of a flood, allocated once.
pub struct RegionFlood {
    /// Byte of each cell of the board, or player and group that reached it.
    labels: [u8; CELLS],
    /// Step at which each cell was reached, from 1.
    reached_at: [u16; CELLS],
    queue: [u16; QUEUE],
    /// Cursors of the queue: the next cell to expand, and the end.
    next: usize,
    end: usize,
    /// Number of cells of each group.
    sizes: [u16; LABELS],
    /// Mask of the bytes beside the cells of each group.
    met: [u64; LABELS],
    /// Last step in which a cell was reached.
    last_step: u16,
}

impl RegionFlood {
    /// Allocates the arrays.
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

    /// Floods the board from the heads of `regions`, a mask, except those of eliminated players.
    /// Each other player dies after its number of steps in `lives`.
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
        // A step that reached no cell ends the flood, even before a later death.
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
        // Only inside a search does the board hold trails of eliminated cycles.
        for seat in seats(!board.standing.alive) {
            self.free(cells.len(), seat);
        }
    }

    /// Frees the trail of `seat` in the first `cells` cells.
    fn free(&mut self, cells: usize, seat: usize) {
        let trail = TRAIL + seat as u8;
        for label in self.labels[..cells].iter_mut().filter(|label| **label == trail) {
            *label = FREE;
        }
    }

    /// Removes the enclosed players that die before this step.
    fn bury(&mut self, board: &Board, enclosed: &mut u8, lives: &[u16; MOST_SEATS], step: u16) {
        for seat in seats(*enclosed).filter(|&seat| lives[seat] < step) {
            *enclosed &= !(1 << seat);
            self.free(board.cells().len(), seat);
        }
    }

    /// Makes the first step of a player; each direction starts a group.
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

    /// Advances all players by one step: each queued cell reaches its free neighbours.
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

    /// Rebuilds the queue after a death, in turn order: the cells reached last, and those beside a
    /// free cell.
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

    /// Returns the last step in which a cell was reached; 0 if there was none.
    #[cfg(test)]
    pub fn last_step(&self) -> u16 {
        self.last_step
    }

    /// Returns the player that reached a cell first, and the step.
    pub fn reached(&self, cell: usize) -> Option<(usize, u16)> {
        let label = self.labels[cell];
        (label < REACHED).then(|| (usize::from(label / 8), self.reached_at[cell]))
    }

    /// Returns the number of cells that a player controls.
    pub fn controlled(&self, seat: usize) -> u16 {
        self.sizes[seat * 8..seat * 8 + HEAD].iter().sum()
    }

    /// Returns `true` if another player can reach a cell of this player too.
    ///
    /// If the free cells of two players are connected, a path joins their heads. On it a cell of
    /// one is next to a cell or the head of the other. Whichever of the two expands later has the
    /// other in its mask.
    pub fn meets_others(&self, seat: usize) -> bool {
        let own: u64 = 0xFF << (seat * 8);
        let reached = u64::from(u32::MAX);
        let meets = |seat: usize| self.met[seat * 8..=seat * 8 + HEAD].iter().fold(0, |a, b| a | b);
        let is_met = (0..MOST_SEATS).any(|other| other != seat && meets(other) & own != 0);
        meets(seat) & reached & !own != 0 || is_met
    }

    /// Returns the score of a player: the value of its best first move.
    pub fn best_group(&self, seat: usize) -> u16 {
        self.group_values(seat).into_iter().max().unwrap_or(0)
    }

    /// Returns, by direction of the first move, the cells of its group and all groups connected to
    /// it, directly or through others.
    pub fn group_values(&self, seat: usize) -> [u16; HEAD] {
        let first = seat * 8;
        let mut connected: [u8; HEAD] = std::array::from_fn(|group| 1 << group);
        for group in 0..HEAD {
            let met = (self.met[first + group] >> first) as u8 & 0xF | 1 << group;
            // Only the cell expanded later sees the other group, so `met` may be one-sided.
            let joins = |&other: &usize| connected[other] & met != 0;
            let all = (0..HEAD).filter(joins).fold(0, |all, other| all | connected[other]);
            of_mask(all).for_each(|member| connected[member] = all);
        }
        connected.map(|groups| of_mask(groups).map(|group| self.sizes[first + group]).sum())
    }
}

/// Returns the numbers of a mask's groups.
fn of_mask(groups: u8) -> impl Iterator<Item = usize> {
    (0..HEAD).filter(move |group| groups >> group & 1 != 0)
}
