//! Walking distance (K. Takahashi), a heuristic that treats rows and columns separately. Along one
//! axis, a board is reduced to lines of tiles that are distinguished only by the line where they
//! belong. A table holds the number of slides that each abstract board needs.

use super::heuristic::{Heuristic, Slide};
use arbitre_games::game::ParseError;
use arbitre_games::search::hash::BuildFoldHasher;
use std::collections::HashMap;

/// Largest number of abstract boards along an axis. 4x4 has 24,964; 5x5 exceeds the limit. Numbers
/// have 16 bits, so it must stay below 65,536.
const MOST: usize = 60_000;

/// Walking distance heuristic for boards of one size.
pub struct WalkingDistance {
    columns: usize,
    /// Slides between rows, and between columns.
    axes: [Axis; 2],
    /// Row and column where each tile belongs.
    places: Vec<[u8; 2]>,
}

/// Abstract boards along both axes: the number of each, with its distance in the upper half.
pub type WalkingEstimate = [u32; 2];

/// Packs the number of an abstract board and its distance from the goal.
fn entry(number: u16, distance: u8) -> u32 {
    u32::from(distance) << 16 | u32::from(number)
}

#[inline]
fn distance(entry: u32) -> u32 {
    entry >> 16
}

impl WalkingDistance {
    /// Creates the heuristic for boards of this size.
    ///
    /// # Errors
    /// Returns an error if its tables would be large, as those of 5x5 are.
    pub fn new(rows: usize, columns: usize) -> Result<WalkingDistance, ParseError> {
        let axes = Axis::new(rows, columns).zip(Axis::new(columns, rows));
        let (across_rows, across_columns) = axes.ok_or_else(|| {
            ParseError::new(format!(
                "walking-distance expects a board of about 4x4, got {rows}x{columns}; help: \
                 choose another heuristic"
            ))
        })?;
        let tiles = 0..(rows * columns) as u8;
        let places = tiles.map(|tile| [tile / columns as u8, tile % columns as u8]).collect();
        Ok(WalkingDistance { columns, axes: [across_rows, across_columns], places })
    }

    /// Returns the number of abstract boards along each axis.
    pub fn abstract_boards(&self) -> [usize; 2] {
        self.axes.each_ref().map(|axis| axis.distances.len())
    }
}

impl Heuristic for WalkingDistance {
    type Estimate = WalkingEstimate;

    fn estimate(&self, cells: &[u8], blank: usize) -> WalkingEstimate {
        let columns = self.columns;
        let line =
            |axis: usize, cell: usize| if axis == 0 { cell / columns } else { cell % columns };
        [0, 1].map(|axis| {
            let mut lines = AbstractBoard { counts: 0, blank: line(axis, blank) };
            for (cell, &tile) in cells.iter().enumerate() {
                if cell != blank {
                    let of = self.places[usize::from(tile)][axis];
                    lines.add(&self.axes[axis].layout, line(axis, cell), of.into());
                }
            }
            let number = self.axes[axis].numbers[&lines];
            entry(number, self.axes[axis].distances[usize::from(number)])
        })
    }

    fn value(&self, estimate: &WalkingEstimate) -> u32 {
        distance(estimate[0]) + distance(estimate[1])
    }

    #[inline]
    fn after(
        &self,
        estimate: &WalkingEstimate,
        slide: &Slide,
        most: u32,
    ) -> Option<WalkingEstimate> {
        // A vertical slide changes only the abstract board of the rows, and a horizontal one that
        // of the columns.
        let axis = usize::from(slide.from.abs_diff(slide.to) != self.columns);
        let goes_back = slide.to < slide.from;
        let line = self.places[slide.tile][axis];
        let mut after = *estimate;
        after[axis] = self.axes[axis].next(after[axis], goes_back, line);
        (self.value(&after) <= most).then_some(after)
    }

    fn bytes(&self) -> usize {
        self.axes.iter().map(|axis| axis.distances.len() + 4 * axis.next.len()).sum()
    }
}

