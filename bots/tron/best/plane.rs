//! Sets of cells as rows of bits, on which a flood takes a few instructions per step.
//!
//! A cell is a bit: column `x` of row `y`, both counted from 1, so that a border that is never in a
//! set lies around the grid. Row `y` is word `y / 3` of group `y % 3`. The neighbours above and below
//! of whole groups are then whole groups, but for one that moves by a word: so a group is a vector
//! register.

use crate::games::tron::Direction;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

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
pub trait Plane: Copy + PartialEq + Send + std::fmt::Debug + 'static {
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
    /// Some cell, if there is one.
    fn any(&self) -> Option<Spot>;

    /// The set of one cell.
    #[inline]
    fn one(spot: Spot) -> Self {
        let mut plane = Self::NONE;
        plane.insert(spot);
        plane
    }

    /// Are there no cells?
    #[inline]
    fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// The free cells that can be reached.
    #[inline]
    fn reach(free: Self, from: Spot) -> Self {
        let (mut reached, mut front) = (Self::NONE, Self::one(from));
        while !front.is_empty() {
            front = front.spread().and(free).without(reached);
            reached = reached.or(front);
        }
        reached
    }
}

/// A row of bits.
pub trait Word:
    Copy
    + PartialEq
    + Send
    + std::fmt::Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;
    /// Every other bit, the lowest first.
    const EVEN: Self;
    /// How many bits are set.
    fn ones(self) -> u32;
    /// The number of the lowest bit that is set.
    fn lowest(self) -> u32;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const EVEN: Self = <$word>::MAX / 3;
            #[inline]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
        }
    )*};
}

words!(u32 u64);

/// Three groups of so many rows.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(32))]
pub struct Rows<W, const L: usize>(pub [[W; L]; 3]);

/// Grids of up to 30x22 cells, the usual one among them.
pub type Small = Rows<u32, 8>;
/// Grids of up to 62x52 cells.
pub type Large = Rows<u64, 18>;

impl<W: Word, const L: usize> Rows<W, L> {
    #[inline]
    fn zip(self, other: Self, combine: impl Fn(W, W) -> W) -> Self {
        let mut rows = self;
        for (row, other) in rows.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *row = combine(*row, *other);
        }
        rows
    }

    /// The rows above in the place of each row.
    #[inline]
    fn above(&self) -> Self {
        let [first, second, third] = self.0;
        let mut moved = [W::ZERO; L];
        moved[1..].copy_from_slice(&third[..L - 1]);
        Rows([moved, first, second])
    }

    /// The rows below in the place of each row.
    #[inline]
    fn below(&self) -> Self {
        let [first, second, third] = self.0;
        let mut moved = [W::ZERO; L];
        moved[..L - 1].copy_from_slice(&first[1..]);
        Rows([second, third, moved])
    }
}

impl<W: Word, const L: usize> Plane for Rows<W, L> {
    const LARGEST: (usize, usize) = (8 * size_of::<W>() - 2, 3 * L - 2);
    const NONE: Self = Rows([[W::ZERO; L]; 3]);

    #[inline]
    fn has(&self, spot: Spot) -> bool {
        let (row, column) = spot.row_and_column();
        self.0[row % 3][row / 3] >> column & W::ONE != W::ZERO
    }

    #[inline]
    fn insert(&mut self, spot: Spot) {
        let (row, column) = spot.row_and_column();
        let word = &mut self.0[row % 3][row / 3];
        *word = *word | W::ONE << column;
    }

    #[inline]
    fn remove(&mut self, spot: Spot) {
        let (row, column) = spot.row_and_column();
        let word = &mut self.0[row % 3][row / 3];
        *word = *word & !(W::ONE << column);
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        self.zip(other, |one, two| one & two)
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self.zip(other, |one, two| one | two)
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        self.zip(other, |one, two| one & !two)
    }

    #[inline]
    fn count(&self) -> u32 {
        self.0.as_flattened().iter().map(|row| row.ones()).sum()
    }

    #[inline]
    fn spread(self) -> Self {
        let beside = self.zip(self, |row, _| row << 1 | row >> 1);
        beside.or(self.above()).or(self.below())
    }

    #[inline]
    fn shifted(self, way: Direction) -> Self {
        match way {
            Direction::Up => self.above(),
            Direction::Right => self.zip(self, |row, _| row >> 1),
            Direction::Down => self.below(),
            Direction::Left => self.zip(self, |row, _| row << 1),
        }
    }

    #[inline]
    fn edges(&self) -> u32 {
        let beside = self.zip(*self, |row, _| row & row >> 1);
        beside.count() + self.and(self.above()).count()
    }

    #[inline]
    fn of_colour(self, colour: usize) -> Self {
        let mut cells = self;
        for (group, words) in cells.0.iter_mut().enumerate() {
            for (at, word) in words.iter_mut().enumerate() {
                let even = (3 * at + group + colour).is_multiple_of(2);
                *word = *word & if even { W::EVEN } else { !W::EVEN };
            }
        }
        cells
    }

    #[inline]
    fn any(&self) -> Option<Spot> {
        let words = self.0.as_flattened();
        let at = words.iter().position(|&word| word != W::ZERO)?;
        let row = 3 * (at % L) + at / L;
        Some(Spot((64 * row) as u16 + words[at].lowest() as u16))
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
    fn agree<P: Plane>(seed: u64) {
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
