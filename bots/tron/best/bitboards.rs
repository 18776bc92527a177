//! The bitboards of Tron, one per grid size, and steps on them.

use arbitre_games::bitboard::InterleavedBitboard;
pub use arbitre_games::bitboard::{Bitboard, Cell, Loaded};
use arbitre_games::games::tron::Direction;

/// Grids of up to 30x22 cells, which include the default grid.
pub type SmallGrid = InterleavedBitboard<[u32; 8], 3>;
/// Grids of up to 62x52 cells.
pub type LargeGrid = InterleavedBitboard<[u64; 18], 3>;

/// Steps from a cell to its neighbours.
pub trait Step {
    /// Returns the neighbour in this direction.
    fn towards(self, direction: Direction) -> Self;
}

impl Step for Cell {
    #[inline]
    fn towards(self, direction: Direction) -> Cell {
        self.neighbours()[direction as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_lead_to_their_neighbours() {
        let cell = Cell::new(5, 7);
        assert_eq!(cell.towards(Direction::Up), Cell::new(5, 6));
        assert_eq!(cell.towards(Direction::Right), Cell::new(6, 7));
        assert_eq!(cell.towards(Direction::Down), Cell::new(5, 8));
        assert_eq!(cell.towards(Direction::Left), Cell::new(4, 7));
    }
}
