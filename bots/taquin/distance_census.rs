//! How many boards are how far from the goal, by breadth-first search with two bits a board.
//!
//! A board is the cell of its blank and the number of the order in which its tiles are read. A
//! slide along a row leaves the order as it is, so that it moves 64 boards at once; one along a
//! column takes a tile past as many as a row has but one, which changes as many digits of the
//! number and one more. The blank goes from dark to bright cells and back, so that a layer and the
//! next one are on different cells, and one bit serves both; the other one says what was reached.

use crate::taquin::grid::blank_targets;
use crate::taquin::node_bits::{claim, permute, union};
use arbitre_games::games::taquin::Size;

/// The largest boards that are counted: in two times 60 MB.
pub const MOST_CELLS: usize = 12;

/// The numbers of boards at each distance from the goal.
///
/// # Panics
/// If the board has more than [`MOST_CELLS`] cells.
pub fn distance_census((rows, columns): Size) -> Vec<u64> {
    let cells = rows * columns;
    assert!(cells <= MOST_CELLS);
    let words = factorial(cells - 1).div_ceil(64);
    let slides: Vec<Vec<CensusSlide>> =
        (0..cells).map(|cell| slides_to(rows, columns, cell)).collect();
    let mut layer = vec![vec![0u64; words]; cells];
    // The goal has the first of all orders.
    layer[cells - 1][0] = 1;
    let mut reached = layer.clone();
    let mut counts = vec![1];
    loop {
        let is_dark = |cell: usize| (cell / columns + cell % columns) % 2;
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

/// A slide of the blank from a cell.
struct CensusSlide {
    from: usize,
    /// Nothing if it leaves the order as it is.
    shift: Option<OrderShift>,
}

/// What a slide along a column adds to the number of an order, which depends on some digits in its
/// middle: by their value, and how much the last of them counts.
struct OrderShift {
    changes: Vec<i32>,
    unit: u32,
}

/// The slides that bring the blank to a cell.
fn slides_to(rows: usize, columns: usize, cell: usize) -> Vec<CensusSlide> {
    let slide = |from: usize| {
        let shift = || OrderShift::new(rows * columns - 1, columns, from.min(cell), from < cell);
        CensusSlide { from, shift: (from.abs_diff(cell) == columns).then(shift) }
    };
    blank_targets((rows, columns))[cell].into_iter().flatten().map(slide).collect()
}

impl CensusSlide {
    /// Adds where the boards of a layer with the blank on the one cell lead.
    fn carry(&self, from: &[u64], into: &mut [u64]) {
        match &self.shift {
            None => union(into, from),
            Some(shift) => permute(into, from, |order| shift.after(order as u32) as usize),
        }
    }
}

impl OrderShift {
    /// Of orders of so many tiles, of which the one at a place goes past `columns - 1` others: the
    /// one that comes after them to the front, if the blank goes down, and else the other way
    /// round.
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

/// The first of so many slots in the order of this number among the beginnings of orders of `left`.
fn digits_to_slots(mut value: usize, left: usize, count: usize) -> Vec<usize> {
    let mut digits: Vec<usize> =
        (left + 1 - count..=left).map(|base| (value % base, value /= base).0).collect();
    digits.reverse();
    let mut rest: Vec<usize> = (0..left).collect();
    digits.into_iter().map(|digit| rest.remove(digit)).collect()
}

/// The number of a beginning.
fn slots_to_digits(slots: &[usize], left: usize) -> usize {
    let mut rest: Vec<usize> = (0..left).collect();
    slots.iter().fold(0, |value, slot| {
        let digit = rest.iter().position(|of| of == slot).expect("each slot comes once");
        let base = rest.len();
        rest.remove(digit);
        value * base + digit
    })
}
