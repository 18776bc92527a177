//! Distance census: the number of boards at each distance from the goal, by breadth-first search
//! with two bits per board.
//!
//! A board is the cell of its blank and the lexicographic number of its tile order. A slide along a
//! row keeps the order, so it moves 64 boards at once. A slide along a column moves a tile past
//! `columns - 1` others, which changes `columns` digits of the number.
//!
//! The blank alternates between dark and bright cells, so consecutive layers use different cells.
//! One bit therefore serves two layers; the other marks reached boards.

use crate::taquin::grid::blank_targets;
use crate::taquin::node_bits::{claim, permute, union};
use arbitre_games::games::taquin::Size;

/// Largest number of cells that is searched: the two bit arrays then take 60 MB each.
pub const MOST_CELLS: usize = 12;

/// Returns the number of boards at each distance from the goal.
///
/// # Panics
/// Panics if the board has more than [`MOST_CELLS`] cells.
pub fn distance_census((rows, columns): Size) -> Vec<u64> {
    let cells = rows * columns;
    assert!(cells <= MOST_CELLS);
    let words = factorial(cells - 1).div_ceil(64);
    let slides: Vec<Vec<CensusSlide>> =
        (0..cells).map(|cell| slides_to(rows, columns, cell)).collect();
    let mut layer = vec![vec![0u64; words]; cells];
    // The tile order of the goal is the first in lexicographic order.
    layer[cells - 1][0] = 1;
    let mut reached = layer.clone();
    let mut counts = vec![1];
    loop {
        let is_dark = |cell: usize| (cell / columns + cell % columns) % 2;
        // The blank starts on the last cell and changes colour with each move.
        let goes = (rows + columns + counts.len()) % 2;
        let mut count = 0;
        for cell in (0..cells).filter(|&cell| is_dark(cell) == goes) {
            let mut next = std::mem::take(&mut layer[cell]);
            next.fill(0);
            slides[cell].iter().for_each(|slide| slide.carry(&layer[slide.from], &mut next));
            count += claim(&mut next, &mut reached[cell]) as u64;
            layer[cell] = next;
        }
        if count == 0 {
            return counts;
        }
        counts.push(count);
    }
}

fn factorial(number: usize) -> usize {
    (1..=number).product()
}

/// A slide of the blank from cell `from`.
struct CensusSlide {
    from: usize,
    /// Change of the order number; `None` for a slide along a row, which keeps the order.
    shift: Option<OrderShift>,
}

/// Change of the order number by a slide along a column. It depends on the digits in the middle of
/// the number: `changes` holds it by their value, and `unit` is the weight of the last of them.
struct OrderShift {
    changes: Vec<i32>,
    unit: u32,
}

/// Returns the slides that bring the blank to `cell`.
fn slides_to(rows: usize, columns: usize, cell: usize) -> Vec<CensusSlide> {
    let slide = |from: usize| {
        let shift = || OrderShift::new(rows * columns - 1, columns, from.min(cell), from < cell);
        CensusSlide { from, shift: (from.abs_diff(cell) == columns).then(shift) }
    };
    blank_targets((rows, columns))[cell].into_iter().flatten().map(slide).collect()
}

impl CensusSlide {
    /// Adds the boards that this slide reaches from the boards `from` to `into`.
    fn carry(&self, from: &[u64], into: &mut [u64]) {
        match &self.shift {
            None => union(into, from),
            Some(shift) => permute(into, from, |order| shift.after(order as u32) as usize),
        }
    }
}

impl OrderShift {
    /// Creates the change for orders of `tiles` tiles, in which a tile passes `columns - 1` others.
    /// The affected tiles start at place `place`. If the blank goes down, the last of them moves to
    /// the front; otherwise the first moves to the back.
    fn new(tiles: usize, columns: usize, place: usize, is_down: bool) -> OrderShift {
        let left = tiles - place;
        let values: usize = (left + 1 - columns..=left).product();
        let unit = factorial(left - columns);
        let change = |value: usize| {
            let mut slots = digits_to_slots(value, left, columns);
            match is_down {
                true => slots.rotate_right(1),
                false => slots.rotate_left(1),
            }
            (slots_to_digits(&slots, left) as i32 - value as i32) * unit as i32
        };
        OrderShift { changes: (0..values).map(change).collect(), unit: unit as u32 }
    }

    fn after(&self, order: u32) -> u32 {
        let value = order / self.unit % self.changes.len() as u32;
        order.wrapping_add_signed(self.changes[value as usize])
    }
}

/// Returns the first `count` slots of the orders of `left` slots whose prefix has number `value`.
fn digits_to_slots(mut value: usize, left: usize, count: usize) -> Vec<usize> {
    let mut digits: Vec<usize> =
        (left + 1 - count..=left).map(|base| (value % base, value /= base).0).collect();
    digits.reverse();
    let mut rest: Vec<usize> = (0..left).collect();
    digits.into_iter().map(|digit| rest.remove(digit)).collect()
}

/// Returns the number of a prefix, the inverse of [`digits_to_slots`].
fn slots_to_digits(slots: &[usize], left: usize) -> usize {
    let mut rest: Vec<usize> = (0..left).collect();
    slots.iter().fold(0, |value, slot| {
        let digit = rest.iter().position(|of| of == slot).expect("each slot comes once");
        let base = rest.len();
        rest.remove(digit);
        value * base + digit
    })
}
