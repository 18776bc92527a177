//! Generation of setups: random starts that are fair.

use super::grid::{Grid, CAPACITY};
use super::{Direction, Point, Tron, MOST_SEATS};
use crate::rng::Rng;
use std::collections::HashSet;

/// A setup: the first cell of each cycle, by seat.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Starts(pub Vec<Point>);

impl Starts {
    /// Returns the number of cycles.
    pub fn seats(&self) -> usize {
        self.0.len()
    }
}

/// Largest number of consecutive draws without a new fair start before generation ends. Not tuned.
const PATIENCE: usize = 500_000;

/// Returns the number of cells that each cycle owns: those that it reaches in fewer steps than
/// every other, its start included. Cells that several reach first at equal distance are not
/// counted.
///
/// # Panics
/// Panics if there are more than [`MOST_SEATS`] starts, or one of them is off the grid.
pub fn owned_cells(game: &Tron, starts: &Starts) -> Vec<usize> {
    let owned = Flood::new(&game.grid).owned(&game.grid, &starts.0);
    owned[..starts.seats()].to_vec()
}

/// Returns `true` if every share is within `tolerance` of an equal one, in hundredths of a percent
/// of all owned cells.
fn is_fair(owned: &[usize], tolerance: u16) -> bool {
    let (seats, total) = (owned.len(), owned.iter().sum::<usize>());
    // Both sides are multiplied by `seats * total`, which avoids division and rounding.
    let excess = |&owned: &usize| (owned * seats).abs_diff(total) * 10_000;
    owned.iter().all(|owned| excess(owned) <= usize::from(tolerance) * seats * total)
}

/// Breadth-first flood from all starts at once; kept between draws to reuse its arrays.
struct Flood {
    /// Mask of the seats that reach each index in the fewest steps; [`TAKEN`] for walls.
    first: [u8; CAPACITY],
    steps: [u16; CAPACITY],
    queue: Vec<u16>,
}

/// Mask of a wall: not a power of two, so it counts as reached by several.
const TAKEN: u8 = u8::MAX;

impl Flood {
    fn new(grid: &Grid) -> Flood {
        let cells = grid.shape.width * grid.shape.height;
        Flood { first: [TAKEN; CAPACITY], steps: [0; CAPACITY], queue: Vec::with_capacity(cells) }
    }

    /// Returns the number of cells that each seat owns. A cell passes its mask on to its
    /// neighbours. A cell behind one that several seats reach first therefore has several owners
    /// too and is not counted.
    fn owned(&mut self, grid: &Grid, starts: &[Point]) -> [usize; MOST_SEATS] {
        self.begin(grid, starts);
        let mut owned = [0; MOST_SEATS];
        let mut at = 0;
        while let Some(&index) = self.queue.get(at) {
            at += 1;
            let mask = self.first[usize::from(index)];
            if mask.is_power_of_two() {
                owned[mask.trailing_zeros() as usize] += 1;
            }
            // The mask of this cell is final: every cell one step nearer has left the queue.
            for way in Direction::ALL {
                self.reach(
                    grid.shape.step(index.into(), way),
                    mask,
                    self.steps[usize::from(index)] + 1,
                );
            }
        }
        owned
    }

    fn begin(&mut self, grid: &Grid, starts: &[Point]) {
        for (first, &wall) in self.first.iter_mut().zip(&grid.walls[..grid.shape.end()]) {
            *first = if wall { TAKEN } else { 0 };
        }
        self.queue.clear();
        for (seat, &point) in starts.iter().enumerate() {
            let index = grid.shape.index(point);
            (self.first[index], self.steps[index]) = (1 << seat, 0);
            self.queue.push(index as u16);
        }
    }

    #[inline]
    fn reach(&mut self, index: usize, mask: u8, steps: u16) {
        if self.first[index] == 0 {
            (self.first[index], self.steps[index]) = (mask, steps);
            self.queue.push(index as u16);
        } else if self.steps[index] == steps {
            self.first[index] |= mask;
        }
    }
}

/// Fair starts in a random order, without duplicates.
pub(super) struct TronSetups {
    game: Tron,
    seats: usize,
    rng: Rng,
    free: Vec<Point>,
    drawn: HashSet<Starts>,
    flood: Box<Flood>,
}

impl TronSetups {
    /// Creates a generator of starts for `seats` players.
    pub fn new(game: Tron, seats: usize, rng: Rng) -> TronSetups {
        let grid = &game.grid;
        let is_free = |point: &Point| !grid.walls[grid.shape.index(*point)];
        let free = grid.shape.points().filter(is_free).collect();
        let flood = Box::new(Flood::new(grid));
        TronSetups { seats, rng, free, drawn: HashSet::new(), flood, game }
    }

    /// Draws one free cell per seat, all distinct.
    fn draw(&mut self) -> Starts {
        // A partial Fisher-Yates shuffle: one swap per seat is enough.
        for place in 0..self.seats {
            let other = place + self.rng.below(self.free.len() - place);
            self.free.swap(place, other);
        }
        Starts(self.free[..self.seats].to_vec())
    }

    fn is_fair(&mut self, starts: &Starts) -> bool {
        let owned = self.flood.owned(&self.game.grid, &starts.0);
        is_fair(&owned[..self.seats], self.game.options().tolerance())
    }

    /// Returns `true` if every seat has a legal move at its start.
    fn is_open(&self, starts: &Starts) -> bool {
        use crate::game::{Game, Seat};
        self.game
            .start(starts)
            .is_ok_and(|position| (0..self.seats).all(|seat| position.ways(Seat::new(seat)) != 0))
    }
}

impl Iterator for TronSetups {
    type Item = Starts;

    fn next(&mut self) -> Option<Starts> {
        if self.free.len() < self.seats {
            return None;
        }
        for _ in 0..PATIENCE {
            let starts = self.draw();
            if self.is_fair(&starts) && self.is_open(&starts) && self.drawn.insert(starts.clone()) {
                return Some(starts);
            }
        }
        None
    }
}
