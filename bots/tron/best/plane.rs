//! Sets of cells as rows of bits, on which a flood takes a few instructions per step.
//!
//! A cell is a bit: column `x` of row `y`, both counted from 1, so that a border that is never in a
//! set lies around the grid. Row `y` is word `y / 3` of group `y % 3`. The neighbours above and below
//! of whole groups are then whole groups, but for one that moves by a word: so a group is a vector
//! register.

use super::group::Group;
use crate::games::tron::Direction;

/// A cell with its border: `64 y + x`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Spot(pub u16);

impl Spot {
    /// More than any number of a spot.
    pub const END: usize = 64 * 64;

    /// The cell in this column and row, counted from 0.
    pub fn new(x: usize, y: usize) -> Spot {
        Spot((64 * (y + 1) + x + 1) as u16)
    }

    /// The neighbour.
    #[inline]
    pub fn towards(self, way: Direction) -> Spot {
        let Spot(number) = self;
        Spot(match way {
            Direction::Up => number - 64,
            Direction::Right => number + 1,
            Direction::Down => number + 64,
            Direction::Left => number - 1,
        })
    }

    /// Its number, below [`Spot::END`].
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// 0 or 1 as on a chessboard.
    #[inline]
    pub fn colour(self) -> usize {
        usize::from((self.0 ^ self.0 >> 6) & 1)
    }

    #[inline]
    fn row_and_column(self) -> (usize, u32) {
        (usize::from(self.0 >> 6), u32::from(self.0 & 63))
    }
}

/// A set of cells of a grid.
pub trait Plane: Copy {
    /// The largest grid, columns and rows.
    const LARGEST: (usize, usize);
    /// No cell.
    const NONE: Self;

    /// Is this cell in the set?
    fn has(&self, spot: Spot) -> bool;
    /// Puts a cell in.
    fn insert(&mut self, spot: Spot);
    /// Takes a cell out.
    fn remove(&mut self, spot: Spot);
    /// The cells that are in both.
    fn and(self, other: Self) -> Self;
    /// The cells that are in one or the other.
    fn or(self, other: Self) -> Self;
    /// The cells that are not in the other.
    fn without(self, other: Self) -> Self;
    /// The cells that are in one of them.
    fn xor(self, other: Self) -> Self;
    /// How many cells there are.
    fn count(&self) -> u32;
    /// The cells one of whose four neighbours is in the set.
    fn spread(self) -> Self;
    /// The cells whose neighbour in this direction is in the set.
    fn shifted(self, way: Direction) -> Self;
    /// How many pairs of neighbours there are.
    fn edges(&self) -> u32;
    /// Those of the first or the second colour of a chessboard: see [`Spot::colour`].
    fn of_colour(self, colour: usize) -> Self;
    /// Are there no cells?
    fn is_empty(&self) -> bool;
    /// Some cell, if there is one.
    fn any(&self) -> Option<Spot>;
    /// Goes through the cells.
    fn each(&self, visit: impl FnMut(Spot));

    /// The set of one cell.
    #[inline(always)]
    fn one(spot: Spot) -> Self {
        let mut plane = Self::NONE;
        plane.insert(spot);
        plane
    }

    /// The cell, and those of the set that can be reached from it.
    #[inline(always)]
    fn reach(self, from: Spot) -> Self {
        let (mut reached, mut front) = (Self::one(from), Self::one(from));
        while !front.is_empty() {
            front = front.spread().and(self).without(reached);
            reached = reached.or(front);
        }
        reached
    }
}

/// A plane of three groups: row `y` is row `y / 3` of group `y % 3`.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(32))]
pub struct Rows<G>(pub [G; 3]);

/// Grids of up to 30x22 cells, the usual one among them.
pub type Small = Rows<[u32; 8]>;
/// Grids of up to 62x52 cells.
pub type Large = Rows<[u64; 18]>;

impl<G: Group> Rows<G> {
    #[inline(always)]
    fn above_to_here(self) -> Self {
        let Rows([first, second, third]) = self;
        Rows([third.above_to_here(), first, second])
    }

    #[inline(always)]
    fn below_to_here(self) -> Self {
        let Rows([first, second, third]) = self;
        Rows([second, third, first.below_to_here()])
    }

    #[inline(always)]
    fn right_to_here(self) -> Self {
        let Rows([first, second, third]) = self;
        Rows([first.right_to_here(), second.right_to_here(), third.right_to_here()])
    }

    #[inline(always)]
    fn left_to_here(self) -> Self {
        let Rows([first, second, third]) = self;
        Rows([first.left_to_here(), second.left_to_here(), third.left_to_here()])
    }
}

impl<G: Group> Plane for Rows<G> {
    const LARGEST: (usize, usize) = (G::SHAPE.0 - 2, 3 * G::SHAPE.1 - 2);
    const NONE: Self = Rows([G::NONE; 3]);

    #[inline(always)]
    fn has(&self, spot: Spot) -> bool {
        let (row, column) = spot.row_and_column();
        self.0[row % 3].has(row / 3, column)
    }

    #[inline(always)]
    fn insert(&mut self, spot: Spot) {
        let (row, column) = spot.row_and_column();
        let group = &mut self.0[row % 3];
        *group = group.or(G::one(row / 3, column));
    }

