//! The bitboards of Tron: the grids that they are for, and the steps on them.

use arbitre_games::bitboard::WideBitboard;
pub use arbitre_games::bitboard::{Bitboard, Cell, Loaded};
use arbitre_games::games::tron::Direction;

/// Grids of up to 30x22 cells, the usual one among them.
pub type SmallGrid = WideBitboard<[u32; 8], 3>;
/// Grids of up to 62x52 cells.
pub type LargeGrid = WideBitboard<[u64; 18], 3>;

/// Steps from a cell to its neighbours.
pub trait Step {
    /// The neighbour in this direction.
    fn towards(self, direction: Direction) -> Self;
}

impl Step for Cell {
    #[inline]
    fn towards(self, direction: Direction) -> Cell {
        self.beside()[direction as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_to_the_cell_that_they_name() {
        let cell = Cell::new(5, 7);
        assert_eq!(cell.towards(Direction::Up), Cell::new(5, 6));
        assert_eq!(cell.towards(Direction::Right), Cell::new(6, 7));
        assert_eq!(cell.towards(Direction::Down), Cell::new(5, 8));
        assert_eq!(cell.towards(Direction::Left), Cell::new(4, 7));
    }
}
