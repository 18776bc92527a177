//! Nodes of the batched search.

use crate::taquin::best::pattern::{Placement, MOST_GROUPS};
use crate::taquin::best::work_queue::SubtreeRoot;
use crate::taquin::grid::DIRECTIONS;
use crate::taquin::packed_board::PackedBoard;
use arbitre_games::games::taquin::Direction;

/// Bits per direction in a path.
const DIRECTION_BITS: usize = 2;
/// Number of move lookups: one per group and orientation.
pub const LOOKUPS: usize = 2 * MOST_GROUPS;
/// Directions per word of a path.
const DIRECTIONS_PER_WORD: usize = u64::BITS as usize / DIRECTION_BITS;

/// Packed board with a type for the longest path to one.
pub trait BoardWord: PackedBoard + Send + Sync {
    /// Path with two bits per move, the first move in the lowest bits. It has room for every
    /// shortest path.
    type Path: Copy + Default + Send + Sync + AsRef<[u64]> + AsMut<[u64]>;
}

/// Boards up to 4x4.
impl BoardWord for u64 {
    type Path = [u64; 3];
}

/// Boards up to 5x5.
impl BoardWord for u128 {
    type Path = [u64; 7];
}

/// Board within the bound.
#[derive(Clone, Copy, Default)]
pub struct BatchNode<W: BoardWord> {
    pub board: W,
    /// Placements of the groups in the first orientation, then in the second.
    pub placements: [Placement; LOOKUPS],
    pub path: W::Path,
    /// FSM state.
    pub state: u32,
    /// Index of its subtree.
    pub subtree: u32,
    /// Slides of each group modulo four; see [`SlideBits`].
    pub slides: SlideBits,
    /// Half the moves by which the bound exceeds the estimate, for each orientation.
    pub slack: [u8; 2],
    pub blank: u8,
    pub depth: u8,
}

impl<W: BoardWord> BatchNode<W> {
    /// Returns the moves to the board.
    pub fn path_to(&self) -> Vec<Direction> {
        let direction = |at: usize| {
            let word = self.path.as_ref()[at / DIRECTIONS_PER_WORD];
            Direction::ALL
                [(word >> (DIRECTION_BITS * (at % DIRECTIONS_PER_WORD))) as usize % DIRECTIONS]
        };
        (0..self.depth.into()).map(direction).collect()
    }

    /// Appends a move to the path.
    #[inline(always)]
    pub fn push(&mut self, direction: usize) {
        let depth = usize::from(self.depth);
        let shift = DIRECTION_BITS * (depth % DIRECTIONS_PER_WORD);
        self.path.as_mut()[depth / DIRECTIONS_PER_WORD] |= (direction as u64) << shift;
        self.depth += 1;
    }
}

impl<W: BoardWord> SubtreeRoot for BatchNode<W> {
    fn path(&self) -> Vec<Direction> {
        self.path_to()
    }
}

/// Slides that the groups need in both orientations, modulo four: two bits each.
#[derive(Clone, Copy, Default)]
pub struct SlideBits(u16);

impl SlideBits {
    /// Sets the slides of the group of a move lookup.
    pub fn put(&mut self, lookup: usize, slides: u32) {
        self.0 = self.0 & !(3 << (2 * lookup)) | (slides as u16 & 3) << (2 * lookup);
    }

    /// Changes the slides of a group by one, up or down, as given by `entry` after the slide.
    /// Returns 1 if they increase and 0 if they decrease.
    #[inline(always)]
    pub fn change(&mut self, lookup: usize, entry: u32) -> u32 {
        let shift = 2 * lookup % (u16::BITS as usize);
        let slides = u32::from(self.0 >> shift) & 3;
        // The entry is the second lowest bit of the new count, in which the two neighbours differ.
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
    fn slide_counts_follow_the_bits_of_a_table() {
        let (mut slides, mut slow) = (SlideBits::default(), [9u32, 6, 3, 0, 8, 5, 2, 7]);
        slow.iter().enumerate().for_each(|(lookup, &count)| slides.put(lookup, count));
        let mut rng = arbitre_games::rng::Rng::new(5);
        for _ in 0..2_000 {
            let (lookup, is_more) = (rng.below(8), rng.below(2) as u32);
            slow[lookup] = if is_more == 1 { slow[lookup] + 1 } else { slow[lookup].max(1) - 1 };
            if slow[lookup] > 0 || is_more == 1 {
                assert_eq!(slides.change(lookup, slow[lookup] >> 1 & 1), is_more);
            } else {
                slow[lookup] = 1;
                slides.put(lookup, 1);
            }
        }
    }

    #[test]
    fn path_round_trips() {
        let mut node = BatchNode::<u128>::default();
        let direction = |at: usize| at * at / 3 % DIRECTIONS;
        (0..208).for_each(|at| node.push(direction(at)));
        let expected: Vec<Direction> = (0..208).map(|at| Direction::ALL[direction(at)]).collect();
        assert_eq!(node.path_to(), expected);
    }
}
