//! What the tests of floods compare with: a queue of cells.

use super::plane::{Plane, Spot};
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

/// The cells of a grid of this width that are true.
pub fn plane<P: Plane>(cells: &[bool], width: usize) -> P {
    let mut plane = P::NONE;
    let full = cells.iter().enumerate().filter(|(_, full)| **full);
    full.for_each(|(cell, _)| plane.insert(Spot::new(cell % width, cell / width)));
    plane
}
