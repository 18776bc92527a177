//! The cells around a cell, as [`Bitboard::neighbour_mask`] returns them.

use crate::tron::best::bitboards::Bitboard;
use crate::tron::best::position::MultiplayerPosition;

/// The bits of a ring that are sides, not corners.
pub const SIDES: u8 = 0b0101_0101;

/// Returns the directions of a mask of [`SIDES`], by number.
#[inline]
pub fn directions(mut ways: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (ways != 0).then(|| ways.trailing_zeros())?;
        ways &= ways - 1;
        Some(bit as usize / 2)
    })
}

/// Returns the mask of [`SIDES`] of these directions, given by number.
pub fn sides_of(directions: impl Iterator<Item = usize>) -> u8 {
    directions.fold(0, |sides, direction| sides | 1 << (2 * direction))
}

impl<P: Bitboard> MultiplayerPosition<P> {
    /// Returns the free sides of a seat's head, as a mask of [`SIDES`].
    #[inline]
    pub fn sides(&self, seat: usize) -> u8 {
        self.free.neighbour_mask(self.heads[seat]) & SIDES
    }
}

/// Returns `true` if the free sides of a cell are not connected around it.
#[inline]
pub const fn is_split(ring: u8) -> bool {
    // A corner that is free joins the sides beside it.
    let joints = ring & ring.rotate_right(1) & ring.rotate_right(2) & SIDES;
    (ring & SIDES).count_ones() > joints.count_ones() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every ring with a walk along it.
    #[test]
    fn split_cells_have_unconnected_free_sides() {
        for ring in 0..=255u8 {
            let free = |at: usize| ring >> (at % 8) & 1 != 0;
            let sides: Vec<usize> = (0..8).step_by(2).filter(|&side| free(side)).collect();
            let joined = |from: usize| {
                let ahead = (from..from + 8).take_while(|&at| free(at)).last().unwrap_or(from);
                let behind = (from + 1..=from + 8).rev().take_while(|&at| free(at)).last();
                let behind = behind.unwrap_or(from + 8);
                move |to: usize| {
                    (from..=ahead).any(|at| at % 8 == to)
                        || (behind..=from + 8).any(|at| at % 8 == to)
                }
            };
            let whole = sides.iter().all(|&to| joined(sides[0])(to));
            assert_eq!(is_split(ring), !whole && !sides.is_empty(), "{ring:08b}");
        }
    }
}
