//! The planes of Tron: which grids they are for, and the ways on them.

use arbitre_games::bitboard::WideBitboard;
pub use arbitre_games::bitboard::{Bitboard, Cell};
use arbitre_games::games::tron::Direction;

/// Grids of up to 30x22 cells, the usual one among them.
pub type Small = WideBitboard<[u32; 8], 3>;
/// Grids of up to 62x52 cells.
pub type Large = WideBitboard<[u64; 18], 3>;

/// Steps from a cell to its neighbours.
pub trait Step {
    /// The neighbour in this direction.
    fn towards(self, way: Direction) -> Self;
}

impl Step for Cell {
    #[inline]
    fn towards(self, way: Direction) -> Cell {
        self.beside()[way as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_to_the_cell_that_they_name() {
        let spot = Cell::new(5, 7);
        assert_eq!(spot.towards(Direction::Up), Cell::new(5, 6));
        assert_eq!(spot.towards(Direction::Right), Cell::new(6, 7));
        assert_eq!(spot.towards(Direction::Down), Cell::new(5, 8));
        assert_eq!(spot.towards(Direction::Left), Cell::new(4, 7));
    }
}
