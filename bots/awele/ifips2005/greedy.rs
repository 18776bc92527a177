//! The bot that maximises the capture of its next move.

use arbitre_games::game::{Seat, State};
use arbitre_games::games::awele::{Pit, Position};

/// Returns the moves with the largest capture, and the lead after one of them.
pub fn largest_captures(state: &Position, seat: Seat, _: Option<Pit>) -> (Vec<Pit>, i64) {
    let lead = |pit| {
        let [own, other] = state.after(seat, pit).board_of(seat).captures();
        i64::from(own) - i64::from(other)
    };
    let mut moves = state.moves(seat);
    let most = moves.iter().map(|&pit| lead(pit)).max().expect("there is a legal move");
    moves.retain(|&pit| lead(pit) == most);
    (moves, most)
}
