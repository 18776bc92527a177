//! What tests compare with and begin with: a queue of cells for floods, and positions drawn as text.

use super::bitboards::{Bitboard, Cell, SmallGrid};
use super::position::MultiplayerPosition;
use arbitre_games::games::tron::MOST_SEATS;
use std::collections::VecDeque;

/// Steps to each free cell of a grid of this width from the nearest of these cells; `usize::MAX` where
/// there is no way, and for the cells themselves, which are not free.
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

/// Who each free cell of a grid of this width belongs to, of who are in these cells: who has the fewest steps
/// to it, of several the first; nobody where there is no way.
pub fn owners(free: &[bool], width: usize, from: &[usize]) -> Vec<Option<usize>> {
    let steps: Vec<_> = from.iter().map(|&start| steps(free, width, &[start])).collect();
    let owner = |cell: usize| {
        let nearest = (0..from.len()).min_by_key(|&at| steps[at][cell])?;
        (free[cell] && steps[nearest][cell] != usize::MAX).then_some(nearest)
    };
    (0..free.len()).map(owner).collect()
}

/// The cells of a grid of this width that are true.
pub fn bitboards<P: Bitboard>(cells: &[bool], width: usize) -> P {
    let mut bitboards = P::NONE;
    let full = cells.iter().enumerate().filter(|(_, full)| **full);
    full.for_each(|(cell, _)| bitboards.insert(Cell::new(cell % width, cell / width)));
    bitboards
}

/// A position of many: a dot is a free cell, a digit where that seat is, and a letter from `a` on another
/// cell of the ribbon of a seat.
pub fn multiplayer(rows: &[&str]) -> MultiplayerPosition<SmallGrid> {
    let mut multiplayer = MultiplayerPosition {
        free: SmallGrid::NONE,
        trails: [SmallGrid::NONE; MOST_SEATS],
        heads: [Cell::default(); MOST_SEATS],
        alive: 0,
    };
    for (y, row) in rows.iter().enumerate() {
        for (x, mark) in row.bytes().enumerate() {
            let cell = Cell::new(x, y);
            match mark {
                b'.' => multiplayer.free.insert(cell),
                b'0'..=b'3' => {
                    let seat = usize::from(mark - b'0');
                    multiplayer.heads[seat] = cell;
                    multiplayer.trails[seat].insert(cell);
                    multiplayer.alive |= 1 << seat;
                }
                b'a'..=b'd' => multiplayer.trails[usize::from(mark - b'a')].insert(cell),
                _ => {}
            }
        }
    }
    multiplayer
}
