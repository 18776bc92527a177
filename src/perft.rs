//! Perft: the leaves of a game tree, counted to verify a set of rules.

use crate::game::State;

/// Reference implementation of [`State::leaves`]: plays every move through [`State::play`], the
/// last ply too.
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
