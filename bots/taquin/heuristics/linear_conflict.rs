//! Linear conflict: Manhattan distance plus two moves for each tile that must leave its line to let
//! others pass (O. Hansson, A. Mayer, M. Yung, "Criticizing solutions to relaxed models yields
//! powerful admissible heuristics", 1992).

use super::heuristic::{Heuristic, Manhattan, Slide};
use arbitre_games::games::taquin::LONGEST_SIDE;

/// Linear conflict heuristic for boards of one size.
pub struct LinearConflict {
    manhattan: Manhattan,
    rows: usize,
    columns: usize,
}

/// Manhattan distance, and the number of tiles that must leave their line.
#[derive(Clone, Copy, Debug)]
pub struct ConflictEstimate {
    distance: u32,
    aside: u32,
}

impl LinearConflict {
    /// Creates the heuristic for boards of this size.
    pub fn new(rows: usize, columns: usize) -> LinearConflict {
        LinearConflict { manhattan: Manhattan::new(rows, columns), rows, columns }
    }

    /// Returns the number of tiles that must leave line `line`, a row or a column, with the blank
    /// on cell `blank`.
    fn in_line<const IS_ROW: bool>(&self, cells: &[u8], blank: usize, line: usize) -> u32 {
        let columns = self.columns;
        let place = |at: usize| {
            let cell = if IS_ROW { line * columns + at } else { at * columns + line };
            let tile = usize::from(cells[cell]);
            let (row, column) = (tile / columns, tile % columns);
            let (own, place) = if IS_ROW { (row, column) } else { (column, row) };
            (cell != blank && own == line).then_some(place)
        };
        aside((0..if IS_ROW { columns } else { self.rows }).filter_map(place))
    }
}

/// Returns the number of tiles on their own line that must leave it so that the others are in
/// order: all except a longest ascending sequence.
fn aside(places: impl Iterator<Item = usize>) -> u32 {
    let (mut seen, mut count) = ([(0, 0); LONGEST_SIDE], 0);
    let mut longest = 0;
    for place in places {
        let before = seen[..count].iter().filter(|&&(earlier, _)| earlier < place);
        let length = 1 + before.map(|&(_, length)| length).max().unwrap_or(0);
        seen[count] = (place, length);
        count += 1;
        longest = length.max(longest);
    }
    count as u32 - longest
}

impl Heuristic for LinearConflict {
    type Estimate = ConflictEstimate;

    fn estimate(&self, cells: &[u8], blank: usize) -> ConflictEstimate {
        let rows = (0..self.rows).map(|row| self.in_line::<true>(cells, blank, row));
        let columns = (0..self.columns).map(|column| self.in_line::<false>(cells, blank, column));
        ConflictEstimate {
            distance: self.manhattan.distance(cells, blank),
            aside: rows.chain(columns).sum(),
        }
    }

    fn value(&self, estimate: &ConflictEstimate) -> u32 {
        estimate.distance + 2 * estimate.aside
    }

    /// Updates the estimate. Only the two lines that the tile leaves and enters can change: the
    /// order stays on the line along which it slides.
    fn after(
        &self,
        estimate: &ConflictEstimate,
        slide: &Slide,
        most: u32,
    ) -> Option<ConflictEstimate> {
        let Slide { tile, from, to, cells } = *slide;
        let mut distance = estimate.distance.wrapping_add_signed(self.manhattan.delta(slide));
        let columns = self.columns;
        let (is_vertical, place) = (from.abs_diff(to) == columns, (tile / columns, tile % columns));
        let mut aside = estimate.aside;
        let count = |blank: usize, line: usize| match is_vertical {
            true => self.in_line::<true>(cells, blank, line),
            false => self.in_line::<false>(cells, blank, line),
        };
        let line = |cell: usize| if is_vertical { cell / columns } else { cell % columns };
        let own = if is_vertical { place.0 } else { place.1 };
        if own == line(from) {
            // `cells` still holds the tile on the cell that it left. With that cell the count is
            // the one before the slide, without it the one after.
            aside = aside + count(from, line(from)) - count(NO_CELL, line(from));
        }
        if own == line(to) {
            aside = aside + count(from, line(to)) - count(to, line(to));
        }
        distance += 2 * aside;
        (distance <= most).then(|| ConflictEstimate { distance: distance - 2 * aside, aside })
    }

    fn bytes(&self) -> usize {
        self.manhattan.bytes()
    }
}

/// Blank position that is on no line, so that every cell counts as a tile.
const NO_CELL: usize = usize::MAX;
