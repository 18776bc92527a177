//! Reference implementations for tests: floods by a queue of cells, and positions, random or drawn
//! as text.

use super::bitboards::{Bitboard, Cell, SmallGrid};
use super::position::{MultiplayerPosition, TwoPlayerPosition};
use arbitre_games::games::tron::MOST_SEATS;
use arbitre_games::rng::Rng;
use std::collections::VecDeque;

/// Returns the steps to each free cell of a grid of this width from the nearest start. Cells
/// without a path, and the starts themselves, which are not free, get `usize::MAX`.
pub fn steps(free: &[bool], width: usize, from: &[usize]) -> Vec<usize> {
    let mut steps = vec![usize::MAX; free.len()];
    let mut queue: VecDeque<(usize, usize)> = from.iter().map(|&cell| (cell, 0)).collect();
    while let Some((cell, step)) = queue.pop_front() {
        let x = cell % width;
        let beside = [
            cell.checked_sub(width),
            (x + 1 < width).then_some(cell + 1),
            Some(cell + width).filter(|&below| below < free.len()),
            (x > 0).then(|| cell - 1),
        ];
        for next in beside.into_iter().flatten() {
            if free[next] && steps[next] == usize::MAX {
                steps[next] = step + 1;
                queue.push_back((next, step + 1));
            }
        }
    }
    steps
}

/// Returns the owner of each cell of a grid of this width: the number of the start with the fewest
/// steps to it, or `None` where there is no path. Of several starts the first is the owner.
pub fn owners(free: &[bool], width: usize, from: &[usize]) -> Vec<Option<usize>> {
    let steps: Vec<_> = from.iter().map(|&start| steps(free, width, &[start])).collect();
    let owner = |cell: usize| {
        let nearest = (0..from.len()).min_by_key(|&at| steps[at][cell])?;
        (free[cell] && steps[nearest][cell] != usize::MAX).then_some(nearest)
    };
    (0..free.len()).map(owner).collect()
}

/// Returns the bitboard of the cells of a grid of this width that are true.
pub fn bitboard<P: Bitboard>(cells: &[bool], width: usize) -> P {
    let mut bitboard = P::NONE;
    let full = cells.iter().enumerate().filter(|(_, full)| **full);
    full.for_each(|(cell, _)| bitboard.insert(Cell::new(cell % width, cell / width)));
    bitboard
}

/// A random grid, row by row, with the cells of four heads, which are not free.
#[derive(Debug)]
pub struct RandomGrid {
    pub width: usize,
    pub free: Vec<bool>,
    pub heads: [usize; MOST_SEATS],
    /// Seat whose trail each cell belongs to; `MOST_SEATS` and more where there is none.
    owners: Vec<usize>,
}

impl RandomGrid {
    /// Draws a grid whose columns and rows are between these. They must have room for four heads.
    pub fn new(rng: &mut Rng, least: (usize, usize), most: (usize, usize)) -> RandomGrid {
        let (width, height) =
            (least.0 + rng.below(most.0 - least.0 + 1), least.1 + rng.below(most.1 - least.1 + 1));
        let density = 4 + rng.below(7);
        let mut free: Vec<bool> = (0..width * height).map(|_| rng.below(10) < density).collect();
        let mut owners: Vec<usize> = free.iter().map(|_| rng.below(2 * MOST_SEATS)).collect();
        let mut cells: Vec<usize> = (0..free.len()).collect();
        rng.shuffle(&mut cells);
        let heads = std::array::from_fn(|seat| cells[seat]);
        for (seat, head) in heads.into_iter().enumerate() {
            (free[head], owners[head]) = (false, seat);
        }
        RandomGrid { width, free, heads, owners }
    }

    /// Returns a cell by its number, row by row.
    pub fn cell(&self, number: usize) -> Cell {
        Cell::new(number % self.width, number / self.width)
    }

    /// Returns the position of the first two heads.
    pub fn two_players<P: Bitboard>(&self) -> TwoPlayerPosition<P> {
        let [one, two, ..] = self.heads.map(|head| self.cell(head));
        TwoPlayerPosition { free: bitboard(&self.free, self.width), heads: [one, two] }
    }

    /// Returns the position of these seats, a mask.
    pub fn players<P: Bitboard>(&self, alive: u8) -> MultiplayerPosition<P> {
        let trail = |seat: usize| -> Vec<bool> {
            let cells = self.free.iter().zip(&self.owners);
            cells.map(|(&free, &owner)| !free && owner == seat).collect()
        };
        MultiplayerPosition {
            free: bitboard(&self.free, self.width),
            trails: std::array::from_fn(|seat| bitboard(&trail(seat), self.width)),
            heads: self.heads.map(|head| self.cell(head)),
            alive,
        }
    }
}

/// Returns the position that these rows draw: a dot is a free cell, a digit the head of that seat,
/// and a letter from `a` on another cell of a trail.
pub fn drawn(rows: &[&str]) -> MultiplayerPosition<SmallGrid> {
    let mut position = MultiplayerPosition::<SmallGrid>::empty();
    for (y, row) in rows.iter().enumerate() {
        for (x, mark) in row.bytes().enumerate() {
            let cell = Cell::new(x, y);
            match mark {
                b'.' => position.free.insert(cell),
                b'0'..=b'3' => {
                    let seat = usize::from(mark - b'0');
                    position.heads[seat] = cell;
                    position.trails[seat].insert(cell);
                    position.alive |= 1 << seat;
                }
                b'a'..=b'd' => position.trails[usize::from(mark - b'a')].insert(cell),
                _ => {}
            }
        }
    }
    position
}
