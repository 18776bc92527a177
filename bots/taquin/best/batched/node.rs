//! Nodes of the batched search.

use crate::taquin::best::pattern::MOST_GROUPS;
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
pub struct BatchNode<W: BoardWord, G> {
    pub board: W,
    /// Placements of the groups in the first orientation, then in the second.
    pub groups: [G; LOOKUPS],
    pub path: W::Path,
    /// FSM state.
    pub state: u32,
    /// Index of its subtree.
    pub subtree: u32,
    /// Half the moves by which the bound exceeds the estimate, for each orientation.
    pub slack: [u8; 2],
    pub blank: u8,
    pub depth: u8,
}

impl<W: BoardWord, G> BatchNode<W, G> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_round_trips() {
        let mut node = BatchNode::<u128, u32>::default();
        let direction = |at: usize| at * at / 3 % DIRECTIONS;
        (0..208).for_each(|at| node.push(direction(at)));
        let expected: Vec<Direction> = (0..208).map(|at| Direction::ALL[direction(at)]).collect();
        assert_eq!(node.path_to(), expected);
    }
}
