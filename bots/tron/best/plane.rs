//! The planes of Tron: which grids they are for, and the ways on them.

use arbitre_games::games::tron::Direction;
use arbitre_games::planes::Rows;
pub use arbitre_games::planes::{Plane, Spot};

/// Grids of up to 30x22 cells, the usual one among them.
pub type Small = Rows<[u32; 8], 3>;
/// Grids of up to 62x52 cells.
pub type Large = Rows<[u64; 18], 3>;

/// Steps from a cell to its neighbours.
pub trait Step {
    /// The neighbour in this direction.
    fn towards(self, way: Direction) -> Self;
}

impl Step for Spot {
    #[inline]
    fn towards(self, way: Direction) -> Spot {
        self.beside()[way as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_to_the_cell_that_they_name() {
        let spot = Spot::new(5, 7);
        assert_eq!(spot.towards(Direction::Up), Spot::new(5, 6));
        assert_eq!(spot.towards(Direction::Right), Spot::new(6, 7));
        assert_eq!(spot.towards(Direction::Down), Spot::new(5, 8));
        assert_eq!(spot.towards(Direction::Left), Spot::new(4, 7));
    }
}
