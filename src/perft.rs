//! Counting the leaves of the game tree: the fingerprint of a set of rules.

use crate::game::State;
use std::ops::ControlFlow;

/// The number of ways to play `depth` plies on from `state`. Lines that end earlier do not count.
///
/// The last ply is counted and not played.
pub fn perft<S: State>(state: &S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for seat in state.to_move().iter() {
        state.for_each_move(seat, |mv| {
            leaves += if depth == 1 { 1 } else { perft(&state.after(seat, mv), depth - 1) };
            ControlFlow::Continue(())
        });
    }
    leaves
}

/// [`perft`] by its slow twin: every move goes through the checked door, the last ply is played.
///
/// # Panics
/// If a move that the rules list is refused.
pub fn perft_checked<S: State>(state: &S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for seat in state.to_move().iter() {
        for mv in state.moves(seat) {
            let mut next = state.clone();
            next.play(seat, mv).expect("a listed move is accepted");
            leaves += perft_checked(&next, depth - 1);
        }
    }
    leaves
}
