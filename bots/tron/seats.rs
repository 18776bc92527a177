//! Masks of seats, bit `s` for seat `s`, and the order of play.

use arbitre_games::games::tron::MOST_SEATS;

/// Returns the seats of a mask in ascending order.
#[inline]
pub fn seats(mask: u8) -> impl Iterator<Item = usize> {
    (0..MOST_SEATS).filter(move |seat| mask >> seat & 1 != 0)
}

/// Returns all seats in the order of play, starting with `from`.
#[inline]
pub fn turns(from: usize) -> impl Iterator<Item = usize> {
    (from..from + MOST_SEATS).map(|turn| turn % MOST_SEATS)
}

/// Returns the mask of these seats.
pub fn mask_of(seats: impl Iterator<Item = usize>) -> u8 {
    seats.fold(0, |mask, seat| mask | 1 << seat)
}