    #[inline(always)]
    fn remove(&mut self, spot: Spot) {
        let (row, column) = spot.row_and_column();
        let group = &mut self.0[row % 3];
        *group = group.without(G::one(row / 3, column));
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        let (Rows([a, b, c]), Rows([d, e, f])) = (self, other);
        Rows([a.and(d), b.and(e), c.and(f)])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let (Rows([a, b, c]), Rows([d, e, f])) = (self, other);
        Rows([a.or(d), b.or(e), c.or(f)])
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        let (Rows([a, b, c]), Rows([d, e, f])) = (self, other);
        Rows([a.xor(d), b.xor(e), c.xor(f)])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        let (Rows([a, b, c]), Rows([d, e, f])) = (self, other);
        Rows([a.without(d), b.without(e), c.without(f)])
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        let Rows([first, second, third]) = *self;
        first.count() + second.count() + third.count()
    }

    #[inline(always)]
    fn spread(self) -> Self {
        let beside = self.left_to_here().or(self.right_to_here());
        beside.or(self.above_to_here()).or(self.below_to_here())
    }

    #[inline(always)]
    fn shifted(self, way: Direction) -> Self {
        match way {
            Direction::Up => self.above_to_here(),
            Direction::Right => self.right_to_here(),
            Direction::Down => self.below_to_here(),
            Direction::Left => self.left_to_here(),
        }
    }

    #[inline(always)]
    fn edges(&self) -> u32 {
        self.and(self.right_to_here()).count() + self.and(self.above_to_here()).count()
    }

    #[inline(always)]
    fn of_colour(self, colour: usize) -> Self {
        let (same, other) = (G::chessboard(colour), G::chessboard(1 - colour));
        let Rows([first, second, third]) = self;
        Rows([first.and(same), second.and(other), third.and(same)])
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        let Rows([first, second, third]) = *self;
        first.or(second).or(third).is_empty()
    }

    #[inline(always)]
    fn any(&self) -> Option<Spot> {
        for (group, rows) in self.0.iter().enumerate() {
            for (at, row) in rows.rows().enumerate() {
                if row != 0 {
                    return Some(Spot(
                        (64 * (3 * at + group)) as u16 + row.trailing_zeros() as u16,
                    ));
                }
            }
        }
        None
    }

    #[inline(always)]
    fn each(&self, mut visit: impl FnMut(Spot)) {
        for (group, rows) in self.0.iter().enumerate() {
            for (at, row) in rows.rows().enumerate() {
                let mut left = row;
                while left != 0 {
                    let column = left.trailing_zeros() as u16;
                    visit(Spot((64 * (3 * at + group)) as u16 + column));
                    left &= left - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use std::collections::BTreeSet;

    type Cells = BTreeSet<(usize, usize)>;

    fn random(rng: &mut Rng, (width, height): (usize, usize)) -> Cells {
        let density = 1 + rng.below(9);
        let all = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        all.filter(|_| rng.below(10) < density).collect()
    }

    fn plane<P: Plane>(cells: &Cells) -> P {
        let mut plane = P::NONE;
        cells.iter().for_each(|&(x, y)| plane.insert(Spot::new(x, y)));
        plane
    }

    fn neighbours((x, y): (usize, usize)) -> Vec<(usize, usize)> {
        let mut beside = vec![(x + 1, y), (x, y + 1)];
        beside.extend(x.checked_sub(1).map(|x| (x, y)));
        beside.extend(y.checked_sub(1).map(|y| (x, y)));
        beside
    }

    /// Sets of cells against sets of pairs.
    fn agree<P: Plane + PartialEq + std::fmt::Debug>(seed: u64) {
        let mut rng = Rng::new(seed);
        let grid = (1 + rng.below(P::LARGEST.0), 1 + rng.below(P::LARGEST.1));
        let (one, two) = (random(&mut rng, grid), random(&mut rng, grid));
        let (fast, other): (P, P) = (plane(&one), plane(&two));
        assert_eq!(fast.and(other), plane(&one.intersection(&two).copied().collect()));
        assert_eq!(fast.or(other), plane(&one.union(&two).copied().collect()));
        assert_eq!(fast.without(other), plane(&one.difference(&two).copied().collect()));
        assert_eq!(fast.count() as usize, one.len());
        let all: P = plane(&(0..grid.0).flat_map(|x| (0..grid.1).map(move |y| (x, y))).collect());
        let spread: Cells = one.iter().copied().flat_map(neighbours).collect();
        assert_eq!(fast.spread().and(all), plane::<P>(&spread).and(all));
        let within = |cell: &(usize, usize)| {
            neighbours(*cell).iter().filter(|cell| one.contains(cell)).count() as u32
        };
        assert_eq!(fast.edges(), one.iter().map(within).sum::<u32>() / 2);
        for colour in 0..2 {
            let coloured = one.iter().filter(|(x, y)| Spot::new(*x, *y).colour() == colour);
            assert_eq!(fast.of_colour(colour), plane(&coloured.copied().collect()));
        }
        assert_eq!(fast.any().is_some(), !one.is_empty());
        assert!(fast.any().is_none_or(|spot| fast.has(spot)));
        let mut met = P::NONE;
        fast.each(|spot| met.insert(spot));
        assert_eq!(met, fast);
        let mut rest = fast;
        fast.any().into_iter().for_each(|spot| rest.remove(spot));
        assert_eq!(rest.count(), fast.count().saturating_sub(1));
    }

    #[test]
    fn sets_are_sets() {
        for seed in 0..300 {
            agree::<Small>(seed);
            agree::<Large>(seed);
        }
    }

    #[test]
    fn the_neighbour_of_a_cell_has_the_other_colour() {
        let spot = Spot::new(5, 7);
        for way in Direction::ALL {
            let next = spot.towards(way);
            assert_eq!(next.colour(), 1 - spot.colour());
            assert!(Small::one(spot).spread().has(next));
        }
    }
}
