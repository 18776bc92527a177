//! Boards of the fast search.

use crate::taquin::pattern::{Placement, MOST_GROUPS};
use crate::taquin::store::Packed;
use arbitre_games::games::taquin::Direction;

/// How many directions there are, and the bits of one.
pub const WAYS: usize = Direction::ALL.len();
const WAY_BITS: usize = 2;
/// The lenses of both sides, one for each group.
pub const LENSES: usize = 2 * MOST_GROUPS;
/// The moves in a word of a path.
const WAYS_IN_WORD: usize = u64::BITS as usize / WAY_BITS;

/// A board as a word, and room for the longest path to one.
pub trait Word: Packed + Default + Send + Sync {
    /// Two bits for each move, the first one lowest.
    type Path: Copy + Default + Send + Sync + AsRef<[u64]> + AsMut<[u64]>;
    /// Longer paths than this are not looked for: no board needs as many.
    const LONGEST: u32;
}

/// Up to 4x4.
impl Word for u64 {
    type Path = [u64; 3];
    const LONGEST: u32 = 80;
}

/// Up to 5x5.
impl Word for u128 {
    type Path = [u64; 7];
    const LONGEST: u32 = 208;
}

/// A board within the bound.
#[derive(Clone, Copy, Default)]
pub struct Node<W: Word> {
    pub board: W,
    /// By lens: of the groups of the first side, and then of the second one.
    pub placements: [Placement; LENSES],
    pub path: W::Path,
    /// Of the automaton.
    pub state: u32,
    /// The subtree in which it is.
    pub subtree: u32,
    /// What four leaves of the slides of each group: see [`Slides`].
    pub slides: Slides,
    /// By how many moves the bound exceeds the estimate from each side, halved.
    pub spare: [u8; 2],
    pub blank: u8,
    pub depth: u8,
}

impl<W: Word> Node<W> {
    /// The moves to the board.
    pub fn ways(&self) -> Vec<Direction> {
        let way = |at: usize| {
            let word = self.path.as_ref()[at / WAYS_IN_WORD];
            Direction::ALL[(word >> (WAY_BITS * (at % WAYS_IN_WORD))) as usize % WAYS]
        };
        (0..self.depth.into()).map(way).collect()
    }

    /// Adds a move to the path.
    #[inline(always)]
    pub fn push(&mut self, way: usize) {
        let depth = usize::from(self.depth);
        let shift = WAY_BITS * (depth % WAYS_IN_WORD);
        self.path.as_mut()[depth / WAYS_IN_WORD] |= (way as u64) << shift;
        self.depth += 1;
    }
}

/// What four leaves of the slides that the groups need, from both sides: two bits each.
#[derive(Clone, Copy, Default)]
pub struct Slides(u16);

impl Slides {
    /// Puts the slides of a lens's group in.
    pub fn put(&mut self, lens: usize, slides: u32) {
        self.0 = self.0 & !(3 << (2 * lens)) | (slides as u16 & 3) << (2 * lens);
    }

    /// Changes those of a lens's group by one, as the entry after the slide says. Returns 1 if they became more,
    /// and 0 if they became fewer.
    #[inline(always)]
    pub fn change(&mut self, lens: usize, entry: u32) -> u32 {
        let shift = 2 * lens % (u16::BITS as usize);
        let slides = u32::from(self.0 >> shift) & 3;
        let is_more = 1 ^ entry ^ ((slides + 1) >> 1 & 1);
        let after = (slides + 3 + 2 * is_more) & 3;
        self.0 ^= ((slides ^ after) as u16) << shift;
        is_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_are_counted_by_the_bits_of_a_table() {
        let (mut slides, mut slow) = (Slides::default(), [9u32, 6, 3, 0, 8, 5, 2, 7]);
        slow.iter().enumerate().for_each(|(lens, &count)| slides.put(lens, count));
        let mut rng = arbitre_games::rng::Rng::new(5);
        for _ in 0..2_000 {
            let (lens, is_more) = (rng.below(8), rng.below(2) as u32);
            slow[lens] = if is_more == 1 { slow[lens] + 1 } else { slow[lens].max(1) - 1 };
            if slow[lens] > 0 || is_more == 1 {
                assert_eq!(slides.change(lens, slow[lens] >> 1 & 1), is_more);
            } else {
                slow[lens] = 1;
                slides.put(lens, 1);
            }
        }
    }

    #[test]
    fn a_path_is_kept() {
        let mut node = Node::<u128>::default();
        let way = |at: usize| at * at / 3 % WAYS;
        (0..208).for_each(|at| node.push(way(at)));
        let expected: Vec<Direction> = (0..208).map(|at| Direction::ALL[way(at)]).collect();
        assert_eq!(node.ways(), expected);
    }
}
