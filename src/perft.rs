//! Perft: counts the leaves of the game tree, to verify a set of rules.

use crate::game::State;
use std::ops::ControlFlow;

/// Returns the number of ways to play `depth` plies from `state`. Games that end earlier do not
/// count.
///
/// The last ply is counted without being played.
pub fn perft<S: State>(state: &S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for seat in state.to_move().iter() {
        // Two loops: one for both would be too large to be inlined where it only counts.
        if depth == 1 {
            state.for_each_move(seat, |_| {
                leaves += 1;
                ControlFlow::Continue(())
            });
        } else {
            state.for_each_move(seat, |mv| {
                leaves += perft(&state.after(seat, mv), depth - 1);
                ControlFlow::Continue(())
            });
        }
    }
    leaves
}

/// Reference implementation of [`perft`]: plays every move through [`State::play`], the last ply
/// too.
///
/// # Panics
/// Panics if the rules reject a move that they list.
pub fn perft_checked<S: State>(state: &S, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for seat in state.to_move().iter() {
        for mv in state.moves(seat) {
            let mut next = state.clone();
            next.play(seat, mv).expect("a listed move is legal");
            leaves += perft_checked(&next, depth - 1);
        }
    }
    leaves
}
