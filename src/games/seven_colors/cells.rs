//! Sets of cells as rows of bits, for counts in cells rather than regions.

use super::{Board, CellState, LONGEST_SIDE};

/// A set of cells. Bit `x` of row `y` is the cell in column `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellSet([u32; LONGEST_SIDE]);

impl CellSet {
    /// The empty set.
    pub const NONE: CellSet = CellSet([0; LONGEST_SIDE]);

    /// Returns the cells of a board whose state is `wanted`.
    pub fn of(board: &Board, wanted: impl Fn(CellState) -> bool) -> CellSet {
        let mut found = CellSet::NONE;
        for (index, &cell) in board.cells().iter().enumerate() {
            if wanted(cell) {
                found.insert(index / board.width(), index % board.width());
            }
        }
        found
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, row: usize, column: usize) {
        self.0[row] |= 1 << column;
    }

    /// Returns `true` if the cell is in the set.
    #[inline]
    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.0[row] >> column & 1 != 0
    }

    /// Returns the number of cells.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    /// Returns the intersection of both sets.
    #[inline]
    pub fn and(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|y| self.0[y] & other.0[y]))
    }

    /// Returns the union of both sets.
    #[inline]
    pub fn or(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|y| self.0[y] | other.0[y]))
    }

    /// Returns the cells that are not in the other set.
    #[inline]
    pub fn without(&self, other: &CellSet) -> CellSet {
        CellSet(std::array::from_fn(|y| self.0[y] & !other.0[y]))
    }

    /// Returns the set shifted by one cell up, left, right and down. Bits shifted out of the rows
    /// are lost; the caller masks those outside the board.
    #[inline]
    pub fn shifted(&self) -> [CellSet; 4] {
        let row = |y: usize| self.0.get(y).copied().unwrap_or(0);
        [
            CellSet(std::array::from_fn(|y| row(y + 1))),
            CellSet(self.0.map(|row| row >> 1)),
            CellSet(self.0.map(|row| row << 1)),
            CellSet(std::array::from_fn(|y| row(y.wrapping_sub(1)))),
        ]
    }

    /// Returns the cells of `within` beside at least one cell of the set.
    #[inline]
    pub fn beside(&self, within: &CellSet) -> CellSet {
        let [up, left, right, down] = self.shifted();
        up.or(&left).or(&right).or(&down).and(within)
    }

    /// Returns the cells of `within` beside at least two cells of the set.
    #[inline]
    pub fn beside_two(&self, within: &CellSet) -> CellSet {
        let [up, left, right, down] = self.shifted();
        // Two of four directions: both of one axis, or one of each.
        let vertical = (up.and(&down), up.or(&down));
        let level = (left.and(&right), left.or(&right));
        vertical.0.or(&level.0).or(&vertical.1.and(&level.1)).and(within)
    }

    /// Returns the number of pairs of a cell of the set and a neighbour in `others`.
    #[inline]
    pub fn contacts(&self, others: &CellSet) -> u32 {
        self.shifted().iter().map(|shifted| shifted.and(others).count()).sum()
    }

    /// Returns the cells of `within` that can be reached from the set over `within`. Cells of the
    /// set outside `within` reach nothing.
    pub fn flood(&self, within: &CellSet) -> CellSet {
        let mut reached = CellSet(std::array::from_fn(|y| fill(self.0[y], within.0[y])));
        loop {
            // One pass down and up follows a straight region; winding ones need more.
            let before = reached;
            for y in 0..LONGEST_SIDE {
                reached.sweep(y, y.wrapping_sub(1), within);
            }
            for y in (0..LONGEST_SIDE).rev() {
                reached.sweep(y, y + 1, within);
            }
            if reached == before {
                return reached;
            }
        }
    }

    /// Spreads from row `from` to the filled row `y`, and fills row `y` again if a new cell is
    /// reached.
    fn sweep(&mut self, y: usize, from: usize, within: &CellSet) {
        let beside = self.0.get(from).copied().unwrap_or(0);
        if beside & within.0[y] & !self.0[y] != 0 {
            self.0[y] = fill(self.0[y] | beside, within.0[y]);
        }
    }
}

/// Returns the bits of `open` that can be reached from `seed` within the row.
///
/// The steps are 1, 2, 4, 8 and 16 cells (Kogge-Stone occluded fill).
fn fill(seed: u32, open: u32) -> u32 {
    let (mut found, mut way) = (seed & open, open);
    for step in [1, 2, 4, 8, 16] {
        found |= way & (found << step);
        way &= way << step;
    }
    way = open;
    for step in [1, 2, 4, 8, 16] {
        found |= way & (found >> step);
        way &= way >> step;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::{random_board, random_rules};
    use super::*;
    use crate::game::Seat;
    use crate::rng::Rng;

    /// Returns a board after some moves, so that cells of both seats lie among free ones.
    fn board(rng: &mut Rng) -> Board {
        let rules = random_rules(rng, LONGEST_SIDE);
        let mut board = random_board(rules, rng);
        for ply in 0..rng.below(60) {
            let before = board.clone();
            let colour = super::super::Colour::new(rng.below(rules.colours.into()));
            board.capture(Seat::new(ply % 2), colour);
            if !board.cells().iter().any(|cell| matches!(cell, CellState::Free(_))) {
                return before;
            }
        }
        board
    }

    fn indices(board: &Board, cells: &CellSet) -> Vec<usize> {
        let (width, all) = (board.width(), board.cells().len());
        (0..all).filter(|i| cells.contains(i / width, i % width)).collect()
    }

    /// Compares with counts made cell by cell.
    #[test]
    fn sets_agree_with_single_cells() {
        let mut rng = Rng::new(5);
        let is_free = |cell| matches!(cell, CellState::Free(_));
        let is_own = |cell| cell == CellState::Taken(Seat::FIRST);
        let mut several = 0;
        for _ in 0..300 {
            let board = board(&mut rng);
            let (own, free) = (CellSet::of(&board, is_own), CellSet::of(&board, is_free));
            let cells = board.cells();
            let owners = |i: usize| board.neighbours(i).filter(|&j| is_own(cells[j])).count();
            let beside = |least: usize| -> Vec<usize> {
                (0..cells.len()).filter(|&i| is_free(cells[i]) && owners(i) >= least).collect()
            };
            assert_eq!(indices(&board, &own.beside(&free)), beside(1));
            assert_eq!(indices(&board, &own.beside_two(&free)), beside(2));
            let contacts = beside(1).into_iter().map(owners).sum::<usize>();
            assert_eq!(own.contacts(&free) as usize, contacts);
            assert_eq!(own.count() as usize, board.count(Seat::FIRST));
            several += beside(2).len();
        }
        assert!(several > 1_000, "{several}");
    }

    #[test]
    fn flood_agrees_with_breadth_first_search() {
        let mut rng = Rng::new(6);
        let is_free = |cell| matches!(cell, CellState::Free(_));
        let mut unreached = 0;
        for _ in 0..300 {
            let board = board(&mut rng);
            let free = CellSet::of(&board, is_free);
            let all: Vec<usize> = indices(&board, &free);
            let from = all[rng.below(all.len())];
            let mut expected = board.flood(vec![from], is_free);
            expected.sort_unstable();
            let mut seed = CellSet::NONE;
            seed.insert(from / board.width(), from % board.width());
            assert_eq!(indices(&board, &seed.flood(&free)), expected);
            unreached += all.len() - expected.len();
        }
        assert!(unreached > 100, "{unreached}");
    }
}