/// Packing of the counts of an abstract board.
#[derive(Clone, Copy)]
struct LineLayout {
    lines: usize,
    bits: usize,
}

/// Abstract board: the number of tiles on each line by the line where they belong, and the line of
/// the blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct AbstractBoard {
    counts: u128,
    blank: usize,
}

impl AbstractBoard {
    fn at(layout: &LineLayout, line: usize, of: usize) -> usize {
        (line * layout.lines + of) * layout.bits
    }

    fn count(&self, layout: &LineLayout, line: usize, of: usize) -> usize {
        (self.counts >> AbstractBoard::at(layout, line, of)) as usize & ((1 << layout.bits) - 1)
    }

    fn add(&mut self, layout: &LineLayout, line: usize, of: usize) {
        self.counts += 1 << AbstractBoard::at(layout, line, of);
    }

    /// Returns the abstract board after a tile that belongs on line `of` slid from line `from` to
    /// the blank's line.
    fn after(&self, layout: &LineLayout, from: usize, of: usize) -> AbstractBoard {
        let mut counts = self.counts - (1 << AbstractBoard::at(layout, from, of));
        counts += 1 << AbstractBoard::at(layout, self.blank, of);
        AbstractBoard { counts, blank: from }
    }
}

/// All abstract boards along one axis.
struct Axis {
    layout: LineLayout,
    /// Width of [`Axis::next`]: a power of two.
    stride: usize,
    numbers: HashMap<AbstractBoard, u16, BuildFoldHasher>,
    distances: Vec<u8>,
    /// Packed number and distance after each slide: by board, by whether the tile goes to an
    /// earlier line, and by the line where it belongs.
    next: Vec<u32>,
}

impl Axis {
    /// Builds the axis for `lines` lines of `width` cells, by breadth-first search from the goal.
    /// Returns `None` if there are too many abstract boards.
    fn new(lines: usize, width: usize) -> Option<Axis> {
        let bits = (usize::BITS - width.leading_zeros()) as usize;
        if lines * lines * bits > u128::BITS as usize {
            return None;
        }
        let (layout, stride) = (LineLayout { lines, bits }, lines.next_power_of_two());
        let mut goal = AbstractBoard { counts: 0, blank: lines - 1 };
        for line in 0..lines {
            let tiles = if line + 1 < lines { width } else { width - 1 };
            (0..tiles).for_each(|_| goal.add(&layout, line, line));
        }
        let (numbers, next) = (HashMap::from_iter([(goal, 0)]), Vec::new());
        let mut axis = Axis { layout, stride, numbers, distances: vec![0], next };
        let mut boards = vec![goal];
        let mut number = 0;
        while number < boards.len() && boards.len() <= MOST {
            axis.expand(number, &mut boards);
            number += 1;
        }
        (boards.len() <= MOST).then_some(axis)
    }

    /// Computes the successors of a board.
    fn expand(&mut self, number: usize, boards: &mut Vec<AbstractBoard>) {
        let (board, layout) = (boards[number], self.layout);
        self.next.resize((number + 1) * 2 * self.stride, 0);
        for goes_back in [false, true] {
            let from = if goes_back { board.blank + 1 } else { board.blank.wrapping_sub(1) };
            if from >= layout.lines {
                continue;
            }
            for of in (0..layout.lines).filter(|&of| board.count(&layout, from, of) > 0) {
                let after = board.after(&layout, from, of);
                let next = *self.numbers.entry(after).or_insert_with(|| {
                    boards.push(after);
                    self.distances.push(self.distances[number] + 1);
                    (boards.len() - 1) as u16
                });
                // Every successor was numbered when first reached, so its distance is final.
                let next = entry(next, self.distances[usize::from(next)]);
                self.next[(2 * number + usize::from(goes_back)) * self.stride + of] = next;
            }
        }
    }

    #[inline]
    fn next(&self, at: u32, goes_back: bool, of: u8) -> u32 {
        let number = (at & 0xffff) as usize;
        self.next[(2 * number + usize::from(goes_back)) * self.stride + usize::from(of)]
    }
}
