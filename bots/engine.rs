//! The engine: the part of a bot that chooses its moves.

use arbitre_games::dialect::Start;
use arbitre_games::game::{Game, Seat, State};
use arbitre_games::rng::Rng;
use arbitre_games::search::budget::Budget;

/// An engine for one game. A new game begins with [`Engine::begin`]; an earlier game must not
/// influence the moves of a later one.
pub trait Engine<G: Game>: Send {
    /// Prepares for a new game and discards the last one, within the initialisation time.
    fn begin(&mut self, _start: &Start<G>) {}

    /// Returns the move to play, and a comment for people, which may be empty.
    fn choose(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (G::Move, String);

    /// Returns the answer in solo games, a path of at least one move, and a comment.
    fn plan(&mut self, state: &G::State, seat: Seat, budget: Budget) -> (Vec<G::Move>, String) {
        let (mv, comment) = self.choose(state, seat, budget);
        (vec![mv], comment)
    }
}

/// An engine that plays legal moves at random, uniformly distributed.
pub struct Random {
    rng: Rng,
}

impl Default for Random {
    fn default() -> Self {
        Random { rng: Rng::new(0) }
    }
}

impl<G: Game> Engine<G> for Random {
    fn begin(&mut self, start: &Start<G>) {
        self.rng = Rng::new(start.seed);
    }

    fn choose(&mut self, state: &G::State, seat: Seat, _: Budget) -> (G::Move, String) {
        let moves = state.moves(seat);
        (moves[self.rng.below(moves.len())], String::new())
    }
}
